package mkl

import (
	"fmt"
	"math"
)

// Settings bounds a run. The zero value, and nil, stand for the defaults.
type Settings struct {
	Gap        float64 // relative gap to stop at, Upper − Lower ≤ Gap·|Upper|; if 0, 1e-6
	Iterations int     // most steps; if 0, 1000
	Start      *Result // warm start: θ, dual coefficients and block weights of an earlier result
	// Theta is where to start instead. It may lie outside Θ; an iterate outside has no upper
	// bound and is never the result's while there is one inside. Where K(θ) is not positive
	// semidefinite outside, the run starts at the projection.
	Theta []float64
	// Inner is the relative gap of the inner solver. If 0, it follows the outer gap: a tenth of
	// it, not more than the solver can work with (Requirements.Inner), and not less than a hundredth of
	// Gap or 1e-12.
	Inner float64
	// Threads is how many threads the linear algebra of the run may use. If 0, it is
	// linalg.Threads().
	Threads int
	// Watch, unless nil, is called with every iterate, the first included, which it must leave
	// alone: to show progress, or to end the run, as Stopped, by returning true. Steps overwrite
	// θ and the rest of it: it copies what it keeps.
	Watch func(*Iterate) (stop bool)
}

func (s *Settings) fill(p *Problem) (Settings, error) {
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
	case !(c.Gap > 0) || math.IsInf(c.Gap, 1):
		return c, fmt.Errorf("mkl: relative gap %g, want a finite number > 0", c.Gap)
	case c.Iterations < 0:
		return c, fmt.Errorf("mkl: at most %d iterations, want 1 or more", c.Iterations)
	case !(c.Inner >= 0) || math.IsInf(c.Inner, 1):
		return c, fmt.Errorf("mkl: inner tolerance %g, want a finite number > 0", c.Inner)
	case c.Threads < 0:
		return c, fmt.Errorf("mkl: %d threads, want 1 or more, or 0 for all", c.Threads)
	}
	if c.Theta == nil {
		return c, nil
	}
	if err := p.checkTheta(c.Theta); err != nil {
		return c, fmt.Errorf("mkl: the start: %w", err)
	}
	return c, nil
}

// exact is the inner tolerance of a step that compares values of F.
const exact = 1e-6

// inner is the tolerance of the inner solver at a relative gap (or residual, where there is no
// bound: else the gap is ∞ and the tolerance would never fall).
func (s *Settings) inner(gap float64, use Requirements) float64 {
	if s.Inner != 0 {
		return s.Inner
	}
	most := use.Inner
	if most == 0 {
		most = exact
	}
	return math.Min(most, math.Max(gap/10, math.Max(s.Gap/100, 1e-12)))
}
