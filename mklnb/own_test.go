package mklnb

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// six is a dataset of six classes of so many points each, every three points of one group.
func six(each int) *data.Dataset {
	d := &data.Dataset{Name: "six", Classes: []string{"a", "b", "c", "d", "e", "f"}}
	var x [][]float64
	for i := range 6 * each {
		k := i / each
		x = append(x, []float64{math.Cos(float64(k)) + 0.1*math.Sin(float64(7*i)), math.Sin(float64(k)) + 0.1*math.Cos(float64(5*i))})
		d.Y, d.Group = append(d.Y, float64(k)), append(d.Group, fmt.Sprint(i/3))
	}
	d.X = kernel.NewRows(x)
	return d
}

// foreign is a loss of another package.
type foreign struct{ loss.Squared }

// TestClassNumbers: Solve and Weigh say that numbers of classes are taken as amounts; of columns of classes, as the
// recipe of Dataset.Y makes them, of amounts and of fewer numbers they say nothing.
func TestClassNumbers(t *testing.T) {
	d := six(6)
	grams := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}.On(d.X)
	code := model.Code{Classes: len(d.Classes)}
	half := slices.Clone(d.Y)
	half[3] = 0.5
	gap := slices.Clone(d.Y)
	for i, y := range gap {
		if y == 4 {
			gap[i] = 5
		}
	}
	for _, c := range []struct {
		what string
		loss loss.Loss
		y    []float64
		want bool
	}{
		{"class numbers", loss.Squared{Lambda: 1}, d.Y, true},
		{"class numbers, insensitive", loss.Insensitive{C: 1, Epsilon: 0.1}, d.Y, true},
		{"class numbers, a loss of one's own", foreign{loss.Squared{Lambda: 1}}, d.Y, true},
		{"columns of classes", loss.In(loss.Squared{Lambda: 1}, code.Columns()), code.Spread(d.Y), false},
		{"columns of classes, hinge", loss.In(loss.Hinge{C: 1}, code.Columns()), code.Spread(d.Y), false},
		{"an amount among them", loss.Squared{Lambda: 1}, half, false},
		{"a number that none has", loss.Squared{Lambda: 1}, gap, false},
	} {
		p := &mkl.Problem{Grams: grams, Set: set.Simplex{}, Loss: c.loss, Y: c.y}
		for what, run := range map[string]func(){
			"Solve": func() { Solve(p, mkl.Level{}, &mkl.Settings{Iterations: 3}) },
			"Weigh": func() { Weigh(p, mkl.Uniform{}) },
		} {
			r, status := record(t, run)
			all := ""
			for _, p := range r.shown {
				all += p.text
			}
			if status != -1 || c.want != containsEvery(all, "0 … 5", "model.Code{Classes: 6}", "code.Spread", "loss.In") {
				t.Errorf("%s, %s: status %d, %q", what, c.what, status, all)
			}
		}
	}
}

// TestSplit: the parts are those of study.Holdout, with the classes' shares and groups whole.
func TestSplit(t *testing.T) {
	d := six(12)
	train, test := Split(d, 0.25, 7)
	want := Must(study.Holdout(d.Y, 0.25, 1, 7, study.ByGroup(d.Group)))[0]
	if train.Len() != len(want.Train) || test.Len() != len(want.Test) || !slices.Equal(test.Y, Must(d.Slice(want.Test)).Y) {
		t.Errorf("%v and %v, want %d and %d points", train, test, len(want.Train), len(want.Test))
	}
	for _, g := range test.Group {
		if slices.Contains(train.Group, g) {
			t.Errorf("group %s is in both parts", g)
		}
	}
	twice := &data.Dataset{Name: "twice", Y: slices.Repeat([]float64{1, -1}, 30), Classes: []string{"a", "b"}}
	var rows [][]float64
	for i := range 60 {
		rows = append(rows, []float64{math.Sqrt(float64(i % 30))})
	}
	twice.X = kernel.NewRows(rows)
	train2, test2 := Split(twice, 0.25, 1)
	for i := range test2.Len() {
		for j := range train2.Len() {
			if test2.X.(kernel.Rows).Row(i)[0] == train2.X.(kernel.Rows).Row(j)[0] {
				t.Fatalf("points %d and %d of the two parts are the same", i+1, j+1)
			}
		}
	}
	for k, n := range test.Counts() {
		if n != 3 {
			t.Errorf("class %s has %d of 12 points in the test part, want 3", d.Classes[k], n)
		}
	}
	for _, bad := range []func(){func() { Split(nil, 0.25, 1) }, func() { Split(d, 1.5, 1) }, func() { Split(&data.Dataset{Name: "none", X: d.X}, 0.5, 1) },
		func() {
			Split(&data.Dataset{Name: "grams", X: d.X, Y: d.Y, Kernels: kernel.List{kernel.Linear{}}}, 0.5, 1)
		}} {
		if _, status := record(t, bad); status != 1 {
			t.Errorf("status %d, want 1", status)
		}
	}
}

// TestScoreFile: a file with labels is scored by the model's own encoding: columns by name, values of words,
// logarithms.
func TestScoreFile(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var learned strings.Builder
	learned.WriteString("colour,size,price\n")
	for i := range 60 {
		size := float64(i%20) / 10
		fmt.Fprintf(&learned, "%s,%g,%.6f\n", []string{"red", "blue"}[i%2], size, math.Exp(1+size+float64(i%2)))
	}
	o := data.Options{Regression: true, Log: true, Duplicate: data.Accept}
	m := Learn(Must(o.Open(file("learned.csv", learned.String()))), study.WithSplits(nil)).Model
	Save("prices", m)
	test := file("test.csv", fmt.Sprintf("price,note,size,colour\n%.6f,x,0.55,blue\n%.6f,y,1.25,red\n", math.Exp(2.55), math.Exp(2.25)))
	var s model.Score
	if _, status := record(t, func() { s = ScoreFile(LoadModel("prices"), test) }); status != -1 || s.N != 2 || !(s.RMSE < 0.5) || !(s.R2 > 0.9) {
		t.Errorf("status %d, %v, want small errors of two prices, 12.8 and 9.49", status, s)
	}
	// Control: with the prices of the two rows exchanged the score is bad.
	other := file("other.csv", fmt.Sprintf("price,size,colour\n%.6f,0.55,blue\n%.6f,1.25,red\n", math.Exp(2.25), math.Exp(2.55)))
	if s := ScoreFile(m, other); s.R2 > 0 {
		t.Errorf("exchanged: %v", s)
	}
	memory := *m
	memory.Input = nil
	for what, bad := range map[string]func(){
		"no model":       func() { ScoreFile(nil, test) },
		"not of a file":  func() { ScoreFile(&memory, test) },
		"without labels": func() { ScoreFile(m, file("points.csv", "size,colour\n1,red\n")) },
	} {
		if _, status := record(t, bad); status != 1 {
			t.Errorf("%s: status %d, want 1", what, status)
		}
	}
}

// TestWriteTable: a study is a line for each method and split, with its numbers whole, a table that is shown its cells.
func TestWriteTable(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "t.csv")
	table := &study.Table{Data: "d", Splits: 2, Classes: []string{"no", "yes"}, Rows: []study.Row{{Method: "uniform, all", Runs: []study.Run{
		{Split: 0, Score: model.Score{RMSE: 1. / 3, Accuracy: 0.75}, Constant: "λ", Value: 0.1, Label: "Λ=2", Gap: 1e-7, Seconds: 0.5},
		{Split: 1, Score: model.Score{RMSE: 2, Accuracy: math.NaN()}, Constant: "λ", Value: 1},
	}}}}
	read := func() []string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(string(b), "\n"), "\n")
	}
	Write(path, table)
	lines := read()
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "method,split,RMSE,accuracy,") || !strings.HasPrefix(lines[1], `"uniform, all",1,0.3333333333333333,0.75,`) ||
		!strings.Contains(lines[1], "Λ=2") || !strings.HasPrefix(lines[2], `"uniform, all",2,2,,`) {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	if columns := strings.Count(lines[0], ","); strings.Count(lines[2], ",") != columns+1 { // one in quotes
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	f := viz.Table("t", "c", []string{"what", "value"}, []any{"third", 1. / 3}, []any{"best", viz.Strong(viz.Spread(0.5, 0.25, 2))})
	Write(path, f)
	if got := read(); !slices.Equal(got, []string{"what,value", "third,0.3333333333333333", "best,0.50 ± 0.25"}) {
		t.Errorf("%q", got)
	}
	Write(path, table.Figure())
	if got := read(); len(got) != 2 || !strings.HasPrefix(got[1], `"uniform, all"`) || strings.Contains(got[1], "*") {
		t.Errorf("%q", got)
	}
	curve := viz.Lines("a", "b", viz.Line{Name: "x", XYs: viz.Pairs{{1, 2}, {3, 4}}})
	for what, bad := range map[string]func(){
		"a curve":      func() { Write(path, curve) },
		"npy":          func() { Write(filepath.Join(dir, "t.npy"), table) },
		"no table":     func() { Write(path, (*study.Table)(nil)) },
		"empty table":  func() { Write(path, &study.Table{}) },
		"empty figure": func() { Write(path, viz.Figure{}) },
	} {
		if _, status := record(t, bad); status != 1 {
			t.Errorf("%s: status %d, want 1", what, status)
		}
	}
}
