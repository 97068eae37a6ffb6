package mkl_test

import (
	"context"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestValidationCertified: a Result that a Validation chose is certified where the gap at its θ is the one asked for,
// not where that at a better θ is.
func TestValidationCertified(t *testing.T) {
	certified := 0
	onePoint(t, func(name string, p *mkl.Problem, s mkl.Solver) {
		for _, gap := range []float64{0.1, 3e-2, 1e-2, 1e-3, 1e-4} {
			last := &mkl.Validation{Score: func(it *mkl.Iterate) float64 { return -float64(it.K) }}
			r, err := mkl.Solve(context.Background(), p, s, &mkl.Settings{Gap: gap, Iterations: 60, Validation: last})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if r.Status == mkl.Certified {
				certified++
				if !(r.Gap() <= gap*math.Abs(r.Upper)) {
					t.Errorf("%s: %v, want %g", name, r, gap)
				}
			}
		}
	})
	if certified < 20 {
		t.Errorf("%d runs certified: the test has no cases", certified)
	}
}

// TestHoldOut: the result is the iterate that scores best, as its model does on the points left out, under a block norm
// with the weights of the blocks; the run ends Patience steps after it.
func TestHoldOut(t *testing.T) {
	s, y := noisy(24, 0.3, 3)
	u, _ := noisy(24, 1, 43)
	for name, c := range map[string]struct {
		p *mkl.Problem
		s mkl.Solver
	}{
		"Gaussians": {pkl(90, 6, 10, 3), mkl.LBFGS{}},
		"blocks":    {several(y, 1, 0.02, 24, reg.L3, s, u), mkl.SPG{Force: true}},
	} {
		_, n := c.p.Grams.Dims()
		var rows, train []int
		for i := range n {
			if i%3 == 0 {
				rows = append(rows, i)
			} else {
				train = append(train, i)
			}
		}
		q, v, err := c.p.HoldOut(rows)
		if err != nil {
			t.Fatal(err)
		}
		v.Patience = 4
		var scores []float64
		score := v.Score
		v.Score = func(it *mkl.Iterate) float64 {
			scores = append(scores, score(it))
			return scores[len(scores)-1]
		}
		r, err := mkl.Solve(t.Context(), q, c.s, &mkl.Settings{Gap: 1e-9, Validation: v})
		if err != nil {
			t.Fatal(err)
		}
		at := floats.MinIdx(scores)
		if len(scores) != len(r.Trace) || len(scores) != at+5 || r.Status != mkl.Stopped || r.Status.Err() == nil {
			t.Errorf("%s: scores %v: %d steps, %v; want the best and 4 more", name, scores, len(r.Trace)-1, r.Status)
		}
		k, wrong := mat.NewDense(len(rows), len(train), nil), 0.0
		c.p.Grams.Block(rows, train).Gram(k, r.Kernel)
		for i, row := range rows {
			if (floats.Dot(k.RawRowView(i), r.W)+r.Bias)*c.p.Y[row] <= 0 {
				wrong++
			}
		}
		if got := wrong / float64(len(rows)); got != scores[at] || math.Abs(r.F-r.Trace[at].F) > 1e-5*r.F {
			t.Errorf("%s: the result has errors %g and F = %g, the best iterate %g and %g", name, got, r.F, scores[at],
				r.Trace[at].F)
		}
		for _, bad := range [][]int{nil, {n}, {1, 1}, {-1}} {
			if _, _, err := c.p.HoldOut(bad); err == nil {
				t.Errorf("%s: rows %v are held out", name, bad)
			}
		}
		if _, err := mkl.Solve(t.Context(), q, c.s, &mkl.Settings{Validation: &mkl.Validation{}}); err == nil {
			t.Errorf("%s: a validation without a score is taken", name)
		}
	}
}
