package study

import (
	"context"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
)

// TestWeightsOfPoints: each training part has the weights of its own points: weights of 1 change nothing,
// others do.
func TestWeightsOfPoints(t *testing.T) {
	d := moons(40, 1)
	ones, rising := make([]float64, 40), make([]float64, 40)
	for i := range ones {
		ones[i], rising[i] = 1, 0.1+float64(i%7)
	}
	rmse := func(w []float64) float64 {
		t.Helper()
		s := &Study{Data: d, Splits: must(KFold(d.Y, 4, 1)), Methods: []Method{
			{Name: "svm", Family: kernel.List{kernel.RBF{Gamma: 1}}, Grid: Grid{Losses(loss.Hinge{Weights: w}, 1, 10), Rules(mkl.Uniform{})}}}}
		return must(s.Run(context.Background(), nil)).Summary("svm", RMSE).Mean
	}
	none := rmse(nil)
	if got := rmse(ones); got != none {
		t.Errorf("RMSE with weights of 1 is %g, without %g", got, none)
	}
	if got := rmse(rising); got == none {
		t.Errorf("RMSE does not depend on the weights: %g", got)
	}
}
