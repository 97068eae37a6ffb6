package kernel

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

// TestSmallSlice asks that a slice, and a block, of many points make no base matrices of all of them, which would take
// gigabytes, and that a slice of few points takes those that there are.
func TestSmallSlice(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for n, large := range map[int]bool{6000: true, 60: false} {
		x, rows, list := points.Rows{N: n, D: 3, Data: make([]float64, 3*n)}, make([]int, 30), List{}
		for i := range x.Data {
			x.Data[i] = r.NormFloat64()
		}
		for i := range rows {
			rows[i] = n - 2*i - 1
		}
		for k := range 8 {
			list = append(list, RBF{Gamma: float64(k) + 0.5})
		}
		theta := []float64{1, 2, 3, 4, 5, 6, 7, 8}
		all := list.Bind(x).(*sumGrams)
		got, want := all.Slice(rows).New(), list.Bind(x.Slice(rows)).New()
		got.SetTheta(theta)
		want.SetTheta(theta)
		if !mat.EqualApprox(got.K(), want.K(), 1e-12) {
			t.Errorf("%d points: a slice is not that of these points alone", n)
		}
		block, of := mat.NewDense(10, 20, nil), mat.NewDense(10, 20, nil)
		all.Block(rows[:10], rows[10:]).StoreMatrix(block, theta)
		of.Copy(mat.DenseCopyOf(want.K()).Slice(0, 10, 10, 30))
		if !mat.EqualApprox(block, of, 1e-12) {
			t.Errorf("%d points: a block is not that of these points alone", n)
		}
		if made := all.base.k != nil; made == large {
			t.Errorf("%d points: base matrices of all made: %v", n, made)
		}
	}
}
