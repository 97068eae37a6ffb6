package model

import (
	"maps"
	"math"
	"slices"
)

// Metric is the name of a measure in a Score.
type Metric string

// These are the metrics. For regression, only RMSE, MAE, R2 and MeanLoss are defined.
const (
	RMSE      Metric = "RMSE"
	MAE       Metric = "mean absolute error"
	R2        Metric = "R²"
	Accuracy  Metric = "accuracy"
	ErrorRate Metric = "error rate" // 1 − accuracy
	Balanced  Metric = "balanced accuracy"
	F1        Metric = "F1" // mean over classes of the F1 score of each class
	// PositiveF1 is the F1 score of the positive class, the second of two.
	PositiveF1 Metric = "F1 of the positive class"
	AUC        Metric = "AUC" // area under the ROC curve; with more than two classes, mean over classes
	// LogLoss is the log loss of probabilities of classes: ProbabilityScore.
	LogLoss  Metric = "log loss"
	MeanLoss Metric = "mean loss" // for a loss that defines a score (loss.Scored), such as loss.Pinball
)

// metrics contains, for each metric, the function that reads it from a Score (of), the bounds of its values (lo and
// hi), to which its intervals are clipped, and whether a larger value is better.
var metrics = map[Metric]struct {
	of             func(Score) float64
	lo, hi         float64
	largerIsBetter bool
}{
	RMSE:       {func(s Score) float64 { return s.RMSE }, 0, math.Inf(1), false},
	MAE:        {func(s Score) float64 { return s.MAE }, 0, math.Inf(1), false},
	R2:         {func(s Score) float64 { return s.R2 }, math.Inf(-1), 1, true},
	Accuracy:   {func(s Score) float64 { return s.Accuracy }, 0, 1, true},
	ErrorRate:  {func(s Score) float64 { return 1 - s.Accuracy }, 0, 1, false},
	Balanced:   {func(s Score) float64 { return s.Balanced }, 0, 1, true},
	F1:         {func(s Score) float64 { return s.F1 }, 0, 1, true},
	PositiveF1: {func(s Score) float64 { return s.PositiveF1 }, 0, 1, true},
	AUC:        {func(s Score) float64 { return s.AUC }, 0, 1, true},
	LogLoss:    {func(s Score) float64 { return s.Probabilities.logLoss() }, 0, math.Inf(1), false},
	MeanLoss:   {func(s Score) float64 { return s.Loss }, math.Inf(-1), math.Inf(1), false},
}

// ClassMetrics returns the metrics of so many classes: LogLoss, and those whose values lie between 0 and 1.
func ClassMetrics(classCount int) (ofClasses []Metric) {
	for _, m := range slices.Sorted(maps.Keys(metrics)) {
		if lo, hi := m.Bounds(); m == LogLoss || lo == 0 && hi == 1 && (m != PositiveF1 || classCount == 2) {
			ofClasses = append(ofClasses, m)
		}
	}
	return ofClasses
}

// ValueIn returns the value of the metric m in s; NaN if it is not defined, or if m is not a metric.
func (m Metric) ValueIn(s Score) float64 {
	if metric, ok := metrics[m]; ok {
		return metric.of(s)
	}
	return math.NaN()
}

// HigherIsBetter reports whether a larger value is better.
func (m Metric) HigherIsBetter() bool { return metrics[m].largerIsBetter }

// Bounds returns the smallest and the largest possible value.
func (m Metric) Bounds() (lo, hi float64) { return metrics[m].lo, metrics[m].hi }
