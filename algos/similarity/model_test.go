package similarity_test

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestLearnedModel: a model of a learned kernel is saved, read and pruned, and predicts the points without labels.
func TestLearnedModel(t *testing.T) {
	const n, l = 20, 6
	rng := rand.New(rand.NewPCG(5, 5))
	s, y := mat.NewSymDense(n+l, nil), make([]float64, n+l)
	x := make([]float64, n+l)
	for i := range x {
		y[i] = float64(1 - 2*(i%2))
		x[i] = 1.5*y[i] + 0.3*rng.NormFloat64()
		for j := range i + 1 {
			s.SetSym(i, j, math.Exp(-(x[i]-x[j])*(x[i]-x[j]))+0.05*rng.NormFloat64())
		}
	}
	f, others := similarity.Learned{N: n + l}, points.AllIndices(n + l)[n:]
	p := &mkl.Problem{Grams: f.Bind(points.AllIndices(n)), Set: set.Spectraplex{Trace: n + l},
		Reg: reg.DistancePenalty{Rho: 0.1, Targets: [][]float64{similarity.Vec(s)}}, Loss: loss.Hinge{C: 1}, Y: y[:n]}
	r, err := mkl.Solve(context.Background(), p, mkl.DualAscent{}, nil)
	if err != nil || r.Status != mkl.Certified {
		t.Fatalf("%v, %v", r, err)
	}
	m := &model.Model{Family: f, X: points.AllIndices(n), Theta: r.PredictionTheta, W: r.W, Bias: r.Bias,
		Classes: []string{"no", "yes"}}
	want := must(m.Predict(others))
	file := filepath.Join(t.TempDir(), "m.json")
	if err := m.Save(file); err != nil {
		t.Fatal(err)
	}
	read := must(model.Load(file))
	if got, err := read.Predict(others); err != nil || !slices.Equal(got, want) {
		t.Errorf("the model that was read predicts %v (%v), want %v", got, err, want)
	}
	few := must(read.Prune())
	if got, err := few.Predict(others); err != nil || few.Unpruned != "" || !floats.EqualApprox(got, want, 1e-12) {
		t.Errorf("pruned (all points because %q), %v (%v), want %v", few.Unpruned, got, err, want)
	}
}
