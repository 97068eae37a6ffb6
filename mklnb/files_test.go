package mklnb

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// write makes a file.
func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOpenNamesTheCall tests that an error that names an option has an example of a call with options.
func TestOpenNamesTheCall(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "my.csv", "a,b,y\n1,,0\n2,3,1\n")
	refused(t, "a missing cell", `nb.Open("my.csv", data.Options{Label: "…", Missing: data.Drop})`, func() {
		Open("my.csv")
	})
	write(t, "prices.csv", "a,price\n1,2.5\n2,3.5\n3,4.25\n,4.5\n")
	refused(t, "several faults",
		`nb.Open("prices.csv", data.Options{Label: "price", Regression: true, Missing: data.Drop})`,
		func() { Open("prices.csv", data.Options{Label: "price"}) })
	d := Open("my.csv", data.Options{Missing: data.Fill})
	if d.Len() != 2 {
		t.Errorf("with options the file has %d points, expected 2", d.Len())
	}
	refused(t, "two options", "data.Options", func() { Open("my.csv", data.Options{}, data.Options{}) })
}

// six is a dataset of six classes of so many points each, every three points of one group.
func six(each int) *data.Dataset {
	d := &data.Dataset{Name: "six", Classes: []string{"a", "b", "c", "d", "e", "f"}}
	var x [][]float64
	for i := range 6 * each {
		k := i / each
		x = append(x, []float64{math.Cos(float64(k)) + 0.1*math.Sin(float64(7*i)),
			math.Sin(float64(k)) + 0.1*math.Cos(float64(5*i))})
		d.Y, d.Group = append(d.Y, float64(k)), append(d.Group, fmt.Sprint(i/3))
	}
	d.X = points.NewRows(x)
	return d
}

// TestSplit: the parts are those of fit.Holdout, with groups, and repeats of a point, whole.
func TestSplit(t *testing.T) {
	d := six(12)
	train, test := Split(d, 0.25, 7)
	want := Must(fit.Holdout(d.Y, 0.25, 1, 7, fit.ByGroup(d.Group)))[0]
	if train.Len() != len(want.Train) || test.Digest() != Must(d.Slice(want.Test)).Digest() {
		t.Errorf("%v and %v, want %d and %d points", train, test, len(want.Train), len(want.Test))
	}
	twice := &data.Dataset{Name: "twice", Y: slices.Repeat([]float64{1, -1}, 30), Classes: []string{"a", "b"}}
	var rows [][]float64
	for i := range 60 {
		rows = append(rows, []float64{math.Sqrt(float64(i % 30))})
	}
	twice.X = points.NewRows(rows)
	train, test = Split(twice, 0.25, 1)
	for i := range test.Len() {
		if slices.Contains(train.X.(points.Rows).Data, test.X.(points.Rows).Row(i)[0]) {
			t.Fatalf("point %d is in both parts", i+1)
		}
	}
}

// TestScoreFile: a file with labels is scored by the model's own encoding: columns by name, values of words,
// logarithms.
func TestScoreFile(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	t.Setenv("MKL_MODELS", t.TempDir())
	t.Chdir(t.TempDir())
	learned := "color,size,price\n"
	for i := range 60 {
		size := float64(i%20) / 10
		learned += fmt.Sprintf("%s,%g,%.6f\n", []string{"red", "blue"}[i%2], size, math.Exp(1+size+float64(i%2)))
	}
	o := data.Options{Regression: true, LogTargets: true}
	m := Learn(Must(o.Open(write(t, "learned.csv", learned))), learn.WithSplits(nil)).Model
	Save("prices", m)
	const prices = "price,note,size,color\n%.6f,x,0.55,blue\n%.6f,y,1.25,red\n"
	var s, exchanged model.Score
	shows(t, 0, func() {
		s = ScoreFile(LoadModel("prices"), write(t, "test.csv", fmt.Sprintf(prices, math.Exp(2.55), math.Exp(2.25))))
		exchanged = ScoreFile(m, write(t, "other.csv", fmt.Sprintf(prices, math.Exp(2.25), math.Exp(2.55))))
	})
	if s.N != 2 || !(s.RMSE < 0.5) || !(s.R2 > 0.9) || exchanged.R2 > 0 {
		t.Errorf("%v, want small errors of two prices, 12.8 and 9.49; with the prices exchanged %v", s, exchanged)
	}
	memory := *m
	memory.Input = nil
	write(t, "points.csv", "size,color\n1,red\n")
	refused(t, "not of a file", "not learned on a file", func() { ScoreFile(&memory, "test.csv") })
	refused(t, "without labels", `has no labels: add the column "price"`, func() { ScoreFile(m, "points.csv") })
}

// TestScore: a file that has one of the classes less, and so numbers them otherwise, is scored by their names.
func TestScore(t *testing.T) {
	x := points.NewRows([][]float64{{-2}, {-1}, {1}, {2}})
	m := &model.Model{Family: kernel.List{kernel.Linear{}}, X: x, Theta: []float64{1}, W: []float64{-1, 0, 0, 1},
		Classes: []string{"no", "yes"}}
	d := &data.Dataset{Name: "d", X: x, Y: []float64{1, 1, -1, -1}, Classes: []string{"yes", "no"}}
	if s := Score(m, d); s.Accuracy != 1 {
		t.Errorf("accuracy %g, want 1", s.Accuracy)
	}
}

// TestSaveAnother tests that Save replaces another model of the folder only if it is told to, and states it, that it
// stores the same model again, and that another folder has its own names.
func TestSaveAnother(t *testing.T) {
	t.Setenv("MKL_MODELS", t.TempDir())
	newModel := func(note string, w ...float64) *model.Model {
		return &model.Model{Name: "rings", Note: note, Family: kernel.List{kernel.Linear{}},
			X: points.NewRows([][]float64{{1}, {2}}), Theta: []float64{1}, W: w}
	}
	const saved = `Saved as "x": rings: model of 2 points, 1 of 1 kernels in use.`
	const how = ` In the notebooks of this folder, nb.LoadModel("x") reads it.`
	a, b := newModel("learned: λ=1", 1, 2), newModel("", 3, 4)
	save := func(m *model.Model, want string, options ...SaveOption) {
		t.Helper()
		if got := shows(t, 1, func() { Save("x", m, options...) }).shown[0].text; got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
		if w := LoadModel("x").W; !slices.Equal(w, m.W) {
			t.Errorf("the saved model has w = %v, not %v", w, m.W)
		}
	}
	save(a, saved+how)
	save(a, saved+how)
	refused(t, "another model", "nb.Replace", func() { Save("x", b) })
	save(b, saved+` It replaces another model.`+how, Replace)
	refused(t, "a stopped cell", "stopped", func() { interrupt.cancel(); Save("x", a, Replace) })
	refused(t, "an empty model", "model", func() { Save("y", &model.Model{}) })
	t.Chdir(t.TempDir())
	refused(t, "another folder", "no model was saved", func() { LoadModel("x") })
	save(a, saved+how)
}

func TestModelNames(t *testing.T) {
	for _, name := range []string{"", "..", "a/b", `a\b`, ".hidden", "a\x00b", "c:d"} {
		if _, err := modelPath(name); err == nil {
			t.Errorf("%q is taken as a name", name)
		}
	}
	for _, name := range []string{"my model 2", "модель", "a.b"} {
		if path, err := modelPath(name); err != nil || filepath.Base(path) != name+modelExt {
			t.Errorf("%q: %s, %v", name, path, err)
		}
	}
}
