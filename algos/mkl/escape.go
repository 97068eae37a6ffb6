package mkl

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// SmallestBetaForZeroTheta returns the smallest β for which θ = 0 minimizes F = J + β‖θ‖² over θ ≥ 0, for a family
// whose K(θ) is a quadratic form in θ (degree 2):
//
//	β₀ = ½λ_max(Q),  θᵀQθ = wᵀK(θ)w,  w the dual coefficients at θ = 0.
//
// Here β₀ is the returned beta, Q is the symmetric m×m matrix for which the second equation holds for all θ, and
// λ_max(Q) is the largest eigenvalue of Q. It also returns a unit eigenvector v ≥ 0 of Q for λ_max(Q), which exists
// because Q ≥ 0 entrywise. θ = 0 is a stationary point for every β, because ∇J(0) = 0. Below β₀, F decreases along v,
// but a method that uses only gradients stays at 0. Above β₀, −½θᵀQθ + β‖θ‖² ≥ 0, and 0 is the global minimum.
//
// For loss.Squared with the targets y and Lambda = λ, w = y/λ. C. Li, L. Venturi and R. Xu minimize 2F, and their β is
// twice the β of this package. Their threshold is λ_max(Q(y))/λ², Q(y)_jk = yᵀ(K_j∘K_k)y, where K_k is the base matrix
// of θ_k. The Gram must be a kernel.SecondOrder. The computation costs O(m³) and the evaluation of F at 0.
func SmallestBetaForZeroTheta(p *Problem) (beta float64, eigenvector []float64, err error) {
	if err := p.Validate(); err != nil {
		return 0, nil, err
	}
	if p.Degree() != 2 {
		return 0, nil, fmt.Errorf("mkl: θ = 0 has no threshold β for degree %d; use a family of degree 2", p.Degree())
	}
	pt := p.NewPoint()
	if err := pt.Evaluate(nil, defaultInner/1e6); err != nil {
		return 0, nil, err
	}
	return pt.smallestBetaForZeroTheta()
}

// smallestBetaForZeroTheta returns ½λ_max(Q), θᵀQθ = wᵀK(θ)w, and a unit eigenvector v ≥ 0. pt must be evaluated at 0.
func (pt *Point) smallestBetaForZeroTheta() (beta float64, eigenvector []float64, err error) {
	q, _, ok := pt.quadraticFormInTheta()
	if !ok {
		return 0, nil, errors.New("mkl: the family has no second derivatives; use one with kernel.SecondOrder")
	}
	var e linalg.Spectral
	if !e.Factorize(q, true) {
		return 0, nil, errors.New("mkl: the quadratic form wᵀK(θ)w has no eigendecomposition; check that K is finite")
	}
	eigenvalues := e.Values()
	m := len(eigenvalues)
	eigenvector = slices.Clone(e.Vector(m - 1))
	for k := range eigenvector {
		eigenvector[k] = max(eigenvector[k], -eigenvector[k]) // |v| is an eigenvector for λ_max(Q) too, as Q ≥ 0
	}
	floats.Scale(1/floats.Norm(eigenvector, 2), eigenvector)
	return max(eigenvalues[m-1], 0) / 2, eigenvector, nil
}

// leaveZeroTheta makes a step away from θ = 0 if θ = 0 is a stationary point but not a minimum: the degree is 2, r =
// β‖θ‖² and β < SmallestBetaForZeroTheta. F then decreases along the eigenvector v that this function returns. The step
// goes to tv for the first t in T, T/2, T/4, … with F(tv) < F(0), where T = √(J(0)/β). If tv is not in Θ, its
// projection is used. leaveZeroTheta does nothing and returns false if a condition does not hold. It returns true with
// ErrStalled if it finds no such t.
func leaveZeroTheta(it *Iterate) (escaped bool, err error) {
	p := it.p
	if p.Degree() != 2 {
		return false, nil
	}
	r, ok := p.ridgeRegularizer()
	if !ok || floats.Norm(it.Theta, 1) != 0 || floats.Norm(r.C, 1) != 0 || len(it.Theta) > maxFormOrder {
		return false, nil
	}
	smallestBeta, v, err := it.smallestBetaForZeroTheta()
	if err != nil || smallestBeta <= r.A {
		return false, nil
	}
	t := it.TrialPoint()
	for stepLength := math.Sqrt(it.F() / r.A); stepLength > 0; stepLength /= 2 {
		floats.ScaleTo(t.Theta, stepLength, v)
		if !p.Set.Contains(t.Theta) {
			p.Set.Project(t.Theta, t.Theta)
		}
		if _, err := it.EvaluateTrial(); err != nil {
			return true, err
		}
		if t.F() < it.F() {
			it.AcceptTrial()
			return true, nil
		}
		if r.A*stepLength*stepLength < linalg.Epsilon*it.F() {
			break
		}
	}
	return true, ErrStalled
}
