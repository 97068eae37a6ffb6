package loss

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBias tests that the bias has the smallest risk, also with equal kinks and very different weights. If an interval
// of biases has this risk, the bias is its middle.
func TestBias(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	for trial := range 100 {
		n := 3 + r.IntN(60)
		q := newBoxQP(n)
		q.y, q.f = make([]float64, n), make([]float64, n)
		if trial%3 == 0 {
			q.epsilon = 0.1
		}
		for i := range n {
			q.y[i], q.f[i] = float64(1-2*(i%2)), math.Round(4*r.NormFloat64())/4
			c := math.Pow(10, float64(trial%2)*(12*r.Float64()-6))
			q.hi[i], q.lo[i] = max(0, c*q.y[i]), min(0, c*q.y[i])
			if q.epsilon > 0 {
				q.hi[i], q.lo[i] = c, -c
			}
		}
		risk := func(b float64) (sum float64) {
			for i, f := range q.f {
				sum += q.riskAt(i, q.y[i]-f-b)
			}
			return sum
		}
		b, least := q.optimalBias(), math.Inf(1)
		first, last := math.Inf(1), math.Inf(-1) // the kinks with the smallest risk
		for i, f := range q.f {
			for _, e := range []float64{-q.epsilon, q.epsilon} {
				at := q.y[i] - f + e
				switch v := risk(at); {
				case v < least*(1-1e-12):
					first, last, least = at, at, v
				case v <= least*(1+1e-12):
					first, last, least = min(first, at), max(last, at), min(least, v)
				}
			}
		}
		if risk(b) > least*(1+1e-11) || trial%2 == 0 && math.Abs(b-(first+last)/2) > 1e-12 {
			t.Fatalf("trial %d: the bias is %g, want the middle of %g and %g; risk %.17g, want %.17g", trial, b, first,
				last, risk(b), least)
		}
		q.release()
	}
}
