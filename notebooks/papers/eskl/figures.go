package eskl

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/viz"
)

// CorrectionChart draws the eigenvalues after each spectrum correction against the eigenvalues of S, for eigenvalues of
// S up to 3.
func CorrectionChart(title, caption string, s *similarity.Spectrum) viz.Figure {
	var lines []viz.Line
	for _, f := range []struct {
		name    string
		correct func(l float64) float64
	}{
		{"S", func(l float64) float64 { return l }}, {"denoise", func(l float64) float64 { return max(l, 0) }},
		{"flip", math.Abs}, {"shift", func(l float64) float64 { return l - min(s.Values[0], 0) }},
	} {
		var xy viz.Pairs
		for _, l := range s.Values {
			if l <= 3 {
				xy = append(xy, [2]float64{l, f.correct(l)})
			}
		}
		lines = append(lines, viz.Line{Name: f.name, XYs: xy})
	}
	return viz.Lines(title, caption, lines...).WithAxes("eigenvalue λ of S", "f(λ)").WithBaseline("0", 0)
}

// Excess returns the line of f/minimum − 1 against the step. f[t] is the value at step t+1.
func Excess(name string, f []float64, minimum float64) viz.Line {
	var c viz.Pairs
	for t, v := range f {
		c = append(c, [2]float64{float64(t + 1), v/minimum - 1})
	}
	return viz.Line{Name: name, XYs: c}
}

// RaceTable shows the steps, evaluations, seconds and the certified relative gap of runs. runs has one list of runs for
// each of the problems.
func RaceTable(title, caption string, problems []string, runs [][]*mkl.Result) viz.Figure {
	var rows [][]any
	for i, row := range runs {
		for _, r := range row {
			last := r.Trace[len(r.Trace)-1]
			rows = append(rows, []any{problems[i], fmt.Sprint(r.Solver), last.Iter, last.Evals,
				viz.Number(last.Elapsed.Seconds(), 2), fmt.Sprintf("%.2g", r.RelativeGap())})
		}
	}
	return viz.Table(title, caption, []string{"problem", "solver", "steps", "solutions of (10)", "seconds",
		"certified relative gap"}, rows...)
}
