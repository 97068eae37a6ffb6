package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/points"
)

// Intervals computes prediction intervals by the method CV+. For a new point z, with 1 − α = Level and n training
// points,
//
//	[⌊α(n+1)⌋-th smallest of f_k(z) − R_i,  ⌈(1−α)(n+1)⌉-th smallest of f_k(z) + R_i],   R_i = |y_i − f_k(x_i)|,
//
// where k is the fold of point i, and f_k was learned without this fold. If n training points and z are exchangeable,
// the interval contains the target y of z with a probability of at least 1 − 2α − O(1/√n), and of about 1 − α if f is
// stable. If the points have groups, the folds consist of whole groups and z is a point of a new group. Then, and if
// the loss has point weights, residual i has the weight v_i of Fold.Weights. The ends are the largest number such that
// the f_k(z) − R_i from it on, and the smallest such that the f_k(z) + R_i up to it, have the total weight
// (1−α)(1 + Σv). For a model with LogTargets, exp is applied to the intervals of log y.
//
// References:
//   - R. F. Barber, E. J. Candès, A. Ramdas and R. J. Tibshirani, Predictive inference with the jackknife+, Annals of
//     Statistics 49 (2021), (6) for the interval and Theorem 4 for the bound.
type Intervals struct {
	Level float64 // the probability 1 − α with which an interval should contain the target, such as 0.9
	Folds []Fold
}

// Fold holds the model f_k that was learned without one fold, and the residuals |y − f_k(x)| at the points of the fold.
// With several targets, Residuals has all points for the first target, then for the second, … If the model has
// LogTargets, they are residuals of log y.
type Fold struct {
	Model     Model
	Residuals []float64
	// Weights are the weights of the points of the fold, relative to the weight 1 of a new point. The points of a group
	// together count as one point. If Weights is nil, all are 1.
	Weights []float64
}

// weightOf returns the weight of residual i of a column.
func (f *Fold) weightOf(i int) float64 {
	if f.Weights == nil {
		return 1
	}
	return f.Weights[i]
}

// MinPointsForIntervals returns the least number n of training points, or groups of points, for a level: (1−level)(n+1)
// must be at least 1.
func MinPointsForIntervals(level float64) int { return int(math.Ceil(1/(1-level)-1e-9)) - 1 }

// CheckIntervalLevel returns an error unless a level is at least 0.5 and less than 1.
func CheckIntervalLevel(level float64) error {
	if !(level >= 0.5 && level < 1) {
		return fmt.Errorf("model: the level of the intervals is %g; use a number from 0.5 to less than 1, such as 0.9",
			level)
	}
	return nil
}

// validateFor returns an error if m has classes, if a field of v is invalid, or if there are too few residuals.
func (v *Intervals) validateFor(m *Model) error {
	if v == nil {
		return nil
	}
	if err := CheckIntervalLevel(v.Level); err != nil {
		return err
	}
	if m.Classes != nil {
		return fmt.Errorf("model: Intervals is set, but the model has %d classes; intervals need numeric targets",
			len(m.Classes))
	}
	n, c := 0.0, m.targetColumnCount()
	for k := range v.Folds {
		f := &v.Folds[k]
		switch {
		case f.Model.Intervals != nil || f.Model.LogTargets || f.Model.Classes != nil || f.Model.X == nil ||
			f.Model.targetColumnCount() != c:
			return fmt.Errorf("model: fold %d of Intervals has an unsuitable model; use a regression model with "+
				"points X, %d targets, and neither Intervals nor LogTargets", k+1, c)
		case len(f.Residuals)%c != 0 || slices.ContainsFunc(f.Residuals, func(r float64) bool { return !(r >= 0) }):
			return fmt.Errorf("model: fold %d of Intervals has %d residuals for %d columns; each column needs the "+
				"same number of residuals, all at least 0", k+1, len(f.Residuals), c)
		case f.Weights != nil && (len(f.Weights) != len(f.Residuals)/c ||
			slices.ContainsFunc(f.Weights, func(w float64) bool { return !(w > 0 && w <= math.MaxFloat64) })):
			return fmt.Errorf("model: fold %d of Intervals has %d weights for %d points; use one number > 0 for each, "+
				"or none", k+1, len(f.Weights), len(f.Residuals)/c)
		}
		for i := range len(f.Residuals) / c {
			n += f.weightOf(i)
		}
	}
	if minResiduals := MinPointsForIntervals(v.Level); n < float64(minResiduals)-1e-6 {
		return fmt.Errorf("model: %.4g residuals or groups for intervals of level %g; at least %d are needed", n,
			v.Level, minResiduals)
	}
	return nil
}

// addIntervals sets Lower and Upper of the predictions for the points z, if the model has Intervals.
func (p *Predictor) addIntervals(predictions []Prediction, z points.Points) error {
	v := p.m.Intervals
	if v == nil {
		return nil
	}
	l, c, total := len(predictions), p.m.targetColumnCount(), 0.0
	// for each fold k, f_k(z): all points z for the first column, then for the second, …
	foldValues := make([][]float64, len(p.foldPredictors))
	for k, fold := range p.foldPredictors {
		alignedPoints, err := fold.alignPoints(z)
		if err != nil {
			return fmt.Errorf("model: fold %d of the intervals: %w", k+1, err)
		}
		foldValues[k] = make([]float64, l*c)
		if err := fold.predictWithoutExp(foldValues[k], alignedPoints, nil); err != nil {
			return fmt.Errorf("model: fold %d of the intervals: %w", k+1, err)
		}
		for i := range len(v.Folds[k].Residuals) / c {
			total += v.Folds[k].weightOf(i)
		}
	}
	var negatedLows, highs []weightedValue
	for i := range predictions {
		predictions[i].Lower, predictions[i].Upper = make([]float64, c), make([]float64, c)
		for j := range c {
			negatedLows, highs = negatedLows[:0], highs[:0]
			for k := range v.Folds {
				fold, f := &v.Folds[k], foldValues[k][j*l+i]
				nk := len(fold.Residuals) / c
				for r, residual := range fold.Residuals[j*nk : (j+1)*nk] {
					negatedLows = append(negatedLows, weightedValue{residual - f, fold.weightOf(r)})
					highs = append(highs, weightedValue{f + residual, fold.weightOf(r)})
				}
			}
			coveredWeight := v.Level * (1 + total)
			lower, upper := -smallestCovering(negatedLows, coveredWeight), smallestCovering(highs, coveredWeight)
			if p.m.LogTargets {
				lower, upper = math.Exp(lower), math.Exp(upper)
			}
			predictions[i].Lower[j], predictions[i].Upper[j] = lower, upper
		}
	}
	return nil
}

type weightedValue struct{ value, weight float64 }

// smallestCovering sorts values and returns the smallest one such that those up to it have this total weight.
func smallestCovering(values []weightedValue, weight float64) float64 {
	const tolerance = 1e-9 // rounding errors of the weights do not change the result
	slices.SortFunc(values, func(a, b weightedValue) int { return cmp.Compare(a.value, b.value) })
	for _, v := range values {
		if weight -= v.weight; weight <= tolerance {
			return v.value
		}
	}
	return values[len(values)-1].value
}
