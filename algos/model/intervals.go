package model

import (
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
// stable. If the folds consist of whole groups, z is a point of a new group. For a model with LogTargets, exp is
// applied to the intervals of log y.
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
}

// MinPointsForIntervals returns the least number n of training points for a level: (1−level)(n+1) must be at least 1.
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
	n, c := 0, m.targetColumnCount()
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
		}
		n += len(f.Residuals) / c
	}
	if minResiduals := MinPointsForIntervals(v.Level); n < minResiduals {
		return fmt.Errorf("model: %d residuals for intervals of level %g; at least %d are needed", n, v.Level,
			minResiduals)
	}
	return nil
}

// addIntervals sets Lower and Upper of the predictions for the points z, if the model has Intervals.
func (p *Predictor) addIntervals(predictions []Prediction, z points.Points) error {
	v := p.m.Intervals
	if v == nil {
		return nil
	}
	l, c, n := len(predictions), p.m.targetColumnCount(), 0
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
		n += len(v.Folds[k].Residuals) / c
	}
	const tolerance = 1e-9 // if alpha·(n+1) is an integer, its rounding error does not change lowRank and highRank
	alpha := 1 - v.Level
	lowRank, highRank := int(alpha*float64(n+1)+tolerance), int(math.Ceil((1-alpha)*float64(n+1)-tolerance))
	lows, highs := make([]float64, n), make([]float64, n)
	for i := range predictions {
		predictions[i].Lower, predictions[i].Upper = make([]float64, c), make([]float64, c)
		for j := range c {
			lows, highs = lows[:0], highs[:0]
			for k, fold := range v.Folds {
				nk := len(fold.Residuals) / c
				for _, r := range fold.Residuals[j*nk : (j+1)*nk] {
					lows, highs = append(lows, foldValues[k][j*l+i]-r), append(highs, foldValues[k][j*l+i]+r)
				}
			}
			slices.Sort(lows)
			slices.Sort(highs)
			lower, upper := lows[lowRank-1], highs[highRank-1]
			if p.m.LogTargets {
				lower, upper = math.Exp(lower), math.Exp(upper)
			}
			predictions[i].Lower[j], predictions[i].Upper[j] = lower, upper
		}
	}
	return nil
}
