package kernel

import (
	"math"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// Matrix is K(θ), n×n, at the θ of its Gram, in the form that the Gram stores. It is read-only and valid until the next
// SetTheta (or SetBlockWeights) of the Gram. Concurrent calls are safe. It is a mat.Symmetric. At computes all entries.
type Matrix struct {
	n           int
	storageForm Form

	lock        sync.Mutex // held while a result is computed
	dense       lazy[*mat.SymDense]
	root        lazy[*mat.Dense]
	errorBounds lazy[[3]float64]
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
// Gram does not store K(θ) in this way, but every Gram has Dense. Matrix calls Dense, Root and Bounds at most once
// before the next ClearCache.
type Form struct {
	// Dense returns K(θ), n×n.
	Dense func() *mat.SymDense
	// LowRankFactor returns Φ, n×r with r < n, such that K(θ) = ΦΦᵀ. It returns nil if there is no such Φ at this θ, or
	// if computing with Φ would not be faster than computing with K.
	LowRankFactor func() *mat.Dense
	// StoreFactorGram stores ΦᵀΦ in dst, r×r, in O(r²). Only the first call on these points takes longer. If ΦᵀΦ would
	// need a matrix product at each θ, StoreFactorGram stores nothing and returns false.
	StoreFactorGram func(dst *mat.SymDense) bool
	// Times stores K(θ)w in dst, and Diagonal stores K(θ)_ii in dst. A Gram that has these two functions never stores
	// n² entries: Matrix.Dense panics.
	Times    func(dst, w []float64)
	Diagonal func(dst []float64)
	// ErrorBounds is the method of ErrorBounded.
	ErrorBounds func() (entryError, psdShift, addedShift float64)
}

var _ mat.Symmetric = (*Matrix)(nil)

// NewMatrix returns the n×n matrix that the functions of f compute.
func NewMatrix(n int, f Form) *Matrix { return &Matrix{n: n, storageForm: f} }

// ClearCache discards the results of Dense, Root and Bounds. A Gram calls it in SetTheta if it has one Matrix for all
// θ.
func (k *Matrix) ClearCache() {
	k.dense, k.root, k.errorBounds = lazy[*mat.SymDense]{}, lazy[*mat.Dense]{}, lazy[[3]float64]{}
}

// DenseMatrix returns k as a Matrix. Its Bounds returns false, because the rounding errors of the entries of k are
// unknown.
func DenseMatrix(k *mat.SymDense) *Matrix {
	return NewMatrix(k.SymmetricDim(), Form{Dense: func() *mat.SymDense { return k }})
}

// K returns k.
func (k *Matrix) K() *Matrix { return k }

// SymmetricDim returns n.
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
	return k.root.getOrCompute(&k.lock, k.storageForm.LowRankFactor)
}

// StoreFactorGram stores ΦᵀΦ in dst and returns true if the Gram can do this without a matrix product. Otherwise it
// stores nothing and returns false: see Form.StoreFactorGram.
func (k *Matrix) StoreFactorGram(dst *mat.SymDense) bool {
	return k.storageForm.StoreFactorGram != nil && k.storageForm.StoreFactorGram(dst)
}

// ErrorBounds returns the three bounds of ErrorBounded.ErrorBounds. ok is false if the Gram is not ErrorBounded.
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

// MulVec stores K(θ)w in dst. It computes the entries of K only if K has neither Times nor Root. Each entry of dst is a
// sum of at most n + r terms, where r is the result of Diagonal.
func (k *Matrix) MulVec(dst, w []float64) {
	phi := k.LowRankFactor()
	switch {
	case k.storageForm.Times != nil:
		k.storageForm.Times(dst, w)
	case phi != nil:
		t := make([]float64, phi.RawMatrix().Cols)
		linalg.MulVec(t, true, phi, w)
		linalg.MulVec(dst, false, phi, t)
	default:
		linalg.SymMulVec(dst, k.Dense(), w)
	}
}

// Diagonal stores K(θ)_ii in dst, with 0 in place of negative numbers. If it computes the diagonal from Φ of Root, n×r,
// it returns r. Otherwise it returns 0.
func (k *Matrix) Diagonal(dst []float64) (rootColumns int) {
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
