package mkl

import (
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
)

// TestShare: points that keep one gradient between them have their own each time they are asked.
func TestShare(t *testing.T) {
	x := kernel.Rows{N: 4, D: 1, Data: []float64{-2, -1, 1, 2.5}}
	p := &Problem{Grams: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}.On(x), Set: set.Simplex{}, Reg: reg.Ridge{Beta: 1}, Loss: loss.Hinge{C: 1}, Y: []float64{-1, 1, -1, 1}}
	var points [2]*Point
	var want [2][]float64
	for i := range points {
		points[i] = p.NewPoint()
		points[i].Theta[i], points[i].Theta[1-i] = 0.8, 0.2
		if err := points[i].Evaluate(nil, 1e-8); err != nil {
			t.Fatal(err)
		}
		want[i] = slices.Clone(points[i].Grad())
	}
	share(points[:]...)
	for _, i := range []int{0, 1, 0, 0, 1} {
		if got := points[i].Grad(); !slices.Equal(got, want[i]) || slices.Equal(want[0], want[1]) {
			t.Errorf("point %d has %v, want %v", i, got, want[i])
		}
	}
}
