package similarity_test

import (
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data/datasets"
)

// TestGlobins: scores of real proteins, from an implementation whose scores equal those of Biopython 1.88.
func TestGlobins(t *testing.T) {
	d := must(datasets.Load("globins"))
	x := d.X.(points.Sequences)
	for global, want := range map[bool][]float64{false: {795, 730, 685, 57, 59}, true: {795, 727, 682, 31, 27}} {
		s := must(similarity.Alignment{Global: global}.Pairs(t.Context(), x, nil))
		last := len(x) - 1
		got := []float64{s.At(0, 0), s.At(0, 1), s.At(2, 0), s.At(0, last), s.At(last, 1)}
		if !slices.Equal(got, want) {
			t.Errorf("global %t: %v, want %v", global, got, want)
		}
	}
}
