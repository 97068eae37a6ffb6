package mkl

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"time"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// Solver is the configuration of a method. It is comparable and printable, its zero value works, and one value serves
// many runs at once.
type Solver interface {
	fmt.Stringer
	// Requirements returns what a run needs at every point, or an error if the solver does not suit p.
	Requirements(p *Problem) (Requirements, error)
	// Start returns the state of one run on p.
	Start(p *Problem) Stepper
}

// Stepper is one run of a Solver.
type Stepper interface {
	// Step moves it to a new point by Trial, Try and Accept. It returns ErrStalled if it finds no better point. A step
	// may leave Θ; such a point has no upper bound.
	Step(it *Iterate) error
}

// ErrContradiction reports a lower bound of min F that is above an upper bound of F on Θ by more than rounding
// explains. Both bounds are theorems, so one of their assumptions does not hold: a Gradient is not the derivative of K,
// a Degree is wrong, a Solution is not feasible, or a K is not positive semidefinite.
var ErrContradiction = errors.New("the bounds contradict each other beyond rounding: a gradient, a degree, a loss or " +
	"a matrix is not what it is said to be")

var errNoSolver = errors.New("mkl: the solver is nil; pass one, such as mkl.SPG{}")

// checkContext returns an error if ctx is nil.
func checkContext(ctx context.Context) error {
	if ctx == nil {
		return errors.New("mkl: the context is nil; pass context.Background()")
	}
	return nil
}

// ErrStalled is the error of a Step that finds no better point.
var ErrStalled = errors.New("mkl: no further progress")

// Steps yields the iterates of s on p, the starting point first, until the caller stops, the context ends or a step
// fails. In the last two cases it finally yields the error with the iterate before it. If a step with
// Requirements.OnePoint failed, the Point of that iterate is not valid. Steps has no stopping test; Solve has one.
func Steps(ctx context.Context, p *Problem, s Solver, settings *Settings) iter.Seq2[*Iterate, error] {
	return func(yield func(*Iterate, error) bool) {
		if s == nil {
			yield(nil, errNoSolver)
			return
		}
		if err := errors.Join(checkContext(ctx), p.Validate()); err != nil {
			yield(nil, err)
			return
		}
		cfg, err := settings.fill(p)
		if err != nil {
			yield(nil, err)
			return
		}
		use, err := s.Requirements(p)
		if err != nil {
			yield(nil, err)
			return
		}
		if cfg.Threads > 0 {
			bound := *p
			bound.Grams = p.Grams.Threads(cfg.Threads)
			p = &bound
		}
		if use.MatrixFree {
			if p, err = p.MatrixFree(); err != nil {
				yield(nil, err)
				return
			}
		}
		t0 := time.Now()
		first := p.newPoint(ctx, use, cfg.Threads)
		if err := first.checkMemory(); err != nil {
			yield(nil, err)
			return
		}
		it := &Iterate{Point: first, ctx: ctx, Best: math.Inf(1), Lower: math.Inf(-1),
			Tol: cfg.inner(math.Inf(1), use), allowance: math.Inf(1), tight: 1}
		if it.trial = it.Point; !use.OnePoint {
			it.trial = p.newPoint(ctx, use, cfg.Threads)
		}
		err = it.start(&cfg)
		run := s.Start(p)
		for ; ; it.K++ {
			if err == nil {
				err = it.updateBounds(&cfg)
			}
			it.Elapsed = time.Since(t0)
			if !yield(it, err) || err != nil {
				return
			}
			if err = ctx.Err(); err == nil {
				it.open = use.OnePoint
				if it.K == 0 && use.Enter && !p.Set.Contains(it.Theta) {
					p.Set.Project(it.trial.Theta, it.Theta)
					err = it.TryAndAccept()
				} else {
					err = run.Step(it)
				}
			}
			if errors.Is(err, loss.ErrNotPSD) { // θ is outside Θ, or rounding: the best point stays
				it.broke, err = true, ErrStalled
			}
			if errors.Is(err, ErrStalled) && !it.open { // refine the bounds of this point before the error ends the run
				if again, e := it.resolveInner(&cfg); again {
					err = e
				} else if e := it.refineBounds(&cfg); e != nil {
					err = e
				}
			}
		}
	}
}

func (p *Problem) newPoint(ctx context.Context, use Requirements, threads int) *Point {
	pt := p.NewPoint()
	pt.ctx, pt.use, pt.Threads = ctx, use, threads
	return pt
}

// start evaluates the point at which a run begins. If this point is outside Θ and K(θ) is not positive semidefinite
// there, the run begins at its projection onto Θ.
func (it *Iterate) start(cfg *Settings) error {
	inside := false
	it.remake = func() {
		if cfg.Theta != nil {
			copy(it.Theta, cfg.Theta)
		} else {
			it.p.Set.Start(it.Theta)
		}
		if inside {
			it.p.Set.Project(it.Theta, it.Theta)
		}
	}
	it.remake()
	if it.use.MatrixFree {
		inside = !it.p.Set.Contains(it.Theta)
		it.remake()
		it.Gram.At(it.Theta)
		it.judge(make([]float64, len(it.p.Y)))
		return nil
	}
	var warm *Point
	if r := cfg.Start; r != nil && len(r.W) == len(it.p.Y) {
		warm = &Point{Solution: loss.Solution{W: r.W, Block: r.Block}}
	}
	it.Evals++
	err := it.Evaluate(warm, it.Tol)
	if errors.Is(err, loss.ErrNotPSD) && !it.p.Set.Contains(it.Theta) {
		inside = true
		it.remake()
		it.Evals++
		err = it.Evaluate(warm, it.Tol)
	}
	if it.inexact != nil { // the context stopped the solve: the bounds of this point are still valid
		return nil
	}
	return err
}

// updateBounds certifies a new point and updates the best bounds and Tol.
func (it *Iterate) updateBounds(cfg *Settings) error {
	before := it.Gap()
	if it.K == 0 {
		before = math.Inf(1)
	}
	if err := it.certify(false); err != nil {
		return err
	}
	// the point is first-order optimal, but this is not a proof: compute the sharp bounds, which cost more
	if math.IsInf(it.Cert.Upper, 1) || it.Cert.Residual <= cfg.Gap*math.Abs(it.Best) {
		if err := it.refineBounds(cfg); err != nil {
			return err
		}
	}
	if it.use.OnePoint || it.use.RankOne {
		it.forget()
	}
	it.Tol = math.Max(cfg.inner(it.Gap(), it.use)*it.tight, 1e-14)
	it.idle++
	if it.inexact == nil || it.Gap() < before {
		it.idle = 0
	}
	return nil
}

// certify sets Cert to the certificate of the current point, with the best lower bound so far. That bound may come from
// this point, from an earlier one or from a step.
func (it *Iterate) certify(sharp bool) error {
	c, err := it.p.Certify(it.Point, sharp)
	if err != nil {
		return err
	}
	old := it.Cert
	it.Cert = c
	if !c.Infeasible {
		it.Best = math.Min(it.Best, c.Upper)
	}
	it.Cert.TightenLower(old)
	it.Cert.TightenLower(Certificate{Kind: Global, Lower: it.Lower, By: "a step's own bound"})
	it.Lower = it.Cert.Lower
	return it.contradiction(it.Lower, it.Best, it.Cert.By)
}

// refineBounds computes the sharp bounds unless the requested gap is already proved.
func (it *Iterate) refineBounds(cfg *Settings) error {
	if it.Cert.Infeasible || it.Best-it.Lower <= cfg.Gap*math.Abs(it.Best) && !math.IsInf(it.Best, 1) {
		return nil
	}
	if !it.refined { // the rounding error or inner gap that limits the steps from here
		it.noise = it.Cert.Rounding
		if it.p.isDirect() {
			it.noise = math.Max(it.noise, it.Primal-it.Dual())
		}
	}
	err := it.certify(true)
	it.allowance = it.Cert.Rounding
	return err
}

// isDirect reports whether a factorization solves the inner problem, up to rounding.
func (p *Problem) isDirect() bool {
	return p.Loss.Traits().Smooth
}

// resolveInner solves the inner problem again, to a smaller gap, after a stall with an iterative loss. Later inner
// problems are solved to that gap too. It returns false if the inner gap does not limit the result.
func (it *Iterate) resolveInner(cfg *Settings) (bool, error) {
	if it.p.isDirect() || it.use.MatrixFree || it.inexact != nil || it.tight < 1e-4 ||
		it.Primal-it.Dual() <= cfg.Gap*math.Abs(it.Best)/10 {
		return false, nil
	}
	it.tight /= 100
	it.Tol = math.Max(it.Tol/100, 1e-14)
	it.Evals++
	return true, it.Inner(nil, it.Tol)
}

// contradiction returns an error if the bounds, which include their rounding, exclude each other.
func (pt *Point) contradiction(lower, upper float64, by string) error {
	if lower <= upper || math.IsInf(upper, 1) {
		return nil
	}
	// θ is in Θ only up to rounding, so F(θ) may be below min F by this much
	if lower-upper <= 1e-10*floats.Norm(pt.Grad(), 2)*floats.Norm(pt.Theta, 2) {
		return nil
	}
	return fmt.Errorf("%w: lower %.12g, upper %.12g (%s)", ErrContradiction, lower, upper, by)
}
