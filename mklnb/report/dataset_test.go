package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/viz"
)

const physiology = "weight,chins,waist,situps,pulse\n191,5,36,162,50\n189,2,37,110,52\n193,12,38,101,58\n" +
	"162,12,35,105,62\n"

// The first rows of a file are its columns, also where some are left out or of several files; of points in memory
// they are the features. Of issue 26.
func TestFirstRowsAreTheFile(t *testing.T) {
	const in = "color,age,size,y\nred,31,S,1\ngreen,32.5,?,2\nblue,33,L,1\nred,34,S,2\ngreen,38,L,1\nblue,39,L,2\n"
	read := func(name string) *data.Dataset {
		return must(data.Options{Format: data.CSV, Name: name, Missing: data.Fill}.Read(strings.NewReader(in)))
	}
	d := read("file")
	for name, c := range map[string]struct {
		d    *data.Dataset
		want string
	}{
		"all": {d, "color age size y 1 red 31 S 1 2 green 32.5 ? 2 3 blue 33 L 1 4"},
		"selected": {must(d.Select("size=L", "age", "color=red", "size=S")),
			"size age color y 1 S 31 red 1 2 – 32.5 – 2 3 L 33 – 1 4"},
		"joined": {must(data.Join(read("a"), read("b"))),
			"a.color a.age a.size b.color b.age b.size y 1 red 31 S red 31 S 1 2"},
		"targets": {must(data.Options{Format: data.CSV, Targets: []string{"pulse",
			"waist"}}.Read(strings.NewReader(physiology))),
			"weight chins situps pulse waist 1 191 5 162 50 36 2 189 2 110 52 37"},
		"dates": {must(data.Options{Format: data.CSV, Dates: data.DateLayouts{"day": "02.01.2006"}}.Read(
			strings.NewReader("day,a,y\n19.02.2023,1,p\n23.05.2023,2,q\n"))), "1 19.02.2023 1 p 2 23.05.2023 2 q"},
		"memory": {&data.Dataset{X: d.X, Y: d.Y, Classes: d.Classes},
			"color=blue color=green color=red age size=L size=S size=? label 1 0 0 1 31 0 1 0 1 2"},
	} {
		f, ok := firstRowsTable(c.d)
		text := strings.Join(strings.Fields(f.Text()), " ")
		if !ok || !strings.Contains(text, c.want) {
			t.Errorf("%s: %s\nwant %s", name, text, c.want)
		}
	}
}

// TestFigures: every kind of dataset has figures that can be drawn.
func TestFigures(t *testing.T) {
	rings := datasets.Rings(2000, 7)
	unlabeled := *rings
	unlabeled.Y, unlabeled.Classes = nil, nil
	constant := datasets.SimulatedArm(30, 1)
	for i := range constant.Y {
		constant.Y[i] = 3
	}
	visits := datasets.SimulatedArm(6, 1)
	copy(visits.Y, []float64{0, 1, 1, 3, 8, 8})
	percent := datasets.SimulatedArm(6, 1)
	percent.Name, percent.Target, percent.ExtraTargets = "air", "% of water", []data.Target{{Name: "rest", Y: visits.Y}}
	three := &data.Dataset{Name: "three", X: points.NewRows([][]float64{{0, 1}, {1, 3}, {2, 2}, {3, 5}, {4, 4}, {5,
		6}}),
		Y: []float64{0, 0, 1, 1, 2, 2}, Classes: []string{"bad", "fair", "good"}}
	sparse := points.Sparse{D: 20, Ptr: []int{0, 1, 3}, Col: []int{2, 0, 19}, Val: []float64{1, 2, 3}}
	for _, c := range []struct {
		d      *data.Dataset
		charts int
		want   []string
	}{
		{rings, 1, []string{"2000 points", "Classes of rings"}},
		{&unlabeled, 0, []string{"2000 points, 2 features"}},
		{three, 1, []string{"3 classes: bad (2 points), fair (2 points) and good (2 points)"}},
		{datasets.SimulatedArm(100, 1), 1, []string{"numbers from", "Histogram of 100 targets"}},
		{constant, 1, []string{"numbers from 3 to 3", "points: 3: 30."}},
		{visits, 1, []string{"points: 0: 1, 1: 2, 2: 0, 3", "8: 2."}},
		{percent, 1, []string{"Distribution of % of water of air"}},
		{&data.Dataset{Name: "words", X: sparse, Y: []float64{-1, 1}, Classes: []string{"bad", "good"}}, 1,
			[]string{"20 features", "8 of 20 columns", "bad (1 points, −1) and good (1 points, +1)"}},
	} {
		r, charts := must(OfDataset(c.d)), 0
		text := r.String()
		for _, f := range r.Figures() {
			if err := f.Validate(); err != nil {
				t.Errorf("%s: %v", c.d.Name, err)
			}
			if f.Kind != viz.KindTable {
				charts++
			}
		}
		missing := func(part string) bool { return !strings.Contains(text, part) }
		if charts != c.charts || slices.ContainsFunc(c.want, missing) {
			t.Errorf("%s: %d charts, want %d; and %q in\n%s", c.d.Name, charts, c.charts, c.want, text)
		}
	}
}
