package similarity_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"

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

// TestLearnedAccuracy: K + δI ⪰ 0 for a θ that is positive semidefinite to rounding.
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
