package loss

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Squared is kernel ridge regression, also for ±1 labels:
//
//	D(α) = yᵀα − ½λ‖α‖²,  A = Rⁿ,  w = α,   J(K) = ½ yᵀ(K + λI)⁻¹y,  α = (K + λI)⁻¹y.
//
// The primal problem is min_f ½‖f‖²_K + (1/2λ) Σ (f(x_i) − y_i)². Li, Venturi and Xu multiply the squared errors by
// C/m, where m is the number of points, so their C is m/λ. Cortes, Mohri and Rostamizadeh use the same λ. Both papers
// minimize 2J.
//
// A solve costs one Cholesky factorization, n³/3 operations. If the Gram provides Φ with K = ΦΦᵀ and r columns, a solve
// costs nr² + r³/3 operations, or r³/3 if ΦᵀΦ is known, by (ΦΦᵀ + λI)⁻¹ = (I − Φ(ΦᵀΦ + λI)⁻¹Φᵀ)/λ with one step of
// iterative refinement. Gradient and Hessian use the same factor.
//
// References:
//   - C. Li, L. Venturi and R. Xu, Learning the kernel for classification and regression, 2017, (1).
//   - C. Cortes, M. Mohri and A. Rostamizadeh, L₂ regularization for learning kernels, UAI 2009.
type Squared struct {
	Lambda float64 // λ > 0, in the units of K
}

var _ Tunable = Squared{}

// Traits returns StrictlyConcave, Smooth, NeedsCentering and LinearInTargets with Ridge λ.
func (l Squared) Traits() Traits {
	return Traits{StrictlyConcave: true, Smooth: true, LinearInTargets: true, NeedsCentering: true, Ridge: l.Lambda}
}

// Slice returns l, because the loss has no weights for points.
func (l Squared) Slice([]int) Loss { return l }

// Parameter returns the name and the value of the regularization parameter λ.
func (l Squared) Parameter() (name string, value float64) { return "λ", l.Lambda }

// WithParameter returns the loss with another λ.
func (l Squared) WithParameter(lambda float64) Loss { return Squared{Lambda: lambda} }

func (l Squared) String() string { return fmt.Sprintf("squared loss, λ=%.4g", l.Lambda) }

// Validate requires λ from 1e-100 to 1e100, and targets as Loss.Validate states.
func (l Squared) Validate(y []float64) error {
	if !isPositive(l.Lambda) {
		return fmt.Errorf("loss: squared loss has λ = %g; use a λ from 1e-100 to 1e100", l.Lambda)
	}
	return validateFinite(y)
}

// validateFinite returns an error if y is empty or has a target that is not a number of magnitude at most 1e100.
func validateFinite(y []float64) error {
	if len(y) == 0 {
		return errors.New("loss: there are no targets; pass one for each point")
	}
	for i, v := range y {
		if !(math.Abs(v) <= 1e100) {
			return fmt.Errorf("loss: target %d is %g; use numbers of magnitude at most 1e100", i+1, v)
		}
	}
	return nil
}

// Solve computes α by one factorization. It ignores tol. The computed α satisfies (K + λI + E)α = y, where E is of the
// order of the rounding error of K. If 2⁻⁵²‖K‖/λ is not small, α may be far from the maximizer. The bounds in s hold
// nevertheless, and s.Gap() is their distance.
func (l Squared) Solve(_ context.Context, s *Solution, g Gram, y []float64, _ float64) error {
	k := g.K()
	f, err := l.factorize(s, k)
	if err != nil {
		s.W, s.Factor = linalg.Resize(s.W, len(y)), nil
		clear(s.W) // feasible, because the squared loss has no constraints on w
		l.Evaluate(s, k, y, nil)
		return err
	}
	s.W = linalg.Resize(s.W, len(y))
	f.MulVec(s.W, y)
	l.Evaluate(s, k, y, nil)
	s.Factor, s.Iters = f, 1
	return nil
}

// factorize returns the factorization of K + λI. It reuses the storage of the Factor that an earlier solve left in s.
func (l Squared) factorize(s *Solution, k *kernel.Matrix) (Factor, error) {
	if phi := k.LowRankFactor(); phi != nil {
		f, ok := s.Factor.(*woodbury)
		if !ok {
			f = woodburies.Get().(*woodbury)
		}
		f.phiGramFactor.Threads = s.Threads
		return f, f.factorize(phi, k.StoreFactorGram, l.Lambda)
	}
	f, ok := s.Factor.(*cholesky)
	if !ok {
		f = choleskies.Get().(*cholesky)
	}
	f.Threads = s.Threads
	if !f.Factorize(k.Dense(), l.Lambda) {
		return nil, fmt.Errorf("%w: K + %.4g·I has no Cholesky factor; normalize the kernels or use a larger λ",
			ErrNotPSD, l.Lambda)
	}
	return f, nil
}

// Evaluate stores in s the bounds of the optimal value J that s.W proves. If kw is nil, it sets s.Factor to nil.
func (l Squared) Evaluate(s *Solution, g Gram, y, kw []float64) {
	k := g.K()
	s.Bias, s.BlockWeights = 0, nil
	if kw != nil {
		s.kw = append(s.kw[:0], kw...)
	} else {
		s.Factor, s.Iters = nil, 0
		s.kw = linalg.Resize(s.kw, len(y))
		k.MulVec(s.kw, s.W)
	}
	l.computePrimalAndDual(s, y)
	productError, shiftToPSD, addedShift := s.boundErrorsOfKw(k, kw)
	if kw != nil && shiftToPSD >= l.Lambda/8 { // a smaller bound is worth another factorization of K
		shiftToPSD = math.Min(shiftToPSD, l.boundNegativeEigenvalue(s, k))
	}
	l.setRoundingBound(s, y, shiftToPSD, addedShift, productError)
}

// boundNegativeEigenvalue returns a δ such that K(θ) has no eigenvalue below −δ, or +Inf if it finds none. It tests
// whether K + ½λI has a Cholesky factorization, where λ is l.Lambda. If so, δ is ½λ plus a bound on the rounding errors
// of the factorization and of the entries of K.
func (l Squared) boundNegativeEigenvalue(s *Solution, k *kernel.Matrix) float64 {
	c := linalg.Cholesky{Threads: s.Threads}
	if !c.Factorize(k.Dense(), l.Lambda/2) {
		return math.Inf(1)
	}
	diag := make([]float64, k.SymmetricDim())
	k.Diagonal(diag)
	u, _, _ := boundMatrixErrors(k, diag)
	n, trace := float64(len(diag)), floats.Sum(diag)
	return l.Lambda/2 + linalg.RoundingFactor(n+4)*(trace+n*l.Lambda) + u*trace
}

// computePrimalAndDual computes the terms of the primal and the dual value of s from s.W and s.kw, the product Kw.
func (l Squared) computePrimalAndDual(s *Solution, y []float64) {
	s.LinearTerm, s.QuadraticTerm, s.WKW = floats.Dot(y, s.W), 0, floats.Dot(s.W, s.kw)
	for _, w := range s.W {
		s.QuadraticTerm += l.Lambda * w * w // w² alone may underflow
	}
	squaredErrors := 0.0
	for i, f := range s.kw {
		squaredErrors += (f - y[i]) * (f - y[i])
	}
	s.Primal = s.WKW/2 + squaredErrors/(2*l.Lambda)
}

// setRoundingBound sets s.Rounding and s.ShiftError. productError(i) bounds the error of (Kw)_i. All other errors come
// from sums of n terms.
//
// shiftToPSD is a δ ≥ 0 such that K(θ) + δI is positive semidefinite. If δ < λ, J exceeds the primal value of w by at
// most ½δ‖α − w‖², where α is the maximizer, and ‖α − w‖ ≤ ‖y − (K + λI)w‖/(λ − δ).
//
// addedShift is an ℓ that is at least the multiple of I that the family added to K(θ). ShiftError bounds its effect
// on J. If ℓI is removed, the term of point i in the primal value is at most the maximum over a of x_ia − ½λa² +
// ½δ(a − w_i)² + ½ℓa² with x_i = y_i − (Kw)_i. ShiftError bounds how much ½ℓa² increases the sum of these maxima.
func (l Squared) setRoundingBound(s *Solution, y []float64, shiftToPSD, addedShift float64,
	productError func(int) float64) {
	sumRounding := linalg.RoundingFactor(len(y) + 4) // bound on the relative rounding error of a sum of n terms
	var (
		linearSize    float64 // Σ |y_iw_i|
		formError     float64 // bound on the error of wᵀKw
		squares       float64 // Σ (f_i − y_i)², f = Kw
		squaresError  float64 // bound on the rounding error of the sum squares
		optimality2   float64 // bound on ‖y − (K + λI)w‖²
		maximizerNorm float64 // bound on Σ_i a_i², where a_i maximizes (y_i − f_i)a − ½λa² + ½δ(a − w_i)²
	)
	for i, w := range s.W {
		f := s.kw[i]
		r, d := math.Abs(f-y[i]), productError(i)
		linearSize += math.Abs(y[i] * w)
		formError += math.Abs(w) * (d + sumRounding*math.Abs(f))
		d += linalg.Epsilon * r
		squaresError += 2*r*d + d*d
		squares += r * r
		e := math.Abs(y[i]-f-l.Lambda*w) + d + linalg.RoundingFactor(2)*(math.Abs(l.Lambda*w)+math.Abs(f))
		optimality2 += e * e
		a := (r + d + shiftToPSD*math.Abs(w)) / (l.Lambda - shiftToPSD)
		maximizerNorm += a * a
	}
	s.Rounding = Rounding{LinearTerm: sumRounding * linearSize, QuadraticTerm: sumRounding * s.QuadraticTerm,
		WKW: formError, HasBounds: true}
	s.Rounding.Primal = formError/2 + (squaresError+sumRounding*squares)/(2*l.Lambda)
	s.ShiftError = 0
	if remainingLambda := l.Lambda - shiftToPSD; addedShift > 0 {
		if s.ShiftError = math.Inf(1); addedShift < remainingLambda {
			growth := remainingLambda / (remainingLambda - addedShift)
			s.ShiftError = maximizerNorm * addedShift * growth / 2 * (1 + 2*sumRounding)
		}
	}
	switch {
	case shiftToPSD >= 0.75*l.Lambda:
		s.Rounding.Primal = math.Inf(1)
	case shiftToPSD > 0:
		s.Rounding.Primal += shiftToPSD * optimality2 / (2 * (l.Lambda - shiftToPSD) * (l.Lambda - shiftToPSD))
	}
}

// cholesky implements Factor for R = (K + λI)⁻¹, by a Cholesky factorization of K + λI.
type cholesky struct{ linalg.Cholesky }

// choleskies and woodburies store released factors, whose storage later solves reuse.
var (
	choleskies = sync.Pool{New: func() any { return new(cholesky) }}
	woodburies = sync.Pool{New: func() any { return new(woodbury) }}
)

func (c *cholesky) Release() { choleskies.Put(c) }

func (f *woodbury) Release() {
	f.phi = nil
	woodburies.Put(f)
}

// MulVec stores (K + λI)⁻¹e in dst.
func (c *cholesky) MulVec(dst, e []float64) { c.SolveVec(dst, e) }

// woodbury is the Factor R = (ΦΦᵀ + λI)⁻¹. It factorizes only ΦᵀΦ + λI, r×r, where r is the number of columns of Φ.
type woodbury struct {
	phi             *mat.Dense // Φ, n×r
	lambda          float64
	phiGram         *mat.SymDense   // ΦᵀΦ
	phiGramFactor   linalg.Cholesky // factor of ΦᵀΦ + λI
	phiCoefs        []float64       // scratch storage, one number for each column of Φ
	rhs, phiProduct []float64       // scratch storage of length n
}

// factorize factorizes ΦᵀΦ + λI. storeGramMatrix stores ΦᵀΦ in dst, or returns false if ΦᵀΦ is not known.
func (f *woodbury) factorize(phi *mat.Dense, storeGramMatrix func(dst *mat.SymDense) bool, lambda float64) error {
	n, r := phi.Dims()
	f.phi, f.lambda = phi, lambda
	f.phiCoefs = linalg.Resize(f.phiCoefs, r)
	f.rhs, f.phiProduct = linalg.Resize(f.rhs, n), linalg.Resize(f.phiProduct, n)
	if f.phiGram == nil || f.phiGram.SymmetricDim() != r {
		f.phiGram = mat.NewSymDense(r, nil)
	}
	if !storeGramMatrix(f.phiGram) {
		p, g := phi.RawMatrix(), f.phiGram.RawSymmetric()
		linalg.ThreadLimit(f.phiGramFactor.Threads).Syrk(true, r, n, 1, p.Data, p.Stride, 0, g.Data, g.Stride)
	}
	if !f.phiGramFactor.Factorize(f.phiGram, lambda) {
		return fmt.Errorf("%w: ΦᵀΦ + %.4g·I has no Cholesky factor; normalize the kernels or use a larger λ", ErrNotPSD,
			lambda)
	}
	return nil
}

// applyInverseUnrefined stores (ΦΦᵀ + λI)⁻¹b = (b − Φ(ΦᵀΦ + λI)⁻¹Φᵀb)/λ in dst. dst may be b.
func (f *woodbury) applyInverseUnrefined(dst, b []float64) {
	linalg.MulVec(f.phiCoefs, true, f.phi, b)
	f.phiGramFactor.SolveVec(f.phiCoefs, f.phiCoefs)
	linalg.MulVec(f.phiProduct, false, f.phi, f.phiCoefs)
	for i, v := range b {
		dst[i] = (v - f.phiProduct[i]) / f.lambda
	}
}

// MulVec stores (ΦΦᵀ + λI)⁻¹e in dst, with one step of iterative refinement.
func (f *woodbury) MulVec(dst, e []float64) {
	copy(f.rhs, e) // a copy, because dst may be e
	f.applyInverseUnrefined(dst, f.rhs)
	// if λ is small, the subtraction b − Φ(ΦᵀΦ + λI)⁻¹Φᵀb loses digits; the refinement restores them
	linalg.MulVec(f.phiCoefs, true, f.phi, dst)
	linalg.MulVec(f.phiProduct, false, f.phi, f.phiCoefs)
	for i := range f.rhs {
		f.rhs[i] -= f.phiProduct[i] + f.lambda*dst[i]
	}
	f.applyInverseUnrefined(f.rhs, f.rhs)
	floats.Add(dst, f.rhs)
}
