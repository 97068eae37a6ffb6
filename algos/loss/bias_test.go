package loss

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestBiasOfMany: no kink pays less than the bias, whatever ties and weights there are, and where a whole
// interval pays as little the bias is its middle.
func TestBiasOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 1))
	for trial := range 300 {
		n := 33 + r.IntN(300)
		q := newBox(n)
		q.y, q.f = make([]float64, n), make([]float64, n)
		if trial%3 == 0 {
			q.eps = 0.1
		}
		for i := range n {
			q.f[i] = r.NormFloat64()
			if trial%2 == 0 {
				q.f[i] = math.Round(4*q.f[i]) / 4
			}
			c := 1.0
			if trial%5 == 0 {
				c = math.Pow(10, 12*r.Float64()-6)
			}
			q.y[i] = 1
			q.hi[i], q.lo[i] = c, 0
			if r.IntN(3) > 0 {
				q.y[i], q.hi[i], q.lo[i] = -1, 0, -c
			}
			if q.eps > 0 {
				q.hi[i], q.lo[i] = c, -c
			}
		}
		pays := func(b float64) (sum float64) {
			for i, f := range q.f {
				sum += q.risk(i, q.y[i]-f-b)
			}
			return sum
		}
		b := q.bias()
		got, least := pays(b), math.Inf(1)
		for i, f := range q.f {
			for _, e := range []float64{-q.eps, q.eps} {
				least = min(least, pays(q.y[i]-f+e))
			}
		}
		if got > least*(1+1e-11) {
			t.Fatalf("trial %d: the bias %g pays %.17g, a kink %.17g", trial, b, got, least)
		}
		if trial%5 == 0 {
			continue
		}
		first, last := math.Inf(1), math.Inf(-1) // of equal weights, the kinks that pay as little
		for i, f := range q.f {
			for _, e := range []float64{-q.eps, q.eps} {
				if at := q.y[i] - f + e; pays(at) <= least*(1+1e-12) {
					first, last = min(first, at), max(last, at)
				}
			}
		}
		if math.Abs(b-(first+last)/2) > 1e-12 {
			t.Fatalf("trial %d: the bias is %g, want the middle of %g and %g", trial, b, first, last)
		}
		q.release()
	}
}
