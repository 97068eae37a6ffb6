package mkl

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/internal/argument"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// EvaluateAt returns the Point of the dual coefficients w at θ, for Certify, without solving anything. If w is not
// feasible, as when an entry exceeds C, the lower bound is the one for w = 0. Entries at missing targets are ignored.
func (p *Problem) EvaluateAt(ctx context.Context, theta, w []float64) (*Point, error) {
	if err := errors.Join(argument.CheckContext(ctx, "mkl"), p.Validate()); err != nil {
		return nil, err
	}
	if err := p.checkMemory(1, Requirements{}); err != nil {
		return nil, err
	}
	pt := p.NewPoint()
	if err := p.checkTheta(theta); err != nil {
		return nil, fmt.Errorf("mkl: %w", err)
	}
	if len(w) != len(p.Y) {
		return nil, fmt.Errorf("mkl: got %d dual coefficients for %d targets; pass one per target", len(w), len(p.Y))
	}
	if i := slices.IndexFunc(w, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }); i >= 0 {
		return nil, fmt.Errorf("mkl: w[%d] = %g; pass finite dual coefficients", i, w[i])
	}
	w = slices.Clone(w)
	for i, y := range p.Y {
		if math.IsNaN(y) {
			w[i] = 0
		}
	}
	copy(pt.Theta, theta)
	pt.Gram.SetTheta(pt.Theta)
	if g, ok := pt.Gram.(*matrixFreeGram); ok { // CertifyAt: a matrix-free Gram computes K_kw before its use
		if err := g.computeKernelProducts(ctx, w); err != nil {
			return nil, fmt.Errorf("mkl: the pass over the base matrices failed: %w", err)
		}
	}
	pt.evaluateDual(w)
	return pt, nil
}

// CertifyAt bounds how far the function f = K(θ)w is from the minimum of F, without solving anything. It is for the
// squared loss without a regularizer, and for any θ ∈ Θ and w:
//
//	Upper  ½wᵀK(θ)w + (1/2λ)‖y − K(θ)w‖²  ≥ F(θ)
//	Lower  the dual value at w. If it is at most 0.99 Upper, also the value at α = (y − f)/λ; the larger one counts
//
// With weights v_i of points, λ is λ/v_i in the term of point i.
//
// CertifyAt makes one pass over the base matrices (kernel.Sweep) for f and, if α is used, one for α. The pass for f
// skips each block of a matrix if w is 0 at all its row and column points. CertifyAt returns an error if the family
// cannot make such a pass or if ctx ends. If the second pass is stopped or fails, the certificate is the one that the
// first pass proved, of Kind Global. With any other error it is Certificate{}, which proves nothing.
func (p *Problem) CertifyAt(ctx context.Context, theta, w []float64) (Certificate, error) {
	if err := errors.Join(argument.CheckContext(ctx, "mkl"), p.Validate()); err != nil {
		return Certificate{}, err
	}
	lambda, ok := ridgeLambda(p.Loss)
	if !ok || p.Reg != nil || floats.HasNaN(p.Y) {
		return Certificate{}, errors.New("mkl: CertifyAt needs the squared loss without missing (NaN) targets, " +
			"and no regularizer")
	}
	if !p.Set.Traits().Nonnegative {
		return Certificate{}, fmt.Errorf("mkl: CertifyAt: the set contains θ with negative entries, for which K(θ) "+
			"may be indefinite: %v; use a set of θ ≥ 0", p.Set)
	}
	if m, _ := p.Grams.Dims(); len(theta) == m && !p.Set.Contains(theta) {
		return Certificate{}, fmt.Errorf("mkl: CertifyAt: θ is outside Θ = %v; pass its projection", p.Set)
	}
	swept, ok := p.Grams.(kernel.Swept)
	if !ok {
		return Certificate{}, errors.New("mkl: CertifyAt needs a family whose base matrices can be computed again " +
			"(kernel.Swept), such as a kernel.List")
	}
	sweep, err := swept.Sweep()
	if err != nil {
		return Certificate{}, err
	}
	q := *p
	q.Grams = newMatrixFree(p.Grams, sweep)
	pt, err := q.EvaluateAt(ctx, theta, w)
	if err != nil {
		return Certificate{}, err
	}
	c, err := q.Certify(pt, false)
	if err != nil || c.Lower > 0.99*c.Upper {
		return c, err
	}
	alpha, weights := make([]float64, len(w)), loss.PointWeights(p.Loss)
	pt.Gram.(*matrixFreeGram).storeProduct(alpha, w)
	for i, y := range p.Y {
		if alpha[i] = (y - alpha[i]) / lambda; weights != nil {
			alpha[i] *= weights[i%len(weights)]
		}
	}
	if pt, err = q.EvaluateAt(ctx, theta, alpha); err != nil {
		return c, err
	}
	secondCert, err := q.Certify(pt, false)
	if err == nil {
		err = pt.checkContradiction(secondCert.Lower, c.Upper, secondCert.By)
	}
	if err != nil {
		return Certificate{}, err
	}
	c.tightenLowerBound(secondCert)
	return c, nil
}

// ridgeLambda returns λ of a squared loss, for any number of columns of targets. ok is false for other losses.
func ridgeLambda(l loss.Loss) (lambda float64, ok bool) {
	if c, isColumns := l.(loss.Columns); isColumns {
		l = c.Loss
	}
	s, ok := l.(loss.Squared)
	return s.Lambda, ok
}

// matrixFree is the kernel.Grams of a family linear in θ that stores no base matrix. For each product with the base
// matrices it computes their entries in one pass (kernel.Sweep).
type matrixFree struct {
	kernel.Grams
	sweep          kernel.Sweep
	diagonals      [][]float64 // diagonals of the m base matrices, m×n
	diagonalShifts []float64   // for each base matrix, the multiple of I that makes it positive semidefinite
}

func newMatrixFree(g kernel.Grams, sweep kernel.Sweep) *matrixFree {
	m, n := g.Dims()
	f := &matrixFree{Grams: g, sweep: sweep, diagonals: zeroMatrix(m, n), diagonalShifts: make([]float64, m)}
	sweep.StoreDiagonals(f.diagonals, f.diagonalShifts)
	return f
}

func zeroMatrix(m, n int) [][]float64 {
	rows, flat := make([][]float64, m), make([]float64, m*n)
	for k := range rows {
		rows[k] = flat[k*n : (k+1)*n]
	}
	return rows
}

// StoredTriangleCount returns 0: no kernel matrix is stored.
func (g *matrixFree) StoredTriangleCount() int { return 0 }

// New returns a Gram that stores the products K_kw of one w.
func (g *matrixFree) New() kernel.Gram { return &matrixFreeGram{g: g} }

// matrixFreeGram represents K(θ) by the products K_kw of one w.
type matrixFreeGram struct {
	g              *matrixFree
	theta          []float64
	w              []float64   // the w of kernelProducts: n·c numbers for c columns of targets
	kernelProducts [][]float64 // row k is the product K_kw
}

var _ kernel.ErrorBounded = (*matrixFreeGram)(nil)

func (s *matrixFreeGram) SetTheta(theta []float64) { s.theta = append(s.theta[:0], theta...) }

// K returns K(θ) without stored entries. K(θ)w is Σθ_kK_kw with the stored products K_kw.
func (s *matrixFreeGram) K() *kernel.Matrix {
	_, n := s.g.Dims()
	return kernel.NewMatrix(n, kernel.Form{
		Dense:        func() *mat.SymDense { panic("mkl: a matrix-free Gram has no entries; use products") },
		StoreProduct: s.storeProduct,
		Diagonal:     s.storeDiagonal,
		ErrorBounds:  s.ErrorBounds,
	})
}

func (s *matrixFreeGram) Release() {}

func (s *matrixFreeGram) computeKernelProducts(ctx context.Context, w []float64) error {
	m, _ := s.g.Dims()
	s.w, s.kernelProducts = slices.Clone(w), zeroMatrix(m, len(w))
	return s.g.sweep.Products(ctx, s.kernelProducts, w)
}

// storedProducts returns the products K_kw, read-only. w is the w of computeKernelProducts or a column of it.
func (s *matrixFreeGram) storedProducts(w []float64) [][]float64 {
	m, n := s.g.Dims()
	for columnStart := 0; columnStart+len(w) <= len(s.w); columnStart += n {
		if slices.Equal(s.w[columnStart:columnStart+len(w)], w) {
			productColumns := make([][]float64, m)
			for k, product := range s.kernelProducts {
				productColumns[k] = product[columnStart : columnStart+len(w)]
			}
			return productColumns
		}
	}
	panic("mkl: the products K_kw of this w are missing; call computeKernelProducts first")
}

// EvaluateInDoubledPrecision returns false, because doubled precision would need another pass over the base matrices.
func (s *matrixFreeGram) EvaluateInDoubledPrecision(kw, gradient, w []float64) (evaluated bool) {
	return false
}

// storeProduct stores Σ_k θ_kK_kw in dst.
func (s *matrixFreeGram) storeProduct(dst, w []float64) {
	clear(dst)
	for k, product := range s.storedProducts(w) {
		linalg.Axpy(s.theta[k], product, dst)
	}
}

func (s *matrixFreeGram) storeDiagonal(dst []float64) {
	clear(dst)
	for k, t := range s.theta {
		linalg.Axpy(t, s.g.diagonals[k], dst)
	}
}

// Gradient stores wᵀK_kw in dst[k].
func (s *matrixFreeGram) Gradient(dst, w []float64) {
	for k, product := range s.storedProducts(w) {
		dst[k] = blockedDot(w, product)
	}
}

// sumBlock is the number of terms in each partial sum of blockedDot.
const sumBlock = 512

// blockedDot returns Σ x_iy_i as a sum of partial sums. Its error is at most (b + n/b + 2)ε Σ|x_iy_i|, with n terms, b
// = sumBlock and ε = linalg.Epsilon.
func blockedDot(x, y []float64) (sum float64) {
	for len(x) > sumBlock {
		sum += linalg.Dot(x[:sumBlock], y)
		x, y = x[sumBlock:], y[sumBlock:]
	}
	return sum + linalg.Dot(x, y)
}

// ErrorBounds returns bounds for products K(θ)w, not for single entries. entryError bounds the relative error of K_kw
// and of the sum over k; a caller adds n rounding errors for a product of n terms. psdShift is 0 because this K(θ) is
// positive semidefinite. addedShift is the multiple of I that K(θ) contains in addition to the given matrices: the sum
// of θ_k times the diagonal shifts of the base matrices, rounded up.
func (s *matrixFreeGram) ErrorBounds() (entryError, psdShift, addedShift float64) {
	m := len(s.theta)
	for k, t := range s.theta {
		addedShift += t * s.g.diagonalShifts[k]
	}
	return s.g.sweep.ErrorFactor() + linalg.RoundingFactor(m+4), 0, addedShift * (1 + linalg.RoundingFactor(m+4))
}

// GradientErrorBound stores in dst[k] a bound of the rounding error of wᵀK_kw, from K_kw and from the sum over n terms.
func (s *matrixFreeGram) GradientErrorBound(dst, w []float64) {
	e := s.g.sweep.ErrorFactor() + linalg.RoundingFactor(sumBlock+len(w)/sumBlock+4)
	for k, d := range s.g.diagonals {
		sumOfWeightedRoots := 0.0 // Σ_i √K_k,ii|w_i|, whose square is at least |w|ᵀ|K_k||w|
		for i, v := range w {
			sumOfWeightedRoots += math.Sqrt(max(d[i], 0)) * math.Abs(v)
		}
		sumOfWeightedRoots *= 1 + linalg.RoundingFactor(len(w)+4)
		dst[k] = e * sumOfWeightedRoots * sumOfWeightedRoots
	}
}
