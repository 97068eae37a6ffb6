package model

import (
	"testing"

	"github.com/mklnb/mkl/algos/points"
)

// TestSharedPointsOfMatrices tests that the matrices of the training points, passed as new points, are recognized, and
// that matrices of other points are not.
func TestSharedPointsOfMatrices(t *testing.T) {
	m := &Model{X: points.Indices{0, 2}} // two support vectors
	for _, c := range []struct {
		matrix []float64
		shared int
	}{{[]float64{2, 1, 0, 1, 2, 1, 0, 1, 2}, 2}, {[]float64{2, 1, 0, 1, 2, 1, 0.5, 1, 2}, 0},
		{[]float64{2, 1, 0, 1, 2, 1}, 0}} {
		z := points.KernelRows{N: 3, Names: []string{"k"}, Data: [][]float64{c.matrix}}
		if shared := m.countSharedPoints(z); shared != c.shared {
			t.Errorf("%v: %d shared points, want %d", c.matrix, shared, c.shared)
		}
	}
}
