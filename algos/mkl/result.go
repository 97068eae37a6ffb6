package mkl

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// Status describes how a run ended.
type Status int

const (
	NotDone        Status = iota // the run has not ended
	Certified                    // a global certificate reached the requested gap
	Stationary                   // the relative Residual is at most the requested gap; F may have better minima
	IterationLimit               // Settings.Iterations steps were taken
	Stalled                      // the solver could make no further progress
	Stopped                      // the context ended, or Settings.Watch returned true
	EvaluatedOnly                // a Rule chose θ; F was not minimized
	InnerLimit                   // the solver of the loss ran out of iterations, in several steps or as the run stalled
	IllConditioned               // rounding alone exceeds the requested gap: normalize the kernels, or use a larger λ
)

func (s Status) String() string {
	statusNames := [...]string{"not done", "certified", "stationary", "iteration limit", "stalled", "stopped",
		"evaluated only",
		"inner solver out of iterations", "problem too ill-conditioned for the requested gap"}
	if s < 0 || int(s) >= len(statusNames) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return statusNames[s]
}

// IsUnfinished reports whether the run ended before it reached the requested gap.
func (s Status) IsUnfinished() bool {
	return s == IterationLimit || s == Stalled || s == Stopped || s == NotDone || s == InnerLimit || s == IllConditioned
}

// Err returns nil if the run reached the requested gap, and otherwise an error that gives the reason.
func (s Status) Err() error {
	if s.IsUnfinished() {
		return fmt.Errorf("mkl: the run did not reach the requested gap: %v", s)
	}
	return nil
}

// Result is the best point of a run with its certificate. It is plain data.
type Result struct {
	Solver               string    // the solver or rule, as printed by String
	ThetaLabels          []string  // names of the m parameters θ_k; nil if θ is a matrix
	ThetaRows, ThetaCols int       // shape of a matrix θ, which is stored row by row; 0 for a vector
	Theta                []float64 // θ, length m; in Θ unless Infeasible
	W                    []float64 // n dual coefficients; n·c for c columns of targets
	Bias                 float64
	Biases               []float64 // one bias for each of several columns of targets; nil for one column
	BlockWeights         []float64 // weights c of the matrices under loss.BlockNorm; nil for other losses
	PredictionTheta      []float64 // θ for predictions: Theta with each matrix multiplied by its weight in BlockWeights
	F                    float64   // J(θ) + r(θ), as computed from the primal value; Lower ≤ F(θ) ≤ Upper is proved
	Certificate
	Status Status
	Trace  Trace
}

// String returns one line with F, the status and the certificate.
func (r *Result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: F = %.6g, %v", r.Solver, r.F, r.Status)
	if n := len(r.Trace); n > 0 {
		lastRow := r.Trace[n-1]
		fmt.Fprintf(&b, " after %d steps, %d evaluations", lastRow.Iter, lastRow.Evals)
	}
	fmt.Fprintf(&b, "; %s", r.CertificateText())
	return b.String()
}

// CertificateText returns the certificate in words. If rounding prevents a proof, it names remedies. If F of the
// matrices as given, without the diagonal shift of the stored ones, may be larger by more than max(gap, 1e-6·Upper), it
// states by how much. For a rule it states that the weights were not learned; Certificate bounds F(θ) − min F.
func (r *Result) CertificateText() string {
	if r.Status == EvaluatedOnly {
		return "weights not learned"
	}
	s := r.Certificate.String()
	gap := r.Gap()
	if r.Kind == FirstOrder {
		gap = r.Residual
	}
	if !r.Infeasible && !math.IsInf(r.Upper, 1) && r.ShiftError > math.Max(gap, 1e-6*math.Abs(r.Upper)) {
		shiftNote := fmt.Sprintf("F may be %.2g larger than computed", roundUp(r.ShiftError, 2))
		if math.IsInf(r.ShiftError, 1) {
			shiftNote = "no bound of F is proved"
		}
		s += "; for the given matrices, without the diagonal shift that makes them positive semidefinite, " + shiftNote
	}
	if r.Status == IllConditioned {
		s += "; rounding hides further progress: normalize the kernels, or take a larger λ or a smaller C"
	}
	return s
}

// Row is one line of a Trace: the state of the run after Iter steps.
type Row struct {
	Iter    int
	Evals   int     // evaluations of F so far
	F       float64 // computed F of the iterate (Point.F)
	Upper   float64 // the iterate's upper bound of F
	Lower   float64 // largest lower bound of min F so far, −Inf if none
	Elapsed time.Duration
}

// Trace is the history of a run, the starting point first.
type Trace []Row

// Gaps returns the points (step, certified gap). The gap is the smallest Upper so far minus the largest
// Lower so far. It omits rows without a bound and gaps of 0, because the curve is for a logarithmic axis.
func (t Trace) Gaps() (stepsAndGaps [][2]float64) {
	bestUpper := math.Inf(1)
	for _, r := range t {
		bestUpper = math.Min(bestUpper, r.Upper)
		if g := bestUpper - r.Lower; g > 0 && !math.IsInf(g, 1) {
			stepsAndGaps = append(stepsAndGaps, [2]float64{float64(r.Iter), g})
		}
	}
	return stepsAndGaps
}
