package mkl

import (
	"fmt"
	"math"
)

// Settings states where a run starts, when it ends and what it may use. The zero value and nil are the defaults.
type Settings struct {
	Gap        float64 // relative gap to stop at, Upper − Lower ≤ Gap·|Upper|; if 0, 1e-6
	Iterations int     // largest number of steps; if 0, 1000
	Start      *Result // warm start: θ, dual coefficients and block weights of an earlier result
	// Theta is the θ to start at. If nil, it is θ of Start or, without Start, the default of the set. Theta may lie
	// outside Θ. An iterate outside Θ gives no upper bound of min F. It is the result only if no iterate is in Θ. If K
	// is not positive semidefinite at Theta, the run starts at the projection of Theta onto Θ.
	Theta []float64
	// InnerGap is the relative gap to which the inner problem, the computation of J at one θ, is solved. If 0, it is a
	// tenth of the current gap of the run, but at least Gap/100 and 1e-12, and at most Requirements.MaxInnerGap.
	InnerGap float64
	// Threads is the largest number of threads for the linear algebra of the run. If 0, it is linalg.Threads().
	Threads int
	// Watch, unless nil, is called with every iterate, including the first. It may show progress, or end the run with
	// the status Stopped by returning true. It must neither modify nor keep the iterate: later steps overwrite it.
	Watch func(*Iterate) (stop bool)
}

// withDefaults returns the settings, which may be nil, with defaults for zeros, or an error for an invalid field.
func (s *Settings) withDefaults(p *Problem) (Settings, error) {
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
		return c, fmt.Errorf("mkl: Settings.Gap = %g; use a finite number > 0, or 0 for 1e-6", c.Gap)
	case c.Iterations < 0:
		return c, fmt.Errorf("mkl: Settings.Iterations = %d; use 1 or more, or 0 for 1000", c.Iterations)
	case !(c.InnerGap >= 0) || math.IsInf(c.InnerGap, 1):
		return c, fmt.Errorf("mkl: Settings.InnerGap = %g; use a finite number > 0, or 0 for the default", c.InnerGap)
	case c.Threads < 0:
		return c, fmt.Errorf("mkl: Settings.Threads = %d; use 1 or more, or 0 for all", c.Threads)
	}
	if c.Theta == nil {
		return c, nil
	}
	if err := p.checkTheta(c.Theta); err != nil {
		return c, fmt.Errorf("mkl: the starting θ: %w", err)
	}
	return c, nil
}

// defaultInner is the largest relative gap to which the loss is solved for a step that compares values of F.
const defaultInner = 1e-6

// innerTol returns the relative gap to which the loss must be solved if the run has reached the relative gap gap.
// Without a lower bound of min F, the caller passes the relative residual as gap.
func (s *Settings) innerTol(gap float64, required Requirements) float64 {
	if s.InnerGap != 0 {
		return s.InnerGap
	}
	maxInnerGap := required.MaxInnerGap
	if maxInnerGap == 0 {
		maxInnerGap = defaultInner
	}
	return math.Min(maxInnerGap, math.Max(gap/10, math.Max(s.Gap/100, 1e-12)))
}
