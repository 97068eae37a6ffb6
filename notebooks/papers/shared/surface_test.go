package shared_test

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/notebooks/papers/nkrr"
	"github.com/mklnb/mkl/notebooks/papers/shared"
)

// TestSurface compares F at a corner, and the Hessian in t with differences of F.
func TestSurface(t *testing.T) {
	p, err := nkrr.Figure1Problem(10)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []float64{1, 2} {
		grid := []float64{0.498, 0.499, 0.5, 0.501, 1}
		s, err := shared.NewSurface(p, q, grid)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.ValueAtOnes()-20.15) > 0.005 {
			t.Errorf("F is %g at (1, 1), expected 20.15", s.ValueAtOnes())
		}
		second := func(a, b int) float64 { return (s.F[1+a][1+b] - 2*s.F[1][1] + s.F[1-a][1-b]) / 1e-6 }
		trace := second(0, 1) + second(1, 0)
		cross := (second(1, 1) - trace) / 2
		if got := s.Smallest[1][1] + s.Largest[1][1]; math.Abs(got-trace) > 1e-3 {
			t.Errorf("q = %g: the trace of the Hessian is %g, by differences %g", q, got, trace)
		}
		det := second(0, 1)*second(1, 0) - cross*cross
		if got := s.Smallest[1][1] * s.Largest[1][1]; math.Abs(got-det) > 1e-3 {
			t.Errorf("q = %g: the determinant of the Hessian is %g, by differences %g", q, got, det)
		}
	}
}
