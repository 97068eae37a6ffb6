package mkl_test

import (
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
)

// TestUses: a solver refuses what it does not suit, and says why; what it suits it takes.
func TestUses(t *testing.T) {
	x, numbers := mkltest.RandomPoints(10, 2, 3)
	s, y := noisy(10, 0.2, 1)
	targets := [][]float64{similarity.Vec(s)}
	var (
		list    = kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}
		squares = kernel.Sum{Kernels: list, Degree: 2}
		hinge   = loss.Hinge{C: 1}
		ridge   = loss.Squared{Lambda: 1}
		trace   = set.Spectraplex{Trace: 10}
		simplex = set.Simplex{}
		orthant = set.Orthant{}
		all     = points.AllIndices(10)
		matrix  = similarity.Learned{N: 10}.Bind(all)
		near    = func(d reg.Distance) reg.Reg { return reg.DistancePenalty{Rho: 1, Distance: d, Targets: targets} }
		blocks  = several(y, 1, 1, 10, reg.OneNorm, s)
		printed = mkl.MirrorDescent{AsPrinted: true}
	)
	const linear, suits = "linear in θ", ""
	for _, c := range []struct {
		solver mkl.Solver
		grams  kernel.Grams
		set    set.Set
		reg    reg.Reg
		loss   loss.Loss
		want   string
	}{
		{mkl.Level{}, squares.Bind(x), simplex, nil, hinge, linear},
		{mkl.Level{}, list.Bind(x), orthant, nil, hinge, "bounded"},
		{mkl.FrankWolfe{}, squares.Bind(x), simplex, nil, ridge, linear},
		{mkl.FrankWolfe{}, list.Bind(x), orthant, nil, ridge, "bounded"},
		{mkl.FrankWolfe{ExactLineSearch: true, Slope: 2}, list.Bind(x), simplex, nil, ridge, "slope"},
		{mkl.FrankWolfe{}, list.Bind(x), simplex, nil, ridge, suits},
		{mkl.SPG{}, list.Bind(x), simplex, nil, hinge, "SPG{AllowNonsmooth: true}"},
		{mkl.SPG{AllowNonsmooth: true}, list.Bind(x), simplex, nil, hinge, suits},
		{mkl.PGD{}, list.Bind(x), simplex, nil, hinge, "kinks"},
		{mkl.LBFGS{}, list.Bind(x), orthant, nil, hinge, "kinks"},
		{mkl.LBFGS{}, kernel.Gaussians{}.Bind(x), simplex, nil, hinge, "θ ≥ 0"},
		{mkl.LBFGS{}, kernel.Gaussians{}.Bind(x), orthant, nil, hinge, suits},
		{mkl.QuasiNewton{}, list.Bind(x), orthant, nil, hinge, "kinks"},
		{mkl.QuasiNewton{}, kernel.Gaussians{}.Bind(x), simplex, nil, hinge, "θ ≥ 0"},
		{mkl.QuasiNewton{B1: -1}, kernel.Gaussians{}.Bind(x), orthant, nil, hinge, "b₁"},
		{mkl.IIA{}, squares.Bind(x), set.Ball{Q: 2, Radius: 1}, nil, ridge, linear},
		{mkl.IIA{Eta: 0.5}, list.Bind(x), set.Ball{Q: 1.5, Radius: 1}, nil, ridge, "converge"},
		{mkl.PGD{ScaleToSphere: true}, list.Bind(x), simplex, nil, ridge, "ball"},
		{mkl.DualAscent{}, matrix, trace, near(reg.SquaredNorm), hinge, suits},
		{mkl.DualAscent{}, matrix, trace, near(reg.OneNorm), hinge, "quadratic"},
		{mkl.DualAscent{}, matrix, trace, nil, hinge, "quadratic"},
		{mkl.DualAscent{}, matrix, trace, near(reg.SquaredNorm), ridge, "proximal"},
		{mkl.ADMM{}, blocks.Grams, blocks.Set, blocks.Reg, loss.BlockNorm{Loss: ridge}, "proximal"},
		{mkl.MirrorDescent{}, matrix, set.PSD{}, near(reg.SquaredNorm), hinge, "entropy"},
		{mkl.MirrorDescent{Horizon: -1}, matrix, trace, near(reg.SquaredNorm), hinge, "Horizon ≥ 0"},
		{printed, list.Bind(x), simplex, nil, hinge, "as printed"},
		{printed, matrix, trace, nil, hinge, suits}, // Algorithm 1 is about any F on a Spectraplex
	} {
		p := &mkl.Problem{Grams: c.grams, Set: c.set, Reg: c.reg, Loss: c.loss, Y: y}
		if _, numeric := c.loss.(loss.Squared); numeric {
			p.Y = numbers
		}
		_, err := mkl.Solve(t.Context(), p, c.solver, &mkl.Settings{Gap: 0.5, Iterations: 2})
		if (err == nil) != (c.want == suits) || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v on %T: %v, want an error with %q", c.solver, c.set, err, c.want)
		}
	}
}
