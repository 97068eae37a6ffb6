package model_test

import (
	"math"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
)

// TestIntervalRanks tests the ends of intervals by the definition of CV+, from sorted numbers: n residuals of two folds
// whose models have the same f, at levels at which ranks by n or by n + 1 differ. Of weights 0.1, sums are rounded.
func TestIntervalRanks(t *testing.T) {
	for n, weight := range map[int]float64{9: 1, 19: 1, 20: 1, 90: 0.1, 100: 0.1, 110: 0.1} {
		for _, level := range []float64{0.5, 0.75, 0.8, 0.9} {
			folds := []model.Fold{{Model: *line()}, {Model: *line()}}
			var residuals []float64
			for i := range n {
				f, r := &folds[i%2], math.Sqrt(float64(i*7%n+1))
				residuals = append(residuals, r)
				f.Residuals, f.Weights = append(f.Residuals, r), append(f.Weights, weight)
			}
			slices.Sort(residuals)
			m := line()
			m.Intervals = &model.Intervals{Level: level, Folds: folds}
			p := must(must(m.Predictor()).Predict(points.NewRows([][]float64{{0.5}})))[0]
			const roundingError = 1e-9
			rank := int(math.Ceil(level*(float64(n)+1/weight) - roundingError)) // of the upper end, counted in points
			if rank = min(rank, n); p.Upper[0] != p.Value+residuals[rank-1] || p.Lower[0] != p.Value-residuals[rank-1] {
				t.Errorf("n = %d, level %g: the interval is [%g, %g], expected %g ± %g", n, level, p.Lower[0],
					p.Upper[0], p.Value, residuals[rank-1])
			}
		}
	}
}
