package learn

import (
	"errors"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
)

// TestRulesOfAbsentClass: rules choose weights without a class that a training part does not have.
func TestRulesOfAbsentClass(t *testing.T) {
	d := comparetest.OverlappingClasses(41, 2, 1)
	d.Classes = append(slices.Clone(d.Classes), "rare")
	for i := range d.Y {
		d.Y[i] = (d.Y[i] + 1) / 2
	}
	d.Y[40] = 2
	l := must(Learn(t.Context(), d, WithRules(mkl.AlignF{}, mkl.EasyMKL{}), WithLoss(fit.Losses(loss.Hinge{}, 1)),
		WithSplits(must(fit.Holdout(d.Y, 0.25, 2, 1)))))
	for _, name := range []string{"ALIGNF", "EasyMKL"} {
		if len(l.Table.Row(name).Runs) != 2 {
			t.Errorf("%s: %+v", name, l.Table.Row(name))
		}
	}
}

// TestRules: rules are compared by name and can be selected; a rule for classes refuses numbers.
func TestRules(t *testing.T) {
	d := ring(80)
	names := []string{"ALIGNF", "EasyMKL"}
	l := must(Learn(t.Context(), d, WithRules(mkl.AlignF{}, mkl.EasyMKL{}), WithLambda(0.1)))
	for _, name := range names {
		if !slices.ContainsFunc(l.Tried, func(c fit.Tried) bool { return c.Method == name }) ||
			len(l.Table.Row(name).Runs) == 0 {
			t.Errorf("%s is not compared: %+v", name, l.Tried)
		}
	}
	selected := must(Learn(t.Context(), d, WithRules(mkl.EasyMKL{}), WithMethod("EasyMKL"), WithSplits(nil)))
	if selected.Method != "EasyMKL" || selected.Result.Status != mkl.EvaluatedOnly || selected.Model.Sigmoids == nil {
		t.Errorf("selected: %s, %v", selected.Method, selected.Result)
	}
	numbers := prices(40)
	_, err := Learn(t.Context(), numbers, WithRules(mkl.EasyMKL{}), WithSplits(nil))
	if !errors.Is(err, mkl.ErrUnsuited) {
		t.Errorf("EasyMKL of numbers: %v", err)
	}
	if _, err := NewPlan(d, WithRules(nil)); err == nil {
		t.Error("a nil rule is accepted")
	}
}
