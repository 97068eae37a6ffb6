package polynomial

import (
	"math"
	"testing"
)

// TestTerms checks the terms of degree 3 in 4 variables: their sum is (Σ_k θ_kx_k)³, and the derivatives agree with
// differences.
func TestTerms(t *testing.T) {
	p := New(4, 3)
	if p.Len() != 20 || TermCount(4, 3, 20) != 20 || TermCount(4, 3, 19) != 20 || TermCount(40, 3, 19) != 20 {
		t.Errorf("%d terms, counted as %d, %d and %d", p.Len(),
			TermCount(4, 3, 20), TermCount(4, 3, 19), TermCount(40, 3, 19))
	}
	theta, x, u := []float64{0.5, 1, 0, 2}, []float64{1, -2, 3, 0.5}, []float64{1, 0.3, -0.7, 0.2}
	values := make([]float64, p.Len())
	p.Evaluate(values, x)
	sum := func(theta []float64) (s float64) {
		for e, v := range values {
			s += v * p.TermWithoutFactors(e, -1, -1, theta)
		}
		return s
	}
	if got := sum(theta); math.Abs(got+0.125) > 1e-14 { // (0.5 − 2 + 0 + 1)³
		t.Errorf("the sum is %g, want −0.125", got)
	}
	const h = 1e-4
	moved := func(h float64) []float64 {
		v := make([]float64, 4)
		for k := range v {
			v[k] = theta[k] + h*u[k]
		}
		return v
	}
	gradient, product, slope := make([]float64, 4), make([]float64, 4), 0.0
	for e, v := range values {
		p.AddGradient(gradient, e, theta, v)
		p.AddHessianProduct(product, e, theta, u, v)
		slope += v * p.DirectionalDerivative(e, theta, u)
	}
	along, curvature := 0.0, 0.0
	for k := range u {
		along += gradient[k] * u[k]
		curvature += product[k] * u[k]
	}
	first := (sum(moved(h)) - sum(moved(-h))) / (2 * h)
	second := (sum(moved(h)) - 2*sum(theta) + sum(moved(-h))) / (h * h)
	if math.Abs(along-first) > 1e-6 || math.Abs(slope-first) > 1e-6 || math.Abs(curvature-second) > 1e-6 {
		t.Errorf("derivatives %g, %g and %g, want %g, %g and %g", along, slope, curvature, first, first, second)
	}
}
