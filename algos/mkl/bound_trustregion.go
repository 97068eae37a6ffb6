package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// maxFormOrder is the largest number m of weights for which bounds may need an eigendecomposition of an m×m matrix.
const maxFormOrder = 1000

// trustRegionDual proves a larger lower bound of min F than hiddenConvexity for degree 2 on a 2-norm ball. There
// wᵀK(θ)w = θᵀQθ with an m×m matrix Q ≥ 0 entrywise. Some θ ≥ 0 therefore attains the maximum over the whole ball in
// R^m, and the condition θ ≥ 0 can be omitted. The maximization of θᵀQθ over the ball is a trust-region problem.
var trustRegionDual = boundProof{
	name:     "hidden convexity, trust-region dual",
	isCostly: true,
	appliesTo: func(p *Problem) bool {
		if !isObjectiveConvexInPowers(p) || p.Degree() != 2 {
			return false
		}
		m, _ := p.Grams.Dims()
		return p.Set.Traits().Ball.Q == 2 && m <= maxFormOrder
	},
	lowerBound: func(pt *Point) (float64, float64) {
		q, qErr, ok := pt.quadraticFormInTheta()
		if !ok {
			return 0, 0
		}
		ball := pt.p.Set.Traits().Ball
		radius, center := ball.Radius, ball.Center
		_, exponent := math.Frexp(mat.Norm(q, 1)) // scale Q, because squares of its entries may underflow
		exponent = max(exponent, -1000)
		q.ScaleSym(math.Ldexp(1, -exponent), q)
		sup, roundingErr := trustRegionMax(q, radius, center, pt.Threads)
		sup, roundingErr = math.Ldexp(sup, exponent), math.Ldexp(roundingErr, exponent)
		maxNorm := radius
		if center != nil {
			maxNorm += floats.Norm(center, 2)
		}
		return pt.dualBound(sup, roundingErr+qErr*maxNorm*maxNorm)
	},
}

// quadraticFormInTheta returns the m×m matrix Q with wᵀK(θ)w = θᵀQθ for every θ, and a bound of the spectral norm of
// its rounding error. ok is false if the Gram is not a kernel.SecondOrder of degree 2.
func (pt *Point) quadraticFormInTheta() (q *mat.SymDense, errorNorm float64, ok bool) {
	f, ok := pt.Gram.(kernel.SecondOrder)
	if !ok {
		return nil, 0, false
	}
	q = mat.NewSymDense(len(pt.Theta), nil)
	t := mat.NewSymDense(len(pt.Theta), nil)
	for w := range pt.splitColumns(pt.W) {
		errBound, ok := f.QuadraticFormInTheta(t, w)
		if !ok {
			return nil, 0, false
		}
		q.AddSym(q, t)
		errorNorm += errBound
	}
	return q, errorNorm, true
}

// trustRegionMax bounds max (μ₀+v)ᵀQ(μ₀+v), ‖v‖₂ ≤ Λ, from above by the Lagrange dual with the multiplier κ,
//
//	μ₀ᵀQμ₀ + κΛ² + bᵀ(κI − Q)⁻¹b,  b = Qμ₀,  κ > λ_max(Q),
//
// which is an upper bound for every such κ, and equal to the maximum at the root κ of ‖(κI − Q)⁻¹b‖ = Λ. upperBound is
// the dual value near this κ, and roundingErr bounds its rounding error: the computed eigendecomposition is exact for a
// matrix within 10mε‖Q‖_F of the m×m matrix Q, where ε is linalg.Epsilon.
func trustRegionMax(q *mat.SymDense, radius float64, center []float64, threads int) (upperBound, roundingErr float64) {
	spectrum := linalg.Spectral{Threads: threads}
	if !spectrum.Factorize(q, true) {
		return math.Inf(1), 0
	}
	l, u := spectrum.Values(), spectrum.Vectors()
	m := len(l)
	maxEigenvalue := math.Max(l[m-1], 0)
	b, constantTerm, absoluteSum := make([]float64, m), 0.0, 0.0 // b: UᵀQμ₀ for the center μ₀; Q = U diag(l)Uᵀ
	maxNorm := radius
	if center != nil {
		maxNorm += floats.Norm(center, 2)
		linalg.MulVec(b, true, u, center)
		for i := range b {
			constantTerm += l[i] * b[i] * b[i]
			absoluteSum += math.Abs(l[i]) * b[i] * b[i]
			b[i] *= l[i]
		}
	}
	roundingErr = 20 * linalg.RoundingFactor(m) * floats.Norm(l, 2) * maxNorm * maxNorm
	normB := floats.Norm(b, 2)
	if normB == 0 {
		return constantTerm + radius*radius*maxEigenvalue, roundingErr
	}
	solutionNorm := func(kappa float64) float64 {
		s := 0.0
		for i := range l {
			x := b[i] / (kappa - l[i])
			s += x * x
		}
		return math.Sqrt(s)
	}
	lo, hi := maxEigenvalue, maxEigenvalue+normB/radius // the root is in [lo, hi], as solutionNorm(hi) ≤ radius
	for range 200 {
		multiplier := lo + (hi-lo)/2
		if multiplier == lo || multiplier == hi {
			break
		}
		if solutionNorm(multiplier) > radius {
			lo = multiplier
		} else {
			hi = multiplier
		}
	}
	upperBound = constantTerm + hi*radius*radius
	absoluteSum += hi * radius * radius
	for i := range l {
		if b[i] != 0 {
			d := (hi - l[i]) - linalg.RoundingFactor(4)*math.Max(hi, math.Abs(l[i]))
			if !(d > 0) {
				return math.Inf(1), 0
			}
			upperBound += b[i] * b[i] / d
			absoluteSum += b[i] * b[i] / d
		}
	}
	return upperBound, roundingErr + linalg.RoundingFactor(m+32)*absoluteSum
}
