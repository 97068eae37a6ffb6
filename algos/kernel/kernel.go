package kernel

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

// Family is the map θ ↦ k_θ before it is bound to points. It is plain data: together with points, θ, w and b it is a
// saved model.
type Family interface {
	// On binds the family to x and fits to x everything that depends on the points, such as scales and centering. On
	// itself does not fail: Validate of the result reports errors in x and in the family.
	On(x points.Points) Grams
}

// Grams is the map θ ↦ K(θ) on n fixed points. It is read-only after On, so that any number of runs can share it.
// Defaults provides the methods that most families need not change.
type Grams interface {
	// Validate reports bad points, parameters or matrices before any work. It checks once; slices inherit the result.
	// All other methods except Dims require a valid Grams.
	Validate() error
	// Dims returns the number m of parameters and the number n of points.
	Dims() (m, n int)
	// Shape returns the shape of θ if θ is a matrix, stored row by row, rows·cols = m. Code that displays θ then
	// displays it as a matrix. Shape returns 0, 0 if θ is a vector.
	Shape() (rows, cols int)
	// Label returns the name of parameter k for users: the base kernel or the feature that θ_k weights.
	Label(k int) string
	// Degree returns d ≥ 1 if every entry of K is a polynomial in θ of degree at most d and certificates may use the
	// properties below. It returns 0 for any other family. The domain of a family is the convex cone of the θ that it
	// is meant for: {θ ≥ 0}, or {P ⪰ 0} for θ = vec P.
	//
	//	d = 1  K(θ) = Σ_k θ_kK_k for every θ ∈ R^m, so that wᵀK(θ)w = ⟨θ, Gradient(w)⟩ and J is
	//	       convex. K(θ+u) ⪰ K(θ) for every u of the domain, that is K(u) ⪰ 0; a single K_k need
	//	       not be positive semidefinite.
	//	d ≥ 2  The domain is {θ ≥ 0}, and every coefficient of the polynomial K is a positive
	//	       semidefinite matrix: wᵀK(θ)w has coefficients ≥ 0 whatever w. Hence
	//	       K(θ+u) ⪰ K(θ) for θ, u ≥ 0, and Q ≥ 0 entrywise in QuadraticForm.
	//
	// Duality needs d = 1. Hidden convexity on a q-norm ball needs coefficients ≥ 0 and d ≤ q. The bound at the corner
	// of a box (q = ∞) needs only K(θ+u) ⪰ K(θ).
	Degree() int
	// IsDense reports whether K(θ) is stored with its n² or n(n+1)/2 entries at every θ. If not, it may have a root or
	// be matrix-free: see Form.
	IsDense() bool
	// New returns an unevaluated Gram. It is cheap, so that a solver can call it to find out which optional methods a
	// Gram has.
	New() Gram
	// Cross returns K between z (rows) and the fixed points (columns). It uses the fit to the fixed points and does not
	// fit to z.
	Cross(z points.Points) Cross
	// Slice returns Grams equal to On(x[rows]): everything that is fitted is fitted again, to these rows only. Slice
	// does not copy data that can be shared.
	Slice(rows []int) Grams
	// Block returns K between x[rows] and x[cols], fitted to x[cols].
	Block(rows, cols []int) Cross
	// Threads returns the same Grams limited to n threads, n ≥ 1; 0 removes the limit. The result shares everything
	// that is computed or fitted. Every Gram, Cross, Slice and Block made from it inherits the limit. Numbers agree up
	// to rounding. A family that does not use threads returns itself.
	Threads(n int) Grams
	// CheckNew returns an error if Cross cannot take z. If it can, CheckNew describes the points of z outside the
	// domain of the family.
	CheckNew(z points.Points) (OutOfDomain, error)
	// Freeze returns the family together with everything that On fitted. Bound to other points, such as a part of the
	// fixed points, the frozen family is the same k_θ. It omits the matrices of Precomputed kernels, because new points
	// bring their values (points.KernelRows). The error is ErrNotFrozen for a family that cannot be frozen, or explains
	// why k_θ needs all points.
	Freeze() (Family, error)
	// Sweep returns the passes over the base matrices that do not store them. The error explains why these matrices
	// must be stored.
	Sweep() (Sweep, error)
	// Products stores ⟨K_j,K_k⟩ = tr K_jK_k in dst, m×m. If centred is true, it stores instead, with H = I − 11ᵀ/n,
	// ⟨HK_jH, HK_kH⟩. It returns false, and stores nothing, if the degree is not 1 or the family has no separate K_k.
	Products(dst *mat.SymDense, centred bool) bool
	// Mix moves dst to sθ_a + tθ_b in O(n²), without base matrices. dst, a and b are Grams of this Grams, at θ_a and
	// θ_b; dst may be one of them. θ need not be ≥ 0. The rounding that Mix adds is not bounded: until the next At,
	// Bounds returns an infinite bound on the entries. Mix returns false, and changes nothing, if the family cannot
	// mix.
	Mix(dst Gram, s float64, a Gram, t float64, b Gram) bool
	// MixRankOne moves dst to (1−η)P + ηvvᵀ in O(n²), without P, as a Frank–Wolfe step on matrices requires. θ are
	// square matrices, from is at P, and dst is another Gram of this Grams. MixRankOne returns false, and changes
	// nothing, if the family cannot do this.
	MixRankOne(dst, from Gram, v []float64, eta float64) bool
}

// ErrNotFrozen is the error of Freeze for a family that cannot be frozen.
var ErrNotFrozen = errors.New("kernel: this family cannot be frozen: its kernel is known at its own points only")

// Defaults provides the methods of a Grams that most families need not change. A Grams embeds it: θ is a vector, K is
// not a polynomial in θ, Cross takes any points, and the family has neither a frozen form nor a sweep nor fast steps.
type Defaults struct{}

// CheckNew accepts all points.
func (Defaults) CheckNew(points.Points) (OutOfDomain, error) { return OutOfDomain{}, nil }

// Freeze returns ErrNotFrozen.
func (Defaults) Freeze() (Family, error) { return nil, ErrNotFrozen }

// Sweep returns an error.
func (Defaults) Sweep() (Sweep, error) {
	return nil, errors.New("kernel: this family has no sweep: its base matrices must be stored")
}

// IsDense returns true.
func (Defaults) IsDense() bool { return true }

// Products returns false.
func (Defaults) Products(*mat.SymDense, bool) bool { return false }

// Mix returns false.
func (Defaults) Mix(Gram, float64, Gram, float64, Gram) bool { return false }

// MixRankOne returns false.
func (Defaults) MixRankOne(Gram, Gram, []float64, float64) bool { return false }

// Shape returns 0, 0: θ is a vector.
func (Defaults) Shape() (rows, cols int) { return 0, 0 }

// Degree returns 0: K is not a polynomial in θ, or certificates may not use that it is one.
func (Defaults) Degree() int { return 0 }

// Gram is K(θ) at one θ, with the quantities that its derivatives need (S of a power, distances). A Gram belongs to one
// run.
type Gram interface {
	// At moves to θ, of length m. The Gram may read theta until the next At, so the caller must not change theta before
	// that.
	At(theta []float64)
	// K returns K(θ), n×n, read-only. It is valid until the next At (or Weigh).
	K() *Matrix
	// Gradient stores wᵀ(∂K/∂θ_k)w in dst[k]; w has length n, dst length m.
	Gradient(dst, w []float64)
	// Release returns the storage, which the next New of the same Grams may reuse. After Release, nobody may use the
	// Gram or a matrix that it returned.
	Release()
}

// Kernel is one base kernel, positive semidefinite up to rounding. Families combine base kernels. Its parameters are
// exported fields: RBF{Gamma: 0.5}.
type Kernel interface {
	fmt.Stringer
	// Check returns an error if a parameter of the kernel is invalid, or if x is not a kind of points that the kernel
	// accepts.
	Check(x points.Points) error
	// Cross stores k(z_i, x_j) in dst, which is z.Len()×x.Len().
	Cross(dst *mat.Dense, z, x points.Points)
}

// Cross computes K(θ) between l new points (rows) and the n fixed points (columns).
type Cross interface {
	// Gram stores K(θ) in dst, l×n.
	Gram(dst *mat.Dense, theta []float64)
}

type (
	// Sweep computes the entries of K_1, …, K_m on n points, a few at a time, and stores none of them. In addition to
	// the points, it stores ten numbers for each point, kernel and column of w, or forty if these are few. m, n and the
	// number of columns limit the threads of a pass: to at most 32, and to no fewer than 8 unless there are fewer than
	// 8 bands of rows.
	Sweep interface {
		// Diagonals stores K_k,ii in dst[k][i], m×n. It stores in lift, of length m, the shift δ_k that was added to
		// the diagonal of each K_k: see the package documentation.
		Diagonals(dst [][]float64, lift []float64)
		// Images stores K_kw in dst[k], m×n:
		//
		//	|dst[k][i] − (K_kw)_i| ≤ (e + nε) √K_k,ii Σ_j √K_k,jj |w_j|,  K_k the same matrix in every pass.
		//
		// w may contain several columns, one after the other; dst[k] then has the same layout. Images ends early with
		// the error of the context.
		Images(ctx context.Context, dst [][]float64, w []float64) error
		// Rows returns K between some of the points (rows) and all of them. These are rows of K(θ) with an error of at
		// most e√(K_iiK_jj) per entry, without the diagonal shift of K(θ).
		Rows(rows []int) Cross
		// Error returns the e of these bounds.
		Error() float64
	}
)

// OutOfDomain describes new points outside the domain of a family, such as points beyond the limits of its features.
type OutOfDomain struct {
	Rows     []int  // in ascending order; empty for most families
	Handling string // what the family does with such points, as a text for users
}

// Optional interfaces of a Kernel.
type (
	// Validated is a Kernel that contains numbers, such as a matrix, and validates them once: Validate of the Grams
	// calls it.
	Validated interface{ Validate() error }

	// Shifted is a Kernel whose matrix may differ from a positive semidefinite one by more than the rounding of its
	// entries explains.
	Shifted interface {
		// Shift returns a δ ≥ 0 such that K + δI is positive semidefinite, where K is the matrix of all points of the
		// kernel, each once. The caller accounts for repeated points, by counting them. If the kernel treats different
		// points as equal, δ must allow for that. A kernel that embeds a Precomputed and replaces Cross must replace
		// Shift too.
		Shift() float64
	}
)

// Optional interfaces of a Gram. Grams.Sweep is the fourth optional ability of a family.
type (
	// SecondOrder provides everything that a Hessian-vector product of J needs. A direction u of θ has length m. The
	// vectors v and w of dual coefficients have length n.
	SecondOrder interface {
		// DirectionalMul stores (Σ_k u_k ∂K/∂θ_k) w in dst, of length n.
		DirectionalMul(dst, u, w []float64)
		// BilinearGrad stores vᵀ(∂K/∂θ_k)w in dst[k], k < m. BilinearGrad(dst, w, w) is Gradient(dst, w).
		BilinearGrad(dst, v, w []float64)
		// HessianForm stores Σ_l u_l wᵀ(∂²K/∂θ_k∂θ_l)w in dst[k], k < m.
		HessianForm(dst, u, w []float64)
		// QuadraticForm stores in dst, m×m, the matrix Q of wᵀK(θ)w = θᵀQθ: Q_jk = wᵀ(K_j∘K_k)w, entrywise ≥ 0. bound
		// bounds the spectral norm of the rounding error of Q. If the degree is not 2 there is no such matrix:
		// QuadraticForm stores nothing, and ok is false.
		QuadraticForm(dst *mat.SymDense, w []float64) (bound float64, ok bool)
	}

	// Blocked is a Gram of degree 1 that combines several matrices, each with separate parameters, under a block norm:
	//
	//	K = Σ_i c_i K_i(θ_i),  θ = (θ_1, …, θ_M),  c_i > 0 chosen by the loss.
	Blocked interface {
		// Blocks returns the index in θ at which each θ_i begins, followed by m. The result has one number more than
		// there are matrices.
		Blocks() []int
		// Weigh sets c, one number for each matrix. K and Gradient then use this c. At sets every c_i to 1.
		Weigh(c []float64)
		// Forms stores wᵀK_iw in dst[i], for any c. w has length n.
		Forms(dst, w []float64)
		// Scaled stores in dst, of length m, the θ' for which K(θ') with c = 1 equals K(θ) with the current c. A model
		// predicts with θ'.
		Scaled(dst, theta []float64)
	}

	// ErrorBounded is a Gram that bounds the rounding errors of its results at the current θ ≥ 0.
	ErrorBounded interface {
		// Bounds returns three bounds. entries is a u with |K()_ij − K(θ)_ij| ≤ u√(K_iiK_jj), where K(θ) is computed in
		// exact arithmetic from the stored base matrices or features. shift is a δ ≥ 0 such that K(θ) + δI is positive
		// semidefinite; it is 0 if the family is positive semidefinite by construction. lift bounds how much larger the
		// diagonal of K(θ) is than the diagonal for the original matrices, before a shift was added to them: see the
		// package documentation.
		Bounds() (entries, shift, lift float64)
		// GradientError stores in dst[k] a bound on |Gradient(·,w)_k − wᵀ(∂K/∂θ_k)w|.
		GradientError(dst, w []float64)
		// EvaluateExtended stores K(θ)w in f, of length n, and wᵀ(∂K/∂θ_k)w in v[k], k < m. It computes both in
		// double-double arithmetic from the stored base matrices or features, and rounds each number once, at the end.
		// If this would take more than about half a second, or if the family cannot do it, EvaluateExtended stores
		// nothing and returns false.
		EvaluateExtended(f, v, w []float64) bool
	}
)
