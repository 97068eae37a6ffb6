package algos_test

import (
	"context"
	"errors"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// gradientProjection steps to P_Θ(θ − η∇F(θ)). η is halved until F falls by ‖θ⁺−θ‖²/4η, and doubled after it did at
// once (Bertsekas 1976).
type gradientProjection struct{}

func init() { registry.Register(gradientProjection{}) } // files of studies can hold it

func (gradientProjection) String() string { return "gradient projection" }

// Requirements returns an error if the method does not suit p, and otherwise how exactly inner problems are solved.
func (gradientProjection) Requirements(p *mkl.Problem) (mkl.Requirements, error) {
	if !p.IsDifferentiable() {
		return mkl.Requirements{}, errors.New("gradient projection needs a loss that is strictly concave")
	}
	return mkl.Requirements{MaxInnerGap: 1e-4}, nil
}

func (gradientProjection) Start(p *mkl.Problem) mkl.Stepper { return &projecting{p.Set, 1} }

type projecting struct {
	set set.Set
	eta float64
}

// Step looks, times and stops nothing: the driver does, and certifies each point.
func (s *projecting) Step(it *mkl.Iterate) error {
	for first := true; s.eta > 1e-14; first = false {
		next := it.TrialPoint()
		floats.AddScaledTo(next.Theta, it.Theta, -s.eta, it.Grad())
		s.set.Project(next.Theta, next.Theta)
		moved := floats.Distance(next.Theta, it.Theta, 2)
		if _, err := it.EvaluateTrial(); err != nil {
			return err
		}
		if next.F() <= it.F()-moved*moved/(4*s.eta) {
			it.AcceptTrial()
			if first {
				s.eta *= 2
			}
			return nil
		}
		s.eta /= 2
	}
	s.eta = 1
	return mkl.ErrStalled
}

func TestGuideSolver(t *testing.T) {
	mkltest.TestSolver(t, gradientProjection{}, mkltest.Options{Gap: 1e-5, Iterations: 20000, MaxWarmStartSteps: -1})

	x, y := mkltest.RandomPoints(20, 3, 1)
	g := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}.Bind(x)
	certified(t, &mkl.Problem{Grams: g, Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: y}, gradientProjection{})
}

// certified solves p to a relative gap of 1e-5, which the certificate must prove.
func certified(t *testing.T, p *mkl.Problem, s mkl.Solver) *mkl.Result {
	t.Helper()
	r, err := mkl.Solve(context.Background(), p, s, &mkl.Settings{Gap: 1e-5})
	if err != nil || r.Status != mkl.Certified || !(r.RelativeGap() <= 1e-5) {
		t.Fatalf("%v: %v, %v; want a certificate of 1e-5", s, r, err)
	}
	return r
}
