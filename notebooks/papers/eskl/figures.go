package eskl

import (
	"math"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

// Spectra are the eigenvalues of matrices, a panel each.
func Spectra(title, caption string, names []string, ms ...*mat.SymDense) (viz.Figure, error) {
	var values [][]float64
	for _, m := range ms {
		s, err := similarity.Decompose(m)
		if err != nil {
			return viz.Figure{}, err
		}
		values = append(values, s.Values)
	}
	return viz.Spectra(title, caption, names, values...), nil
}

// Sorted are matrices between the points of s, sorted by class.
func Sorted(s Set, title, caption string, names []string, ms ...*mat.SymDense) viz.Figure {
	return viz.Sorted(title, caption, s.Y, names, ms...)
}

// Above shows, against the step, how far the best value since the first step is above a proved bound of the optimum.
func Above(title, caption string, lower float64, names []string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	for i, r := range runs {
		lines = append(lines, bounds(names[i], r.Trace[1:], func(upper, _ float64) float64 { return upper/lower - 1 }))
	}
	return viz.LogLines(title, caption, lines...).WithAxes("step", "best value over the bound, less 1").WithLogX()
}

// Gaps shows the best value less the best bound so far, those of the start included, against the step.
func Gaps(title, caption string, names []string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	for i, r := range runs {
		lines = append(lines, bounds(names[i], r.Trace, func(upper, lower float64) float64 { return upper - lower }))
	}
	return viz.LogLines(title, caption, lines...).WithAxes("step", "certified gap").WithLogX()
}

// bounds is a number of the best bounds so far of a trace, at every step from the first, as the axis is logarithmic.
func bounds(name string, trace mkl.Trace, of func(upper, lower float64) float64) viz.Line {
	var c viz.Pairs
	upper, lower := math.Inf(1), math.Inf(-1)
	for _, row := range trace {
		if upper, lower = min(upper, row.Upper), max(lower, row.Lower); row.Iter > 0 {
			c = append(c, [2]float64{float64(row.Iter), of(upper, lower)})
		}
	}
	return viz.Line{Name: name, XYs: c}
}

// Contrast is the mean entry of m between different points of one class less that between the classes.
func Contrast(s Set, m *mat.SymDense) float64 {
	var sum, count [2]float64
	for i, a := range s.Y {
		for j, b := range s.Y {
			if i != j {
				k := 0
				if a != b {
					k = 1
				}
				sum[k], count[k] = sum[k]+m.At(i, j), count[k]+1
			}
		}
	}
	return sum[0]/count[0] - sum[1]/count[1]
}
