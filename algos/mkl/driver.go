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

// Solver is configuration only: comparable, printable, the zero value works, and one value serves
// many runs at once.
type Solver interface {
	fmt.Stringer
	// Uses says what a run asks of every point, or why p does not suit.
	Uses(p *Problem) (Use, error)
	// Start returns the state of one run on p.
	Start(p *Problem) Stepper
}

// Stepper is one run of a Solver.
type Stepper interface {
	// Step moves it, by Spare, Try and Accept. ErrStalled says that it cannot be improved. A
	// step may leave Θ: the driver looks, and such a point has no upper bound.
	Step(it *Iterate) error
}

// ErrContradiction reports a lower bound of min F above a value of F on Θ by more than rounding
// explains. Both are theorems, so something that they rest on does not hold: a Gradient that is
// not the derivative of K, a degree that is not what it is said to be, a Solution that is not
// feasible, or a K that is not positive semidefinite.
var ErrContradiction = errors.New("the bounds contradict each other beyond rounding: a gradient, a degree, a loss or a matrix is not what it is said to be")

// ErrStalled is a Step's answer when it finds no better point.
var ErrStalled = errors.New("mkl: no further progress")

// Steps yields the iterates of s on p, the starting point first, until the caller stops, the
// context ends or a step fails; the error is then yielded last. It has no stopping test of its
// own: Solve has.
func Steps(ctx context.Context, p *Problem, s Solver, settings *Settings) iter.Seq2[*Iterate, error] {
	return func(yield func(*Iterate, error) bool) {
		if err := p.Validate(); err != nil {
			yield(nil, err)
			return
		}
		m, _ := p.Grams.Dims()
		cfg, err := settings.fill(m)
		if err != nil {
			yield(nil, err)
			return
		}
		use, err := s.Uses(p)
		if err != nil {
			yield(nil, err)
			return
		}
		if cfg.Threads > 0 {
			bound := *p
			bound.Grams = p.Grams.Threads(cfg.Threads)
			p = &bound
		}
		t0 := time.Now()
		it := &Iterate{Point: p.newPoint(ctx, use, cfg.Threads), ctx: ctx,
			Best: math.Inf(1), Lower: math.Inf(-1), Tol: cfg.inner(math.Inf(1), use), swallow: math.Inf(1), tight: 1}
		begin := func() {
			if cfg.Theta != nil {
				copy(it.Theta, cfg.Theta)
			} else {
				p.Set.Start(it.Theta)
			}
		}
		if use.OnePoint {
			it.spare, it.again = it.Point, &again{begin}
		} else {
			it.spare = p.newPoint(ctx, use, cfg.Threads)
		}
		if use.RankOne {
			share(it.Point, it.spare)
		}
		begin()
		var warm *Point
		if r := cfg.Start; r != nil && len(r.W) == len(p.Y) {
			warm = &Point{Solution: loss.Solution{W: r.W, Block: r.Block}}
		}
		it.Evals++
		err = it.Evaluate(warm, it.Tol)
		if errors.Is(err, loss.ErrNotPSD) && !p.Set.Contains(it.Theta) {
			p.Set.Project(it.Theta, it.Theta)
			if it.again != nil {
				it.again = &again{func() {
					begin()
					p.Set.Project(it.Theta, it.Theta)
				}}
			}
			it.Evals++
			err = it.Evaluate(warm, it.Tol)
		}
		if it.inexact != nil {
			err = nil // cut short by the context: what the start proves holds
		}
		run := s.Start(p)
		var (
			w, block []float64 // of the point that a step begins with
			inexact  *loss.Inexact
		)
		for ; ; it.K++ {
			if err == nil {
				err = it.certify(p, &cfg)
			}
			it.Elapsed = time.Since(t0)
			if !yield(it, err) || err != nil {
				return
			}
			if err = ctx.Err(); err == nil {
				it.left = use.OnePoint
				w, block, inexact = append(w[:0], it.W...), append(block[:0], it.Block...), it.inexact
				if err = run.Step(it); err != nil && it.left {
					it.inexact = inexact
					it.settle(w, block)
				}
			}
			if errors.Is(err, loss.ErrNotPSD) { // θ outside Θ, or rounding: the best so far stays
				it.broke, err = true, ErrStalled
			}
			if errors.Is(err, ErrStalled) { // the last word on this point
				if again, e := it.tighten(p, &cfg); again {
					err = e
				} else if e := it.sharpen(p, &cfg); e != nil {
					err = e
				}
			}
		}
	}
}

func (p *Problem) newPoint(ctx context.Context, use Use, threads int) *Point {
	pt := p.NewPoint()
	pt.ctx, pt.use, pt.Threads = ctx, use, threads
	return pt
}

// certify brings the bracket up to date. Neither the newest bounds nor the last need be the best.
func (it *Iterate) certify(p *Problem, cfg *Settings) error {
	before := it.Gap()
	if it.K == 0 {
		before = math.Inf(1)
	}
	old := it.Cert
	var err error
	if it.Cert, err = p.prove(it.Point, false); err != nil {
		return err
	}
	it.merge(old)
	// first-order optimal, but not yet proved: pay for the sharp bounds
	if lost := math.IsInf(it.Cert.Upper, 1); lost || it.Cert.Residual <= cfg.Gap*math.Abs(it.Best) {
		if err := it.sharpen(p, cfg); err != nil {
			return err
		}
	}
	it.Tol = math.Max(cfg.inner(it.Gap(), it.use)*it.tight, 1e-14)
	it.idle++
	if it.inexact == nil || it.Gap() < before {
		it.idle = 0
	}
	return it.contradiction(it.Lower, it.Best, it.Cert.By)
}

// sharpen pays for the sharp bounds where the gap asked for is not proved.
func (it *Iterate) sharpen(p *Problem, cfg *Settings) error {
	if it.Cert.Outside || it.Best-it.Lower <= cfg.Gap*math.Abs(it.Best) && !math.IsInf(it.Best, 1) {
		return nil
	}
	if !it.refined { // what steps from here see
		it.noise = it.Cert.Rounding
		if p.direct() {
			it.noise = math.Max(it.noise, it.Primal-it.Dual())
		}
	}
	old := it.Cert
	var err error
	if it.Cert, err = p.prove(it.Point, true); err != nil {
		return err
	}
	it.merge(old)
	it.swallow = it.Cert.Rounding
	return it.contradiction(it.Lower, it.Best, it.Cert.By)
}

// direct reports whether the inner problem is solved by a factorisation, to rounding.
func (p *Problem) direct() bool {
	return p.Loss.Traits().Smooth
}

// tighten solves the inner problem of a point at which an iterative loss stalled, and those after it,
// to a smaller gap; it returns false where that is not what is missing.
func (it *Iterate) tighten(p *Problem, cfg *Settings) (bool, error) {
	if p.direct() || it.inexact != nil || it.tight < 1e-4 || it.Primal-it.Dual() <= cfg.Gap*math.Abs(it.Best)/10 {
		return false, nil
	}
	it.tight /= 100
	it.Tol = math.Max(it.Tol/100, 1e-14)
	it.Evals++
	return true, it.Inner(nil, it.Tol)
}

// merge makes the best bounds so far those of it and of its Cert.
func (it *Iterate) merge(old Certificate) {
	if !it.Cert.Outside {
		it.Best = math.Min(it.Best, it.Cert.Upper)
	}
	if old.Kind == Global && old.Lower >= it.Cert.Lower {
		it.Cert.Kind, it.Cert.Lower, it.Cert.By, it.Cert.below = Global, old.Lower, old.By, old.below
	}
	if it.Lower > it.Cert.Lower { // raised by a step
		it.Cert.Kind, it.Cert.Lower, it.Cert.By, it.Cert.below = Global, it.Lower, "a step's own bound", 0
	}
	it.Lower = it.Cert.Lower
	it.Cert.allow()
}

// contradiction is an error where bounds, widened by their rounding, exclude each other.
func (pt *Point) contradiction(lower, upper float64, by string) error {
	if lower <= upper || math.IsInf(upper, 1) {
		return nil
	}
	// θ is in Θ to rounding only: F may be as much below min F
	pt.slopes(true, false)
	size := pt.total(func(s part) sums {
		return sums{floats.Norm(pt.gradPart(s), 2) * floats.Norm(s.of(pt.Theta), 2)}
	})[0]
	if lower-upper <= 1e-10*size {
		return nil
	}
	return fmt.Errorf("%w: lower %.12g, upper %.12g (%s)", ErrContradiction, lower, upper, by)
}
