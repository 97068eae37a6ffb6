package learn

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// A quantile of points with weights is the quantile of these weights. The weights 9 and 1 are those of 180 targets
// near 0 and 20 near 5: of 200 such points the 0.5 quantile is near 0, and without weights it is near 2.5.
func TestWeightedQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	d := &data.Dataset{Name: "weighted", X: comparetest.NormalPoints(200, 1, rng)}
	var weights []float64
	for i := range 200 {
		w := 9.0
		if i%2 == 1 {
			w = 1
		}
		d.Y, weights = append(d.Y, rng.NormFloat64()+5*float64(i%2)), append(weights, w)
	}
	for tau, want := range map[float64]float64{0.5: 0.14, 0.8: 1.22} { // quantiles of N(0, 1) at τ/0.9
		l := learn(t, d, WithLoss(fit.Losses(loss.Pinball{Tau: tau, Weights: weights}, 0.001, 0.01, 0.1)),
			WithSplits(nil))
		for i, f := range must(l.Model.Predict(points.NewRows([][]float64{{-1}, {0}, {1}}))) {
			if math.Abs(f-want) > 0.5 {
				t.Errorf("τ = %g, point %d: %g, want about %g", tau, i+1, f, want)
			}
		}
	}
}

// Points of a weight of 1e-6 have no effect on any step: the choice, the quantile and the intervals are those of the
// other points.
func TestWeightsChoose(t *testing.T) {
	for name, newLoss := range map[string]func(w []float64) loss.Loss{
		"pinball":     func(w []float64) loss.Loss { return loss.Pinball{Tau: 0.5, Weights: w} },
		"insensitive": func(w []float64) loss.Loss { return loss.EpsilonInsensitive{Epsilon: 0.1, Weights: w} },
	} {
		d := comparetest.NoisySine(80, 3)
		weights := make([]float64, 80)
		for i := range weights {
			if weights[i] = 1; i%2 == 1 {
				weights[i], d.Y[i] = 1e-6, 50*math.Sin(float64(7*i)) // noise, which a large C would follow
			}
		}
		fit := func(d *data.Dataset, w []float64) *Learned {
			return learn(t, d, WithLoss(fit.Losses(newLoss(w), 0.1, 1, 10)), WithMethod(UniformName),
				WithFamily(gaussians), WithIntervals(0.8), WithSplits(nil))
		}
		var rows []int
		for i := range 40 {
			rows = append(rows, 2*i)
		}
		some, all := fit(must(d.Slice(rows)), nil), fit(d, weights)
		z := comparetest.NoisySine(20, 4).X
		want, got := must(must(some.Model.Predictor()).Predict(z)), must(must(all.Model.Predictor()).Predict(z))
		for i := range want { // the folds differ, and the points of weight 1e-6 are among the values of scales
			if math.Abs(got[i].Value-want[i].Value) > 1 || !(got[i].Upper[0]-got[i].Lower[0] < 6) {
				t.Errorf("%s, point %d: %+v, without points of weight 1e-6 %+v", name, i+1, got[i], want[i])
			}
		}
		if w := all.Tried[0].Error; !(w < 2) {
			t.Errorf("%s: the error of the choice is %g", name, w)
		}
	}
}

// rareClass has 15 rare points among 135 usual ones, in overlapping normal distributions.
func rareClass(seed uint64, rare, usual int) *data.Dataset {
	rng := rand.New(rand.NewPCG(seed, 3))
	d := &data.Dataset{Name: "rare", Classes: []string{"usual", "rare"},
		X: comparetest.NormalPoints(rare+usual, 2, rng)}
	for i := range rare + usual {
		if i < rare {
			d.X.(points.Rows).Row(i)[0] += 1.2
		}
		d.Y = append(d.Y, map[bool]float64{true: 1, false: -1}[i < rare])
	}
	return d
}

// A weight of 9 on the points of a rare class finds more of them, because the choice of kernel and C uses it too.
func TestRareClassWithWeights(t *testing.T) {
	found := map[float64]float64{}
	test := rareClass(99, 200, 200)
	for _, weight := range []float64{1, 9} {
		for seed := range uint64(4) {
			d := rareClass(seed, 15, 135)
			weights := make([]float64, 150)
			for i, y := range d.Y {
				weights[i] = map[bool]float64{true: weight, false: 1}[y > 0]
			}
			l := learn(t, d, WithLoss(fit.Losses(loss.Hinge{Weights: weights}, 0.1, 1, 10)), WithSplits(nil),
				WithoutProbabilities(), WithMethod(SingleName))
			for i, f := range must(l.Model.Predict(test.X)) {
				if test.Y[i] > 0 && f >= 0 {
					found[weight] += 1. / 200 / 4
				}
			}
		}
	}
	t.Logf("share of rare points found, by weight: %.3f", found)
	if !(found[9] > 0.55 && found[9] > found[1]+0.3) {
		t.Errorf("the shares of rare points found with the weights 1 and 9 are %.3f", found)
	}
}

// TestBalancedRidge: with WithBalancedClasses the model is that of gonum's solution of the weighted problem, for two
// and three classes: (K + λV⁻¹)w = y for all points, and (CᵀVC + λW)w = CᵀVy for landmarks, where y minus the weighted
// mean has the value of F that the proof bounds from above. All weights are the same for the model and for the proof.
func TestBalancedRidge(t *testing.T) {
	const lambda = 0.3
	k := func(a, b []float64) float64 {
		s := floats.Distance(a, b, 2)
		return (math.Exp(-0.2*s*s) + math.Exp(-2*s*s)) / 2
	}
	gram := func(a, b points.Points) *mat.Dense {
		g := mat.NewDense(a.Len(), b.Len(), nil)
		g.Apply(func(i, j int, _ float64) float64 { return k(a.(points.Rows).Row(i), b.(points.Rows).Row(j)) }, g)
		return g
	}
	d3 := comparetest.ClassClusters(3, 50, 2, 1, 1)
	for name, d := range map[string]*data.Dataset{"two": rareClass(1, 15, 185),
		"three": must(d3.Slice(points.AllIndices(120)))} {
		n, encoding := d.Len(), model.TargetEncoding{Classes: len(d.Classes)}
		counts, weights, fresh := d.ClassCounts(), make([]float64, n), d.X.Slice([]int{3, 50, n - 1})
		for i := range weights {
			weights[i] = float64(n) / float64(len(counts)*counts[d.Class(i)])
		}
		v, minimum := mat.NewDiagDense(n, weights), 0.0
		for _, landmarks := range []int{0, 40} {
			l := learn(t, d, WithBalancedClasses(), WithMethod(UniformName),
				WithFamily(kernel.List{kernel.RBF{Gamma: 0.2}, kernel.RBF{Gamma: 2}}),
				WithLambda(lambda), WithLandmarks(landmarks), WithSplits(nil))
			if l.Landmarks != landmarks {
				t.Fatalf("%s: %d landmarks, want %d", name, l.Landmarks, landmarks)
			}
			z := l.Model.X
			c, w := gram(d.X, z), gram(z, z)
			var cv, a, predictions mat.Dense
			cv.Mul(c.T(), v)
			a.Mul(&cv, c)
			a.Apply(func(i, j int, x float64) float64 { return x + lambda*w.At(i, j) }, &a)
			if landmarks == 0 {
				a.CloneFrom(c)
				for i, v := range weights {
					a.Set(i, i, a.At(i, i)+lambda/v)
				}
			}
			upper := 0.0
			got := must(l.Model.Values(fresh))
			for j := range encoding.Columns() {
				y := encoding.EncodeAll(d.Y)[j*n : (j+1)*n]
				mean := stat.Mean(y, weights)
				floats.AddConst(-mean, y)
				var right, dual, f mat.VecDense
				if landmarks == 0 {
					right.CloneFromVec(mat.NewVecDense(n, y))
				} else {
					right.MulVec(&cv, mat.NewVecDense(n, y))
				}
				if err := dual.SolveVec(&a, &right); err != nil {
					t.Fatal(err)
				}
				if landmarks == 0 {
					minimum += mat.Dot(&right, &dual) / 2
				}
				f.MulVec(c, &dual)
				for i := range y {
					upper += weights[i] * (y[i] - f.AtVec(i)) * (y[i] - f.AtVec(i)) / (2 * lambda)
				}
				upper += mat.Inner(&dual, w, &dual) / 2
				predictions.Mul(gram(fresh, z), &dual)
				for i := range fresh.Len() {
					if want := predictions.At(i, 0) + mean; !(math.Abs(got.At(i, j)-want) < 1e-6) {
						t.Errorf("%s classes, %d landmarks: point %d has the value %.9g, want %.9g", name, landmarks, i,
							got.At(i, j), want)
					}
				}
			}
			if landmarks > 0 && (l.Proof == nil || !(l.Proof.Upper >= upper*(1-1e-9) &&
				l.Proof.Upper < upper*(1+1e-6) && l.Proof.Lower > 0.2*upper && l.Proof.Lower <= minimum*(1+1e-9))) {
				t.Errorf("%s classes: the value of F is %.9g, its minimum %.9g, proved %+v %s", name, upper, minimum,
					l.Proof, l.WhyUnproved)
			}
		}
	}
}

// The constant baseline predicts the class with the largest weight, and the loss of a user names its own fault.
func TestBaselineOfWeights(t *testing.T) {
	d := rareClass(1, 15, 60)
	weights := make([]float64, 75)
	for i, y := range d.Y {
		weights[i] = map[bool]float64{true: 40, false: 1}[y > 0]
	}
	hinge := WithLoss(fit.Losses(loss.Hinge{Weights: weights}, 1))
	l := learn(t, d, hinge, WithMethod(UniformName), WithoutProbabilities())
	for _, run := range l.Table.Row(compare.ConstantBaseline).Runs {
		if n := run.Score.Confusion; n[0][0]+n[1][0] > 0 {
			t.Errorf("split %d: the baseline predicts %v", run.Split, n)
		}
	}
	p := must(NewPlan(d, hinge))
	p.Selection.By = model.MeanLoss
	if err := testenv.ErrorText(Fit(t.Context(), d, p)); err == "" {
		t.Error("a loss without a score is chosen by its mean score")
	} else {
		says(t, err, "hinge loss")
	}
	says(t, testenv.ErrorText(NewPlan(d, WithLoss(fit.Losses(loss.Pinball{Tau: 0.5}, 1)))), "WithLoss", "classes")
}

// Importance and the table use the weights of points: what only points of weight 1e-3 show is not important.
func TestImportanceOfWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	d := &data.Dataset{Name: "weighted", X: comparetest.NormalPoints(120, 2, rng)}
	weights := make([]float64, 120)
	for i := range 120 {
		x := d.X.(points.Rows).Row(i)
		y := x[0]
		if weights[i] = 1; i%2 == 1 {
			weights[i], y = 1e-3, x[0]+8*x[1]
		}
		d.Y = append(d.Y, y)
	}
	weighted := loss.EpsilonInsensitive{Epsilon: 0.1, Weights: weights}
	l := must(Learn(t.Context(), d, WithLoss(fit.Losses(weighted, 1, 10)), WithFamily(gaussians),
		WithMethod(UniformName)))
	if rmse := l.Table.Summary(SelectedName, model.RMSE).Mean; rmse > 0.8 {
		t.Errorf("RMSE %g counts points of weight 1e-3", rmse)
	}
	for _, g := range must(Importance(t.Context(), l, nil)).Groups {
		if g.Features[0] == 1 && math.Abs(g.Drop.Mean) > 0.2 || g.Features[0] == 0 && g.Drop.Mean < 0.5 {
			t.Errorf("%s: the RMSE rises by %.3f", g.Name, g.Drop.Mean)
		}
	}
	says(t, strings.Join(l.Table.Notes, " "), "weights")
}

// Intervals of error rates count the tested points by their weights: of 400 points 40 have the weight 1 and the others
// 1e-6, and the only test part has 10 of the 40.
func TestTestedCountOfWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	d := &data.Dataset{Name: "weighted", X: comparetest.NormalPoints(400, 1, rng), Classes: []string{"a", "b"}}
	var weights []float64
	var split fit.Split
	for i := range 400 {
		w := 1e-6
		if i%10 == 0 {
			w = 1
		}
		d.Y, weights = append(d.Y, float64(2*(i%2)-1)), append(weights, w)
		if i < 100 {
			split.Test = append(split.Test, i)
		} else {
			split.Train = append(split.Train, i)
		}
	}
	d.Y[0] = 1 // each class has points of weight 1
	d.Y[200] = 1
	l := learn(t, d, WithLoss(fit.Losses(loss.Hinge{Weights: weights}, 1)), WithSplits([]fit.Split{split}))
	if l.Table.TestedCount != 10 {
		t.Errorf("%d tested points, want 10", l.Table.TestedCount)
	}
}

// Weights that are not one for each point, as after dropped rows, are refused by the option for every loss and task.
func TestWeightsOfOtherLength(t *testing.T) {
	d, weights := comparetest.NoisySine(30, 1), make([]float64, 37)
	for i := range weights {
		weights[i] = 1
	}
	d.DroppedPoints = 7
	for _, n := range []int{29, 37} {
		w := weights[:n]
		for _, c := range []struct {
			d *data.Dataset
			l loss.Loss
		}{{d, loss.Pinball{Tau: 0.5, Weights: w}}, {d, loss.Pinball{Taus: []float64{0.3, 0.5}, Weights: w}},
			{d, loss.EpsilonInsensitive{Weights: w}},
			{comparetest.OverlappingClasses(30, 2, 1), loss.Hinge{Weights: w}}} {
			opts := []Option{WithLoss(fit.Losses(c.l, 1))}
			if c.d.Classes == nil && n == 29 {
				opts = append(opts, WithIntervals(0.8))
			}
			says(t, testenv.ErrorText(NewPlan(c.d, opts...)), "WithLoss", fmt.Sprint(n), "30 points")
		}
	}
}
