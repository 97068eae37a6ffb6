package set

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// Set is a closed convex set Θ ⊂ R^m. A symmetric matrix in θ is stored with both triangles: the inner product of
// vectors is then the Frobenius inner product, and mat.NewSymDense(n, θ) is a view of the matrix. A Set is plain data,
// and several goroutines may call its methods at once.
type Set interface {
	// Validate returns an error if a field is invalid or does not suit m parameters θ.
	Validate(m int) error
	// Start stores the point of Θ at which a run begins. Its coordinates are equal if Θ has such a point, because the
	// rule mkl.Uniform uses them as weights. From there every coordinate can change within Θ: no θ_k is at a bound.
	// Ball starts on its sphere, at the center plus equal numbers; Simplex starts at its center.
	Start(dst []float64)
	// Project stores the Euclidean projection of x. dst may be x.
	Project(dst, x []float64)
	// Minimize returns min_Θ ⟨g,θ⟩, or −Inf if it is unbounded. If dst is not nil, Minimize stores a minimizer in it;
	// the contents of dst are undefined if the minimum is −Inf. dst may not be g.
	Minimize(dst, g []float64) (minimum float64)
	// Contains reports whether θ ∈ Θ, up to the rounding of θ and of Project.
	Contains(theta []float64) bool
	// Traits returns facts about Θ. The zero value of Traits states no fact.
	Traits() Traits
}

// Traits are facts about Θ. Solvers and certificates use them, and package settest tests them.
type Traits struct {
	Nonnegative  bool // every θ ∈ Θ is ≥ 0
	Semidefinite bool // every θ ∈ Θ is vec P of a matrix P = Pᵀ ⪰ 0
	// IsCone reports that Θ = {θ ≥ 0} if Nonnegative, or Θ = {P ⪰ 0} if Semidefinite.
	IsCone bool
	// Sum, if > 0, reports that Θ = {θ ≥ 0 : Σθ = Sum} if Nonnegative, or Θ = {P ⪰ 0 : tr P = Sum} if Semidefinite.
	Sum float64
	// Ball, if not nil, is a ball that equals Θ.
	Ball *Ball
	// Factor and FactorCount, if FactorCount > 0, report that Θ = Factor × … × Factor, FactorCount times, on parts of θ
	// of equal lengths.
	Factor      Set
	FactorCount int
}

// IsOrthant reports whether Θ is {θ ≥ 0}.
func (t Traits) IsOrthant() bool { return t.IsCone && t.Nonnegative }

// IsSimplex reports whether Θ is {θ ≥ 0 : Σθ = Sum}.
func (t Traits) IsSimplex() bool { return t.Sum > 0 && t.Nonnegative }

// IsSpectraplex reports whether Θ is {P ⪰ 0 : tr P = Sum}.
func (t Traits) IsSpectraplex() bool { return t.Sum > 0 && t.Semidefinite }

// A Set may implement these interfaces too.
type (
	// Residual is a Set with a special measure of first-order optimality, which an unbounded set needs. The residual
	// measures the violation of ⟨g, θ'−θ⟩ ≥ 0 for all θ' ∈ Θ, in units of ⟨g,θ⟩. It is 0 only if no θ' violates the
	// condition. For other sets the measure is the Frank–Wolfe gap ⟨g,θ⟩ − min_Θ ⟨g,·⟩.
	Residual interface {
		Residual(theta, g []float64) float64
	}

	// Mirror is a Set with steps of entropic mirror descent. The entropy ψ(θ) = Σ λ log λ is a sum over the entries λ
	// of θ or, if θ is a matrix, over its eigenvalues λ. For matrices each method costs one eigendecomposition.
	Mirror interface {
		Set
		// Mirror stores argmin_Θ ⟨g,θ⟩ + ψ(θ) in dst, which may be g. It returns min_Θ ⟨g,θ⟩, without the entropy ψ.
		Mirror(dst, g []float64) (minimum float64)
		// StepScale returns the scale √(2 log n)/h for n entries or eigenvalues of g, with h half of their range, and
		// min_Θ ⟨g,·⟩. Steps scale/√t, t = 1, 2, …, lead to a suboptimality of order h·√(log n/t) times the size of Θ.
		StepScale(g []float64) (scale, minimum float64)
	}
)

// SupportAbs returns an upper bound of max_{θ∈Θ} Σ_k e_k|θ_k| for weights e ≥ 0, or +Inf if there is none. If g_k has
// an error of at most e_k, ⟨g,θ⟩ has an error of at most this bound, for every θ ∈ Θ.
func SupportAbs(s Set, weights []float64) float64 {
	t := s.Traits()
	switch {
	case t.Nonnegative:
		return Support(s, weights)
	case t.FactorCount > 0:
		boundSum := 0.0
		for part := range slices.Chunk(weights, len(weights)/t.FactorCount) {
			boundSum += SupportAbs(t.Factor, part)
		}
		return boundSum
	case floats.Norm(weights, math.Inf(1)) == 0:
		return 0
	case t.IsSpectraplex():
		return t.Sum * min(largestRowSum(weights), floats.Norm(weights, 2)*(1+linalg.RoundingFactor(len(weights))))
	case t.Semidefinite && t.IsCone:
		return math.Inf(1)
	}
	// Any other set: |θ_k| is at most the larger of max_Θ θ_k and max_Θ −θ_k.
	unitVector, boundSum := make([]float64, len(weights)), 0.0
	for k, v := range weights {
		if v == 0 {
			continue
		}
		unitVector[k] = 1
		maxThetaK := Support(s, unitVector)
		unitVector[k] = -1
		boundSum += v * math.Max(maxThetaK, Support(s, unitVector))
		unitVector[k] = 0
	}
	return boundSum
}

// largestRowSum returns max_i Σ_j (e_ij + e_ji)/2 for a matrix of weights e_ij. If P ⪰ 0 and tr P = c, then Σe_ij|P_ij|
// is at most c times this maximum, because |P_ij| ≤ (P_ii + P_jj)/2.
func largestRowSum(weightMatrix []float64) (largestSum float64) {
	n := matrixOrder(len(weightMatrix))
	for i := range n {
		rowSum := 0.0
		for j := range n {
			rowSum += (weightMatrix[i*n+j] + weightMatrix[j*n+i]) / 2
		}
		largestSum = max(largestSum, rowSum)
	}
	return largestSum
}

// Support returns the support function max_Θ ⟨g,θ⟩ = −min_Θ ⟨−g,θ⟩, or +Inf if it is unbounded.
func Support(s Set, g []float64) float64 {
	negatedG := make([]float64, len(g))
	for i, v := range g {
		negatedG[i] = -v
	}
	return -s.Minimize(nil, negatedG)
}

const badLength = "set: the slices have different lengths"

func requireSameLength(dst, x []float64) {
	if len(dst) != len(x) {
		panic(badLength)
	}
}

// requirePositiveCount returns an error that names the set if m < 1.
func requirePositiveCount(name string, m int) error {
	if m < 1 {
		return fmt.Errorf("set: the %s has %d parameters; it needs at least 1", name, m)
	}
	return nil
}

// mirrorStepScale returns the factor for steps of mirror descent, √(2 log n) divided by half of the range, if the n
// entries or eigenvalues of g range from minValue to maxValue. Half the range counts as at least max(ε·max(−minValue,
// maxValue), 1e-200), ε = linalg.Epsilon, so that the scale times an entry of g does not overflow.
func mirrorStepScale(n int, minValue, maxValue float64) float64 {
	halfRange := max(maxValue/2-minValue/2, linalg.Epsilon*max(-minValue, maxValue), 1e-200)
	return math.Sqrt(2*math.Log(float64(n))) / halfRange
}

// isPositive reports whether v is a finite number > 0.
func isPositive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
