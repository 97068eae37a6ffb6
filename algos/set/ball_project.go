package set

import (
	"math"
	"slices"
)

// distanceFromCenter returns the distance |x_k − μ₀_k| of coordinate k from the center μ₀ and whether x_k ≥ μ₀_k.
// distanceLimit is the largest distance of a θ_k ≥ 0 on the side of x_k: +Inf above the center, μ₀_k below.
func (b Ball) distanceFromCenter(k int, x []float64) (distance, distanceLimit float64, isAboveCenter bool) {
	r := x[k] - b.centerAt(k)
	if r < 0 {
		return -r, b.centerAt(k), false
	}
	return r, math.Inf(1), true
}

// storeCoordinate sets dst[k] to μ₀_k + distance if isAboveCenter is true, and otherwise to max(0, μ₀_k − distance).
func (b Ball) storeCoordinate(dst []float64, k int, distance float64, isAboveCenter bool) {
	if isAboveCenter {
		dst[k] = b.centerAt(k) + distance
	} else {
		dst[k] = max(0, b.centerAt(k)-distance)
	}
}

// Project stores the Euclidean projection of x. If max(0, x) lies in the ball, this is the projection. Otherwise let
// a = |x − μ₀|, and let c_k = μ₀_k for the coordinates with x_k < μ₀_k and c_k = ∞ for the others. Then
//
//	θ = μ₀ + sgn(x − μ₀)·v,  v_k = min(c_k, s_k),  s_k + τ s_k^{q−1} = a_k,  ‖v‖_q = Λ.
//
//	q = 1   v = min(c, max(0, a−τ)): τ from the sorted break points, O(m log m).
//	q = 2   v = min(c, a/(1+τ)): ‖v‖² is piecewise linear and concave in (1+τ)^{−2}, so Newton's
//	        method, from below the root, ends after finitely many steps, each O(m).
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
		b.projectL1(dst, x)
	case b.Q == 2:
		b.projectL2(dst, x)
	default:
		b.projectLq(dst, x)
	}
}

// projectL1 projects a point x outside the ball with q = 1, radius Λ and center μ₀. Let a_k = |x_k − μ₀_k|. Let c_k be
// the largest distance of θ_k ≥ 0 from μ₀_k on the side of x_k: μ₀_k if x_k < μ₀_k, otherwise ∞. projectL1 solves Σ_k
// min(c_k, max(0, a_k−τ)) = Λ for τ. The sum is piecewise linear in τ with break points a_k and a_k − c_k.
func (b Ball) projectL1(dst, x []float64) {
	buffer := scratchPool.Get().(*[]float64)
	defer scratchPool.Put(buffer)
	breakPoints := append((*buffer)[:0], 0)
	for k := range x {
		a, distanceLimit, _ := b.distanceFromCenter(k, x)
		breakPoints = append(breakPoints, a)
		if distanceLimit < a {
			breakPoints = append(breakPoints, a-distanceLimit)
		}
	}
	slices.Sort(breakPoints)
	*buffer = breakPoints

	clippedSumAt := func(tau float64) float64 {
		clippedSum := 0.0
		for k := range x {
			a, distanceLimit, _ := b.distanceFromCenter(k, x)
			clippedSum += min(distanceLimit, max(0, a-tau))
		}
		return clippedSum
	}
	// clippedSumAt is > Λ at the first break point, which is 0, and 0 at the last one. breakPoints[hi] becomes the
	// smallest break point at which it is ≤ Λ.
	lo, hi := 0, len(breakPoints)-1
	for hi-lo > 1 {
		if mid := (lo + hi) / 2; clippedSumAt(breakPoints[mid]) > b.Radius {
			lo = mid
		} else {
			hi = mid
		}
	}
	// The root τ is between these two break points. highBreak − τ is computed, because its error has the size of the
	// rounding of Λ, not of τ. A term min(c_k, max(0, a_k−τ)) is unclipped if it is neither 0 nor c_k.
	lowBreak, highBreak := breakPoints[lo], breakPoints[hi]
	clippedSum, unclippedCount := 0.0, 0
	isUnclipped := func(a, c float64) bool { return a >= highBreak && !(c < a && a-c > lowBreak) }
	for k := range x {
		a, distanceLimit, _ := b.distanceFromCenter(k, x)
		clippedSum += min(distanceLimit, max(0, a-highBreak))
		if isUnclipped(a, distanceLimit) {
			unclippedCount++
		}
	}
	highBreakMinusTau := 0.0
	if unclippedCount > 0 {
		highBreakMinusTau = max(0, b.Radius-clippedSum) / float64(unclippedCount)
	}
	for k := range x {
		a, distanceLimit, isAboveCenter := b.distanceFromCenter(k, x)
		v := min(distanceLimit, max(0, a-highBreak))
		if isUnclipped(a, distanceLimit) {
			v = min(distanceLimit, a-highBreak+highBreakMinusTau)
		}
		b.storeCoordinate(dst, k, v, isAboveCenter)
	}
}

// projectL2 projects a point x outside the ball with q = 2, radius Λ and center μ₀. With a_k = |x_k − μ₀_k|, and c_k =
// μ₀_k if x_k < μ₀_k, otherwise ∞, the projection has the distances min(c_k, Λ·t·a_k/max a) from μ₀, with the t for
// which their norm is Λ. The iteration only increases t, so clipped coordinates stay clipped. No square overflows.
func (b Ball) projectL2(dst, x []float64) {
	maxDistance := 0.0
	for k := range x {
		a, _, _ := b.distanceFromCenter(k, x)
		maxDistance = max(maxDistance, a)
	}
	t := 0.0
	for oldClippedCount := -1; ; {
		remainingSquare, squareSum, clippedCount := 1.0, 0.0, 0
		for k := range x {
			a, distanceLimit, _ := b.distanceFromCenter(k, x)
			if a /= maxDistance; distanceLimit <= b.Radius*t*a {
				remainingSquare -= (distanceLimit / b.Radius) * (distanceLimit / b.Radius)
				clippedCount++
			} else {
				squareSum += a * a
			}
		}
		if clippedCount == oldClippedCount || squareSum == 0 || remainingSquare <= 0 {
			break
		}
		t, oldClippedCount = math.Sqrt(remainingSquare/squareSum), clippedCount
	}
	for k := range x {
		a, distanceLimit, isAboveCenter := b.distanceFromCenter(k, x)
		b.storeCoordinate(dst, k, min(distanceLimit, b.Radius*t*(a/maxDistance)), isAboveCenter)
	}
}

// projectLq projects a point x outside the ball with q > 1, q ≠ 2, and center μ₀. With a_k = |x_k − μ₀_k|, and c_k =
// μ₀_k if x_k < μ₀_k, otherwise ∞, the projection has the distances v_k = min(c_k, s_k) from μ₀, with s_k + τ s_k^{q−1}
// = a_k and ‖v‖_q = 1. Lengths are in units of the radius. No power overflows: it solves for T = log τ and y = log v.
func (b Ball) projectLq(dst, x []float64) {
	m, q := len(x), b.Q
	buffer := scratchPool.Get().(*[]float64)
	defer scratchPool.Put(buffer)
	y := slices.Grow((*buffer)[:0], 3*m)[:3*m]
	*buffer = y
	y, logDistances, logDistanceLimits := y[:m], y[m:2*m], y[2*m:]
	for k := range x {
		a, distanceLimit, _ := b.distanceFromCenter(k, x)
		logDistances[k], logDistanceLimits[k] = logRatio(a, b.Radius), logRatio(distanceLimit, b.Radius)
	}
	// logNormAt stores the logarithms of the distances v for τ = e^T in y, and returns log ‖v‖_q.
	logNormAt := func(T float64) float64 {
		for k := range y {
			y[k] = min(solveForLogDistance(logDistances[k], T, q-1), logDistanceLimits[k])
		}
		return logNorm(y, q)
	}
	hi := logNorm(logDistances, q/(q-1)) // v_k ≤ (a_k/τ)^{1/(q−1)}, so ‖v‖_q ≤ 1 for τ = ‖a‖_{q/(q−1)}
	lo := hi - 1
	for searchWidth := 1.0; searchWidth < 1<<20 && logNormAt(lo) <= 0; searchWidth *= 2 {
		lo -= searchWidth
	}
	for T := lo + (hi-lo)/2; lo < T && T < hi; T = lo + (hi-lo)/2 {
		if logNormAt(T) > 0 {
			lo = T
		} else {
			hi = T
		}
	}
	// log ‖v‖_q at log τ = lo is now 0 up to the rounding of x or Λ. Division by ‖v‖_q moves the point onto the sphere.
	correction := math.Exp(-logNormAt(lo))
	for k := range x {
		_, distanceLimit, isAboveCenter := b.distanceFromCenter(k, x)
		b.storeCoordinate(dst, k, min(distanceLimit, b.Radius*(math.Exp(y[k])*correction)), isAboveCenter)
	}
}

// solveForLogDistance solves s + τ s^p = a for y = log s, given log a, log τ and the exponent p:
//
//	L(y) = log(e^y + τ e^{py}) = log a.
//
// L is convex and increasing, with slopes between 1 and p. At min(log a, (log a − log τ)/p) it exceeds
// log a by at most log 2; Newton's method from there descends to the root, in about four steps.
func solveForLogDistance(logA, logTau, exponent float64) float64 {
	y := min(logA, (logA-logTau)/exponent)
	if math.IsInf(y, 0) {
		return y
	}
	for range 60 {
		d := logTau + (exponent-1)*y // log of the ratio of the terms τ s^p and s
		var excess, share float64
		if d <= 0 {
			e := math.Exp(d)
			excess, share = y+math.Log1p(e)-logA, 1/(1+e)
		} else {
			e := math.Exp(-d)
			excess, share = exponent*y+logTau+math.Log1p(e)-logA, e/(1+e)
		}
		newY := y - excess/(share+exponent*(1-share))
		if !(newY < y) {
			break
		}
		y = newY
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

// logNorm returns log (Σ e^{p·l_k})^{1/p} for logs l and the exponent p.
func logNorm(logs []float64, exponent float64) float64 {
	maxLog := slices.Max(logs)
	expSum := 0.0
	for _, v := range logs {
		expSum += math.Exp(exponent * (v - maxLog))
	}
	return maxLog + math.Log(expSum)/exponent
}
