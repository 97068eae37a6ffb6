package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
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
}

// methodErrors holds the mean error of a method, and the paired difference of its error to the error of each method.
type methodErrors struct {
	compare.Summary
	differenceTo map[string]compare.Difference
}

func newComparison(t *compare.Table) comparison {
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
	for _, other := range c.otherMethods {
		if !slices.ContainsFunc(c.bestMethods,
			func(b string) bool { return !c.errorsByMethod[b].differenceTo[other].ExcludesZero() }) {
			c.worseMethods = append(c.worseMethods, other)
		}
	}
	return c
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
	names, verb := capitalize(joinNames(c.bestMethods)), "has"
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
		return finding + "only " + c.worseMethods[0] + " is clearly worse"
	}
	return finding + joinNames(c.worseMethods) + " are clearly worse"
}

// percentIfRate returns v as the chart of the comparison shows it: an error rate is in percent with one decimal, other
// values are unchanged.
func percentIfRate(m model.Metric, v float64) float64 {
	if m == model.ErrorRate {
		return math.Round(1000*v) / 10
	}
	return v
}

// comparisonChart returns a chart with a dot for each method: the mean error and its interval. It returns false if no
// split is finished. A line shows the constant baseline. If the baseline is far from the other methods, the scale would
// hide their differences; the label of the axis then states its error instead.
func comparisonChart(c comparison) (f viz.Figure, ok bool) {
	m := c.metric
	var names []string
	means, axisLabel := viz.Bar{Name: string(m)}, string(m)
	if m == model.ErrorRate {
		axisLabel = "error rate, %"
	}
	splitCount, lowest, highest := 0, math.Inf(1), math.Inf(-1)
	for _, r := range c.Rows {
		s := c.errorsByMethod[r.Method].Summary
		if s.N == 0 || r.Method == compare.ConstantBaseline && len(c.Rows) > 1 {
			continue
		}
		if splitCount = max(splitCount, s.N); math.IsNaN(s.Lo) {
			s.Lo, s.Hi = s.Mean, s.Mean
		}
		names, means.Values = append(names, r.Method), append(means.Values, percentIfRate(m, s.Mean))
		means.Lo, means.Hi = append(means.Lo, percentIfRate(m, s.Lo)), append(means.Hi, percentIfRate(m, s.Hi))
		lowest, highest = min(lowest, s.Lo), max(highest, s.Hi)
	}
	constantSummary := c.errorsByMethod[compare.ConstantBaseline].Summary
	if len(names) == 0 {
		return viz.Figure{}, false
	}
	caption := "Mean, one split."
	details := "Dots: mean over the test parts of the splits."
	if splitCount > 1 {
		details += " Lines: 95 % interval of the mean (corrected resampled t). Intervals of single methods can " +
			"overlap even if a difference is clear; compare methods by the difference column of the table."
		caption = fmt.Sprintf("Mean and 95 %% interval, %d splits.", splitCount)
		means.Band = fmt.Sprintf("95 %% interval of the mean of %d splits", splitCount)
	} else {
		means.Lo, means.Hi = nil, nil
	}
	margin := (highest - lowest) / 2
	isBaselineNear := constantSummary.N > 0 && constantSummary.Mean <= highest+margin &&
		constantSummary.Mean >= lowest-margin
	if constantSummary.N > 0 && !isBaselineNear {
		axisLabel += fmt.Sprintf(" (outside: constant baseline, %s)", formatValues(m, constantSummary.Mean)[0])
	}
	title := fmt.Sprintf("%s of each method on %s", capitalize(string(m)), c.Data)
	f = viz.Dots(title, caption, names, means).WithAxes("", axisLabel).WithDetails(details)
	if isBaselineNear {
		f = f.WithBaseline(compare.ConstantBaseline, percentIfRate(m, constantSummary.Mean))
	}
	return f, true
}
