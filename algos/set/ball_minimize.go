package set

import (
	"math"
	"slices"
	"sync"
)

// Minimize returns min_Θ ⟨g,θ⟩ for every g. Λ is the radius, μ₀ the center, and v_k = |θ_k − μ₀_k|. The minimizer θ
// is above the center, with c_k = ∞, where g_k < 0, and below, by at most c_k = μ₀_k, where g_k > 0. For a τ ≥ 0,
//
//	θ = μ₀ − sgn(g)·v,  v_k = min(c_k, (|g_k|/τ)^{1/(q−1)}),  ‖v‖_q = Λ or v = c.
//
// For q = 1, the v_k are computed in descending order of |g_k|, for equal |g_k| in ascending order of k. Each is
// min(c_k, Λ − sum of the v computed before).
//
// For 1 < q < ∞, Σ v_k^q is piecewise linear and concave in τ^{−q/(q−1)}. So Newton's method, from below the root, ends
// after finitely many steps, each O(m). If no v_k is clipped at c_k, one step suffices, and the minimum is
// ⟨g,μ₀⟩ − Λ‖g‖_{q/(q−1)}, Theorem 2.1 of Li et al.
func (b Ball) Minimize(dst, g []float64) (minimum float64) {
	b.requireSameLength(g, g)
	if dst != nil {
		b.requireSameLength(dst, g)
	}
	buffer := scratchPool.Get().(*[]float64)
	defer scratchPool.Put(buffer)
	v := slices.Grow((*buffer)[:0], 2*len(g))[:2*len(g)]
	*buffer = v
	v, workSpace := v[:len(g)], v[len(g):]
	if b.Q <= maxOneQ {
		b.minimizeL1(v, g)
	} else {
		b.minimizeLq(v, workSpace, g)
	}
	for k, gk := range g {
		thetaK := b.centerAt(k) + v[k]
		if gk > 0 {
			thetaK = max(0, b.centerAt(k)-v[k])
		}
		if dst != nil {
			dst[k] = thetaK
		}
		minimum += gk * thetaK
	}
	return minimum
}

// largestDistance returns the largest distance of θ_k from μ₀_k in the direction −g_k: μ₀_k if g_k > 0, otherwise +Inf.
func (b Ball) largestDistance(k int, g []float64) float64 {
	if g[k] > 0 {
		return b.centerAt(k)
	}
	return math.Inf(1)
}

// minimizeL1 stores the distances |θ_k − μ₀_k| of the minimizer θ of ⟨g,θ⟩ from the center in v, for q = 1.
func (b Ball) minimizeL1(v, g []float64) {
	clear(v)
	remainingRadius := b.Radius
	for remainingRadius > 0 {
		bestIndex := -1 // the coordinate with the largest |g_k| among those that are not at their largest distance
		for k, gk := range g {
			if gk != 0 && v[k] < b.largestDistance(k, g) && (bestIndex < 0 || math.Abs(gk) > math.Abs(g[bestIndex])) {
				bestIndex = k
			}
		}
		if bestIndex < 0 {
			return
		}
		v[bestIndex] = min(remainingRadius, b.largestDistance(bestIndex, g))
		remainingRadius -= v[bestIndex]
	}
}

// minimizeLq stores the distances v_k = |θ_k − μ₀_k| of the minimizer θ of ⟨g,θ⟩ from the center, for 1 < q < ∞. c_k is
// the result of largestDistance. With B = |g|^{q/(q−1)} and C = (c/Λ)^q it solves Σ min(C, t·B) = 1 for t, and stores
// v = Λ min(C, t·B)^{1/q}. For q near 1, B can underflow and t overflow, so the work space logPowers stores log t·B.
func (b Ball) minimizeLq(v, logPowers, g []float64) {
	conjugateExponent := b.Q / (b.Q - 1)
	for k := range logPowers {
		logPowers[k] = math.Inf(-1) // log t·B
	}
	for oldClippedCount := -1; ; {
		// In clippedCount coordinates, C ≤ t·B. remainingPower is 1 minus the sum of C over these coordinates.
		remainingPower, maxGradient, clippedCount := 1.0, 0.0, 0
		for k, gk := range g {
			if limit := b.largestDistance(k, g); b.Radius*math.Exp(logPowers[k]/b.Q) >= limit {
				remainingPower -= math.Pow(limit/b.Radius, b.Q)
				clippedCount++
			} else {
				maxGradient = max(maxGradient, math.Abs(gk))
			}
		}
		if clippedCount == oldClippedCount || maxGradient == 0 || remainingPower <= 0 {
			break
		}
		oldClippedCount = clippedCount
		powerSum := 0.0
		for k, gk := range g {
			if b.Radius*math.Exp(logPowers[k]/b.Q) < b.largestDistance(k, g) {
				powerSum += math.Exp(conjugateExponent * math.Log(math.Abs(gk)/maxGradient))
			}
		}
		for k, gk := range g {
			if b.Radius*math.Exp(logPowers[k]/b.Q) < b.largestDistance(k, g) {
				logPowers[k] = conjugateExponent*math.Log(math.Abs(gk)/maxGradient) + math.Log(remainingPower/powerSum)
			}
		}
	}
	for k := range v {
		v[k] = min(b.largestDistance(k, g), b.Radius*math.Exp(logPowers[k]/b.Q))
	}
}

// scratchPool holds work space of Minimize and Project.
var scratchPool = sync.Pool{New: func() any { return new([]float64) }}
