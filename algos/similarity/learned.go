package similarity

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Learned is the family whose parameter is the kernel matrix itself,
//
//	θ = vec K,  K(θ) = (K + Kᵀ)/2 between the points that it is bound to, which are points.Indices.
//
// Its sets are set.Spectraplex, {K ⪰ 0, tr K = τ}, and set.PSD. The regularizer reg.DistancePenalty keeps K close to
// given similarities S. The two kinds of Learned treat points that are not training points differently:
//
// The transductive kind, the default, learns K between all N points. The family is bound to the indices of the labeled
// points. The entries of K between labeled points and other points are learned too, and they give the predictions for
// the other points. A slice of the family has the same N² parameters, the same set and the same regularizer: a fold of
// cross-validation withholds labels, not similarities.
//
// The inductive kind learns K only between the n points that it is bound to. For a new point with the similarities s to
// these points, it computes the kernel values k = K S⁺ s. This linear map is a guess. S⁺ is the pseudo-inverse of S
// between the bound points, without the eigenvalues below Rcond·max|λ| in magnitude. A slice of the family learns a K
// of its own points, with n² parameters. Problem.Slice takes the corresponding parts of the set and of the regularizer.
//
// New points are points.Indices or points.KernelRows. Indices are row numbers of S for the inductive kind, and of K for
// the transductive kind. KernelRows are rows of similarities to all N points of S, stored under the Name of the family.
// Both kinds use the linear map for KernelRows, so they need S.
type Learned struct {
	Name string // name of the similarities; points.KernelRows refer to it
	N    int    // number of rows of S and, for the transductive kind, of K
	// S holds the similarities between the N points, row by row, as Vec returns them. Only the linear map uses them. S
	// may be nil for the transductive kind if no prediction uses the linear map.
	S         []float64
	Inductive bool
	// S⁺ omits the eigenvalues of S whose magnitude is below Rcond times the largest magnitude. If Rcond is 0, it is
	// 1e-2.
	Rcond float64
}

// Vec returns the entries of S row by row, both triangles included. θ, reg.DistancePenalty.Targets and Learned.S hold
// matrices in this form.
func Vec(s *mat.SymDense) []float64 {
	return mat.DenseCopyOf(s).RawMatrix().Data
}

// maxPoints is the largest N. θ has N² numbers.
const maxPoints = 1 << 15

// Validate returns an error if N, Rcond or the length of S is out of range, or if f is inductive and has no S. It also
// returns an error if an entry of S is not finite, or differs from its mirror image by more than 1e-8 of the largest
// magnitude. The error names the first such entry.
func (f Learned) Validate() error {
	if f.N < 1 || f.N > maxPoints {
		return fmt.Errorf("similarity: a kernel of %d points; the number must be from 1 to %d", f.N, maxPoints)
	}
	if !(f.Rcond >= 0 && f.Rcond < 1) {
		return fmt.Errorf("similarity: rcond = %g; use 0 ≤ rcond < 1 (0 means 1e-2)", f.Rcond)
	}
	if f.S == nil {
		if f.Inductive {
			return errors.New("similarity: an inductive kernel without S, the similarities by which new points are met")
		}
		return nil
	}
	if len(f.S) != f.N*f.N {
		return fmt.Errorf("similarity: S has %d numbers; it must have %d rows of %[2]d", len(f.S), f.N)
	}
	largestEntry := 0.0
	for i, v := range f.S {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("similarity: row %d, column %d is %g; it must be finite", i/f.N+1, i%f.N+1, v)
		}
		largestEntry = max(largestEntry, math.Abs(v))
	}
	for i := range f.N {
		for j := range i {
			if a, b := f.S[i*f.N+j], f.S[j*f.N+i]; !(math.Abs(a/2-b/2) <= 1e-8*largestEntry/2) {
				return fmt.Errorf("similarity: not symmetric: %g in row %d, column %d, but %g in row %[3]d, column "+
					"%[2]d (Symmetric takes the mean)", a, i+1, j+1, b)
			}
		}
	}
	return nil
}

// On binds f to points.Indices.
func (f Learned) On(x points.Points) kernel.Grams { return f.bindTo(x, f.Validate()) }

// bindTo binds f to x. bad is an error that was found in f itself, or nil.
func (f Learned) bindTo(x points.Points, bad error) *learnedGrams {
	if bad != nil {
		return &learnedGrams{f: f, bindError: bad}
	}
	p, err := points.As[points.Indices](x)
	if err != nil {
		return &learnedGrams{f: f, bindError: fmt.Errorf("similarity: a learned kernel: %w", err)}
	}
	if err := f.checkIndices(p); err != nil {
		return &learnedGrams{f: f, bindError: err}
	}
	g := &learnedGrams{f: f}
	g.bindPoints(p)
	return g
}

// checkIndices returns an error if p contains an index that is not a row number of S or K.
func (f Learned) checkIndices(p points.Indices) error {
	if err := p.Validate(); err != nil {
		return err
	}
	for i, v := range p {
		if v >= f.N {
			return fmt.Errorf("similarity: point %d has place %d, the kernel has places 0 to %d", i+1, v, f.N-1)
		}
	}
	return nil
}

// learnedGrams is the family f bound to the n points x.
type learnedGrams struct {
	kernel.Defaults
	f         Learned
	x         points.Indices
	bindError error // found by On; nil if f is bound

	order      int   // order of the matrix θ: N for the transductive kind, n for the inductive kind
	rows       []int // the row of θ of each point
	maxRepeats int   // the largest number of times that a point occurs
	allInOrder bool  // the points are all rows of θ, in order

	spectrum func() (*Spectrum, error) // returns the spectrum of S between the points of θ; computed at the first call
}

var _ kernel.ErrorBounded = (*learnedGram)(nil)

// bindPoints sets the fields of g for the points p.
func (g *learnedGrams) bindPoints(p points.Indices) {
	g.x, g.order, g.rows, g.spectrum = p, g.f.N, p, sync.OnceValues(g.decomposeSimilarities)
	if g.f.Inductive {
		g.order, g.rows = len(p), make([]int, len(p))
		for i := range g.rows {
			g.rows[i] = i
		}
	}
	times := make([]int, g.order)
	g.allInOrder = len(g.rows) == g.order
	for i, p := range g.rows {
		g.allInOrder = g.allInOrder && p == i
	}
	for _, i := range g.rows {
		times[i]++
		g.maxRepeats = max(g.maxRepeats, times[i])
	}
}

// Dims returns the number of parameters, which is the square of the order of θ, and the number of points n.
func (g *learnedGrams) Dims() (m, n int) { return g.order * g.order, len(g.x) }

// Label returns the name of parameter k, an entry of K. Rows and columns count from 1.
func (g *learnedGrams) Label(k int) string {
	n := max(g.order, 1)
	return fmt.Sprintf("K[%d,%d]", k/n+1, k%n+1)
}

// Shape returns the shape of the matrix K whose rows θ contains.
func (g *learnedGrams) Shape() (rows, cols int) { return g.order, g.order }

// Degree returns 1: K(θ) is linear in θ.
func (g *learnedGrams) Degree() int { return 1 }

// Threads returns g, because no operation here benefits from threads.
func (g *learnedGrams) Threads(int) kernel.Grams { return g }

// Validate returns the error that On found.
func (g *learnedGrams) Validate() error { return g.bindError }

// Slice returns the family bound to the points with the given rows.
func (g *learnedGrams) Slice(rows []int) kernel.Grams { return g.sliceLearned(rows) }

// sliceLearned is Slice with the concrete type of its result. It does not validate f again, which takes N² steps.
func (g *learnedGrams) sliceLearned(rows []int) *learnedGrams {
	return g.f.bindTo(g.x.Slice(rows), g.bindError)
}

// Block returns the Cross between the points rows and the family bound to the points cols.
func (g *learnedGrams) Block(rows, cols []int) kernel.Cross {
	return g.sliceLearned(cols).Cross(g.x.Slice(rows))
}

// Freeze returns f itself for the transductive kind, because K between two indices does not depend on the points that f
// is bound to. For the inductive kind it returns an error, because K S⁺ needs all points.
func (g *learnedGrams) Freeze() (kernel.Family, error) {
	if g.bindError != nil {
		return nil, g.bindError
	}
	if g.f.Inductive {
		return nil, errors.New("similarity: K S⁺ needs all points that K was learned on")
	}
	return g.f, nil
}

// New returns a Gram that has not been evaluated at a θ yet.
func (g *learnedGrams) New() kernel.Gram { return &learnedGram{g: g} }

// learnedGram is the matrix K(θ) of the bound points at one θ.
type learnedGram struct {
	g       *learnedGrams
	theta   []float64     // the current θ, which belongs to the caller
	k       *mat.SymDense // θ itself or buffer; nil until it is computed
	buffer  *mat.SymDense // the matrix of the bound points if it is not θ itself; allocated at its first use
	isExact bool          // θ is symmetric between the bound points; valid if k is not nil
}

// isSymmetric reports whether the n×n matrix theta is symmetric. It compares square blocks, so that the blocks of both
// triangles fit into the processor cache.
func isSymmetric(theta []float64, n int) bool {
	const block = 32
	for a := 0; a < n; a += block {
		for b := 0; b <= a; b += block {
			for i := a; i < min(a+block, n); i++ {
				for j := b; j < min(b+block, i); j++ {
					if theta[i*n+j] != theta[j*n+i] {
						return false
					}
				}
			}
		}
	}
	return true
}

// At sets θ. It computes nothing: the other methods compute their results when they are called.
func (a *learnedGram) At(theta []float64) {
	if n := a.g.order; len(theta) != n*n {
		panic("similarity: θ has another length")
	}
	a.theta, a.k = theta, nil
}

// K returns the matrix of the bound points. If θ is symmetric and the bound points are all its rows in order, K returns
// θ itself, without a copy.
func (a *learnedGram) K() *kernel.Matrix {
	return kernel.NewMatrix(len(a.g.x), kernel.Form{Dense: a.denseMatrix, Bounds: a.Bounds})
}

// denseMatrix returns the matrix of the bound points. It is computed at the first call after At.
func (a *learnedGram) denseMatrix() *mat.SymDense {
	if a.k == nil {
		a.computeMatrix()
	}
	return a.k
}

// computeMatrix sets k to the matrix of the bound points.
func (a *learnedGram) computeMatrix() {
	g, theta, n := a.g, a.theta, a.g.order
	if g.allInOrder && isSymmetric(theta, n) {
		a.k, a.buffer, a.isExact = mat.NewSymDense(n, theta), nil, true
		return
	}
	if a.buffer == nil {
		a.buffer = mat.NewSymDense(len(g.x), nil)
	}
	a.k, a.isExact = a.buffer, true
	raw := a.k.RawSymmetric()
	for i, p := range g.rows {
		row := raw.Data[i*raw.Stride:]
		for j := i; j < len(g.rows); j++ {
			u, v := theta[p*n+g.rows[j]], theta[g.rows[j]*n+p]
			if u != v {
				a.isExact = false
				u = u/2 + v/2
			}
			row[j] = u
		}
	}
}

// Release does nothing.
func (a *learnedGram) Release() {}

// Gradient stores w_iw_j for the entries of K between bound points, and 0 for the other entries.
func (a *learnedGram) Gradient(dst, w []float64) {
	v, n := a.g.sumByRow(w), a.g.order
	for i, x := range v {
		row := dst[i*n : (i+1)*n]
		if x == 0 {
			clear(row)
			continue
		}
		floats.ScaleTo(row, x, v)
	}
}

// sumByRow returns a vector with one entry for each row of θ: the sum of the w_i of the bound points that are this row,
// and 0 if there is none.
func (g *learnedGrams) sumByRow(w []float64) []float64 {
	v := make([]float64, g.order)
	for i, p := range g.rows {
		v[p] += w[i]
	}
	return v
}

// Bounds returns the bounds that kernel.ErrorBounded defines. entries, the relative rounding error of the entries of K,
// is 0 if θ is symmetric between the bound points, because K then holds entries of θ; otherwise it is linalg.Epsilon.
// shift is a δ ≥ 0 such that K + δI is positive semidefinite: the tolerance (4n+64)·ε·tr θ up to which sets of matrices
// verify θ ⪰ 0, times the largest number of times that a point occurs; n is the order of θ. lift is 0.
func (a *learnedGram) Bounds() (entries, shift, lift float64) {
	if a.denseMatrix(); !a.isExact {
		entries = linalg.Epsilon
	}
	n, trace := a.g.order, 0.0
	for i := range n {
		trace += a.theta[i*n+i]
	}
	return entries, float64(a.g.maxRepeats*(4*n+64)) * linalg.Epsilon * max(trace, 0), 0
}

// EvaluateExtended returns false: it computes nothing.
func (a *learnedGram) EvaluateExtended(f, v, w []float64) bool { return false }

// GradientError stores bounds on the rounding errors of the entries w_iw_j that Gradient stores.
func (a *learnedGram) GradientError(dst, w []float64) {
	n := a.g.order
	v := make([]float64, n)
	for i, p := range a.g.rows {
		v[p] += math.Abs(w[i])
	}
	for i, x := range v {
		floats.ScaleTo(dst[i*n:(i+1)*n], linalg.Epsilon*float64(a.g.maxRepeats)*x, v)
	}
}
