package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// These constants limit the weights in the table of a result, and in the line of a stopped run.
const (
	maxTableWeights   = 10
	maxStoppedWeights = 3
)

// weight is one θ_k with its name.
type weight struct {
	label string
	theta float64
}

// sortedWeights returns the weights of r by decreasing |θ_k|. Weights of equal magnitude stay in their order.
func sortedWeights(r *mkl.Result) []weight {
	w := make([]weight, len(r.Theta))
	for k, t := range r.Theta {
		w[k] = weight{fmt.Sprintf("θ%d", k+1), t}
		if k < len(r.Labels) && r.Labels[k] != "" {
			w[k].label = r.Labels[k]
		}
	}
	slices.SortStableFunc(w, func(a, b weight) int { return -cmp.Compare(math.Abs(a.theta), math.Abs(b.theta)) })
	return w
}

// Result returns the report of a run of a solver: how it ended, its certificate, a chart of the weights, and a table of
// the largest weights. If θ is a matrix, a chart of the matrix replaces both. It is an error if the shape of the matrix
// does not fit the length of θ.
func Result(x *mkl.Result) (r Report, err error) {
	r = solverReport(x)
	if x.Rows > 1 && x.Cols > 1 {
		if x.Rows*x.Cols != len(x.Theta) {
			return nil, fmt.Errorf("report: a result of %d weights for a matrix of %d × %d", len(x.Theta), x.Rows,
				x.Cols)
		}
		r.addFigures(matrixChart(x))
		return r, nil
	}
	if w := sortedWeights(x); len(w) > 0 {
		if len(w) > 1 {
			r.addFigures(resultWeightChart(x, w))
		}
		r.addFigures(weightTable(w))
	}
	return r, nil
}

// solverReport returns a sentence with the solver, F, how the run ended, and its certificate. It is a warning if the
// run did not reach the requested gap.
func solverReport(x *mkl.Result) (r Report) {
	text := fmt.Sprintf("%s: F = %s", x.Solver, viz.FormatNumber(x.F))
	if x.Status != mkl.EvaluatedOnly {
		text += fmt.Sprintf(", %v", x.Status)
	}
	if n := len(x.Trace); n > 0 {
		text += fmt.Sprintf(" after %s, %s", viz.Count(x.Trace[n-1].Iter, "step"),
			viz.Count(x.Trace[n-1].Evals, "evaluation"))
	}
	text += "; " + x.Proof() + "."
	if x.Status.Unfinished() {
		r.addWarnings(text)
	} else {
		r.addText("", text)
	}
	return r
}

// StoppedResult returns the report of a run that was stopped: how it ended, and the largest weights.
func StoppedResult(x *mkl.Result) Report {
	r := solverReport(x)
	if x.Rows > 1 && x.Cols > 1 {
		r.addText("Best so far", fmt.Sprintf("a matrix of %d × %d", x.Rows, x.Cols))
		return r
	}
	var best []string
	for _, v := range sortedWeights(x)[:min(len(x.Theta), maxStoppedWeights)] {
		best = append(best, v.label+" "+viz.FormatNumber(v.theta))
	}
	if len(x.Theta) > maxStoppedWeights {
		best = append(best, "… of "+viz.Count(len(x.Theta), "weight"))
	}
	r.addText("Best so far", strings.Join(best, ", "))
	return r
}

// matrixChart draws a θ that is a matrix. If θ has negative entries, the colors are symmetric about 0.
func matrixChart(x *mkl.Result) viz.Figure {
	rows, low := make(viz.Rows, x.Rows), 0.0
	for i := range rows {
		rows[i] = x.Theta[i*x.Cols : (i+1)*x.Cols]
		low = min(low, slices.Min(rows[i]))
	}
	title := fmt.Sprintf("θ is a matrix of %d rows and %d columns", x.Rows, x.Cols)
	caption := fmt.Sprintf("Found by %s (%v); %s.", x.Solver, x.Status, viz.Count(x.Points(), "point"))
	if low < 0 {
		return viz.Signed(title, caption, rows).WithColour("θ")
	}
	return viz.Matrix(title, caption, rows).WithColour("θ")
}

// weightTable returns a table of the largest weights. w is sorted, the largest magnitude first.
func weightTable(w []weight) viz.Figure {
	total, zeros := 0.0, 0
	for _, v := range w {
		total += math.Abs(v.theta)
		if v.theta == 0 {
			zeros++
		}
	}
	var rows [][]any
	for _, v := range w[:min(len(w), maxTableWeights)] {
		share := "–"
		if total > 0 {
			share = fmt.Sprintf("%.1f %%", 100*math.Abs(v.theta)/total)
		}
		rows = append(rows, []any{v.label, v.theta, share})
	}
	title := "The weights"
	if len(w) > maxTableWeights {
		title = fmt.Sprintf("The %d largest of %d weights", maxTableWeights, len(w))
	}
	caption := "Largest first."
	if zeros > 0 {
		caption += fmt.Sprintf(" %d of %d weights are exactly 0.", zeros, len(w))
	}
	f := viz.Table(title, caption, []string{"kernel", "θ", "share"}, rows...)
	f.Sheet.Columns[2].Help = "|θ_k| divided by the sum of all |θ|."
	return f
}

// resultWeightChart returns a bar chart of the largest weights of x. w is sorted, the largest magnitude first.
func resultWeightChart(x *mkl.Result, w []weight) viz.Figure {
	shown := w[:min(len(w), maxBars)]
	groups, values := make([]string, len(shown)), make([]float64, len(shown))
	for i, v := range shown {
		groups[i], values[i] = v.label, v.theta
	}
	total := 0.0
	for _, v := range w {
		total += v.theta
	}
	caption := fmt.Sprintf("Weights found by %s (%v), largest first", x.Solver, x.Status)
	if len(shown) < len(w) {
		caption += fmt.Sprintf(", %d of %d", len(shown), len(w))
	}
	if n := x.Points(); n > 0 {
		caption += fmt.Sprintf("; %s", viz.Count(n, "point"))
	}
	caption += ". Dashed: equal weights of the same sum."
	return viz.Bars(fmt.Sprintf("The largest weight is %s, of %s", viz.FormatNumber(w[0].theta), w[0].label), caption,
		groups, viz.Bar{Name: "learned", Values: values}).
		WithAxes("kernel", "weight θ").WithBaseline("equal weights", total/float64(len(w)))
}

// Trace returns the report of a trace: a chart of the certified gap against the step or, if no gap was certified, of F.
func Trace(t mkl.Trace) (r Report) {
	gaps, values := t.Gaps(), t.Objective()
	switch {
	case gaps.Len() > 0:
		_, last := gaps.XY(gaps.Len() - 1)
		r.addFigures(viz.LogLines("The certified gap falls to "+viz.FormatNumber(viz.Rounded(last, 2)),
			"F − min F is at most this after each step.", viz.Line{Name: "certified gap", XYs: gaps}).
			WithAxes("step", "certified gap"))
	case values.Len() > 0:
		_, last := values.XY(values.Len() - 1)
		r.addFigures(viz.Lines("The objective falls to "+viz.FormatNumber(last),
			"F after each step; no global bound was certified.", viz.Line{Name: "F", XYs: values}).
			WithAxes("step", "objective F"))
	default:
		r.addText("", "An empty trace.")
	}
	return r
}
