package kernel

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/points"
)

// Family is θ ↦ k_θ, not yet bound to points. It is plain data: with points, θ, w and b it is a
// saved model.
type Family interface {
	// On binds the family to x and fits to it what it fits (scales, centring). What is wrong
	// with x or with the family, Validate of the result says; On itself does not fail.
	On(x points.Points) Grams
}

// Grams is θ ↦ K(θ) on n fixed points. It is read-only after On: any number of runs share it.
// Defaults answers what most families leave alone.
type Grams interface {
	// Validate reports bad points, parameters or matrices before any work. It judges once;
	// slices inherit the verdict. The other methods are for a Grams that is valid, but for Dims.
	Validate() error
	// Dims returns the number m of parameters and the number n of points.
	Dims() (m, n int)
	// Shape returns the shape of a θ that is a matrix, stored row by row, rows·cols = m: what shows θ
	// shows it as that. It is 0, 0 for a θ that is a vector.
	Shape() (rows, cols int)
	// Label names parameter k for people: the base kernel or the feature that θ_k weighs.
	Label(k int) string
	// Degree is d ≥ 1 where every entry of K is a polynomial in θ of degree at most d of which the
	// certificates may use what follows, and 0 of any other family. The domain of a family is the
	// convex cone of the θ that it is meant for: {θ ≥ 0}, or {P ⪰ 0} for θ = vec P.
	//
	//	d = 1  K(θ) = Σ_k θ_kK_k for every θ ∈ R^m, so that wᵀK(θ)w = ⟨θ, Gradient(w)⟩ and J is
	//	       convex. K(θ+u) ⪰ K(θ) for every u of the domain, that is K(u) ⪰ 0; a single K_k need
	//	       not be positive semidefinite.
	//	d ≥ 2  The domain is {θ ≥ 0}, and every coefficient of the polynomial K is a positive
	//	       semidefinite matrix: wᵀK(θ)w has coefficients ≥ 0 whatever w. Hence
	//	       K(θ+u) ⪰ K(θ) for θ, u ≥ 0, and Q ≥ 0 entrywise in Quadratic.
	//
	// Duality needs d = 1; hidden convexity on a q-norm ball the coefficients ≥ 0 and d ≤ q; the
	// bound at the corner of a box (q = ∞) only K(θ+u) ⪰ K(θ).
	Degree() int
	// New returns an unevaluated Gram. It is cheap, so that a solver can ask what it can do.
	New() Gram
	// Cross is K between z (rows) and the fixed points; what was fitted stays the fit of the fixed
	// points.
	Cross(z points.Points) Cross
	// Slice equals On(x[rows]): what is fitted is fitted again, to these rows alone. What can be
	// shared is not copied.
	Slice(rows []int) Grams
	// Block is K between x[rows] and x[cols], fitted on cols.
	Block(rows, cols []int) Cross
	// Threads returns the same Grams for at most n threads, n ≥ 1; 0 lifts the bound. It shares
	// everything that is computed or fitted. The Gram, Cross, Slice and Block made of it
	// inherit the bound. Numbers agree to rounding. A family without threads returns itself.
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
}

// ErrNotFrozen is the error of Freeze for a family that cannot be frozen.
var ErrNotFrozen = errors.New("kernel: this family cannot be frozen: its kernel is known at its own points only")

// Defaults provides the methods of a Grams that most families need not change. A Grams embeds it: θ is a vector, K is
// not a polynomial in θ, Cross takes any points, and the family has neither a frozen form nor a sweep.
type Defaults struct{}

// CheckNew accepts all points.
func (Defaults) CheckNew(points.Points) (OutOfDomain, error) { return OutOfDomain{}, nil }

// Freeze returns ErrNotFrozen.
func (Defaults) Freeze() (Family, error) { return nil, ErrNotFrozen }

// Sweep returns an error.
func (Defaults) Sweep() (Sweep, error) {
	return nil, errors.New("kernel: this family has no sweep: its base matrices must be stored")
}

// Shape returns 0, 0: θ is a vector.
func (Defaults) Shape() (rows, cols int) { return 0, 0 }

// Degree returns 0: K is no polynomial in θ, or none that a certificate may use.
func (Defaults) Degree() int { return 0 }

// Gram is K(θ) at one θ, with what its derivatives need (S of a power, distances). It belongs to
// one run.
type Gram interface {
	// At moves to θ, of length m. It may go on reading theta until the next At: the caller leaves it
	// alone until then.
	At(theta []float64)
	// K is K(θ), n×n, read-only, valid until the next At (or Weigh).
	K() *mat.SymDense
	// Gradient stores wᵀ(∂K/∂θ_k)w in dst[k]; w has length n, dst length m.
	Gradient(dst, w []float64)
	// Release gives the storage back, which may serve the next New of its Grams. Nobody may use the
	// Gram, or a matrix of it, any more.
	Release()
}

// Kernel is one base kernel, positive semidefinite to rounding; families are built of them. Its parameters are
// exported fields: RBF{Gamma: 0.5}.
type Kernel interface {
	fmt.Stringer
	// Check says what is wrong with the kernel's own parameters, or that x is not the kind of
	// points it takes.
	Check(x points.Points) error
	// Cross stores k(z_i, x_j) in dst, which is z.Len()×x.Len().
	Cross(dst *mat.Dense, z, x points.Points)
}

// Cross is K(θ) between l new points (rows) and the n fixed ones (columns).
type Cross interface {
	// Gram stores K(θ) in dst, l×n.
	Gram(dst *mat.Dense, theta []float64)
}

// Optional, of a Grams.
type (
	// Additive is a Grams whose K(θ) = Σ_k θ_kK_k, if its degree is 1, and which then answers for the K_k apart.
	Additive interface {
		// Products stores ⟨K_j,K_k⟩ = tr K_jK_k in dst, m×m, or with centred ⟨HK_jH, HK_kH⟩,
		// H = I − 11ᵀ/n.
		Products(dst *mat.SymDense, centred bool)
	}

	// Sweep makes the entries of K_1, …, K_m on n points a few at a time, and keeps none: beside the points it has ten
	// numbers for each point, kernel and column of w, forty where these are few. A pass has at most 32 threads, and at
	// least 8 if there are as many: m, n and the columns decide.
	Sweep interface {
		// Diagonals stores K_k,ii in dst[k][i], m×n, and by how much each K_k was lifted in lift, m: see the package.
		Diagonals(dst [][]float64, lift []float64)
		// Images stores one of so many parts of K_kw in dst[k], m×n, the first is part 0: what every parts-th band of
		// rows of the upper triangle contributes, which may be made anywhere. Images(ctx, dst, w, 0, 1) is all. The
		// sum of the parts has
		//
		//	|Σ dst[k][i] − (K_kw)_i| ≤ (e + nε) √K_k,ii Σ_j √K_k,jj |w_j|,  K_k the same matrix in every pass.
		//
		// w may be several columns, one after the other, as dst[k] then is. It ends early with the context's error.
		Images(ctx context.Context, dst [][]float64, w []float64, part, parts int) error
		// Rows is K between some of the points (rows) and all of them: rows of K(θ), to e√(K_iiK_jj), but for what K(θ)
		// was lifted by.
		Rows(rows []int) Cross
		// Error is e.
		Error() float64
	}
)

// OutOfDomain describes new points outside the domain of a family, such as points beyond the limits of its features.
type OutOfDomain struct {
	Rows     []int  // ascending; most families have none
	Handling string // what the family does with such points, as a text for users
}

// Optional, of a Kernel.
type (
	// Validated is a Kernel with numbers of its own, such as a matrix, that it judges once: Validate of the Grams
	// calls it.
	Validated interface{ Validate() error }

	// Shifted is a Kernel whose matrix may miss being positive semidefinite by more than rounding its entries
	// explains.
	Shifted interface {
		// Shift returns a δ ≥ 0 with K + δI positive semidefinite, K between all points of the kernel's own, each
		// once. Points that repeat are counted; of a kernel that takes different points for one, δ allows for that.
		// A kernel that embeds a Precomputed and has a Cross of its own has a Shift of its own.
		Shift() float64
	}
)

// Optional, of a Gram.
type (
	// Curved is all that a Hessian-vector product of J needs. A direction u of θ has length m; v
	// and w, vectors of dual coefficients, have length n.
	Curved interface {
		// Along stores (Σ_k u_k ∂K/∂θ_k) w in dst, of length n.
		Along(dst, u, w []float64)
		// Pair stores vᵀ(∂K/∂θ_k)w in dst[k], k < m. Pair(dst, w, w) is Gradient(dst, w).
		Pair(dst, v, w []float64)
		// Second stores Σ_l u_l wᵀ(∂²K/∂θ_k∂θ_l)w in dst[k], k < m.
		Second(dst, u, w []float64)
	}

	// Mixed is a Gram that moves in the plane of two others without its base matrices.
	Mixed interface {
		// Mix moves to sθ_a + tθ_b in O(n²), where a and b are Grams of the same Grams at θ_a and θ_b, of
		// which one may be the receiver, and returns false, having done nothing, for a degree above 1.
		// θ need not be ≥ 0. What rounding adds is not bounded: Accuracy then says so, until At.
		Mix(s float64, a Gram, t float64, b Gram) bool
	}

	// Quadratic is a Gram of degree 2: wᵀK(θ)w = θᵀQ(w)θ.
	Quadratic interface {
		// Form stores Q_jk = wᵀ(K_j∘K_k)w, m×m, entrywise ≥ 0.
		Form(dst *mat.SymDense, w []float64)
		// FormError bounds the spectral norm of the error of Form.
		FormError(w []float64) float64
	}

	// Blocked is a Gram of degree 1 of several matrices, each with parameters of its own, under a block norm:
	//
	//	K = Σ_i c_i K_i(θ_i),  θ = (θ_1, …, θ_M),  c_i > 0 chosen by the loss.
	Blocked interface {
		// Blocks returns where each θ_i begins in θ, and m: one number more than there are matrices.
		Blocks() []int
		// Weigh sets c, one number for each matrix: K and Gradient follow. At sets every c_i to 1.
		Weigh(c []float64)
		// Forms stores wᵀK_iw in dst[i], whatever c; w has length n.
		Forms(dst, w []float64)
		// Scaled stores, in dst of length m, the θ' at which K(θ') with c = 1 is K(θ) with the c
		// that is set: what a model predicts with.
		Scaled(dst, theta []float64)
	}

	// RankOne is a Gram of degree 1 of a Grams whose θ are square matrices P that can step without P:
	// what a Frank–Wolfe step on matrices asks for.
	RankOne interface {
		// Towards moves to (1−η)P + ηvvᵀ, where from, of the same Grams and not the receiver, is at
		// P. It costs O(n²) and not what At does.
		Towards(from Gram, v []float64, eta float64)
		// GradientNorm bounds the Frobenius norm of the rounding error of Gradient(·, w), as a matrix.
		GradientNorm(w []float64) float64
	}

	// Rooted is a Gram that may have K(θ) as a product, so that neither K nor its Cholesky factor need be formed.
	Rooted interface {
		// Root returns Φ, n×r with r < n, of which K(θ) = ΦΦᵀ. It is read-only and valid until the next At, nil where
		// K is not worth replacing at this θ.
		Root() *mat.Dense
		// Inner stores ΦᵀΦ in dst, r×r, in O(r²) but for the first time on these points; it
		// returns false, and stores nothing, where that takes the product.
		Inner(dst *mat.SymDense) bool
	}

	// Packed is a Gram that may keep half of K(θ) alone.
	Packed interface {
		// Triangle returns the upper triangle of K(θ), packed by rows: n(n+1)/2 numbers, K_ij of i ≤ j at
		// i(2n−i−1)/2 + j, the same as those of K. It is read-only and valid until the next At, nil where K is
		// not kept so at this θ.
		Triangle() []float64
	}

	// MatrixFree is a Gram that multiplies by K(θ), whose n² entries it never has at once: its K panics.
	MatrixFree interface {
		// Times stores K(θ)w in dst, of length n.
		Times(dst, w []float64)
		// Diagonal stores K(θ)_ii in dst, of length n.
		Diagonal(dst []float64)
	}

	// Accurate is a Gram that bounds the rounding of what it computes, at the current θ ≥ 0.
	Accurate interface {
		// Accuracy returns u with |K()_ij − K(θ)_ij| ≤ u√(K_iiK_jj), K(θ) of the stored base
		// matrices or features by exact arithmetic, δ ≥ 0 such that K(θ) + δI is positive
		// semidefinite, 0 where the family is by construction, and how much larger, at most, the diagonal of K(θ) is
		// than that of the matrices as they were given, before they were lifted: see the package.
		Accuracy() (entries, shift, lift float64)
		// GradientError stores in dst[k] a bound of |Gradient(·,w)_k − wᵀ(∂K/∂θ_k)w|.
		GradientError(dst, w []float64)
	}

	// Doubled is a Gram that evaluates in doubled precision what a certificate rests on.
	Doubled interface {
		// Doubled stores K(θ)w in f, of length n, and wᵀ(∂K/∂θ_k)w in v[k], k < m, of the stored
		// base matrices or features, each rounded once at the end. It returns false, and does
		// nothing, where that would take more than about half a second.
		Doubled(f, v, w []float64) bool
	}
)
