package mklnb

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
)

// TestJunk calls what a cell can call with what makes no sense: each ends with status 1 and one line,
// never with a stack.
func TestJunk(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	d := data.Rings(40, 7)
	halves := Must(study.Halves(d.Y, 2, 1))
	problem := func(f kernel.Family) *mkl.Problem {
		return &mkl.Problem{Grams: f.On(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: d.Y}
	}
	huge := *d
	huge.Y, huge.Classes = make([]float64, d.Len()), nil
	for i := range huge.Y {
		huge.Y[i] = float64(i) * 1e200
	}
	for name, c := range map[string]struct {
		call func()
		want string
	}{
		"nil option":       {func() { Learn(d, study.WithSeed(1), nil) }, "option 2 of 2 is nil"},
		"empty Learned":    {func() { Show(&study.Learned{}) }, "empty study.Learned"},
		"empty Learned 2":  {func() { Show(study.Learned{}) }, "empty study.Learned"},
		"empty dataset":    {func() { Show(data.Dataset{Name: "d"}) }, "d has no points"},
		"weights × matrix": {func() { Show(&mkl.Result{Theta: []float64{1, 2}, Rows: 3, Cols: 2}) }, "2 weights for a matrix of 3 × 2"},
		"First":            {func() { Show(Must(d.First(-1))) }, "the first -1 features, want 1 to 2"},
		"Slice":            {func() { Show(Must(d.Slice([]int{3, 999}))) }, "is 999, want 0 to 39"},
		"Columns":          {func() { Show(Must(d.Columns(-1))) }, "is -1, want 0 to 1"},
		"kernel's columns": {func() { Solve(problem(kernel.List{kernel.Linear{Columns: []int{-1}}}), nil, nil) }, "-1"},
		"learned columns": {func() {
			Learn(d, study.WithSplits(halves), study.WithFamily(kernel.List{kernel.RBF{Gamma: 1, Columns: []int{7}}}))
		}, "7"},
		"no problem":        {func() { Solve(nil, nil, nil) }, ""},
		"no rule":           {func() { Weigh(problem(kernel.List{kernel.Linear{}}), nil) }, "no rule"},
		"no model":          {func() { Save("x", nil) }, ""},
		"empty model":       {func() { Save("x", &model.Model{}) }, ""},
		"no function":       {func() { Cached[int]("x", nil, nil) }, "no function to call"},
		"no reader":         {func() { Must(data.Options{Format: data.CSV}.Read(nil)) }, "nothing to read from"},
		"squares overflow":  {func() { Learn(&huge, study.WithLambda(1)) }, "scale the targets"},
		"splits":            {func() { Learn(d, study.WithSplits([]study.Split{{Train: []int{999}, Test: []int{-1}}})) }, "split"},
		"grid":              {func() { Learn(d, study.WithSplits(halves), study.WithLambda(study.HalfDecades(0, math.Inf(1))...)) }, "NaN"},
		"a file for Load":   {func() { Load("my.csv") }, `nb.Open("my.csv")`},
		"no file":           {func() { Open("none.csv") }, "none.csv: cannot open"},
		"sizes of nothing":  {func() { Must(study.KFold(nil, 3, 1)) }, "folds"},
		"a feature of none": {func() { Must((&data.Dataset{Name: "d"}).Select("a")) }, `d has no feature "a"`},
	} {
		text, status := stderr(t, func() int {
			_, status := record(t, c.call)
			return status
		})
		if status != 1 || strings.Count(text, "\n") != 1 || !strings.Contains(text, c.want) {
			t.Errorf("%s ended with %d and %q, want 1 and a line with %q", name, status, text, c.want)
		}
	}
	// What is not there is said where it is shown.
	table := &study.Table{Data: "d", Baseline: "uniform", Rows: []study.Row{{Method: "uniform"}}}
	r, status := record(t, func() {
		Show(table.Compare("lernd", "", study.Accuracy), table.Summary("uniform", "acuracy"), &model.Model{}, study.Table{Data: "d"})
	})
	if status != -1 || len(r.shown) != 4 || !strings.Contains(r.shown[0].text, `no method "lernd", there are "uniform"`) || !strings.Contains(r.shown[1].text, `no metric "acuracy"`) {
		t.Errorf("ended with %d, shown %v", status, r.shown)
	}
}

// stderr returns what f writes there.
func stderr(t *testing.T, f func() int) (text string, status int) {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	old := os.Stderr
	defer func() { os.Stderr = old }()
	os.Stderr = file
	status = f()
	b, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(b), status
}
