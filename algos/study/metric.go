package study

import (
	"fmt"

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

// Of returns the metric of s, NaN where it is not defined.
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
	panic(fmt.Sprintf("study: no metric %q", string(m)))
}

// Larger reports whether a larger value is a better one.
func (m Metric) Larger() bool {
	return m == R2 || m == Accuracy || m == Balanced || m == F1 || m == AUC
}
