package tkl

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// PrintedAccuracy holds the accuracies of tessellated kernels in Table 1 of Colbert and Peet (JMLR 2020), in percent.
// That on ionosphere is of degree 0.
var PrintedAccuracy = map[string]float64{"breast-wisconsin": 97.18, "pima": 76.32, "ionosphere": 93.24,
	"liver-bupa": 72.32, "heart-statlog": 83.46}

// PrintedSimpleMKL holds the accuracies of SimpleMKL in the same table, on three sets.
var PrintedSimpleMKL = map[string]float64{"breast-wisconsin": 96.55, "pima": 76.00, "ionosphere": 92.16}

// Table1 shows the accuracies that the paper prints on its five sets, and ours: of SimpleMKL, and of a tessellated
// kernel of the printed degree, where degree 1 is the learned P in the paper's metric. Ours have half of the 95 %
// interval of the mean. It ends with the printed gain over SimpleMKL and with ours.
func Table1(title, caption string) viz.Figure {
	var rows [][]any
	for _, name := range Sets["paper"][:5] {
		printed, gain, degree, ours, simple := any("–"), any("–"), 1, Column{"paper", 1}, Column{"paper", 4}
		if name == "ionosphere" {
			degree, ours = 0, Column{"classes", Degree0}
		}
		d := DifferenceOf(name, ours, simple)
		if p, ok := PrintedSimpleMKL[name]; ok {
			printed, gain = viz.Number(p, 2), viz.Number(PrintedAccuracy[name]-p, 2)
		}
		interval := viz.Number(d.Lo, 1).Text + " to " + viz.Number(d.Hi, 1).Text
		rows = append(rows, []any{onOneLine(name), degree, printed, simple.meanWithHalf(name),
			viz.Number(PrintedAccuracy[name], 2), ours.meanWithHalf(name), gain,
			onOneLine(viz.Number(d.Mean, 1).Text + " (" + interval + ")")})
	}
	header := []string{"set", "degree", "SimpleMKL, printed", "ours", "tessellated, printed", "ours", "gain, printed",
		"ours, 95 % interval"}
	return viz.Table(title, caption, header, rows...)
}

// SelectSet returns the results on the dataset with this name.
func SelectSet(setName string, results []*Scores) []*Scores {
	return slices.DeleteFunc(slices.Clone(results), func(s *Scores) bool { return s.DatasetName != setName })
}

// isRegression reports whether the loss on the set with this name is a root mean squared error. Otherwise the loss is a
// share of wrong labels.
func isRegression(setName string) bool {
	return setName == "step" || slices.Contains(Sets["arm"], setName)
}

// MethodScores returns the result of a method (given by its index) on each split of one set: the accuracy in percent,
// or the root mean squared error. results holds the results on this set for several seeds.
func MethodScores(results []*Scores, method int) (values []float64) {
	for _, s := range results {
		for _, row := range s.Splits {
			if l := row[method].Loss; isRegression(s.DatasetName) {
				values = append(values, l)
			} else {
				values = append(values, 100*(1-l))
			}
		}
	}
	return values
}

// Difference returns the mean over the splits of one dataset of the score of methodA minus that of methodB, in
// percentage points of accuracy or in RMSE, with its corrected resampled interval.
func Difference(results []*Scores, methodA, methodB int) (aMinusB compare.Difference) {
	return difference(results, methodA, results, methodB)
}

// Column is a method of an experiment, given by its index.
type Column struct {
	Experiment string
	Method     int
}

// on returns the results of the column's experiment on one set.
func (c Column) on(setName string) []*Scores { return SelectSet(setName, Stored(c.Experiment)) }

// scores returns the scores of the column on one set, in the order of seeds and splits.
func (c Column) scores(setName string) []float64 { return MethodScores(c.on(setName), c.Method) }

// meanWithHalf returns the mean score of the column on one set, and half of its corrected 95 % interval.
func (c Column) meanWithHalf(setName string) viz.Cell {
	d := compare.CorrectedResampledDifference(c.scores(setName), c.on(setName)[0].Ratio)
	return viz.MeanAndSD(d.Mean, d.Hi-d.Mean, 1)
}

// DifferenceOf is the Difference of a and b on one set. Their experiments must have the same splits of the set.
func DifferenceOf(setName string, a, b Column) (aMinusB compare.Difference) {
	return difference(a.on(setName), a.Method, b.on(setName), b.Method)
}

// difference is the Difference of a method of resultsA and a method of resultsB, on the same splits of one dataset.
func difference(resultsA []*Scores, methodA int, resultsB []*Scores, methodB int) (aMinusB compare.Difference) {
	d := MethodScores(resultsA, methodA)
	floats.Sub(d, MethodScores(resultsB, methodB))
	r := compare.CorrectedResampledDifference(d, resultsA[0].Ratio)
	r.Method, r.Baseline = resultsA[0].Methods[methodA], resultsB[0].Methods[methodB]
	return r
}

// SmallBoundsTable shows the mean accuracy in the paper's metric with the nine Bounds and with SmallBounds too, on each
// set of the experiment "identity"; "–" if an experiment does not have the set.
func SmallBoundsTable(title, caption string) viz.Figure {
	header := []string{"set", "P = I, 9 bounds", "12 bounds", "learned, 9 bounds", "12 bounds",
		"one step, shuffled, 9 bounds", "12 bounds"}
	return meansTable(title, caption, Sets["identity"], header, Column{"paper", 0}, Column{"identity", 0},
		Column{"paper", 1}, Column{"small", 1}, Column{"paper", 2}, Column{"small", 2})
}

// MinimumTable shows the mean accuracy in the paper's metric, with SmallBounds too: of P = I, of P learned to a gap of
// 2 %, of minimumWithoutCorners from the true and from shuffled targets, and of ShuffledStep.
func MinimumTable(title, caption string) viz.Figure {
	header := []string{"set", "P = I", "learned, gap 2 %", "learned, minimum", "shuffled, minimum",
		"shuffled, one step"}
	return meansTable(title, caption, Sets["minimum"], header, Column{"small", 0}, Column{"small", 1},
		Column{"minimum", 0}, Column{"minimum", 1}, Column{"small", 2})
}

// meansTable shows the mean score of each column on each set, or "–" if the experiment does not have the set.
func meansTable(title, caption string, sets, header []string, columns ...Column) viz.Figure {
	var rows [][]any
	for _, name := range sets {
		row := []any{onOneLine(name)}
		for _, c := range columns {
			if slices.Contains(Sets[c.Experiment], name) {
				row = append(row, viz.Number(stat.Mean(c.scores(name), nil), 1))
			} else {
				row = append(row, "–")
			}
		}
		rows = append(rows, row)
	}
	return viz.Table(title, caption, header, rows...)
}

// CountSeedsHigher returns the number of seeds for which the mean accuracy or RMSE of methodA is above that of methodB.
func CountSeedsHigher(results []*Scores, methodA, methodB int) (seedsWithAHigher int) {
	for _, s := range results {
		result := []*Scores{s}
		if stat.Mean(MethodScores(result, methodA), nil)-stat.Mean(MethodScores(result, methodB), nil) > 1e-9 {
			seedsWithAHigher++
		}
	}
	return seedsWithAHigher
}

// decimalsOf returns the number of decimals of accuracies in percent, or of root mean squared errors.
func decimalsOf(setName string) int {
	if isRegression(setName) {
		return 3
	}
	return 1
}

// onOneLine returns a name that does not break in a table.
func onOneLine(name string) string { return strings.ReplaceAll(name, " ", "\u00a0") }

// Levels shows the mean and the standard deviation of each method on each set of an experiment, over all splits of all
// seeds.
func Levels(title, caption, experiment string) viz.Figure {
	results := Stored(experiment)
	var rows [][]any
	for _, name := range Sets[experiment] {
		row := []any{onOneLine(name)}
		for m := range results[0].Methods {
			mean, sd := stat.MeanStdDev(MethodScores(SelectSet(name, results), m), nil)
			row = append(row, viz.MeanAndSD(mean, sd, decimalsOf(name)))
		}
		rows = append(rows, row)
	}
	return viz.Table(title, caption, append([]string{"set"}, results[0].Methods...), rows...)
}

// Gains shows the mean difference of a method to each baseline on each set of an experiment, with its interval and the
// number of seeds in which the method has the larger accuracy or the smaller error. Methods are given by their names.
func Gains(title, caption, experiment, method string, baselines ...string) viz.Figure {
	results := Stored(experiment)
	var rows [][]any
	a := slices.Index(results[0].Methods, method)
	for _, baseline := range baselines {
		pair, b := method+" − "+baseline, slices.Index(results[0].Methods, baseline)
		for _, name := range Sets[experiment] {
			onSet, decimals := SelectSet(name, results), decimalsOf(name)
			better := CountSeedsHigher(onSet, a, b)
			if isRegression(name) {
				better = CountSeedsHigher(onSet, b, a)
			}
			if experiment == "arm" {
				decimals = 5 // one end of an interval is 0.00004
			}
			d := Difference(onSet, a, b)
			lo, hi := viz.Number(d.Lo, decimals).Text, viz.Number(d.Hi, decimals).Text
			interval := lo + "\u00a0to\u00a0" + hi
			rows = append(rows, []any{pair, onOneLine(name), viz.Number(d.Mean, decimals), interval,
				fmt.Sprintf("%d of %d", better, len(onSet))})
			pair = ""
		}
	}
	header := []string{"difference", "set", "mean", "95 % interval", "seeds in which the first is better"}
	return viz.Table(title, caption, header, rows...)
}

// Differences draws, for each set of the experiment "classes", the accuracy of learned degree 1 minus the accuracy of
// each other method, with intervals. Methods are given by their indices.
func Differences(title, caption string, others ...int) viz.Figure {
	results := Stored("classes")
	var dots []viz.Bar
	for _, m := range others {
		b := viz.Bar{Name: "against " + results[0].Methods[m], Band: "corrected resampled 95 % interval"}
		for _, name := range Sets["classes"] {
			d := Difference(SelectSet(name, results), LearnedDegree1, m)
			b.Values, b.Lo, b.Hi = append(b.Values, d.Mean), append(b.Lo, d.Lo), append(b.Hi, d.Hi)
		}
		dots = append(dots, b)
	}
	return viz.Dots(title, caption, Sets["classes"], dots...).
		WithAxes("", "difference of accuracy in percentage points; right of 0 the learned P is better").
		WithBaseline("no difference", 0)
}

// PValues returns the p-value of the difference of two methods on each set of an experiment.
func PValues(experiment string, methodA, methodB int) (ofSets []float64) {
	for _, name := range Sets[experiment] {
		ofSets = append(ofSets, Difference(SelectSet(name, Stored(experiment)), methodA, methodB).PValue())
	}
	return ofSets
}

// BoundFigure draws the accuracy of degree 0 against the distance by which its box extends beyond the points, with one
// panel for each set: the mean, the smallest and the largest value over seeds, and the share of the larger class.
func BoundFigure(title, caption string) (viz.Figure, error) {
	stored := Stored("bounds")
	var panels []viz.Figure
	for _, name := range Sets["bounds"] {
		d, err := NewDraw("bounds", name, 1)
		if err != nil {
			return viz.Figure{}, err
		}
		scores := SelectSet(name, stored)
		l, y := viz.Line{Name: "degree 0", Mark: viz.MarkBoth, Band: "range over the seeds"}, []float64(nil)
		for b := range Bounds {
			var means []float64
			for _, s := range scores {
				means = append(means, stat.Mean(MethodScores([]*Scores{s}, b), nil))
			}
			y = append(y, stat.Mean(means, nil))
			l.Lo, l.Hi = append(l.Lo, slices.Min(means)), append(l.Hi, slices.Max(means))
		}
		l.XYs = viz.Points{X: Bounds, Y: y}
		largerClassPercent := 50 + 50*math.Abs(stat.Mean(d.Data.Y, nil)) // because labels are ±1
		panels = append(panels, viz.Lines(fmt.Sprintf("%s, %d features", name, d.Data.Dim()), "", l).
			WithAxes("bound", "accuracy, %").WithLogX().WithBaseline("the larger class", largerClassPercent))
	}
	return viz.Multiples(title, caption, 2, panels...), nil
}

// WorstGap returns the largest relative gap of all learned kernels in results.
func WorstGap(results []*Scores) (largestGap float64) {
	for _, s := range results {
		for _, row := range s.Splits {
			for _, c := range row {
				largestGap = max(largestGap, c.Gap)
			}
		}
	}
	return largestGap
}
