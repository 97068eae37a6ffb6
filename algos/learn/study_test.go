package learn

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// clouds are two overlapping clouds of n points in d dimensions; the first feature tells them apart.
func clouds(n, d int, seed uint64) *data.Dataset {
	x, y := normal(n, d, rand.New(rand.NewPCG(seed, 0))), make([]float64, n)
	for i := range y {
		y[i] = float64(2*(i%2) - 1)
		x.Data[i*d] += 1.5 * y[i]
	}
	return &data.Dataset{Name: "clouds", X: x, Y: y, Classes: []string{"left", "right"}}
}

var (
	gaussians = kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}},
		Centre: true, Normalize: kernel.MeanDiagonal, Prepare: points.Preprocessing{points.Standardize}}
	features = kernel.Features{Degree: 2, Constant: true, Prepare: points.Preprocessing{points.Standardize}}
)

func run1(t *testing.T, s *compare.Study) *compare.Table {
	t.Helper()
	table := must(s.Run(context.Background(), nil))
	return timeless(table)
}

// chosen is the choice of the constants of a method on all points of a study.
func chosen(t *testing.T, s *compare.Study, method int) *compare.Chosen {
	t.Helper()
	r := must(s.Session(nil))
	c := must(r.Choices(upTo(len(r.Data.Y)), 0))[method]
	if err := r.Choose(t.Context(), []*compare.Chosen{c}); err != nil {
		t.Fatal(err)
	}
	return c
}

// timeless is t without what a clock says.
func timeless(t *compare.Table) *compare.Table {
	t.Seconds = 0
	for i := range t.Rows {
		for j := range t.Rows[i].Runs {
			t.Rows[i].Runs[j].Seconds = 0
		}
	}
	return t
}
