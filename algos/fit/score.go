package fit

import (
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"

	"gonum.org/v1/gonum/stat"
)

// ScoreByLoss returns the score of predictions f of targets or labels y, in the order that model.ScorePredictions
// describes. If the loss l has weights for these points (loss.Weighted), they weight the points. Loss, of the score and
// of each of its Targets, is the mean loss if l defines a score (loss.Scored). Probabilities are set only if the metric
// by is model.LogLoss.
func ScoreByLoss(f, y []float64, l loss.Loss, encoding model.TargetEncoding, by model.Metric) model.Score {
	weights := loss.PointWeights(l)
	s, targets := scoreForMetric(f, y, weights, encoding, by), encoding.EncodeAll(y)
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

// scoreForMetric returns model.ScoreWeighted, with Probabilities if the metric by needs them.
func scoreForMetric(f, y, weights []float64, encoding model.TargetEncoding, by model.Metric) model.Score {
	s := model.ScoreWeighted(f, y, weights, encoding)
	if by == model.LogLoss {
		s.Probabilities = model.ScoreCalibrated(f, y, weights, encoding)
	}
	return s
}
