package learn

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/internal/memory"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
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
	says(t, testenv.ErrorText(Learn(context.Background(), d, WithFamily(features), WithFolds(5))),
		"5 folds (WithFolds)")
}

// studyOfPoints returns a study of the learned method with the loss l and three kernels on 100 points.
func studyOfPoints(l loss.Tunable, workers int) *compare.Study {
	x := points.Rows{N: 100, D: 1, Data: make([]float64, 100)}
	return &compare.Study{Data: &data.Dataset{X: x, Y: make([]float64, 100)}, Workers: workers,
		Methods: []fit.Method{{Name: LearnedName, Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Losses(l,
			1)}}}}}
}

// TestWorkersFit: the workers are as many as have room, and one at least.
func TestWorkersFit(t *testing.T) {
	s := studyOfPoints(loss.Squared{}, 1)
	taskBytes := mkl.FitSize(gaussians.Bind(s.Data.X), loss.Squared{}).Bytes()
	for workers, want := range map[int]int{1: 1, 2: 2, 3: 3, 8: 3} {
		s, l := studyOfPoints(loss.Squared{}, workers), &Learned{}
		err := l.limitWorkers(s, 4*3.5*taskBytes)
		if err != nil || s.Workers != want || (len(l.Warnings) > 0) != (workers > 3) {
			t.Errorf("%d workers: %d fit, warnings %q, %v", workers, s.Workers, l.Warnings, err)
		}
	}
}

// TestTooLittleMemory: a task that needs more memory than there is ends before it starts. As many landmarks or points
// as the error names fit.
func TestTooLittleMemory(t *testing.T) {
	for _, l := range []loss.Tunable{loss.Squared{}, loss.Hinge{}, loss.Pinball{Tau: 0.5}} {
		for _, landmarks := range []int{0, 90} {
			s := studyOfPoints(l, 1)
			fit := mkl.FitSize(gaussians.Bind(s.Data.X), l)
			_, isSquared := l.(loss.Squared)
			if s.Landmarks = landmarks; landmarks > 0 && !isSquared {
				continue // landmarks need the squared loss
			}
			fit.Points = 80
			availableBytes := fit.Bytes()
			var shortage *memory.ShortageError
			err := new(Learned).limitWorkers(s, availableBytes)
			if !errors.As(err, &shortage) || shortage.MaxPoints(availableBytes) != 80 ||
				!strings.Contains(err.Error(), " 80 ") || strings.Contains(err.Error(), "WithLandmarks") != isSquared {
				t.Errorf("%v, %d landmarks: %v", l, landmarks, err)
			}
			if isSquared {
				s.Landmarks = 80
			} else if s.Data, err = s.Data.Slice(points.AllIndices(80)); err != nil {
				t.Fatal(err)
			}
			if err := new(Learned).limitWorkers(s, availableBytes); err != nil {
				t.Errorf("%v, as the error advises: %v", l, err)
			}
		}
	}
}
