package loss

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Squared is kernel ridge regression, also for ±1 labels:
//
//	D(α) = yᵀα − ½λ‖α‖²,  A = Rⁿ,  w = α,   J(K) = ½ yᵀ(K + λI)⁻¹y,  α = (K + λI)⁻¹y.
//
// The primal is min_f ½‖f‖²_K + (1/2λ) Σ (f(x_i) − y_i)². λ and F in the papers: Li et al. (1) weigh
// the errors by C/m, so λ = m/C; Cortes et al. write λ as here; both minimise F = 2J.
//
// A solve costs one Cholesky factorisation, n³/3, or where the Gram has a root Φ of r columns
// nr² + r³/3, or r³/3 where ΦᵀΦ is known, by (ΦΦᵀ + λI)⁻¹ = (I − Φ(ΦᵀΦ + λI)⁻¹Φᵀ)/λ with one step of iterative
// refinement. The factor is kept and serves gradient, Hessian and leave-one-out.
type Squared struct {
	Lambda float64 // λ > 0, in the units of K
}

var _ Tunable = Squared{}

// Traits returns all there are.
func (l Squared) Traits() Traits {
	return Traits{Strict: true, Smooth: true, Linear: true, Ridge: l.Lambda}
}

// Slice returns l.
func (l Squared) Slice([]int) Loss { return l }

// Constant is λ.
func (l Squared) Parameter() (string, float64) { return "λ", l.Lambda }

// WithParameter returns the loss with another λ.
func (l Squared) WithParameter(lambda float64) Loss { return Squared{Lambda: lambda} }

func (l Squared) String() string { return fmt.Sprintf("squared loss, λ=%.4g", l.Lambda) }

// Validate asks for λ > 0 and finite targets whose squares neither overflow nor vanish.
func (l Squared) Validate(y []float64) error {
	if !(l.Lambda > 0) || math.IsInf(l.Lambda, 1) {
		return fmt.Errorf("loss: squared loss has λ = %g, want a finite λ > 0", l.Lambda)
	}
	if err := finite(y); err != nil {
		return err
	}
	// J lies between ½‖y‖²/(λ + ‖K‖) and ½‖y‖²/λ
	top := floats.Norm(y, math.Inf(1))
	if top > 0 && !(top < 1e140 && top/math.Sqrt(l.Lambda) < 1e140 && top > 1e-140 &&
		top/math.Sqrt(l.Lambda) > 1e-140) {
		return fmt.Errorf("loss: targets as large as %g with λ = %g have squared errors beyond the range of numbers: "+
			"scale the targets to about 1", top, l.Lambda)
	}
	return nil
}

// finite names the first target that is not a number.
func finite(y []float64) error {
	if len(y) == 0 {
		return fmt.Errorf("loss: no targets")
	}
	for i, v := range y {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("loss: target %d is %g, want a finite number", i+1, v)
		}
	}
	return nil
}

// Solve computes α by one factorisation, whatever tol: (K + λI + E)α = y with E of the order of
// rounding in K. Where ε‖K‖/λ is not small, α may be far from the maximiser; what it proves holds
// all the same, and s.Gap() says how much that is.
func (l Squared) Solve(_ context.Context, s *Solution, g Gram, y []float64, _ float64) error {
	f, err := l.factor(s, g, len(y))
	if err != nil {
		s.W, s.Factor = resize(s.W, len(y)), nil
		clear(s.W) // feasible: A is everything
		l.Evaluate(s, g, y, nil)
		return err
	}
	s.W = resize(s.W, len(y))
	f.MulVec(s.W, y)
	l.Evaluate(s, g, y, nil)
	s.Factor, s.Iters = f, 1
	return nil
}

// factor factorises K + λI, in the storage of the Factor that s has from an earlier solve.
func (l Squared) factor(s *Solution, g Gram, n int) (Factor, error) {
	if phi, inner := root(g); phi != nil {
		f, ok := s.Factor.(*woodbury)
		if !ok {
			f = woodburies.Get().(*woodbury)
		}
		f.small.Threads = s.Threads
		return f, f.factorize(phi, inner, l.Lambda)
	}
	f, ok := s.Factor.(*cholesky)
	if !ok {
		f = choleskies.Get().(*cholesky)
	}
	f.Threads = s.Threads
	if !f.Factorize(g.K(), l.Lambda) {
		return nil, fmt.Errorf("%w: K + %.4g·I has no Cholesky factor; normalise the kernels or take a larger λ",
			ErrNotPSD, l.Lambda)
	}
	return f, nil
}

// Evaluate fills s with what s.W proves at g, without solving. With kw it leaves the Factor of s, for Correct.
func (l Squared) Evaluate(s *Solution, g Gram, y, kw []float64) {
	s.Bias, s.Block = 0, nil
	if kw != nil {
		s.kw = append(s.kw[:0], kw...)
		l.prove(s, y)
		_, shift, lift := s.magnitude(g)
		if shift >= l.Lambda/8 {
			shift = math.Min(shift, l.smallest(s, g))
		}
		l.round(s, y, shift, lift, func(i int) float64 { return linalg.Epsilon * math.Abs(kw[i]) })
		return
	}
	s.Factor, s.Iters = nil, 0
	s.kw = resize(s.kw, len(y))
	if !mulRoot(s.kw, g, s.W) {
		linalg.SymMulVec(s.kw, g.K(), s.W)
	}
	l.prove(s, y)
	c, shift, lift := s.magnitude(g)
	t := 0.0
	for i, k := range s.root {
		t += k * math.Abs(s.W[i])
	}
	l.round(s, y, shift, lift, func(i int) float64 {
		if t == 0 { // a K of unknown accuracy times 0 is 0
			return 0
		}
		return c * s.root[i] * t
	})
}

// smallest bounds −λ_min(K(θ)) by a Cholesky factor of K + ½λI, +Inf where there is none. The factor is
// that of a matrix within (n+1)ε of the trace.
func (l Squared) smallest(s *Solution, g Gram) float64 {
	k := g.K()
	c := linalg.Cholesky{Threads: s.Threads}
	if !c.Factorize(k, l.Lambda/2) {
		return math.Inf(1)
	}
	diag, _ := Diagonal(nil, g, len(s.W))
	u, _, _ := accuracy(g, diag)
	n, trace := float64(len(diag)), floats.Sum(diag)
	return l.Lambda/2 + (n+4)*linalg.Epsilon*(trace+n*l.Lambda) + u*trace
}

// prove fills the numbers of s from W and kw.
func (l Squared) prove(s *Solution, y []float64) {
	s.Linear, s.Quadratic, s.WKW = floats.Dot(y, s.W), l.Lambda*floats.Dot(s.W, s.W), floats.Dot(s.W, s.kw)
	errs := 0.0
	for i, f := range s.kw {
		errs += (f - y[i]) * (f - y[i])
	}
	s.Primal = s.WKW/2 + errs/(2*l.Lambda)
}

// round fills s.Rounding, where fit bounds the error of (Kw)_i; the rest are sums of n terms. Where
// K(θ) may have an eigenvalue −δ, δ < λ, J exceeds the primal value of w by at most ½δ‖α − w‖², and
// ‖α − w‖ ≤ ‖y − (K + λI)w‖/(λ − δ). The largest x_ia − ½λa² + ½δ(a − w_i)² + ½(lift)a² is one of a parabola.
func (l Squared) round(s *Solution, y []float64, shift, lift float64, fit func(i int) float64) {
	sum := float64(len(y)+4) * linalg.Epsilon // of n terms
	lin, form, errs, sq, res, far := 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
	for i, w := range s.W {
		f := s.kw[i]
		r, d := math.Abs(f-y[i]), fit(i)
		lin += math.Abs(y[i] * w)
		form += math.Abs(w) * (d + sum*math.Abs(f))
		d += linalg.Epsilon * r
		errs += 2*r*d + d*d
		sq += r * r
		rest := math.Abs(y[i]-f-l.Lambda*w) + d + 2*linalg.Epsilon*(math.Abs(l.Lambda*w)+math.Abs(f))
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

// Factors that were released.
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
	if inner == nil || !inner(f.gram) {
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
	// one refinement: the subtraction above loses digits where λ is small
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

// Diag is (1 − ‖U⁻ᵀφ_i‖²)/λ with UᵀU = ΦᵀΦ + λI; it is at least 1/(λ + ‖φ_i‖²), which guards the
// subtraction for points of leverage 1.
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
