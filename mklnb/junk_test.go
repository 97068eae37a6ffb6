package mklnb

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

type panics struct{}

func (panics) String() string { panic("no text") }

// TestJunk calls what a cell can call with what makes no sense: each ends with status 1 and one line,
// never with a stack.
func TestJunk(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	t.Chdir(t.TempDir())
	d := data.Rings(40, 7)
	halves := Must(compare.Halves(d.Y, 2, 1))
	problem := func(f kernel.Family) *mkl.Problem {
		return &mkl.Problem{Grams: f.On(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: d.Y}
	}
	linear := problem(kernel.List{kernel.Linear{}})
	short, zero, holed, huge := *linear, *linear, *linear, *d
	short.Y, zero.Loss = d.Y[1:], loss.Squared{}
	hole := data.Rings(40, 7).X.(points.Rows)
	hole.Data[3] = math.NaN()
	holed.Grams = kernel.List{kernel.Linear{}}.On(hole)
	huge.Y, huge.Classes = make([]float64, d.Len()), nil
	for i := range huge.Y {
		huge.Y[i] = float64(i) * 1e200
	}
	options := func(o ...learn.Option) func() { return func() { Learn(d, append(o, learn.WithSplits(halves))...) } }
	shown := func(x any) func() { return func() { Show(x) } }
	unfinished := &compare.Table{Rows: []compare.Row{{Method: "a", Runs: make([]compare.Run, 2)}}}
	for name, c := range map[string]struct {
		call func()
		want string
	}{
		"an unknown name":     {func() { Load("sonr") }, `"sonr"`},
		"a file that is none": {func() { Load("parkinsons") }, "parkinsons"},
		"a file for Load":     {func() { Load("my.csv") }, `nb.Open("my.csv")`},
		"a path for Load":     {func() { Load("./sonar") }, `nb.Open("./sonar")`},
		"no file":             {func() { Open("none.csv") }, "none.csv: cannot open"},
		"no reader":           {func() { Must(data.Options{Format: data.CSV}.Read(nil)) }, "the reader is nil"},
		"First": {func() { Show(Must(d.FirstFeatures(-1))) },
			"the number of first features is -1, not between 1 and 2"},
		"Slice": {func() { Show(Must(d.Slice([]int{3, 999}))) },
			"row 999 (entry 2 of the rows) is not between 0 and 39"},
		"Columns": {func() { Show(Must(d.Columns(-1))) },
			"feature -1 (entry 1 of the indices) is not between 0 and 1"},
		"a feature of none": {func() { Must((&data.Dataset{Name: "d"}).Select("a")) }, `d has no feature "a"`},
		"sizes of nothing":  {func() { Must(compare.KFold(nil, 3, 1)) }, "folds"},

		"nothing to split": {func() { Split(nil, 0.25, 1) }, "want a dataset with labels"},
		"no labels to split": {func() { Split(&data.Dataset{Name: "none", X: d.X}, 0.5, 1) },
			"want a dataset with labels"},
		"more than all": {func() { Split(d, 1.5, 1) }, "1.5"},
		"Grams to split": {func() {
			Split(&data.Dataset{Name: "grams", X: d.X, Y: d.Y, Kernels: kernel.List{kernel.Linear{}}}, 0.5, 1)
		}, "known by matrices alone"},

		"nil option":      {options(learn.WithSeed(1), nil), "option 2 of 3 is nil"},
		"learned columns": {options(learn.WithFamily(kernel.List{kernel.RBF{Gamma: 1, Columns: []int{7}}})), "7"},
		"grid":            {options(learn.WithLambda(compare.HalfDecades(0, math.Inf(1))...)), "NaN"},
		"splits": {func() { Learn(d, learn.WithSplits([]compare.Split{{Train: []int{999}, Test: []int{-1}}})) },
			"split"},
		"overflow":        {func() { Learn(&huge, learn.WithLambda(1)) }, "scale the targets"},
		"nothing learned": {func() { Learn(nil) }, "no data"},
		"no study":        {func() { Run(nil) }, "no study"},
		"no splits": {func() {
			Run(&compare.Study{Data: d,
				Methods: []compare.Method{{Family: kernel.List{kernel.Linear{}}}}})
		}, "split"},

		"no problem":       {func() { Solve(nil, nil, nil) }, ""},
		"λ of 0":           {func() { Solve(&zero, nil, nil) }, "λ"},
		"unequal lengths":  {func() { Solve(&short, nil, nil) }, "39"},
		"NaN":              {func() { Solve(&holed, nil, nil) }, "row 2"},
		"kernel's columns": {func() { Solve(problem(kernel.List{kernel.Linear{Columns: []int{-1}}}), nil, nil) }, "-1"},
		"no steps":         {func() { Steps(&short, nil, 1)(func(*mkl.Iterate) bool { return true }) }, "39"},
		"no rule":          {func() { Weigh(linear, nil) }, "the rule is nil"},

		"no model":        {func() { Save("x", nil) }, ""},
		"none saved":      {func() { LoadModel("nothing") }, `no model was saved as "nothing"; none is saved yet (nb.Save)`},
		"a path for one":  {func() { LoadModel("../nothing") }, "separator"},
		"no model scored": {func() { Score(nil, d) }, "pass a model and a dataset"},
		"no file scored":  {func() { ScoreFile(nil, "x.csv") }, "no model"},

		"nil":              {shown(nil), "nil"},
		"a nil result":     {shown((*mkl.Result)(nil)), "a nil *mkl.Result"},
		"an empty Learned": {shown(&learn.Learned{}), "the learn.Learned is empty"},
		"an empty dataset": {shown(&data.Dataset{Name: "d"}), "d has no points"},
		"a figure":         {shown(viz.Lines("title", "")), "caption"},
		"no scores":        {shown(unfinished), "a *compare.Table"},
		"a String panics":  {shown(panics{}), "a mklnb.panics that cannot be shown: no text"},
	} {
		refused(t, name, c.want, c.call)
	}
}
