package kernel_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
)

func TestGaussians(t *testing.T) {
	for _, size := range [][2]int{{24, 2}, {9, 7}, {8, 11}, {150, 5}} {
		x := dense(size[0], size[1], 3)
		for i := range x.Data { // the exponents are of order 1, where differences see the derivatives
			x.Data[i] /= 2
		}
		for i, p := range preparations {
			t.Run(fmt.Sprintf("n=%d,m=%d,%d", size[0], size[1], i), func(t *testing.T) {
				for _, x := range kinds(p, x) {
					kerneltest.TestFamily(t, kernel.Gaussians{Prepare: p}, x)
				}
			})
		}
	}
}

// TestGaussiansProduct: K(θ) and its derivatives are those of the product of RBF kernels of single
// columns, also far from the origin and between points that nearly coincide, where digits cancel.
func TestGaussiansProduct(t *testing.T) {
	const n, m = 12, 3
	for name, move := range map[string]func(i, k int) float64{
		"as they are":   func(i, k int) float64 { return 0 },
		"far away":      func(i, k int) float64 { return 1e6 },
		"near clusters": func(i, k int) float64 { return float64(i%2) * 1e5 },
	} {
		x := dense(n, m, 4)
		for i := range n {
			for k := range m {
				x.Row(i)[k] += move(i, k)
			}
		}
		theta, w, spread := []float64{0.7, 0, 1.3}, make([]float64, n), 0.0
		if name == "near clusters" {
			spread = 1e5 * 1e5 * n
		}
		want := mat.NewDense(n, n, nil)
		for i := range n {
			w[i] = math.Sin(float64(i + 1))
			for j := range n {
				want.Set(i, j, 1)
			}
		}
		one := mat.NewDense(n, n, nil)
		for k, g := range theta {
			if g == 0 {
				continue
			}
			kernel.RBF{Gamma: g, Columns: []int{k}}.Cross(one, x, x)
			want.MulElem(want, one)
		}
		g := kernel.Gaussians{}.On(x).New()
		g.At(theta)
		grad := make([]float64, m)
		g.Gradient(grad, w)
		for i := range n {
			for j := range n {
				if d := math.Abs(g.K().At(i, j) - want.At(i, j)); d > 1e-9 {
					t.Errorf("%s: K[%d,%d] is off by %g", name, i, j, d)
				}
			}
		}
		for k := range m {
			d := 0.0
			for i := range n {
				for j := range n {
					e := x.Row(i)[k] - x.Row(j)[k]
					d -= w[i] * w[j] * want.At(i, j) * e * e
				}
			}
			// r_ix_ik² and x_kᵀMx_k, of the size of the features' squares, are subtracted
			if e := math.Abs(grad[k] - d); e > spread*1e-14+1e-9 {
				t.Errorf("%s: gradient[%d] = %.12g, want %.12g", name, k, grad[k], d)
			}
		}
	}
}
