package mkl

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// Settings bounds a run. The zero value, and nil, stand for the defaults.
type Settings struct {
	Gap        float64 // relative gap to stop at, Upper − Lower ≤ Gap·|Upper|; if 0, 1e-6
	Iterations int     // most steps; if 0, 1000
	Start      *Result // warm start: θ and dual coefficients of an earlier result
	// Theta is where to start instead. It may lie outside Θ: the first iterate then has no upper
	// bound, and the first step leads into Θ.
	Theta []float64
	// Inner is the relative gap of the inner solver. If 0, it follows the outer gap: a hundredth
	// of it within [1e-10, 1e-6].
	Inner float64
	// Watch, unless nil, is called with every iterate, the first included, to show progress. It
	// must leave the iterate alone.
	Watch func(*Iterate)
}

func (s *Settings) fill(m int) (Settings, error) {
	var c Settings
	if s != nil {
		c = *s
	}
	if c.Gap == 0 {
		c.Gap = 1e-6
	}
	if c.Iterations == 0 {
		c.Iterations = 1000
	}
	if c.Start != nil && c.Theta == nil {
		c.Theta = c.Start.Theta
	}
	switch {
	case !(c.Gap > 0):
		return c, fmt.Errorf("mkl: relative gap %g, want > 0", c.Gap)
	case c.Iterations < 0:
		return c, fmt.Errorf("mkl: at most %d iterations, want 1 or more", c.Iterations)
	case !(c.Inner >= 0):
		return c, fmt.Errorf("mkl: inner tolerance %g, want > 0", c.Inner)
	case c.Theta != nil && len(c.Theta) != m:
		return c, fmt.Errorf("mkl: a start of %d parameters, want %d", len(c.Theta), m)
	}
	for k, v := range c.Theta {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return c, fmt.Errorf("mkl: start θ[%d] = %g, want a finite number", k, v)
		}
	}
	return c, nil
}

// inner is the tolerance of the inner solver at a relative gap (or residual, where there is no
// bound: else the gap is ∞ and the tolerance would never fall).
func (s *Settings) inner(gap float64) float64 {
	if s.Inner != 0 {
		return s.Inner
	}
	return math.Min(1e-6, math.Max(1e-10, gap/100))
}

// Iterate is what a run shows: the point, and what is proved so far.
type Iterate struct {
	*Point              // the current point; a step replaces it by a trial that it accepted
	K       int         // steps taken
	Evals   int         // evaluations of F
	Best    float64     // smallest Upper so far
	Lower   float64     // best proved lower bound of min F, −Inf if none; a step may raise it
	Cert    Certificate // of the current point, with the best Lower so far
	Tol     float64     // inner tolerance a step should ask for
	Elapsed time.Duration

	ctx     context.Context
	spare   *Point
	outside bool // the start, outside Θ
}

// Gap is the relative gap reached, Best − Lower over |Best|, or where nothing global is proved the
// relative residual.
func (it *Iterate) Gap() float64 {
	if it.Cert.Kind == FirstOrder {
		return relative(it.Cert.Residual, it.Best)
	}
	return relative(it.Best-it.Lower, it.Best)
}

// Spare is an unused Point: write its Theta, then Try.
func (it *Iterate) Spare() *Point { return it.spare }

// Try evaluates the spare at its Theta, warm from the current point. It fails with the context's
// error once that has ended, so that a line search can be stopped too.
func (it *Iterate) Try() (*Point, error) {
	if err := it.ctx.Err(); err != nil {
		return it.spare, err
	}
	it.Evals++
	return it.spare, it.spare.Evaluate(it.Point, it.Tol)
}

// Accept makes the spare, as evaluated by Try, the current point.
func (it *Iterate) Accept() { it.Point, it.spare = it.spare, it.Point }

// Solver is configuration only: comparable, printable, the zero value works, and one value serves
// many runs at once.
type Solver interface {
	fmt.Stringer
	// Uses says what a step wants of the oracle at each point, or why p does not suit.
	Uses(p *Problem) (Oracle, error)
	// Start returns the state of one run on p.
	Start(p *Problem) Stepper
}

// Stepper is one run of a Solver.
type Stepper interface {
	// Step moves it, by Spare, Try and Accept. ErrStalled says that it cannot be improved.
	Step(it *Iterate) error
}

// ErrContradiction reports a lower bound of min F above a value of F. Both are theorems, so
// something that they rest on does not hold: a family whose Gradient is not the derivative of its
// K, or whose degree is not what it says; a loss whose Solution is not feasible.
var ErrContradiction = errors.New("the bounds contradict each other, so a gradient, a degree or a loss is wrong")

// ErrStalled is a Step's answer when it finds no better point.
var ErrStalled = errors.New("mkl: no further progress")

// Steps yields the iterates of s on p, the starting point first, until the caller stops, the
// context ends or a step fails; the error is then yielded last. It has no stopping test of its
// own: Solve has.
func Steps(ctx context.Context, p *Problem, s Solver, set *Settings) iter.Seq2[*Iterate, error] {
	return func(yield func(*Iterate, error) bool) {
		if err := p.Validate(); err != nil {
			yield(nil, err)
			return
		}
		m, _ := p.Grams.Dims()
		cfg, err := set.fill(m)
		if err != nil {
			yield(nil, err)
			return
		}
		use, err := s.Uses(p)
		if err != nil {
			yield(nil, err)
			return
		}
		t0 := time.Now()
		it := &Iterate{Point: p.NewPoint(), spare: p.NewPoint(), ctx: ctx,
			Best: math.Inf(1), Lower: math.Inf(-1), Tol: cfg.inner(math.Inf(1))}
		it.Point.use, it.spare.use = use, use
		if cfg.Theta != nil {
			p.Set.Project(it.Theta, cfg.Theta)
			it.outside = floats.Distance(it.Theta, cfg.Theta, 2) > 1e-9*floats.Norm(cfg.Theta, 2)
			copy(it.Theta, cfg.Theta)
		} else {
			p.Set.Start(it.Theta)
		}
		var warm *Point
		if r := cfg.Start; r != nil && len(r.W) == len(p.Y) {
			warm = &Point{Solution: loss.Solution{W: r.W}}
		}
		it.Evals++
		err = it.Evaluate(warm, it.Tol)
		run := s.Start(p)
		for ; ; it.K++ {
			if err == nil {
				it.certify(p, &cfg)
			}
			it.Elapsed = time.Since(t0)
			if err == nil && cfg.Watch != nil {
				cfg.Watch(it)
			}
			if !yield(it, err) || err != nil {
				return
			}
			if err = ctx.Err(); err == nil {
				err = run.Step(it)
				it.outside = it.outside && err != nil
			}
		}
	}
}

// certify brings the bracket up to date. Neither the newest bounds nor the last need be the best.
func (it *Iterate) certify(p *Problem, cfg *Settings) {
	old := it.Cert
	it.Cert = p.Certify(it.Point, false)
	if it.outside {
		it.Cert.Upper = math.Inf(1)
	}
	it.Best = math.Min(it.Best, it.Cert.Upper)
	it.merge(old)
	// first-order optimal, but not yet proved: pay for the sharp bound
	if tol := cfg.Gap * math.Abs(it.Best); it.Cert.Kind == Global && it.Best-it.Lower > tol && it.Cert.Residual <= tol {
		old = it.Cert
		it.Cert = p.Certify(it.Point, true)
		it.merge(old)
	}
	it.Tol = cfg.inner(it.Gap())
}

func (it *Iterate) merge(old Certificate) {
	if old.Kind == Global && old.Lower >= it.Cert.Lower {
		it.Cert.Kind, it.Cert.Lower, it.Cert.By = Global, old.Lower, old.By
	}
	if it.Lower > it.Cert.Lower { // raised by a step
		it.Cert.Kind, it.Cert.Lower, it.Cert.By = Global, it.Lower, "a step's own bound"
	}
	it.Lower = it.Cert.Lower
}

// Solve runs s on p until the relative gap of the settings is certified or, where no global
// certificate exists, the residual is as small; or until a bound of the settings, the end of the
// context, or a stall. None of these is an error: Result.Status tells them apart, and the best
// point so far is in the Result. An error means that p is not valid or does not suit s.
func Solve(ctx context.Context, p *Problem, s Solver, set *Settings) (*Result, error) {
	r := &Result{Solver: s.String()}
	best, cfg := math.Inf(1), Settings{}
	var last *Iterate
	defer func() {
		if last != nil { // nobody sees it any more
			last.Point.release()
			last.spare.release()
		}
	}()
	for it, err := range Steps(ctx, p, s, set) {
		last = it
		switch {
		case it == nil:
			return nil, err
		case errors.Is(err, ErrStalled):
			r.Status = Stalled
		case err != nil && ctx.Err() != nil && r.Theta != nil:
			r.Status = Stopped
		case err != nil:
			return nil, fmt.Errorf("mkl: %v: %w", s, err)
		}
		if err == nil {
			if it.K == 0 { // p is valid, and so are the settings: Steps has looked
				cfg, _ = set.fill(len(it.Theta))
			}
			if it.Cert.Upper < best || r.Theta == nil {
				best = it.Cert.Upper
				r.fill(it.Point)
				r.Certificate = it.Cert
			}
			r.Trace = append(r.Trace, Row{Iter: it.K, Evals: it.Evals, F: it.F(), Upper: it.Cert.Upper, Lower: it.Lower, Elapsed: it.Elapsed})
			tol := cfg.Gap * math.Abs(best)
			switch {
			case it.Cert.Kind == Global && it.Lower-best > 1e-6*math.Abs(best): // far beyond rounding
				return nil, fmt.Errorf("mkl: %v: %w: lower %.9g, upper %.9g (%s)", s, ErrContradiction, it.Lower, best, it.Cert.By)
			case it.outside: // not done
			case it.Cert.Kind == Global && best-it.Lower <= tol:
				r.Status = Certified
			case it.Cert.Kind == FirstOrder && it.Cert.Residual <= tol:
				r.Status = Stationary
			case it.K >= cfg.Iterations:
				r.Status = IterationLimit
			}
			r.Kind, r.By, r.Lower = it.Cert.Kind, it.Cert.By, it.Lower
		}
		if r.Status != NotDone {
			break
		}
	}
	r.Labels = p.labels()
	return r, nil
}

// fill copies what pt found.
func (r *Result) fill(pt *Point) {
	r.Theta, r.W = append(r.Theta[:0], pt.Theta...), append(r.W[:0], pt.W...)
	r.Bias, r.F = pt.Bias, pt.F()
	r.Kernel = slices.Clone(r.Theta)
}

func (p *Problem) labels() []string {
	m, _ := p.Grams.Dims()
	l := make([]string, m)
	for k := range l {
		l[k] = p.Grams.Label(k)
	}
	return l
}
