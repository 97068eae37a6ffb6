package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/design"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// widths are lists of γ: whole ratios, none, the same twice, and the ten of SimpleMKL's experiments.
func widths() map[string][]float64 {
	simple := []float64{}
	for _, s := range []float64{0.5, 1, 2, 5, 7, 10, 12, 15, 17, 20} {
		simple = append(simple, 1/(2*s*s))
	}
	var twos []float64
	for e := -5; e < 10; e++ {
		twos = append(twos, math.Ldexp(0.3, e))
	}
	return map[string][]float64{
		"decades":       {1. / 19, 0.3 / 19, 0.1 / 19, 10. / 19, 3. / 19},
		"powers of two": twos, "SimpleMKL": simple, "no ratios": {1, math.Sqrt2, math.Pi, math.E},
		"twice": {0.8, 0.1, 0.8, 0.1}, "one": {2}, "two, doubled": {0.3, 0.6, math.Pi, 2 * math.Pi, 4 * math.Pi},
	}
}

// TestPowers compares base matrices with exp(−γt) of the same t, in doubled precision as far as p·ε needs it, and
// asks for the same bits whatever else is made, stored or not. Whole ratios leave one exponential.
func TestPowers(t *testing.T) {
	exponentialsOf := map[string]int{"decades": 1, "powers of two": 2, "no ratios": 4, "twice": 1, "one": 1,
		"two, doubled": 2}
	const n, d = 150, 5
	r := rand.New(rand.NewPCG(5, 6))
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	copy(x.Row(7), x.Row(90)) // a distance of 0
	for name, gammas := range widths() {
		for _, absolute := range []bool{false, true} {
			var list List
			for _, g := range gammas {
				if absolute {
					list = append(list, Laplacian{Gamma: g / 3})
				} else {
					list = append(list, RBF{Gamma: g / 3})
				}
			}
			what := fmt.Sprintf("%s, absolute %v", name, absolute)
			made := &recomputer{kernels: list, x: x}
			s := &tileScratch{Scratch: design.Scratch{On: 1}}
			q := made.quantityGroups()[0]
			count := 0
			for _, m := range q.plans {
				if len(m.powers) == 0 {
					count++
				}
			}
			if want, ok := exponentialsOf[name]; ok && count != want {
				t.Errorf("%s: %d exponentials, want %d", what, count, want)
			}
			distances := make([]float64, n*n)
			made.fillTile(&q, distances, 0, n, 0, n, &s.Scratch)
			b := &baseMatrices{recomputer: recomputer{kernels: list, x: x}}
			for k, a := range b.matrices(1) {
				for lo, step := 0, bandRows; lo < n; lo += step {
					hi := min(n, lo+step)
					visits := 0
					for _, others := range []func(l int) bool{anyKernel, func(int) bool { return false },
						func(l int) bool { return l == 1 }} { // of "two, doubled" the double of another
						made.visitTile(lo, hi, lo, n, func(l int) bool { return others(l) || l == k }, s,
							func(l int, tile []float64) {
								if l != k {
									return
								}
								visits++
								rows := packBand(make([]float64, tri(n, hi)-tri(n, lo)), tile, n, lo, hi)
								if !slices.Equal(rows, a[tri(n, lo):tri(n, hi)]) {
									t.Fatalf("%s: rows %d to %d of kernel %d have other bits where they are made "+
										"again", what, lo, hi-1, k)
								}
							})
					}
					if visits != 3 {
						t.Fatalf("%s: kernel %d is visited %d times", what, k, visits)
					}
				}
				gamma, p := gammas[k]/3, made.exponents[k]
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
					t.Errorf("%s: kernel %d, a power %d, is off by %.3gε", what, k, p, worst/linalg.Epsilon)
				}
			}
		}
	}
}
