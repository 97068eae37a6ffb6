package algos_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// TestIterations solves the quadratic and linear problems of whole real datasets (features centred,
// y = ±1) with SPG to a certified relative gap of 1e-6. The bound on the steps of a 2-norm problem is
// what an independent implementation in numpy took to a first-order gap of the same size, plus
// two. These have a global certificate; the 1-norm problems of degree 2 cannot.
func TestIterations(t *testing.T) {
	for _, c := range []struct {
		data   string
		d      int
		q      float64
		lambda float64
		centre float64 // μ₀; Λ = 2 about 1, Λ = 1 about 0
		most   int
		global bool
	}{
		{"sonar", 1, 2, 0.1, 1, 4 + 2, true},
		{"sonar", 1, 2, 0.1, 0, 7 + 2, true},
		{"sonar", 1, 2, 10, 1, 3 + 2, true},
		{"sonar", 2, 2, 0.1, 1, 3 + 2, true},
		{"sonar", 2, 2, 10, 1, 3 + 2, true},
		{"ionosphere", 1, 2, 0.1, 0, 5 + 2, true},
		{"ionosphere", 1, 2, 10, 0, 6 + 2, true},
		{"ionosphere", 2, 2, 0.1, 0, 4 + 2, true},
		{"sonar", 1, 1, 0.1, 0, 100, true},
		{"sonar", 2, 1, 0.1, 0, 70, false},
		{"ionosphere", 2, 1, 0.1, 1, 12, false},
	} {
		t.Run(fmt.Sprintf("%s d=%d l%g λ=%g μ0=%g", c.data, c.d, c.q, c.lambda, c.centre), func(t *testing.T) {
			d, err := data.Load(c.data)
			if err != nil {
				t.Fatal(err)
			}
			g := kernel.Features{Degree: c.d, Prepare: kernel.Prepare{kernel.CentreColumns}}.On(d.X)
			m, _ := g.Dims()
			ball := set.Ball{Q: c.q, Radius: 1 + c.centre, Center: make([]float64, m)}
			for k := range ball.Center {
				ball.Center[k] = c.centre
			}
			p := &mkl.Problem{Grams: g, Set: ball, Loss: loss.Squared{Lambda: c.lambda}, Y: d.Y}
			r, err := mkl.Solve(context.Background(), p, mkl.SPG{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			steps := len(r.Trace) - 1
			t.Logf("%d steps (at most %d), %d evaluations: %v", steps, c.most, r.Trace[steps].Evals, r)
			if steps > c.most {
				t.Errorf("%d steps, want at most %d", steps, c.most)
			}
			if c.global && (r.Status != mkl.Certified || r.Kind != mkl.Global || r.RelativeGap() > 1e-6) {
				t.Errorf("%v, want a global certificate with a relative gap of 1e-6", r)
			}
			if !c.global && (r.Status != mkl.Stationary || r.Kind != mkl.FirstOrder) {
				t.Errorf("%v, want a stationary point and no claim of more", r)
			}
		})
	}
}
