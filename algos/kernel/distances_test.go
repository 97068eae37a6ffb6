package kernel_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// TestDistances: at every scale and offset, and in two clusters far apart, where ‖x‖² + ‖z‖² − 2⟨x,z⟩ has no digit left
// within a cluster (issue 10, line 6), K and Cross are those of the differences of the stored points; K has no
// eigenvalue below rounding.
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
