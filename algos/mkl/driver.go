package mkl

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/mklnb/mkl/algos/internal/argument"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// Solver configures a method. It is comparable and printable, its zero value works, and one value serves many runs.
type Solver interface {
	fmt.Stringer
	// Requirements returns which results a run needs at every point, or an error if the solver does not suit p.
	Requirements(p *Problem) (Requirements, error)
	// Start returns the state of one run on p.
	Start(p *Problem) Stepper
}

// Stepper is one run of a Solver.
type Stepper interface {
	// Step moves the iterate to a new point: it writes θ of it.TrialPoint(), calls EvaluateTrial, then AcceptTrial. It
	// returns ErrStalled if it finds no better point. F at a θ outside Θ is not an upper bound of min F over Θ.
	Step(it *Iterate) error
}

// ErrContradiction reports a lower bound of min F that is above an upper bound of F on Θ by more than rounding
// explains. Both bounds are theorems, so one of their assumptions does not hold: a Gradient is not the derivative of K,
// a Degree is wrong, a Solution is not feasible, a K is not positive semidefinite, or a set accepts a θ outside itself
// or returns a minimum that is too large.
var ErrContradiction = errors.New("the lower bound of the objective F exceeds its upper bound by more than rounding; " +
	"check the Gradient and the Degree of the family, the loss, Contains and Minimize of the set, and that the " +
	"matrices are positive semidefinite")

var errNoSolver = errors.New("mkl: the solver is nil; pass one, such as mkl.SPG{}")

// ErrStalled is the error of a Step that finds no better point.
var ErrStalled = errors.New("mkl: the step finds no better point")

// Steps yields the iterates of s on p, the starting point first, until the caller stops, the context ends or a step
// fails. In the last two cases it finally yields the error with the last iterate. It has no stopping test.
func Steps(ctx context.Context, p *Problem, s Solver, settings *Settings) iter.Seq2[*Iterate, error] {
	return func(yield func(*Iterate, error) bool) {
		if s == nil {
			yield(nil, errNoSolver)
			return
		}
		if err := errors.Join(argument.CheckContext(ctx, "mkl"), p.Validate()); err != nil {
			yield(nil, err)
			return
		}
		cfg, err := settings.withDefaults(p)
		if err != nil {
			yield(nil, err)
			return
		}
		requirements, err := s.Requirements(p)
		if err != nil {
			yield(nil, err)
			return
		}
		if cfg.Threads > 0 {
			problemWithThreadLimit := *p
			problemWithThreadLimit.Grams = p.Grams.WithThreads(cfg.Threads)
			p = &problemWithThreadLimit
		}
		if err := p.checkMemory(2, requirements); err != nil {
			yield(nil, err)
			return
		}
		startTime := time.Now()
		newPoint := func() *Point { return p.newPoint(ctx, requirements, cfg.Threads) }
		it := &Iterate{Point: newPoint(), trial: newPoint(), ctx: ctx,
			bounds: bounds{BestUpper: math.Inf(1), Lower: math.Inf(-1)}, Tol: cfg.innerTol(math.Inf(1), requirements),
			roundingOfCostlyProofs: math.Inf(1), tolFactor: 1}
		err = it.evaluateStart(&cfg)
		stepper := s.Start(p)
		for ; ; it.K++ {
			if err == nil {
				err = it.updateBounds(&cfg)
			}
			it.Elapsed = time.Since(startTime)
			if !yield(it, err) || err != nil {
				return
			}
			if err = ctx.Err(); err == nil {
				if it.K == 0 && requirements.ProjectsStart && !p.Set.Contains(it.Theta) {
					p.Set.Project(it.trial.Theta, it.Theta)
					err = it.EvaluateAndAcceptTrial()
				} else {
					it.proved = it.bounds
					err = stepper.Step(it)
					it.bounds = it.proved
				}
			}
			// K(θ) is indefinite, because θ is outside Θ or by rounding: the run ends with the best point so far
			if errors.Is(err, loss.ErrNotPSD) {
				it.lastStepFoundIndefiniteK, err = true, ErrStalled
			}
			// the run would end here: solve the loss again, or refine the bounds of this point
			if errors.Is(err, ErrStalled) {
				if solvedAgain, innerErr := it.solveDualAgain(&cfg); solvedAgain {
					err = innerErr
				} else if refineErr := it.tryCostlyProofs(&cfg); refineErr != nil {
					err = refineErr
				}
			}
		}
	}
}

func (p *Problem) newPoint(ctx context.Context, requirements Requirements, threads int) *Point {
	pt := p.NewPoint()
	pt.ctx, pt.requirements, pt.Threads = ctx, requirements, threads
	return pt
}

// evaluateStart evaluates the point at which a run begins. If this point is outside Θ and K(θ) is not positive
// semidefinite there, the run begins at its projection onto Θ.
func (it *Iterate) evaluateStart(cfg *Settings) error {
	if cfg.Theta != nil {
		copy(it.Theta, cfg.Theta)
	} else {
		it.p.Set.Start(it.Theta)
	}
	var warm *Point
	if r := cfg.Start; r != nil && len(r.W) == len(it.p.Y) {
		warm = &Point{Solution: loss.Solution{W: r.W, BlockWeights: r.BlockWeights}}
	}
	it.Evals++
	err := it.Evaluate(warm, it.Tol)
	if errors.Is(err, loss.ErrNotPSD) && !it.p.Set.Contains(it.Theta) {
		it.p.Set.Project(it.Theta, it.Theta)
		it.Evals++
		err = it.Evaluate(warm, it.Tol)
	}
	if it.inexact != nil { // the solver of the loss ran out of iterations; the bounds that it found are valid
		return nil
	}
	return err
}

// updateBounds certifies a new point, and updates the best bounds and Tol, the relative gap of later solves.
func (it *Iterate) updateBounds(cfg *Settings) error {
	oldGap := it.Gap()
	if it.K == 0 {
		oldGap = math.Inf(1)
	}
	if err := it.certifyPoint(false); err != nil {
		return err
	}
	// the costly proofs are worth their time without an upper bound and at a first-order optimal θ, a possible minimum
	if math.IsInf(it.Cert.Upper, 1) || it.Cert.Residual <= cfg.Gap*math.Abs(it.BestUpper) {
		if err := it.tryCostlyProofs(cfg); err != nil {
			return err
		}
	}
	if it.requirements.NeedsRankOne {
		it.discardGradients()
	}
	it.Tol = math.Max(cfg.innerTol(it.Gap(), it.requirements)*it.tolFactor, 1e-14)
	it.inexactStepCount++
	if it.inexact == nil || it.Gap() < oldGap {
		it.inexactStepCount = 0
	}
	return nil
}

// certifyPoint sets Cert to the certificate of the current point, with the largest lower bound so far.
func (it *Iterate) certifyPoint(tryCostlyProofs bool) error {
	c, err := it.p.Certify(it.Point, tryCostlyProofs)
	if err != nil {
		return err
	}
	oldCert := it.Cert
	it.Cert = c
	if !c.Infeasible {
		it.BestUpper = math.Min(it.BestUpper, c.Upper)
	}
	it.Cert.tightenLowerBound(oldCert)
	it.Lower = it.Cert.Lower
	return it.checkContradiction(it.Lower, it.BestUpper, it.Cert.By)
}

// tightenLower replaces the lower bound of the run by the one that b proves, if that is larger. minimum is the computed
// minimum of ⟨b.grad,·⟩ over Θ. proofName names the proof for Certificate.By.
func (it *Iterate) tightenLower(proofName string, b *affineBound, minimum float64) error {
	lower, rounding := b.lowerBound(it.p.Set, minimum)
	return it.tightenLowerBy(Certificate{Kind: Global, By: proofName, Lower: lower, lowerRoundingErr: rounding})
}

// tightenLowerAt replaces the lower bound of the run by the one that the w of pt proves, if that is larger. The minimum
// of the objective of the problem of pt must not exceed min F.
func (it *Iterate) tightenLowerAt(pt *Point) error {
	c, err := pt.p.Certify(pt, false)
	if err != nil && !errors.Is(err, ErrContradiction) {
		return nil // the numbers overflow at this w, which then proves nothing
	} else if err != nil {
		return err
	}
	return it.tightenLowerBy(c)
}

func (it *Iterate) tightenLowerBy(c Certificate) error {
	it.Cert.tightenLowerBound(c)
	it.Lower = it.Cert.Lower
	it.proved = it.bounds
	return it.checkContradiction(it.Lower, it.BestUpper, it.Cert.By)
}

// tryCostlyProofs certifies the point with the costly proofs too, unless the requested gap is already proved.
func (it *Iterate) tryCostlyProofs(cfg *Settings) error {
	if it.Cert.Infeasible || it.BestUpper-it.Lower <= cfg.Gap*math.Abs(it.BestUpper) && !math.IsInf(it.BestUpper, 1) {
		return nil
	}
	if !it.isInDoubledPrecision { // steps cannot see a decrease of F below errorOfF, its rounding error
		it.errorOfF = it.Cert.Rounding
		if it.p.Loss.Traits().Smooth { // solved by a factorization: Primal − Dual is a rounding error
			it.errorOfF = math.Max(it.errorOfF, it.Primal-it.Dual())
		}
	}
	err := it.certifyPoint(true)
	it.roundingOfCostlyProofs = it.Cert.Rounding
	return err
}

// solveDualAgain solves the loss at the current θ again, to a hundredth of Tol, after a stall with a loss that is
// solved iteratively. It also multiplies the tolerance of later solves by 1/100. It returns false, and does nothing, if
// the gap Primal − Dual of the loss is already at most a tenth of the requested gap.
func (it *Iterate) solveDualAgain(cfg *Settings) (solved bool, err error) {
	if it.p.Loss.Traits().Smooth || it.inexact != nil || it.tolFactor < 1e-4 ||
		it.Primal-it.Dual() <= cfg.Gap*math.Abs(it.BestUpper)/10 {
		return false, nil
	}
	it.tolFactor /= 100
	it.Tol = math.Max(it.Tol/100, 1e-14)
	it.Evals++
	return true, it.SolveDual(nil, it.Tol)
}

// checkContradiction returns ErrContradiction if lower > upper + 1e-10‖∇F‖‖θ‖. The bounds include their own rounding
// errors. proofName names the proof of the lower bound.
func (pt *Point) checkContradiction(lower, upper float64, proofName string) error {
	if lower <= upper || math.IsInf(upper, 1) {
		return nil
	}
	// θ is in Θ only up to rounding, so F(θ) may be below min F by this much
	if lower-upper <= 1e-10*floats.Norm(pt.Grad(), 2)*floats.Norm(pt.Theta, 2) {
		return nil
	}
	return fmt.Errorf("%w: lower bound %.12g by %s, upper bound %.12g", ErrContradiction, lower, proofName, upper)
}
