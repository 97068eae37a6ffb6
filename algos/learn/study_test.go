package learn

import (
	"context"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
)

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
	c := must(r.Choices(points.AllIndices(len(r.Data.Y)), 0))[method]
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
