package mkl

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Level is the level bundle method, for an F with kinks. The hinge loss, for example, gives F kinks at θ with a
// singular K(θ). Every solved inner problem gives a cut ℓ_i, and the method stores the cuts:
//
//	ℓ_i(θ) = F(θ_i) + ⟨∇F(θ_i), θ−θ_i⟩ ≤ F(θ),   M_k = max_{i≤k} ℓ_i,
//	θ_{k+1} = the point of {θ ∈ Θ : M_k(θ) ≤ L + κ(U−L)} nearest to θ_k,  κ = ½,
//
// where U is the best value so far and L the best lower bound. If that set is empty, there are λ ≥ 0, Σλ = 1, with
// min_Θ Σλ_iℓ_i above the level. The mean w̄ = Σλ_iw_i is feasible because A is convex. Its dual value is at least that
// minimum, so that the certificate of w̄ raises L. A single w_i would leave a gap at a kink.
//
// F must be convex: Level needs a family linear in θ and a bounded set. U−L ≤ ε after O((D·Λ/ε)²) steps for any number
// of kernels, where D is the diameter of Θ and Λ a bound of ‖∇F‖. In practice the gap falls linearly. A step costs one
// evaluation, and about ten Newton steps for the nearest point. With k cuts, a Newton step on a simplex costs mk²
// operations, which is cheap even for hundreds of kernels. On other sets it costs m projections onto Θ and m²k
// operations, which is little compared with the evaluation if m is less than n.
//
// References:
//   - C. Lemaréchal, A. Nemirovskii and Y. Nesterov, New variants of bundle methods, Math. Program. 69
//     (1995), section 2.2.
//   - Z. Xu, R. Jin, I. King and M. Lyu, An extended level method for efficient multiple kernel
//     learning, NIPS 2008, Algorithm 1.
type Level struct {
	// Memory is the maximum number of stored cuts. To add another, Level drops a cut with multiplier 0. If there is
	// none, it merges the two cuts with the smallest multipliers. If Memory is 0, it is 100.
	Memory int
}

var _ Solver = Level{}

func (s Level) String() string {
	if s.Memory != 0 {
		return fmt.Sprintf("Level(memory=%d)", s.Memory)
	}
	return "Level"
}

// Requirements requires a convex F on a bounded set.
func (s Level) Requirements(p *Problem) (Requirements, error) {
	return Requirements{Enter: true, Inner: 1e-3}, unsuited(s,
		need(s.Memory == 0 || s.Memory >= 2, "a memory of 2 cuts or more"),
		need(isLinear(p), "a family linear in θ"),
		need(p.bounded(), "a bounded set"))
}

// Start returns the state of one run.
func (s Level) Start(p *Problem) Stepper {
	if s.Memory == 0 {
		s.Memory = 100
	}
	return &level{Level: s, judged: Point{p: p}}
}

// kappa is κ, the position of the level between the bounds: 0 is L and 1 is U.
const kappa = 0.5

// level is the state of one run.
type level struct {
	Level
	cuts   []linearization
	mu     []float64 // multipliers of the cuts
	judged Point     // the point evaluated with w̄, for its bound
	near   nearest
}

// linearization is a cut ℓ(θ) = at0 + ⟨g,θ⟩ with the dual coefficients w that it comes from.
type linearization struct {
	at0  float64
	g, w []float64
}

func (s *level) Step(it *Iterate) error {
	if inner := it.Primal - it.Dual(); it.inexact == nil && inner > 0.2*(it.Best-it.Lower) &&
		inner > it.Tol*math.Abs(it.Primal) {
		// the inner gap is a large part of the gap: solve the inner problem at this θ again, to Tol
		copy(it.Trial().Theta, it.Theta)
		return it.TryAndAccept()
	}
	s.add(it)
	t := it.Trial().Theta
	for range 20 { // each pass raises the lower bound, or finds a point
		upper := math.Min(it.Best, it.Primal+it.R)
		gap := upper - it.Lower
		if !(gap > 0) || math.IsInf(gap, 1) {
			return ErrStalled
		}
		to := it.Lower + kappa*gap
		s.near = nearest{set: it.p.Set, centre: it.Theta, cuts: s.cuts, to: to}
		s.mu = s.near.find(t, 0.1*(1-kappa)*gap)
		if !(s.near.lower > it.Lower+0.1*(to-it.Lower)) {
			break
		}
		before := it.Lower
		s.raise(it)
		if s.near.found || !(it.Lower > before+0.05*(to-before)) {
			break
		}
	}
	if floats.Equal(t, it.Theta) {
		return ErrStalled
	}
	return it.TryAndAccept()
}

// add stores the cut of it.
func (s *level) add(it *Iterate) {
	if len(s.cuts) == s.Memory {
		s.forget()
	}
	g := append([]float64(nil), it.Grad()...)
	s.cuts = append(s.cuts, linearization{it.F() - floats.Dot(g, it.Theta), g, append([]float64(nil), it.W...)})
	s.mu = append(s.mu, 0)
}

// forget drops the oldest cut with multiplier 0. If there is none, it merges the two cuts with the smallest multipliers
// into one, so that Σμ_iℓ_i and Σμ_iw_i do not change.
func (s *level) forget() {
	a, b := 0, 1 // indices of the two smallest multipliers
	if s.mu[b] < s.mu[a] {
		a, b = b, a
	}
	for i := 2; i < len(s.mu); i++ {
		switch {
		case s.mu[i] < s.mu[a]:
			a, b = i, a
		case s.mu[i] < s.mu[b]:
			b = i
		}
	}
	if total := s.mu[a] + s.mu[b]; s.mu[a] > 0 {
		into, from, f := &s.cuts[b], s.cuts[a], s.mu[a]/total
		into.at0 += f * (from.at0 - into.at0)
		for k, v := range from.g {
			into.g[k] += f * (v - into.g[k])
		}
		for i, v := range from.w {
			into.w[i] += f * (v - into.w[i])
		}
		s.mu[b] = total
	}
	s.cuts, s.mu = append(s.cuts[:a], s.cuts[a+1:]...), append(s.mu[:a], s.mu[a+1:]...)
}

// raise raises it.Lower to the bound that w̄ proves, if that is larger. The search has found the multipliers λ of w̄.
func (s *level) raise(it *Iterate) {
	w := make([]float64, len(it.W))
	for i, l := range s.near.lambda {
		floats.AddScaled(w, l*(1-0x1p-50), s.cuts[i].w) // keeps Σλ ≤ 1 despite rounding: sα is feasible for s ≤ 1
	}
	pt := &s.judged
	pt.Gram, pt.Theta, pt.Threads = it.Gram, append(pt.Theta[:0], it.Theta...), it.Threads
	pt.judge(w)
	if c, err := it.p.Certify(pt, false); err == nil {
		it.Lower = math.Max(it.Lower, c.Lower)
	}
}

// nearest finds the point nearest to c in the part of Θ where no cut is above the level "to". It maximizes the dual
//
//	max_{μ≥0} q(μ),  q(μ) = min_{θ∈Θ} ½‖θ−c‖² + Σμ_i(ℓ_i(θ) − to),  θ(μ) = P_Θ(c − Σμ_ig_i),
//
// whose gradient is h_i = ℓ_i(θ(μ)) − to, and whose Hessian is −GP'Gᵀ with the derivative P' of the projection
// (semi-smooth Newton). On sets other than simplexes, P' is computed by differences.
type nearest struct {
	found  bool      // no cut exceeds the level at the point by more than the slack of find
	lambda []float64 // λ of the best lower bound min_Θ Σλ_iℓ_i so far
	lower  float64   // that lower bound

	set    set.Set
	centre []float64
	cuts   []linearization
	to     float64
	sum    []float64 // Σλ_ig_i, length m
}

// passes is the largest number of Newton steps of one search. If it is reached, the point is still in Θ.
const passes = 50

// find stores the point in theta and returns μ. It ends if no ℓ_i(θ) exceeds the level by more than slack, or if
// Σλ_iℓ_i is above the level on all of Θ.
func (s *nearest) find(theta []float64, slack float64) (mu []float64) {
	n, m := len(s.cuts), len(theta)
	s.found, s.lower, s.sum = false, math.Inf(-1), make([]float64, m)
	s.lambda = make([]float64, n)
	mu = make([]float64, n)
	x, h, hx, d, other := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n),
		make([]float64, m)
	q, tau := s.value(mu, theta, h), 0.0 // the first point is c itself
	for range passes {
		if s.found = floats.Max(h) <= slack; s.found {
			break
		}
		ok := s.newton(x, mu, theta, h, tau)
		if s.bound(x); s.lower >= s.to {
			break
		}
		floats.SubTo(d, x, mu)
		slope, v := floats.Dot(h, d), s.value(x, other, hx)
		if !(ok && slope > 0 && v >= q+1e-4*slope) {
			if tau == 1 {
				break
			}
			tau = math.Min(1, math.Max(10*tau, 1e-3))
			continue
		}
		if tau /= 10; tau < 1e-4 {
			tau = 0
		}
		q = v
		copy(mu, x)
		copy(h, hx)
		copy(theta, other)
	}
	s.bound(mu)
	return mu
}

// shifted stores c − Σμ_ig_i in dst.
func (s *nearest) shifted(dst, mu []float64) {
	copy(dst, s.centre)
	for i, u := range mu {
		if u != 0 {
			floats.AddScaled(dst, -u, s.cuts[i].g)
		}
	}
}

// value returns q(μ). It stores θ(μ) in theta and the gradient in h.
func (s *nearest) value(mu, theta, h []float64) float64 {
	s.shifted(theta, mu)
	s.set.Project(theta, theta)
	d := floats.Distance(theta, s.centre, 2)
	for i, c := range s.cuts {
		h[i] = c.at0 + floats.Dot(c.g, theta) - s.to
	}
	return d*d/2 + floats.Dot(mu, h)
}

// bound updates the best lower bound with λ = μ/Σμ.
func (s *nearest) bound(mu []float64) {
	total, at0 := floats.Sum(mu), 0.0
	if !(total > 0) || math.IsInf(total, 1) {
		return
	}
	clear(s.sum)
	for i, u := range mu {
		floats.AddScaled(s.sum, u/total, s.cuts[i].g)
		at0 += u / total * s.cuts[i].at0
	}
	if v := at0 + s.set.Minimize(nil, s.sum); v > s.lower {
		s.lower = v
		floats.ScaleTo(s.lambda, 1/total, mu)
	}
}

// newton stores in x the maximizer over x ≥ 0 of the quadratic model of q at μ, where θ(μ) = theta and ∇q = h. The
// model uses (1−τ)P' + τI for P'. Because P' ⪯ I, the model with τ = 1 is nowhere above q. newton returns false if the
// model is not concave, as can happen at points at which the projection has no derivative.
func (s *nearest) newton(x, mu, theta, h []float64, tau float64) bool {
	n, m := len(mu), len(theta)
	g, gp, form := make([]float64, n*m), make([]float64, n*m), make([]float64, n*n)
	trace := 0.0
	for i, c := range s.cuts {
		copy(g[i*m:], c.g)
		trace += floats.Dot(c.g, c.g)
	}
	if t := s.set.Traits(); t.Simplex() {
		simplex := set.Simplex{Sum: t.Sum}
		for i, c := range s.cuts {
			row := gp[i*m : (i+1)*m]
			simplex.ProjectionDerivative(row, theta, c.g)
			for k, v := range c.g {
				row[k] = (1-tau)*row[k] + tau*v
			}
		}
	} else {
		s.differences(gp, g, mu, theta, tau)
	}
	linalg.Gemm(false, true, n, n, m, 1, gp, m, g, m, 0, form, n)
	q := mat.NewSymDense(n, nil)
	for i := range n {
		for k := i; k < n; k++ {
			q.SetSym(i, k, (form[i*n+k]+form[k*n+i])/2)
		}
		q.SetSym(i, i, q.At(i, i)+1e-13*trace) // cuts may be parallel
	}
	b := make([]float64, n)
	linalg.SymMulVec(b, q, mu)
	floats.Add(b, h)
	copy(x, mu)
	return nonnegative(x, q, b)
}

// differences stores G((1−τ)P' + τI) in gp. It computes P' by differences of m projections.
func (s *nearest) differences(gp, g, mu, theta []float64, tau float64) {
	n, m := len(mu), len(theta)
	p, v := make([]float64, m*m), make([]float64, m)
	s.shifted(v, mu)
	step := 1e-6 * floats.Norm(theta, 2)
	for k, old := range v {
		row := p[k*m : (k+1)*m]
		if tau < 1 {
			v[k] += step
			s.set.Project(row, v)
			floats.Sub(row, theta)
			floats.Scale((1-tau)/(v[k]-old), row)
			v[k] = old
		}
		row[k] += tau
	}
	linalg.Gemm(false, false, n, m, m, 1, g, m, p, m, 0, gp, m)
}

// nonnegative minimizes ½xᵀQx − bᵀx over x ≥ 0 from x, by the active set method of Lawson and Hanson (Solving least
// squares problems, 1974, chapter 23). It returns false if Q is not positive definite.
func nonnegative(x []float64, q *mat.SymDense, b []float64) bool {
	n := len(x)
	free, w := make([]bool, n), make([]float64, n)
	for i, v := range x {
		free[i] = v > 0
	}
	var c linalg.Cholesky
	scale := floats.Norm(b, math.Inf(1))
	for range 5 * n {
		for {
			var at []int
			for i, f := range free {
				if f {
					at = append(at, i)
				}
			}
			if len(at) == 0 {
				break
			}
			part, y := mat.NewSymDense(len(at), nil), make([]float64, len(at))
			for i, k := range at {
				y[i] = b[k]
				for j := i; j < len(at); j++ {
					part.SetSym(i, j, q.At(k, at[j]))
				}
			}
			if !c.Factorize(part, 0) {
				return false
			}
			c.SolveVec(y, y)
			most, out := 1.0, -1 // the longest step toward y with x ≥ 0
			for i, k := range at {
				if r := x[k] / (x[k] - y[i]); y[i] <= 0 && r <= most {
					most, out = r, k
				}
			}
			for i, k := range at {
				x[k] += most * (y[i] - x[k])
			}
			if out < 0 {
				break
			}
			x[out], free[out] = 0, false
		}
		linalg.SymMulVec(w, q, x)
		in, best := -1, 1e-12*scale
		for i, f := range free {
			if v := b[i] - w[i]; !f && v > best {
				in, best = i, v
			}
		}
		if in < 0 {
			return true
		}
		free[in] = true
	}
	return true
}
