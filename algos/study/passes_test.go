package study

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/store"
)

// Three shards with a folder each, merged after each round, prove what one process does, and the last round computes
// nothing.
func TestPasses(t *testing.T) {
	const n, parts, shards = 150, 7, 3
	rng := rand.New(rand.NewPCG(5, 1))
	x, y, w := kernel.Rows{N: n, D: 2, Data: make([]float64, 2*n)}, make([]float64, n), make([]float64, n)
	for i := range n {
		x.Row(i)[0], x.Row(i)[1] = rng.NormFloat64(), rng.NormFloat64()
		y[i] = math.Sin(3 * x.Row(i)[0])
		w[i] = rng.NormFloat64()
	}
	f := kernel.List{kernel.RBF{Gamma: 0.5}, kernel.RBF{Gamma: 4}, kernel.Linear{}}
	p := &mkl.Problem{Grams: f.On(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: y}
	theta := []float64{0.5, 0.25, 0.25}
	want := must(p.CertifyAt(t.Context(), theta, w))
	folders := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	for round := range 3 {
		for i, folder := range folders {
			q := must(p.SweptBy(parts, Passes(f, x, parts, folder, i, shards)))
			got, err := q.CertifyAt(t.Context(), theta, w)
			if round < 2 {
				if !errors.Is(err, ErrParts) {
					t.Errorf("round %d, shard %d: %v, want that parts are absent", round, i, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got.Upper-want.Upper) > 1e-12*want.Upper || math.Abs(got.Lower-want.Lower) > 1e-12*want.Upper {
				t.Errorf("shard %d: %v, want %v", i, got, want)
			}
		}
		for _, to := range folders {
			s := must(store.Open(to))
			copied, bad, err := s.Merge(t.Context(), folders...)
			if err != nil || len(bad) > 0 {
				t.Fatal(bad, err)
			}
			if round == 2 && copied > 0 {
				t.Errorf("%d results were made when all were there", copied)
			}
		}
	}
	for _, c := range [][]int{{3, 3}, {-1, 3}, {0, 0}} {
		q := must(p.SweptBy(parts, Passes(f, x, parts, folders[0], c[0], c[1])))
		if _, err := q.CertifyAt(t.Context(), theta, w); err == nil || errors.Is(err, ErrParts) {
			t.Errorf("shard %d of %d: %v", c[0], c[1], err)
		}
	}
}
