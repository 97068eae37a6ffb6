package eskl

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
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

// Above shows, against the step, how far the best value so far is above a proved bound of the optimum.
func Above(title, caption string, lower float64, names []string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	for i, r := range runs {
		var c viz.Pairs
		best := 0.0
		for _, row := range r.Trace {
			if row.Iter == 0 {
				continue
			}
			if v := row.Upper/lower - 1; len(c) == 0 || v < best {
				best = v
			}
			c = append(c, [2]float64{float64(row.Iter), best})
		}
		lines = append(lines, viz.Line{Name: names[i], XYs: c})
	}
	return viz.LogLines(title, caption, lines...).WithAxes("step", "best value over the bound, less 1").WithLogX()
}

// Gaps shows the best value less the best bound, against the step.
func Gaps(title, caption string, names []string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	for i, r := range runs {
		var c viz.Pairs
		up, low := math.Inf(1), math.Inf(-1)
		for _, row := range r.Trace {
			if up, low = min(up, row.Upper), max(low, row.Lower); row.Iter > 0 {
				c = append(c, [2]float64{float64(row.Iter), up - low})
			}
		}
		lines = append(lines, viz.Line{Name: names[i], XYs: c})
	}
	return viz.LogLines(title, caption, lines...).WithAxes("step", "certified gap").WithLogX()
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

// Table is accuracies and F of several sets, mean ± standard deviation over the splits, and where kernels are learned with a
// certificate the largest relative gap of them.
func Table(title, caption string, all ...*Scores) viz.Figure {
	header := append([]string{"set", "n", "score"}, all[0].Methods...)
	var rows [][]any
	for _, s := range all {
		a, f := []any{s.Data, s.N, "accuracy"}, []any{"", "", "F"}
		for m := range s.Methods {
			x, y := s.Column(m)
			a = append(a, spread(x))
			f = append(f, spread(y))
		}
		rows = append(rows, a, f)
		g, some := []any{"", "", "gap"}, false
		for m := range s.Methods {
			gap := s.Gap(m)
			some = some || gap > 0
			cell := viz.Cell{Text: "–"}
			if gap > 0 {
				cell = viz.Cell{Text: fmt.Sprintf("%.2g %%", 100*gap), Value: &gap}
			}
			g = append(g, cell)
		}
		if some {
			rows = append(rows, g)
		}
	}
	return viz.Table(title, caption, header, rows...)
}

func spread(v []float64) viz.Cell {
	mean, sd := stat.MeanStdDev(v, nil)
	return viz.Spread(mean, sd, 1)
}
