package fit

import (
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

var says = comparetest.CheckContains

// chosen returns the choice of the hyperparameters of m on all points of d.
func chosen(t *testing.T, d *data.Dataset, s Settings, m Method) *Choice {
	t.Helper()
	w := must(Open(d, []Method{m}, s, nil))
	c := must(w.PrepareChoices(points.AllIndices(len(d.Y)), 0, ""))
	if err := Choose(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return c[0]
}
