// Package set is Θ, the closed convex set that θ is chosen from, with its oracles: Euclidean
// projection and linear minimisation.
package set

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// Set is a closed convex set Θ ⊂ R^m. Symmetric matrices inside θ are stored whole, both
// triangles, so that ⟨·,·⟩ of vectors is that of Frobenius and mat.NewSymDense(n, θ) is a view. It is plain data, asked
// from several goroutines at once.
type Set interface {
	// Validate says what is wrong with the set's parameters, or with them for m parameters θ.
	Validate(m int) error
	// Start stores where a run begins, every coordinate able to move: a ball's is
	// μ₀ + Λ/m^{1/q}·1, on its sphere, a simplex's its centre.
	Start(dst []float64)
	// Project stores the Euclidean projection of x. dst may be x.
	Project(dst, x []float64)
	// Minimize returns min_Θ ⟨g,θ⟩, −Inf if unbounded, and unless dst is nil stores where it
	// is attained (undefined if unbounded). dst may not be g.
	Minimize(dst, g []float64) float64
}

// Optional, of a Set.
type (
	// Member is a Set that tells membership, up to the rounding of θ and of its own Project,
	// without a projection.
	Member interface{ Contains(theta []float64) bool }

	// Residual is a Set that measures first-order optimality by itself, as an unbounded one
	// must: how far θ is from satisfying ⟨g, θ'−θ⟩ ≥ 0 for every θ' ∈ Θ, in units of ⟨g,θ⟩; 0
	// only where it does. Without it the measure is the Frank–Wolfe gap ⟨g,θ⟩ − min_Θ ⟨g,·⟩.
	Residual interface {
		Residual(theta, g []float64) float64
	}

	// Spread bounds max_{θ∈Θ} Σ_k e_k|θ_k| for e ≥ 0 from above: what errors e of g can change
	// ⟨g,θ⟩. A Set without it has θ ≥ 0, where that is Support(e).
	Spread interface{ Spread(e []float64) float64 }

	// Ranked is a Set of n×n matrices whose extreme points are vvᵀ, v ∈ R^n.
	Ranked interface {
		// Vertex returns min_Θ ⟨g,θ⟩ as Minimize does, and stores a v with vec(vvᵀ) where it is
		// attained, length n.
		Vertex(v, g []float64) float64
		// MaxTrace is max_Θ tr P, the largest ‖v‖²: |⟨E,θ⟩| ≤ MaxTrace·‖E‖_F for every E.
		MaxTrace() float64
	}

	// Mirror is a Set with the steps of entropic mirror descent, ψ(θ) = Σ λ log λ of its entries or, of matrices, of
	// their eigenvalues. Bounds of ⟨g,θ⟩ and steps are by one decomposition each.
	Mirror interface {
		Set
		// Mirror stores argmin_Θ ⟨g,θ⟩ + ψ(θ) in dst, which may be g, and returns min_Θ ⟨g,·⟩.
		Mirror(dst, g []float64) (least float64)
		// Rate returns √(2 log n)/h, n the number of entries or eigenvalues, h half the range of those of g, and
		// min_Θ ⟨g,·⟩. Steps of rate/√t lead to a gap of the order of h·√(log n/t) times the size of Θ.
		Rate(g []float64) (rate, least float64)
	}

	// Resized is a Set that depends on how many points θ is a matrix between.
	Resized interface {
		// Resize returns what the set on m parameters becomes on another number of them.
		Resize(m, to int) Set
	}

	// NormBall is a Set {θ ≥ 0, ‖θ−μ₀‖_q ≤ Λ}, on which powers of degree d ≤ q are convex in
	// (θ−μ₀)^q.
	NormBall interface {
		// NormBall returns q, Λ and μ₀, of which nil is 0.
		NormBall() (q, radius float64, center []float64)
	}

	// Sloped is a Set that knows the derivative of its projection.
	Sloped interface {
		// Slope stores P'(x)u in dst, which may be u, for an x whose projection is theta; at points where
		// the projection has kinks, that of one side.
		Slope(dst, theta, u []float64)
	}

	// Greatest is a Set of θ ≥ 0 that may have a greatest element.
	Greatest interface {
		// Greatest stores the element θ' with θ ≤ θ' for every θ ∈ Θ, unless dst is nil; it
		// returns false if there is none.
		Greatest(dst []float64) bool
	}
)

// Contains reports whether θ lies in s, up to rounding: by s itself if it is a Member, else by the
// distance from its projection, which may be 1e-11 of ‖θ‖.
func Contains(s Set, theta []float64) bool {
	if m, ok := s.(Member); ok {
		return m.Contains(theta)
	}
	p := make([]float64, len(theta))
	s.Project(p, theta)
	return floats.Distance(p, theta, 2) <= 1e-11*floats.Norm(theta, 2)
}

// SupportAbs is an upper bound of max_{θ∈Θ} Σ_k e_k|θ_k|, e ≥ 0: +Inf if unbounded.
func SupportAbs(s Set, e []float64) float64 {
	if a, ok := s.(Spread); ok {
		return a.Spread(e)
	}
	return Support(s, e)
}

// Support returns max_Θ ⟨g,θ⟩ = −min_Θ ⟨−g,θ⟩, the support function of Θ: +Inf if unbounded.
func Support(s Set, g []float64) float64 {
	neg := make([]float64, len(g))
	for i, v := range g {
		neg[i] = -v
	}
	return -s.Minimize(nil, neg)
}

const badLength = "set: lengths differ"

func sameLength(dst, x []float64) {
	if len(dst) != len(x) {
		panic(badLength)
	}
}

// atLeastOne refuses m < 1.
func atLeastOne(what string, m int) error {
	if m < 1 {
		return fmt.Errorf("set: %s of %d parameters, want at least 1", what, m)
	}
	return nil
}

// rate is that of Mirror.Rate, of n numbers from lo to hi; numbers that differ by rounding alone count as that far
// apart, and so do very small ones, as a rate times values must not overflow.
func rate(n int, lo, hi float64) float64 {
	half := max(hi/2-lo/2, linalg.Epsilon*max(-lo, hi), 1e-200)
	return math.Sqrt(2*math.Log(float64(n))) / half
}

// positive reports whether v is a finite number > 0.
func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
