package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// oneSplitText is the statement about a comparison on one split, which has no interval.
const oneSplitText = "One split decides nothing"

// Table returns the report of a comparison: a table of the errors, whose title is the finding; a chart of the errors;
// and a folded section with the other metrics, the hyperparameters and the certificates. If there are several targets,
// each has its own table and chart.
func Table(t *compare.Table) (r Report) {
	if len(t.Rows) == 0 {
		r.addWarnings(t.Data + ": the run was stopped before there was a result. Run it again: it continues from " +
			"there.")
		return r
	}
	if t.Stopped {
		r.addWarnings("The run was stopped. Run it again: it continues from there.")
	}
	for _, targetTable := range t.ByTarget() {
		r.addFigures(Comparison(targetTable))
		if f, ok := comparisonChart(targetTable); ok {
			r.addFigures(f)
		}
	}
	r.addFolded("All metrics, hyperparameters, certificates and times", tableDetails(t))
	return r
}

// finishedSplits returns the number of finished splits of each method in words.
func finishedSplits(t *compare.Table) string {
	var parts []string
	for _, r := range t.Rows {
		parts = append(parts, fmt.Sprintf("%s %d", r.Method, len(r.Runs)))
	}
	return fmt.Sprintf("splits finished of %d: %s", t.Splits, strings.Join(parts, ", "))
}

// countRangeText returns "103 to 108", or one number if lo and hi are equal.
func countRangeText(lo, hi int) string {
	if lo == hi {
		return fmt.Sprint(lo)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}

// radiusNote explains Λ if the labels of choices contain it. It returns "" otherwise.
func radiusNote(labels string) string {
	if strings.Contains(labels, "Λ=") {
		return " Λ bounds the distance of the weights from uniform weights."
	}
	return ""
}

// comparisonCaption returns a sentence with the dataset, the number and sizes of the splits, and the seed.
func comparisonCaption(t *compare.Table) string {
	minTest, maxTest := t.Test, t.Test // test points
	for _, r := range t.Rows {
		for _, run := range r.Runs {
			minTest, maxTest = min(minTest, run.Score.N), max(maxTest, run.Score.N)
		}
	}
	train := countRangeText(t.Points-maxTest, t.Points-minTest)
	if t.Train+t.Test != t.Points {
		train = fmt.Sprint(t.Train)
	}
	return fmt.Sprintf("%s: %s of %d points into %s training and %s test points, seed %d.", t.Data,
		viz.Count(t.Splits, "split"), t.Points, train, countRangeText(minTest, maxTest), t.Seed)
}

// Comparison returns the table of a comparison: the error of each method (mean ± standard deviation over splits), the
// paired difference of its error to the baseline, and the kernel or bound that most splits chose.
func Comparison(t *compare.Table) viz.Figure {
	m := errorMetric(t)
	best := bestMethods(t, m)
	if hasOneSplit(t, m) {
		best = nil
	}
	var rows [][]any
	allLabels := ""
	for i := range t.Rows {
		r := &t.Rows[i]
		c := summaryCell(t, r.Method, m, metricCell)
		if slices.Contains(best, r.Method) {
			c = viz.Emphasize(c)
		}
		label := choiceText(r)
		allLabels += label
		difference := "–"
		if d := t.Compare(r.Method, "", m); r.Method != t.Baseline && d.N > 0 {
			difference = strings.ReplaceAll(differenceText(d), ", ", ",\u00a0") // the interval stays on one line
		}
		rows = append(rows, []any{r.Method, c, difference, cmp.Or(label, "–")})
	}
	header := []string{"method", string(m) + " ± SD", "difference to " + t.Baseline + " [95 % interval]",
		"most frequent choice of the splits"}
	if m == compare.ErrorRate {
		header[1] += ", %"
		header[2] += ", percentage points"
	}
	if len(rows) == 0 {
		rows = [][]any{{"nothing finished", "–", "–", "–"}}
	}
	caption := "SD: standard deviation over the splits. Clear: the interval does not contain 0. " +
		comparisonCaption(t)
	if t.Stopped {
		caption += " " + viz.Capitalize(finishedSplits(t)) + "."
	}
	if len(t.Row(learn.SelectedName).Runs) > 0 {
		caption += fmt.Sprintf(" Uniform: equal weights for all kernels. Best single: one kernel. Learned: weights "+
			"that minimize the training objective. %s: the method that Learn chooses by cross-validation inside each "+
			"training part.", viz.Capitalize(learn.SelectedName))
	}
	caption += radiusNote(allLabels)
	f := viz.Table(comparisonFinding(t, m), caption, header, rows...)
	f.Sheet.Columns[1].Help = "Mean and standard deviation over the test parts of the splits."
	f.Sheet.Columns[2].Help = "Mean over splits of the paired difference, with its 95 % interval (corrected " +
		"resampled t-test of Nadeau and Bengio). Below 0: the method has a smaller error. An interval with 0 " +
		"decides nothing."
	f.Sheet.Columns[3].Help = "The kernel or bound that most splits chose. λ or C is in the folded part."
	if hasOneSplit(t, m) {
		f.Caption += " " + oneSplitText + ": there are no standard deviations and no intervals."
	}
	return f
}

// summaryCell returns a cell with the mean of a metric of a method over splits and its standard deviation. The function
// format makes the cell. If there is one split, summaryCell passes NaN as the standard deviation.
func summaryCell(t *compare.Table, method string, m compare.Metric,
	format func(m compare.Metric, mean, sd float64) viz.Cell) viz.Cell {
	switch s := t.Summary(method, m); s.N {
	case 0:
		return viz.Cell{Text: "–"}
	case 1:
		return format(m, s.Mean, math.NaN())
	default:
		return format(m, s.Mean, s.SD)
	}
}

// choiceText returns the most frequent label of the choices and the number of splits that chose it: "Λ=2 (4 of 10)". It
// returns "" if there was nothing to choose.
func choiceText(r *compare.Row) string {
	label, times := r.Label()
	if label == "" {
		return ""
	}
	return fmt.Sprintf("%s (%d of %d)", label, times, len(r.Runs))
}

// chosenText returns the median, over splits, of the chosen values of the hyperparameter, with the smallest and the
// largest value, and the most frequent label of the other choices, with the number of splits that chose it.
func chosenText(r *compare.Row) string {
	var parts []string
	if len(r.Runs) > 0 && r.Runs[0].Hyperparameter != "" && r.Method != compare.ConstantBaseline {
		median, lo, hi := r.Value()
		value := fmt.Sprintf("%s = %.3g", r.Runs[0].Hyperparameter, median)
		if lo != hi {
			value += fmt.Sprintf(" [%.3g, %.3g]", lo, hi)
		}
		parts = append(parts, value)
	}
	if label := choiceText(r); label != "" {
		parts = append(parts, label)
	}
	if parts == nil {
		return "–"
	}
	return strings.Join(parts, ", ")
}

// tableDetails returns a table of the metrics except the error rate, a table of the hyperparameters, certificates and
// times, and the notes of t.
func tableDetails(t *compare.Table) (r Report) {
	metrics := slices.DeleteFunc(t.Metrics(), func(m compare.Metric) bool { return m == compare.ErrorRate })
	for part := range slices.Chunk(metrics, 3) {
		header := []string{"method"}
		for _, m := range part {
			header = append(header, string(m))
		}
		var rows [][]any
		for _, row := range t.Rows {
			cells := []any{row.Method}
			for _, m := range part {
				cells = append(cells, summaryCell(t, row.Method, m,
					func(_ compare.Metric, mean, sd float64) viz.Cell { return meanAndSDCell(mean, sd) }))
			}
			rows = append(rows, cells)
		}
		r.addFigures(viz.Table(viz.Capitalize(strings.Join(header[1:], ", "))+" on the test parts",
			"Mean ± standard deviation over splits.", header, rows...))
	}
	var rows [][]any
	for i := range t.Rows {
		r, seconds := &t.Rows[i], 0.0
		for _, run := range r.Runs {
			seconds += run.Seconds / float64(len(r.Runs))
		}
		rows = append(rows, []any{r.Method, chosenText(r), certificateText(r), fmt.Sprintf("%.2g", seconds)})
	}
	f := viz.Table("Hyperparameters, certificates and times",
		"Chosen: median of the values [smallest, largest], then the most frequent other choice.",
		[]string{"method", "chosen in the splits", "relative gap", "s per fit"}, rows...)
	f.Sheet.Columns[2].Help = "The largest certified (F − min F)/F over the splits."
	f.Sheet.Columns[3].Help = "Seconds of a fit and its score, without the choice of hyperparameters."
	if !t.Certified() {
		f.Caption += " Not every solve is certified to be a global minimum: see the column of gaps."
	}
	r.addFigures(f)
	for _, n := range t.Notes {
		r.addText("", n)
	}
	return r
}

// certificateText returns the largest certified relative gap over the splits of a method, or the reason why there is
// none, in words.
func certificateText(r *compare.Row) string {
	switch gap, status := r.MaxGap(); status {
	case mkl.Certified:
		return fmt.Sprintf("≤ %.1e", gap)
	case mkl.EvaluatedOnly:
		return "–"
	case mkl.Stationary:
		return "first order only"
	case mkl.NotDone:
		return "nothing finished"
	default:
		return fmt.Sprintf("not certified (%v)", status)
	}
}

// bestRowIndex returns the index of the row with the smallest mean of the metric, or −1 if no split was finished.
func bestRowIndex(t *compare.Table, m compare.Metric) int {
	best, smallest := -1, math.Inf(1)
	for i, r := range t.Rows {
		if s := t.Summary(r.Method, m); s.N > 0 && s.Mean < smallest {
			best, smallest = i, s.Mean
		}
	}
	return best
}

// bestMethods returns the methods whose mean of the metric, rounded as in the table, is the smallest.
func bestMethods(t *compare.Table, m compare.Metric) (best []string) {
	i := bestRowIndex(t, m)
	if i < 0 {
		return nil
	}
	roundedText := func(method string) string { return metricCell(m, t.Summary(method, m).Mean, math.NaN()).Text }
	for _, r := range t.Rows {
		if t.Summary(r.Method, m).N > 0 && roundedText(r.Method) == roundedText(t.Rows[i].Method) {
			best = append(best, r.Method)
		}
	}
	return best
}

// comparisonFinding returns a sentence without a period. It names the best methods, whose mean of the metric is the
// smallest, and the methods that are clearly worse than all best methods.
func comparisonFinding(t *compare.Table, m compare.Metric) string {
	best := bestMethods(t, m)
	if best == nil {
		return "No split was finished"
	}
	if hasOneSplit(t, m) {
		return fmt.Sprintf("%s about the %s on %s", oneSplitText, m, t.Data)
	}
	var worse []string
	otherCount := 0
	for _, r := range t.Rows {
		if t.Summary(r.Method, m).N == 0 || slices.Contains(best, r.Method) {
			continue
		}
		otherCount++
		if !slices.ContainsFunc(best, func(b string) bool { return !t.Compare(b, r.Method, m).ExcludesZero() }) {
			worse = append(worse, r.Method)
		}
	}
	names, verb := viz.Capitalize(viz.JoinNames(best)), "has"
	if len(best) > 1 {
		verb = "have"
	}
	switch n := len(worse); {
	case otherCount == 0 && len(best) == 1:
		return fmt.Sprintf("%s has a mean %s of %s on %s", names, m, formatValues(m, t.Summary(best[0], m).Mean)[0],
			t.Data)
	case otherCount == 0:
		return fmt.Sprintf("%s have equal mean %ss on %s", names, m, t.Data)
	case n == otherCount:
		return fmt.Sprintf("%s clearly %s the smallest mean %s on %s", names, verb, m, t.Data)
	case n == 0:
		names += fmt.Sprintf(" %s the smallest mean %s on %s; no other method is clearly worse", verb, m, t.Data)
	case n == 1:
		names += fmt.Sprintf(" %s the smallest mean %s on %s; only %s is clearly worse", verb, m, t.Data, worse[0])
	default:
		names += fmt.Sprintf(" %s the smallest mean %s on %s; %s are clearly worse", verb, m, t.Data,
			viz.JoinNames(worse))
	}
	return names
}

// hasOneSplit reports whether the metric of some method is defined on exactly one split.
func hasOneSplit(t *compare.Table, m compare.Metric) bool {
	return slices.ContainsFunc(t.Rows, func(r compare.Row) bool { return t.Summary(r.Method, m).N == 1 })
}

// chartValue returns v as the chart of the comparison shows it: an error rate is in percent with one decimal, other
// values are unchanged.
func chartValue(m compare.Metric, v float64) float64 {
	if m == compare.ErrorRate {
		return math.Round(1000*v) / 10
	}
	return v
}

// comparisonChart returns a chart with a dot for each method: the mean error and its interval. It returns false if no
// split is finished. A line shows the constant baseline. If the baseline is far from the other methods, the scale would
// hide their differences; the caption then states its error instead.
func comparisonChart(t *compare.Table) (viz.Figure, bool) {
	m := errorMetric(t)
	if bestRowIndex(t, m) < 0 {
		return viz.Figure{}, false
	}
	var names []string
	dots, axisLabel := viz.Bar{Name: string(m)}, string(m)
	if m == compare.ErrorRate {
		axisLabel = "error rate, %"
	}
	splitCount, lowest, highest := 0, math.Inf(1), math.Inf(-1)
	for _, r := range t.Rows {
		s := t.Summary(r.Method, m)
		if s.N == 0 || r.Method == compare.ConstantBaseline && len(t.Rows) > 1 {
			continue
		}
		if splitCount = max(splitCount, s.N); math.IsNaN(s.Lo) {
			s.Lo, s.Hi = s.Mean, s.Mean
		}
		names, dots.Values = append(names, r.Method), append(dots.Values, chartValue(m, s.Mean))
		dots.Lo, dots.Hi = append(dots.Lo, chartValue(m, s.Lo)), append(dots.Hi, chartValue(m, s.Hi))
		lowest, highest = min(lowest, s.Lo), max(highest, s.Hi)
	}
	constantSummary := t.Summary(compare.ConstantBaseline, m)
	if len(names) == 0 {
		return viz.Figure{}, false
	}
	caption := "Dots: mean over the test parts of the splits."
	if splitCount > 1 {
		caption += " Lines: 95 % interval of the mean (corrected resampled t). Intervals of single methods can " +
			"overlap even if a difference is clear; compare methods by the difference column."
		dots.Band = fmt.Sprintf("95 %% interval of the mean of %d splits", splitCount)
	} else {
		dots.Lo, dots.Hi = nil, nil
	}
	margin := (highest - lowest) / 2
	isBaselineNear := constantSummary.N > 0 && constantSummary.Mean <= highest+margin &&
		constantSummary.Mean >= lowest-margin
	if constantSummary.N > 0 && !isBaselineNear {
		caption += fmt.Sprintf(" Outside the chart: the constant baseline, %s.",
			formatValues(m, constantSummary.Mean)[0])
	}
	title := fmt.Sprintf("%s of each method on %s", viz.Capitalize(string(m)), t.Data)
	f := viz.Dots(title, caption, names, dots).WithAxes("", axisLabel)
	if isBaselineNear {
		f = f.WithBaseline(compare.ConstantBaseline, chartValue(m, constantSummary.Mean))
	}
	return f, true
}
