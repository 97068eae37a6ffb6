package kernel

import (
	"fmt"

	"gonum.org/v1/gonum/mat"
)

// Points are n points of one kind: dense rows, sparse rows, places in a precomputed matrix.
// They are read-only once a Family is bound to them.
type Points interface {
	Len() int
	// Slice returns the points of the given rows, in that order; rows may repeat.
	Slice(rows []int) Points
	// Validate names the first entry that is not a finite number, by row and column.
	Validate() error
}

// Family is θ ↦ k_θ, not yet bound to points. It is plain data: with points, θ, w and b it is a
// saved model.
type Family interface {
	// On binds the family to x and fits to it what it fits (scales, centring). What is wrong
	// with x or with the family, Validate of the result says; On itself does not fail.
	On(x Points) Grams
}

// Grams is θ ↦ K(θ) on n fixed points. It is read-only after On: any number of runs share it.
type Grams interface {
	// Dims returns the number m of parameters and the number n of points.
	Dims() (m, n int)
	// Label names parameter k for people: the base kernel or the feature that θ_k weighs.
	Label(k int) string
	// New returns an unevaluated Gram. It is cheap, so that a solver can ask what it can do.
	New() Gram
}

// Gram is K(θ) at one θ, with what its derivatives need (S of a power, distances). It belongs to
// one run.
type Gram interface {
	// At moves to θ, of length m. The Gram may alias theta: leave it alone until the next At.
	At(theta []float64)
	// K is K(θ), n×n, read-only, valid until the next At.
	K() *mat.SymDense
	// Gradient stores wᵀ(∂K/∂θ_k)w in dst[k]; w has length n, dst length m.
	Gradient(dst, w []float64)
}

// Kernel is one base kernel; families are built of them. Its parameters are exported fields:
// RBF{Gamma: 0.5}.
type Kernel interface {
	fmt.Stringer
	// Check says what is wrong with the kernel's own parameters, or that x is not the kind of
	// points it takes.
	Check(x Points) error
	// Cross stores k(z_i, x_j) in dst, which is z.Len()×x.Len().
	Cross(dst *mat.Dense, z, x Points)
}

// Cross is K(θ) between l new points (rows) and the n fixed ones (columns).
type Cross interface {
	// Gram stores K(θ) in dst, l×n.
	Gram(dst *mat.Dense, theta []float64)
}

// Optional, of a Grams.
type (
	// Graded says that every entry of K is a polynomial in θ of degree at most Degree whose
	// coefficients are positive semidefinite matrices. Degree 1 is linear: J is convex.
	Graded interface{ Degree() int }

	// Validated reports bad points, parameters or matrices before any work. It judges once;
	// slices inherit the verdict.
	Validated interface{ Validate() error }

	// Crossed meets new points; what was fitted stays the fit of the fixed points.
	Crossed interface{ Cross(z Points) Cross }

	// Sliced is cross-validation without copies of what can be shared.
	Sliced interface {
		// Slice equals On(x[rows]): what is fitted is fitted again, to these rows alone.
		Slice(rows []int) Grams
		// Block is K between x[rows] and x[cols], fitted on cols.
		Block(rows, cols []int) Cross
	}
)

// Optional, of a Gram.
type (
	// Curved is all that a Hessian-vector product of J needs.
	Curved interface {
		Along(dst, u, w []float64)  // dst = (Σ_k u_k ∂K/∂θ_k) w, length n
		Pair(dst, v, w []float64)   // dst[k] = vᵀ(∂K/∂θ_k)w, length m
		Second(dst, u, w []float64) // dst[k] = Σ_l u_l wᵀ(∂²K/∂θ_k∂θ_l)w, length m
	}

	// Quadratic is a Gram of degree 2: wᵀK(θ)w = θᵀQ(w)θ.
	Quadratic interface {
		// Form stores Q_jk = wᵀ(K_j∘K_k)w, m×m, entrywise ≥ 0.
		Form(dst *mat.SymDense, w []float64)
	}

	// Rooted is a Gram that can be K(θ) = ΦΦᵀ with fewer columns than rows, so that neither K
	// nor its Cholesky factor need be formed.
	Rooted interface {
		// Root returns Φ, n×r with r < n, read-only and valid until the next At, or nil where
		// K is not worth replacing at this θ.
		Root() *mat.Dense
	}

	// Pooled is a Gram whose storage serves the next New of its Grams.
	Pooled interface {
		// Release gives it back. Nobody may use the Gram, or a matrix of it, any more.
		Release()
	}
)
