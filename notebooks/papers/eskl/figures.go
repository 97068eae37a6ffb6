package eskl

import (
	"math"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/viz"
)

// CorrectionChart draws the eigenvalues of S up to 3 after each spectrum correction against the eigenvalues of S.
func CorrectionChart(title, caption string, s *similarity.Spectrum) viz.Figure {
	var lines []viz.Line
	for _, f := range []struct {
		name string
		of   func(l float64) float64
	}{
		{"S", func(l float64) float64 { return l }}, {"denoise", func(l float64) float64 { return max(l, 0) }},
		{"flip", math.Abs}, {"shift", func(l float64) float64 { return l - min(s.Values[0], 0) }},
	} {
		var xy viz.Pairs
		for _, l := range s.Values {
			if l <= 3 {
				xy = append(xy, [2]float64{l, f.of(l)})
			}
		}
		lines = append(lines, viz.Line{Name: f.name, XYs: xy})
	}
	return viz.Lines(title, caption, lines...).WithAxes("eigenvalue λ of S", "f(λ)").WithBaseline("0", 0)
}

// Excess returns the line of F/least − 1 of a run at every step from the first.
func Excess(name string, r *mkl.Result, least float64) viz.Line {
	var c viz.Pairs
	for _, row := range r.Trace[1:] {
		c = append(c, [2]float64{float64(row.Iter), row.F/least - 1})
	}
	return viz.Line{Name: name, XYs: c}
}

// BestChart draws the best F so far minus the minimum for several runs, and a bound.
func BestChart(title, caption string, bound, least float64, names []string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	for i, r := range runs {
		var c viz.Pairs
		for t := 1; t < len(r.Trace); t++ {
			c = append(c, [2]float64{float64(t), SmallestF(r, t) - least})
		}
		lines = append(lines, viz.Line{Name: names[i], XYs: c})
	}
	return viz.LogLines(title, caption, lines...).WithAxes("step", "best f so far less its minimum").WithLogX().
		WithBaseline("bound for T = 100", bound)
}

// GapChart draws the certified relative gap against seconds for several runs, or against steps for one run. The bounds
// of the start are included.
func GapChart(title, caption string, names []string, runs ...*mkl.Result) viz.Figure {
	axis := "seconds"
	var lines []viz.Line
	for i, r := range runs {
		var c viz.Pairs
		upper, lower := math.Inf(1), math.Inf(-1)
		for _, row := range r.Trace {
			if upper, lower = min(upper, row.Upper), max(lower, row.Lower); row.Iter > 0 {
				at := row.Elapsed.Seconds()
				if len(runs) == 1 {
					axis, at = "step", float64(row.Iter)
				}
				c = append(c, [2]float64{at, (upper - lower) / upper})
			}
		}
		lines = append(lines, viz.Line{Name: names[i], XYs: c, Mark: viz.MarkBoth})
	}
	f := viz.LogLines(title, caption, lines...).WithAxes(axis, "certified relative gap").WithBaseline("1 %", 0.01)
	if len(runs) > 1 {
		return f.WithLogX()
	}
	return f
}

// FinalExcessChart draws the final excess over the minimum of several solvers on ten problems, one dot each.
func FinalExcessChart(title, caption string, names []string, values [][]float64) viz.Figure {
	var dots []viz.Line
	for i, v := range values {
		var xy viz.Pairs
		for k, f := range v {
			xy = append(xy, [2]float64{float64(k + 1), f})
		}
		dots = append(dots, viz.Line{Name: names[i], XYs: xy, Mark: viz.MarkPoints})
	}
	return viz.LogLines(title, caption, dots...).WithAxes("problem", "f above its minimum")
}
