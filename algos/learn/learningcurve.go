package learn

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/points"
)

// LearningCurve is the score of the method that Learn selects against the number of training points. It is plain data.
type LearningCurve struct {
	Data     string
	Targets  []string       // names of several targets: scores are means over them, each in its own unit
	Metric   compare.Metric // RMSE for numbers, Accuracy for classes
	Splits   int
	Sizes    []SizeScores // ascending; the last one has the scores of Learned.Table
	Baseline float64      // score of the constant baseline
	Stopped  bool         // some splits are missing
}

// SizeScores holds the scores of models with the same number of training points.
type SizeScores struct {
	Points  int                // mean over splits, rounded
	Scores  []float64          // for each split
	Summary compare.Summary    // summary of Scores
	Gain    compare.Difference // improvement over the next smaller size, > 0 if better; zero for the first size
}

// LearningCurveOf computes the learning curve of l. On each split of Learn's comparison, it learns from an eighth, a
// quarter, a half and the whole of the training part, with everything chosen inside that part, and tests on the same
// points. Smaller parts are drawn by class, and keep groups whole. Sizes of less than 16 points are skipped. The curve
// takes about as long as Learn's comparison did. The largest size is read from the store if there is one (WithStore).
//
// The end of ctx is not an error: the curve then has the finished splits, and is marked as stopped. progress may be
// nil.
func LearningCurveOf(ctx context.Context, l *Learned, progress func(compare.Progress)) (*LearningCurve, error) {
	compared, err := l.comparisonStudy()
	if err != nil {
		return nil, err
	}
	c := &LearningCurve{Data: compared.Data.Name, Targets: compared.Data.Targets(), Metric: mainMetric(compared),
		Splits: len(compared.Splits)}
	var parts [][]compare.Split
	for _, share := range []float64{1. / 8, 1. / 4, 1. / 2} {
		splits, err := subsetSplits(compared, share)
		if err != nil {
			return nil, err
		}
		if splits != nil {
			parts = append(parts, splits)
		}
	}
	parts = append(parts, compared.Splits)
	ratio := 0. // test/training ratio of the next smaller size; it is larger, so the intervals are not too short
	for k, splits := range parts {
		s := *compared
		s.Splits = splits
		t, err := s.Run(ctx, progressOfPart(progress, k, len(parts), ""))
		if err != nil {
			return nil, err
		}
		if c.Stopped = c.Stopped || t.Stopped; t.Summary(SelectedName, c.Metric).N > 0 {
			c.addSize(t, splits, ratio)
			ratio = t.Ratio
		}
	}
	return c, nil
}

// addSize adds the next larger size. t is the comparison on its splits. ratio is the ratio of test to training points
// of the size before.
func (c *LearningCurve) addSize(t *compare.Table, splits []compare.Split, ratio float64) {
	size := SizeScores{Scores: t.Values(SelectedName, c.Metric), Summary: t.Summary(SelectedName, c.Metric)}
	for _, split := range splits {
		size.Points += len(split.Train)
	}
	size.Points = int(math.Round(float64(size.Points) / float64(len(splits))))
	if m := len(c.Sizes); m > 0 {
		gain := make([]float64, len(size.Scores))
		for i, v := range size.Scores {
			if gain[i] = v - c.Sizes[m-1].Scores[i]; !c.Metric.HigherIsBetter() {
				gain[i] = -gain[i]
			}
		}
		size.Gain = compare.CorrectedResampledDifference(gain, ratio)
		size.Gain.Method, size.Gain.Baseline = fmt.Sprint(size.Points), fmt.Sprint(c.Sizes[m-1].Points)
		size.Gain.Metric = c.Metric
	}
	c.Sizes, c.Baseline = append(c.Sizes, size), t.Summary(compare.ConstantBaseline, c.Metric).Mean
}

// progressOfPart returns the progress of part k of n parts, from 0, that take about the same time. name is added to the
// names of tasks. It returns nil if progress is nil.
func progressOfPart(progress func(compare.Progress), k, n int, name string) func(compare.Progress) {
	if progress == nil {
		return nil
	}
	return func(p compare.Progress) {
		p.Left += time.Duration(n-k-1) * (p.Elapsed + p.Left)
		p.Done, p.Total, p.Task = p.Done+k*p.Total, n*p.Total, name+p.Task
		progress(p)
	}
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
		if group != nil && countDistinct(points.Pick(group, part[0].Test)) < max(s.Selection.Folds, 2) {
			return nil, nil
		}
		parts = append(parts, compare.Split{Train: points.Pick(split.Train, part[0].Test), Test: split.Test})
	}
	return parts, nil
}
