package study

import (
	"math"

	"github.com/mklnb/mkl/algos/model"
)

// Metric names a number of a Score.
type Metric string

// The metrics. Of real targets there are RMSE, MAE and R2 alone.
const (
	RMSE      Metric = "RMSE"
	MAE       Metric = "mean absolute error"
	R2        Metric = "R²"
	Accuracy  Metric = "accuracy"
	ErrorRate Metric = "error rate" // 1 − accuracy
	Balanced  Metric = "balanced accuracy"
	F1        Metric = "F1"  // mean over classes
	AUC       Metric = "AUC" // of several classes their mean
)

// Of returns the metric of s, NaN where it is not defined, or no metric.
func (m Metric) Of(s model.Score) float64 {
	switch m {
	case RMSE:
		return s.RMSE
	case MAE:
		return s.MAE
	case R2:
		return s.R2
	case Accuracy:
		return s.Accuracy
	case ErrorRate:
		return 1 - s.Accuracy
	case Balanced:
		return s.Balanced
	case F1:
		return s.F1
	case AUC:
		return s.AUC
	}
	return math.NaN()
}

// known says whether m is a metric.
func (m Metric) known() bool {
	switch m {
	case RMSE, MAE, R2, Accuracy, ErrorRate, Balanced, F1, AUC:
		return true
	}
	return false
}

// bounds are the least and the greatest value that m can have, to which intervals are cut.
func (m Metric) bounds() (lo, hi float64) {
	switch m {
	case Accuracy, ErrorRate, Balanced, F1, AUC:
		return 0, 1
	case R2:
		return math.Inf(-1), 1
	}
	return 0, math.Inf(1)
}

// Larger reports whether a larger value is a better one.
func (m Metric) Larger() bool {
	return m == R2 || m == Accuracy || m == Balanced || m == F1 || m == AUC
}
