package compare

import (
	"math"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"

	"gonum.org/v1/gonum/stat"
)

// Metric is the name of a measure in a model.Score.
type Metric string

// These are the metrics. For regression, only RMSE, MAE, R2 and MeanLoss are defined.
const (
	RMSE      Metric = "RMSE"
	MAE       Metric = "mean absolute error"
	R2        Metric = "R²"
	Accuracy  Metric = "accuracy"
	ErrorRate Metric = "error rate" // 1 − accuracy
	Balanced  Metric = "balanced accuracy"
	F1        Metric = "F1"        // mean over classes of the F1 score of each class
	AUC       Metric = "AUC"       // area under the ROC curve; with more than two classes, mean over classes
	MeanLoss  Metric = "mean loss" // for a loss that defines a score (loss.Scored), such as loss.Pinball
)

// metrics contains, for each metric, the function that reads it from a Score (of), the bounds of its values (lo and
// hi), to which its intervals are clipped, and whether a larger value is better.
var metrics = map[Metric]struct {
	of             func(model.Score) float64
	lo, hi         float64
	largerIsBetter bool
}{
	RMSE:      {func(s model.Score) float64 { return s.RMSE }, 0, math.Inf(1), false},
	MAE:       {func(s model.Score) float64 { return s.MAE }, 0, math.Inf(1), false},
	R2:        {func(s model.Score) float64 { return s.R2 }, math.Inf(-1), 1, true},
	Accuracy:  {func(s model.Score) float64 { return s.Accuracy }, 0, 1, true},
	ErrorRate: {func(s model.Score) float64 { return 1 - s.Accuracy }, 0, 1, false},
	Balanced:  {func(s model.Score) float64 { return s.Balanced }, 0, 1, true},
	F1:        {func(s model.Score) float64 { return s.F1 }, 0, 1, true},
	AUC:       {func(s model.Score) float64 { return s.AUC }, 0, 1, true},
	MeanLoss:  {func(s model.Score) float64 { return s.Loss }, math.Inf(-1), math.Inf(1), false},
}

// ValueIn returns the value of the metric m in s; NaN if it is not defined, or if m is not a metric.
func (m Metric) ValueIn(s model.Score) float64 {
	if metric, ok := metrics[m]; ok {
		return metric.of(s)
	}
	return math.NaN()
}

// HigherIsBetter reports whether a larger value is better.
func (m Metric) HigherIsBetter() bool { return metrics[m].largerIsBetter }

// ScoreByLoss returns the score of predictions f of targets or labels y, in the order that model.ScorePredictions
// describes. If the loss l has weights for these points (loss.Weighted), they weight the points. Loss, of the score and
// of each of its Targets, is the mean loss if l defines a score (loss.Scored).
func ScoreByLoss(f, y []float64, l loss.Loss, encoding model.TargetEncoding) model.Score {
	weights := loss.PointWeights(l)
	s, targets := model.ScoreWeighted(f, y, weights, encoding), encoding.EncodeAll(y)
	for j := range len(f) / s.N {
		scoredLoss, ok := loss.ForColumn(l, j).(loss.Scored)
		if !ok {
			break
		}
		scores := make([]float64, s.N)
		for i := range scores {
			scores[i] = scoredLoss.Score(f[j*s.N+i], targets[j*s.N+i])
		}
		meanLoss := stat.Mean(scores, weights)
		s.Loss += meanLoss * float64(s.N) / float64(len(f))
		if s.Targets != nil {
			s.Targets[j].Loss = meanLoss
		}
	}
	return s
}
