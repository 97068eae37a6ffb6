package model_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/model"
)

func near(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-12*(1+math.Abs(b)) // sums of few terms
}

// By hand: f − y = (−1, 1, 0, 2), y of mean 2.5 and Σ(y−ȳ)² = 5.
func TestMeasureNumbers(t *testing.T) {
	s := model.ScorePredictions([]float64{0, 3, 3, 6}, []float64{1, 2, 3, 4}, model.TargetEncoding{})
	if !near(s.RMSE, math.Sqrt(6.0/4)) || !near(s.MAE, 1) || !near(s.R2, 1-6.0/5) || s.N != 4 {
		t.Errorf("RMSE %v, MAE %v, R² %v of %d, want √1.5, 1, −0.2 of 4", s.RMSE, s.MAE, s.R2, s.N)
	}
	if !math.IsNaN(s.Accuracy) || !math.IsNaN(s.AUC) || !math.IsNaN(s.Balanced) {
		t.Errorf("real targets have accuracy %v, AUC %v", s.Accuracy, s.AUC)
	}
}

// R² of equal targets is not defined, whatever their number and value; it is defined if one target differs.
func TestR2OfEqualTargets(t *testing.T) {
	for n := 1; n <= 70; n++ {
		f := make([]float64, n)
		for i := range f {
			f[i] = math.Sin(float64(i))
		}
		for _, v := range []float64{0, 1, -1, 0.1, 0.3, 1.1, 2, 5, 1e-300, -1e6, 1e100, 1. / 3} {
			y := slices.Repeat([]float64{v}, n)
			encodings := []model.TargetEncoding{{}}
			if math.Abs(v) == 1 {
				encodings = append(encodings, model.TargetEncoding{Classes: 2})
			}
			for _, e := range encodings {
				if r := model.ScorePredictions(f, y, e).R2; !math.IsNaN(r) {
					t.Errorf("%d targets %g of %d classes: R² is %g, want NaN", n, v, e.Classes, r)
				}
			}
			pair := model.ScorePredictions(append(f, f...), append(y, f...), model.TargetEncoding{Targets: 2})
			if r := pair.Targets[0].R2; !math.IsNaN(r) || n > 1 && !near(pair.Targets[1].R2, 1) {
				t.Errorf("%d targets %g, the first of two: R² is %g, of the second %g", n, v, r, pair.Targets[1].R2)
			}
			if y[0] = v + 1; n > 1 && y[0] != v && math.IsNaN(model.ScorePredictions(f, y, model.TargetEncoding{}).R2) {
				t.Errorf("%d targets %g and one %g: R² is NaN", n, v, y[0])
			}
		}
	}
}

// By hand: three of four +1 and one of two −1 right; of the 8 pairs 5 in order and one tied.
func TestMeasureClasses(t *testing.T) {
	f, y := []float64{2, 1, 0, -1, -2, 1}, []float64{1, 1, 1, 1, -1, -1}
	s := model.ScorePredictions(f, y, model.TargetEncoding{Classes: 2})
	if !near(s.Accuracy, 4.0/6) || !near(s.Balanced, (3.0/4+1.0/2)/2) || !near(s.AUC, 5.5/8) {
		t.Errorf("accuracy %v, balanced %v, AUC %v, want 0.667, 0.625, 0.6875", s.Accuracy, s.Balanced, s.AUC)
	}
	one := model.ScorePredictions([]float64{1, -1}, []float64{1, 1}, model.TargetEncoding{Classes: 2})
	if one.Accuracy != 0.5 || !math.IsNaN(one.AUC) || !math.IsNaN(one.Balanced) {
		t.Errorf("one class: accuracy %v, balanced %v, AUC %v, want 0.5, NaN, NaN", one.Accuracy, one.Balanced, one.AUC)
	}
}

func ExampleScorePredictions() {
	f, y := []float64{0.8, -0.3, 0.1, -1.2}, []float64{1, 1, -1, -1}
	s := model.ScorePredictions(f, y, model.TargetEncoding{Classes: 2})
	fmt.Printf("accuracy %.2f, AUC %.2f, RMSE of ±1 %.4f\n", s.Accuracy, s.AUC, s.RMSE)
	// Output: accuracy 0.50, AUC 0.75, RMSE of ±1 0.8631
}

// A point of weight 3 has the score of three equal points, for numbers, two and three classes and several targets.
func TestWeightedScores(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for name, e := range map[string]model.TargetEncoding{"numbers": {}, "two classes": {Classes: 2},
		"three classes": {Classes: 3}, "two targets": {Targets: 2}} {
		n, c, columns := 30, e.Columns(), max(e.Targets, 1)
		f, y, w := make([]float64, n*c), make([]float64, n*columns), make([]float64, n)
		for i := range f {
			f[i] = math.Round(4*rng.NormFloat64()) / 4 // with ties
		}
		for i := range y {
			y[i] = map[int]float64{0: rng.NormFloat64(), 2: float64(2*rng.IntN(2) - 1),
				3: float64(rng.IntN(3))}[e.Classes]
		}
		repeat := func(x []float64) (r []float64) {
			for column := range slices.Chunk(x, n) {
				for i, v := range column {
					r = append(r, slices.Repeat([]float64{v}, int(w[i]))...)
				}
			}
			return r
		}
		for i := range w {
			w[i] = float64(1 + rng.IntN(3))
		}
		got, plain := model.ScoreWeighted(f, y, w, e), model.ScorePredictions(f, y, e)
		want := model.ScorePredictions(repeat(f), repeat(y), e)
		for k, v := range [][3]float64{{got.RMSE, want.RMSE, plain.RMSE}, {got.MAE, want.MAE, plain.MAE},
			{got.R2, want.R2, plain.R2}, {got.Accuracy, want.Accuracy, plain.Accuracy},
			{got.Balanced, want.Balanced, plain.Balanced}, {got.F1, want.F1, plain.F1},
			{got.AUC, want.AUC, plain.AUC}} {
			if math.IsNaN(v[0]) != math.IsNaN(v[1]) || math.Abs(v[0]-v[1]) > 1e-12 {
				t.Errorf("%s: measure %d is %g with weights, %g with repeated points", name, k, v[0], v[1])
			}
			if v[1] == v[2] {
				t.Errorf("%s: weights do not change measure %d, so the test cannot fail", name, k)
			}
		}
	}
}
