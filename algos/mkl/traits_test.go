package mkl_test

import (
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
)

// TestSeparableOneQuadratic: terms that have quadratics of one curvature above them at 0, and others elsewhere, have no
// quadratic above them together.
func TestSeparableOneQuadratic(t *testing.T) {
	x, y := mkltest.RandomPoints(12, 4, 3)
	near := func(s ...float64) reg.DistancePenalty {
		return reg.DistancePenalty{Rho: 0.3, Distance: reg.TwoNorm, Targets: [][]float64{s}}
	}
	p := &mkl.Problem{Grams: kernel.Features{Degree: 1}.Bind(x), Set: set.Simplex{}, Loss: loss.Hinge{C: 1},
		Y: signs(y), Reg: reg.Separable{Parts: []reg.Reg{near(0.9, 0), near(0, 0.9)}}}
	if r, err := mkl.Solve(t.Context(), p, mkl.DualAscent{}, &mkl.Settings{Iterations: 20,
		Theta: []float64{0.7, 0.1, 0.1, 0.1}}); err == nil {
		t.Errorf("accepted: %v", r)
	}
}

// TestOneColumn: a loss on one column of targets, said to be on columns, has a Factor wherever the loss itself has one.
func TestOneColumn(t *testing.T) {
	x, y := mkltest.RandomPoints(12, 4, 3)
	p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.Bind(x), Set: set.Ball{Q: 2, Radius: 1},
		Loss: loss.Columns{Loss: loss.Squared{Lambda: 0.3}, Count: 1}, Y: y}
	r := must(mkl.Solve(t.Context(), p, mkl.TrustRegion{}, &mkl.Settings{Gap: 1e-11, Iterations: 50}))
	pt := pointAt(p, r.Theta, 1e-12)
	c := must(p.Certify(pt, true))
	if !pt.HessianVectorProduct(make([]float64, 4), []float64{1, 0, 0, 0}) {
		t.Errorf("no Hessian after %v", c)
	}
}
