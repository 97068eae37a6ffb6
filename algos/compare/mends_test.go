package compare

import (
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/points"
)

// TestSeedsOfSplits: what a split finds, folds and landmarks included, does not depend on its place among others: in
// another order, or alone, it is all kept already and the same. Of another seed nothing is.
func TestSeedsOfSplits(t *testing.T) {
	d := comparetest.NoisySine(120, 1)
	splits := must(fit.Holdout(d.Y, 0.25, 3, 1))
	s := &Study{Data: d,
		Settings: fit.Settings{Landmarks: 20, Seed: 7, Selection: fit.Selection{Folds: 3}},
		Splits:   splits, StoreFolder: t.TempDir(), Methods: []fit.Method{{Name: "m",
			Fitter: fit.Search{Family: gaussians,
				Grid: fit.Grid{fit.Ridge(0.01, 0.1, 1)}}}}}
	first := run1(t, s).Rows[0].Runs
	for _, order := range [][]int{{2, 0, 1}, {1}} {
		s.Splits = points.Pick(splits, order)
		again := must(s.Run(t.Context(), func(p Progress) {
			if p.Stored != p.Done {
				t.Errorf("splits %v: %s is computed again", order, p.TaskName)
			}
		}))
		for i, r := range again.Rows[0].Runs {
			want := first[order[i]]
			if r.Value != want.Value || r.Score.RMSE != want.Score.RMSE || !slices.Equal(r.Theta, want.Theta) {
				t.Errorf("split %d at place %d: %v, at its own place %v", order[i]+1, i+1, r, want)
			}
		}
	}
	s.Seed = 8
	other := must(s.Run(t.Context(), func(p Progress) {
		if p.Stored != 0 {
			t.Errorf("of another seed %s is kept", p.TaskName)
		}
	}))
	if slices.Equal(other.Rows[0].Runs[0].Theta, first[1].Theta) {
		t.Error("another seed draws the same landmarks")
	}
	// What is drawn inside a training part knows nothing of the points tested on.
	a, b := fit.Split{Train: []int{0, 1, 2}, Test: []int{3, 4}}, fit.Split{Train: []int{0, 1, 2}, Test: []int{3}}
	if c := (fit.Split{Train: []int{0, 1, 5}, Test: a.Test}); a.Seed(1) != b.Seed(1) || a.Seed(1) == c.Seed(1) {
		t.Error("of the same points to train on the seed is another, or of others the same")
	}
}
