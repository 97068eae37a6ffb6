package mklnb

import (
	"cmp"
	"fmt"
	"html"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// These constants limit the weights in the table of a result, in its chart, and in the line of a stopped run.
const (
	tableWeights   = 10
	chartWeights   = 25
	stoppedWeights = 3
)

// weight is one θ_k with its name.
type weight struct {
	label string
	theta float64
}

// weights returns the weights of r by decreasing |θ_k|. Equal ones stay in their order.
func weights(r *mkl.Result) []weight {
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

// ofResult returns the content that Show shows for a result: how the run ended, its certificate, and the largest
// weights.
func ofResult(r *mkl.Result) (content, error) {
	if r.Rows > 1 && r.Cols > 1 {
		if r.Rows*r.Cols != len(r.Theta) {
			return content{}, fmt.Errorf("mklnb: show: a result of %d weights for a matrix of %d × %d", len(r.Theta),
				r.Rows, r.Cols)
		}
		return content{headline(r), []viz.Figure{matrixChart(r)}}, nil
	}
	if len(r.Theta) == 0 {
		return content{page: note(r.String())}, nil
	}
	w := weights(r)
	c := content{headline(r), []viz.Figure{weightTable(w)}}
	if len(w) > 1 {
		c.figures = append(c.figures, weightChart(r, w))
	}
	return c, nil
}

// matrixChart draws a θ that is a matrix. If θ has negative entries, the colors are symmetric about 0.
func matrixChart(r *mkl.Result) viz.Figure {
	rows, low := make(viz.Rows, r.Rows), 0.0
	for i := range rows {
		rows[i] = r.Theta[i*r.Cols : (i+1)*r.Cols]
		low = min(low, slices.Min(rows[i]))
	}
	title := fmt.Sprintf("θ is a matrix of %d rows and %d columns", r.Rows, r.Cols)
	caption := fmt.Sprintf("Found by %s (%v); %s.", r.Solver, r.Status, viz.Count(r.Points(), "point"))
	if low < 0 {
		return viz.Signed(title, caption, rows).WithColour("θ")
	}
	return viz.Matrix(title, caption, rows).WithColour("θ")
}

// headline returns a result in two lines. Its bar has the color of a warning if the run is unfinished.
func headline(r *mkl.Result) page {
	first := fmt.Sprintf("%s: F = %s, %v", r.Solver, viz.FormatNumber(r.F), r.Status)
	if n := len(r.Trace); n > 0 {
		first += fmt.Sprintf(" after %s, %s", viz.Count(r.Trace[n-1].Iter, "step"),
			viz.Count(r.Trace[n-1].Evals, "evaluation"))
	}
	second := r.Proof()
	colour := "#009e73"
	if r.Status.Unfinished() {
		colour = "#b84600"
	}
	return page{text: first + "\n" + second + "\n",
		html: fmt.Sprintf(`<div class="mkl-result" style="border-left:4px solid %s;padding:2px 8px"><b>%s</b><br>%s</div>`,
			colour, html.EscapeString(first), html.EscapeString(second))}
}

func weightTable(w []weight) viz.Figure {
	total := 0.0
	for _, v := range w {
		total += math.Abs(v.theta)
	}
	var rows [][]any
	for _, v := range w[:min(len(w), tableWeights)] {
		share := "–"
		if total > 0 {
			share = fmt.Sprintf("%.1f %%", 100*math.Abs(v.theta)/total)
		}
		rows = append(rows, []any{v.label, v.theta, share})
	}
	zero := 0
	for _, v := range w {
		if v.theta == 0 {
			zero++
		}
	}
	title := "The weights"
	if len(w) > tableWeights {
		title = fmt.Sprintf("The %d largest of %d weights", tableWeights, len(w))
	}
	caption := "Share: of the sum of |θ|."
	switch {
	case zero == 1:
		caption += fmt.Sprintf(" One of %d weights is exactly 0.", len(w))
	case zero > 1:
		caption += fmt.Sprintf(" %d of %d weights are exactly 0.", zero, len(w))
	}
	return viz.Table(title, caption, []string{"kernel", "θ", "share"}, rows...)
}

func weightChart(r *mkl.Result, w []weight) viz.Figure {
	shown := w[:min(len(w), chartWeights)]
	groups, values := make([]string, len(shown)), make([]float64, len(shown))
	for i, v := range shown {
		groups[i], values[i] = v.label, v.theta
	}
	total := 0.0
	for _, v := range w {
		total += v.theta
	}
	caption := fmt.Sprintf("Weights found by %s (%v), largest first", r.Solver, r.Status)
	if len(shown) < len(w) {
		caption += fmt.Sprintf(", %d of %d", len(shown), len(w))
	}
	if n := r.Points(); n > 0 {
		caption += fmt.Sprintf("; %s", viz.Count(n, "point"))
	}
	caption += ". Dashed: equal weights of the same sum."
	return viz.Bars(fmt.Sprintf("The largest weight is %s, of %s", viz.FormatNumber(w[0].theta), w[0].label), caption,
		groups, viz.Bar{Name: "learned", Values: values}).
		WithAxes("kernel", "weight θ").WithBaseline("equal weights", total/float64(len(w)))
}

// ofStopped returns the page that Solve shows for a run that the stop button ended.
func ofStopped(r *mkl.Result) page {
	var best []string
	if r.Rows > 1 && r.Cols > 1 {
		best = append(best, fmt.Sprintf("a matrix of %d × %d", r.Rows, r.Cols))
	} else {
		for _, v := range weights(r)[:min(len(r.Theta), stoppedWeights)] {
			best = append(best, v.label+" "+viz.FormatNumber(v.theta))
		}
		if len(r.Theta) > stoppedWeights {
			best = append(best, "… of "+viz.Count(len(r.Theta), "weight"))
		}
	}
	text := "Best so far: " + strings.Join(best, ", ") // HTML would collapse separating spaces
	return headline(r).and(note(text))
}

// ofTrace returns the content that Show shows for a trace: the certified gap against the step. If no gap was certified,
// it shows F.
func ofTrace(t mkl.Trace) content {
	gaps, values := t.Gaps(), t.Objective()
	switch {
	case gaps.Len() > 0:
		_, last := gaps.XY(gaps.Len() - 1)
		return content{figures: []viz.Figure{viz.LogLines("The certified gap falls to "+
			viz.FormatNumber(viz.Rounded(last, 2)), "F − min F is at most this after each step.",
			viz.Line{Name: "certified gap", XYs: gaps}).WithAxes("step", "certified gap")}}
	case values.Len() > 0:
		_, last := values.XY(values.Len() - 1)
		return content{figures: []viz.Figure{viz.Lines("The objective falls to "+viz.FormatNumber(last),
			"F after each step; nothing global was certified.", viz.Line{Name: "F", XYs: values}).
			WithAxes("step", "objective F")}}
	}
	return content{page: note("An empty trace.")}
}
