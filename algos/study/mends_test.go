package study

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// TestSeedsOfSplits: what a split finds, folds and landmarks included, does not depend on its place among others: in
// another order, or alone, it is all kept already and the same. Of another seed nothing is.
func TestSeedsOfSplits(t *testing.T) {
	d := wave(120, 1)
	splits := must(Holdout(d.Y, 0.25, 3, 1))
	s := &Study{Data: d, Splits: splits, Landmarks: 20, Seed: 7, Store: t.TempDir(), CentreTargets: true,
		Selection: Selection{Folds: 3}, Methods: []Method{{Name: "m", Family: gaussians,
			Grid: Grid{Ridge(0.01, 0.1, 1)}}}}
	first := run1(t, s).Rows[0].Runs
	for _, order := range [][]int{{2, 0, 1}, {1}} {
		s.Splits = at(splits, order)
		again := must(s.Run(t.Context(), func(p Progress) {
			if p.Stored != p.Done {
				t.Errorf("splits %v: %s is computed again", order, p.Task)
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
			t.Errorf("of another seed %s is kept", p.Task)
		}
	}))
	if slices.Equal(other.Rows[0].Runs[0].Theta, first[1].Theta) {
		t.Error("another seed draws the same landmarks")
	}
	// What is drawn inside a training part knows nothing of the points tested on.
	a, b := Split{Train: []int{0, 1, 2}, Test: []int{3, 4}}, Split{Train: []int{0, 1, 2}, Test: []int{3}}
	if c := (Split{Train: []int{0, 1, 5}, Test: a.Test}); a.seed(1) != b.seed(1) || a.seed(1) == c.seed(1) {
		t.Error("of the same points to train on the seed is another, or of others the same")
	}
}

// ownFamily is a family of one's own.
type ownFamily struct{ kernel.Family }

// TestOwnFamily: a family of one's own is not stored and says so.
func TestOwnFamily(t *testing.T) {
	l := learn(t, wave(40, 1), WithFamily(ownFamily{gaussians}), WithSplits(nil), WithStore(t.TempDir()))
	says(t, l.String(), "store: not every result is kept for the next time: method \"uniform\" cannot be stored")
}

// TestKindsOfKernels: kernels of one shape are of one kind, whatever the features that they see are called.
func TestKindsOfKernels(t *testing.T) {
	d := wave(40, 1)
	x := d.X.(points.Rows)
	x.Names = []string{"age", "height (cm)"}
	d.X = x
	list := kernel.List{kernel.Linear{Columns: []int{0}}, kernel.RBF{Gamma: 1, Columns: []int{0}},
		kernel.RBF{Gamma: 1, Columns: []int{1}}}
	s := learn(t, d, WithFamily(kernel.Sum{Kernels: list}), WithSplits(nil), WithMethod(LearnedName)).WeightShares()
	if !strings.Contains(s, "uniform 67 %") || strings.Contains(s, " of age") {
		t.Error(s)
	}
}

// TestScaleOfViews: kernels are said to have mean diagonal 1 where they have it.
func TestScaleOfViews(t *testing.T) {
	d := wave(40, 1)
	d.Views = []data.View{{Name: "a", Features: []int{0}}, {Name: "b", Features: []int{1}}}
	for want, n := range map[string]bool{"mean diagonal 1": true, "own scales": false} {
		f := kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1, Columns: []int{0}}, kernel.Linear{Columns: []int{1}}}}
		if n {
			f.Normalize = kernel.MeanDiagonal
		}
		says(t, learn(t, d, WithFamily(f), WithSplits(nil)).WeightShares(), want)
	}
}

// TestDrawWithin: the sample has so many points, of every group, and of each its share.
func TestDrawWithin(t *testing.T) {
	for seed := range uint64(20) {
		group, y := people(1000, 7, 3, seed)
		group[3] = "alone"
		s := drawWithin(y, group, 100, seed)
		if len(s) != 100 || len(slices.Compact(slices.Clone(s))) != 100 || !slices.IsSorted(s) {
			t.Fatalf("not 100 points, ascending: %v", s)
		}
		count, all := map[string]float64{}, map[string]float64{}
		for _, i := range s {
			count[group[i]]++
		}
		for _, g := range group {
			all[g]++
		}
		for g, n := range all {
			if c := count[g]; c < 1 || math.Abs(c-n/10) > 3 {
				t.Errorf("%s has %g of %g points in the sample", g, c, n)
			}
		}
	}
	group, y := people(50, 40, 3, 1) // more groups than room
	if s := drawWithin(y, group, 10, 1); len(s) != 10 {
		t.Errorf("%d points", len(s))
	}
}

// TestLearnFewGroups: few large groups are learned from, with as many folds as there are groups to train on;
// probabilities take the same folds.
func TestLearnFewGroups(t *testing.T) {
	d := clouds(120, 2, 1)
	for _, g := range []int{4, 6} {
		d.Group = nil
		for i := range d.Y {
			d.Group = append(d.Group, strconv.Itoa(i%g))
		}
		if g == 4 {
			for i := range d.Group {
				d.Group[i] = strconv.Itoa(min(i/2%20, 3)) // three small ones
			}
		}
		opts := []Option{WithFamily(features), WithPoints(40)}
		folds := "4-fold"
		if g == 4 {
			opts, folds = append(opts, WithFolds(3), WithProbabilities()), "3-fold"
		}
		l := learn(t, d, opts...)
		if s := l.String(); !strings.Contains(s, folds) || (l.Model.Sigmoids != nil) != (g == 4) {
			t.Errorf("%d groups: no %s in\n%s", g, folds, s)
		}
	}
	says(t, failure(Learn(context.Background(), d, WithFamily(features), WithFolds(5))), "5 folds (WithFolds)")
}

// TestWorkersFit: the workers are as many as have room, and one at least.
func TestWorkersFit(t *testing.T) {
	per := 8.*2 + 32
	fits := func(bytes float64, workers int) (int, error, int) {
		defer kernel.SetMemory(kernel.SetMemory(int64(bytes)))
		o, l := &options{workers: workers}, &Learned{}
		err := o.fits(100, 2, l)
		return o.workers, err, len(l.Defaults)
	}
	for workers, want := range map[int]int{1: 1, 2: 2, 3: 3, 8: 3} {
		if got, err, notes := fits(3.5*per*100*100, workers); err != nil || got != want ||
			(notes > 0) != (workers > 3) {
			t.Errorf("%d workers: %d fit, %v, %d notes", workers, got, err, notes)
		}
	}
	if got, err, notes := fits(per*99*99, 2); err != nil || got != 1 || notes != 2 {
		t.Errorf("no room for one with all base matrices: %d workers, %v, %d notes", got, err, notes)
	}
	if _, err, _ := fits(32*99*99, 1); err == nil {
		t.Error("one worker without room is accepted")
	}
}
