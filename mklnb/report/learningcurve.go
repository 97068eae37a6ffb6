package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/viz"
)

// OfLearningCurve returns the report of a learning curve: whether more points still help, and a chart.
func OfLearningCurve(c *learn.LearningCurve) (r Report) {
	if len(c.Sizes) == 0 {
		r.addText("", "No training size was finished before the run was stopped. Run it again.")
	} else {
		headline, text := describeLearningCurve(c)
		r.addHeadline("", headline)
		r.addText("", text)
		r.addFigures(learningCurveChart(c))
	}
	if len(c.Sizes) == 1 && !c.Stopped {
		r.addText("", "The curve has only one training size: half of the training points would be fewer than 16, "+
			"or have too few groups.")
	}
	if c.Stopped {
		r.addWarnings("Stopped: not every split was finished.")
	}
	return r
}

// describeLearningCurve states whether more points help, and the difference between the largest and the next smaller
// number of training points.
func describeLearningCurve(c *learn.LearningCurve) (headline, text string) {
	lastSize := c.Sizes[len(c.Sizes)-1]
	g := lastSize.Gain
	if g.N < 2 {
		return fmt.Sprintf("The %s with %d training points is %s", c.Metric, lastSize.Points,
			formatValues(c.Metric, lastSize.Summary.Mean)[0]), ""
	}
	switch {
	case g.Lo > 0:
		headline = "More points help"
	case g.Hi < 0:
		headline = "More points do not help"
	default:
		headline = "Not decided whether more points help"
	}
	verb, d := "falls", g
	if c.Metric.HigherIsBetter() == (g.Mean > 0) {
		verb = "rises"
	}
	if g.Mean < 0 {
		d.Mean, d.Lo, d.Hi = -g.Mean, -g.Hi, -g.Lo
	}
	return headline, fmt.Sprintf("From %s to %s training points the %s %s by %s.", g.Baseline, g.Method, c.Metric, verb,
		unsignedDifferenceText(d))
}

// learningCurveChart returns a chart of the mean score against the number of training points, with the interval of each
// mean.
func learningCurveChart(c *learn.LearningCurve) viz.Figure {
	line := viz.Line{Name: "your model", Mark: viz.MarkBoth}
	var means viz.Points
	for _, size := range c.Sizes {
		value := func(v float64) float64 { return chartValue(c.Metric, v) }
		means.X, means.Y = append(means.X, float64(size.Points)), append(means.Y, value(size.Summary.Mean))
		if !math.IsNaN(size.Summary.Lo) {
			line.Lo, line.Hi = append(line.Lo, value(size.Summary.Lo)), append(line.Hi, value(size.Summary.Hi))
		}
	}
	line.XYs = means
	if len(line.Lo) < len(means.X) {
		line.Lo, line.Hi = nil, nil
	} else {
		line.Band = fmt.Sprintf("95 %% interval of the mean of %d splits", c.Splits)
	}
	caption := "Held-out points. "
	if line.Band != "" {
		caption += "Band: " + line.Band + "."
	}
	details := "Models are trained on a share of the training part. Kernels and hyperparameters are chosen on that " +
		"share alone. The sentence above compares the last two sizes by the paired difference." +
		explainMeanOverTargets(c.Targets)
	values := slices.Concat(means.Y, line.Lo, line.Hi)
	lowest, highest := slices.Min(values), slices.Max(values)
	baseline := chartValue(c.Metric, c.Baseline)
	isBaselineNear := baseline <= highest+(highest-lowest)/2 && baseline >= lowest-(highest-lowest)/2
	if !isBaselineNear { // a line of the baseline would squash the curve
		caption += fmt.Sprintf(" Outside: constant baseline, %s.", formatValues(c.Metric, c.Baseline)[0])
	}
	f := viz.Lines("Learning curve of "+c.Data, caption, line).WithAxes("training points",
		string(c.Metric)+axisUnit(c.Metric)).WithLogX().
		WithTicks(means.X, nil).WithDetails(details).WithValues()
	if isBaselineNear {
		f = f.WithBaseline(compare.ConstantBaseline, baseline)
	}
	return f
}

// explainMeanOverTargets returns a sentence that names the targets over which scores are means, or "" for one target.
func explainMeanOverTargets(targets []string) string {
	if len(targets) < 2 {
		return ""
	}
	return fmt.Sprintf(" Scores are means over %s, each in its own unit: targets with large numbers dominate.",
		joinNames(targets))
}
