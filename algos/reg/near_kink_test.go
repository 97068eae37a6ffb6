package reg_test

import (
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/reg"
)

// TestProxSlope: what Prox of L1 gives as a subgradient is one, also where the step is below the rounding of x.
func TestProxSlope(t *testing.T) {
	dst, grad := make([]float64, 1), make([]float64, 1)
	for _, targets := range [][][]float64{{{1e6}}, {{1e6}, {1e6}, {1e6 + 1}}, {{1e6}, {1e6 - 1}}} {
		r := reg.DistancePenalty{Rho: 0.3, Distance: reg.L1, Targets: targets}
		for x := 1e6; x < 1e6*(1+1e-14); x = math.Nextafter(x, math.Inf(1)) {
			for _, s := range []float64{1e-8, 1e-10, 1e-11, 1e-12} {
				r.Prox(dst, grad, []float64{x}, s)
				low, high := 0.0, 0.0
				for _, v := range targets {
					switch {
					case dst[0] > v[0]:
						low, high = low+1, high+1
					case dst[0] < v[0]:
						low, high = low-1, high-1
					default:
						low, high = low-1, high+1
					}
				}
				if g := grad[0] / r.Rho; g < low-1e-12 || g > high+1e-12 {
					t.Errorf("%v, x − %.17g = %.3g, t = %g: slope %gρ at %.17g, want %g to %g", targets, targets[0][0],
						x-targets[0][0], s, g, dst[0], low, high)
				}
			}
		}
	}
}
