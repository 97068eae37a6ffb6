package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// TestFactors compares gradients by factors with doubled precision on the stored matrices: of kernels of one
// feature most are of low rank, and each error is within what GradientErrorBound says. The Gaussians of eight
// features have none.
func TestFactors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const n, d = 80, 8
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	var kernels List
	for j := range d {
		for _, width := range []float64{0.5, 1, 2, 5, 7, 10, 12, 15, 17, 20} {
			kernels = append(kernels, RBF{Gamma: 1 / (2 * width * width), Columns: []int{j}})
		}
		kernels = append(kernels, RBF{Gamma: 1 / float64(j+1)}, Polynomial{Degree: 3, Offset: 1, Columns: []int{j}})
	}
	rows := make([]int, 70)
	for i := range rows {
		rows[i] = (3 * i) % n
	}
	for name, f := range map[string]Sum{
		"list":       {Kernels: kernels},
		"normalized": {Kernels: kernels, Normalize: MeanDiagonal},
		"centered":   {Kernels: kernels, Center: true, Normalize: Cosine},
	} {
		for _, g := range []*sumGrams{f.Bind(x).(*sumGrams), f.Bind(x).(*sumGrams).slice(rows)} {
			m := len(f.Kernels)
			gram := g.New().(*sumGram)
			gram.SetTheta(slices.Repeat([]float64{1}, m))
			low := g.lowRankFactors(linalg.ThreadLimit(1))
			if low == nil {
				t.Fatalf("%s: no factors", name)
			}
			if have := m - len(low.unfactoredKernels); have == 0 || have == m {
				t.Errorf("%s: %d of %d have factors", name, have, m)
			}
			got, exact, bound := make([]float64, m), make([]float64, m), make([]float64, m)
			for range 5 {
				w := make([]float64, g.x.Len())
				for i := range w {
					w[i] = r.NormFloat64()
				}
				gram.Gradient(got, w)
				gram.EvaluateInDoubledPrecision(make([]float64, len(w)), exact, w)
				gram.GradientErrorBound(bound, w)
				other := append([]float64{}, w...)
				again := make([]float64, m)
				gram.BilinearGradient(again, other, w)
				for k := range got {
					if !(math.Abs(got[k]-exact[k]) <= bound[k]) || !(math.Abs(again[k]-exact[k]) <= bound[k]) {
						t.Errorf("%s: %s: %g and %g, exactly %g, within %.2g", name, g.Label(k), got[k], again[k],
							exact[k], bound[k])
					}
				}
			}
		}
	}
}
