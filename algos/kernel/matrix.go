package kernel

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// Matrix is K(θ), n×n, at the θ of its Gram. The Gram may store it as a dense matrix, as a factor Φ with K = ΦΦᵀ, or
// only as a function that multiplies. It is a read-only mat.Symmetric and valid until the next SetTheta or
// SetBlockWeights of the Gram. Concurrent calls are safe. The first At computes all entries.
type Matrix struct {
	n           int
	storageForm Form

	lock          sync.Mutex // held while a result is computed
	dense         lazy[*mat.SymDense]
	lowRankFactor lazy[*mat.Dense]
	errorBounds   lazy[[3]float64] // entryError, psdShift and addedShift
}

// lazy is a result that is computed once.
type lazy[T any] struct {
	value      T
	isComputed bool
}

// getOrCompute returns the result of compute, which it calls at most once. It returns the zero value if compute is nil.
func (l *lazy[T]) getOrCompute(lock *sync.Mutex, compute func() T) T {
	lock.Lock()
	defer lock.Unlock()
	if !l.isComputed && compute != nil {
		l.value, l.isComputed = compute(), true
	}
	return l.value
}

// Form holds the functions with which a Gram computes K(θ), one for each way to store K(θ). A function is nil if the
// Gram does not store K(θ) in this way, but every Gram has Dense. Matrix calls Dense, LowRankFactor and ErrorBounds at
// most once before the next ClearCache.
type Form struct {
	// Dense returns K(θ), n×n.
	Dense func() *mat.SymDense
	// LowRankFactor returns Φ, n×r with r < n, such that K(θ) = ΦΦᵀ. It returns nil if there is no such Φ at this θ, or
	// if computing with Φ would not be faster than computing with K.
	LowRankFactor func() *mat.Dense
	// StoreFactorGram stores ΦᵀΦ in dst, r×r, in O(r²). Only the first call on these points takes longer. If ΦᵀΦ would
	// need a matrix product at each θ, StoreFactorGram stores nothing and returns false.
	StoreFactorGram func(dst *mat.SymDense) (isStored bool)
	// StoreProduct stores K(θ)w in dst, and Diagonal stores K(θ)_ii in dst. A Gram that has these two functions never
	// stores n² entries: Matrix.Dense panics.
	StoreProduct func(dst, w []float64)
	Diagonal     func(dst []float64)
	// ErrorBounds bounds the errors of entries, of eigenvalues and of the diagonal: see ErrorBounded.
	ErrorBounds func() (entryError, psdShift, addedShift float64)
}

var _ mat.Symmetric = (*Matrix)(nil)

// NewMatrix returns the n×n matrix that the functions of storageForm compute.
func NewMatrix(n int, storageForm Form) *Matrix { return &Matrix{n: n, storageForm: storageForm} }

// ClearCache discards the stored results. A Gram that keeps one Matrix for all θ calls ClearCache in SetTheta.
func (k *Matrix) ClearCache() {
	k.dense, k.lowRankFactor, k.errorBounds = lazy[*mat.SymDense]{}, lazy[*mat.Dense]{}, lazy[[3]float64]{}
}

// DenseMatrix returns k as a Matrix without error bounds, because the rounding errors of k are unknown.
func DenseMatrix(k *mat.SymDense) *Matrix {
	return NewMatrix(k.SymmetricDim(), Form{Dense: func() *mat.SymDense { return k }})
}

// K returns k itself, as Gram.K does.
func (k *Matrix) K() *Matrix { return k }

// SymmetricDim returns n, the number of rows and of columns.
func (k *Matrix) SymmetricDim() int { return k.n }

// Dims returns n and n.
func (k *Matrix) Dims() (r, c int) { return k.n, k.n }

// At returns K(θ)_ij. The first call computes all entries of K.
func (k *Matrix) At(i, j int) float64 { return k.Dense().At(i, j) }

// T returns k, which is symmetric.
func (k *Matrix) T() mat.Matrix { return k }

// Dense returns K(θ), n×n.
func (k *Matrix) Dense() *mat.SymDense { return k.dense.getOrCompute(&k.lock, k.storageForm.Dense) }

// LowRankFactor returns Φ with K(θ) = ΦΦᵀ, or nil if the family has none (see Form.LowRankFactor).
func (k *Matrix) LowRankFactor() *mat.Dense {
	return k.lowRankFactor.getOrCompute(&k.lock, k.storageForm.LowRankFactor)
}

// StoreFactorGram stores ΦᵀΦ in dst, for the factor Φ of K(θ) = ΦΦᵀ, and returns true if the Gram can do this without a
// matrix product. Otherwise it returns false.
func (k *Matrix) StoreFactorGram(dst *mat.SymDense) (isStored bool) {
	return k.storageForm.StoreFactorGram != nil && k.storageForm.StoreFactorGram(dst)
}

// ErrorBounds returns the bounds that ErrorBounded defines. ok is false if the Gram is not ErrorBounded.
func (k *Matrix) ErrorBounds() (entryError, psdShift, addedShift float64, ok bool) {
	if k.storageForm.ErrorBounds == nil {
		return 0, 0, 0, false
	}
	b := k.errorBounds.getOrCompute(&k.lock, func() (b [3]float64) {
		b[0], b[1], b[2] = k.storageForm.ErrorBounds()
		return b
	})
	return b[0], b[1], b[2], true
}

// MulVec stores K(θ)w in dst. It computes the n² entries of K only if the Gram has neither a factor nor a function for
// products. Each entry of dst is a sum of at most n + r terms for a factor with r columns, otherwise of n terms.
func (k *Matrix) MulVec(dst, w []float64) {
	phi := k.LowRankFactor()
	switch {
	case k.storageForm.StoreProduct != nil:
		k.storageForm.StoreProduct(dst, w)
	case phi != nil:
		t := make([]float64, phi.RawMatrix().Cols)
		linalg.MulVec(t, true, phi, w)
		linalg.MulVec(dst, false, phi, t)
	default:
		linalg.SymMulVec(dst, k.Dense(), w)
	}
}

// Diagonal stores K(θ)_ii in dst, with 0 in place of negative numbers. If it computes each entry from the factor Φ of
// K(θ) = ΦΦᵀ, as a sum of squares, squareCount is the number of these squares; otherwise squareCount is 0.
func (k *Matrix) Diagonal(dst []float64) (squareCount int) {
	if k.storageForm.Diagonal != nil {
		k.storageForm.Diagonal(dst)
		return 0
	}
	if phi := k.LowRankFactor(); phi != nil {
		for i := range dst {
			row := phi.RawRowView(i)
			dst[i] = floats.Dot(row, row)
		}
		return phi.RawMatrix().Cols
	}
	dense := k.Dense()
	for i := range dst {
		dst[i] = math.Max(dense.At(i, i), 0)
	}
	return 0
}
