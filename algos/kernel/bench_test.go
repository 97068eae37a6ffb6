package kernel_test

import (
	"fmt"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
)

// BenchmarkFeatures is one value and gradient. n = 900, m = 3600 is the bigram task of Cortes et
// al., NKRR, section 5: 25 s an iteration there.
func BenchmarkFeatures(b *testing.B) {
	for _, c := range []struct{ n, m, d int }{{200, 60, 1}, {200, 60, 2}, {650, 9, 2}, {900, 3600, 1}, {900, 3600, 2}, {900, 100, 3}} {
		x := dense(c.n, c.m, 1)
		s := kernel.Sparse{D: c.m, Ptr: []int{0}} // 2 % of the entries
		for i := range c.n {
			for j := i * 7 % 50; j < c.m; j += 50 {
				s.Col, s.Val = append(s.Col, j), append(s.Val, x.Row(i)[j])
			}
			s.Ptr = append(s.Ptr, len(s.Col))
		}
		for name, p := range map[string]kernel.Points{"dense": x, "sparse": s} {
			b.Run(fmt.Sprintf("%s/n=%d/m=%d/d=%d", name, c.n, c.m, c.d), func(b *testing.B) {
				g := kernel.Features{Degree: c.d}.On(p).New()
				run(b, g, c.m, c.n)
			})
		}
	}
}

func run(b *testing.B, g kernel.Gram, m, n int) {
	theta, w, grad := make([]float64, m), make([]float64, n), make([]float64, m)
	for k := range theta {
		theta[k] = 1
	}
	for b.Loop() {
		for i := range w {
			w[i] += float64(i%7) - 3 // G of the last w is kept
		}
		g.At(theta)
		if r, ok := g.(kernel.Compact); !ok || r.Root() == nil {
			g.K()
		}
		g.Gradient(grad, w)
	}
}

// BenchmarkSum is one value and gradient of ten RBF kernels.
func BenchmarkSum(b *testing.B) {
	for _, n := range []int{200, 1000} {
		for d := 1; d <= 2; d++ {
			b.Run(fmt.Sprintf("n=%d/m=10/d=%d", n, d), func(b *testing.B) {
				var l kernel.List
				for k := range 10 {
					l = append(l, kernel.RBF{Gamma: float64(k + 1)})
				}
				g := kernel.Sum{Kernels: l, Degree: d, Centre: true}.On(dense(n, 20, 1)).New()
				run(b, g, 10, n)
			})
		}
	}
}

// BenchmarkOn binds, fits and computes the base matrices of ten RBF kernels; BenchmarkSlice takes
// half of the points.
func BenchmarkOn(b *testing.B) {
	l := kernel.List{}
	for k := range 10 {
		l = append(l, kernel.RBF{Gamma: float64(k + 1)})
	}
	for _, n := range []int{200, 1000} {
		x := dense(n, 20, 1)
		theta := make([]float64, 10)
		f := kernel.Sum{Kernels: l, Centre: true}
		b.Run(fmt.Sprintf("On/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				f.On(x).New().At(theta)
			}
		})
		b.Run(fmt.Sprintf("Slice/n=%d", n), func(b *testing.B) {
			g := f.On(x)
			g.New().At(theta)
			rows := make([]int, n/2)
			for i := range rows {
				rows[i] = 2 * i
			}
			for b.Loop() {
				g.Slice(rows).New().At(theta)
			}
		})
	}
}
