package set

import (
	"math"
	"slices"
)

// deviation returns the distance |x_k − μ₀_k| of coordinate k from the center, the largest distance that θ_k ≥ 0
// permits in that direction, and whether the direction is up.
func (b Ball) deviation(k int, x []float64) (length, limit float64, up bool) {
	r := x[k] - b.c(k)
	if r < 0 {
		return -r, b.c(k), false
	}
	return r, math.Inf(1), true
}

// put stores the coordinate k at distance v from the center.
func (b Ball) put(dst []float64, k int, v float64, up bool) {
	if up {
		dst[k] = b.c(k) + v
	} else {
		dst[k] = max(0, b.c(k)-v)
	}
}

// Project stores the Euclidean projection of x. If max(0, x) lies in the ball, this is the projection. Otherwise let
// a = |x − μ₀|, and let c_k = μ₀_k for the coordinates with x_k < μ₀_k and c_k = ∞ for the others. Then
//
//	θ = μ₀ + sgn(x − μ₀)·v,  v_k = min(c_k, s_k),  s_k + τ s_k^{q−1} = a_k,  ‖v‖_q = Λ.
//
//	q = 1   v = min(c, max(0, a−τ)): τ from the sorted break points, O(m log m).
//	q = 2   v = min(c, a/(1+τ)): ‖v‖² is piecewise linear and concave in (1+τ)^{−2}, Newton's
//	        method from below ends after finitely many steps, each O(m).
//	q = ∞   v = min(c, a, Λ).
//	other   safeguarded Newton on ‖v(τ)‖^{1−q} = Λ^{1−q}, which is linear in τ for large τ (and
//	        for q = 2), four steps in the mean, each O(m); in each, s_k by Newton's method on the
//	        logarithm of its equation, convex with slopes between 1 and q−1.
//
// dst may be x. If a coordinate of x is not finite, every coordinate of dst is NaN.
func (b Ball) Project(dst, x []float64) {
	b.requireSameLength(dst, x)
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
			a, limit, up := b.deviation(k, x)
			b.put(dst, k, min(a, limit, side), up)
		}
	default:
		b.projectQ(dst, x)
	}
}

// project1 projects a point x outside the ball for q = 1. Σ_k min(c_k, max(0, a_k−τ)) is piecewise linear
// in τ with break points a_k and a_k − c_k.
func (b Ball) project1(dst, x []float64) {
	buf := scratch.Get().(*[]float64)
	defer scratch.Put(buf)
	breaks := append((*buf)[:0], 0)
	for k := range x {
		a, limit, _ := b.deviation(k, x)
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
			a, limit, _ := b.deviation(k, x)
			total += min(limit, max(0, a-tau))
		}
		return total
	}
	// The first break point is 0 and has Σ > Λ. The last one has Σ = 0. breaks[hi] becomes the least one with Σ ≤ Λ.
	lo, hi := 0, len(breaks)-1
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; sum(breaks[mid]) > b.Radius {
			lo = mid
		} else {
			hi = mid
		}
	}
	// Between the two, all coordinates that are neither 0 nor clipped grow equally: v_k = a_k − ref + σ. Because σ is
	// measured from ref and not from 0, its error has the size of the rounding of Λ, not of τ.
	low, ref := breaks[lo], breaks[hi]
	total, n := 0.0, 0
	free := func(a, limit float64) bool { return a >= ref && !(limit < a && a-limit > low) }
	for k := range x {
		a, limit, _ := b.deviation(k, x)
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
		a, limit, up := b.deviation(k, x)
		v := min(limit, max(0, a-ref))
		if free(a, limit) {
			v = min(limit, a-ref+sigma)
		}
		b.put(dst, k, v, up)
	}
}

// project2 projects a point x outside the ball for q = 2: v = min(c, Λ·t·a/max a). t and the set of clipped coordinates
// only grow. No square overflows.
func (b Ball) project2(dst, x []float64) {
	longest := 0.0
	for k := range x {
		a, _, _ := b.deviation(k, x)
		longest = max(longest, a)
	}
	t := 0.0
	for before := -1; ; {
		rest, square, n := 1.0, 0.0, 0
		for k := range x {
			a, limit, _ := b.deviation(k, x)
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
		a, limit, up := b.deviation(k, x)
		b.put(dst, k, min(limit, b.Radius*t*(a/longest)), up)
	}
}

// projectQ projects a point x outside the ball for the other q. It computes with logarithms of lengths in units of Λ,
// T = log τ, y = log v, h = log ‖v‖_q, so that no power overflows.
func (b Ball) projectQ(dst, x []float64) {
	m, q := len(x), b.Q
	buf := scratch.Get().(*[]float64)
	defer scratch.Put(buf)
	y := slices.Grow((*buf)[:0], 3*m)[:3*m]
	*buf = y
	y, la, lc := y[:m], y[m:2*m], y[2*m:]
	for k := range x {
		a, limit, _ := b.deviation(k, x)
		la[k], lc[k] = logRatio(a, b.Radius), logRatio(limit, b.Radius)
	}

	// at fills y for T and returns h and −dh/dT ≥ 0.
	at := func(T float64) (h, slope float64) {
		top := math.Inf(-1)
		for k := range y {
			y[k] = min(branch(la[k], T, q-1), lc[k])
			top = max(top, y[k])
		}
		total, fall := 0.0, 0.0
		for k, v := range y {
			if math.IsInf(v, -1) {
				continue
			}
			e := math.Exp(q * (v - top))
			total += e
			if v < lc[k] {
				fall += e * branchSlope(v, T, q-1)
			}
		}
		return top + math.Log(total)/q, fall / total
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
		// Newton's step on ‖v‖^{−κ} in τ is τ⁺ = τ (1 + (e^{κh} − 1)/(κ·slope)). For q near 1, ‖v‖ itself is nearly
		// linear; therefore κ falls from q−1 to −1. Far below the root, where v = (a/τ)^{1/(q−1)}, the step is on h in
		// T.
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
	// The remaining h is rounding, of x or of Λ. Scaling puts the point on the sphere.
	scale := math.Exp(-h)
	for k := range x {
		_, limit, up := b.deviation(k, x)
		b.put(dst, k, min(limit, b.Radius*(math.Exp(y[k])*scale)), up)
	}
}

// firstT returns log τ after Newton's step from τ = 0, at which v = min(c, a), or +Inf if the step is undefined.
func (b Ball) firstT(la, lc []float64) float64 {
	q := b.Q
	top := math.Inf(-1)
	for k := range la {
		top = max(top, min(la[k], lc[k]))
	}
	total, fall := 0.0, 0.0
	for k := range la {
		if v := min(la[k], lc[k]); !math.IsInf(v, -1) {
			total += math.Exp(q * (v - top))
			if la[k] < lc[k] {
				fall += math.Exp((2*q - 2) * (v - top))
			}
		}
	}
	// −d log‖v‖/dτ = Σ v^{2q−2}/Σ v^q, the sum above over the coordinates that are not clipped.
	h := top + math.Log(total)/q
	slope := math.Log(fall/total) + (q-2)*top
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

// branchSlope returns −dy/dT of branch at its root.
func branchSlope(y, T, eps float64) float64 {
	share := 1 / (1 + math.Exp(T+(eps-1)*y))
	return (1 - share) / (share + eps*(1-share))
}

// logRatio returns log(a/b), also if a/b overflows or underflows.
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
