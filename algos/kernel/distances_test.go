package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
)

// TestDistancesOfFarClusters is issue 10, line 6: within a cluster far from the other, ‖x‖² + ‖z‖² − 2⟨x,z⟩
// has no digit left, and k(0.1, 0.4) was 0.9105.
func TestDistancesOfFarClusters(t *testing.T) {
	x := kernel.NewRows([][]float64{{0.1}, {0.4}, {1e7 + 0.1}, {1e7 + 0.4}})
	for _, p := range []kernel.Points{x, thin(x)} {
		for _, k := range []kernel.Kernel{kernel.RBF{Gamma: 1}, kernel.Laplacian{Gamma: 1}} {
			g := kernel.List{k}.On(p)
			gram := g.New()
			gram.At([]float64{1})
			cross := mat.NewDense(4, 4, nil)
			g.Cross(p).Gram(cross, []float64{1})
			for i := range 4 {
				for j := range 4 {
					d := math.Abs(x.Data[i] - x.Data[j]) // what the stored numbers differ by
					want := math.Exp(-d)
					if _, ok := k.(kernel.RBF); ok {
						want = math.Exp(-d * d)
					}
					for what, got := range map[string]float64{"K": gram.K().At(i, j), "Cross": cross.At(i, j)} {
						// on the diagonal of K, the shift that makes it positive semidefinite
						if math.Abs(got-want) > 1e-13 {
							t.Errorf("%v of %T: %s(%g, %g) = %.17g, want %.17g", k, p, what, x.Data[i], x.Data[j], got, want)
						}
					}
				}
			}
		}
	}
}

// TestTwoFarClustersArePSD: two clusters 1e8 apart had an eigenvalue −1.06.
func TestTwoFarClustersArePSD(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const n, d = 40, 3
	x := kernel.Rows{N: n, D: d}
	for i := range n {
		for range d {
			x.Data = append(x.Data, r.NormFloat64()+1e8*float64(i%2))
		}
	}
	for _, p := range []kernel.Points{x, thin(x)} {
		k := kernel.List{kernel.RBF{Gamma: 0.5}}.On(p).New()
		k.At([]float64{1})
		if values, _ := linalg.Eigen(k.K(), false); values[0] < -1e-12 {
			t.Errorf("%T: the least eigenvalue of an RBF kernel is %g", p, values[0])
		}
	}
}

// TestDistancesByTheDifferences: at every scale and offset the kernel is that of the differences, to
// the digits that the stored points have.
func TestDistancesByTheDifferences(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, offset := range []float64{0, 1, 1e4, 1e9} {
		for _, scale := range []float64{1e-3, 1, 1e5} {
			x := kernel.Rows{N: 30, D: 4}
			for range x.N * x.D {
				x.Data = append(x.Data, offset+scale*r.NormFloat64())
			}
			copy(x.Row(1), x.Row(0))
			for _, p := range []kernel.Points{x, thin(x)} {
				t.Run(fmt.Sprintf("offset %g, scale %g, %T", offset, scale, p), func(t *testing.T) {
					gamma := 1 / (scale * scale)
					k := kernel.List{kernel.RBF{Gamma: gamma}}.On(p).New()
					k.At([]float64{1})
					for i := range x.N {
						for j := range x.N {
							d := 0.0
							for c, v := range x.Row(i) {
								d += (v - x.Row(j)[c]) * (v - x.Row(j)[c])
							}
							if got, want := k.K().At(i, j), math.Exp(-gamma*d); math.Abs(got-want) > 1e-11 {
								t.Fatalf("k(x%d, x%d) = %.15g, want %.15g", i+1, j+1, got, want)
							}
						}
					}
				})
			}
		}
	}
}
