package model_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/model"
)

// leastOf returns the minimizer of a convex function on [lo, hi], by golden sections.
func leastOf(f func(float64) float64, lo, hi float64) float64 {
	r := (math.Sqrt(5) - 1) / 2
	for range 60 {
		if a, b := hi-r*(hi-lo), lo+r*(hi-lo); f(a) < f(b) {
			hi = b
		} else {
			lo = a
		}
	}
	return (lo + hi) / 2
}

// TestScoreCalibrated compares the scores of two classes, with and without weights, with those of sigmoids that golden
// sections find, in parts that the test deals out itself, and with a case by hand, in which all values are equal.
func TestScoreCalibrated(t *testing.T) {
	two := model.TargetEncoding{Classes: 2}
	y := []float64{1, -1, -1, 1, 1, -1, 1, 1, -1, 1}
	f := []float64{.2, .2, .2, .2, .2, .2, .2, .2, .2, .2}
	// In four parts, 5 of the other 8 points are positive, in the last one 4 of 8, with the targets of FitSigmoid.
	p := (5*6./7 + 3*1./5) / 8
	want := -(4*math.Log(p) + 4*math.Log(1-p) + 2*math.Log(0.5)) / 10
	if s := model.ScoreCalibrated(f, y, nil, two); math.Abs(s.LogLoss-want) > 1e-12 {
		t.Errorf("equal values have the log loss %.15g, want %.15g", s.LogLoss, want)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 4 {
		f, y, w := make([]float64, 40), make([]float64, 40), make([]float64, 40)
		counts := map[float64]int{}
		for i := range f {
			y[i], w[i] = math.Copysign(1, rng.NormFloat64()+1), 1
			counts[y[i]]++
			f[i] = y[i] + 1.5*rng.NormFloat64()
		}
		weights := []float64(nil)
		if trial%2 == 1 {
			for i := range w {
				w[i] = math.Exp(rng.NormFloat64())
			}
			weights = w
		}
		parts, seen := make([]int, 40), map[float64]int{-y[0]: counts[y[0]]}
		for i, v := range y {
			parts[i] = seen[v] % 5
			seen[v]++
		}
		logLoss, brier, total := 0.0, 0.0, 0.0
		for part := range 5 {
			sum, squares, positive := 0.0, 0.0, 0.0
			for i := range f {
				if parts[i] != part {
					sum, squares, positive = sum+w[i], squares+w[i]*w[i], positive+w[i]*(y[i]+1)/2
				}
			}
			high, low := (positive*sum/squares+1)/(positive*sum/squares+2), 1/((sum-positive)*sum/squares+2)
			risk := func(a, b float64) (r float64) {
				for i := range f {
					if target := high; parts[i] != part {
						if y[i] < 0 {
							target = low
						}
						r += w[i] * (math.Log1p(math.Exp(a*f[i]+b)) - (1-target)*(a*f[i]+b))
					}
				}
				return r
			}
			bestB := func(a float64) float64 { return leastOf(func(b float64) float64 { return risk(a, b) }, -9, 9) }
			a := leastOf(func(a float64) float64 { return risk(a, bestB(a)) }, -9, 0)
			b := bestB(a)
			for i := range f {
				if parts[i] == part {
					p := 1 / (1 + math.Exp(a*f[i]+b)) // of the label 1, and at least ½ for the predicted one
					if f[i] >= 0 {
						p = max(p, 0.5)
					} else {
						p = min(p, 0.5)
					}
					logLoss -= w[i] * math.Log(math.Abs((1-y[i])/2-p))
					brier += w[i] * ((1+y[i])/2 - p) * ((1+y[i])/2 - p)
					total += w[i]
				}
			}
		}
		s := model.ScoreCalibrated(f, y, weights, two)
		if math.Abs(s.LogLoss-logLoss/total) > 1e-6 || math.Abs(s.Brier-brier/total) > 1e-6 {
			t.Errorf("trial %d: %+v, want the log loss %g and the Brier score %g", trial, s, logLoss/total, brier/total)
		}
	}
}

// TestScoreCalibratedIsHeldOut: labels that do not depend on the values have at least the log loss ln 2 in the mean.
// The control is the log loss of sigmoids that were fitted to the same points.
func TestScoreCalibratedIsHeldOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const n, draws = 20, 400
	heldOut, same := 0.0, 0.0
	for range draws {
		f, y := make([]float64, n), make([]float64, n)
		for i := range f {
			f[i], y[i] = rng.NormFloat64(), float64(2*(i%2)-1)
		}
		heldOut += model.ScoreCalibrated(f, y, nil, model.TargetEncoding{Classes: 2}).LogLoss / draws
		s := must(model.FitSigmoid(f, y, nil))
		for i := range f {
			same -= math.Log(math.Abs((1-y[i])/2-s.Probability(f[i]))) / n / draws
		}
	}
	if !(heldOut > math.Ln2 && same < math.Ln2-0.01) {
		t.Errorf("the log loss is %.4f, of sigmoids of the same points %.4f, of a coin %.4f", heldOut, same, math.Ln2)
	}
	three := model.TargetEncoding{Classes: 3}
	f := make([]float64, 90)
	y := make([]float64, 30)
	for i := range y {
		y[i] = float64(i % 3)
		for j := range 3 {
			f[30*j+i] = -1
		}
		f[30*(i%3)+i] = 1
	}
	if s := model.ScoreCalibrated(f, y, nil, three); !(s.LogLoss > 0 && s.LogLoss < 0.3) {
		t.Errorf("three classes that the values tell apart have the log loss %g", s.LogLoss)
	}
	if s := model.ScoreCalibrated(f[:3], y[:1], nil, three); s != nil {
		t.Errorf("one point has the score %+v", s)
	}
}

// TestLogLossOfOutlier: one outlier among 200 points that are separated well costs at most −ln 2⁻⁵², and the log loss
// is the same if the two classes are exchanged.
func TestLogLossOfOutlier(t *testing.T) {
	two := model.TargetEncoding{Classes: 2}
	for _, size := range []float64{3, 30, 300, 3e5} {
		rng := rand.New(rand.NewPCG(7, 8))
		f, y := make([]float64, 203), make([]float64, 203)
		for i := range f {
			y[i] = float64(2*(i%2) - 1)
			f[i] = y[i] * (1 + 0.1*rng.NormFloat64())
		}
		f[7] = -size * y[7]
		exchangedF, exchangedY := make([]float64, 203), make([]float64, 203)
		for i := range f {
			exchangedF[i], exchangedY[i] = -f[i], -y[i]
		}
		a, b := model.ScoreCalibrated(f, y, nil, two), model.ScoreCalibrated(exchangedF, exchangedY, nil, two)
		if !(a.LogLoss > 0 && a.LogLoss < 1) || math.Abs(a.LogLoss-b.LogLoss) > 1e-6 ||
			math.Abs(a.Brier-b.Brier) > 1e-6 {
			t.Errorf("an outlier at %g: %+v, with exchanged classes %+v", size, *a, *b)
		}
	}
	p, q := make([]float64, 2), make([]float64, 2)
	two.Probabilities(p, []model.Sigmoid{{A: -1}}, []float64{50})
	two.Probabilities(q, []model.Sigmoid{{A: -1}}, []float64{-50})
	if p[0] != q[1] || math.Abs(p[0]*math.Exp(50)-1) > 1e-12 {
		t.Errorf("the decision values ±50 have the probabilities %g and %g", p, q)
	}
}
