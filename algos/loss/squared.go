package loss

import (
	"context"
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
// The primal is min_f ½‖f‖²_K + (1/2λ) Σ (f(x_i) − y_i)². Li et al. (1) weigh the errors by C/m, so their C is m/λ.
// Cortes et al. use the same λ. Both papers minimize F = 2J.
//
// A solve costs one Cholesky factorization, n³/3 operations. If the Gram has a root Φ with r columns, it costs nr² +
// r³/3 operations, or r³/3 if ΦᵀΦ is known, by (ΦΦᵀ + λI)⁻¹ = (I − Φ(ΦᵀΦ + λI)⁻¹Φᵀ)/λ with one step of iterative
// refinement. Gradient, Hessian and leave-one-out use the same factor.
type Squared struct {
	Lambda float64 // λ > 0, in the units of K
}

var _ Tunable = Squared{}

// Traits reports every trait.
func (l Squared) Traits() Traits {
	return Traits{Strict: true, Smooth: true, Linear: true, Ridge: l.Lambda}
}

// Slice returns l: it holds no data for points.
func (l Squared) Slice([]int) Loss { return l }

// Parameter returns λ.
func (l Squared) Parameter() (string, float64) { return "λ", l.Lambda }

// WithParameter returns the loss with another λ.
func (l Squared) WithParameter(lambda float64) Loss { return Squared{Lambda: lambda} }

func (l Squared) String() string { return fmt.Sprintf("squared loss, λ=%.4g", l.Lambda) }

// Validate requires λ > 0 and finite targets whose squares neither overflow nor vanish.
func (l Squared) Validate(y []float64) error {
	if !(l.Lambda > 0) || math.IsInf(l.Lambda, 1) {
		return fmt.Errorf("loss: squared loss has λ = %g; use a finite λ > 0", l.Lambda)
	}
	if err := finite(y); err != nil {
		return err
	}
	// J lies between ½‖y‖²/(λ + ‖K‖) and ½‖y‖²/λ
	top := floats.Norm(y, math.Inf(1))
	if top > 0 && !(top < 1e140 && top/math.Sqrt(l.Lambda) < 1e140 && top > 1e-140 &&
		top/math.Sqrt(l.Lambda) > 1e-140) {
		return fmt.Errorf("loss: targets as large as %g with λ = %g have squared errors that overflow or vanish; "+
			"scale the targets to about 1", top, l.Lambda)
	}
	return nil
}

// finite returns an error that names the first target that is not a finite number.
func finite(y []float64) error {
	if len(y) == 0 {
		return fmt.Errorf("loss: there are no targets")
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("loss: target %d is %g; use finite numbers", i+1, v)
		}
	}
	return nil
}

// Solve computes α by one factorization, for every tol: (K + λI + E)α = y with E of the order of the rounding of K. If
// ε‖K‖/λ is not small, α may be far from the maximizer. The bounds hold nevertheless, and s.Gap() is their distance.
func (l Squared) Solve(_ context.Context, s *Solution, g Gram, y []float64, _ float64) error {
	k := g.K()
	f, err := l.factor(s, k)
	if err != nil {
		s.W, s.Factor = resize(s.W, len(y)), nil
		clear(s.W) // feasible, because A = Rⁿ
		l.Evaluate(s, k, y, nil)
		return err
	}
	s.W = resize(s.W, len(y))
	f.MulVec(s.W, y)
	l.Evaluate(s, k, y, nil)
	s.Factor, s.Iters = f, 1
	return nil
}

// factor factorizes K + λI, in the storage of the Factor that an earlier solve left in s.
func (l Squared) factor(s *Solution, k *kernel.Matrix) (Factor, error) {
	if phi := k.Root(); phi != nil {
		f, ok := s.Factor.(*woodbury)
		if !ok {
			f = woodburies.Get().(*woodbury)
		}
		f.small.Threads = s.Threads
		return f, f.factorize(phi, k.Inner, l.Lambda)
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

// Evaluate computes the bounds that s.W proves, without solving. If kw is given, it keeps the Factor of s, for Refine.
func (l Squared) Evaluate(s *Solution, g Gram, y, kw []float64) {
	k := g.K()
	s.Bias, s.Block = 0, nil
	if kw != nil {
		s.kw = append(s.kw[:0], kw...)
		l.prove(s, y)
		_, shift, lift := s.magnitude(k)
		if shift >= l.Lambda/8 {
			shift = math.Min(shift, l.smallest(s, k))
		}
		l.round(s, y, shift, lift, func(i int) float64 { return linalg.Epsilon * math.Abs(kw[i]) })
		return
	}
	s.Factor, s.Iters = nil, 0
	s.kw = resize(s.kw, len(y))
	k.MulVec(s.kw, s.W)
	l.prove(s, y)
	c, shift, lift := s.magnitude(k)
	t := 0.0
	for i, k := range s.root {
		t += k * math.Abs(s.W[i])
	}
	l.round(s, y, shift, lift, func(i int) float64 {
		if t == 0 { // w = 0, so Kw = 0 also if the accuracy of K is infinite
			return 0
		}
		return c * s.root[i] * t
	})
}

// smallest returns an upper bound of −λ_min(K(θ)) from a Cholesky factorization of K + ½λI, or +Inf if it fails. The
// factor is exact for a matrix that differs by at most (n+1)ε times the trace.
func (l Squared) smallest(s *Solution, k *kernel.Matrix) float64 {
	c := linalg.Cholesky{Threads: s.Threads}
	if !c.Factorize(k.Dense(), l.Lambda/2) {
		return math.Inf(1)
	}
	diag := make([]float64, k.SymmetricDim())
	k.Diagonal(diag)
	u, _, _ := accuracy(k, diag)
	n, trace := float64(len(diag)), floats.Sum(diag)
	return l.Lambda/2 + linalg.Gamma(n+4)*(trace+n*l.Lambda) + u*trace
}

// prove computes the bounds in s from W and kw.
func (l Squared) prove(s *Solution, y []float64) {
	s.Linear, s.Quadratic, s.WKW = floats.Dot(y, s.W), l.Lambda*floats.Dot(s.W, s.W), floats.Dot(s.W, s.kw)
	errs := 0.0
	for i, f := range s.kw {
		errs += (f - y[i]) * (f - y[i])
	}
	s.Primal = s.WKW/2 + errs/(2*l.Lambda)
}

// round computes s.Rounding and s.ShiftError. fit(i) bounds the error of (Kw)_i. All other errors come from sums of n
// terms. If K(θ) may have an eigenvalue −δ with δ < λ, J exceeds the primal value of w by at most ½δ‖α − w‖², and
// ‖α − w‖ ≤ ‖y − (K + λI)w‖/(λ − δ). For each i, x_ia − ½λa² + ½δ(a − w_i)² + ½(lift)a² is a parabola in a. ShiftError
// bounds how much the last term increases the maximum over a, summed over i.
func (l Squared) round(s *Solution, y []float64, shift, lift float64, fit func(i int) float64) {
	sum := linalg.Gamma(len(y) + 4) // relative rounding of a sum of n terms
	lin, form, errs, sq, res, far := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for i, w := range s.W {
		f := s.kw[i]
		r, d := math.Abs(f-y[i]), fit(i)
		lin += math.Abs(y[i] * w)
		form += math.Abs(w) * (d + sum*math.Abs(f))
		d += linalg.Epsilon * r
		errs += 2*r*d + d*d
		sq += r * r
		rest := math.Abs(y[i]-f-l.Lambda*w) + d + linalg.Gamma(2)*(math.Abs(l.Lambda*w)+math.Abs(f))
		res += rest * rest
		r = (r + d + shift*math.Abs(w)) / (l.Lambda - shift) // the largest |a|, without the lift
		far += r * r
	}
	s.Rounding = Rounding{Linear: sum * lin, Quadratic: sum * s.Quadratic, WKW: form, Known: true}
	s.Rounding.Primal = form/2 + (errs+sum*sq)/(2*l.Lambda)
	s.ShiftError = 0
	if left := l.Lambda - shift; lift > 0 {
		if s.ShiftError = math.Inf(1); lift < left {
			s.ShiftError = far * lift * (left / (left - lift)) / 2 * (1 + 2*sum)
		}
	}
	switch {
	case shift >= 0.75*l.Lambda:
		s.Rounding.Primal = math.Inf(1)
	case shift > 0:
		s.Rounding.Primal += shift * res / (2 * (l.Lambda - shift) * (l.Lambda - shift))
	}
}

// cholesky is the Factor R = (K + λI)⁻¹.
type cholesky struct{ linalg.Cholesky }

// choleskies and woodburies hold released factors.
var (
	choleskies = sync.Pool{New: func() any { return new(cholesky) }}
	woodburies = sync.Pool{New: func() any { return new(woodbury) }}
)

func (c *cholesky) Release() { choleskies.Put(c) }

func (f *woodbury) Release() {
	f.phi = nil
	woodburies.Put(f)
}

func (c *cholesky) MulVec(dst, e []float64) { c.SolveVec(dst, e) }
func (c *cholesky) Diag(dst []float64)      { c.InverseDiag(dst) }

// woodbury is the Factor R = (ΦΦᵀ + λI)⁻¹ through the r×r matrix ΦᵀΦ + λI.
type woodbury struct {
	phi     *mat.Dense
	lambda  float64
	gram    *mat.SymDense // ΦᵀΦ
	small   linalg.Cholesky
	t       []float64 // r
	rhs, im []float64 // n
}

func (f *woodbury) factorize(phi *mat.Dense, inner func(dst *mat.SymDense) bool, lambda float64) error {
	n, r := phi.Dims()
	f.phi, f.lambda = phi, lambda
	f.t, f.rhs, f.im = resize(f.t, r), resize(f.rhs, n), resize(f.im, n)
	if f.gram == nil || f.gram.SymmetricDim() != r {
		f.gram = mat.NewSymDense(r, nil)
	}
	if !inner(f.gram) {
		p, g := phi.RawMatrix(), f.gram.RawSymmetric()
		linalg.Bound(f.small.Threads).Syrk(true, r, n, 1, p.Data, p.Stride, 0, g.Data, g.Stride)
	}
	if !f.small.Factorize(f.gram, lambda) {
		return fmt.Errorf("%w: ΦᵀΦ + %.4g·I has no Cholesky factor", ErrNotPSD, lambda)
	}
	return nil
}

// apply stores (b − Φ(ΦᵀΦ + λI)⁻¹Φᵀb)/λ.
func (f *woodbury) apply(dst, b []float64) {
	linalg.MulVec(f.t, true, f.phi, b)
	f.small.SolveVec(f.t, f.t)
	linalg.MulVec(f.im, false, f.phi, f.t)
	for i, v := range b {
		dst[i] = (v - f.im[i]) / f.lambda
	}
}

func (f *woodbury) MulVec(dst, e []float64) {
	copy(f.rhs, e) // dst may be e
	f.apply(dst, f.rhs)
	// one step of refinement: the subtraction in apply loses digits if λ is small
	linalg.MulVec(f.t, true, f.phi, dst)
	linalg.MulVec(f.im, false, f.phi, f.t)
	for i := range f.rhs {
		f.rhs[i] -= f.im[i] + f.lambda*dst[i]
	}
	linalg.MulVec(f.t, true, f.phi, f.rhs)
	f.small.SolveVec(f.t, f.t)
	linalg.MulVec(f.im, false, f.phi, f.t)
	for i := range dst {
		dst[i] += (f.rhs[i] - f.im[i]) / f.lambda
	}
}

// Diag stores (1 − ‖U⁻ᵀφ_i‖²)/λ with UᵀU = ΦᵀΦ + λI. The value is at least 1/(λ + ‖φ_i‖²); this bound corrects the
// cancellation for points of leverage 1.
func (f *woodbury) Diag(dst []float64) {
	for i := range dst {
		row := f.phi.RawRowView(i)
		f.small.SolveLower(f.t, row)
		dst[i] = math.Max((1-floats.Dot(f.t, f.t))/f.lambda, 1/(f.lambda+floats.Dot(row, row)))
	}
}

func resize[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}
