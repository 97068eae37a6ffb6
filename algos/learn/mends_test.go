package learn

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// TestLearnFewGroups: few large groups are learned from, with as many folds as there are groups to train on;
// probabilities take the same folds.
func TestLearnFewGroups(t *testing.T) {
	d := comparetest.OverlappingClasses(120, 2, 1)
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
		opts := []Option{WithFamily(features), WithSelectionPoints(40)}
		folds := "4-fold"
		if g == 4 {
			opts, folds = append(opts, WithFolds(3)), "3-fold"
		}
		l := learn(t, d, opts...)
		if s := strings.Join(l.Table.Notes, " "); !strings.Contains(s, folds) || l.Model.Sigmoids == nil {
			t.Errorf("%d groups: no %s in\n%s", g, folds, s)
		}
	}
	says(t, failure(Learn(context.Background(), d, WithFamily(features), WithFolds(5))), "5 folds (WithFolds)")
}

// TestWorkersFit: the workers are as many as have room, and one at least.
func TestWorkersFit(t *testing.T) {
	const task = (8*3 + 32) * 100 * 100 // bytes for three kernels of 100 points
	for workers, want := range map[int]int{1: 1, 2: 2, 3: 3, 8: 3} {
		x := points.Rows{N: 100, D: 1, Data: make([]float64, 100)}
		s, l := &compare.Study{Data: &data.Dataset{X: x, Y: make([]float64, 100)}, Workers: workers,
			Methods: []compare.Method{{Name: LearnedName, Family: gaussians}}}, &Learned{}
		if l.limitWorkers(s, 3.5*task); s.Workers != want || (len(l.Warnings) > 0) != (workers > 3) {
			t.Errorf("%d workers: %d fit, warnings %q", workers, s.Workers, l.Warnings)
		}
	}
}
