package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

// oneSplitText is the statement about a comparison on one split, which has no interval.
const oneSplitText = "One split cannot decide which method is better"

// unfinishedText states why results may be missing, and what to do.
const unfinishedText = "The run was stopped, or is still running elsewhere. Run it again: it continues where it " +
	"was stopped."

// OfTable returns the report of a comparison: the finding, a chart of the errors, and folded sections with the table,
// the other metrics, the hyperparameters and the certificates. Each of several targets has its own finding and chart.
func OfTable(t *compare.Table) (r Report) {
	if len(t.Rows) == 0 {
		r.addWarnings(t.Data + ": there is no result yet. " + unfinishedText)
		return r
	}
	if t.Stopped {
		r.addWarnings("Results of some splits are missing. " + unfinishedText)
	}
	var tables Report
	for _, c := range comparisonsByTarget(t) {
		headline := describeComparison(c)
		if s := c.errorsByMethod[learn.SelectedName]; s.N > 0 { // the title of the chart compares with it
			headline = fmt.Sprintf("%s %s on %s with your model", capitalize(string(c.metric)),
				formatValues(c.metric, s.Mean)[0], c.Data)
		}
		r.addHeadline("", headline+".")
		if f, ok := comparisonChart(c); ok {
			r.addFigures(f)
		}
		tables.addFigures(comparisonTable(c))
	}
	r.addFolded("Table", tables)
	r.addFolded("Details", tableDetails(t))
	return r
}

// finishedSplitsText returns how many splits are finished; if the methods differ, the fewest and the most.
func finishedSplitsText(t *compare.Table) string {
	fewest, most := t.Splits, 0
	for _, r := range t.Rows {
		fewest, most = min(fewest, len(r.Runs)), max(most, len(r.Runs))
	}
	return fmt.Sprintf("%s of %d splits are finished", countRangeText(fewest, most), t.Splits)
}

// countRangeText returns "103 to 108", or one number if lo and hi are equal.
func countRangeText(lo, hi int) string {
	if lo == hi {
		return fmt.Sprint(lo)
	}
	return fmt.Sprintf("%d to %d", lo, hi)
}

// explainWeightBound returns a sentence that explains the bound Λ on the weights if the labels have it, otherwise "".
func explainWeightBound(labels string) string {
	if strings.Contains(labels, "Λ=") {
		return " Λ bounds the distance of the weights from the center of their set, by default equal weights."
	}
	return ""
}

func comparisonCaption(t *compare.Table) string {
	minTestPoints, maxTestPoints := t.TestPoints, t.TestPoints
	for _, r := range t.Rows {
		for _, run := range r.Runs {
			minTestPoints, maxTestPoints = min(minTestPoints, run.Score.N), max(maxTestPoints, run.Score.N)
		}
	}
	trainingCountText := countRangeText(t.Points-maxTestPoints, t.Points-minTestPoints)
	if t.TrainPoints+t.TestPoints != t.Points {
		trainingCountText = fmt.Sprint(t.TrainPoints)
	}
	return fmt.Sprintf("%s: %s of %d points into %s training and %s test points.", t.Data,
		viz.FormatCount(t.Splits, "split"), t.Points, trainingCountText,
		countRangeText(minTestPoints, maxTestPoints))
}

// ComparisonTable returns the table of a comparison: the error of each method (mean ± standard deviation over splits)
// and the paired difference of its error to the baseline or, for methods of Learn, to the selected method.
func ComparisonTable(t *compare.Table) viz.Figure { return comparisonTable(newComparison(t)) }

func comparisonTable(c comparison) viz.Figure {
	title, baseline, emphasized := describeComparison(c), c.Baseline, c.bestMethods
	if c.reference == learn.SelectedName {
		title, baseline, emphasized = c.chartTitle(), c.reference, []string{c.reference}
	}
	var rows [][]any
	for _, r := range c.Rows {
		e := c.errorsByMethod[r.Method]
		cell := summaryCell(e.Summary, formatMetricCell)
		if !c.hasOneSplit && slices.Contains(emphasized, r.Method) {
			cell = viz.Emphasize(cell)
		}
		difference := "–"
		if d := e.differenceTo[baseline]; r.Method != baseline && d.N > 0 {
			difference = strings.ReplaceAll(differenceText(d), ", ", ",\u00a0") // the interval stays on one line
		}
		rows = append(rows, []any{c.label(r.Method), cell, difference})
	}
	header := []string{"method", string(c.metric) + " ± SD",
		"difference to " + c.label(baseline) + " [95 % interval]"}
	if c.metric == model.ErrorRate {
		header[1] += ", %"
		header[2] += ", percentage points"
	}
	if len(rows) == 0 {
		rows = [][]any{{"nothing finished", "–", "–"}}
	}
	caption := "SD: standard deviation over the splits. Clear: the interval of the difference does not contain 0. " +
		comparisonCaption(c.Table)
	if c.Stopped {
		caption += " " + capitalize(finishedSplitsText(c.Table)) + "."
	}
	f := viz.Table(title, caption, header, rows...)
	f.Sheet.Columns[1].Help = "Mean and standard deviation over the test parts of the splits."
	f.Sheet.Columns[2].Help = "Mean over splits of the paired difference, with its 95 % interval (corrected " +
		"resampled t-test of Nadeau and Bengio). Below 0: the method has a smaller error. An interval with 0 " +
		"decides nothing."
	if c.hasOneSplit {
		f.Caption += " " + oneSplitText + ": there are no standard deviations and no intervals."
	}
	return f
}

// summaryCell returns a cell with the mean of a metric over splits and its standard deviation, which is NaN if there is
// one split. The function format makes the cell.
func summaryCell(s compare.Summary, format func(m model.Metric, mean, sd float64) viz.Cell) viz.Cell {
	if s.N == 0 {
		return viz.Cell{Text: "–"}
	}
	return format(s.Metric, s.Mean, s.SD)
}

// chosenValuesText returns the median, the smallest and the largest chosen value of the hyperparameter over splits, and
// the kernel or the bound on the weights chosen on most splits, with the number of these splits.
func chosenValuesText(r *compare.Row) string {
	var parts []string
	if len(r.Runs) > 0 && r.Runs[0].Hyperparameter != "" && r.Method != compare.ConstantBaseline {
		median, lo, hi := r.HyperparameterRange()
		text := fmt.Sprintf("%s = %.3g", r.Runs[0].Hyperparameter, median)
		if lo != hi {
			text += fmt.Sprintf(" [%.3g, %.3g]", lo, hi)
		}
		parts = append(parts, text)
	}
	if label, labelCount := r.MostFrequentLabel(); label != "" {
		parts = append(parts, fmt.Sprintf("%s (%d of %d)", label, labelCount, len(r.Runs)))
	}
	if parts == nil {
		return "–"
	}
	return strings.Join(parts, ", ")
}

// tableDetails returns a table of the metrics except the error rate, a table of the hyperparameters, certificates and
// times, and the notes of t.
func tableDetails(t *compare.Table) (r Report) {
	label := comparison{Table: t}.label
	metrics := slices.DeleteFunc(t.Metrics(), func(m model.Metric) bool {
		return m == model.ErrorRate || t.Classes != nil && (m == model.MAE || m == model.R2)
	})
	for part := range slices.Chunk(metrics, 3) {
		header := []string{"method"}
		for _, m := range part {
			name := string(m)
			switch {
			case m == model.F1:
				name = "F1, mean of the classes"
			case m == model.RMSE && t.Classes != nil:
				name = "RMSE of decision values"
			}
			header = append(header, name)
		}
		var rows [][]any
		for _, row := range t.Rows {
			cells := []any{label(row.Method)}
			for _, m := range part {
				cells = append(cells, summaryCell(t.Summary(row.Method, m),
					func(_ model.Metric, mean, sd float64) viz.Cell { return meanAndSDCell(mean, sd) }))
			}
			rows = append(rows, cells)
		}
		r.addFigures(viz.Table(capitalize(strings.Join(header[1:], ", "))+" on the test parts",
			"Mean ± standard deviation over splits.", header, rows...))
	}
	var rows [][]any
	choices := ""
	for i := range t.Rows {
		r, seconds := &t.Rows[i], 0.0
		for _, run := range r.Runs {
			seconds += run.Seconds / float64(len(r.Runs))
		}
		choice := chosenValuesText(r)
		choices += choice
		rows = append(rows, []any{label(r.Method), choice, certificateText(r),
			fmt.Sprintf("%.2g", seconds)})
	}
	f := viz.Table("Hyperparameters, certificates and times of the methods",
		"Chosen: median of the hyperparameter [smallest, largest], then the kernel or bound chosen most often."+
			explainWeightBound(choices),
		[]string{"method", "chosen in the splits", "relative gap", "s per fit"}, rows...)
	f.Sheet.Columns[2].Help = "The largest certified (F − min F)/F over the splits."
	f.Sheet.Columns[3].Help = "Seconds of a fit and its score, without the choice of kernels and hyperparameters."
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
		return "first-order certificate only"
	case mkl.NotDone:
		return "nothing finished"
	default:
		return fmt.Sprintf("not certified (%v)", status)
	}
}
