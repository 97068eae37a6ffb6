package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// OneSplit is the result of a comparison on one split.
const OneSplit = "One split decides nothing"

// Table returns the report of a comparison: the finding, the table and a chart of the errors, and folded the other
// metrics, the hyperparameters and the certificates. If there are several targets, each has its table and chart.
func Table(t *compare.Table) (r Report) {
	if len(t.Rows) == 0 {
		r.warn(t.Data + ": the run was stopped before there was a result. Run it again: it continues from there.")
		return r
	}
	if t.Stopped {
		r.warn("The run was stopped. Run it again: it continues from there.")
	}
	for _, one := range t.ByTarget() {
		r.show(Comparison(one))
		if f, ok := comparisonChart(one); ok {
			r.show(f)
		}
	}
	r.fold("All metrics, hyperparameters, certificates and times", tableDetails(t))
	return r
}

// finished states the number of finished splits of each method.
func finished(t *compare.Table) string {
	var parts []string
	for _, r := range t.Rows {
		parts = append(parts, fmt.Sprintf("%s %d", r.Method, len(r.Runs)))
	}
	return fmt.Sprintf("splits finished of %d: %s", t.Splits, strings.Join(parts, ", "))
}

// comparisonCaption returns the dataset, and the number and sizes of the splits.
func comparisonCaption(t *compare.Table) string {
	return fmt.Sprintf("%s: %s of %d points into %d training and %d test points, seed %d.", t.Data,
		viz.Count(t.Splits, "split"), t.Points, t.Train, t.Test, t.Seed)
}

// Comparison returns the table of a comparison: the error of each method (mean ± standard deviation over splits), its
// paired difference to the baseline, and what was chosen.
func Comparison(t *compare.Table) viz.Figure {
	m := errorMetric(t)
	lead := leader(t, m)
	if hasOneSplit(t, m) {
		lead = -1
	}
	var rows [][]any
	for i := range t.Rows {
		r := &t.Rows[i]
		c := meanCell(t, r.Method, m, spreadCell)
		if i == lead {
			c = viz.Strong(c)
		}
		difference := "–"
		if d := t.Compare(r.Method, "", m); r.Method != t.Baseline && d.N > 0 {
			difference = strings.ReplaceAll(signed(d), ", ", ",\u00a0") // the interval stays on one line
			if m == compare.ErrorRate {
				difference += "\u00a0%"
			}
		}
		rows = append(rows, []any{r.Method, c, difference, chosen(r)})
	}
	header := []string{"method", string(m), "difference to " + t.Baseline + " [95 % interval]", "chosen"}
	if len(rows) == 0 {
		rows = [][]any{{"nothing finished", "–", "–", "–"}}
	}
	caption := comparisonCaption(t)
	if t.Stopped {
		caption += " " + viz.Capitalize(finished(t)) + "."
	}
	if len(t.Row(learn.LearnName).Runs) > 0 {
		caption += fmt.Sprintf(" %s: what Learn chooses among the other methods inside each training part.",
			viz.Capitalize(learn.LearnName))
	}
	f := viz.Table(finding(t, m), caption, header, rows...)
	f.Sheet.Columns[1].Help = "Mean ± standard deviation over the test parts of the splits."
	f.Sheet.Columns[2].Help = "Mean over splits of the paired difference, with its 95 % interval (corrected " +
		"resampled t-test of Nadeau and Bengio). Below 0: the method has a smaller error. An interval with 0 " +
		"decides nothing."
	if m == compare.ErrorRate {
		f.Sheet.Columns[2].Help += " In percentage points."
	}
	f.Sheet.Columns[3].Help = "The hyperparameter and kernel that most splits chose."
	if hasOneSplit(t, m) {
		f = f.WithNotes(OneSplit + ": there are no standard deviations and no intervals.")
	}
	return f
}

// meanCell returns a cell with the mean of a metric of a method, formatted by cell.
func meanCell(t *compare.Table, method string, m compare.Metric,
	cell func(m compare.Metric, mean, sd float64) viz.Cell) viz.Cell {
	switch s := t.Summary(method, m); s.N {
	case 0:
		return viz.Cell{Text: "–"}
	case 1:
		return cell(m, s.Mean, math.NaN())
	default:
		return cell(m, s.Mean, s.SD)
	}
}

// chosen states the median of the chosen values of the hyperparameter, and the most frequent of the other choices.
func chosen(r *compare.Row) string {
	if len(r.Runs) == 0 {
		return "–"
	}
	var parts []string
	if name := r.Runs[0].Constant; name != "" && r.Method != compare.ConstantBaseline {
		mid, _, _ := r.Value()
		parts = append(parts, fmt.Sprintf("%s = %.3g", name, mid))
	}
	if label, _ := r.Label(); label != "" {
		parts = append(parts, label)
	}
	if parts == nil {
		return "–"
	}
	return strings.Join(parts, ", ")
}

// tableDetails returns the other metrics, the spread of the hyperparameters, the certificates and times, and notes.
func tableDetails(t *compare.Table) (r Report) {
	metrics := slices.DeleteFunc(t.Metrics(), func(m compare.Metric) bool { return m == compare.ErrorRate })
	for part := range slices.Chunk(metrics, 4) {
		header := []string{"method"}
		for _, m := range part {
			header = append(header, string(m))
		}
		var rows [][]any
		for _, row := range t.Rows {
			cells := []any{row.Method}
			for _, m := range part {
				cells = append(cells, meanCell(t, row.Method, m,
					func(_ compare.Metric, mean, sd float64) viz.Cell { return numberCell(mean, sd) }))
			}
			rows = append(rows, cells)
		}
		r.show(viz.Table("Metrics on the test parts", "Mean ± standard deviation over splits.", header, rows...))
	}
	var rows [][]any
	for i := range t.Rows {
		rows = append(rows, solves(&t.Rows[i]))
	}
	f := viz.Table("Hyperparameters, certificates and times", "What was chosen and solved in the splits.",
		[]string{"method", "hyperparameter", "other choice",
			"relative gap", "s per fit"}, rows...)
	f.Sheet.Columns[1].Help = "Median of the chosen values, with the smallest and the largest one."
	f.Sheet.Columns[2].Help = "The most frequent one, with the number of splits that chose it."
	f.Sheet.Columns[3].Help = "The largest certified (F − min F)/F over the splits."
	f.Sheet.Columns[4].Help = "Seconds of a fit and its score, without the choice of hyperparameters."
	if !t.Certified() {
		f = f.WithNotes("Not every solve is certified to be a global minimum: see the column of gaps.")
	}
	r.show(f)
	for _, n := range t.Notes {
		r.say("", n)
	}
	return r
}

// solves returns the row of a method in the table of hyperparameters, certificates and times.
func solves(r *compare.Row) []any {
	if len(r.Runs) == 0 {
		return []any{r.Method, "–", "–", certificate(r), "–"}
	}
	mid, lo, hi := r.Value()
	value := fmt.Sprintf("%s = %.3g", r.Runs[0].Constant, mid)
	if lo != hi {
		value += fmt.Sprintf(" [%.3g, %.3g]", lo, hi)
	}
	if r.Runs[0].Constant == "" {
		value = "–"
	}
	choice, times := r.Label()
	if choice == "" {
		choice = "–"
	} else if times < len(r.Runs) {
		choice += fmt.Sprintf(" (%d of %d)", times, len(r.Runs))
	}
	seconds := 0.0
	for _, run := range r.Runs {
		seconds += run.Seconds / float64(len(r.Runs))
	}
	return []any{r.Method, value, choice, certificate(r), fmt.Sprintf("%.2g", seconds)}
}

// certificate formats the result of MaxGap.
func certificate(r *compare.Row) string {
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

// leader returns the index of the row with the smallest mean of the metric; −1 if no row has one.
func leader(t *compare.Table, m compare.Metric) int {
	at, low := -1, math.Inf(1)
	for i, r := range t.Rows {
		if s := t.Summary(r.Method, m); s.N > 0 && s.Mean < low {
			at, low = i, s.Mean
		}
	}
	return at
}

// finding returns a sentence with the main finding about the metric.
func finding(t *compare.Table, m compare.Metric) string {
	lead := leader(t, m)
	if lead < 0 {
		return "No split was finished"
	}
	name := t.Rows[lead].Method
	if hasOneSplit(t, m) {
		return fmt.Sprintf("%s about the %s on %s", OneSplit, m, t.Data)
	}
	rows := slices.DeleteFunc(slices.Clone(t.Rows), func(r compare.Row) bool { return t.Summary(r.Method, m).N == 0 })
	if len(rows) == 1 {
		return fmt.Sprintf("%s has a mean %s of %s on %s", viz.Capitalize(name), m,
			format(m, t.Summary(name, m).Mean)[0], t.Data)
	}
	var equal, rest []string
	others := 0
	for _, r := range rows {
		if slices.Equal(t.Values(r.Method, m), t.Values(name, m)) {
			if r.Method != learn.LearnName {
				equal = append(equal, r.Method)
			}
		} else if others++; !t.Compare(name, r.Method, m).ExcludesZero() {
			rest = append(rest, r.Method)
		}
	}
	if len(equal) > 1 {
		return fmt.Sprintf("%s have equal %ss on %s", viz.Capitalize(viz.Listed(equal)), m, t.Data)
	}
	s := fmt.Sprintf("%s has the smallest mean %s on %s", viz.Capitalize(name), m, t.Data)
	switch len(rest) {
	case others:
		return s + ", but not clearly"
	case 0:
		return fmt.Sprintf("%s clearly has the smallest mean %s on %s", viz.Capitalize(name), m, t.Data)
	}
	return s + ", not clearly below " + viz.Listed(rest)
}

// hasOneSplit reports whether the metric of some method is defined on exactly one split.
func hasOneSplit(t *compare.Table, m compare.Metric) bool {
	return slices.ContainsFunc(t.Rows, func(r compare.Row) bool { return t.Summary(r.Method, m).N == 1 })
}

// comparisonChart returns a chart with a dot for each method: the mean error and its interval. It returns false if no
// split is finished. A constant baseline far from the other methods would flatten their differences: the caption then
// states its error.
func comparisonChart(t *compare.Table) (viz.Figure, bool) {
	m := errorMetric(t)
	if leader(t, m) < 0 {
		return viz.Figure{}, false
	}
	var names []string
	b, unit, axis := viz.Bar{Name: string(m)}, 1., string(m)
	if m == compare.ErrorRate {
		unit, axis = 100, "error rate, %"
	}
	splits, least, most := 0, math.Inf(1), math.Inf(-1)
	for _, r := range t.Rows {
		s := t.Summary(r.Method, m)
		if s.N == 0 || r.Method == compare.ConstantBaseline && len(t.Rows) > 1 {
			continue
		}
		if splits = max(splits, s.N); math.IsNaN(s.Lo) {
			s.Lo, s.Hi = s.Mean, s.Mean
		}
		names, b.Values = append(names, r.Method), append(b.Values, unit*s.Mean)
		b.Lo, b.Hi = append(b.Lo, unit*s.Lo), append(b.Hi, unit*s.Hi)
		least, most = min(least, s.Lo), max(most, s.Hi)
	}
	constant := t.Summary(compare.ConstantBaseline, m)
	if len(names) == 0 {
		return viz.Figure{}, false
	}
	caption := "Dots: mean over the test parts of the splits."
	if splits > 1 {
		caption += " Lines: 95 % interval of the mean (corrected resampled t)."
		b.Band = fmt.Sprintf("95 %% interval of the mean of %d splits", splits)
	} else {
		b.Lo, b.Hi = nil, nil
	}
	margin := (most - least) / 2
	near := constant.N > 0 && constant.Mean <= most+margin && constant.Mean >= least-margin
	if constant.N > 0 && !near {
		caption += fmt.Sprintf(" Outside the chart: the constant baseline, %s.", format(m, constant.Mean)[0])
	}
	title := fmt.Sprintf("%s of each method on %s", viz.Capitalize(string(m)), t.Data)
	f := viz.Dots(title, caption, names, b).WithAxes("", axis)
	if near {
		f = f.WithBaseline(compare.ConstantBaseline, unit*constant.Mean)
	}
	return f, true
}
