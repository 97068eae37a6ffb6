package algos_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// expectile weighs residuals above the prediction by τ and those below by 1−τ (Newey and Powell 1987). With
// c(a) = τ for a > 0, else 1−τ, and residuals x = y − Kw, w = α:
//
//	D(α) = yᵀα − ½ Σ_i α_i²/c(α_i),  risk_i(x) = ½ c(x) x²,  A = Rⁿ.
type expectile struct{ Tau float64 }

func init() { registry.Register(expectile{}) } // files of models can hold it

func (l expectile) String() string        { return fmt.Sprintf("expectile loss, τ=%.4g", l.Tau) }
func (l expectile) Slice([]int) loss.Loss { return l } // it has nothing for each point
func (l expectile) Traits() loss.Traits {
	return loss.Traits{StrictlyConcave: true, NeedsCentering: true} // the risk depends on y − f, and there is no bias
}
func (l expectile) side(residual float64) float64 {
	if residual > 0 {
		return l.Tau
	}
	return 1 - l.Tau
}

func (l expectile) Validate(y []float64) error {
	if !(l.Tau > 0 && l.Tau < 1) {
		return fmt.Errorf("expectile: τ = %g, want a number between 0 and 1", l.Tau)
	}
	if len(y) == 0 || math.IsNaN(floats.Sum(y)) || math.IsInf(floats.Norm(y, math.Inf(1)), 1) {
		return errors.New("expectile: want at least one target, all finite numbers")
	}
	return nil
}

// Solve maximizes over one α_i at a time, in closed form: O(n²) a sweep.
func (l expectile) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	if len(s.W) != len(y) {
		s.W = make([]float64, len(y))
	}
	k := g.K()
	for s.Iters = 0; ; s.Iters++ {
		l.Evaluate(s, g, y, nil)
		if s.Gap() <= tol {
			return nil
		}
		if err := ctx.Err(); err != nil || s.Iters == 10000 {
			return &loss.Inexact{Gap: s.Gap(), TargetGap: tol, IterationLimitReached: err == nil, Cause: err}
		}
		for i := range y {
			r := y[i] - floats.Dot(row(k, i), s.W) + k.At(i, i)*s.W[i] // the residual with α_i = 0
			s.W[i] = r / (k.At(i, i) + 1/l.side(r))
		}
	}
}

// Evaluate states what s.W proves. A = Rⁿ, so every α is feasible. A loss with bounds on α must check them here,
// because s.W can come from a file or another solver: if s.W is infeasible, LinearTerm must be 0 (loss.Loss).
func (l expectile) Evaluate(s *loss.Solution, g loss.Gram, y, _ []float64) {
	s.LinearTerm, s.QuadraticTerm, s.WKW, s.Primal = floats.Dot(y, s.W), 0, 0, 0
	for i, a := range s.W {
		f := floats.Dot(row(g.K(), i), s.W)
		x := y[i] - f
		s.QuadraticTerm += a * a / l.side(a)
		s.WKW += a * f
		s.Primal += l.side(x) * x * x / 2
	}
	s.Primal += s.WKW / 2
}

// row is row i of K.
func row(k mat.Matrix, i int) []float64 { return mat.Row(nil, i, k) }

func TestGuideLoss(t *testing.T) {
	l := expectile{0.8}
	losstest.TestLoss(t, l, losstest.Options{Inputs: losstest.RandomInputs(1, false),
		MakeFeasible: func(w, y []float64) {}})

	x, y := mkltest.RandomPoints(20, 3, 1)
	g := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}.Bind(x)
	certified(t, &mkl.Problem{Grams: g, Set: set.Simplex{}, Loss: l, Y: y}, mkl.SPG{})
}
