package mkl

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Status tells how a run ended.
type Status int

const (
	NotDone        Status = iota
	Certified             // a global certificate reached the gap asked for
	Stationary            // first order only: the residual reached the gap, F may have better minima
	IterationLimit        // Settings.Iterations steps were taken
	Stalled               // the solver could make no further progress
	Stopped               // the context ended, or Settings.Watch returned true
	EvaluatedOnly         // a Rule chose θ: nothing was minimised
	InnerLimit            // the inner solver ran out of iterations again and again, or in a step that stalled
	IllConditioned        // rounding errors alone exceed the gap asked for: normalise the kernels, or take a larger λ
)

func (s Status) String() string {
	names := [...]string{"not done", "certified", "stationary", "iteration limit", "stalled", "stopped",
		"evaluated only",
		"inner solver out of iterations", "too ill-conditioned for this gap"}
	if s < 0 || int(s) >= len(names) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return names[s]
}

// Unfinished reports whether the run ended before what it was asked for was reached.
func (s Status) Unfinished() bool {
	return s == IterationLimit || s == Stalled || s == Stopped || s == NotDone || s == InnerLimit || s == IllConditioned
}

// Err is nil unless the run ended early; then it says how.
func (s Status) Err() error {
	if s.Unfinished() {
		return fmt.Errorf("mkl: the run ended early: %v", s)
	}
	return nil
}

// Result is the best point of a run and what is proved of it. It is plain data.
type Result struct {
	Solver     string    // the solver or rule, as it prints itself
	Labels     []string  // m: what each θ_k weighs; nil where θ is a matrix
	Rows, Cols int       // of the matrix that θ is, stored row by row; 0 where it is not one
	Theta      []float64 // m; in Θ unless Infeasible
	W          []float64 // n dual coefficients; n·c of several columns
	Bias       float64
	Biases     []float64 // of several columns, one each; else nil
	Block      []float64 // weights c of a block norm, else nil
	Kernel     []float64 // m: θ to predict with: Theta itself, or with Block included
	F          float64   // J(θ) + r(θ) as computed, the primal value; Lower ≤ F(θ) ≤ Upper is what is proved of it
	Certificate
	Status Status
	Trace  Trace
}

// RelativeGap is (Upper − Lower)/|Upper|; 0 if both are 0.
func (r *Result) RelativeGap() float64 { return r.Certificate.Relative() }

// Points is the number n of points.
func (r *Result) Points() int { return len(r.W) / max(len(r.Biases), 1) }

// String is one line: what was found, how it ended, what is proved.
func (r *Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: F = %.6g, %v", r.Solver, r.F, r.Status)
	if n := len(r.Trace); n > 0 {
		last := r.Trace[n-1]
		fmt.Fprintf(&b, " after %d steps, %d evaluations", last.Iter, last.Evals)
	}
	fmt.Fprintf(&b, "; %s", r.Proof())
	return b.String()
}

// Proof says what is proved, where rounding errors stand in the way what helps, and where F of the matrices as they
// were given may be larger by more than the gap, and by what the printed F shows, how much. Of a rule it says that
// weights are not learned; Certificate then tells how far F is from its minimum over the set.
func (r *Result) Proof() string {
	if r.Status == EvaluatedOnly {
		return "weights not learned"
	}
	s := r.Certificate.String()
	gap := r.Gap()
	if r.Kind == FirstOrder {
		gap = r.Residual
	}
	if !r.Infeasible && !math.IsInf(r.Upper, 1) && r.ShiftError > math.Max(gap, 1e-6*math.Abs(r.Upper)) {
		more := fmt.Sprintf("F may be %.2g larger", up(r.ShiftError, 2))
		if math.IsInf(r.ShiftError, 1) {
			more = "no bound of F is proved"
		}
		s += "; on the matrices as given, before their diagonals were raised to make them positive semidefinite " +
			"for certain, " + more
	}
	switch {
	case r.Status != IllConditioned:
	case math.IsInf(r.Upper, 1):
		s += ": normalise the kernels, or take a larger λ or a smaller C"
	case r.Rounding > r.Gap()/4:
		s += fmt.Sprintf(", of which %.2g may be rounding: normalise the kernels, or take a larger λ or a smaller C",
			r.Rounding)
	default:
		s += "; steps get lost in the rounding of F: normalise the kernels, or take a larger λ or a smaller C"
	}
	return s
}

// Row is one line of a Trace: the run after Iter steps.
type Row struct {
	Iter    int
	Evals   int     // evaluations of F so far
	F       float64 // at the iterate, as computed: the dual value (Point.F), of Subspace the primal one
	Upper   float64 // the iterate's upper bound of F
	Lower   float64 // best proved lower bound of min F so far, −Inf if none
	Elapsed time.Duration
}

// Trace is the history of a run, the starting point first.
type Trace []Row

// XYs are points of a curve.
type XYs [][2]float64

// Len returns the number of points.
func (c XYs) Len() int { return len(c) }

// XY returns point i.
func (c XYs) XY(i int) (x, y float64) { return c[i][0], c[i][1] }

// Series is points with the names of their axes, for a chart.
type Series struct {
	XYs
	XLabel, YLabel string
}

// AxisLabels returns the labels.
func (c Series) AxisLabels() (x, y string) { return c.XLabel, c.YLabel }

// Gaps is the certified gap, best Upper − Lower so far, against the step. Rows without a bound and
// gaps that are 0 to rounding are left out: the curve is for a logarithmic axis.
func (t Trace) Gaps() Series {
	c := Series{XLabel: "step", YLabel: "certified gap, F − min F at most"}
	best := math.Inf(1)
	for _, r := range t {
		best = math.Min(best, r.Upper)
		if g := best - r.Lower; g > 0 && !math.IsInf(g, 1) {
			c.XYs = append(c.XYs, [2]float64{float64(r.Iter), g})
		}
	}
	return c
}

// Objective is F against the step.
func (t Trace) Objective() Series {
	c := Series{XLabel: "step", YLabel: "objective F"}
	for _, r := range t {
		c.XYs = append(c.XYs, [2]float64{float64(r.Iter), r.F})
	}
	return c
}
