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
// With weights v_i of points, λI is replaced by λV⁻¹, where V is diagonal with the v_i: the primal problem has the
// squared errors v_i(f(x_i) − y_i)², and D(α) = yᵀα − ½ Σ (λ/v_i)α_i². The solver factorizes V^½KV^½ + λI.
//
// A solve costs one Cholesky factorization, n³/3 operations. If the Gram provides Φ with K = ΦΦᵀ and r columns, a solve
// costs nr² + r³/3 operations, or r³/3 if ΦᵀΦ is known, by (ΦΦᵀ + λI)⁻¹ = (I − Φ(ΦᵀΦ + λI)⁻¹Φᵀ)/λ with one step of
// iterative refinement. With weights, each solve copies V^½Φ and costs nr² + r³/3 operations, because ΦᵀVΦ is not
// known. Gradient and Hessian use the same factor.
//
// References:
//   - C. Li, L. Venturi and R. Xu, Learning the kernel for classification and regression, 2017, (1).
//   - C. Cortes, M. Mohri and A. Rostamizadeh, L₂ regularization for learning kernels, UAI 2009.
type Squared struct {
	Lambda float64 // λ > 0, in the units of K

	// Weights multiply the squared errors, one number for each point; nil means 1. Slice keeps those of the points.
	Weights []float64
}

var (
	_ Tunable  = Squared{}
	_ Weighted = Squared{}
)

// Traits returns StrictlyConcave, Smooth, NeedsCentering and LinearInTargets with Ridge λ.
func (l Squared) Traits() Traits {
	return Traits{StrictlyConcave: true, Smooth: true, LinearInTargets: true, NeedsCentering: true, Ridge: l.Lambda}
}

// Slice returns the loss with the weights of the points with the given rows.
func (l Squared) Slice(rows []int) Loss {
	l.Weights = selectWeights(l.Weights, rows)
	return l
}

// PointWeights returns Weights.
func (l Squared) PointWeights() []float64 { return l.Weights }

// Parameter returns the name and the value of the regularization parameter λ.
func (l Squared) Parameter() (name string, value float64) { return "λ", l.Lambda }

// WithParameter returns the loss with another λ.
func (l Squared) WithParameter(lambda float64) Loss {
	l.Lambda = lambda
	return l
}

func (l Squared) String() string { return fmt.Sprintf("squared loss, λ=%.4g", l.Lambda) }

// Validate requires λ from 1e-100 to 1e100, weights > 0, and targets as Loss.Validate states.
func (l Squared) Validate(y []float64) error {
	if !isPositive(l.Lambda) {
		return fmt.Errorf("loss: squared loss has λ = %g; use a λ from 1e-100 to 1e100", l.Lambda)
	}
	return errors.Join(validateFinite(y), validatePointWeights(l.Weights, len(y)))
}

// ridge returns the λ/v_i of point i with the weight v_i.
func (l Squared) ridge(i int) float64 { return l.Lambda / pointWeight(l.Weights, i) }

// smallestRidge returns the smallest λ/v_i.
func (l Squared) smallestRidge() float64 {
	if l.Weights == nil {
		return l.Lambda
	}
	return l.Lambda / floats.Max(l.Weights)
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

// Solve computes α by one factorization. It ignores tol. The computed α satisfies (K + λV⁻¹ + E)α = y, where E is of
// the order of the rounding error of K. If 2⁻⁵²‖K‖/λ is not small, α may be far from the maximizer. The bounds in s
// hold nevertheless, and s.Gap() is their distance.
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

// factorize returns the factorization of K + λV⁻¹. It reuses the storage of the Factor that an earlier solve left in s.
func (l Squared) factorize(s *Solution, k *kernel.Matrix) (Factor, error) {
	var roots []float64 // √v_i; nil without weights
	oldFactor := s.Factor
	if l.Weights != nil {
		if f, ok := oldFactor.(*weightedFactor); ok {
			oldFactor = f.Factor
		}
		for _, v := range l.Weights {
			roots = append(roots, math.Sqrt(v))
		}
	}
	f, err := l.factorizeScaled(oldFactor, k, roots, s.Threads)
	switch {
	case roots == nil:
		return f, err
	case err != nil:
		return nil, fmt.Errorf("%w: V^½KV^½ + %.4g·I has no Cholesky factor, where V is diagonal with the weights of "+
			"the points, from %.4g to %.4g; normalize the kernels, use a larger λ or less unequal weights", ErrNotPSD,
			l.Lambda, floats.Min(l.Weights), floats.Max(l.Weights))
	}
	return &weightedFactor{f, roots}, nil
}

// factorizeScaled returns the factorization of DKD + λI, where D has the entries of scale; nil means that all are 1. It
// reuses the storage of oldFactor.
func (l Squared) factorizeScaled(oldFactor Factor, k *kernel.Matrix, scale []float64, threads int) (Factor, error) {
	if phi := k.LowRankFactor(); phi != nil {
		f, ok := oldFactor.(*woodbury)
		if !ok {
			f = woodburies.Get().(*woodbury)
		}
		f.phiGramFactor.Threads = threads
		if scale == nil {
			return f, f.factorize(phi, k.StoreFactorGram, l.Lambda)
		}
		phi = mat.DenseCopyOf(phi)
		for i, v := range scale {
			floats.Scale(v, phi.RawRowView(i))
		}
		return f, f.factorize(phi, func(*mat.SymDense) bool { return false }, l.Lambda)
	}
	f, ok := oldFactor.(*cholesky)
	if !ok {
		f = choleskies.Get().(*cholesky)
	}
	f.Threads = threads
	if !f.FactorizeScaled(k.Dense(), scale, l.Lambda) {
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
	if kw != nil && shiftToPSD >= l.smallestRidge()/8 { // a smaller bound is worth another factorization of K
		shiftToPSD = math.Min(shiftToPSD, l.boundNegativeEigenvalue(s, k))
	}
	l.setRoundingBound(s, y, shiftToPSD, addedShift, productError)
}

// boundNegativeEigenvalue returns a δ such that K(θ) has no eigenvalue below −δ, or +Inf if it finds none. It tests
// whether K + ½λI has a Cholesky factorization, where λ is the smallest λ/v_i. If so, δ is ½λ plus a bound on the
// rounding errors of the factorization and of the entries of K.
func (l Squared) boundNegativeEigenvalue(s *Solution, k *kernel.Matrix) float64 {
	c, lambda := linalg.Cholesky{Threads: s.Threads}, l.smallestRidge()
	if !c.Factorize(k.Dense(), lambda/2) {
		return math.Inf(1)
	}
	diag := make([]float64, k.SymmetricDim())
	k.Diagonal(diag)
	u, _, _ := boundMatrixErrors(k, diag)
	n, trace := float64(len(diag)), floats.Sum(diag)
	return lambda/2 + linalg.RoundingFactor(n+4)*(trace+n*lambda) + u*trace
}

// computePrimalAndDual computes the terms of the primal and the dual value of s from s.W and s.kw, the product Kw.
func (l Squared) computePrimalAndDual(s *Solution, y []float64) {
	s.LinearTerm, s.QuadraticTerm, s.WKW = floats.Dot(y, s.W), 0, floats.Dot(s.W, s.kw)
	for i, w := range s.W {
		s.QuadraticTerm += l.ridge(i) * w * w // w² alone may underflow
	}
	squaredErrors := 0.0
	for i, f := range s.kw {
		squaredErrors += pointWeight(l.Weights, i) * (f - y[i]) * (f - y[i])
	}
	s.Primal = s.WKW/2 + squaredErrors/(2*l.Lambda)
}

// setRoundingBound sets s.Rounding and s.ShiftError. productError(i) bounds the error of (Kw)_i. All other errors come
// from sums of n terms.
//
// shiftToPSD is a δ ≥ 0 such that K(θ) + δI is positive semidefinite. With λ_i = λ/v_i and the smallest of them, λ₀: if
// δ < λ₀, J exceeds the primal value of w by at most ½δ‖α − w‖², where α is the maximizer, and
// ‖α − w‖ ≤ ‖y − (K + λV⁻¹)w‖/(λ₀ − δ).
//
// addedShift is an ℓ that is at least the multiple of I that the family added to K(θ). ShiftError bounds its effect
// on J. If ℓI is removed, the term of point i in the primal value is at most the maximum over a of x_ia − ½λ_ia² +
// ½δ(a − w_i)² + ½ℓa² with x_i = y_i − (Kw)_i. ShiftError bounds how much ½ℓa² increases the sum of these maxima.
func (l Squared) setRoundingBound(s *Solution, y []float64, shiftToPSD, addedShift float64,
	productError func(int) float64) {
	weightRoundings, smallestRidge := 0, l.smallestRidge()
	if l.Weights != nil {
		weightRoundings = 2 // λ/v_i, and the product with it or with v_i
	}
	// bound on the relative rounding error of a sum of n terms
	sumRounding := linalg.RoundingFactor(len(y) + 4 + weightRoundings)
	var (
		linearSize    float64 // Σ |y_iw_i|
		formError     float64 // bound on the error of wᵀKw
		squares       float64 // Σ v_i(f_i − y_i)², f = Kw
		squaresError  float64 // bound on the rounding error of the sum squares
		optimality2   float64 // bound on ‖y − (K + λV⁻¹)w‖²
		maximizerNorm float64 // bound on Σ_i a_i², where a_i maximizes (y_i − f_i)a − ½λ_ia² + ½δ(a − w_i)²
	)
	for i, w := range s.W {
		f, v, ridge := s.kw[i], pointWeight(l.Weights, i), l.ridge(i)
		r, d := math.Abs(f-y[i]), productError(i)
		linearSize += math.Abs(y[i] * w)
		formError += math.Abs(w) * (d + sumRounding*math.Abs(f))
		d += linalg.Epsilon * r
		squaresError += v * (2*r*d + d*d)
		squares += v * r * r
		e := math.Abs(y[i]-f-ridge*w) + d + linalg.RoundingFactor(2+weightRoundings)*(math.Abs(ridge*w)+math.Abs(f))
		optimality2 += e * e
		a := (r + d + shiftToPSD*math.Abs(w)) / (ridge - shiftToPSD)
		maximizerNorm += a * a
	}
	s.Rounding = Rounding{LinearTerm: sumRounding * linearSize, QuadraticTerm: sumRounding * s.QuadraticTerm,
		WKW: formError, HasBounds: true}
	s.Rounding.Primal = formError/2 + (squaresError+sumRounding*squares)/(2*l.Lambda)
	s.ShiftError = 0
	if remainingLambda := smallestRidge - shiftToPSD; addedShift > 0 {
		if s.ShiftError = math.Inf(1); addedShift < remainingLambda {
			growth := remainingLambda / (remainingLambda - addedShift)
			s.ShiftError = maximizerNorm * addedShift * growth / 2 * (1 + 2*sumRounding)
		}
	}
	switch {
	case shiftToPSD >= 0.75*smallestRidge:
		s.Rounding.Primal = math.Inf(1)
	case shiftToPSD > 0:
		difference := smallestRidge - shiftToPSD
		s.Rounding.Primal += shiftToPSD * optimality2 / (2 * difference * difference)
	}
}

// weightedFactor is the Factor R = (K + λV⁻¹)⁻¹ = V^½(V^½KV^½ + λI)⁻¹V^½. Its Factor is the inverse on the right.
type weightedFactor struct {
	Factor
	roots []float64 // the diagonal of V^½
}

// MulVec stores (K + λV⁻¹)⁻¹e in dst.
func (f *weightedFactor) MulVec(dst, e []float64) {
	floats.MulTo(dst, e, f.roots)
	f.Factor.MulVec(dst, dst)
	floats.Mul(dst, f.roots)
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
