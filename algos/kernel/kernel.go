package kernel

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

// Family is the map θ ↦ k_θ before it is bound to points. It is plain data. A saved model is a Family with the training
// points, θ, the dual coefficients w and the bias b.
type Family interface {
	// Bind binds the family to x and fits to x everything that depends on the points, such as scales and centering.
	// Bind itself does not fail: Validate of the result reports errors in x and in the family.
	Bind(x points.Points) Grams
}

// Grams is the map θ ↦ K(θ) on the n points that Family.Bind got, called the fixed points. It is read-only after Bind,
// so that any number of runs can share it. Defaults provides the methods that most families need not change.
type Grams interface {
	// Validate returns an error if the points, a parameter or a matrix is invalid. It checks once, and the results of
	// Slice return the same error. All other methods except Dims require a valid Grams.
	Validate() error
	// Dims returns the number m of parameters and the number n of points.
	Dims() (m, n int)
	// ThetaShape returns the shape of θ if θ is a matrix, stored row by row: rows·cols is the length of θ. Code that
	// displays θ then displays it as a matrix. ThetaShape returns 0, 0 if θ is a vector.
	ThetaShape() (rows, cols int)
	// Label returns the name of parameter k for users: the base kernel or the feature that θ_k weights.
	Label(k int) string
	// Degree returns d ≥ 1 if every entry of K is a polynomial in θ of degree at most d and certificates may use the
	// properties below. It returns 0 for any other family. The domain of a family is the convex cone of the θ that it
	// is meant for: {θ ≥ 0}, or {P ⪰ 0} for θ = vec P.
	//
	// K_k is the n×n matrix that θ_k weights, w any vector of length n, J(θ) the optimal value of a loss on K(θ), and Q
	// the matrix of SecondOrder.QuadraticFormInTheta. A ⪰ B means that A − B is positive semidefinite.
	//
	//	d = 1  K(θ) = Σ_k θ_kK_k for every θ ∈ R^m, so that wᵀK(θ)w = ⟨θ, Gradient(w)⟩ and J is
	//	       convex. K(θ+u) ⪰ K(θ) for every u of the domain, that is K(u) ⪰ 0; a single K_k need
	//	       not be positive semidefinite.
	//	d ≥ 2  The domain is {θ ≥ 0}, and every coefficient of the polynomial K is a positive
	//	       semidefinite matrix: wᵀK(θ)w has coefficients ≥ 0 whatever w. Hence
	//	       K(θ+u) ⪰ K(θ) for θ, u ≥ 0, and Q ≥ 0 entrywise in QuadraticFormInTheta.
	//
	// A certificate is a lower bound of the minimum of J. By duality, it needs d = 1; by hidden convexity on a q-norm
	// ball, coefficients ≥ 0 and d ≤ q. On a box (q = ∞), J at the upper corner is a lower bound if K(θ+u) ⪰ K(θ).
	Degree() int
	// StoredTriangleCount returns the memory that a Gram needs at each θ, in triangles of n×n matrices, 4n² bytes each.
	// A matrix in full storage, such as K(θ), counts as two. The result is 0 if K(θ) may be stored as a low-rank factor
	// Φ with K(θ) = ΦΦᵀ, or not at all.
	StoredTriangleCount() int
	// New returns a Gram that has no θ yet. It is cheap, so that a solver can call it to find out which optional
	// methods a Gram has.
	New() Gram
	// Cross returns K between z (rows) and the fixed points (columns). Preprocessing, centering and normalization are
	// those fitted to the fixed points.
	Cross(z points.Points) Cross
	// Slice returns Grams equal to Bind(x[rows]), for the points of the given rows. Everything that is fitted is fitted
	// again, to these points only. Slice does not copy data that can be shared.
	Slice(rows []int) Grams
	// Block returns K between x[rows] and x[cols]. Preprocessing, centering and normalization are fitted to x[cols].
	Block(rows, cols []int) Cross
	// WithThreads returns the same Grams limited to n threads, n ≥ 1; 0 removes the limit. The result shares everything
	// that is computed or fitted. Every Gram, Cross, Slice and Block made from it inherits the limit. Numbers agree up
	// to rounding. A family that does not use threads returns itself.
	WithThreads(n int) Grams
	// CheckNewPoints returns an error if Cross cannot take z. If it can, CheckNewPoints describes the points of z
	// outside the domain of the family.
	CheckNewPoints(z points.Points) (OutOfDomain, error)
	// FreezeFit returns the family together with everything that Bind fitted. The frozen family is the same k_θ on
	// whatever points it is bound to, such as the support vectors. It omits the matrices of Precomputed kernels: new
	// points then bring their kernel values (points.KernelRows). The error is ErrNotFrozen if the family does not
	// support this. Any other error explains why this k_θ needs all training points.
	FreezeFit() (Family, error)
}

// ErrNotFrozen is the error of FreezeFit for a family whose kernel is defined only on the points of Bind.
var ErrNotFrozen = errors.New("kernel: this family cannot be frozen, because its kernel is defined only on its own " +
	"points")

// Defaults provides the methods of a Grams that most families need not change. A Grams embeds it. With these methods, θ
// is a vector, K no polynomial in θ, Cross takes any points, and FreezeFit returns an error.
type Defaults struct{}

// CheckNewPoints accepts all points.
func (Defaults) CheckNewPoints(points.Points) (OutOfDomain, error) { return OutOfDomain{}, nil }

// FreezeFit returns ErrNotFrozen: the family cannot be stored with what it fitted to its points.
func (Defaults) FreezeFit() (Family, error) { return nil, ErrNotFrozen }

// StoredTriangleCount returns 2: the full n×n matrix K(θ) takes the memory of two triangles.
func (Defaults) StoredTriangleCount() int { return 2 }

// ThetaShape returns 0, 0: θ is a vector.
func (Defaults) ThetaShape() (rows, cols int) { return 0, 0 }

// Degree returns 0: K is not a polynomial in θ, or it lacks the properties that Grams.Degree lists.
func (Defaults) Degree() int { return 0 }

// Gram is K(θ) at one θ. It also stores intermediate results that its derivatives need, such as the matrix S of K =
// S^{∘d}. A Gram belongs to one run.
type Gram interface {
	// SetTheta sets θ, of length m. The caller must not change theta before the next SetTheta, because the Gram may
	// read it until then.
	SetTheta(theta []float64)
	// K returns K(θ), n×n, read-only. It is valid until the next SetTheta (or SetBlockWeights).
	K() *Matrix
	// Gradient stores wᵀ(∂K/∂θ_k)w in dst[k]; w has length n, dst length m.
	Gradient(dst, w []float64)
	// Release allows the next New of the same Grams to reuse the storage. After Release, the caller must use neither
	// the Gram nor a matrix that it returned.
	Release()
}

// Kernel is one base kernel k(x,z), positive semidefinite up to rounding. Families combine base kernels. The parameters
// of a kernel are exported fields, as in RBF{Gamma: 0.5}. Package registry stores only kernels of a registered type
// (registry.Register).
type Kernel interface {
	fmt.Stringer
	// Check returns an error if a parameter of the kernel is invalid, or if the kernel does not accept such points x.
	Check(x points.Points) error
	// Cross stores k(z_i, x_j) in every entry of dst, which is z.Len()×x.Len(), and writes no other memory. Several
	// goroutines may call Cross of one kernel at the same time. k(x,z) and k(z,x) agree up to rounding.
	Cross(dst *mat.Dense, z, x points.Points)
}

// Cross computes K(θ) between l new points (rows) and the n fixed points (columns).
type Cross interface {
	// StoreMatrix stores K(θ) between the l new and the n fixed points in dst, l×n.
	StoreMatrix(dst *mat.Dense, theta []float64)
}

// Sweep computes products with the base matrices K_1, …, K_m on n points. It computes a few entries at a time and does
// not store the matrices. With c vectors to multiply, a pass over the entries stores about 10·mnc numbers, or 40·mnc if
// mnc is small. It uses at most 32 threads, fewer for few points or a large mnc, but at least 8 from 512 points on.
type Sweep interface {
	// StoreDiagonals stores K_k,ii in diagonals[k][i], m×n. In shifts[k] it stores δ_k, the number that was added to
	// the diagonal of K_k to make it positive semidefinite despite rounding: see the package documentation.
	StoreDiagonals(diagonals [][]float64, shifts []float64)
	// Products stores K_kw in dst[k], m×n:
	//
	//	|dst[k][i] − (K_kw)_i| ≤ (e + nε) √K_k,ii Σ_j √K_k,jj |w_j|,  K_k the same in every call of Products.
	//
	// The bound e is the result of ErrorFactor, and ε is the unit roundoff. w may contain several columns, one after
	// the other; dst[k] then has the same layout. If ctx ends, Products stops early and returns the error of ctx.
	Products(ctx context.Context, dst [][]float64, w []float64) error
	// ErrorFactor returns the number e, the relative rounding error, in the error bound of Products.
	ErrorFactor() float64
}

// OutOfDomain describes new points outside the domain of a family, such as points beyond the limits of its features.
type OutOfDomain struct {
	// PointIndices holds the indices, among the new points, of the points outside the domain, in ascending order.
	PointIndices []int
	HandlingText string // what the family does with points outside its domain, as a text for users
}

// Optional interfaces of a Kernel.
type (
	// Validated is a Kernel that contains data, such as a matrix. Grams.Validate calls its Validate.
	Validated interface{ Validate() error }

	// Shifted is a Kernel whose matrix may have eigenvalues further below 0 than the rounding of its entries can cause.
	Shifted interface {
		// DiagonalShift returns a δ ≥ 0 such that K + δI is positive semidefinite, where K is the matrix of all points
		// that the kernel knows, without repetitions. If points repeat, the caller multiplies δ by the largest number
		// of repetitions. Different points with the same kernel values are not counted as repetitions: δ must suffice
		// for them. A kernel that embeds a Precomputed and replaces Cross must replace DiagonalShift too.
		DiagonalShift() float64
	}

	// Fitted is a Kernel that depends on the points of a Sum. Bind replaces it by FitTo, and Slice does so again for
	// its points. It may store two n×n matrices.
	Fitted interface {
		// FitTo returns the kernel for the points x, which Check accepts.
		FitTo(x points.Points) Kernel
	}

	// NewPointChecker is a Kernel that accepts other new points than points to bind to, such as points.KernelRows.
	NewPointChecker interface {
		// CheckNewPoints returns an error if Cross cannot take new points z.
		CheckNewPoints(z points.Points) error
	}

	// Freezer is a Kernel that has another form in a frozen family, such as without a matrix: see Grams.FreezeFit.
	Freezer interface{ Freeze() Kernel }
)

// Swept is an optional interface of a Grams. Other families have no Sweep, because they cannot compute their base
// matrices again.
type Swept interface {
	// Sweep returns a Sweep, which computes products with the base matrices without storing them. The error explains
	// why the base matrices must be stored.
	Sweep() (Sweep, error)
}

// Optional interfaces of a Gram.
type (
	// Mixed is a Gram that combines K at other θ without reading the base matrices. A default would have to read them,
	// which SetTheta does as fast.
	Mixed interface {
		// Mix sets θ of the Gram to sθ_a + tθ_b and K to sK(θ_a) + tK(θ_b) in O(n²), where a is at θ_a and b at θ_b.
		// All are results of New of the same Grams; a or b may be the Gram itself. Entries of θ may be negative. Mix
		// adds rounding errors without a known bound: until the next SetTheta, ErrorBounds returns an infinite bound on
		// the entries. If the Gram cannot do this, Mix changes nothing and returns false.
		Mix(s float64, a Gram, t float64, b Gram) bool
	}

	// RankOneMixed is a Gram of one parameter matrix P that follows a step of rank one. A default would compute K anew.
	RankOneMixed interface {
		// MixRankOne sets θ = vec P of the Gram to (1−η)P + ηvvᵀ, as a Frank–Wolfe step on matrices does, where from is
		// at P. It takes O(n²) and does not read P. Both are results of New of the same Grams. If the Gram cannot do
		// this, MixRankOne changes nothing and returns false.
		MixRankOne(from Gram, v []float64, eta float64) bool
	}

	// SecondOrder provides everything that a Hessian-vector product of J(θ), the optimal value of a loss, needs. A
	// direction u of θ has length m. The vectors v and w of dual coefficients have length n.
	SecondOrder interface {
		// MulDirectionalDerivative stores (Σ_k u_k ∂K/∂θ_k) w in dst, of length n.
		MulDirectionalDerivative(dst, u, w []float64)
		// BilinearGradient stores vᵀ(∂K/∂θ_k)w in dst[k], k < m. BilinearGradient(dst, w, w) is Gradient(dst, w).
		BilinearGradient(dst, v, w []float64)
		// HessianVectorProduct stores Σ_l u_l wᵀ(∂²K/∂θ_k∂θ_l)w in dst[k], k < m.
		HessianVectorProduct(dst, u, w []float64)
		// QuadraticFormInTheta stores in dst, m×m, the matrix Q with wᵀK(θ)w = θᵀQθ for a family of degree 2: Q_jk =
		// wᵀ(K_j∘K_k)w, entrywise ≥ 0. errorBound is an upper bound on the spectral norm of the rounding error of Q. If
		// K has no such Q, as for every other degree, QuadraticFormInTheta stores nothing, and ok is false.
		QuadraticFormInTheta(dst *mat.SymDense, w []float64) (errorBound float64, ok bool)
	}

	// Blocked is a Gram that is linear in θ and a weighted sum of several matrices, each with separate parameters:
	//
	//	K = Σ_i c_i K_i(θ_i),  θ = (θ_1, …, θ_M),  c_i > 0.
	//
	// The loss chooses the block weights c_i (loss.BlockNorm).
	Blocked interface {
		// BlockStarts returns the index in θ at which each θ_i begins, followed by the length of θ: M + 1 numbers.
		BlockStarts() []int
		// SetBlockWeights sets the weight c_i of each K_i for K and Gradient. SetTheta sets every c_i to 1.
		SetBlockWeights(c []float64)
		// BlockQuadraticForms stores wᵀK_iw in dst[i], for each matrix K_i without its weight c_i. w has length n.
		BlockQuadraticForms(dst, w []float64)
		// ScaleThetaByBlockWeights stores in dst, of length m, the θ' for which K(θ') with all weights 1 equals K(θ)
		// with the current weights c_i. A model predicts with θ'.
		ScaleThetaByBlockWeights(dst, theta []float64)
	}

	// ErrorBounded is a Gram that returns bounds on the rounding errors of its results at the current θ ≥ 0.
	ErrorBounded interface {
		// ErrorBounds returns three bounds:
		//
		//   - entryError is a number u such that entry (i, j) of the matrix that the method K returns differs from the
		//     exact K_ij by at most u√(K_iiK_jj). The exact K follows from the stored base matrices or features.
		//   - psdShift is a number δ ≥ 0 such that K(θ) + δI is positive semidefinite. It is 0 if the family is
		//     positive semidefinite by construction.
		//   - addedShift is an upper bound on the increase of a diagonal entry of K(θ) by the numbers δ_k that
		//     were added to the diagonals of the base matrices: see the package documentation.
		ErrorBounds() (entryError, psdShift, addedShift float64)
		// GradientErrorBound stores in dst[k] an upper bound on the rounding error of entry k of Gradient(·, w), which
		// is wᵀ(∂K/∂θ_k)w in exact arithmetic.
		GradientErrorBound(dst, w []float64)
		// EvaluateInDoubledPrecision stores K(θ)w in kw, of length n, and wᵀ(∂K/∂θ_k)w in gradient[k], k < m. It
		// computes both in double-double arithmetic from the stored base matrices or features, and rounds each number
		// once, at the end. If this would take more than about half a second, or if the family cannot do it,
		// EvaluateInDoubledPrecision returns false without storing anything.
		EvaluateInDoubledPrecision(kw, gradient, w []float64) (isStored bool)
	}
)
