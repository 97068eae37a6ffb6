package loss

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// box is the problem in w that the losses with a bias share:
//
//	max  yᵀw − ε‖w‖₁ − ½ Σ r_i w_i² − ½ wᵀKw   over   Σ w_i = 0,  lo ≤ w ≤ hi,
//
// with lo ≤ 0 ≤ hi. In its dual, b is the bias, and the risk of point i is risk_i(y_i − (Kw)_i − b), where
//
//	risk_i(x) = hi_i (x − ε)₊ − lo_i (−x − ε)₊        for r_i = 0
//	risk_i(x) = x₊²/(2r_i), or x₋²/(2r_i)             for r_i > 0: one bound is 0, the other infinite.
//
// With f = Kw and Σw = 0, primal minus dual is a sum of one term ≥ 0 for each point:
//
//	P(w, b) − D(w) = Σ_i risk_i(x_i) − w_i x_i + ε|w_i| + ½ r_i w_i²,   x = y − f − b.
//
// The solver works on the active points, which can still move and are few near the end. It uses sequential minimal
// optimization (smo.go) and Newton steps on the free points (newton.go). If K has low rank and many points stay free,
// an interior-point method takes over (interior.go).
type box struct {
	y, lo, hi, r []float64
	eps          float64
	ridged       bool // true if r > 0, false if r = 0
	threads      int

	w, v, f []float64 // v = y − f − r∘w
	kinks   []kink

	k     kernel.Upper
	place []int   // index of each point in a K of more points, ascending; nil if K has only these points
	top   float64 // the largest K_ii + r_i
	rows  rows

	// Data of the active points act, in that order:
	act            []int
	was, from      []int // the active points before, and the indices of act among them
	cols, places   []int // the columns of K: act, or places
	starts         []int // offsets of the rows of K
	aw, av, ar     []float64
	alo, ahi       []float64
	up, low, adiag []float64 // v+up and v+low are the one-sided slopes; ∓Inf if w is at that bound
	dual           float64   // D(w) − ½wᵀKw, updated in each step
	spent          int       // iterations and steps
	limit          int
	newton         newton
	interior       interior
}

// boxes holds boxes whose storage later problems use.
var boxes = sync.Pool{New: func() any { return new(box) }}

// newBox returns a problem of n points. The caller fills its bounds.
func newBox(n int) *box {
	q := boxes.Get().(*box)
	q.lo, q.hi, q.r = resize(q.lo, n), resize(q.hi, n), resize(q.r, n)
	q.eps, q.ridged = 0, false
	clear(q.r)
	return q
}

func (q *box) release() {
	q.y, q.w, q.k, q.place, q.newton.chol.Done = nil, nil, kernel.Upper{}, nil, nil
	boxes.Put(q)
}

// project replaces w by the nearest point of lo ≤ w ≤ hi, Σw = 0. Numbers that are not finite count as 0.
func (q *box) project(w []float64) {
	for i, x := range w {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			w[i] = 0
		}
	}
	project(w, q.lo, q.hi, 0)
}

// project replaces w by the nearest point of lo ≤ w ≤ hi with Σw = sum, w_i = clip(w_i − τ). Bisection brackets τ, and
// the points that are not clipped determine it.
func project(w, lo, hi []float64, sum float64) {
	total := func(tau float64) float64 {
		s := -sum
		for i, x := range w {
			s += clip(x-tau, lo[i], hi[i])
		}
		return s
	}
	a, b := math.Inf(1), math.Inf(-1)
	out := false
	for i, x := range w {
		a, b = min(a, x), max(b, x)
		out = out || x < lo[i] || x > hi[i]
	}
	if s := total(0); !out && math.Abs(s) <= linalg.Epsilon*floats.Norm(w, 1) {
		return
	}
	for d := max(math.Abs(a), math.Abs(b), math.SmallestNonzeroFloat64); total(a) < 0 && d < math.MaxFloat64/4; d *= 2 {
		a -= d
	}
	for d := max(math.Abs(a), math.Abs(b), math.SmallestNonzeroFloat64); total(b) > 0 && d < math.MaxFloat64/4; d *= 2 {
		b += d
	}
	for range 200 {
		m := a + (b-a)/2
		if m == a || m == b {
			break
		}
		if total(m) > 0 {
			a = m
		} else {
			b = m
		}
	}
	free, n := -sum, 0.0 // the sum at the upper end, without τ for the free points, and the number of free points
	for i, x := range w {
		if x-b > lo[i] && x-b < hi[i] {
			free += x
			n++
		} else {
			free += clip(x-b, lo[i], hi[i])
		}
	}
	tau := b
	if n > 0 {
		tau = min(max(free/n, a), b)
	}
	for i, x := range w {
		w[i] = clip(x-tau, lo[i], hi[i])
	}
	spread(w, lo, hi, floats.Sum(w)-sum)
}

// spread subtracts rest from Σw, coordinate by coordinate within the bounds. If w was far outside, τ has too few
// digits.
func spread(w, lo, hi []float64, rest float64) {
	for i, x := range w {
		if rest == 0 {
			return
		}
		w[i] = clip(x-rest, lo[i], hi[i])
		rest -= x - w[i]
	}
}

func clip(x, lo, hi float64) float64 { return min(max(x, lo), hi) }

// risk returns risk_i(x) for x = y_i − f_i − b.
func (q *box) risk(i int, x float64) float64 {
	if q.ridged {
		if (x > 0) == (q.hi[i] > 0) {
			return x * x / (2 * q.r[i])
		}
		return 0
	}
	switch {
	case x > q.eps:
		return q.hi[i] * (x - q.eps)
	case x < -q.eps:
		return q.lo[i] * (x + q.eps)
	}
	return 0
}

// solve maximizes until the gap is at most tol, and fills s. It starts from s.W if that has the length of y.
func (q *box) solve(ctx context.Context, s *Solution, k *kernel.Matrix, y []float64, tol float64) error {
	n := len(y)
	q.y, q.threads, q.spent = y, s.Threads, 0
	q.limit = 20000 + 500*n
	q.read(k)
	q.top = 0
	for i := range n {
		q.top = max(q.top, q.entry(i, i)+q.r[i])
	}
	if len(s.W) != n {
		s.W = resize(s.W, n)
		clear(s.W)
	} else {
		q.project(s.W)
	}
	q.w, q.v, q.f = s.W, resize(q.v, n), resize(q.f, n)
	s.Factor, s.Block = nil, nil
	aim, best, stalled := 0.9, math.Inf(1), 0
	q.newton.reset(ctx)
	q.interior.done, q.interior.wanted, q.interior.rank = false, false, 0
	for {
		q.removeSum()
		if floats.Norm(q.w, math.Inf(1)) > 0 {
			q.times(k)
		} else {
			clear(q.f)
		}
		for i := range q.v {
			q.v[i] = y[i] - q.f[i] - q.r[i]*q.w[i]
		}
		s.kw = append(s.kw[:0], q.f...)
		q.prove(s)
		gap := s.Gap()
		if gap <= tol {
			break
		}
		if stalled++; gap < best/2 {
			best, stalled = gap, 0
		}
		if ctx.Err() != nil || q.spent >= q.limit || stalled > 6 {
			q.round(s, k, nil)
			s.Iters = q.spent
			return &Inexact{Gap: gap, Target: tol, Iterations: ctx.Err() == nil && q.spent >= q.limit, Cause: ctx.Err()}
		}
		q.dual = s.Dual()
		q.activate()
		q.run(ctx, aim*tol)
		if q.interior.wanted {
			q.interior.wanted = false
			q.interior.solve(ctx, q)
		}
		aim = max(aim/4, 1e-3)
	}
	s.Iters = q.spent
	q.round(s, k, nil)
	if s.WKW < -s.Rounding.WKW {
		return fmt.Errorf("%w: wᵀKw = %.3g", ErrNotPSD, s.WKW)
	}
	return nil
}

// read sets K to the entries of k, and makes no point active.
func (q *box) read(k *kernel.Matrix) {
	q.k, q.place = k.Upper()
	q.act = q.act[:0]
}

// entry returns K_ij for i ≤ j.
func (q *box) entry(i, j int) float64 {
	if q.place != nil {
		i, j = q.place[i], q.place[j]
	}
	return q.k.At(i, j)
}

// times stores Kw in q.f.
func (q *box) times(k *kernel.Matrix) {
	if q.place == nil || k.IsImplicit() {
		k.MulVec(q.f, q.w)
		return
	}
	if len(q.act) < len(q.w) {
		q.activateAll()
	}
	clear(q.f)
	for i, w := range q.w {
		if w != 0 {
			linalg.Axpy(w, q.row(i), q.f)
		}
	}
}

// evaluate computes the bounds that s.W proves. kw is nil or an accurate Kw.
func (q *box) evaluate(s *Solution, k *kernel.Matrix, y, kw []float64) {
	q.y, q.w, q.f = y, s.W, resize(q.f, len(y))
	if kw != nil {
		copy(q.f, kw)
	} else {
		if !k.IsImplicit() {
			q.read(k)
		}
		q.times(k)
	}
	s.kw = append(s.kw[:0], q.f...)
	s.Factor, s.Block = nil, nil
	if kw == nil {
		s.Iters = 0
	}
	q.prove(s)
	q.round(s, k, kw)
}

// prove computes the numbers of s from w and f.
func (q *box) prove(s *Solution) {
	s.Bias = q.bias()
	s.Linear, s.Quadratic, s.WKW, s.Primal = 0, 0, 0, 0
	for i, w := range q.w {
		s.Linear += q.y[i]*w - q.eps*math.Abs(w)
		s.Quadratic += q.r[i] * w * w
		s.WKW += w * q.f[i]
		s.Primal += q.risk(i, q.y[i]-q.f[i]-s.Bias)
	}
	s.Primal += s.WKW / 2
}

// removeSum subtracts Σw, which is 0 up to rounding, from the coordinate with most room.
func (q *box) removeSum() {
	sum, lost := 0.0, 0.0 // Kahan summation
	for _, w := range q.w {
		t := w - lost
		next := sum + t
		lost = (next - sum) - t
		sum = next
	}
	if sum == 0 {
		return
	}
	at, room := -1, 0.0
	for i, w := range q.w {
		if d := min(q.hi[i]-w, w-q.lo[i]); d > room {
			at, room = i, d
		}
	}
	if at >= 0 && room > math.Abs(sum) {
		q.w[at] -= sum
		return
	}
	spread(q.w, q.lo, q.hi, sum)
}

// round computes s.Rounding and s.ShiftError.
//
// The error of (Kw)_i is at most fit_i, which is the bound of magnitude or, if kw is accurate, its last digit. risk_i
// grows by at most its slope times this error.
//
// Up to rounding, Σw = 0 and w is within its bounds. A feasible vector near w has a D that is lower by at most
// (|Σw| + the rounding of Σ|w|) times the largest slope of D. This is the slope for y − f, not for y − f − b. For any
// other w, Linear is set to 0, so that w proves what α = 0 proves.
//
// If K(θ) may have an eigenvalue −δ, then J ≤ ½wᵀKw + Σ_i max_α (x_iα − ε|α| + ½δ(α − w_i)²) with x = y − f − b,
// because K + δI is positive semidefinite. With a ridge r, J exceeds the primal value by at most the maximum of
// ½δ‖α − w‖² − ½r‖α − α*‖² over feasible α, where α* = risk′.
func (q *box) round(s *Solution, matrix *kernel.Matrix, kw []float64) {
	c, shift, lift := s.magnitude(matrix)
	t := 0.0
	for i, k := range s.root {
		t += k * math.Abs(q.w[i])
	}
	sum := linalg.Gamma(len(q.w) + 4)
	var (
		lin, form   float64 // sum of the absolute terms of Linear, error of wᵀKw
		risk, paid  float64 // errors of the risks, and their sum
		total, size float64 // Σw and Σ|w|
		slope       float64 // the largest slope of D in w_i
		indefinite  float64 // Σ_i max_α (xα − ε|α| + ½δ(α − w_i)²) − risk_i(x)
		excess      float64 // ‖α* − w‖²
		given       float64 // how much the lift adds to indefinite or, with a ridge, to the risks
		ridge       = math.Inf(1)
		outside     bool
	)
	for i, w := range q.w {
		f := q.f[i]
		outside = outside || w > q.hi[i]*(1+sum) || w < q.lo[i]*(1+sum)
		fit := c * s.root[i] * t
		if kw != nil {
			fit = linalg.Epsilon * math.Abs(kw[i])
		}
		lin += math.Abs(q.y[i]*w) + q.eps*math.Abs(w)
		form += math.Abs(w) * (fit + sum*math.Abs(f))
		x := q.y[i] - f - s.Bias
		paid += q.risk(i, x)
		e := fit + linalg.Gamma(2)*(math.Abs(q.y[i])+math.Abs(f)+math.Abs(s.Bias)+q.eps)
		total += w
		size += math.Abs(w)
		slope = max(slope, math.Abs(x)+fit+q.eps+q.r[i]*math.Abs(w))
		if q.ridged {
			x = max(x, 0)
			if q.hi[i] == 0 {
				x = max(-(q.y[i] - f - s.Bias), 0)
			}
			risk += (x + e/2) * e / q.r[i]
			d := x/q.r[i] - math.Abs(w)
			excess += d * d
			ridge = min(ridge, q.r[i])
			x += e + shift*math.Abs(w)
			if left := q.r[i] - shift; lift > 0 && lift < left {
				given += x * x * lift / left / (left - lift) / 2
			} else if lift > 0 {
				given = math.Inf(1)
			}
			continue
		}
		steep := 0.0 // the largest slope of risk_i within e of x
		if x+e > q.eps {
			steep = q.hi[i]
		}
		if x-e < -q.eps {
			steep = max(steep, -q.lo[i])
		}
		risk += steep * e
		if shift+lift > 0 {
			most, without := 0.0, 0.0
			for _, a := range [...]float64{q.lo[i], 0, q.hi[i]} {
				v := x*a - q.eps*math.Abs(a) + shift*(a-w)*(a-w)/2 + math.Abs(a)*e - q.risk(i, x)
				most = max(most, v)
				without = max(without, v+lift*a*a/2)
			}
			given += without - most
			if shift > 0 {
				indefinite += most
			}
		}
	}
	off := math.Abs(total) + sum*size
	if outside || off > 1e-6*size { // D(w) is not a bound, but α = 0 is feasible
		s.Linear = 0
	}
	s.Rounding = Rounding{Linear: sum*lin + off*(slope+math.Abs(s.Bias)), Quadratic: sum * s.Quadratic, WKW: form,
		Sum: off, Known: true}
	s.Rounding.Primal = form/2 + risk + sum*paid
	s.ShiftError = given * (1 + sum)
	switch {
	case shift == 0:
	case !q.ridged:
		s.Rounding.Primal += indefinite
	case shift >= ridge/2:
		s.Rounding.Primal = math.Inf(1)
	default:
		s.Rounding.Primal += shift * ridge * excess / (2 * (ridge - shift))
	}
}
