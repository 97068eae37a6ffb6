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

	"gonum.org/v1/gonum/mat"
)

// TestLearnedModel: a model of a learned kernel is saved, read, pruned, and predicts the same; transductive the points
// without labels, inductive rows of similarities.
func TestLearnedModel(t *testing.T) {
	const n, l = 20, 6
	rng := rand.New(rand.NewPCG(5, 5))
	all, y := mat.NewSymDense(n+l, nil), make([]float64, n+l)
	x := make([]float64, n+l)
	for i := range x {
		y[i] = float64(1 - 2*(i%2))
		x[i] = 1.5*y[i] + 0.3*rng.NormFloat64()
		for j := range i + 1 {
			all.SetSym(i, j, math.Exp(-(x[i]-x[j])*(x[i]-x[j]))+0.05*rng.NormFloat64())
		}
	}
	train := mat.NewSymDense(n, nil)
	rows := points.KernelRows{N: n, Names: []string{"likeness"}, Data: [][]float64{nil}}
	for i := range n + l {
		for j := range n {
			if i < n {
				train.SetSym(i, j, all.At(i, j))
			} else {
				rows.Data[0] = append(rows.Data[0], all.At(i, j))
			}
		}
	}
	others := make(points.Indices, l)
	for i := range others {
		others[i] = n + i
	}
	for name, c := range map[string]struct {
		f similarity.Learned
		s *mat.SymDense
		z points.Points
	}{
		"transductive": {similarity.Learned{N: n + l}, all, others},
		"inductive": {similarity.Learned{Name: "likeness", N: n, S: similarity.Vec(train), Inductive: true}, train,
			rows},
	} {
		target := similarity.Vec(c.s)
		p := &mkl.Problem{Grams: c.f.On(points.AllIndices(n)), Set: set.Spectraplex{Trace: float64(c.s.SymmetricDim())},
			Reg: reg.DistancePenalty{Rho: 0.1, Targets: [][]float64{target}}, Loss: loss.Hinge{C: 1}, Y: y[:n]}
		r, err := mkl.Solve(context.Background(), p, mkl.DualAscent{}, nil)
		if err != nil || r.Status != mkl.Certified {
			t.Fatalf("%s: %v, %v", name, r, err)
		}
		m := &model.Model{Family: c.f, X: points.AllIndices(n), Theta: r.Kernel, W: r.W, Bias: r.Bias,
			Classes: []string{"no", "yes"}}
		want := must(m.Predict(c.z))
		right := 0
		for i, v := range want {
			if v*y[n+i] > 0 {
				right++
			}
		}
		if right < l-1 {
			t.Errorf("%s: %d of %d points right", name, right, l)
		}
		file := filepath.Join(t.TempDir(), "m.json")
		if err := m.Save(file); err != nil {
			t.Fatal(err)
		}
		read := must(model.Load(file))
		if got, err := read.Predict(c.z); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: the model that was read predicts %v (%v), want %v", name, got, err, want)
		}
		few := must(read.Prune())
		if got, err := few.Predict(c.z); err != nil || !slices.EqualFunc(got, want,
			func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%s: pruned, %v (%v), want %v", name, got, err, want)
		}
		if c.f.Inductive != (few.Unpruned != "") {
			t.Errorf("%s: all points kept because %q", name, few.Unpruned)
		}
	}
}
