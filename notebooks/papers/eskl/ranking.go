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

// Measure is a quality measure of the paper, the accuracy or the F₁ score. Functions that take a Measure return
// percentages; the fields of Score are from 0 to 1.
type Measure int

const (
	Accuracy Measure = iota
	F                // F₁ score of class +1
)

// scoreInPercent returns the accuracy or the F₁ score of s in percent.
func (m Measure) scoreInPercent(s Score) float64 { return 100 * []float64{s.Accuracy, s.F}[m] }

// ScoresInPercent returns the measure of a method on all splits of a set, seed after seed. With several methods, each
// split gives the measure of the method with the best mean accuracy on the folds, because this is the choice that a
// user could make, and in a tie the mean of the tied methods. Accuracies on one fold are equal numbers if as many
// points are right, so == finds these ties; means over several folds may differ by rounding.
func ScoresInPercent(results []*Scores, setName string, measure Measure, methods ...int) (scores []float64) {
	for _, s := range results {
		if s.DatasetName != setName {
			continue
		}
		for _, row := range s.Splits {
			var tied []float64 // scores of the best methods
			bestFoldAccuracy := math.Inf(-1)
			for _, k := range methods {
				if row[k].FoldAccuracy > bestFoldAccuracy {
					bestFoldAccuracy, tied = row[k].FoldAccuracy, nil
				}
				if row[k].FoldAccuracy == bestFoldAccuracy {
					tied = append(tied, measure.scoreInPercent(row[k]))
				}
			}
			scores = append(scores, stat.Mean(tied, nil))
		}
	}
	return scores
}

// PreferInTies returns results in which one method is chosen whenever it is among the best methods on the folds.
func PreferInTies(results []*Scores, method int) (preferred []*Scores) {
	for _, s := range results {
		copied := *s
		copied.Splits = nil
		for _, row := range s.Splits {
			row = slices.Clone(row)
			row[method].FoldAccuracy += 1e-9 // less than one point of a fold
			copied.Splits = append(copied.Splits, row)
		}
		preferred = append(preferred, &copied)
	}
	return preferred
}

// Difference returns how much better methodsA are than methodsB on one dataset: the mean over all splits of score A −
// score B (see ScoresInPercent), with its corrected resampled interval for n_test/n_train = ¼.
func Difference(results []*Scores, setName string, measure Measure, methodsA, methodsB []int) compare.Difference {
	x := ScoresInPercent(results, setName, measure, methodsA...)
	floats.Sub(x, ScoresInPercent(results, setName, measure, methodsB...))
	return compare.CorrectedResampledDifference(x, 0.25)
}

// Overall returns how much better methodsA are than methodsB: the mean over all sets of score A − score B (see
// ScoresInPercent), with its corrected resampled interval over all splits of all seeds. pValue is from Wilcoxon's
// signed-rank test over the sets (1 if there is only one set). All sets must have the same number of splits.
func Overall(results []*Scores, measure Measure, methodsA, methodsB []int) (meanAMinusB compare.Difference,
	pValue float64) {
	var splits []float64
	var scores [][]float64
	names := distinctSetNames(results)
	for _, set := range names {
		x, y := ScoresInPercent(results, set, measure, methodsA...), ScoresInPercent(results, set, measure, methodsB...)
		scores = append(scores, []float64{stat.Mean(x, nil), stat.Mean(y, nil)})
		if splits == nil {
			splits = make([]float64, len(x))
		}
		floats.AddScaled(splits, 1/float64(len(names)), floats.SubTo(y, x, y))
	}
	pValue = 1
	if r, err := compare.RankScores(names, []string{"a", "b"}, scores, true); err == nil {
		pValue = r.Pairs[0].P
	}
	return compare.CorrectedResampledDifference(splits, 0.25), pValue
}

// Judge states what an interval decides: a difference is "clear" if its interval excludes 0, and "not decided"
// otherwise. The difference that the paper prints is "inside" or "outside" the interval. An error of the printed
// difference is not known, and not counted.
func Judge(d compare.Difference, printed float64) (ours, printedOne string) {
	ours, printedOne = "not decided", "inside"
	if d.ExcludesZero() {
		ours = "clear"
	}
	if printed < d.Lo || printed > d.Hi {
		printedOne = "outside"
	}
	return ours, printedOne
}

// OverallTable shows, for pairs of method lists A and B, the mean of A − B over all sets, its interval and what it
// decides. A pair without a name is named after A[0] and B[0]; one with Results is compared in these. If A and B have
// one method each, the difference that the paper prints follows.
func OverallTable(title, caption string, results []*Scores, measure Measure, pairs ...Pair) viz.Figure {
	return overallTable(title, caption, results, measure, pairs, false)
}

// OverallTableWithP shows OverallTable with the p-value of Overall as the last column.
func OverallTableWithP(title, caption string, results []*Scores, measure Measure, pairs ...Pair) viz.Figure {
	return overallTable(title, caption, results, measure, pairs, true)
}

func overallTable(title, caption string, results []*Scores, measure Measure, pairs []Pair, withP bool) viz.Figure {
	header := []string{"difference in percentage points", "mean over the sets", "95 % interval", "ours is", "printed",
		"printed one is"}
	if withP {
		header = append(header, "p over the sets")
	}
	var rows [][]any
	for _, p := range pairs {
		results := results
		if p.Results != nil {
			results = p.Results
		}
		d, pValue := Overall(results, measure, p.A, p.B)
		printed, printedText := p.printedDifference(distinctSetNames(results), measure), "–"
		decided, printedOne := Judge(d, printed)
		if p.isPrinted(results[0].DatasetName) {
			printedText = withMinus("%+.1f", printed)
		} else {
			printedOne = "–"
		}
		row := []any{p.nameIn(results), viz.Cell{Text: withMinus("%+.1f", d.Mean), Value: &d.Mean},
			withMinus("%+.1f to %+.1f", d.Lo, d.Hi), decided, printedText, printedOne}
		if withP {
			row = append(row, fmt.Sprintf("%.3f", pValue))
		}
		rows = append(rows, row)
	}
	return viz.Table(title, caption, header, rows...)
}

// withMinus formats numbers as fmt.Sprintf does, with minus signs in place of hyphens.
func withMinus(format string, numbers ...any) string {
	return strings.ReplaceAll(fmt.Sprintf(format, numbers...), "-", "−")
}

// OverallChart draws, for pairs of single methods in several experiments, the mean of A − B over all sets with its
// interval, and the difference that the paper prints. It draws accuracies for Table 1 and F₁ scores for Table 3.
func OverallChart(title, caption string, experiments []string, pairs [][]Pair) viz.Figure {
	ours, paper := viz.Bar{Name: "ours", Band: "corrected 95 % interval"}, viz.Bar{Name: "the paper"}
	var names []string
	for i, experiment := range experiments {
		results, measure := Stored(experiment), F
		if experiment == "single" {
			measure = Accuracy
		}
		for _, p := range pairs[i] {
			d, _ := Overall(results, measure, p.A, p.B)
			names = append(names, p.nameIn(results))
			ours.Values, ours.Lo, ours.Hi = append(ours.Values, d.Mean), append(ours.Lo, d.Lo), append(ours.Hi, d.Hi)
			paper.Values = append(paper.Values, p.printedDifference(distinctSetNames(results), measure))
		}
	}
	return viz.Dots(title, caption, names, ours, paper).WithBaseline("no difference", 0).
		WithAxes("", "difference in percentage points; right of 0 the first named method is better")
}

func distinctSetNames(results []*Scores) (names []string) {
	for _, s := range results {
		if !slices.Contains(names, s.DatasetName) {
			names = append(names, s.DatasetName)
		}
	}
	return names
}

// WorstGap returns the largest certified relative gap of the learned kernels, and the number of these kernels.
func WorstGap(results []*Scores) (largestGap float64, learnedKernelCount int) {
	for _, s := range results {
		for _, row := range s.Splits {
			for _, score := range row {
				if largestGap = max(largestGap, score.Gap); score.Gap > 0 {
					learnedKernelCount++
				}
			}
		}
	}
	return largestGap, learnedKernelCount
}

// Pair holds two lists of methods, A and B, whose scores are compared as A − B. On each split, the score of a list is
// that of its method with the best accuracy on the folds (see ScoresInPercent).
type Pair struct {
	Name    string
	A, B    []int
	Results []*Scores // for a row of OverallTable: other results than those of the table
}

// nameIn returns the name of the pair, or one made of its first methods.
func (p Pair) nameIn(results []*Scores) string {
	if p.Name == "" {
		return results[0].Methods[p.A[0]] + " − " + results[0].Methods[p.B[0]]
	}
	return p.Name
}

// isPrinted reports whether A and B are single methods for which the paper prints results on a set.
func (p Pair) isPrinted(set string) bool {
	return len(p.A) == 1 && len(p.B) == 1 && percentInPaper(set, F, p.A[0]) != "" &&
		percentInPaper(set, F, p.B[0]) != ""
}

func (p Pair) printedDifference(sets []string, measure Measure) float64 {
	return PrintedDifference(sets, measure, p.A[0], p.B[0])
}

// Gains draws, for each set and each pair of method lists A and B, the difference A − B of their scores in percentage
// points, with its interval. If A and B contain one method each, it also draws the difference that the paper prints.
func Gains(title, caption string, results []*Scores, sets []string, measure Measure, pairs ...Pair) viz.Figure {
	var dots []viz.Bar
	for _, p := range pairs {
		ourBar, paperBar := viz.Bar{Name: p.Name, Band: "corrected 95 % interval"}, viz.Bar{Name: p.Name + ", paper"}
		for _, set := range sets {
			d := Difference(results, set, measure, p.A, p.B)
			ourBar.Values = append(ourBar.Values, d.Mean)
			ourBar.Lo, ourBar.Hi = append(ourBar.Lo, d.Lo), append(ourBar.Hi, d.Hi)
			paperBar.Values = append(paperBar.Values, p.printedDifference([]string{set}, measure))
		}
		if dots = append(dots, ourBar); p.isPrinted(sets[0]) {
			dots = append(dots, paperBar)
		}
	}
	return viz.Dots(title, caption, sets, dots...).WithBaseline("no difference", 0).
		WithAxes("", "difference in percentage points; right of 0 the first named method is better")
}

// Table shows a measure of each method in percent for each set, as means over all splits. The numbers of the paper
// are in parentheses. A method that was not run has no number of ours; without one of the paper it is left out.
func Table(title, caption string, results []*Scores, measure Measure) viz.Figure {
	header := []string{"set"}
	var methods []int // those with results of ours or of the paper
	for m, name := range results[0].Methods {
		if results[0].Splits[0][m].C > 0 || percentInPaper(results[0].DatasetName, Accuracy, m) != "" {
			header, methods = append(header, name), append(methods, m)
		}
	}
	var rows [][]any
	for _, set := range distinctSetNames(results) {
		row := []any{set}
		for _, method := range methods {
			mean := stat.Mean(ScoresInPercent(results, set, measure, method), nil)
			text := fmt.Sprintf("%.1f", mean)
			if results[0].Splits[0][method].C == 0 {
				text = "–"
			}
			if paperPercent := percentInPaper(set, measure, method); paperPercent != "" {
				text += "\u00a0(" + paperPercent + ")"
			}
			row = append(row, viz.Cell{Text: text, Value: &mean})
		}
		rows = append(rows, row)
	}
	return viz.Table(title, caption, header, rows...)
}

// percentInPaper returns the number that the paper prints for a set, a measure and a method, or "" if it prints none.
func percentInPaper(set string, measure Measure, method int) string {
	percentTexts := strings.Fields(percentsInPaper[set][measure])
	if method < len(percentTexts) && percentTexts[method] != "–" {
		return percentTexts[method]
	}
	return ""
}

// percentsInPaper holds the accuracies and F₁ scores in Tables 1 to 3 of the paper; "–": the method is missing there.
var percentsInPaper = map[string][2]string{
	// denoise, flip, shift, IndSVM, ESKL with L2, L1 and L3
	"sonar":         {"71.5 72.5 76.5 76.5 73.0 75.5 75.5", "70.0 70.6 75.0 74.8 71.3 73.9 74.1"},
	"liver-bupa":    {"57.6 54.5 55.5 59.7 62.8 61.0 60.7", "55.4 53.8 52.9 55.8 59.1 58.9 57.5"},
	"ionosphere":    {"87.3 89.6 91.2 91.5 91.2 88.5 91.5", "87.6 89.9 91.4 91.8 91.4 88.5 91.8"},
	"pima":          {"63.9 58.7 64.4 70.2 73.5 73.3 69.8", "65.0 58.8 65.1 71.4 74.6 74.3 71.0"},
	"heart-statlog": {"73.3 63.8 75.8 76.3 78.8 78.8 76.3", "73.1 65.1 76.9 76.5 79.0 79.5 76.5"},
	"aural-sonar":   {"87.0 87.0 87.0 88.0 87.0 88.0 90.0", "86.5 86.3 86.3 87.3 86.3 87.3 89.1"},
	// linear, denoise, IndSVM, SimpleMKL, ESKL with L1, EMKL with L1 and L2, REKL with L2
	"a.4.1":  {"51.9 53.1 54.4 56.9 70.0 73.1 – 84.4", "67.5 68.1 68.7 69.9 77.1 78.9 – 86.5"},
	"b.1.18": {"63.8 62.5 58.1 65.6 71.9 75.6 – 74.4", "73.9 73.1 70.7 74.7 78.6 80.6 – 78.6"},
	"b.29.1": {"70.6 80.6 75.6 77.5 85.0 83.8 – 75.0", "55.6 76.3 67.0 70.2 83.5 82.1 – 71.0"},
	"b.40.4": {"66.9 68.1 59.4 70.0 71.9 68.8 – 76.2", "74.8 75.4 71.1 76.7 77.3 76.3 – 78.5"},
	"c.1.8":  {"58.8 75.0 66.9 73.7 80.6 85.0 – 80.0", "29.5 65.1 50.1 62.7 74.6 80.8 – 77.9"},
	"c.3.1":  {"91.9 97.5 95.6 95.0 95.6 95.6 – 96.2", "90.9 97.4 95.4 94.7 95.2 95.4 – 96.0"},
	"c.47.1": {"88.1 86.2 76.2 90.0 84.4 90.6 – 84.4", "85.7 87.8 81.5 88.8 85.7 90.3 – 86.4"},
	"c.67.1": {"88.8 90.6 90.6 91.2 81.9 91.2 – 93.1", "87.2 89.6 89.6 90.3 76.8 90.3 – 92.6"},
}

// PrintedMean returns the mean, over sets of one table of the paper, of the printed result of a method. The method is
// an index in Table1Methods for sets of Table 1, and in Table3Methods for sets of Table 3.
func PrintedMean(setNames []string, measure Measure, method int) (mean float64) {
	for _, set := range setNames {
		var x float64
		fmt.Sscan(percentInPaper(set, measure, method), &x)
		mean += x / float64(len(setNames))
	}
	return mean
}

// PrintedDifference returns PrintedMean of methodA minus that of methodB.
func PrintedDifference(setNames []string, measure Measure, methodA, methodB int) float64 {
	return PrintedMean(setNames, measure, methodA) - PrintedMean(setNames, measure, methodB)
}

// InferSampleSize returns the least n for which all accuracies that the paper prints for some sets are multiples of
// 1/n, up to the rounding of the printed decimals. If a multiple lies half way between two decimals, either of them is
// accepted.
func InferSampleSize(setNames []string) (sampleSize int) {
	isMultipleOfOneOverN := func(text string) bool {
		percent, err := strconv.ParseFloat(text, 64)
		nearestMultiple := 100 * math.Round(percent*float64(sampleSize)/100) / float64(sampleSize)
		// err is not nil for "–", which stands for a method that the paper does not have.
		return err != nil || math.Abs(percent-nearestMultiple) < 0.05+1e-9
	}
	printsOnlyMultiples := func(set string) bool {
		return !slices.ContainsFunc(strings.Fields(percentsInPaper[set][Accuracy]),
			func(t string) bool { return !isMultipleOfOneOverN(t) })
	}
	for sampleSize = 1; ; sampleSize++ {
		if !slices.ContainsFunc(setNames, func(set string) bool { return !printsOnlyMultiples(set) }) {
			return sampleSize
		}
	}
}
