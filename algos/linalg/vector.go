package linalg

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// Epsilon is the distance from 1 to the next float64: twice the largest relative rounding error of one operation.
// Therefore n·Epsilon bounds the error of n operations, terms of second order included.
const Epsilon = 0x1p-52

// RoundingFactor returns kε/(1 − kε) for k operations, ε = Epsilon. It bounds the relative error of k operations one
// after another: a product of k factors 1 + δ_i or 1/(1 + δ_i) with |δ_i| ≤ ε differs from 1 by at most this number. It
// also bounds the error of a sum of k terms, relative to the sum of their absolute values.
//
// Reference: N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002, Lemma 3.1.
func RoundingFactor[N int | float64](operations N) float64 {
	e := float64(operations) * Epsilon
	return e / (1 - e)
}

// SymMulVec stores Ax in dst, which may not be x.
func SymMulVec(dst []float64, a *mat.SymDense, x []float64) {
	r := a.RawSymmetric()
	if len(x) != r.N || len(dst) != r.N {
		panic(badSize)
	}
	if r.N == 0 {
		return
	}
	if l := chooseLibrary(r.N*r.N >= largeMulVec, max(r.N, r.Stride)); l != nil {
		l.Dsymv(r.N, r.Data, r.Stride, x, dst)
		return
	}
	goBLAS.Dsymv(blas.Upper, r.N, 1, r.Data, r.Stride, x, 1, 0, dst, 1)
}

// MulVec stores Ax in dst, or Aᵀx if trans is true. dst may not be x.
func MulVec(dst []float64, trans bool, a *mat.Dense, x []float64) {
	r := a.RawMatrix()
	if len(x) != rowCount(!trans, r.Rows, r.Cols) || len(dst) != rowCount(trans, r.Rows, r.Cols) {
		panic(badSize)
	}
	if r.Rows == 0 || r.Cols == 0 {
		clear(dst)
		return
	}
	if l := chooseLibrary(r.Rows*r.Cols >= largeMulVec, max(r.Rows, r.Cols, r.Stride)); l != nil {
		l.Dgemv(transposeFlag(trans), r.Rows, r.Cols, r.Data, r.Stride, x, dst)
		return
	}
	goBLAS.Dgemv(transposeFlag(trans), r.Rows, r.Cols, 1, r.Data, r.Stride, x, 1, 0, dst, 1)
}

// AddSymmetricRowProduct adds to dst the terms of Ax, for a symmetric A, with the entries A_ij = A_ji of
// i = rowIndex and all j ≥ i. row holds A_ij for j = i … n−1. Calls for all i add up to Ax.
func AddSymmetricRowProduct(dst, row, x []float64, rowIndex int) {
	dst[rowIndex] += Dot(row, x[rowIndex:])
	Axpy(x[rowIndex], row[1:], dst[rowIndex+1:])
}

// Dot returns Σ x_i y_i over the length of x. y may be longer.
func Dot(x, y []float64) float64 {
	return goBLAS.Ddot(len(x), x, 1, y, 1)
}

// Axpy adds αx to y over the length of x. y may be longer.
func Axpy(alpha float64, x, y []float64) {
	goBLAS.Daxpy(len(x), alpha, x, 1, y, 1)
}
