package mkl

import (
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
)

// Problem is min_{θ ∈ Θ} J(θ) + r(θ). Only Reg may be nil. Any number of runs may share a Problem.
type Problem struct {
	Grams kernel.Grams // θ ↦ K(θ) on n points: a family that is bound to them (kernel.Family.Bind)
	Set   set.Set      // Θ
	Reg   reg.Reg      // the regularizer r; nil means r = 0
	Loss  loss.Loss
	Y     []float64 // n targets; n·c for c columns of targets, column after column
}

// Validate returns an error if a part is missing, if the sizes of Grams, Set, Reg, Loss and Y disagree, or if a number
// is not finite or out of range: see the conventions of the package.
func (p *Problem) Validate() error {
	switch {
	case p == nil:
		return errors.New("mkl: the problem is nil; pass a *mkl.Problem")
	case p.Grams == nil:
		return errors.New("mkl: the problem has no Grams; bind a family to points")
	case p.Set == nil:
		return errors.New("mkl: the problem has no Set; use set.Simplex{}, for example")
	case p.Loss == nil:
		return errors.New("mkl: the problem has no Loss; use loss.Squared{Lambda: 1}, for example")
	}
	if err := p.Grams.Validate(); err != nil {
		return err
	}
	m, n := p.Grams.Dims()
	if m == 0 || n == 0 {
		return fmt.Errorf("mkl: the kernel family has %d parameters and %d points; use at least one of each", m, n)
	}
	if c := p.columnCount(); c != 1 && len(p.Y) != n*c {
		return fmt.Errorf("mkl: got %d targets for %d points and %d columns; pass %d", len(p.Y), n, c, n*c)
	} else if len(p.Y) != n*c {
		return fmt.Errorf("mkl: got %d targets for %d points; pass one per point", len(p.Y), n)
	}
	if p.Reg != nil {
		if err := p.Reg.Validate(m); err != nil {
			return err
		}
	}
	if err := errors.Join(checkMagnitudes("Y", p.Y...), checkMagnitudes("λ", p.Loss.Traits().Ridge)); err != nil {
		return fmt.Errorf("mkl: %w", err)
	}
	return errors.Join(p.Set.Validate(m), p.Loss.Validate(p.Y), p.checkSetSuitsFamily(m))
}

// The absolute values of targets and λ are 0 or from minMagnitude to maxMagnitude, so that products of a few of them
// neither overflow nor underflow. Grams.Validate checks features and matrices.
const minMagnitude, maxMagnitude = 1e-100, 1e100

// rescaleAdvice ends an error message: how to bring numbers into the range from minMagnitude to maxMagnitude.
const rescaleAdvice = "rescale the targets, the features (points.Preprocessing) or the kernels " +
	"(kernel.Sum.Normalize), and λ or C"

// checkMagnitudes returns an error if the absolute value of a number is neither 0 nor from minMagnitude to
// maxMagnitude. It accepts NaN, a missing target, because the loss decides whether targets may be missing.
func checkMagnitudes(name string, values ...float64) error {
	for i, v := range values {
		if magnitude := math.Abs(v); magnitude > maxMagnitude || magnitude > 0 && magnitude < minMagnitude {
			if len(values) > 1 {
				name = fmt.Sprintf("%s[%d]", name, i)
			}
			return fmt.Errorf("%s = %g is outside the range from %g to %g; %s", name, v, minMagnitude, maxMagnitude,
				rescaleAdvice)
		}
	}
	return nil
}

// checkSetSuitsFamily returns an error if Θ contains matrices, whose entries may be negative, but θ is a vector of
// weights: K(θ) may then be indefinite, and no bound would hold.
func (p *Problem) checkSetSuitsFamily(m int) error {
	traits, partCount := p.Set.Traits(), 1
	if traits.FactorCount > 0 {
		traits, partCount = traits.Factor.Traits(), traits.FactorCount
	}
	rows, cols := p.Grams.ThetaShape()
	if traits.Semidefinite && p.Degree() > 0 && (rows != partCount*cols || rows*cols != m) {
		return fmt.Errorf("mkl: %v contains θ with negative entries, for which K(θ) may be indefinite; "+
			"use a set of θ ≥ 0", p.Set)
	}
	return nil
}

// checkTheta returns an error unless θ has m entries with absolute values of at most maxMagnitude. Entries below
// minMagnitude are permitted, because solvers may return them; they act like 0.
func (p *Problem) checkTheta(theta []float64) error {
	if m, _ := p.Grams.Dims(); len(theta) != m {
		return fmt.Errorf("got %d weights for %d parameters; pass one per parameter", len(theta), m)
	}
	for k, v := range theta {
		if !(math.Abs(v) <= maxMagnitude) {
			return fmt.Errorf("θ[%d] = %g; pass finite weights of at most %g in size", k, v, maxMagnitude)
		}
	}
	return nil
}

// Degree returns the degree of K(θ) as a polynomial in θ with positive semidefinite coefficients: 1 means that K is
// linear in θ, 0 that K is not such a polynomial.
func (p *Problem) Degree() int { return p.Grams.Degree() }

// IsDifferentiable reports whether the dual of the loss is strictly concave. F is then differentiable for every K(θ).
// With other losses, such as the hinge, F is differentiable only at θ with a positive definite K(θ).
func (p *Problem) IsDifferentiable() bool { return p.Loss != nil && p.Loss.Traits().StrictlyConcave }

// smoothLossRequirement states the requirement of solvers with a line search, for error messages.
const smoothLossRequirement = "a loss with a strictly concave dual, so that F has no kinks (use mkl.Level, " +
	"or mkl.SPG{AllowNonsmooth: true} if every K(θ) is positive definite)"

// require returns nil if ok is true, and otherwise an error that states the requirement.
func require(ok bool, requirement string) error {
	if ok {
		return nil
	}
	return errors.New("needs " + requirement)
}

// ErrUnsuited is wrapped by the error of a solver or a rule on a problem that does not meet its requirements.
var ErrUnsuited = errors.New("does not suit this problem")

// unsuitedError joins errs, the unmet requirements of the solver s, into an error of one line, or nil if all are nil.
func unsuitedError(s fmt.Stringer, errs ...error) error {
	var joined error
	for _, err := range errs {
		switch {
		case joined == nil:
			joined = err
		case err != nil:
			joined = fmt.Errorf("%w; %w", joined, err)
		}
	}
	if joined == nil {
		return nil
	}
	return fmt.Errorf("mkl: %v %w: %w", s, ErrUnsuited, joined)
}

// columnCount returns the number of columns of targets, at least 1.
func (p *Problem) columnCount() int { return max(p.Loss.Traits().Columns, 1) }
