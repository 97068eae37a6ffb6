package eskl

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/notebooks/papers/kept"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Column are accuracies and F of a method, in per cent, one of each split.
func (s *Scores) Column(method int) (accuracy, f []float64) {
	for _, row := range s.Splits {
		accuracy, f = append(accuracy, 100*row[method].Accuracy), append(f, 100*row[method].F)
	}
	return accuracy, f
}

// Gap is the largest certified relative gap of a method.
func (s *Scores) Gap(method int) (gap float64) {
	for _, row := range s.Splits {
		gap = max(gap, row[method].Gap)
	}
	return gap
}

// WorstGap is the largest gap of some methods on all sets; +Inf where one has none.
func WorstGap(all []*Scores, methods ...int) (gap float64) {
	for _, s := range all {
		for _, m := range methods {
			g := s.Gap(m)
			if g == 0 {
				g = math.Inf(1)
			}
			gap = max(gap, g)
		}
	}
	return gap
}

// Best is the method of the highest mean accuracy among some.
func (s *Scores) Best(methods []int) int {
	mean := func(method int) float64 {
		accuracy, _ := s.Column(method)
		return stat.Mean(accuracy, nil)
	}
	return slices.MaxFunc(methods, func(a, b int) int { return cmp.Compare(mean(a), mean(b)) })
}

// less are the differences of accuracy of method a less b, one for each split.
func (s *Scores) less(a, b int) []float64 {
	x, _ := s.Column(a)
	y, _ := s.Column(b)
	floats.Sub(x, y)
	return x
}

// names are the sets of some comparisons, each once.
func names(all []*Scores) (names []string) {
	for _, s := range all {
		if !slices.Contains(names, s.Data) {
			names = append(names, s.Data)
		}
	}
	return names
}

// OverSets is the difference of the mean F of method a less b over several sets, in points, that of a set its mean
// over the draws; least is the smallest of a set in one draw.
func OverSets(all []*Scores, a, b int) (d kept.Paired, least float64) {
	var differences []float64
	least = math.Inf(1)
	for _, name := range names(all) {
		var draws []float64
		for _, s := range all {
			if s.Data == name {
				_, x := s.Column(a)
				_, y := s.Column(b)
				draws = append(draws, stat.Mean(x, nil)-stat.Mean(y, nil))
			}
		}
		differences, least = append(differences, stat.Mean(draws, nil)), min(least, floats.Min(draws))
	}
	return kept.PairedOf(differences), least
}

// cell marks a difference beyond two standard errors.
func cell(d kept.Paired) viz.Cell {
	mark := ""
	switch {
	case d.Z() > 2:
		mark = " ▲"
	case d.Z() < -2:
		mark = " ▼"
	}
	text := strings.Replace(fmt.Sprintf("%+.1f ± %.1f", d.Mean, d.SE), "-", "−", 1) + mark
	return viz.Cell{Text: text, Value: &d.Mean}
}

// Ranking is, for each set and draw, the paired differences of each learned kernel less the repair that is best on
// average in that draw, and of a set of several draws over all their splits; ▲ and ▼ mark those beyond two standard
// errors. pooled are the latter, or of one draw that: the paper's ranking is that they are not below 0. learned and
// repairs are places of methods.
func Ranking(title, caption string, learned, repairs []int, all ...*Scores) (f viz.Figure, pooled []kept.Paired) {
	header := []string{"set", "points", "splits", "the best"}
	for _, m := range learned {
		header = append(header, all[0].Methods[m])
	}
	var rows [][]any
	for _, name := range names(all) {
		splits, draws, together := 0, 0, make([][]float64, len(learned))
		for _, s := range all {
			if s.Data != name {
				continue
			}
			best := s.Best(repairs)
			row := []any{name, s.N, len(s.Splits), s.Methods[best]}
			for k, m := range learned {
				d := s.less(m, best)
				together[k] = append(together[k], d...)
				row = append(row, cell(kept.PairedOf(d)))
			}
			rows = append(rows, row)
			splits, draws = splits+len(s.Splits), draws+1
		}
		row := []any{name, "all", splits, ""}
		for k := range learned {
			d := kept.PairedOf(together[k])
			pooled = append(pooled, d)
			row = append(row, viz.Strong(cell(d)))
		}
		if draws > 1 {
			rows = append(rows, row)
		}
	}
	return viz.Table(title, caption, header, rows...), pooled
}

// Clear counts differences beyond two standard errors, on either side.
func Clear(all []kept.Paired) (above, below int) {
	for _, d := range all {
		switch z := d.Z(); {
		case z > 2:
			above++
		case z < -2:
			below++
		}
	}
	return above, below
}

// Table is accuracies and F of several sets, mean ± standard deviation over the splits, and where kernels are learned
// with a certificate the largest relative gap of them.
func Table(title, caption string, all ...*Scores) viz.Figure {
	header := append([]string{"set", "n", "score"}, all[0].Methods...)
	var rows [][]any
	for _, s := range all {
		accuracy, f, gaps, some := []any{s.Data, s.N, "accuracy"}, []any{"", "", "F"}, []any{"", "", "gap"}, false
		for m := range s.Methods {
			x, y := s.Column(m)
			accuracy, f = append(accuracy, spread(x)), append(f, spread(y))
			cell, gap := viz.Cell{Text: "–"}, s.Gap(m)
			if gap > 0 {
				some, cell = true, viz.Cell{Text: fmt.Sprintf("%.2g %%", 100*gap), Value: &gap}
			}
			gaps = append(gaps, cell)
		}
		if rows = append(rows, accuracy, f); some {
			rows = append(rows, gaps)
		}
	}
	return viz.Table(title, caption, header, rows...)
}

func spread(v []float64) viz.Cell {
	mean, sd := stat.MeanStdDev(v, nil)
	return viz.Spread(mean, sd, 1)
}
