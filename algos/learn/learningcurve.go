package learn

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/viz"
)

// LearningCurve is the score of the method that Learn selects against the number of training points. It is plain data.
type LearningCurve struct {
	Data    string
	Targets []string       // names of several targets: scores are means over them, each in its own unit
	Metric  compare.Metric // RMSE for numbers, Accuracy for classes
	Splits  int
	Sizes   []Size // ascending; the last one has the scores of Learned.Table
	NoSkill float64
	Stopped bool // some splits are missing
}

// Size is the score of models with the same number of training points.
type Size struct {
	Points  int                // mean over splits, rounded
	Scores  []float64          // by split
	Summary compare.Summary    // of these
	Gain    compare.Difference // over the size before, > 0 if the larger size is better; zero for the first size
}

// LearningCurveOf computes the learning curve of l. On each split of Learn's comparison, it learns from an eighth, a
// quarter, a half and the whole of the training part, with everything chosen inside that part, and tests on the same
// points. Smaller parts are drawn by class, and keep groups whole. Sizes of less than 16 points are skipped. The curve
// takes about as long as Learn's comparison did. The largest size is read from the store if there is one (WithStore).
//
// The end of ctx is not an error: the curve then has the finished splits, and is marked as stopped. progress may be
// nil.
func LearningCurveOf(ctx context.Context, l *Learned, progress func(compare.Progress)) (*LearningCurve, error) {
	asked, err := l.question()
	if err != nil {
		return nil, err
	}
	s, n := *asked, len(asked.Splits)
	s.Splits = nil
	for _, share := range []float64{1. / 8, 1. / 4, 1. / 2} {
		parts, err := subsetSplits(asked, share)
		if err != nil {
			return nil, err
		}
		s.Splits = append(s.Splits, parts...)
	}
	s.Splits = append(s.Splits, asked.Splits...)
	t, err := s.Run(ctx, progress)
	if err != nil {
		return nil, err
	}
	c := &LearningCurve{Data: s.Data.Name, Targets: s.Data.Targets(), Metric: compare.RMSE, Splits: n,
		Stopped: t.Stopped}
	if s.Data.Classes != nil {
		c.Metric = compare.Accuracy
	}
	ratio := 0. // of the size before, which has the larger ratio: the intervals are then not too short
	for k := range len(s.Splits) / n {
		part := *t
		part.Splits, part.Ratio, part.Rows = n, 0, slices.Clone(t.Rows)
		size := Size{}
		for _, split := range s.Splits[k*n : (k+1)*n] {
			size.Points += len(split.Train)
			part.Ratio += float64(len(split.Test)) / float64(len(split.Train)) / float64(n)
		}
		for i, row := range part.Rows {
			part.Rows[i].Runs = nil
			for _, run := range row.Runs {
				if run.Split/n == k {
					run.Split -= k * n
					part.Rows[i].Runs = append(part.Rows[i].Runs, run)
				}
			}
		}
		size.Points = int(math.Round(float64(size.Points) / float64(n)))
		size.Scores, size.Summary = part.Values(LearnName, c.Metric), part.Summary(LearnName, c.Metric)
		if size.Summary.N == 0 {
			continue
		}
		if m := len(c.Sizes); m > 0 {
			gain := make([]float64, n)
			for i, v := range size.Scores {
				if gain[i] = v - c.Sizes[m-1].Scores[i]; !c.Metric.HigherIsBetter() {
					gain[i] = -gain[i]
				}
			}
			size.Gain = compare.CorrectedResampledDifference(gain, ratio)
			size.Gain.Method, size.Gain.Baseline = fmt.Sprint(size.Points), fmt.Sprint(c.Sizes[m-1].Points)
			size.Gain.Metric = c.Metric
		}
		ratio = part.Ratio
		c.Sizes, c.NoSkill = append(c.Sizes, size), part.Summary(compare.ConstantBaseline, c.Metric).Mean
	}
	return c, nil
}

// subsetSplits returns the splits of s with a share of each training part. It returns nil if such a part has less than
// 16 points, or fewer groups than folds.
func subsetSplits(s *compare.Study, share float64) (parts []compare.Split, err error) {
	for _, split := range s.Splits {
		if share*float64(len(split.Train)) < 16 {
			return nil, nil
		}
		group := points.Pick(s.Data.Group, split.Train)
		part, err := compare.Holdout(points.Pick(s.Data.Y, split.Train), share, 1, split.Seed(s.Seed),
			compare.ByGroup(group))
		if err != nil {
			return nil, err
		}
		if group != nil && distinct(points.Pick(group, part[0].Test)) < max(s.Selection.Folds, 2) {
			return nil, nil
		}
		parts = append(parts, compare.Split{Train: points.Pick(split.Train, part[0].Test), Test: split.Test})
	}
	return parts, nil
}

// title states whether more points still help.
func (c *LearningCurve) title() string {
	if len(c.Sizes) == 0 {
		return "Nothing was finished"
	}
	last := c.Sizes[len(c.Sizes)-1]
	g := last.Gain
	switch {
	case g.N < 2:
		return fmt.Sprintf("The %s with %d points is %s", c.Metric, last.Points, viz.Digits(last.Summary.Mean)[0])
	case g.Lo > 0:
		return fmt.Sprintf("More points still help: from %s to %s the %s gets better by %s", g.Baseline, g.Method,
			c.Metric, viz.Digits(g.Mean)[0])
	case g.Mean > 0 && g.N < 10:
		return fmt.Sprintf("From %s to %s points the %s gets better by %s, but %d splits are too few to be sure "+
			"(WithSplits takes more)", g.Baseline, g.Method, c.Metric, viz.Digits(g.Mean)[0], g.N)
	}
	return fmt.Sprintf("From %s to %s points the %s does not clearly get better", g.Baseline, g.Method, c.Metric)
}

// String states whether more points still help, and lists the score at each size.
func (c *LearningCurve) String() string {
	s := c.title() + "."
	if len(c.Sizes) == 1 && !c.Stopped {
		s += " There is no curve: half of them are less than 16 points, or of too few groups to choose on."
	}
	if c.Stopped {
		s += " Stopped: not every split was finished."
	}
	for _, size := range c.Sizes {
		s += fmt.Sprintf("\n%d points: %s %s", size.Points, c.Metric, size.Summary.Text())
	}
	return s
}

// Figures returns a chart of the mean score against the number of points, with the interval of each mean.
func (c *LearningCurve) Figures() []viz.Figure {
	if len(c.Sizes) == 0 {
		return nil
	}
	line := viz.Line{Name: LearnName, Mark: viz.MarkBoth}
	var at viz.Points
	for _, size := range c.Sizes {
		at.X, at.Y = append(at.X, float64(size.Points)), append(at.Y, size.Summary.Mean)
		if !math.IsNaN(size.Summary.Lo) {
			line.Lo, line.Hi = append(line.Lo, size.Summary.Lo), append(line.Hi, size.Summary.Hi)
		}
	}
	line.XYs = at
	if len(line.Lo) < len(at.X) {
		line.Lo, line.Hi = nil, nil
	} else {
		line.Band = fmt.Sprintf("95 %% interval of the mean of %d splits", c.Splits)
	}
	caption := fmt.Sprintf("%s: %s on the same points left out of each of %d splits, of models of a part of the "+
		"points to train on; everything is chosen inside that part.", c.Data, c.Metric, c.Splits) + meanOver(c.Targets)
	if c.Stopped {
		caption += " Stopped: not every split was finished."
	}
	return []viz.Figure{viz.Lines(c.title(), caption, line).WithAxes("points learned from", string(c.Metric)).
		WithLogX().WithBaseline(compare.ConstantBaseline, c.NoSkill)}
}
