package set

import (
	"math"
	"slices"
	"sync"
)

// Minimize returns min_Θ ⟨g,θ⟩ for every g. Λ is the radius and μ₀ the center. The minimizer θ has the distances
// v_k = |θ_k − μ₀_k|. The largest possible v_k is c_k = ∞ if g_k < 0, and c_k = μ₀_k if g_k > 0, because θ_k ≥ 0. With
// a multiplier τ ≥ 0,
//
//	θ = μ₀ − sgn(g)·v,  v_k = min(c_k, (|g_k|/τ)^{1/(q−1)}),  ‖v‖_q = Λ or v = c.
//
// For q = 1, the v_k are computed in descending order of |g_k|, for equal |g_k| in ascending order of k. Each is
// min(c_k, Λ − sum of the v computed before).
//
// For 1 < q < ∞, Newton's method solves Σ v_k^q = Λ^q for τ^{−q/(q−1)}. The sum is piecewise linear and concave in this
// power, so the method, from below the root, ends after finitely many steps, each O(m). If every v_k < c_k, one step
// suffices, and the minimum is ⟨g,μ₀⟩ − Λ‖g‖_{q/(q−1)}, Theorem 2.1 of C. Li, L. Venturi and R. Xu.
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
		b.storeDistancesL1(v, g)
	} else {
		b.storeDistancesLq(v, workSpace, g)
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

// maxDistanceFromCenter returns the largest |θ_k − μ₀_k| in the direction −g_k: μ₀_k (θ_k = 0) if g_k > 0, else +Inf.
func (b Ball) maxDistanceFromCenter(k int, g []float64) float64 {
	if g[k] > 0 {
		return b.centerAt(k)
	}
	return math.Inf(1)
}

// storeDistancesL1 stores the distances |θ_k − μ₀_k| of the minimizer θ of ⟨g,θ⟩ from the center in v, for q = 1.
func (b Ball) storeDistancesL1(v, g []float64) {
	clear(v)
	remainingRadius := b.Radius
	for remainingRadius > 0 {
		bestIndex := -1 // the coordinate with the largest |g_k| among those that are not at their largest distance
		for k, gk := range g {
			isBetter := bestIndex < 0 || math.Abs(gk) > math.Abs(g[bestIndex])
			if gk != 0 && isBetter && v[k] < b.maxDistanceFromCenter(k, g) {
				bestIndex = k
			}
		}
		if bestIndex < 0 {
			return
		}
		v[bestIndex] = min(remainingRadius, b.maxDistanceFromCenter(bestIndex, g))
		remainingRadius -= v[bestIndex]
	}
}

// storeDistancesLq stores the distances v_k = |θ_k − μ₀_k| of the minimizer θ of ⟨g,θ⟩ from the center, for 1 < q < ∞.
// c_k is the largest possible v_k (maxDistanceFromCenter), and Λ the radius. With B = |g|^{q/(q−1)} and C = (c/Λ)^q it
// solves Σ min(C, t·B) = 1 for t, and stores v = Λ min(C, t·B)^{1/q}. For q near 1, B can underflow and t overflow, so
// the work space logPowers stores log t·B.
func (b Ball) storeDistancesLq(v, logPowers, g []float64) {
	conjugateExponent := b.Q / (b.Q - 1)
	for k := range logPowers {
		logPowers[k] = math.Inf(-1) // log t·B
	}
	for oldClippedCount := -1; ; {
		// clippedCount coordinates have v_k = c_k. remainingPower is 1 minus the sum of (c_k/Λ)^q over them.
		remainingPower, maxGradient, clippedCount := 1.0, 0.0, 0
		for k, gk := range g {
			if limit := b.maxDistanceFromCenter(k, g); b.Radius*math.Exp(logPowers[k]/b.Q) >= limit {
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
			if b.Radius*math.Exp(logPowers[k]/b.Q) < b.maxDistanceFromCenter(k, g) {
				powerSum += math.Exp(conjugateExponent * math.Log(math.Abs(gk)/maxGradient))
			}
		}
		for k, gk := range g {
			if b.Radius*math.Exp(logPowers[k]/b.Q) < b.maxDistanceFromCenter(k, g) {
				logPowers[k] = conjugateExponent*math.Log(math.Abs(gk)/maxGradient) + math.Log(remainingPower/powerSum)
			}
		}
	}
	for k := range v {
		v[k] = min(b.maxDistanceFromCenter(k, g), b.Radius*math.Exp(logPowers[k]/b.Q))
	}
}

// scratchPool holds work space of Minimize and Project.
var scratchPool = sync.Pool{New: func() any { return new([]float64) }}
