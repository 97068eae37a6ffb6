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
		r.addHeadline("", describeLearningCurve(c)+".")
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

func describeLearningCurve(c *learn.LearningCurve) string {
	lastSize := c.Sizes[len(c.Sizes)-1]
	g := lastSize.Gain
	gainText := unsignedDifferenceText(compare.Difference{Metric: c.Metric, Mean: g.Mean})
	sentenceStart := fmt.Sprintf("From %s to %s training points the %s", g.Baseline, g.Method, c.Metric)
	switch {
	case g.N < 2:
		return fmt.Sprintf("The %s with %d training points is %s", c.Metric, lastSize.Points,
			formatValues(c.Metric, lastSize.Summary.Mean)[0])
	case g.Lo > 0:
		return fmt.Sprintf("More points still help: from %s to %s training points the %s improves by %s", g.Baseline,
			g.Method, c.Metric, gainText)
	case g.Mean > 0 && g.N < 10:
		return fmt.Sprintf("%s improves by %s, but %d splits are too few to be sure; WithSplits sets more",
			sentenceStart, gainText, g.N)
	}
	return sentenceStart + " does not clearly improve"
}

// learningCurveChart returns a chart of the mean score against the number of training points, with the interval of each
// mean.
func learningCurveChart(c *learn.LearningCurve) viz.Figure {
	line := viz.Line{Name: learn.SelectedName, Mark: viz.MarkBoth}
	var means viz.Points
	for _, size := range c.Sizes {
		means.X, means.Y = append(means.X, float64(size.Points)), append(means.Y, size.Summary.Mean)
		if !math.IsNaN(size.Summary.Lo) {
			line.Lo, line.Hi = append(line.Lo, size.Summary.Lo), append(line.Hi, size.Summary.Hi)
		}
	}
	line.XYs = means
	if len(line.Lo) < len(means.X) {
		line.Lo, line.Hi = nil, nil
	} else {
		line.Band = fmt.Sprintf("95 %% interval of the mean of %d splits", c.Splits)
	}
	caption := fmt.Sprintf("%s: %s on held-out points of %s.", c.Data, c.Metric, viz.FormatCount(c.Splits, "split"))
	details := "Models are trained on a share of the training part. Kernels and hyperparameters are chosen on that " +
		"share alone." + explainMeanOverTargets(c.Targets)
	values := slices.Concat(means.Y, line.Lo, line.Hi)
	lowest, highest := slices.Min(values), slices.Max(values)
	isBaselineNear := c.Baseline <= highest+(highest-lowest)/2 && c.Baseline >= lowest-(highest-lowest)/2
	if !isBaselineNear { // a line of the baseline would squash the curve
		caption += fmt.Sprintf(" Outside: constant baseline, %s.", formatValues(c.Metric, c.Baseline)[0])
	}
	f := viz.Lines("Learning curve of "+c.Data, caption, line).WithAxes("training points", string(c.Metric)).WithLogX().
		WithDetails(details)
	if isBaselineNear {
		f = f.WithBaseline(compare.ConstantBaseline, c.Baseline)
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
