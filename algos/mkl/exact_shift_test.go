package mkl_test

import (
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// TestShiftedSquares: base matrices that miss being positive semidefinite, degree 2, starts at which
// the tangent of hidden convexity is steep: no lower bound is above an F that is known exactly, and no
// certificate is of less than what is left.
func TestShiftedSquares(t *testing.T) {
	y := []float64{1, 2, -1, -2}
	n, yy := 4, 10.0
	for _, neg := range []float64{0.7e-10, 1e-13, 3e-15, 0} {
		k1, ones := make([]float64, n*n), make([]float64, n*n)
		for i := range n {
			for j := range n {
				ones[i*n+j] = 1
				k1[i*n+j] = -y[i]*y[j]/yy - neg*y[i]*y[j]/yy
				if i == j {
					k1[i*n+j] += 1
				}
			}
		}
		lambda := 1.0
		p := &mkl.Problem{
			Grams: kernel.Sum{Kernels: kernel.List{kernel.Precomputed{N: n, Data: k1},
				kernel.Precomputed{N: n, Data: ones}}, Degree: 2}.Bind(points.AllIndices(n)),
			Set: set.Ball{Q: 2.000001, Radius: 1}, Loss: loss.Squared{Lambda: lambda}, Y: y}
		e := newExact(&draw{p: p, base: [][]float64{k1, ones}, degree: 2, lambda: lambda})
		exact, _ := e.at(bigs([]float64{1, 0}))
		other, _ := exact.Float64()
		for _, t1 := range []float64{1e-9, 5e-10, 2e-10, 1e-10, 5e-11, 1e-12, 1e-13, 1e-15} {
			r, err := mkl.Solve(t.Context(), p, mkl.SPG{}, &mkl.Settings{Theta: []float64{t1, 1}})
			if err != nil {
				t.Errorf("%g from %g: %v", neg, t1, err)
				continue
			}
			if r.Lower > other {
				t.Errorf("%g from %g: lower bound %.15g above F(1, 0) = %.15g: %v", neg, t1, r.Lower, other, r)
			}
			pt := p.NewPoint()
			pt.Theta[0], pt.Theta[1] = t1, 1
			if err := pt.Evaluate(nil, 0); err != nil {
				t.Fatal(err)
			}
			c, _ := p.Certify(pt, true)
			if c.Lower > other {
				t.Errorf("%g at (%g, 1): lower bound %.15g above F(1, 0) = %.15g: %v", neg, t1, c.Lower, other, c)
			}
		}
	}
}
