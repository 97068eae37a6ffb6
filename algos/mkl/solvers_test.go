package mkl_test

import (
	"context"
	"math"
	"slices"
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

	"gonum.org/v1/gonum/floats"
)

func TestSPG(t *testing.T) {
	mkltest.TestSolver(t, mkl.SPG{}, mkltest.Options{})
	mkltest.TestInvariance(t, mkl.SPG{})
}

func TestPGD(t *testing.T) {
	mkltest.TestSolver(t, mkl.PGD{}, mkltest.Options{})
	mkltest.TestInvariance(t, mkl.PGD{})
}

func TestIIA(t *testing.T) {
	mkltest.TestSolver(t, mkl.IIA{}, mkltest.Options{})
	mkltest.TestInvariance(t, mkl.IIA{})
}

func TestTrustRegion(t *testing.T) {
	mkltest.TestSolver(t, mkl.TrustRegion{}, mkltest.Options{})
	mkltest.TestInvariance(t, mkl.TrustRegion{})
}

func TestFrankWolfe(t *testing.T) {
	t.Run("open loop", func(t *testing.T) {
		mkltest.TestSolver(t, mkl.FrankWolfe{}, mkltest.Options{Gap: 2e-3, MaxWarmStartSteps: -1})
	})
	t.Run("exact", func(t *testing.T) {
		mkltest.TestSolver(t, mkl.FrankWolfe{ExactLineSearch: true}, mkltest.Options{Gap: 5e-4, MaxWarmStartSteps: 20})
	})
}

// TestSeparableOneQuadratic tests that terms that have quadratics of one curvature above them at 0, and others
// elsewhere, have no quadratic above them together.
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

// TestOneColumn tests that a loss.Columns with one column has a Factor wherever the loss itself has one.
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

// TestUses tests that a solver accepts the problems that suit it, and that the error for any other names the
// requirement.
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

// watched is a Grams whose Grams say when θ is not what SetTheta got, and when they are used after Release.
type watched struct {
	kernel.Grams
	t *testing.T
}

func (g watched) New() kernel.Gram               { return &watchedGram{Gram: g.Grams.New(), t: g.t} }
func (g watched) WithThreads(n int) kernel.Grams { return watched{g.Grams.WithThreads(n), g.t} }

type watchedGram struct {
	kernel.Gram
	t          *testing.T
	theta, was []float64
	released   bool
}

func (g *watchedGram) look() {
	g.t.Helper()
	if g.released {
		g.t.Error("used after Release")
	}
	if !slices.Equal(g.theta, g.was) {
		g.t.Errorf("θ is %v, but SetTheta got %v", g.theta, g.was)
	}
}

func (g *watchedGram) SetTheta(theta []float64) {
	g.theta, g.was = theta, slices.Clone(theta)
	g.look()
	g.Gram.SetTheta(theta)
}

func (g *watchedGram) K() *kernel.Matrix {
	g.look()
	return g.Gram.K()
}

func (g *watchedGram) Gradient(dst, w []float64) {
	g.look()
	g.Gram.Gradient(dst, w)
}

// Release keeps the Gram from its pool, so that a second one is seen.
func (g *watchedGram) Release() {
	if g.released {
		g.t.Error("released twice")
	}
	g.released = true
}

// TestThetaStays tests that the θ that SetTheta got does not change while the Gram is read, and that a run releases
// each Gram once.
func TestThetaStays(t *testing.T) {
	for _, s := range []mkl.Solver{mkl.ReducedGradient{}, mkl.FrankWolfe{ExactLineSearch: true}, mkl.Level{},
		mkl.LBFGS{}, mkl.MirrorDescent{}, mkl.ADMM{}, mkl.DualAscent{}} {
		ran := 0
		for _, c := range mkltest.Cases() {
			if _, err := s.Requirements(c.Problem); err != nil || ran == 4 {
				continue
			}
			ran++
			p := *c.Problem
			p.Grams = watched{p.Grams, t}
			if _, err := mkl.Solve(t.Context(), &p, s, &mkl.Settings{Gap: 1e-6, Iterations: 25}); err != nil {
				t.Errorf("%v, %s: %v", s, c.Name, err)
			}
		}
	}
}

// ridged is a problem of degree 2 with r = β‖θ‖² on the orthant.
func ridged(seed uint64, beta float64) *mkl.Problem {
	x, y := mkltest.RandomPoints(20, 3, seed)
	return &mkl.Problem{Grams: kernel.Features{Degree: 2}.Bind(x), Set: set.Orthant{At: 0.3},
		Loss: loss.Squared{Lambda: 1}, Reg: reg.Ridge{Beta: beta}, Y: y}
}

// TestEscape tests that just above β₀ no point of a grid of rays is better than θ = 0, just below the eigenvector is,
// and each solver that starts at 0 ends at 0 or at the minimum that it finds from elsewhere, certified either way.
func TestEscape(t *testing.T) {
	for seed := range uint64(5) {
		beta, v, err := mkl.SmallestBetaForZeroTheta(ridged(seed, 1))
		if err != nil {
			t.Fatal(err)
		}
		value := func(p *mkl.Problem, theta []float64) float64 {
			pt := pointAt(p, theta, 1e-14)
			return pt.F()
		}
		zero := []float64{0, 0, 0}
		above, below := ridged(seed, 1.01*beta), ridged(seed, 0.99*beta)
		small := make([]float64, 3)
		floats.ScaleTo(small, 1e-3, v)
		if f, at := value(below, small), value(below, zero); f >= at {
			t.Errorf("seed %d, 0.99β₀: F = %.15g along the eigenvector, %.15g at 0", seed, f, at)
		}
		for i := range 11 {
			for j := range 11 - i {
				u := []float64{float64(i), float64(j), float64(10 - i - j)}
				for _, step := range []float64{1e-3, 1e-2, 0.1, 1, 10} {
					floats.ScaleTo(small, step/floats.Norm(u, 2), u)
					if f, at := value(above, small), value(above, zero); f < at {
						t.Errorf("seed %d, 1.01β₀: F = %.15g at %v, %.15g at 0", seed, f, small, at)
					}
				}
			}
		}
		for _, s := range []mkl.Solver{mkl.SPG{}, mkl.PGD{}} {
			for _, c := range []struct {
				p    *mkl.Problem
				zero bool
			}{{above, true}, {below, false}, {ridged(seed, beta/10), false}, {ridged(seed, beta*10), true}} {
				best := must(mkl.Solve(context.Background(), c.p, mkl.SPG{}, &mkl.Settings{Gap: 1e-9}))
				r := must(mkl.Solve(context.Background(), c.p, s, &mkl.Settings{Gap: 1e-6, Theta: zero}))
				if (floats.Norm(r.Theta, 2) < 1e-4) != c.zero || math.Abs(r.F-best.F) > 1e-5*best.F ||
					r.Kind != mkl.Global {
					t.Errorf("seed %d, %v from 0: %v at %v, want F = %.12g, θ = 0 %v", seed, s, r, r.Theta, best.F,
						c.zero)
				}
			}
		}
	}
	for name, p := range map[string]*mkl.Problem{
		"degree 1": {Grams: kernel.Features{}.Bind(points.NewRows([][]float64{{1}, {2}})), Set: set.Orthant{},
			Loss: loss.Squared{Lambda: 1}, Y: []float64{1, 2}},
		"nothing": {},
	} {
		if _, _, err := mkl.SmallestBetaForZeroTheta(p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
