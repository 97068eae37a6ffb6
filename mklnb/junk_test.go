package mklnb

import (
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/viz"
)

type panics struct{}

func (panics) String() string { panic("no text") }

// TestJunk calls what a cell can call with what makes no sense: each ends with status 1 and one line,
// never with a stack.
func TestJunk(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	t.Setenv("MKL_MODELS", t.TempDir())
	t.Chdir(t.TempDir())
	d := datasets.Rings(40, 7)
	halves := Must(fit.Halves(d.Y, 2, 1))
	problem := func(f kernel.Family) *mkl.Problem {
		return &mkl.Problem{Grams: f.Bind(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: d.Y}
	}
	linear := problem(kernel.List{kernel.Linear{}})
	zero := *linear
	zero.Loss = loss.Squared{}
	options := func(o ...learn.Option) func() { return func() { Learn(d, append(o, learn.WithSplits(halves))...) } }
	shown := func(x any) func() { return func() { Show(x) } }
	unfinished := &compare.Table{Rows: []compare.Row{{Method: "a", Runs: make([]compare.Run, 2)}}}
	for name, c := range map[string]struct {
		call func()
		want string
	}{
		"an unknown name": {func() { Load("sonr") }, `"sonr"`},
		"a file for Load": {func() { Load("my.csv") }, `nb.Open("my.csv")`},
		"no file":         {func() { Open("none.csv") }, "none.csv: cannot open"},
		"First": {func() { Show(Must(d.FirstFeatures(-1))) },
			"no feature selected; pass at least one of 2 features"},

		"nothing to split": {func() { Split(nil, 0.25, 1) }, "the dataset is nil or has no labels"},
		"a join with Grams to split": {func() {
			Split(&data.Dataset{Name: "grams", X: d.X, Y: d.Y, Kernels: kernel.List{kernel.Linear{}}}, 0.5, 1)
		}, "joins matrices with other sources"},

		"nil option":      {options(learn.WithSeed(1), nil), "option 2 of 3 is nil"},
		"learned columns": {options(learn.WithFamily(kernel.List{kernel.RBF{Gamma: 1, Columns: []int{7}}})), "7"},
		"nothing learned": {func() { Learn(nil) }, "the dataset is nil"},

		"no problem": {func() { Solve(nil, nil, nil) }, ""},
		"λ of 0":     {func() { Solve(&zero, nil, nil) }, "λ"},
		"no rule":    {func() { EvaluateRule(linear, nil) }, "the rule is nil"},

		"no model": {func() { Save("x", nil) }, ""},
		"none saved": {func() { LoadModel("nothing") },
			`no model was saved as "nothing"; no model is saved yet: use nb.Save`},
		"no model scored": {func() { Score(nil, d) }, "pass a model and a dataset"},
		"no file scored":  {func() { ScoreFile(nil, "x.csv") }, "the model is nil"},

		"nil":              {shown(nil), "nil"},
		"a nil result":     {shown((*mkl.Result)(nil)), "the *mkl.Result is nil"},
		"an empty Learned": {shown(&learn.Learned{}), "the learn.Learned is empty"},
		"an empty dataset": {shown(&data.Dataset{Name: "d"}), "d has no points"},
		"a figure":         {shown(viz.Lines("title", "")), "caption"},
		"no scores":        {shown(unfinished), "a *compare.Table"},
		"a String panics":  {shown(panics{}), "a mklnb.panics cannot be shown: no text"},
	} {
		refused(t, name, c.want, c.call)
	}
}
