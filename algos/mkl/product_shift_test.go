package mkl_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// near is a user's own kernel: that of a matrix, with its shift.
type near struct{ of kernel.Precomputed }

func (k near) String() string                           { return "near" }
func (k near) Check(x points.Points) error              { return k.of.Check(x) }
func (k near) Cross(dst *mat.Dense, z, x points.Points) { k.of.Cross(dst, z, x) }
func (k near) DiagonalShift() float64                   { return k.of.DiagonalShift() }

// TestProductShift: a matrix of ones with c = 1 + 9e-11 at (1, 2) has an eigenvalue near −6e-11, which Validate
// accepts, and wᵀKw < 0 for w = (C/2, C/2, −C), y = +, +, −. In any product of the matrix, the
// stored K is positive semidefinite, and no Upper is below the dual value of that w.
func TestProductShift(t *testing.T) {
	ones := kernel.Precomputed{N: 3, Data: []float64{1, 1, 1, 1, 1, 1 + 9e-11, 1, 1 + 9e-11, 1}}
	if err := ones.Validate(); err != nil {
		t.Fatal(err)
	}
	product := func(e int, kernels ...kernel.Kernel) kernel.Family {
		return kernel.Monomials{Kernels: kernels, Free: [][]int{slices.Repeat([]int{e}, len(kernels))}}
	}
	for name, family := range map[string]kernel.Family{
		"alone":             kernel.List{ones},
		"product":           product(1, ones),
		"user's own":        kernel.List{near{ones}},
		"product of user's": product(1, near{ones}),
		"power":             product(3, ones),
		"two factors":       product(1, near{ones}, ones),
	} {
		for _, c := range []float64{1e5, 1e6, 1e9} {
			y, w := []float64{1, 1, -1}, []float64{c / 2, c / 2, -c}
			p := &mkl.Problem{Grams: family.Bind(points.AllIndices(3)), Set: set.Simplex{}, Loss: loss.Hinge{C: c},
				Y: y}
			g := p.Grams.New()
			g.SetTheta([]float64{1})
			if low := mat.Inner(mat.NewVecDense(3, w), g.K(), mat.NewVecDense(3, w)); low < -1e-10*c*c*1e-3 {
				t.Errorf("%s, C = %g: wᵀKw = %g of the stored K, which is to be positive semidefinite", name, c, low)
			}
			r, err := mkl.Solve(ctx, p, mkl.Level{}, &mkl.Settings{Start: &mkl.Result{Theta: []float64{1}, W: w}})
			if err != nil {
				t.Errorf("%s, C = %g: %v", name, c, err)
				continue
			}
			if _, err := mkl.Solve(ctx, p, mkl.Level{}, nil); err != nil {
				t.Errorf("%s, C = %g, without a start: %v", name, c, err)
			}
			v := mat.NewVecDense(3, w)
			if f := 2*c - mat.Inner(v, g.K(), v)/2; r.Upper < f*(1-1e-12) {
				t.Errorf("%s, C = %g: F ≥ %.10g, %v with Upper = %.10g", name, c, f, r, r.Upper)
			}
		}
	}
}
