package kernel_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/points"
)

// dense are n points of d features, the first constant where there are three or more, some entries
// 0, none symmetric about 0.
func dense(n, d int, seed uint64) points.Rows {
	r := rand.New(rand.NewPCG(seed, 1))
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		switch {
		case d > 2 && i%d == 0:
			x.Data[i] = 0.3
		case r.Float64() < 0.5:
			x.Data[i] = 0.4 + r.NormFloat64()
		}
	}
	return x
}

// thin are the same points, sparse.
func thin(x points.Rows) points.Sparse {
	s := points.Sparse{D: x.D, Ptr: []int{0}}
	for i := range x.N {
		for j, v := range x.Row(i) {
			if v != 0 {
				s.Col, s.Val = append(s.Col, j), append(s.Val, v)
			}
		}
		s.Ptr = append(s.Ptr, len(s.Col))
	}
	return s
}

var preparations = []points.Preprocessing{
	nil,
	{points.MinMax},
	{points.MaxAbs, points.UnitRows},
	{points.UnitRows, points.MaxAbs},
	{points.CenterRows, points.UnitRows}, // nothing to fit
	{points.Standardize},
	{points.MinMax, points.CenterRows},
	{points.CenterColumns, points.UnitRows},
	{points.CenterRows, points.Standardize, points.UnitRows, points.MinMax},
}

// TestFeatures runs the suite over degrees, preparations, and sizes that take
// every way of computing the derivatives: few monomials, m ≤ n, m > n.
func TestFeatures(t *testing.T) {
	for _, size := range [][2]int{{24, 2}, {12, 3}, {9, 7}, {8, 11}} {
		x := dense(size[0], size[1], 3)
		for d := range 5 {
			for i, p := range preparations {
				for _, constant := range []bool{false, true} {
					f := kernel.Features{Degree: d, Constant: constant, Prepare: p}
					t.Run(fmt.Sprintf("n=%d,m=%d,d=%d,%d,%v", size[0], size[1], d, i, constant), func(t *testing.T) {
						kerneltest.TestFamily(t, f, x)
					})
				}
			}
		}
	}
}

// gram is a positive semidefinite n×n matrix of rank 3.
func gram(n int, seed uint64) []float64 {
	x := dense(n, 3, seed)
	k := make([]float64, n*n)
	for i := range n {
		for j := range n {
			for t := range 3 {
				k[i*n+j] += x.Row(i)[t] * x.Row(j)[t]
			}
		}
	}
	return k
}

func TestSum(t *testing.T) {
	bases := kernel.List{
		kernel.Linear{}, kernel.RBF{Gamma: 0.3}, kernel.RBF{Gamma: 2}, kernel.Linear{Columns: []int{1}},
		kernel.Polynomial{Degree: 3, Gamma: 0.5, Offset: 1}, kernel.Laplacian{Gamma: 0.4},
		kernel.RBF{Gamma: 1, Columns: []int{2, 1}}, kernel.Laplacian{Gamma: 1, Columns: []int{1}},
		kernel.Polynomial{Degree: 2, Columns: []int{0}}, // of a constant feature: nothing once centered
	}
	x := dense(11, 4, 5)
	t.Run("list", func(t *testing.T) {
		kerneltest.TestFamily(t, bases, x)
		kerneltest.TestFamily(t, bases, thin(x))
	})
	for d := range 5 {
		for _, center := range []bool{false, true} {
			for _, normal := range []kernel.Normalization{kernel.None, kernel.Cosine, kernel.MeanDiagonal} {
				for i, p := range preparations {
					if testing.Short() && i%3 != 0 {
						continue
					}
					f := kernel.Sum{Kernels: bases, Degree: d, Prepare: p, Center: center, Normalize: normal}
					t.Run(fmt.Sprintf("d=%d,center=%v,%s,%d", d, center, normal, i), func(t *testing.T) {
						kerneltest.TestFamily(t, f, x)
					})
				}
			}
		}
	}
}

func TestSumOfPrecomputed(t *testing.T) {
	n := 9
	bases := kernel.List{
		kernel.Precomputed{Name: "one", N: n, Data: gram(n, 1)},
		kernel.Precomputed{N: n, Data: gram(n, 2)},
	}
	for d := range 5 {
		for _, center := range []bool{false, true} {
			for _, normal := range []kernel.Normalization{kernel.None, kernel.Cosine, kernel.MeanDiagonal} {
				f := kernel.Sum{Kernels: bases, Degree: d, Center: center, Normalize: normal}
				kerneltest.TestFamily(t, f, points.AllIndices(n))
				kerneltest.TestFamily(t, f, points.Indices{8, 0, 3, 3, 1, 7})
			}
		}
	}
}

// TestBeyondOneBlock runs the suite at sizes where matrices are worked on in several blocks, which
// smaller points never reach.
func TestBeyondOneBlock(t *testing.T) {
	bases := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.3}, kernel.Laplacian{Gamma: 0.4}}
	for _, d := range []int{1, 2} {
		t.Run(fmt.Sprintf("sum, d=%d", d), func(t *testing.T) {
			kerneltest.TestFamily(t, kernel.Sum{Kernels: bases, Degree: d, Normalize: kernel.MeanDiagonal},
				dense(150, 4, 9))
		})
		for _, m := range []int{3, 40, 170} {
			t.Run(fmt.Sprintf("features, m=%d, d=%d", m, d), func(t *testing.T) {
				kerneltest.TestFamily(t, kernel.Features{Degree: d, Constant: true}, dense(150, m, 9))
			})
		}
	}
}
