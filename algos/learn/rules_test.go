package learn

import (
	"errors"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/mkl"
)

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
