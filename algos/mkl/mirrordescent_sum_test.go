package mkl

import (
	"math"
	"math/big"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
)

// TestAggregateOfManySteps: the bound of a sum of many cuts allows for the rounding of that sum, which has the same
// sign in step after step where the steps are alike.
func TestAggregateOfManySteps(t *testing.T) {
	steps := 200_000
	if testing.Short() {
		steps = 20_000
	}
	for _, eta := range []float64{0.1, 0.3, 1. / 3, 0.7, 1.9} {
		for _, c := range []float64{0.1, 0.3, 0.37} {
			x := points.Rows{N: 2, D: 1, Data: []float64{0.3, 1}}
			one := kernel.Kernel(kernel.RBF{Gamma: 0.7})
			s := set.Simplex{}
			p := &Problem{Grams: kernel.Sum{Kernels: kernel.List{one, one}}.Bind(x), Set: s, Loss: loss.Hinge{C: c},
				Y: []float64{1, -1}}
			pt := p.NewPoint()
			s.Start(pt.Theta)
			if err := pt.Evaluate(nil, 1e-14); err != nil {
				t.Fatal(err)
			}
			// α = C in both points: min F = 2C − C²(1−k)
			k := new(big.Float).SetPrec(300).SetFloat64(pt.Gram.K().At(0, 1))
			b := new(big.Float).SetPrec(300).SetFloat64(c)
			least := new(big.Float).SetPrec(300).SetInt64(1)
			least.Mul(least.Sub(least, k), b)
			least.Sub(new(big.Float).SetPrec(300).SetInt64(2), least)
			least.Mul(least, b)
			a, tangent := affineBound{grad: make([]float64, 2), gradErr: make([]float64, 2)}, pt.tangent()
			for range steps {
				a.add(eta, &tangent)
			}
			lower, _ := a.lowerBound(s, s.Minimize(nil, a.grad))
			f, _ := least.Float64()
			t.Logf("C=%g η=%g: %.3g ε", c, eta, (lower-f)/f/0x1p-52)
			if new(big.Float).SetFloat64(lower).Cmp(least) > 0 {
				t.Errorf("C = %g, η = %g: bound %.17g, min F = %.17g", c, eta, lower, least)
			}
			if !(lower > f*(1-1e-9)) || math.IsNaN(lower) {
				t.Errorf("C = %g, η = %g: bound %.17g is far from min F = %.17g", c, eta, lower, least)
			}
		}
	}
}

// TestMirrorDescentOfEqualKernels: where all entries of the gradient are one number but for rounding, steps stay
// finite.
func TestMirrorDescentOfEqualKernels(t *testing.T) {
	x := points.Rows{N: 8, D: 2, Data: []float64{.5, 1, -2, 3, .25, -1, 1, 1, 2, .125, -1, -3, 1.5, 0, 0, .75}}
	k := kernel.List{kernel.Linear{}, kernel.Linear{}, kernel.Linear{}}
	zero := points.Rows{N: 8, D: 2, Data: make([]float64, 16)}
	for name, x := range map[string]points.Rows{"equal": x, "zero": zero} {
		for _, c := range []float64{1, 1e8} {
			p := &Problem{Grams: kernel.Sum{Kernels: k}.Bind(x), Set: set.Simplex{}, Loss: loss.Hinge{C: c},
				Y: []float64{1, -1, 1, -1, 1, -1, 1, -1}}
			r, err := Solve(t.Context(), p, MirrorDescent{}, &Settings{Gap: 1e-11, Iterations: 50})
			if err != nil || !(r.Lower <= r.Upper) || r.Lower < r.Upper/2 {
				t.Errorf("%s, C = %g: %v, %v", name, c, r, err)
			}
		}
	}
}
