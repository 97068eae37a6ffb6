package learn_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
)

// drawBendAndProduct draws n points of 12 standard normal features, and y = x₀x₁ + 2|x₂| + x₃ + noise. On few of these
// points one narrow kernel has the smallest error, on many the sum of all.
func drawBendAndProduct(n int, seed uint64) (points.Rows, []float64) {
	rng := rand.New(rand.NewPCG(seed, 57))
	x, y := points.Rows{N: n, D: 12, Data: make([]float64, 12*n)}, make([]float64, n)
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	for i := range y {
		v := x.Row(i)
		y[i] = v[0]*v[1] + 2*math.Abs(v[2]) + v[3] + 0.3*rng.NormFloat64()
	}
	return x, y
}

// TestFinalRound: if a method is selected on more points than its hyperparameters, its error on new points is at most
// 2 % above the error of the best candidate. Without the final round, the best single kernel is selected, whose error
// is 10 % above the error of uniform weights.
func TestFinalRound(t *testing.T) {
	n, selectionPoints, seedCount := 1500, 300, 1
	if !testing.Short() {
		seedCount = 2
	}
	for seed := range uint64(seedCount) {
		x, y := drawBendAndProduct(n, seed)
		d, err := data.New("bend and product", x, y)
		if err != nil {
			t.Fatal(err)
		}
		z, target := drawBendAndProduct(2000, seed+100)
		errorOnNewPoints := func(o ...learn.Option) (*learn.Learned, float64) {
			o = append(o, learn.WithSplits(nil), learn.WithSelectionPoints(selectionPoints))
			l, err := learn.Learn(t.Context(), d, o...)
			if err != nil {
				t.Fatal(err)
			}
			f, err := l.Model.Predict(z)
			if err != nil {
				t.Fatal(err)
			}
			return l, floats.Distance(f, target, 2) / math.Sqrt(float64(z.N))
		}
		l, got := errorOnNewPoints()
		best := math.Inf(1)
		for _, name := range []string{learn.UniformName, learn.SingleName, learn.LearnedName} {
			_, e := errorOnNewPoints(learn.WithMethod(name))
			best = min(best, e)
		}
		smallest := slices.MinFunc(l.Tried, func(a, b fit.Tried) int {
			return cmp.Compare(a.Error, b.Error)
		})
		if l.Method != smallest.Method || smallest.FinalPoints != 1200 {
			t.Errorf("seed %d: selected %s of %+v", seed, l.Method, l.Tried)
		}
		if got > 1.02*best {
			t.Errorf("seed %d: the RMSE of the selected method is %.4g, of the best %.4g", seed, got, best)
		}
	}
}
