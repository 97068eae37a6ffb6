package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/mklnb/mkl/algos/compare/comparetest"
)

// TestLandmarkWeights: weights learned on r landmarks with λr/n come near those of all n points, by another solver, as
// r grows, in the mean of five draws, and with all points as landmarks Learn is what it is without.
func TestLandmarkWeights(t *testing.T) {
	const n, lambda = 400, 0.5
	d := comparetest.NoisySine(n, 1)
	list := kernel.List{kernel.RBF{Gamma: 0.05}, kernel.RBF{Gamma: 0.5}, kernel.RBF{Gamma: 5}}
	y := append([]float64(nil), d.Y...)
	floats.AddConst(-stat.Mean(y, nil), y)
	p := &mkl.Problem{Grams: list.Bind(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: lambda}, Y: y}
	all := must(mkl.Solve(context.Background(), p, mkl.SPG{}, &mkl.Settings{Gap: 1e-6}))
	opts := []Option{WithFamily(list), WithSet(set.Simplex{}), WithLambda(lambda), WithMethod(LearnedName),
		WithSplits(nil), WithSelectionPoints(40), WithFolds(2)}
	before := math.Inf(1)
	for _, r := range []int{25, 100, 300, n} {
		far := 0.0
		for seed := range uint64(5) {
			l := must(Learn(context.Background(), d, append(opts, WithLandmarks(r), WithSeed(seed))...))
			far += floats.Distance(l.Result.Theta, all.Theta, 1) / 5
			if (l.Landmarks == 0) != (r == n) {
				t.Fatalf("%d landmarks of %d points, want %d", l.Landmarks, n, r)
			}
			if got := l.Plan.Selection.MaxPoints; got != 40 {
				t.Fatalf("hyperparameters are chosen on %d points, want 40", got)
			}
		}
		t.Logf("%d landmarks: ‖θ_r − θ*‖₁ = %.3f", r, far)
		if !(far < before) {
			t.Errorf("%d landmarks: ‖θ_r − θ*‖₁ is %.3f, with fewer %.3f", r, far, before)
		}
		before = far
	}
	if !(before < 1e-2) {
		t.Errorf("of all points ‖θ_r − θ*‖₁ is %g", before)
	}
}

// TestLandmarksThatSpan: a linear kernel of 3 features needs 3 landmarks, and the model is that of all points. Of a
// narrow Gaussian no landmark is left out.
func TestLandmarksThatSpan(t *testing.T) {
	const n, d, landmarks = 300, 3, 60
	x := comparetest.NormalPoints(n, d, rand.New(rand.NewPCG(8, 9)))
	y := make([]float64, n)
	for i := range y {
		y[i] = x.Row(i)[0] - 2*x.Row(i)[1] + math.Sin(float64(i))
	}
	set := &data.Dataset{Name: "plane", X: x, Y: y}
	for name, c := range map[string]struct {
		kernel kernel.Kernel
		points int
	}{"linear": {kernel.Linear{}, d}, "narrow": {kernel.RBF{Gamma: 10}, landmarks}} {
		options := []Option{WithFamily(kernel.List{c.kernel}), WithMethod(UniformName), WithLambda(0.3),
			WithSplits(nil)}
		few := must(Learn(t.Context(), set, append(options, WithLandmarks(landmarks))...))
		if got := few.Model.X.Len(); got != c.points || few.Landmarks != landmarks {
			t.Errorf("%s: the model has %d points of %d landmarks, want %d", name, got, few.Landmarks, c.points)
		}
		p := must(few.Model.Predict(x))
		all := must(must(Learn(t.Context(), set, options...)).Model.Predict(x))
		if far := floats.Distance(p, all, math.Inf(1)); (far < 1e-9) != (name == "linear") {
			t.Errorf("%s: the predictions differ from those of all points by %g", name, far)
		}
	}
}
