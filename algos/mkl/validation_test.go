package mkl_test

import (
	"context"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/mkl"
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
