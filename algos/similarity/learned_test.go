package similarity_test

import (
	"context"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/linalg"
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

// gramOf draws vec K, K ⪰ 0.
func gramOf(r *rand.Rand, m int) []float64 {
	n := int(math.Round(math.Sqrt(float64(m))))
	x := mat.NewDense(n, n, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, x)
	k := mat.NewSymDense(n, nil)
	k.SymOuterK(1/float64(n), x)
	return similarity.Vec(k)
}

func TestLearned(t *testing.T) {
	kerneltest.TestFamily(t, similarity.Learned{N: 9}, points.Indices{4, 0, 7, 2, 2, 8, 5},
		kerneltest.WithThetaDraw(gramOf))
}

func TestLearnedErrors(t *testing.T) {
	for _, c := range []struct {
		want string
		n    int
		x    points.Points
	}{
		{"N is 0", 0, points.Indices{0}},
		{"N is 1000000000", 1e9, points.Indices{0}},
		{"index 2", 2, points.Indices{0, 2}},
		{"points.Rows", 2, points.Rows{}},
	} {
		g := similarity.Learned{N: c.n}.Bind(c.x)
		g.Dims()
		if err := g.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
	}
	g := similarity.Learned{N: 8}.Bind(points.AllIndices(8))
	for want, z := range map[string]points.Points{"index 8": points.Indices{0, 8},
		"got points.Rows": points.Rows{N: 1, D: 1, Data: []float64{0}}} {
		if _, err := g.CheckNewPoints(z); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want an error with %q", err, want)
		}
	}
}

// TestLearnedAccuracy tests that K + δI ⪰ 0 for a θ that is positive semidefinite to rounding.
func TestLearnedAccuracy(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for range 20 {
		v := mat.NewVecDense(12, nil)
		k := mat.NewSymDense(12, nil)
		for range 3 { // rank 3
			for i := range 12 {
				v.SetVec(i, rng.NormFloat64())
			}
			k.SymRankOne(k, 1, v)
		}
		g := similarity.Learned{N: 12}.Bind(points.Indices{0, 3, 3, 3, 11, 7}).New()
		g.SetTheta(similarity.Vec(k))
		u, shift, _ := g.(kernel.ErrorBounded).ErrorBounds()
		if u != 0 || !(shift > 0) || shift > 1e-10 {
			t.Errorf("accuracy %g, shift %g", u, shift)
		}
		if l, _ := linalg.ThreadLimit(0).Eigen(g.K().Dense(), false); l[0] < -shift {
			t.Errorf("least eigenvalue %g, below −%g", l[0], shift)
		}
	}
}

// TestLearnedModel tests that a model of a learned kernel is saved, read and pruned, and predicts the points without
// labels.
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
	m := &model.Model{Family: f, X: points.AllIndices(n), Theta: r.PredictionTheta, W: r.W, Biases: []float64{r.Bias},
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
