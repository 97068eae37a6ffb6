package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// affineBound is an affine function of θ that is at most weight·F(θ) for every θ ∈ Θ:
//
//	value + ⟨grad,θ⟩ − valueErr − ⟨gradErr,|θ|⟩ ≤ weight·F(θ).
//
// valueErr and the entries of gradErr bound the rounding errors of value and grad.
type affineBound struct {
	value, valueErr   float64
	grad, gradErr     []float64
	weight, weightErr float64
}

// dualAffineBound returns the bound D(α) − ½wᵀK(θ)w ≤ J(θ) of a family linear in θ, for the α of pt. ∇J has the entries
// −½wᵀK_kw. The bound shares its slices with pt; they must not be modified.
func (pt *Point) dualAffineBound() affineBound {
	r := pt.roundingBounds()
	return affineBound{value: pt.LinearTerm - pt.QuadraticTerm/2, grad: pt.GradJ(), gradErr: pt.gradientErrorBounds(),
		valueErr: r.linearErr + r.quadraticErr/2 + linalg.RoundingFactor(2)*(math.Abs(pt.LinearTerm)+pt.QuadraticTerm),
		weight:   1}
}

// cutAt returns the bound D(α) − ½wᵀK(θ)w + r(z) + ⟨v,θ−z⟩ ≤ F(θ) of a family linear in θ, for the α of pt and a
// subgradient v of the convex r at z. Its errors allow for the rounding errors of v.
func (pt *Point) cutAt(z, v []float64, regValue float64) affineBound {
	m := len(z)
	dual, b := pt.dualAffineBound(), affineBound{grad: make([]float64, m), gradErr: make([]float64, m)}
	absoluteSum, relErr := math.Abs(regValue), minimumRoundingFactor(m)
	for k, vk := range v {
		addWithError(&b.grad[k], &b.gradErr[k], 1, dual.grad[k], dual.gradErr[k])
		addWithError(&b.grad[k], &b.gradErr[k], 1, vk, relErr*math.Abs(vk))
		absoluteSum += math.Abs(vk * z[k])
	}
	addWithError(&b.weight, &b.weightErr, 1, dual.weight, dual.weightErr)
	addWithError(&b.value, &b.valueErr, 1, dual.value, dual.valueErr)
	addWithError(&b.value, &b.valueErr, 1, regValue-floats.Dot(v, z), sumRoundingFactor(m)*absoluteSum)
	return b
}

// tangent returns the bound of cutAt for z = θ, where θ is that of pt and r may be 0. The bound shares its slices with
// pt; they must not be modified.
func (pt *Point) tangent() affineBound {
	if pt.p.Reg == nil {
		return pt.dualAffineBound()
	}
	r := pt.roundingBounds()
	if r.tangent == nil {
		v := make([]float64, len(pt.Theta))
		b := pt.cutAt(pt.Theta, v, pt.p.Reg.Value(v, pt.Theta))
		r.tangent = &b
	}
	return *r.tangent
}

// add adds t·b to a, t > 0.
func (a *affineBound) add(t float64, b *affineBound) {
	addWithError(&a.value, &a.valueErr, t, b.value, b.valueErr)
	addWithError(&a.weight, &a.weightErr, t, b.weight, b.weightErr)
	for k, g := range b.grad {
		addWithError(&a.grad[k], &a.gradErr[k], t, g, b.gradErr[k])
	}
}

// addWithError adds t·term to sum, and to sumErr the error of the term and of the two operations.
func addWithError(sum, sumErr *float64, t, term, termErr float64) {
	v := t * term
	*sum += v
	*sumErr = (*sumErr + t*termErr + linalg.Epsilon*(math.Abs(v)+math.Abs(*sum))) * (1 + linalg.RoundingFactor(4))
}

// minimumErr bounds how far the computed minimum of ⟨grad,·⟩ over Θ exceeds the minimum of ⟨grad,θ⟩ − ⟨gradErr,|θ|⟩.
func (a *affineBound) minimumErr(s set.Set) float64 {
	e := make([]float64, len(a.grad))
	for k, g := range a.grad {
		e[k] = a.gradErr[k] + minimumRoundingFactor(len(e))*math.Abs(g)
	}
	return set.SupportAbs(s, e)
}

// lowerBound returns the lower bound of min F over Θ that a proves, or −Inf if the numbers overflow, and the part that
// it allows for rounding errors. minimum is the computed minimum of ⟨grad,·⟩ over Θ.
func (a *affineBound) lowerBound(s set.Set, minimum float64) (bound, rounding float64) {
	rounding = a.valueErr + a.minimumErr(s) + lastRoundingFactor()*(math.Abs(a.value)+math.Abs(minimum))
	bound = a.value + minimum - rounding
	if !(a.weight > 0) || math.IsNaN(bound) {
		return math.Inf(-1), 0
	}
	return bound / (a.weight + math.Copysign(a.weightErr, bound)), rounding / a.weight
}
