package kernel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
)

// TestGaussiansSupport: where most dual coefficients and most weights are 0, K and its gradient are those
// of the definition.
func TestGaussiansSupport(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	const n, m = 60, 20
	x := kernel.Rows{N: n, D: m, Data: make([]float64, n*m)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	g := kernel.Gaussians{}.On(x).New()
	for _, every := range []int{1, 2, 5, 59} {
		theta, w := make([]float64, m), make([]float64, n)
		for k := 0; k < m; k += every {
			theta[k] = r.Float64()
		}
		for i := 0; i < n; i += every {
			w[i] = r.NormFloat64()
		}
		g.At(theta)
		k, want, dst := g.K(), make([]float64, m), make([]float64, m)
		for i := range n {
			for j := range n {
				d := 0.0
				for f := range m {
					e := x.Row(i)[f] - x.Row(j)[f]
					d += theta[f] * e * e
				}
				v := math.Exp(-d)
				if math.Abs(k.At(i, j)-v) > 1e-13 {
					t.Fatalf("K_%d%d = %.15g, want %.15g", i, j, k.At(i, j), v)
				}
				for f := range m {
					e := x.Row(i)[f] - x.Row(j)[f]
					want[f] -= w[i] * w[j] * v * e * e
				}
			}
		}
		g.Gradient(dst, w)
		for f := range m {
			if math.Abs(dst[f]-want[f]) > 1e-11*(1+math.Abs(want[f])) {
				t.Errorf("every %d: derivative %d is %.15g, want %.15g", every, f, dst[f], want[f])
			}
		}
	}
}
