package set

import (
	"fmt"
	"math"
	"slices"
	"sync"
)

// Ball is the part of a q-norm ball in the orthant,
//
//	Θ = {θ ∈ R^m : θ ≥ 0, ‖θ − μ₀‖_q ≤ Λ},  q ≥ 1, μ₀ ≥ 0.
//
// It is the set of Cortes et al. (q = 1, 2) and of Algorithms 1 to 3, 5 and 7 of Li et al.; for
// μ₀ = 0 and q = p that of ℓp-norm multiple kernel learning. Where it is said here that a result
// is exact, it is up to rounding in x or g.
//
// Both oracles are solved through their optimality conditions. With u = θ − μ₀ ≥ −μ₀ each
// coordinate depends on one multiplier τ ≥ 0 alone, is clipped at u_k = −μ₀_k, and τ is the
// root of a monotone scalar equation ‖u(τ)‖_q = Λ.
//
// References:
//   - C. Cortes, M. Mohri, A. Rostamizadeh, Learning non-linear combinations of kernels, NIPS 2009.
//   - C. Li, L. Venturi and R. Xu, Learning the kernel for classification and regression, 2017.
//   - M. Kloft, U. Brefeld, S. Sonnenburg, A. Zien, ℓp-norm multiple kernel learning, JMLR 2011.
type Ball struct {
	// Q is the exponent q ≥ 1 of the norm; math.Inf(1) for the largest coordinate.
	Q float64
	// Radius is Λ > 0.
	Radius float64
	// Center is μ₀ ≥ 0, of length m. If Center is nil, it is 0.
	Center []float64
}

var (
	_ Set      = Ball{}
	_ Member   = Ball{}
	_ NormBall = Ball{}
	_ Greatest = Ball{}
)

// nearlyOne and nearlyInf bound the exponents that are solved as such. For q ≤ 1 + 1e-13 the
// 1-norm ball lies inside Θ and differs from it by less than 1e-13·log m of Λ; for q ≥ 1e15 the
// cube shrunk by m^(−1/q) does, by less than 1e-15·log m.
const (
	nearlyOne = 1 + 1e-13
	nearlyInf = 1e15
)

// inside is the relative excess of a norm that is taken for rounding, so that a projection is its
// own projection.
const inside = 4e-15

// Validate names the first parameter that is out of range.
func (b Ball) Validate(m int) error {
	switch {
	case !(b.Q >= 1):
		return fmt.Errorf("set: ball with q = %g, want q ≥ 1", b.Q)
	case !positive(b.Radius):
		return fmt.Errorf("set: ball of radius %g, want a finite number > 0", b.Radius)
	case b.Center != nil && len(b.Center) != m:
		return fmt.Errorf("set: ball with a centre of length %d, want %d, the number of parameters", len(b.Center), m)
	}
	for k, c := range b.Center {
		if !(c >= 0) || math.IsInf(c, 1) {
			return fmt.Errorf("set: ball with a centre whose coordinate %d is %g, want a finite number ≥ 0", k+1, c)
		}
	}
	return atLeastOne("ball", m)
}

// c returns μ₀_k.
func (b Ball) c(k int) float64 {
	if b.Center == nil {
		return 0
	}
	return b.Center[k]
}

func (b Ball) sameLength(dst, x []float64) {
	if len(dst) != len(x) || b.Center != nil && len(b.Center) != len(x) {
		panic(badLength)
	}
}

// Start stores μ₀ + Λ/m^{1/q}·1, on the sphere, every coordinate above the centre's: where a
// coordinate of μ₀ is 0 and θ starts there, methods that use ∇F alone can stay for ever.
func (b Ball) Start(dst []float64) {
	step := b.Radius / math.Pow(float64(len(dst)), 1/b.Q)
	for k := range dst {
		dst[k] = b.c(k) + step
	}
}

// Norm returns ‖θ − μ₀‖_q, without overflow.
func (b Ball) Norm(theta []float64) float64 {
	b.sameLength(theta, theta)
	return b.norm(theta, math.Inf(-1))
}

// norm returns ‖max(floor, x) − μ₀‖_q.
func (b Ball) norm(x []float64, floor float64) float64 {
	top := 0.0
	for k, v := range x {
		top = max(top, math.Abs(max(floor, v)-b.c(k)))
	}
	if top == 0 || math.IsInf(b.Q, 1) || math.IsNaN(top) || math.IsInf(top, 1) {
		return top
	}
	total := 0.0
	for k, v := range x {
		a := math.Abs(max(floor, v)-b.c(k)) / top
		switch b.Q {
		case 1:
			total += a
		case 2:
			total += a * a
		default:
			total += math.Pow(a, b.Q)
		}
	}
	switch b.Q {
	case 1:
		return top * total
	case 2:
		return top * math.Sqrt(total)
	}
	return top * math.Pow(total, 1/b.Q)
}

// Contains reports whether θ ≥ 0 and ‖θ−μ₀‖_q ≤ Λ, up to rounding: of the norm and of the
// coordinates themselves, each stored to 2⁻⁵³ of its size.
func (b Ball) Contains(theta []float64) bool {
	b.sameLength(theta, theta)
	top := 0.0
	for _, v := range theta {
		if !(v >= 0) {
			return false
		}
		top = max(top, v)
	}
	m := float64(len(theta))
	return b.norm(theta, 0) <= b.Radius*(1+(m+64)*0x1p-52)+2*0x1p-52*top*math.Pow(m, 1/b.Q)
}

// NormBall returns q, Λ and μ₀.
func (b Ball) NormBall() (q, radius float64, center []float64) { return b.Q, b.Radius, b.Center }

// Greatest stores μ₀ + Λ1, the corner of the box that the ball is for q = ∞.
func (b Ball) Greatest(dst []float64) bool {
	if !math.IsInf(b.Q, 1) {
		return false
	}
	for k := range dst {
		dst[k] = b.c(k) + b.Radius
	}
	return true
}

// Normalize stores the radial scaling that the papers use in place of a projection,
//
//	μ₀ + Λ (z − μ₀)/‖z − μ₀‖_q,  z = max(0, x);
//
// where z = μ₀ it stores Start. It is an option of projected gradient for those who want the
// printed algorithms, and right only for q = 2: there, outside the ball and with z ≥ μ₀, it is the
// Euclidean projection. For every other q the direction z − μ₀ is not normal to the sphere, and the
// fixed points of a gradient step followed by this scaling are not minimisers of F. Where some
// z_k < μ₀_k the scaling can even leave the orthant: z = (0.05, 1.1, 1.2), μ₀ = 1, Λ = 1.5 gives
// −0.46. Start at θ ≥ μ₀, and for q ≠ 2 use Project.
//
// dst may be x. Li et al., Algorithms 2, 3, 5; Cortes et al., Algorithm 1.
func (b Ball) Normalize(dst, x []float64) {
	b.sameLength(dst, x)
	norm := b.norm(x, 0)
	if norm == 0 {
		b.Start(dst)
		return
	}
	for k, v := range x {
		dst[k] = b.c(k) + b.Radius*((max(0, v)-b.c(k))/norm)
	}
}

// arm returns how far coordinate k of x lies from the centre, |x_k − μ₀_k|, how far θ_k can go in
// that direction (down to 0 only), and whether that is upwards.
func (b Ball) arm(k int, x []float64) (length, limit float64, up bool) {
	r := x[k] - b.c(k)
	if r < 0 {
		return -r, b.c(k), false
	}
	return r, math.Inf(1), true
}

// put stores the point at distance v from the centre's coordinate k.
func (b Ball) put(dst []float64, k int, v float64, up bool) {
	if up {
		dst[k] = b.c(k) + v
	} else {
		dst[k] = max(0, b.c(k)-v)
	}
}

// Project stores the Euclidean projection of x: max(0, x) where that lies in the ball, else, with
// a = |x − μ₀| and the coordinates with x_k < μ₀_k clipped at the distance c_k = μ₀_k (the others
// at c_k = ∞),
//
//	θ = μ₀ + sgn(x − μ₀)·v,  v_k = min(c_k, s_k),  s_k + τ s_k^{q−1} = a_k,  ‖v‖_q = Λ.
//
//	q = 1   v = min(c, max(0, a−τ)): τ from the sorted break points, O(m log m).
//	q = 2   v = min(c, a/(1+τ)): ‖v‖² is piecewise linear and concave in (1+τ)^{−2}, Newton's
//	        method from below ends after finitely many steps, each O(m).
//	q = ∞   v = min(c, a, Λ).
//	else    safeguarded Newton on ‖v(τ)‖^{1−q} = Λ^{1−q}, which is linear in τ for large τ (and
//	        for q = 2), four steps in the mean, each O(m); in each, s_k by Newton's method on the
//	        logarithm of its equation, convex with slopes between 1 and q−1.
//
// dst may be x. A coordinate of x that is not finite makes every one of dst NaN.
func (b Ball) Project(dst, x []float64) {
	b.sameLength(dst, x)
	switch norm := b.norm(x, math.Inf(-1)); {
	case math.IsNaN(norm) || math.IsInf(norm, 1):
		for k := range dst {
			dst[k] = math.NaN()
		}
		return
	case b.norm(x, 0) <= b.Radius*(1+inside):
		for k, v := range x {
			dst[k] = max(0, v)
		}
		return
	}
	switch {
	case b.Q <= nearlyOne:
		b.project1(dst, x)
	case b.Q == 2:
		b.project2(dst, x)
	case b.Q >= nearlyInf:
		side := b.Radius * math.Pow(float64(len(x)), -1/b.Q)
		for k := range x {
			a, limit, up := b.arm(k, x)
			b.put(dst, k, min(a, limit, side), up)
		}
	default:
		b.projectQ(dst, x)
	}
}

// project1 is Project for q = 1 and x outside. Σ_k min(c_k, max(0, a_k−τ)) is piecewise linear
// in τ with break points a_k and a_k − c_k.
func (b Ball) project1(dst, x []float64) {
	buf := scratch.Get().(*[]float64)
	defer scratch.Put(buf)
	breaks := append((*buf)[:0], 0)
	for k := range x {
		a, limit, _ := b.arm(k, x)
		breaks = append(breaks, a)
		if limit < a {
			breaks = append(breaks, a-limit)
		}
	}
	slices.Sort(breaks)
	*buf = breaks

	sum := func(tau float64) float64 {
		total := 0.0
		for k := range x {
			a, limit, _ := b.arm(k, x)
			total += min(limit, max(0, a-tau))
		}
		return total
	}
	// breaks[hi] is the least break point with Σ ≤ Λ; the last has Σ = 0, the first, 0, Σ > Λ.
	lo, hi := 0, len(breaks)-1
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; sum(breaks[mid]) > b.Radius {
			lo = mid
		} else {
			hi = mid
		}
	}
	// Between the two, the coordinates neither 0 nor clipped grow alike: v_k = a_k − ref + σ. From
	// ref rather than from 0, so that the error is of the rounding of Λ and not of τ.
	low, ref := breaks[lo], breaks[hi]
	total, n := 0.0, 0
	free := func(a, limit float64) bool { return a >= ref && !(limit < a && a-limit > low) }
	for k := range x {
		a, limit, _ := b.arm(k, x)
		total += min(limit, max(0, a-ref))
		if free(a, limit) {
			n++
		}
	}
	sigma := 0.0
	if n > 0 {
		sigma = max(0, b.Radius-total) / float64(n)
	}
	for k := range x {
		a, limit, up := b.arm(k, x)
		v := min(limit, max(0, a-ref))
		if free(a, limit) {
			v = min(limit, a-ref+sigma)
		}
		b.put(dst, k, v, up)
	}
}

// project2 is Project for q = 2 and x outside: v = min(c, Λ·t·a/max a), where t only grows and the
// clipped coordinates with it. No square overflows.
func (b Ball) project2(dst, x []float64) {
	longest := 0.0
	for k := range x {
		a, _, _ := b.arm(k, x)
		longest = max(longest, a)
	}
	t := 0.0
	for before := -1; ; {
		rest, square, n := 1.0, 0.0, 0
		for k := range x {
			a, limit, _ := b.arm(k, x)
			if a /= longest; limit <= b.Radius*t*a {
				rest -= (limit / b.Radius) * (limit / b.Radius)
				n++
			} else {
				square += a * a
			}
		}
		if n == before || square == 0 || rest <= 0 {
			break
		}
		t, before = math.Sqrt(rest/square), n
	}
	for k := range x {
		a, limit, up := b.arm(k, x)
		b.put(dst, k, min(limit, b.Radius*t*(a/longest)), up)
	}
}

// projectQ is Project for the other q and x outside. It works with logarithms of lengths in units
// of Λ: T = log τ, y = log v, h = log ‖v‖_q, so that no power overflows.
func (b Ball) projectQ(dst, x []float64) {
	m, q := len(x), b.Q
	buf := scratch.Get().(*[]float64)
	defer scratch.Put(buf)
	y := slices.Grow((*buf)[:0], 3*m)[:3*m]
	*buf = y
	y, la, lc := y[:m], y[m:2*m], y[2*m:]
	for k := range x {
		a, limit, _ := b.arm(k, x)
		la[k], lc[k] = logRatio(a, b.Radius), logRatio(limit, b.Radius)
	}

	// at fills y for T and returns h and −dh/dT ≥ 0.
	at := func(T float64) (h, slope float64) {
		top := math.Inf(-1)
		for k := range y {
			y[k] = min(branch(la[k], T, q-1), lc[k])
			top = max(top, y[k])
		}
		total, lean := 0.0, 0.0
		for k, v := range y {
			if math.IsInf(v, -1) {
				continue
			}
			e := math.Exp(q * (v - top))
			total += e
			if v < lc[k] {
				lean += e * leaning(v, T, q-1)
			}
		}
		return top + math.Log(total)/q, lean / total
	}

	// ‖v‖_q ≤ 1 at τ = ‖a‖_{q/(q−1)}, since v_k ≤ (a_k/τ)^{1/(q−1)}.
	conj := q / (q - 1)
	hi, lo := logNorm(la, conj), math.Inf(-1)
	tol := 4e-16 * (1 + math.Abs(hi)) // the rounding of T
	T := b.firstT(la, lc)
	if !(T < hi) {
		T = hi
	}
	h, last, older := 0.0, math.Inf(1), math.Inf(1) // older: |h| two steps ago
	for range 200 {
		var slope float64
		h, slope = at(T)
		if h > 0 {
			lo = T
		} else {
			hi = T
		}
		if math.Abs(h) <= tol*(1+slope) || hi-lo <= tol {
			break
		}
		// Newton's step on ‖v‖^{−κ} in τ is τ⁺ = τ (1 + (e^{κh} − 1)/(κ·slope)). For q near 1,
		// ‖v‖ itself is all but linear, therefore κ falls from q−1 to −1. Far below the root,
		// where v = (a/τ)^{1/(q−1)}, the step on h in T.
		kappa := min(q-1, 3*q-4)
		next := T + h/slope
		if h > -30 && kappa != 0 {
			next = T + math.Log1p(math.Expm1(kappa*h)/(kappa*slope))
		}
		if !(next > lo && next < hi) || math.Abs(h) > older/2 {
			next = (lo + hi) / 2
			if math.IsInf(lo, -1) {
				next = min(2*T, T-8)
			}
		}
		if math.Abs(next-T) <= tol {
			break
		}
		T, last, older = next, math.Abs(h), last
	}
	// What is left of h is rounding, of x if not of Λ; the point lies on the sphere all the same.
	scale := math.Exp(-h)
	for k := range x {
		_, limit, up := b.arm(k, x)
		b.put(dst, k, min(limit, b.Radius*(math.Exp(y[k])*scale)), up)
	}
}

// firstT returns log τ after Newton's step from τ = 0, where v = min(c, a); +Inf if the step is
// not defined.
func (b Ball) firstT(la, lc []float64) float64 {
	q := b.Q
	top := math.Inf(-1)
	for k := range la {
		top = max(top, min(la[k], lc[k]))
	}
	total, lean := 0.0, 0.0
	for k := range la {
		if v := min(la[k], lc[k]); !math.IsInf(v, -1) {
			total += math.Exp(q * (v - top))
			if la[k] < lc[k] {
				lean += math.Exp((2*q - 2) * (v - top))
			}
		}
	}
	// −d log‖v‖/dτ = Σ v^{2q−2}/Σ v^q, the sum above over the coordinates that are not clipped.
	h := top + math.Log(total)/q
	slope := math.Log(lean/total) + (q-2)*top
	return math.Log(math.Expm1((q-1)*h)/(q-1)) - slope
}

// branch solves s + τ s^ε = a for y = log s, given log a and T = log τ:
//
//	L(y) = log(e^y + e^{εy+T}) = log a.
//
// L is convex and increasing, with slopes between 1 and ε. At min(log a, (log a − T)/ε) it exceeds
// log a by at most log 2; Newton's method from there descends to the root, in about four steps.
func branch(la, T, eps float64) float64 {
	y := min(la, (la-T)/eps)
	if math.IsInf(y, 0) {
		return y
	}
	for range 60 {
		d := T + (eps-1)*y // log of the ratio of the second term to the first
		var excess, share float64
		if d <= 0 {
			e := math.Exp(d)
			excess, share = y+math.Log1p(e)-la, 1/(1+e)
		} else {
			e := math.Exp(-d)
			excess, share = eps*y+T+math.Log1p(e)-la, e/(1+e)
		}
		next := y - excess/(share+eps*(1-share))
		if !(next < y) {
			break
		}
		y = next
	}
	return y
}

// leaning returns −dy/dT of branch at its root.
func leaning(y, T, eps float64) float64 {
	share := 1 / (1 + math.Exp(T+(eps-1)*y))
	return (1 - share) / (share + eps*(1-share))
}

// logRatio returns log(a/b), also where a/b is out of range.
func logRatio(a, b float64) float64 {
	if r := a / b; r > 1e-300 && r < 1e300 {
		return math.Log(r)
	}
	return math.Log(a) - math.Log(b)
}

// logNorm returns log (Σ e^{p·l_k})^{1/p}.
func logNorm(l []float64, p float64) float64 {
	top := slices.Max(l)
	total := 0.0
	for _, v := range l {
		total += math.Exp(p * (v - top))
	}
	return top + math.Log(total)/p
}

// Minimize returns min_Θ ⟨g,θ⟩, for every g: the coordinates with g_k < 0 rise from the centre, those
// with g_k > 0 fall, at most by c_k = μ₀_k (the others: c_k = ∞),
//
//	θ = μ₀ − sgn(g)·v,  v_k = min(c_k, (|g_k|/τ)^{1/(q−1)}),  ‖v‖_q = Λ or v = c.
//
// For q = 1 the largest |g_k| takes what it can of Λ, then the next; equal ones in their order.
// For 1 < q < ∞, ‖v‖^q is piecewise linear and concave in τ^{−q/(q−1)}: Newton's method from below
// ends after finitely many steps, each O(m), one where nothing is clipped. Then the minimum is
// ⟨g,μ₀⟩ − Λ‖g‖_{q/(q−1)}, Theorem 2.1 of Li et al.
func (b Ball) Minimize(dst, g []float64) float64 {
	b.sameLength(g, g)
	if dst != nil {
		b.sameLength(dst, g)
	}
	buf := scratch.Get().(*[]float64)
	defer scratch.Put(buf)
	v := slices.Grow((*buf)[:0], 2*len(g))[:2*len(g)]
	*buf = v
	v, work := v[:len(g)], v[len(g):]
	switch {
	case b.Q <= nearlyOne:
		b.minimize1(v, g)
	case b.Q >= nearlyInf:
		side := b.Radius * math.Pow(float64(len(g)), -1/b.Q)
		for k := range g {
			v[k] = min(b.limit(k, g), side)
			if g[k] == 0 {
				v[k] = 0
			}
		}
	default:
		b.minimizeQ(v, work, g)
	}
	total := 0.0
	for k, s := range g {
		theta := b.c(k) + v[k]
		if s > 0 {
			theta = max(0, b.c(k)-v[k])
		}
		if dst != nil {
			dst[k] = theta
		}
		total += s * theta
	}
	return total
}

// limit returns c_k of Minimize.
func (b Ball) limit(k int, g []float64) float64 {
	if g[k] > 0 {
		return b.c(k)
	}
	return math.Inf(1)
}

// minimize1 stores v for q = 1.
func (b Ball) minimize1(v, g []float64) {
	clear(v)
	rest := b.Radius
	for rest > 0 {
		best := -1 // of those with something left to take
		for k, s := range g {
			if s != 0 && v[k] < b.limit(k, g) && (best < 0 || math.Abs(s) > math.Abs(g[best])) {
				best = k
			}
		}
		if best < 0 {
			return
		}
		v[best] = min(rest, b.limit(best, g))
		rest -= v[best]
	}
}

// minimizeQ stores v for 1 < q < ∞; level has the length of v.
//
// With B = |g|^{q/(q−1)} and C = (c/Λ)^q it solves Σ min(C, t·B) = 1 and stores v = Λ min(C, t·B)^{1/q}.
// B can underflow for q near 1 and t overflow, so the logarithm of t·B is kept.
func (b Ball) minimizeQ(v, level, g []float64) {
	conj := b.Q / (b.Q - 1)
	for k := range level {
		level[k] = math.Inf(-1) // log t·B
	}
	for before := -1; ; {
		// The coordinates not clipped at this t, and the part of the sphere that they share.
		rest, top, n := 1.0, 0.0, 0
		for k, s := range g {
			if limit := b.limit(k, g); b.Radius*math.Exp(level[k]/b.Q) >= limit {
				rest -= math.Pow(limit/b.Radius, b.Q)
				n++
			} else {
				top = max(top, math.Abs(s))
			}
		}
		if n == before || top == 0 || rest <= 0 {
			break
		}
		before = n
		total := 0.0
		for k, s := range g {
			if b.Radius*math.Exp(level[k]/b.Q) < b.limit(k, g) {
				total += math.Exp(conj * math.Log(math.Abs(s)/top))
			}
		}
		for k, s := range g {
			if b.Radius*math.Exp(level[k]/b.Q) < b.limit(k, g) {
				level[k] = conj*math.Log(math.Abs(s)/top) + math.Log(rest/total)
			}
		}
	}
	for k := range v {
		v[k] = min(b.limit(k, g), b.Radius*math.Exp(level[k]/b.Q))
	}
}

// scratch holds working space of the oracles.
var scratch = sync.Pool{New: func() any { return new([]float64) }}
