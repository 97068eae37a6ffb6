package eskl

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Measure is a quality measure of the paper: Accuracy or F. The functions below return it in percent; Score holds
// shares.
type Measure int

const (
	Accuracy Measure = iota
	F                // F₁ score of class +1
)

// percentOf returns the measure m of s in percent.
func (m Measure) percentOf(s Score) float64 { return 100 * []float64{s.Accuracy, s.F}[m] }

// ScoresOn returns the scores of a method on all splits of a set, seed after seed. With several methods, it takes in
// each split the score of the method with the best accuracy on the folds (the first one in a tie). This is the choice
// that a user could make.
func ScoresOn(all []*Scores, set string, m Measure, methods ...int) (scores []float64) {
	for _, s := range all {
		if s.Data != set {
			continue
		}
		for _, row := range s.Splits {
			best := methods[0]
			for _, k := range methods {
				if row[k].Fold > row[best].Fold {
					best = k
				}
			}
			scores = append(scores, m.percentOf(row[best]))
		}
	}
	return scores
}

// Difference returns the mean difference over all splits of a set between the scores of the methods a and of the
// methods b (see ScoresOn), with its corrected resampled interval for n_test/n_train = ¼.
func Difference(all []*Scores, set string, m Measure, a, b []int) compare.Difference {
	x := ScoresOn(all, set, m, a...)
	floats.Sub(x, ScoresOn(all, set, m, b...))
	return compare.CorrectedResampledDifference(x, 0.25)
}

// Overall returns the mean over the sets of the difference between the scores of the methods a and of the methods b,
// with its corrected resampled interval over all splits of all seeds. It also returns the p-value of Wilcoxon's
// signed-rank test over the sets, or 1 if the test is not possible. All sets must have the same number of splits.
func Overall(all []*Scores, m Measure, a, b []int) (d compare.Difference, p float64) {
	var splits []float64
	var scores [][]float64
	names := setNames(all)
	for _, set := range names {
		x, y := ScoresOn(all, set, m, a...), ScoresOn(all, set, m, b...)
		scores = append(scores, []float64{stat.Mean(x, nil), stat.Mean(y, nil)})
		if splits == nil {
			splits = make([]float64, len(x))
		}
		floats.AddScaled(splits, 1/float64(len(names)), floats.SubTo(y, x, y))
	}
	p = 1
	if r, err := compare.RankScores(names, []string{"a", "b"}, scores, true); err == nil {
		p = r.Pairs[0].P
	}
	return compare.CorrectedResampledDifference(splits, 0.25), p
}

// OverallTable shows Overall for some pairs. A pair without a name gets the names of its first methods. If both sides
// of a pair are single methods, the table also shows the difference that the paper prints.
func OverallTable(title, caption string, all []*Scores, m Measure, pairs ...Pair) viz.Figure {
	var rows [][]any
	for _, p := range pairs {
		name, printed := p.Name, "–"
		if name == "" {
			name = all[0].Methods[p.A[0]] + " less " + all[0].Methods[p.B[0]]
		}
		if len(p.A) == 1 && len(p.B) == 1 {
			printed = fmt.Sprintf("%+.1f", Printed(setNames(all), m, p.A[0], p.B[0]))
		}
		d, w := Overall(all, m, p.A, p.B)
		row := []any{name}
		for _, text := range []string{fmt.Sprintf("%+.1f", d.Mean), fmt.Sprintf("%+.1f to %+.1f", d.Lo, d.Hi),
			fmt.Sprintf("%.3f", w), printed} {
			row = append(row, strings.ReplaceAll(text, "-", "−"))
		}
		rows = append(rows, row)
	}
	return viz.Table(title, caption, []string{"difference in points", "mean over the sets", "95 % interval",
		"p over the sets", "paper"}, rows...)
}

func setNames(all []*Scores) (names []string) {
	for _, s := range all {
		if !slices.Contains(names, s.Data) {
			names = append(names, s.Data)
		}
	}
	return names
}

// WorstGap returns the largest certified relative gap of the learned kernels, and the number of these kernels.
func WorstGap(all []*Scores) (gap float64, kernels int) {
	for _, s := range all {
		for _, row := range s.Splits {
			for _, score := range row {
				if gap = max(gap, score.Gap); score.Gap > 0 {
					kernels++
				}
			}
		}
	}
	return gap, kernels
}

// Pair is a comparison of two lists of methods, as the difference A − B. See ScoresOn for lists of several methods.
type Pair struct {
	Name string
	A, B []int
}

// Gains draws the differences of pairs in points, with their intervals, for some sets. For pairs of two single methods
// it also draws the differences that the paper prints.
func Gains(title, caption string, all []*Scores, sets []string, m Measure, pairs ...Pair) viz.Figure {
	var dots []viz.Bar
	for _, p := range pairs {
		b, paper := viz.Bar{Name: p.Name, Band: "corrected 95 % interval"}, viz.Bar{Name: p.Name + ", paper"}
		for _, set := range sets {
			d := Difference(all, set, m, p.A, p.B)
			b.Values, b.Lo, b.Hi = append(b.Values, d.Mean), append(b.Lo, d.Lo), append(b.Hi, d.Hi)
			paper.Values = append(paper.Values, Printed([]string{set}, m, p.A[0], p.B[0]))
		}
		if dots = append(dots, b); len(p.A) == 1 && len(p.B) == 1 {
			dots = append(dots, paper)
		}
	}
	return viz.Dots(title, caption, sets, dots...).WithBaseline("no difference", 0).
		WithAxes("", "difference in points; right of 0 the first named is better")
}

// Table shows accuracy and F₁ of each method in percent for each set, as means over all splits. The numbers of the
// paper are in parentheses.
func Table(title, caption string, all []*Scores) viz.Figure {
	header := append([]string{"set", "score"}, all[0].Methods...)
	var rows [][]any
	for _, set := range setNames(all) {
		for _, m := range []Measure{Accuracy, F} {
			row := []any{set, []string{"accuracy", "F₁"}[m]}
			for method := range all[0].Methods {
				mean := stat.Mean(ScoresOn(all, set, m, method), nil)
				text := fmt.Sprintf("%.1f", mean)
				if paper := printedNumber(set, m, method); paper != "" {
					text += " (" + paper + ")"
				}
				row = append(row, viz.Cell{Text: text, Value: &mean})
			}
			rows = append(rows, row)
		}
	}
	return viz.Table(title, caption, header, rows...)
}

// printedNumber returns the number that the paper prints for a set, a measure and a method, or "" if it prints none.
func printedNumber(set string, m Measure, method int) string {
	if lines := printedTables[set]; lines[m] != "" {
		if number := strings.Fields(lines[m])[method]; number != "–" {
			return number
		}
	}
	return ""
}

// printedTables holds, for each set, the accuracies and the F₁ of Tables 1 to 3 in percent. The columns are the methods
// of Single, or of Multiple for names such as a.4.1. "–" stands for a method that the paper does not have.
var printedTables = map[string][2]string{
	"sonar":         {"71.5 72.5 76.5 76.5 73.0 75.5 75.5", "70.0 70.6 75.0 74.8 71.3 73.9 74.1"},
	"liver-bupa":    {"57.6 54.5 55.5 59.7 62.8 61.0 60.7", "55.4 53.8 52.9 55.8 59.1 58.9 57.5"},
	"ionosphere":    {"87.3 89.6 91.2 91.5 91.2 88.5 91.5", "87.6 89.9 91.4 91.8 91.4 88.5 91.8"},
	"pima":          {"63.9 58.7 64.4 70.2 73.5 73.3 69.8", "65.0 58.8 65.1 71.4 74.6 74.3 71.0"},
	"heart-statlog": {"73.3 63.8 75.8 76.3 78.8 78.8 76.3", "73.1 65.1 76.9 76.5 79.0 79.5 76.5"},
	"aural-sonar":   {"87.0 87.0 87.0 88.0 87.0 88.0 90.0", "86.5 86.3 86.3 87.3 86.3 87.3 89.1"},
	"a.4.1":         {"51.9 53.1 54.4 56.9 70.0 73.1 – 84.4", "67.5 68.1 68.7 69.9 77.1 78.9 – 86.5"},
	"b.1.18":        {"63.8 62.5 58.1 65.6 71.9 75.6 – 74.4", "73.9 73.1 70.7 74.7 78.6 80.6 – 78.6"},
	"b.29.1":        {"70.6 80.6 75.6 77.5 85.0 83.8 – 75.0", "55.6 76.3 67.0 70.2 83.5 82.1 – 71.0"},
	"b.40.4":        {"66.9 68.1 59.4 70.0 71.9 68.8 – 76.2", "74.8 75.4 71.1 76.7 77.3 76.3 – 78.5"},
	"c.1.8":         {"58.8 75.0 66.9 73.7 80.6 85.0 – 80.0", "29.5 65.1 50.1 62.7 74.6 80.8 – 77.9"},
	"c.3.1":         {"91.9 97.5 95.6 95.0 95.6 95.6 – 96.2", "90.9 97.4 95.4 94.7 95.2 95.4 – 96.0"},
	"c.47.1":        {"88.1 86.2 76.2 90.0 84.4 90.6 – 84.4", "85.7 87.8 81.5 88.8 85.7 90.3 – 86.4"},
	"c.67.1":        {"88.8 90.6 90.6 91.2 81.9 91.2 – 93.1", "87.2 89.6 89.6 90.3 76.8 90.3 – 92.6"},
}

// Printed returns the mean over some sets of the printed result of method a minus the printed result of method b.
func Printed(sets []string, m Measure, a, b int) (mean float64) {
	for _, set := range sets {
		var x, y float64
		fmt.Sscan(printedNumber(set, m, a), &x)
		fmt.Sscan(printedNumber(set, m, b), &y)
		mean += (x - y) / float64(len(sets))
	}
	return mean
}

// InferSampleSize returns the least n for which all accuracies that the paper prints for some sets are multiples of
// 1/n, up to the rounding of the printed decimals. If a multiple lies half way between two decimals, either of them is
// accepted.
func InferSampleSize(sets []string) (n int) {
	isMultiple := func(text string) bool {
		percent, err := strconv.ParseFloat(text, 64)
		nearest := 100 * math.Round(percent*float64(n)/100) / float64(n)
		// err is not nil for "–", which stands for a method that the paper does not have.
		return err != nil || math.Abs(percent-nearest) < 0.05+1e-9
	}
	fits := func(set string) bool {
		return !slices.ContainsFunc(strings.Fields(printedTables[set][Accuracy]),
			func(t string) bool { return !isMultiple(t) })
	}
	for n = 1; slices.ContainsFunc(sets, func(set string) bool { return !fits(set) }); n++ {
	}
	return n
}
