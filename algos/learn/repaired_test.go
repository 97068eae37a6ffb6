package learn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// noisySimilarities are exp(−d²/4) + N(0, 0.3²) between n points in two classes, of which the class moves one of three
// features by ±0.8, and of l points more to these, with their classes.
func noisySimilarities(seed uint64, n, l int) (d *data.Dataset, fresh points.KernelRows, y []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x, y := make([][3]float64, n+l), make([]float64, n+l)
	s := mat.NewSymDense(n, nil)
	fresh = points.KernelRows{N: n, Names: []string{"s"}, Data: [][]float64{nil}}
	for _, r := range similarity.Repairs {
		fresh.Names = append(fresh.Names, r.KernelName("s"))
	}
	for i := range x {
		y[i] = float64(1 - 2*(i%2))
		x[i] = [3]float64{rng.NormFloat64() + 0.8*y[i], rng.NormFloat64(), rng.NormFloat64()}
		for j := range min(i+1, n) {
			var square float64
			for k := range 3 {
				square += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k])
			}
			if v := math.Exp(-square/4) + 0.3*rng.NormFloat64(); i < n {
				s.SetSym(i, j, v)
			} else {
				fresh.Data[0] = append(fresh.Data[0], v)
			}
		}
	}
	for range similarity.Repairs {
		fresh.Data = append(fresh.Data, fresh.Data[0])
	}
	return &data.Dataset{Name: "noisy", X: points.AllIndices(n), Y: y[:n], Classes: []string{"a", "b"},
		Similarities: []data.Similarity{{Name: "s", N: n, S: similarity.Vec(s)}}}, fresh, y[n:]
}

// TestRepairedScores: the accuracy that a study finds with repairs of similarities is, within its interval, that of the
// same training parts' models on points that were in no matrix. Beside it is what repairs of all points at once would
// say, which is too high: the test can tell. λ is small, where that is worst; see similarity.Repaired.
func TestRepairedScores(t *testing.T) {
	const n, l, draws, lambda = 80, 300, 24, 0.03
	var honest, whole []float64 // score less truth
	for seed := range uint64(draws) {
		d, fresh, y := noisySimilarities(seed, n, l)
		given := similarity.Given{Name: "s", N: n, S: d.Similarities[0].S,
			Repairs: []similarity.Repair{similarity.Flip}}
		f := similarity.Repaired{Of: []similarity.Given{given}, Normalize: kernel.MeanDiagonal}
		all := must(must(similarity.Decompose(d.Similarities[0].Matrix())).Repair(similarity.Flip))
		g := kernel.Sum{Kernels: kernel.List{kernel.Precomputed{N: n, Data: similarity.Vec(all.K)}},
			Normalize: kernel.MeanDiagonal}
		grid := fit.Grid{fit.Ridge(lambda), fit.Rules(mkl.Uniform{})}
		splits := must(fit.KFold(d.Y, 4, seed))
		table := must((&compare.Study{Data: d,
			Splits: splits, Methods: []fit.Method{
				{Name: "honest", Fitter: fit.Search{Family: f, Grid: grid}}, {Name: "whole",
					Fitter: fit.Search{Family: g,
						Grid: grid}}}}).Run(context.Background(),
			nil))
		truth := 0.0
		for _, s := range splits {
			part := must(d.Slice(s.Train))
			m := must(Learn(context.Background(), part, WithFamily(f), WithLambda(lambda), WithMethod(UniformName),
				WithSplits(nil))).Model
			for i, v := range must(m.Predict(fresh)) {
				if v*y[i] > 0 {
					truth += 1.0 / float64(l*len(splits))
				}
			}
		}
		honest = append(honest, table.Summary("honest", model.Accuracy).Mean-truth)
		whole = append(whole, table.Summary("whole", model.Accuracy).Mean-truth)
	}
	mean := func(x []float64) (m, e float64) {
		var square float64
		for _, v := range x {
			m += v / draws
			square += v * v / draws
		}
		return m, math.Sqrt((square - m*m) / draws)
	}
	m, e := mean(honest)
	b, be := mean(whole)
	t.Logf("score less accuracy on new points: %.3f ± %.3f; of repairs of all points at once %.3f ± %.3f", m, e, b, be)
	if !(math.Abs(m) < 3*e && e < 0.015) {
		t.Errorf("the score is off by %.3f ± %.3f", m, e)
	}
	if !(b > 3*be && b > m+0.03) {
		t.Errorf("repairs of all points at once are off by %.3f ± %.3f only: this test cannot fail", b, be)
	}
}

// TestSplitOfSimilarities tests that the test points that fit.SplitData makes of similarities are predicted as new
// points with the same similarities are.
func TestSplitOfSimilarities(t *testing.T) {
	d, _, _ := noisySimilarities(1, 80, 0)
	train, test, err := fit.SplitData(d, 0.3, 1)
	if err != nil {
		t.Fatal(err)
	}
	m := must(Learn(t.Context(), train, WithSplits(nil))).Model
	z := points.KernelRows{N: 80, Names: []string{"s"}, Data: [][]float64{nil}}
	correct := 0.0
	for i := range d.X.Len() {
		if !slices.Contains(points.MustAs[points.Indices](train.X), i) {
			z.Data[0] = append(z.Data[0], d.Similarities[0].S[80*i:80*(i+1)]...)
		}
	}
	for i, v := range must(m.Predict(z)) {
		if v*test.Y[i] > 0 {
			correct++
		}
	}
	n := float64(len(test.Y))
	if s := must(m.Score(test)); n != 24 || s.Accuracy != correct/n || s.Accuracy < 0.6 {
		t.Errorf("the accuracy on %g points is %g, want %g", n, s.Accuracy, correct/n)
	}
}
