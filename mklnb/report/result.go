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
// the largest weights. If θ is a matrix, the report has neither.
func Result(x *mkl.Result) Report {
	r, w := solverReport(x), sortedWeights(x)
	if x.Rows > 1 && x.Cols > 1 || len(w) == 0 {
		return r
	}
	if len(w) > 1 {
		r.addFigures(resultWeightChart(x, w))
	}
	r.addFigures(weightTable(w))
	return r
}

// solverReport returns a sentence with the solver, F, how the run ended, and its certificate. It is a warning if the
// run did not reach the requested gap.
func solverReport(x *mkl.Result) (r Report) {
	solver := x.Solver
	if w := sortedWeights(x); x.Status == mkl.EvaluatedOnly && len(w) > 1 && w[0].theta != 0 && w[1].theta == 0 {
		solver = "only " + w[0].label
	}
	text := fmt.Sprintf("%s: training objective F = %s", solver, viz.FormatNumber(x.F))
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
