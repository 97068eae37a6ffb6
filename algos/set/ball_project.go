package set

import (
	"math"
	"slices"
)

// deviation returns the distance |x_k − μ₀_k| of coordinate k from the center, the largest distance that θ_k ≥ 0
// permits in the direction from the center to x_k, and whether x_k ≥ μ₀_k.
func (b Ball) deviation(k int, x []float64) (length, limit float64, isAbove bool) {
	r := x[k] - b.centerAt(k)
	if r < 0 {
		return -r, b.centerAt(k), false
	}
	return r, math.Inf(1), true
}

// storeCoordinate sets dst[k] to μ₀_k + v if isAbove is true, and otherwise to μ₀_k − v, but at least 0.
func (b Ball) storeCoordinate(dst []float64, k int, v float64, isAbove bool) {
	if isAbove {
		dst[k] = b.centerAt(k) + v
	} else {
		dst[k] = max(0, b.centerAt(k)-v)
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
//	other   bisection of log τ, about 60 steps, each O(m); each step computes s_k by Newton's method
//	        on the logarithm of its equation, which is convex with slopes from 1 to q−1.
//
// dst may be x. If a coordinate of x is not finite, every coordinate of dst is NaN.
func (b Ball) Project(dst, x []float64) {
	b.requireSameLength(dst, x)
	switch norm := b.clippedNorm(x, math.Inf(-1)); {
	case math.IsNaN(norm) || math.IsInf(norm, 1):
		for k := range dst {
			dst[k] = math.NaN()
		}
		return
	case b.clippedNorm(x, 0) <= b.Radius*(1+normTolerance):
		for k, v := range x {
			dst[k] = max(0, v)
		}
		return
	}
	switch {
	case b.Q <= maxOneQ:
		b.project1(dst, x)
	case b.Q == 2:
		b.project2(dst, x)
	default:
		b.projectQ(dst, x)
	}
}

// project1 projects a point x outside the ball for q = 1. Σ_k min(c_k, max(0, a_k−τ)) is piecewise linear
// in τ with break points a_k and a_k − c_k.
func (b Ball) project1(dst, x []float64) {
	buf := scratchPool.Get().(*[]float64)
	defer scratchPool.Put(buf)
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
	// sum is > Λ at the first break point, which is 0, and 0 at the last one. breaks[hi] becomes the smallest break
	// point with sum ≤ Λ.
	lo, hi := 0, len(breaks)-1
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; sum(breaks[mid]) > b.Radius {
			lo = mid
		} else {
			hi = mid
		}
	}
	// For τ = ref − σ between breaks[lo] and ref = breaks[hi], every v_k that is neither 0 nor clipped is a_k − ref +
	// σ. σ is computed, and not τ, so that its error has the size of the rounding of Λ, not of τ.
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
		a, limit, isAbove := b.deviation(k, x)
		v := min(limit, max(0, a-ref))
		if free(a, limit) {
			v = min(limit, a-ref+sigma)
		}
		b.storeCoordinate(dst, k, v, isAbove)
	}
}

// project2 projects a point x outside the ball for q = 2: v = min(c, Λ·t·a/max a). During the iteration t only
// increases, and clipped coordinates remain clipped. No square overflows.
func (b Ball) project2(dst, x []float64) {
	longest := 0.0
	for k := range x {
		a, _, _ := b.deviation(k, x)
		longest = max(longest, a)
	}
	t := 0.0
	for oldClipped := -1; ; {
		remaining, square, clipped := 1.0, 0.0, 0
		for k := range x {
			a, limit, _ := b.deviation(k, x)
			if a /= longest; limit <= b.Radius*t*a {
				remaining -= (limit / b.Radius) * (limit / b.Radius)
				clipped++
			} else {
				square += a * a
			}
		}
		if clipped == oldClipped || square == 0 || remaining <= 0 {
			break
		}
		t, oldClipped = math.Sqrt(remaining/square), clipped
	}
	for k := range x {
		a, limit, isAbove := b.deviation(k, x)
		b.storeCoordinate(dst, k, min(limit, b.Radius*t*(a/longest)), isAbove)
	}
}

// projectQ projects a point x outside the ball for q > 1 except q = 2. v and τ are defined at Project. With
// lengths in units of Λ, it computes with the logarithms T = log τ, y = log v, h = log ‖v‖_q, so that no power
// overflows. la and lc are log a and log c.
func (b Ball) projectQ(dst, x []float64) {
	m, q := len(x), b.Q
	buf := scratchPool.Get().(*[]float64)
	defer scratchPool.Put(buf)
	y := slices.Grow((*buf)[:0], 3*m)[:3*m]
	*buf = y
	y, la, lc := y[:m], y[m:2*m], y[2*m:]
	for k := range x {
		a, limit, _ := b.deviation(k, x)
		la[k], lc[k] = logRatio(a, b.Radius), logRatio(limit, b.Radius)
	}
	// normAt computes y for T, and returns h.
	normAt := func(T float64) float64 {
		for k := range y {
			y[k] = min(solveBranch(la[k], T, q-1), lc[k])
		}
		return logNorm(y, q)
	}
	hi := logNorm(la, q/(q-1)) // ‖v‖_q ≤ 1 at τ = ‖a‖_{q/(q−1)}, since v_k ≤ (a_k/τ)^{1/(q−1)}
	lo := hi - 1
	for width := 1.0; width < 1<<20 && normAt(lo) <= 0; width *= 2 {
		lo -= width
	}
	for T := lo + (hi-lo)/2; lo < T && T < hi; T = lo + (hi-lo)/2 {
		if normAt(T) > 0 {
			lo = T
		} else {
			hi = T
		}
	}
	// The remaining h is the rounding error of x or of Λ. Multiplication of v by e^{−h} moves the point onto the
	// sphere.
	scale := math.Exp(-normAt(lo))
	for k := range x {
		_, limit, isAbove := b.deviation(k, x)
		b.storeCoordinate(dst, k, min(limit, b.Radius*(math.Exp(y[k])*scale)), isAbove)
	}
}

// solveBranch solves s + τ s^ε = a for y = log s, given log a and T = log τ:
//
//	L(y) = log(e^y + e^{εy+T}) = log a.
//
// L is convex and increasing, with slopes between 1 and ε. At min(log a, (log a − T)/ε) it exceeds
// log a by at most log 2; Newton's method from there descends to the root, in about four steps.
func solveBranch(la, T, eps float64) float64 {
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

// logRatio returns log(a/b), also if a/b overflows or underflows.
func logRatio(a, b float64) float64 {
	if r := a / b; r > 1e-300 && r < 1e300 {
		return math.Log(r)
	}
	return math.Log(a) - math.Log(b)
}

// logNorm returns log (Σ e^{p·l_k})^{1/p}.
func logNorm(l []float64, p float64) float64 {
	largest := slices.Max(l)
	total := 0.0
	for _, v := range l {
		total += math.Exp(p * (v - largest))
	}
	return largest + math.Log(total)/p
}
