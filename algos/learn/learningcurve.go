package learn

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
)

// LearningCurve holds scores of the method that Learn selects, for several numbers of training points.
type LearningCurve struct {
	Data     string       // name of the dataset
	Targets  []string     // names of the targets if there are several, or nil; scores are plain means over them
	Metric   model.Metric // error rate for classes; mean loss if Selection.By is the mean loss; RMSE otherwise
	Splits   int
	Sizes    []SizeScores // scores by number of training points, ascending; the last are those of Learned.Table
	Baseline float64      // mean score of the constant baseline
	Stopped  bool         // the work was stopped, so scores of some splits are missing
}

// SizeScores holds the scores of models that were learned from the same share of each training part.
type SizeScores struct {
	Points  int                // number of training points: the mean over splits, rounded
	Scores  []float64          // one score for each split
	Summary compare.Summary    // mean and interval of Scores
	Gain    compare.Difference // improvement over the next smaller size, > 0 if better; zero for the first size
}

// LearningCurveOf computes the learning curve of l. On each split of Learn's comparison, it learns from an eighth, a
// quarter, a half and the whole of the training part, with everything chosen inside that part, and scores on the same
// test points. Smaller parts are stratified and keep groups whole. Sizes below 16 points are skipped. The curve takes
// about as long as Learn's comparison did. Results for the whole training parts are read from the store if there is one
// (WithStore).
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
	var parts [][]fit.Split
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
	testTrainRatio := 0. // the ratio of the next smaller size is larger, so intervals are not too short
	for k, splits := range parts {
		s := *comparison
		s.Splits = splits
		t, err := s.Run(ctx, progressOfPart(progress, k, len(parts), ""))
		if err != nil {
			return nil, err
		}
		if c.Stopped = c.Stopped || t.Stopped; t.Summary(SelectedName, c.Metric).N > 0 {
			c.addScoresOfSize(t, splits, testTrainRatio)
			testTrainRatio = t.TestTrainRatio
		}
	}
	return c, nil
}

// addScoresOfSize adds the next larger size to c, given the splits of this size and the table t of the comparison on
// them. testTrainRatio is (test points)/(training points) of the next smaller size, for the interval of Gain.
func (c *LearningCurve) addScoresOfSize(t *compare.Table, splits []fit.Split, testTrainRatio float64) {
	sizeScores := SizeScores{Scores: t.Values(SelectedName, c.Metric), Summary: t.Summary(SelectedName, c.Metric)}
	for _, split := range splits {
		sizeScores.Points += len(split.Train)
	}
	sizeScores.Points = int(math.Round(float64(sizeScores.Points) / float64(len(splits))))
	if m := len(c.Sizes); m > 0 {
		gains := make([]float64, len(sizeScores.Scores))
		for i, v := range sizeScores.Scores {
			if gains[i] = v - c.Sizes[m-1].Scores[i]; !c.Metric.HigherIsBetter() {
				gains[i] = -gains[i]
			}
		}
		sizeScores.Gain = compare.CorrectedResampledDifference(gains, testTrainRatio)
		sizeScores.Gain.Method, sizeScores.Gain.Metric = fmt.Sprint(sizeScores.Points), c.Metric
		sizeScores.Gain.Baseline = fmt.Sprint(c.Sizes[m-1].Points)
	}
	c.Sizes, c.Baseline = append(c.Sizes, sizeScores), t.Summary(compare.ConstantBaseline, c.Metric).Mean
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
		p.Done, p.Total, p.TaskName = p.Done+partIndex*p.Total, partCount*p.Total, taskPrefix+p.TaskName
		progress(p)
	}
}

// shrinkTrainingParts returns the splits of s with only a random share of the points of each training part. It returns
// nil if such a share has less than 16 points, or fewer groups than folds.
func shrinkTrainingParts(s *compare.Study, share float64) (smallerSplits []fit.Split, err error) {
	for _, split := range s.Splits {
		if share*float64(len(split.Train)) < 16 {
			return nil, nil
		}
		groups := points.Pick(s.Data.Group, split.Train)
		drawnSplits, err := fit.Holdout(points.Pick(s.Data.SplitLabels(), split.Train), share, 1,
			split.Seed(s.Seed), fit.ByGroup(groups))
		if err != nil {
			return nil, err
		}
		if groups != nil && countDistinct(points.Pick(groups, drawnSplits[0].Test)) < max(s.Selection.Folds, 2) {
			return nil, nil
		}
		smallerSplits = append(smallerSplits,
			fit.Split{Train: points.Pick(split.Train, drawnSplits[0].Test), Test: split.Test})
	}
	return smallerSplits, nil
}
