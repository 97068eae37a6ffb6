package linalg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// Cholesky is A + σI = UᵀU of a symmetric matrix, U upper triangular. Its storage is kept from one
// Factorize to the next, so that a run allocates once. The zero value is ready for use.
type Cholesky struct {
	n   int
	u   []float64 // n×n, upper triangle
	inv []float64 // U⁻¹, made by InverseDiag
}

// Factorize computes the factor of a + shift·I in n³/3 operations. It returns false if that matrix
// is not positive definite to working precision; the factor is then not to be used.
func (c *Cholesky) Factorize(a *mat.SymDense, shift float64) bool {
	n := a.SymmetricDim()
	if cap(c.u) < n*n {
		c.u = make([]float64, n*n)
	}
	c.n, c.u = n, c.u[:n*n]
	r := a.RawSymmetric()
	for i := range n {
		copy(c.u[i*n+i:(i+1)*n], r.Data[i*r.Stride+i:i*r.Stride+n])
		c.u[i*n+i] += shift
	}
	if n == 0 {
		return true
	}
	_, ok := lapack64.Potrf(blas64.Symmetric{Uplo: blas.Upper, N: n, Stride: n, Data: c.u})
	return ok
}

func (c *Cholesky) triangle(data []float64) blas64.Triangular {
	return blas64.Triangular{Uplo: blas.Upper, Diag: blas.NonUnit, N: c.n, Stride: max(c.n, 1), Data: data}
}

// SolveVec stores (A + σI)⁻¹b in dst, which may be b, in 2n² operations.
func (c *Cholesky) SolveVec(dst, b []float64) {
	if c.n == 0 {
		return
	}
	copy(dst, b)
	u, x := c.triangle(c.u), blas64.Vector{N: c.n, Inc: 1, Data: dst}
	blas64.Trsv(blas.Trans, u, x)
	blas64.Trsv(blas.NoTrans, u, x)
}

// SolveLower stores U⁻ᵀb in dst, which may be b: half of SolveVec, ‖U⁻ᵀb‖² = bᵀ(A + σI)⁻¹b.
func (c *Cholesky) SolveLower(dst, b []float64) {
	if c.n == 0 {
		return
	}
	copy(dst, b)
	blas64.Trsv(blas.Trans, c.triangle(c.u), blas64.Vector{N: c.n, Inc: 1, Data: dst})
}

// InverseDiag stores the diagonal of (A + σI)⁻¹ in dst, in n³/3 operations.
func (c *Cholesky) InverseDiag(dst []float64) {
	n := c.n
	if n == 0 {
		return
	}
	c.inv = append(c.inv[:0], c.u...)
	if !lapack64.Trtri(c.triangle(c.inv)) {
		panic("linalg: InverseDiag of a singular factor")
	}
	for i := range n {
		s := 0.0
		for _, v := range c.inv[i*n+i : (i+1)*n] {
			s += v * v
		}
		dst[i] = s
	}
}

// SymMulVec stores Ax in dst, which may not be x.
func SymMulVec(dst []float64, a *mat.SymDense, x []float64) {
	if len(x) == 0 {
		return
	}
	blas64.Symv(1, a.RawSymmetric(), blas64.Vector{N: len(x), Inc: 1, Data: x}, 0, blas64.Vector{N: len(dst), Inc: 1, Data: dst})
}

// MulVec stores Ax in dst, or Aᵀx if trans.
func MulVec(dst []float64, trans bool, a *mat.Dense, x []float64) {
	t := blas.NoTrans
	if trans {
		t = blas.Trans
	}
	blas64.Gemv(t, 1, a.RawMatrix(), blas64.Vector{N: len(x), Inc: 1, Data: x}, 0, blas64.Vector{N: len(dst), Inc: 1, Data: dst})
}

// Eigen returns the eigenvalues of a, ascending, and unless vectors is false the orthonormal
// eigenvectors as columns. It panics if the iteration does not converge, which happens only for
// entries that are not finite.
func Eigen(a *mat.SymDense, vectors bool) (values []float64, v *mat.Dense) {
	var e mat.EigenSym
	if !e.Factorize(a, vectors) {
		panic("linalg: eigendecomposition did not converge")
	}
	values = e.Values(nil)
	if vectors {
		v = new(mat.Dense)
		e.VectorsTo(v)
	}
	return values, v
}

// IsPSD reports whether every eigenvalue of a is at least −tol·max|a_ii|, by a Cholesky
// factorisation of a shifted by that much.
func IsPSD(a *mat.SymDense, tol float64) bool {
	top := 0.0
	for i := range a.SymmetricDim() {
		top = math.Max(top, math.Abs(a.At(i, i)))
	}
	if top == 0 {
		for i := range a.SymmetricDim() {
			for j := range i {
				if a.At(i, j) != 0 {
					return false
				}
			}
		}
		return true
	}
	var c Cholesky
	return c.Factorize(a, tol*top)
}

// SymInner stores AᵀA in dst.
func SymInner(dst *mat.SymDense, a *mat.Dense) {
	blas64.Syrk(blas.Trans, 1, a.RawMatrix(), 0, dst.RawSymmetric())
}
