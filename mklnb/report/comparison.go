package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

// comparison holds what the sentences, the table and the chart of a comparison state. It is computed once from a table.
type comparison struct {
	*compare.Table
	metric         model.Metric            // the metric of the errors: error rate, RMSE or mean loss
	errorsByMethod map[string]methodErrors // for each method, its mean test error and the differences to others
	bestMethods    []string                // the methods whose mean error, rounded as in the table, is the smallest
	otherMethods   []string                // the methods besides bestMethods that finished a split
	worseMethods   []string                // the other methods that are clearly worse than all best methods
	hasOneSplit    bool                    // the error of some method is defined on exactly one split
	reference      string                  // the method to which a chart compares: the selected or a best one
	singleKernels  int                     // the number of kernels that are tried alone; 0 if unknown
}

// methodErrors holds the mean error of a method, and the paired difference of its error to the error of each method.
type methodErrors struct {
	compare.Summary
	differenceTo map[string]compare.Difference
}

func newComparison(t *compare.Table) comparison {
	if t.Stopped {
		t = withCommonSplits(t)
	}
	c := comparison{Table: t, metric: errorMetric(t), errorsByMethod: map[string]methodErrors{}}
	smallest := math.Inf(1)
	for _, r := range t.Rows {
		e := methodErrors{t.Summary(r.Method, c.metric), map[string]compare.Difference{}}
		for _, other := range t.Rows {
			e.differenceTo[other.Method] = t.Compare(r.Method, other.Method, c.metric)
		}
		if e.N > 0 {
			smallest = min(smallest, e.Mean)
		}
		c.errorsByMethod[r.Method], c.hasOneSplit = e, c.hasOneSplit || e.N == 1
	}
	roundedText := func(mean float64) string { return formatMetricCell(c.metric, mean, math.NaN()).Text }
	for _, r := range t.Rows {
		switch e := c.errorsByMethod[r.Method]; {
		case e.N == 0:
		case roundedText(e.Mean) == roundedText(smallest):
			c.bestMethods = append(c.bestMethods, r.Method)
		default:
			c.otherMethods = append(c.otherMethods, r.Method)
		}
	}
	if c.reference = learn.SelectedName; c.errorsByMethod[c.reference].N == 0 && c.bestMethods != nil {
		c.reference = c.bestMethods[0]
	}
	for _, other := range c.otherMethods {
		if !slices.ContainsFunc(c.bestMethods,
			func(b string) bool { return !c.errorsByMethod[b].differenceTo[other].ExcludesZero() }) {
			c.worseMethods = append(c.worseMethods, other)
		}
	}
	return c
}

// withCommonSplits returns t with the splits that all methods have finished, if they have finished any.
func withCommonSplits(t *compare.Table) *compare.Table {
	finishedCount, common := map[int]int{}, *t
	started := 0
	for _, r := range t.Rows {
		started += min(len(r.Runs), 1)
		for _, run := range r.Runs {
			finishedCount[run.Split]++
		}
	}
	common.Rows = slices.Clone(t.Rows)
	for i := range common.Rows {
		r := &common.Rows[i]
		r.Runs = slices.DeleteFunc(slices.Clone(r.Runs),
			func(run compare.Run) bool { return finishedCount[run.Split] < started })
	}
	return &common
}

// errorMetric returns the metric of the sentences, tables and charts about t outside folded sections: the error rate
// for classes; for real targets the RMSE, or the mean loss if Learn selects by it. Smaller is better for each of these
// metrics, so a negative difference is an improvement for every task.
//
// For classes, the metric of selection may be another one: with the squared loss, Learn selects by the RMSE of the
// labels ±1, which does not count wrong decisions.
func errorMetric(t *compare.Table) model.Metric {
	switch {
	case t.Classes != nil:
		return model.ErrorRate
	case t.By == model.MeanLoss:
		return model.MeanLoss
	}
	return model.RMSE
}

func comparisonsByTarget(t *compare.Table) (all []comparison) {
	for _, target := range t.ByTarget() {
		all = append(all, newComparison(target))
	}
	return all
}

// describeComparison returns a sentence without a period. It names the best methods, whose mean error is the smallest,
// and the methods that are clearly worse than all best methods.
func describeComparison(c comparison) string {
	switch {
	case c.bestMethods == nil:
		return "No split was finished"
	case c.hasOneSplit:
		return fmt.Sprintf("%s by the %s on %s", oneSplitText, c.metric, c.Data)
	}
	names, verb := capitalize(joinNames(c.labels(c.bestMethods))), "has"
	if len(c.bestMethods) > 1 {
		verb = "have"
	}
	switch {
	case c.otherMethods == nil && len(c.bestMethods) == 1:
		return fmt.Sprintf("%s has a mean %s of %s on %s", names, c.metric,
			formatValues(c.metric, c.errorsByMethod[c.bestMethods[0]].Mean)[0], c.Data)
	case c.otherMethods == nil:
		return fmt.Sprintf("%s have equal mean %ss on %s", names, c.metric, c.Data)
	case len(c.worseMethods) == len(c.otherMethods):
		return fmt.Sprintf("%s clearly %s the smallest mean %s on %s", names, verb, c.metric, c.Data)
	}
	finding := fmt.Sprintf("%s %s the smallest mean %s on %s; ", names, verb, c.metric, c.Data)
	switch len(c.worseMethods) {
	case 0:
		return finding + "no other method is clearly worse"
	case 1:
		return finding + "only " + c.label(c.worseMethods[0]) + " is clearly worse"
	}
	return finding + joinNames(c.labels(c.worseMethods)) + " are clearly worse"
}

// methodName returns the name of a method of Learn on a page: "learned weights" for "learned".
func methodName(method string) string {
	for _, e := range [][2]string{{learn.UniformName, "equal weights"}, {learn.SingleName, "the best single kernel"},
		{learn.LearnedName, "learned weights"}, {learn.LinearName, "one linear kernel"}} {
		if rest, ok := strings.CutPrefix(method, e[0]); ok {
			return e[1] + rest
		}
	}
	return method
}

// label returns the name of a method on a page. If c is a comparison of Learn, which selects among methods, the name
// of another row states that the method is always the same.
func (c comparison) label(method string) string {
	switch {
	case !slices.ContainsFunc(c.Rows, func(r compare.Row) bool { return r.Method == learn.SelectedName }):
		return method
	case method == learn.SelectedName:
		return "your model"
	case method == compare.ConstantBaseline:
		return "always predicting " + c.constantPrediction()
	case method == learn.SingleName && c.singleKernels > 0:
		return fmt.Sprintf("always %s of %d", methodName(method), c.singleKernels)
	}
	return "always " + methodName(method)
}

func (c comparison) labels(methods []string) (labels []string) {
	for _, m := range methods {
		labels = append(labels, c.label(m))
	}
	return labels
}

// constantPrediction returns what the constant baseline predicts: a class, or "the mean". If the most frequent class of
// the training part, or with weights of points that of the largest total weight, is not the same in all splits, it
// names none.
func (c comparison) constantPrediction() string {
	switch {
	case c.Classes != nil:
		counts := confusionCounts(c.Row(compare.ConstantBaseline).Runs, len(c.Classes))
		var predicted []string
		for k, name := range c.Classes {
			if columnSum(counts, k) > 0 {
				predicted = append(predicted, name)
			}
		}
		if len(predicted) == 1 {
			return predicted[0]
		}
		if c.HasPointWeights {
			return "the class of the largest total weight"
		}
		return "the most frequent class"
	case c.By == model.MeanLoss:
		return "the same number"
	case c.TargetsAreLogs:
		return "the geometric mean"
	}
	return "the mean"
}

// chartTitle returns which methods are clearly worse, and which are clearly better, than the one that Learn selects. If
// there is none, it names the metric.
func (c comparison) chartTitle() string {
	if c.reference != learn.SelectedName {
		return fmt.Sprintf("%s of each method on %s", capitalize(string(c.metric)), c.Data)
	}
	var better, worse []string
	for _, r := range c.Rows {
		switch d := c.errorsByMethod[r.Method].differenceTo[c.reference]; {
		case d.N > 1 && d.Lo > 0:
			worse = append(worse, strings.TrimPrefix(c.label(r.Method), "always "))
		case d.N > 1 && d.Hi < 0:
			better = append(better, strings.TrimPrefix(c.label(r.Method), "always "))
		}
	}
	switch {
	case c.hasOneSplit:
		return oneSplitText
	case better != nil:
		return "Clearly better than your model: " + joinNames(better)
	case worse != nil:
		return "None is clearly better than your model; clearly worse: " + joinNames(worse)
	}
	return "No method is clearly better or worse than your model"
}

// chartValue returns v as a chart shows it: a rate is in percent, rounded as in sentences, other values are unchanged.
func chartValue(m model.Metric, v float64) float64 {
	if !isRate(m) || math.IsNaN(v) {
		return v
	}
	percent, err := strconv.ParseFloat(fmt.Sprintf("%.1f", 100*v), 64)
	if err != nil {
		panic(err) // a number as Sprintf writes it
	}
	return percent
}

// axisUnit returns the unit of a metric on the axis of a chart, after a comma, or "" if it has none.
func axisUnit(m model.Metric) string {
	if isRate(m) {
		return ", %"
	}
	return ""
}

// chartRows returns the finished methods in the order of the chart: the reference, then by increasing error. Lo and Hi
// are the ends of the interval of the difference to the reference, added to the mean error of the reference. The
// constant baseline is omitted, and isOutside is true, if the range of the others would take less than a quarter of an
// axis that includes the baseline.
func (c comparison) chartRows() (rows []compare.Summary, isOutside bool) {
	lowest, highest, reference := math.Inf(1), math.Inf(-1), c.errorsByMethod[c.reference]
	for _, r := range c.Rows {
		s := c.errorsByMethod[r.Method].Summary
		if s.N == 0 {
			continue
		}
		s.Lo, s.Hi = s.Mean, s.Mean
		if d := c.errorsByMethod[r.Method].differenceTo[c.reference]; d.N > 1 && r.Method != c.reference {
			s.Lo, s.Hi = reference.Mean+d.Lo, reference.Mean+d.Hi
			if c.metric != model.MeanLoss { // an error is not negative
				s.Lo = max(0, s.Lo)
			}
			if c.metric == model.ErrorRate {
				s.Hi = min(s.Hi, 1)
			}
		}
		if rows = append(rows, s); r.Method != compare.ConstantBaseline {
			lowest, highest = min(lowest, s.Lo), max(highest, s.Hi)
		}
	}
	slices.SortStableFunc(rows, func(a, b compare.Summary) int {
		switch c.reference {
		case a.Method:
			return -1
		case b.Method:
			return 1
		}
		return cmp.Compare(a.Mean, b.Mean)
	})
	baseline, room := c.errorsByMethod[compare.ConstantBaseline].Summary, 3*(highest-lowest)
	if baseline.N == 0 || room <= 0 || baseline.Mean <= highest+room && baseline.Mean >= lowest-room {
		return rows, false
	}
	return slices.DeleteFunc(rows, func(s compare.Summary) bool { return s.Method == compare.ConstantBaseline }), true
}

// comparisonChart returns a chart with a dot for each method at its mean error, and the interval of its difference to
// the reference, whose error is a dashed line: the line of a method crosses it unless the difference is clear. It
// returns false if no split is finished. If the constant baseline is far from the other methods, the label of the
// axis states its error instead.
func comparisonChart(c comparison) (f viz.Figure, ok bool) {
	rows, isOutside := c.chartRows()
	if len(rows) == 0 {
		return viz.Figure{}, false
	}
	m, reference := c.metric, c.label(c.reference)
	var names []string
	means, axisLabel, splitCount := viz.Bar{Name: string(m)}, string(m)+axisUnit(m),
		c.errorsByMethod[c.reference].N
	for _, s := range rows {
		name := c.label(s.Method)
		if s.Method == learn.SelectedName {
			name += " (headline): chosen anew in each split"
		}
		names, means.Values = append(names, name), append(means.Values, chartValue(m, s.Mean))
		means.Lo, means.Hi = append(means.Lo, chartValue(m, s.Lo)), append(means.Hi, chartValue(m, s.Hi))
	}
	caption := fmt.Sprintf("Held-out points, %s.", viz.FormatCount(splitCount, "split"))
	details := comparisonCaption(c.Table) + " Dots: mean over the test parts of the splits."
	if splitCount > 1 && len(rows) > 1 {
		means.Band = "95 % interval of the difference to " + reference
		details += fmt.Sprintf(" Lines: %s, as an error: the error of %s plus the difference (corrected resampled t, "+
			"paired by split, %d splits).", means.Band, reference, splitCount)
		if c.reference == learn.SelectedName {
			details += " The interval of the headline is a 95 % interval of the error to expect of the whole " +
				"procedure on a training part of this size, from the same splits; of an error rate it also contains " +
				"Wilson's interval."
		}
	} else {
		means.Lo, means.Hi = nil, nil
	}
	if isOutside {
		axisLabel += fmt.Sprintf("; outside: %s, %s", c.label(compare.ConstantBaseline),
			formatValues(m, c.errorsByMethod[compare.ConstantBaseline].Mean)[0])
	}
	f = viz.Dots(c.chartTitle(), caption, names, means).WithAxes("", axisLabel).WithDetails(details).WithValues()
	if means.Band != "" {
		f = f.WithBaseline(reference+
			"; lines: 95 % intervals of the difference to it; one that crosses it shows no clear difference",
			chartValue(m, c.errorsByMethod[c.reference].Mean))
	}
	return f, true
}
