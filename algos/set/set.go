// Package set is Θ, the closed convex set that θ is chosen from, with its oracles: Euclidean
// projection and linear minimisation.
package set

import (
	"fmt"
	"math"
	"slices"

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
	// Contains reports whether θ ∈ Θ, up to the rounding of θ and of Project.
	Contains(theta []float64) bool
	// Traits are the facts that are known of Θ; the zero value claims none.
	Traits() Traits
}

// Traits are facts about Θ that solvers and certificates rest on, and that package settest tests.
type Traits struct {
	Nonnegative bool // every θ ∈ Θ is ≥ 0
	Matrices    bool // every θ ∈ Θ is vec P of a matrix P = Pᵀ ⪰ 0
	// Cone says that Θ is all of θ ≥ 0, if Nonnegative, or all of P ⪰ 0, if Matrices.
	Cone bool
	// Sum, if > 0, says that Θ is all of {θ ≥ 0 : Σθ = Sum}, if Nonnegative, or all of {P ⪰ 0 : tr P = Sum}, if
	// Matrices.
	Sum float64
	// Ball, unless nil, is a ball that equals Θ.
	Ball *Ball
	// Of and Parts, if Parts > 0, say that Θ = Of × … × Of, Parts times, on parts of θ of equal lengths.
	Factor      Set
	FactorCount int
}

// Orthant reports whether Θ is {θ ≥ 0}.
func (t Traits) Orthant() bool { return t.Cone && t.Nonnegative }

// Simplex reports whether Θ is {θ ≥ 0 : Σθ = Sum}.
func (t Traits) Simplex() bool { return t.Sum > 0 && t.Nonnegative }

// Spectraplex reports whether Θ is {P ⪰ 0 : tr P = Sum}.
func (t Traits) Spectraplex() bool { return t.Sum > 0 && t.Matrices }

// Optional, of a Set.
type (
	// Residual is a Set that measures first-order optimality by itself, as an unbounded one
	// must: how far θ is from satisfying ⟨g, θ'−θ⟩ ≥ 0 for every θ' ∈ Θ, in units of ⟨g,θ⟩; 0
	// only where it does. Without it the measure is the Frank–Wolfe gap ⟨g,θ⟩ − min_Θ ⟨g,·⟩.
	Residual interface {
		Residual(theta, g []float64) float64
	}

	// Mirror is a Set with the steps of entropic mirror descent, ψ(θ) = Σ λ log λ of its entries or, of matrices, of
	// their eigenvalues. Bounds of ⟨g,θ⟩ and steps are by one decomposition each.
	Mirror interface {
		Set
		// Mirror stores argmin_Θ ⟨g,θ⟩ + ψ(θ) in dst, which may be g, and returns min_Θ ⟨g,·⟩.
		Mirror(dst, g []float64) (least float64)
		// Rate returns √(2 log n)/h, n the number of entries or eigenvalues, h half the range of those of g, and
		// min_Θ ⟨g,·⟩. Steps of rate/√t lead to a gap of the order of h·√(log n/t) times the size of Θ.
		StepScale(g []float64) (rate, least float64)
	}
)

// Resize is Θ between `to` parameters of what s is between m, where θ is a matrix between points of which some are left
// out: matrices of a fixed trace keep the mean of their diagonal. Other sets stay what they are.
func Resize(s Set, m, to int) Set {
	if t := s.Traits(); t.Spectraplex() {
		return Spectraplex{Trace: t.Sum / float64(order(m)) * float64(order(to))}
	}
	return s
}

// SupportAbs is an upper bound of max_{θ∈Θ} Σ_k e_k|θ_k| for e ≥ 0, what errors e of g can change ⟨g,θ⟩: +Inf if
// unbounded.
func SupportAbs(s Set, e []float64) float64 {
	t := s.Traits()
	switch {
	case t.Nonnegative:
		return Support(s, e)
	case t.FactorCount > 0:
		sum := 0.0
		for part := range slices.Chunk(e, len(e)/t.FactorCount) {
			sum += SupportAbs(t.Factor, part)
		}
		return sum
	case floats.Norm(e, math.Inf(1)) == 0:
		return 0
	case t.Spectraplex():
		return t.Sum * meanRowSum(e)
	case t.Matrices && t.Cone:
		return math.Inf(1)
	}
	// Of any other set, by the range of each coordinate.
	unit, sum := make([]float64, len(e)), 0.0
	for k, v := range e {
		if v == 0 {
			continue
		}
		unit[k] = 1
		up := Support(s, unit)
		unit[k] = -1
		sum += v * math.Max(up, Support(s, unit))
		unit[k] = 0
	}
	return sum
}

// meanRowSum is max_i Σ_j (e_ij + e_ji)/2. Of a P ⪰ 0 with tr P = c, Σe_ij|P_ij| is at most c times that, by
// |P_ij| ≤ (P_ii + P_jj)/2.
func meanRowSum(e []float64) (most float64) {
	n := order(len(e))
	for i := range n {
		row := 0.0
		for j := range n {
			row += (e[i*n+j] + e[j*n+i]) / 2
		}
		most = max(most, row)
	}
	return most
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

// rate is what Mirror.Rate returns for n numbers from lo to hi; numbers that differ by rounding alone count as that far
// apart, and so do very small ones, as a rate times values must not overflow.
func rate(n int, lo, hi float64) float64 {
	half := max(hi/2-lo/2, linalg.Epsilon*max(-lo, hi), 1e-200)
	return math.Sqrt(2*math.Log(float64(n))) / half
}

// positive reports whether v is a finite number > 0.
func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
