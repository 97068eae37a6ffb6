package learn

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/points"
)

// LearningCurve holds the scores of the method that Learn selects for several numbers of training points. It is plain
// data.
type LearningCurve struct {
	Data     string
	Targets  []string       // names of several targets, or nil; scores are means over them, each in its own unit
	Metric   compare.Metric // accuracy for classes, otherwise the mean loss if it chose the hyperparameters, or RMSE
	Splits   int
	Sizes    []SizeScores // in ascending order; the last one has the scores of Learned.Table
	Baseline float64      // mean score of the constant baseline
	Stopped  bool         // the work was stopped, so scores of some splits are missing
}

// SizeScores holds the scores of models with the same number of training points.
type SizeScores struct {
	Points  int                // number of training points: the mean over splits, rounded
	Scores  []float64          // one score for each split
	Summary compare.Summary    // summary of Scores
	Gain    compare.Difference // improvement over the next smaller size, > 0 if better; zero for the first size
}

// LearningCurveOf computes the learning curve of l. On each split of Learn's comparison, it learns from an eighth, a
// quarter, a half and the whole of the training part, with everything chosen inside that part, and scores on the same
// test points. The smaller parts are stratified by class and keep groups whole. Sizes below 16 points are skipped. The
// curve takes about as long as Learn's comparison did. Results for the whole training parts are read from the store if
// there is one (WithStore).
//
// The end of ctx is not an error: the curve then has the finished splits, and is marked as stopped. progress may be
// nil.
func LearningCurveOf(ctx context.Context, l *Learned, progress func(compare.Progress)) (*LearningCurve, error) {
	comparison, err := l.comparisonStudy()
	if err != nil {
		return nil, err
	}
	c := &LearningCurve{Data: comparison.Data.Name, Targets: comparison.Data.Targets(), Metric: mainMetric(comparison),
		Splits: len(comparison.Splits)}
	var parts [][]compare.Split
	for _, share := range []float64{1. / 8, 1. / 4, 1. / 2} {
		splits, err := shrinkTrainingParts(comparison, share)
		if err != nil {
			return nil, err
		}
		if splits != nil {
			parts = append(parts, splits)
		}
	}
	parts = append(parts, comparison.Splits)
	ratio := 0. // test points / training points of the next smaller size: larger, so intervals are not too short
	for k, splits := range parts {
		s := *comparison
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

// addSize adds the next larger size to c, given its splits and the table t of the comparison on them. testTrainRatio is
// (number of test points)/(number of training points) of the next smaller size.
func (c *LearningCurve) addSize(t *compare.Table, splits []compare.Split, testTrainRatio float64) {
	size := SizeScores{Scores: t.Values(SelectedName, c.Metric), Summary: t.Summary(SelectedName, c.Metric)}
	for _, split := range splits {
		size.Points += len(split.Train)
	}
	size.Points = int(math.Round(float64(size.Points) / float64(len(splits))))
	if m := len(c.Sizes); m > 0 {
		gains := make([]float64, len(size.Scores))
		for i, v := range size.Scores {
			if gains[i] = v - c.Sizes[m-1].Scores[i]; !c.Metric.HigherIsBetter() {
				gains[i] = -gains[i]
			}
		}
		size.Gain = compare.CorrectedResampledDifference(gains, testTrainRatio)
		size.Gain.Method, size.Gain.Baseline = fmt.Sprint(size.Points), fmt.Sprint(c.Sizes[m-1].Points)
		size.Gain.Metric = c.Metric
	}
	c.Sizes, c.Baseline = append(c.Sizes, size), t.Summary(compare.ConstantBaseline, c.Metric).Mean
}

// progressOfPart returns a callback for one of partCount parts that take about the same time. It converts the progress
// of this part to the progress of the whole, adds taskPrefix to the names of tasks, and calls progress. It returns nil
// if progress is nil.
func progressOfPart(progress func(compare.Progress), partIndex, partCount int,
	taskPrefix string) func(compare.Progress) {
	if progress == nil {
		return nil
	}
	return func(p compare.Progress) {
		p.Left += time.Duration(partCount-partIndex-1) * (p.Elapsed + p.Left)
		p.Done, p.Total, p.Task = p.Done+partIndex*p.Total, partCount*p.Total, taskPrefix+p.Task
		progress(p)
	}
}

// shrinkTrainingParts returns the splits of s with only a random share of the points of each training part. It returns
// nil if such a share has less than 16 points, or fewer groups than folds.
func shrinkTrainingParts(s *compare.Study, share float64) (smallerSplits []compare.Split, err error) {
	for _, split := range s.Splits {
		if share*float64(len(split.Train)) < 16 {
			return nil, nil
		}
		groups := points.Pick(s.Data.Group, split.Train)
		division, err := compare.Holdout(points.Pick(s.Data.Y, split.Train), share, 1, split.Seed(s.Seed),
			compare.ByGroup(groups))
		if err != nil {
			return nil, err
		}
		if groups != nil && countDistinct(points.Pick(groups, division[0].Test)) < max(s.Selection.Folds, 2) {
			return nil, nil
		}
		smallerSplits = append(smallerSplits,
			compare.Split{Train: points.Pick(split.Train, division[0].Test), Test: split.Test})
	}
	return smallerSplits, nil
}
