package compare

import (
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/model"
)

// multiclassMethods returns a method for each way to learn classes.
func multiclassMethods(f kernel.Family) []fit.Method {
	hinge := fit.Losses(loss.Hinge{}, 0.1, 1, 10)
	return []fit.Method{
		{Name: "ridge", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.01, 0.1, 1)}}},
		{Name: "svm", Fitter: fit.Search{Family: f, Grid: fit.Grid{hinge}, Solver: mkl.SPG{AllowNonsmooth: true}}},
		{Name: "svm uniform", Fitter: fit.Search{Family: f, Grid: fit.Grid{hinge, fit.Rules(mkl.Uniform{})}}},
		{Name: "uniform", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.01, 0.1, 1),
			fit.Rules(mkl.Uniform{})}}},
	}
}

// TestThreeClasses tests that every method separates three classes, and that halves have equal counts of each class.
func TestThreeClasses(t *testing.T) {
	d := comparetest.ClassClusters(3, 20, 4, 2, 3)
	s := &Study{Data: d,
		Settings: fit.Settings{Selection: fit.Selection{Folds: 4, By: model.ErrorRate}},
		Splits:   must(fit.Halves(d.Y, 3, 1)), Methods: multiclassMethods(gaussians)}
	for _, split := range s.Splits {
		for _, part := range [][]int{split.Train, split.Test} {
			if n := must(d.Slice(part)).ClassCounts(); slices.Min(n) != 10 {
				t.Errorf("a part of a half has %v points of the classes, want 10 each", n)
			}
		}
	}
	table := run1(t, s)
	for _, r := range table.Rows {
		a := table.Summary(r.Method, model.Accuracy).Mean
		for _, m := range []model.Metric{model.Accuracy, model.Balanced, model.F1, model.AUC} {
			if v := table.Summary(r.Method, m).Mean; a < 0.9 || !(v >= a-0.1 && v <= 1) {
				t.Errorf("%s: %s %v beside an accuracy of %v, want 0.9 at least", r.Method, m, v, a)
			}
		}
	}
}

// oneValue is m with the second value of its path alone, solved to a small gap.
func oneValue(m fit.Method) fit.Method {
	s := m.Search()
	p := s.Grid[0].(fit.Path)
	p.Values = p.Values[1:2]
	s.Grid, s.Gap = append(fit.Grid{p}, s.Grid[1:]...), 1e-8
	return fit.Method{Name: m.Name, Fitter: s}
}

// TestAbsentClass tests that a class without training points is never predicted, and that the only class of a training
// part always is.
func TestAbsentClass(t *testing.T) {
	d := comparetest.ClassClusters(3, 12, 4, 2, 5)
	var s fit.Split
	for i, y := range d.Y {
		if y == 1 || i > 24 {
			s.Test = append(s.Test, i)
		} else {
			s.Train = append(s.Train, i)
		}
	}
	for _, m := range multiclassMethods(gaussians) {
		q := &Study{Data: d,
			Splits: []fit.Split{s}, Methods: []fit.Method{oneValue(m)}}
		c := run1(t, q).Rows[0].Runs[0].Score.Confusion
		if c[0][1]+c[1][1]+c[2][1] != 0 || c[0][0] < 3 || c[2][2] < 3 {
			t.Errorf("%s: decisions %v, want none for the class that was absent, and the others right", m.Name, c)
		}
		q.Splits = []fit.Split{{Train: []int{0, 3, 6, 9}, Test: []int{1, 2, 4}}}
		if c := run1(t, q).Rows[0].Runs[0].Score.Confusion; c[1][0] != 2 || c[2][0] != 1 {
			t.Errorf("%s: one class alone: decisions %v, want that class", m.Name, c)
		}
	}
}
