package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

func TestGaussians(t *testing.T) {
	for _, size := range [][2]int{{24, 2}, {9, 7}, {8, 11}, {150, 5}} {
		x := dense(size[0], size[1], 3)
		for i := range x.Data { // the exponents are of order 1, where differences see the derivatives
			x.Data[i] /= 2
		}
		for i, p := range preparations {
			t.Run(fmt.Sprintf("n=%d,m=%d,%d", size[0], size[1], i), func(t *testing.T) {
				kerneltest.TestFamily(t, kernel.Gaussians{Prepare: p}, x)
			})
		}
	}
}

// TestGaussiansByTheDefinition tests that K(θ) and its derivatives are those of the products of Gaussians, far from the
// origin and between points that nearly coincide, where digits cancel, and with many θ_k and w_i of 0, which take no
// part.
func TestGaussiansByTheDefinition(t *testing.T) {
	for _, c := range []struct {
		what        string
		n, m, every int                 // all but every so many θ_k and w_i are 0
		move        func(i int) float64 // added to each feature of point i
		k, gradient float64             // the largest error
	}{
		{"as they are", 12, 3, 1, func(int) float64 { return 0 }, 1e-13, 1e-11},
		{"far away", 12, 3, 1, func(int) float64 { return 1e6 }, 1e-9, 1e-9},
		// of the gradient, numbers of the size of the features' squares are subtracted
		{"near clusters", 12, 3, 1, func(i int) float64 { return float64(i%2) * 1e5 }, 1e-9, 1.3e-3},
		{"a few", 60, 50, 5, func(int) float64 { return 0 }, 1e-13, 1e-11},
	} {
		x := dense(c.n, c.m, 4)
		theta, w := make([]float64, c.m), make([]float64, c.n)
		for k := 0; k < c.m; k += c.every {
			theta[k] = (1 + math.Sin(float64(k))) / float64(c.m)
		}
		for i := range c.n {
			for k := range x.Row(i) {
				x.Row(i)[k] += c.move(i)
			}
			if i%c.every == 0 {
				w[i] = math.Sin(float64(i + 1))
			}
		}
		g := kernel.Gaussians{}.Bind(x).New()
		g.SetTheta(theta)
		grad, want := make([]float64, c.m), make([]float64, c.m)
		g.Gradient(grad, w)
		worst := 0.0
		for i := range c.n {
			for j := range c.n {
				d := 0.0
				for k, t := range theta {
					e := x.Row(i)[k] - x.Row(j)[k]
					d += t * e * e
				}
				worst = max(worst, math.Abs(g.K().At(i, j)-math.Exp(-d)))
				for k := range want {
					e := x.Row(i)[k] - x.Row(j)[k]
					want[k] -= w[i] * w[j] * math.Exp(-d) * e * e
				}
			}
		}
		if !(worst <= c.k) {
			t.Errorf("%s: K is off by %g", c.what, worst)
		}
		for k, v := range want {
			if !(math.Abs(grad[k]-v) <= c.gradient*(1+math.Abs(v))) {
				t.Errorf("%s: gradient[%d] = %.12g, want %.12g", c.what, k, grad[k], v)
			}
		}
	}
}

// TestDistances tests that at every scale and offset, and in two clusters far apart, where ‖x‖² + ‖z‖² − 2⟨x,z⟩ has no
// digit left within a cluster (issue 10, line 6), K and Cross are those of the differences of the stored points; K has
// no eigenvalue below rounding.
func TestDistances(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, c := range []struct{ offset, apart, scale float64 }{
		{0, 0, 1e-3}, {0, 0, 1}, {0, 0, 1e5}, {1, 0, 1e-3}, {1e4, 0, 1}, {1e6, 0, 1}, {1e9, 0, 1e-3}, {1e9, 0, 1e5},
		{0, 1e7, 0.3}, {0, 1e8, 1},
	} {
		x := points.Rows{N: 30, D: 3}
		for i := range x.N {
			for range x.D {
				x.Data = append(x.Data, c.offset+c.apart*float64(i%2)+c.scale*r.NormFloat64())
			}
		}
		copy(x.Row(2), x.Row(0))
		square, absolute := 1/(c.scale*c.scale), 1/c.scale
		list := kernel.List{kernel.RBF{Gamma: square}, kernel.Laplacian{Gamma: absolute}}
		for _, p := range []points.Points{x, thin(x)} {
			for k, theta := range [][]float64{{1, 0}, {0, 1}} {
				what := fmt.Sprintf("%+v, %T, %v", c, p, list[k])
				g := list.Bind(p)
				gram, cross := g.New(), mat.NewDense(x.N, x.N, nil)
				gram.SetTheta(theta)
				g.Cross(p).StoreMatrix(cross, theta)
				worst := 0.0
				for i := range x.N {
					for j := range x.N {
						d := 0.0
						for f, v := range x.Row(i) {
							if e := math.Abs(v - x.Row(j)[f]); k == 0 {
								d += square * e * e
							} else {
								d += absolute * e
							}
						}
						want := math.Exp(-d)
						worst = max(worst, math.Abs(gram.K().At(i, j)-want), math.Abs(cross.At(i, j)-want))
					}
				}
				if !(worst <= 1e-11) {
					t.Errorf("%s: off by %g", what, worst)
				}
				if values, _ := linalg.ThreadLimit(0).Eigen(gram.K().Dense(), false); values[0] < -1e-12 {
					t.Errorf("%s: the least eigenvalue is %g", what, values[0])
				}
			}
		}
	}
}
