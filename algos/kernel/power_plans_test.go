package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// TestPowers compares base matrices with exp(−γt) of the same t, in doubled precision as far as p·ε needs it, and asks
// for the same bits if a kernel is computed again alone. Whole ratios leave one exponential.
func TestPowers(t *testing.T) {
	const n, d = 150, 5
	r := rand.New(rand.NewPCG(5, 6))
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	copy(x.Row(7), x.Row(90)) // a distance of 0
	for _, c := range []struct {
		exponentials int
		gammas       []float64
	}{
		{1, []float64{1. / 19, 0.3 / 19, 0.1 / 19, 10. / 19, 3. / 19}}, {4, []float64{1, math.Sqrt2, math.Pi, math.E}},
		{1, []float64{0.8, 0.1, 0.8, 0.1}}, {2, []float64{0.3, 0.6, math.Pi, 2 * math.Pi, 4 * math.Pi}},
	} {
		for _, absolute := range []bool{false, true} {
			var list List
			for _, g := range c.gammas {
				if absolute {
					list = append(list, Laplacian{Gamma: g / 3})
				} else {
					list = append(list, RBF{Gamma: g / 3})
				}
			}
			made := &entryComputer{kernels: list, x: x}
			s := &tileScratch{Scratch: design.Scratch{Threads: 1}}
			q := made.kernelGroups()[0]
			count := 0
			for _, m := range q.kernelPlans {
				if len(m.successivePowers) == 0 {
					count++
				}
			}
			if count != c.exponentials {
				t.Errorf("%v: %d exponentials, want %d", list, count, c.exponentials)
			}
			distances := make([]float64, n*n)
			made.fillTile(&q, distances, 0, n, 0, n, &s.Scratch)
			b := &baseMatrices{entryComputer: entryComputer{kernels: list, x: x}}
			for k, a := range b.packedMatrices(1) {
				lo, hi := bandRows, 2*bandRows
				made.visitKernelsOfTile(lo, hi, lo, n, func(l int) bool { return l == k }, s, func(_ int,
					tile []float64) {
					rows := packBand(make([]float64, packedOffset(n, hi)-packedOffset(n, lo)), tile, n, lo, hi)
					if !slices.Equal(rows, a[packedOffset(n, lo):packedOffset(n, hi)]) {
						t.Errorf("%v: other bits if kernel %d is computed alone", list, k)
					}
				})
				gamma, p := c.gammas[k]/3, made.exponents[k]
				worst := 0.0
				for i := range n {
					for j := i; j < n; j++ {
						x := gamma * distances[i*n+j]
						want := math.Exp(-x)
						want -= want * math.FMA(gamma, distances[i*n+j], -x) // what the product lost
						worst = max(worst, math.Abs(a[packedIndex(n, i, j)]-want))
					}
				}
				if !(worst <= float64(2*p+2)*linalg.Epsilon) {
					t.Errorf("%v: kernel %d, a power %d, is off by %.3gε", list, k, p, worst/linalg.Epsilon)
				}
			}
		}
	}
}
