package tkl

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/stat"
)

// SelectSet returns the results on the set with this name.
func SelectSet(name string, all []*Scores) []*Scores {
	return slices.DeleteFunc(slices.Clone(all), func(s *Scores) bool { return s.Data != name })
}

// isRegression reports whether the loss on the set with this name is a root mean squared error. Otherwise the loss is a
// share of wrong labels.
func isRegression(name string) bool { return name == "step" || slices.Contains(Sets["arm"], name) }

// Values returns the result of a method (given by its index) on each split of one set: the accuracy in percent, or the
// root mean squared error. scores holds the results on this set for several seeds.
func Values(scores []*Scores, method int) (v []float64) {
	for _, s := range scores {
		for _, row := range s.Splits {
			if l := row[method].Loss; isRegression(s.Data) {
				v = append(v, l)
			} else {
				v = append(v, 100*(1-l))
			}
		}
	}
	return v
}

// Difference returns the mean of a − b over the same splits of one set, for methods a and b, with its corrected
// resampled interval: in percentage points of accuracy, or in RMSE.
func Difference(scores []*Scores, a, b int) compare.Difference {
	d := Values(scores, a)
	for i, v := range Values(scores, b) {
		d[i] -= v
	}
	r := compare.CorrectedResampledDifference(d, scores[0].Ratio)
	r.Method, r.Baseline = scores[0].Methods[a], scores[0].Methods[b]
	return r
}

// CountHigher returns the number of seeds for which the mean over the splits of method a is greater than the mean of
// method b.
func CountHigher(scores []*Scores, a, b int) (count int) {
	for _, s := range scores {
		single := []*Scores{s}
		if stat.Mean(Values(single, a), nil)-stat.Mean(Values(single, b), nil) > 1e-9 {
			count++
		}
	}
	return count
}

// Table shows means and standard deviations of an experiment over all splits of all seeds. For pairs of methods it also
// shows the differences with their intervals, and the number of seeds with a positive difference.
func Table(title, caption, experiment string, pairs ...[2]int) viz.Figure {
	all := Stored(experiment)
	header := append([]string{"set"}, all[0].Methods...)
	for _, p := range pairs {
		header = append(header, all[0].Methods[p[0]]+" − "+all[0].Methods[p[1]], "above 0")
	}
	var rows [][]any
	for _, name := range Sets[experiment] {
		scores, digits := SelectSet(name, all), 1
		if isRegression(name) {
			digits = 3
		}
		row := []any{name}
		for m := range scores[0].Methods {
			mean, sd := stat.MeanStdDev(Values(scores, m), nil)
			row = append(row, viz.MeanAndSD(mean, sd, digits))
		}
		for _, p := range pairs {
			d := Difference(scores, p[0], p[1])
			row = append(row, fmt.Sprintf("%+.*f [%+.*f, %+.*f]", digits, d.Mean, digits, d.Lo, digits, d.Hi),
				fmt.Sprintf("%d of %d", CountHigher(scores, p[0], p[1]), len(scores)))
		}
		rows = append(rows, row)
	}
	return viz.Table(title, caption, header, rows...)
}

// Differences draws, for each set of the experiment classes, the accuracy of a method minus the accuracy of each of the
// others, with intervals.
func Differences(title, caption string, method int, others ...int) viz.Figure {
	all := Stored("classes")
	var dots []viz.Bar
	for _, m := range others {
		b := viz.Bar{Name: "against " + all[0].Methods[m], Band: "corrected 95 % interval"}
		for _, name := range Sets["classes"] {
			d := Difference(SelectSet(name, all), method, m)
			b.Values, b.Lo, b.Hi = append(b.Values, d.Mean), append(b.Lo, d.Lo), append(b.Hi, d.Hi)
		}
		dots = append(dots, b)
	}
	return viz.Dots(title, caption, Sets["classes"], dots...).
		WithAxes("", "difference of accuracies, points; right of 0 learned degree 1 is better").
		WithBaseline("no difference", 0)
}

// Ranking ranks the methods of the experiment classes by mean accuracy over its sets.
func Ranking(all []*Scores) (*compare.Ranking, error) {
	var scores [][]float64
	for _, name := range Sets["classes"] {
		var row []float64
		for m := range all[0].Methods {
			row = append(row, viz.RoundSignificant(stat.Mean(Values(SelectSet(name, all), m), nil), 6))
		}
		scores = append(scores, row)
	}
	return compare.RankScores(Sets["classes"], all[0].Methods, scores, true)
}

// BoundFigure draws the accuracy of degree 0 against the bound of its box, with one panel for each set: the mean, the
// smallest and the largest value over seeds, and the share of the larger class.
func BoundFigure(title, caption string) (viz.Figure, error) {
	stored := Stored("bounds")
	var panels []viz.Figure
	for _, name := range Sets["bounds"] {
		d, err := NewDraw("bounds", name, 1)
		if err != nil {
			return viz.Figure{}, err
		}
		scores := SelectSet(name, stored)
		l, y := viz.Line{Name: "degree 0", Mark: viz.MarkBoth, Band: "smallest to largest seed"}, []float64(nil)
		for b := range Bounds {
			var means []float64
			for _, s := range scores {
				means = append(means, stat.Mean(Values([]*Scores{s}, b), nil))
			}
			y = append(y, stat.Mean(means, nil))
			l.Lo, l.Hi = append(l.Lo, slices.Min(means)), append(l.Hi, slices.Max(means))
		}
		l.XYs = viz.Points{X: Bounds, Y: y}
		larger := 50 + 50*math.Abs(stat.Mean(d.Data.Y, nil)) // share of the larger class in percent: labels are ±1
		panels = append(panels, viz.Lines(fmt.Sprintf("%s, %d features", name, d.Data.Dim()), "", l).
			WithAxes("bound", "accuracy, %").WithLogX().WithBaseline("the larger class", larger))
	}
	return viz.Multiples(title, caption, 2, panels...), nil
}

// WorstGap returns the largest relative gap of the stored fits in all.
func WorstGap(all []*Scores) (gap float64) {
	for _, s := range all {
		for _, row := range s.Splits {
			for _, c := range row {
				gap = max(gap, c.Gap)
			}
		}
	}
	return gap
}
