package compare

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/mat"
)

// TestLearnedKernels: the folds of a learned kernel matrix withhold labels, not similarities.
func TestLearnedKernels(t *testing.T) {
	const n = 36
	rng := rand.New(rand.NewPCG(1, 1))
	s, y, x := mat.NewSymDense(n, nil), make([]float64, n), make([]float64, n)
	for i := range y {
		y[i] = float64(1 - 2*(i%2))
		x[i] = 1.2*y[i] + 0.6*rng.NormFloat64()
		for j := range i + 1 {
			s.SetSym(i, j, math.Exp(-(x[i]-x[j])*(x[i]-x[j]))+0.1*rng.NormFloat64())
		}
	}
	target := similarity.Vec(s)
	d := &data.Dataset{Name: "similarities", X: points.AllIndices(n), Y: y, Classes: []string{"a", "b"}}
	grid := Grid{Losses(loss.Hinge{}, 0.3, 3), Sets(set.Spectraplex{Trace: n}),
		Regs(reg.DistancePenalty{Rho: 0.1, Targets: [][]float64{target}},
			reg.DistancePenalty{Rho: 1, Targets: [][]float64{target}})}
	st := &Study{Data: d, Splits: must(KFold(y, 3, 1)), Selection: Selection{Folds: 3}, Methods: []Method{
		{Name: "learned", Family: similarity.Learned{N: n}, Grid: grid, Solver: mkl.DualAscent{}}}}
	table := must(st.Run(context.Background(), nil))
	if a := table.Summary("learned", Accuracy); a.N != 3 || a.Mean < 0.8 {
		t.Errorf("accuracy %+v, want 0.8 or more on 3 splits", a)
	}
}
