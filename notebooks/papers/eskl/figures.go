package eskl

import (
	"fmt"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Spectra are the eigenvalues of matrices, ascending, one curve each.
func Spectra(title, caption string, names []string, ms ...*mat.SymDense) (viz.Figure, error) {
	var lines []viz.Line
	for i, m := range ms {
		s, err := similarity.Decompose(m)
		if err != nil {
			return viz.Figure{}, err
		}
		lines = append(lines, viz.Line{Name: names[i], XYs: viz.Values(s.Values)})
	}
	return viz.Lines(title, caption, lines...).WithAxes("number of the eigenvalue", "eigenvalue").WithBaseline("0", 0), nil
}

// Sorted are matrices between the points, sorted by class: a block for each class is what a machine can use.
func Sorted(s Set, title, caption string, names []string, ms ...*mat.SymDense) viz.Figure {
	rows := s.sorted()
	var panels []viz.Figure
	for i, m := range ms {
		panels = append(panels, viz.Signed(names[i], "", part(m, rows, rows)).WithColour("entry"))
	}
	return viz.Multiples(title, caption, 3, panels...)
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

// Bounds shows the proved interval of the optimum against the step.
func Bounds(title, caption string, names []string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	for i, r := range runs {
		var up, low viz.Pairs
		for _, row := range r.Trace {
			if row.Iter > 0 {
				x := float64(row.Iter)
				up, low = append(up, [2]float64{x, row.Upper}), append(low, [2]float64{x, row.Lower})
			}
		}
		lines = append(lines, viz.Line{Name: names[i] + ", value", XYs: up}, viz.Line{Name: names[i] + ", bound", XYs: low})
	}
	return viz.Lines(title, caption, lines...).WithAxes("step", "F and its proved bound").WithLogX()
}

// Table is accuracies and F of several sets, mean ± standard deviation over the splits.
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
	}
	return viz.Table(title, caption, header, rows...)
}

func spread(v []float64) viz.Cell {
	mean, sd := stat.MeanStdDev(v, nil)
	return viz.Spread(mean, sd, 1)
}

// Ranking is, for each set, the paired difference of each learned kernel less the best repair on average, with its standard
// error, and the differences in standard errors: the paper's ranking is that they are not below 0. learned are numbers of methods, repairs too.
func Ranking(title, caption string, learned, repairs []int, all ...*Scores) (f viz.Figure, ratios []float64) {
	header := []string{"set", "best repair"}
	for _, m := range learned {
		header = append(header, all[0].Methods[m])
	}
	var rows [][]any
	for _, s := range all {
		best, top := repairs[0], 0.0
		for _, m := range repairs {
			x, _ := s.Column(m)
			if mean := stat.Mean(x, nil); mean > top {
				best, top = m, mean
			}
		}
		row := []any{s.Data, s.Methods[best]}
		for _, m := range learned {
			mean, se := s.Less(m, best)
			row = append(row, viz.Cell{Text: fmt.Sprintf("%+.1f ± %.1f", mean, se), Value: &mean})
			ratios = append(ratios, mean/max(se, 1e-9))
		}
		rows = append(rows, row)
	}
	return viz.Table(title, caption, header, rows...), ratios
}

// Clear counts differences beyond two standard errors, on either side.
func Clear(ratios []float64) (above, below int) {
	for _, z := range ratios {
		switch {
		case z > 2:
			above++
		case z < -2:
			below++
		}
	}
	return above, below
}
