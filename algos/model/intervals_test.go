package model_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
)

// TestIntervalRanks tests the ends of intervals by the definition of CV+, from sorted numbers: n residuals of two folds
// whose models have the same f, at levels at which ranks by n or by n + 1 differ.
func TestIntervalRanks(t *testing.T) {
	for _, n := range []int{9, 19, 20} {
		for _, level := range []float64{0.5, 0.75, 0.8, 0.9} {
			folds := []model.Fold{{Model: *line()}, {Model: *line()}}
			var residuals []float64
			for i := range n {
				r := math.Sqrt(float64(i*7%n + 1))
				residuals = append(residuals, r)
				folds[i%2].Residuals = append(folds[i%2].Residuals, r)
			}
			slices.Sort(residuals)
			m := line()
			m.Intervals = &model.Intervals{Level: level, Folds: folds}
			p := must(must(m.Predictor()).Predict(points.NewRows([][]float64{{0.5}})))[0]
			const roundingError = 1e-9
			covered := int(math.Ceil(level*float64(n+1) - roundingError)) // the rank of the upper end
			left := int(math.Floor((1-level)*float64(n+1) + roundingError))
			if high := p.Value + residuals[covered-1]; p.Upper[0] != high || p.Lower[0] != p.Value-residuals[n-left] {
				t.Errorf("n = %d, level %g: the interval is [%g, %g], expected [%g, %g]", n, level, p.Lower[0],
					p.Upper[0], p.Value-residuals[n-left], high)
			}
		}
	}
}
