package mkl_test

import (
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
)

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

// TestThetaStays: what SetTheta got is left alone while the Gram is read, and a run releases each Gram once.
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
