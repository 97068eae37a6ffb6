package similarity

import (
	"fmt"
	"math"

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
// given similarities S.
//
// The family is transductive: it learns K between all N points. It is bound to the indices of the labeled points. The
// entries of K between labeled points and other points are learned too, and they give the predictions for the other
// points. Bound to fewer points (Slice), the family has the same N² parameters, set and regularizer: a fold of
// cross-validation withholds labels, not similarities.
type Learned struct {
	N int // number of points; K is N×N
}

// Vec returns the entries of S row by row, both triangles included. θ, reg.DistancePenalty.Targets and Given.S hold
// matrices in this form.
func Vec(s *mat.SymDense) []float64 {
	return mat.DenseCopyOf(s).RawMatrix().Data
}

// maxPoints is the largest number N of points. θ has N² numbers.
const maxPoints = 1 << 15

// Validate returns an error if N is out of range.
func (f Learned) Validate() error {
	if f.N < 1 || f.N > maxPoints {
		return fmt.Errorf("similarity: Learned.N is %d; use a number of points from 1 to %d", f.N, maxPoints)
	}
	return nil
}

// Bind returns the Grams of f at the points x, which must be points.Indices.
func (f Learned) Bind(x points.Points) kernel.Grams {
	if err := f.Validate(); err != nil {
		return &learnedGrams{f: f, bindError: err}
	}
	if err := f.checkPoints(x); err != nil {
		return &learnedGrams{f: f, bindError: err}
	}
	g := &learnedGrams{f: f, x: points.MustAs[points.Indices](x)}
	occurrences := make([]int, f.N)
	for _, v := range g.x {
		occurrences[v]++
		g.maxOccurrences = max(g.maxOccurrences, occurrences[v])
	}
	return g
}

func (f Learned) checkPoints(x points.Points) error {
	if err := points.CheckIndices(x, f.N); err != nil {
		return fmt.Errorf("similarity: Learned cannot use these points: %w", err)
	}
	return nil
}

// learnedGrams is the family f bound to the n points x.
type learnedGrams struct {
	kernel.Defaults
	f         Learned
	x         points.Indices
	bindError error // the reason why f cannot use x, or nil

	maxOccurrences int // the largest number of times that a point occurs in x
}

var _ kernel.ErrorBounded = (*learnedGram)(nil)

// Dims returns the number of parameters, N², and the number of points n.
func (g *learnedGrams) Dims() (m, n int) { return g.f.N * g.f.N, len(g.x) }

// Label returns the name of parameter k, an entry of K. Rows and columns count from 1.
func (g *learnedGrams) Label(k int) string {
	n := max(g.f.N, 1)
	return fmt.Sprintf("K[%d,%d]", k/n+1, k%n+1)
}

// ThetaShape returns the shape of the matrix K whose rows θ contains.
func (g *learnedGrams) ThetaShape() (rows, cols int) { return g.f.N, g.f.N }

// Degree returns 1: K(θ) is linear in θ.
func (g *learnedGrams) Degree() int { return 1 }

// WithThreads returns g, because no operation here benefits from threads.
func (g *learnedGrams) WithThreads(int) kernel.Grams { return g }

// Validate returns the error that Bind found.
func (g *learnedGrams) Validate() error { return g.bindError }

// Slice returns the Grams of the family at the points x[rows].
func (g *learnedGrams) Slice(rows []int) kernel.Grams { return g.f.Bind(g.x.Slice(rows)) }

// Block returns the kernel between the points x[rows] and x[cols].
func (g *learnedGrams) Block(rows, cols []int) kernel.Cross {
	return g.Slice(cols).Cross(g.x.Slice(rows))
}

// FreezeFit returns the family of a stored model: f itself, because kernel values between indices depend only on θ.
func (g *learnedGrams) FreezeFit() (kernel.Family, error) { return g.f, g.bindError }

// CheckNewPoints returns an error unless z are points.Indices below N.
func (g *learnedGrams) CheckNewPoints(z points.Points) (kernel.OutOfDomain, error) {
	if g.bindError != nil {
		return kernel.OutOfDomain{}, g.bindError
	}
	return kernel.OutOfDomain{}, g.f.checkPoints(z)
}

// Cross returns the kernel between new points z and the points x. CheckNewPoints must accept z.
func (g *learnedGrams) Cross(z points.Points) kernel.Cross {
	return learnedCross{g, points.MustAs[points.Indices](z)}
}

// learnedCross is the kernel between the points z and the points g.x.
type learnedCross struct {
	g *learnedGrams
	z points.Indices
}

// StoreMatrix stores K(θ) between z (rows) and g.x (columns) in dst.
func (c learnedCross) StoreMatrix(dst *mat.Dense, theta []float64) {
	n := c.g.f.N
	for i, p := range c.z {
		row := dst.RawRowView(i)
		for j, q := range c.g.x {
			row[j] = theta[p*n+q]/2 + theta[q*n+p]/2
		}
	}
}

// New returns a Gram that has not been evaluated at a θ yet.
func (g *learnedGrams) New() kernel.Gram { return &learnedGram{g: g} }

// learnedGram is the matrix K(θ) of the points g.x at one θ.
type learnedGram struct {
	g           *learnedGrams
	theta       []float64     // the current θ, which belongs to the caller
	k           *mat.SymDense // K(θ), stored in kStorage; nil until it is computed
	kStorage    *mat.SymDense // the memory of k, allocated once and used again for each θ
	isSymmetric bool          // θ_ij = θ_ji for all points i, j of g.x; valid if k is not nil
}

// SetTheta sets θ. It computes nothing: the other methods compute their results when they are called.
func (a *learnedGram) SetTheta(theta []float64) {
	if n := a.g.f.N; len(theta) != n*n {
		panic("similarity: θ has the wrong length; pass N² numbers")
	}
	a.theta, a.k = theta, nil
}

// K returns the kernel matrix of the points g.x.
func (a *learnedGram) K() *kernel.Matrix {
	return kernel.NewMatrix(len(a.g.x), kernel.Form{Dense: a.denseMatrix, ErrorBounds: a.ErrorBounds})
}

// denseMatrix returns the kernel matrix of the points g.x. It is computed at the first call after SetTheta.
func (a *learnedGram) denseMatrix() *mat.SymDense {
	if a.k == nil {
		a.computeMatrix()
	}
	return a.k
}

// computeMatrix sets a.k to the kernel matrix of the points g.x, and a.isSymmetric.
func (a *learnedGram) computeMatrix() {
	g, theta, n := a.g, a.theta, a.g.f.N
	if a.kStorage == nil {
		a.kStorage = mat.NewSymDense(len(g.x), nil)
	}
	a.k, a.isSymmetric = a.kStorage, true
	for i, p := range g.x {
		for j := i; j < len(g.x); j++ {
			u, v := theta[p*n+g.x[j]], theta[g.x[j]*n+p]
			a.isSymmetric = a.isSymmetric && u == v
			a.k.SetSym(i, j, u/2+v/2)
		}
	}
}

// Release does nothing.
func (a *learnedGram) Release() {}

// Gradient stores ∂(wᵀKw)/∂θ: w_iw_j for the entry of the points i and j of g.x, and 0 for entries of other points.
func (a *learnedGram) Gradient(dst, w []float64) { a.storeScaledOuterProduct(dst, w, 1) }

// storeScaledOuterProduct stores factor·v_iv_j in dst for every entry of θ, where v_i is the sum of w over the points
// of g.x with index i.
func (a *learnedGram) storeScaledOuterProduct(dst, w []float64, factor float64) {
	n := a.g.f.N
	v := make([]float64, n)
	for i, p := range a.g.x {
		v[p] += w[i]
	}
	for i, x := range v {
		floats.ScaleTo(dst[i*n:(i+1)*n], factor*x, v)
	}
}

// ErrorBounds returns bounds on the errors of K = (θ + θᵀ)/2. entryError, the relative rounding error of an entry, is 0
// if θ_ij = θ_ji for all points i and j of g.x; otherwise it is linalg.Epsilon. psdShift is a δ ≥ 0 such that K + δI is
// positive semidefinite: the tolerance of set.PSD.Contains for N×N matrices, (4N+64)·linalg.Epsilon·tr θ, times
// maxOccurrences. addedShift is 0.
func (a *learnedGram) ErrorBounds() (entryError, psdShift, addedShift float64) {
	if a.denseMatrix(); !a.isSymmetric {
		entryError = linalg.Epsilon
	}
	n, trace := a.g.f.N, 0.0
	for i := range n {
		trace += a.theta[i*n+i]
	}
	return entryError, float64(a.g.maxOccurrences*(4*n+64)) * linalg.Epsilon * max(trace, 0), 0
}

// EvaluateInDoubledPrecision returns false: this family has no evaluation in double-double arithmetic.
func (a *learnedGram) EvaluateInDoubledPrecision(kw, gradient, w []float64) bool { return false }

// GradientErrorBound stores bounds on the rounding errors of the entries w_iw_j that Gradient stores.
func (a *learnedGram) GradientErrorBound(dst, w []float64) {
	absoluteSums := make([]float64, len(w))
	for i, v := range w {
		absoluteSums[i] = math.Abs(v)
	}
	a.storeScaledOuterProduct(dst, absoluteSums, linalg.Epsilon*float64(a.g.maxOccurrences))
}

// KeptForm returns g as a kernel.Bound.
func (g *learnedGrams) KeptForm() any { return kernel.Bound{Family: g.f, Points: g.x} }
