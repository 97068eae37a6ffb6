package set

import (
	"math"
	"slices"
	"sync"
)

// Minimize returns min_Θ ⟨g,θ⟩ for every g. The coordinates with g_k < 0 rise from the center, with c_k = ∞. The
// coordinates with g_k > 0 fall by at most c_k = μ₀_k:
//
//	θ = μ₀ − sgn(g)·v,  v_k = min(c_k, (|g_k|/τ)^{1/(q−1)}),  ‖v‖_q = Λ or v = c.
//
// For q = 1, the v_k are set in descending order of |g_k|, for equal |g_k| in ascending order of k. Each v_k is the
// smaller of c_k and what the earlier ones leave of Λ.
//
// For 1 < q < ∞, ‖v‖^q is piecewise linear and concave in τ^{−q/(q−1)}. Newton's method from below ends after finitely
// many steps, each O(m). If no v_k is clipped at c_k, it needs one step, and the minimum is ⟨g,μ₀⟩ − Λ‖g‖_{q/(q−1)},
// Theorem 2.1 of Li et al.
func (b Ball) Minimize(dst, g []float64) float64 {
	b.requireSameLength(g, g)
	if dst != nil {
		b.requireSameLength(dst, g)
	}
	buf := scratchPool.Get().(*[]float64)
	defer scratchPool.Put(buf)
	v := slices.Grow((*buf)[:0], 2*len(g))[:2*len(g)]
	*buf = v
	v, work := v[:len(g)], v[len(g):]
	if b.Q <= maxOneQ {
		b.minimize1(v, g)
	} else {
		b.minimizeQ(v, work, g)
	}
	total := 0.0
	for k, gk := range g {
		theta := b.centerAt(k) + v[k]
		if gk > 0 {
			theta = max(0, b.centerAt(k)-v[k])
		}
		if dst != nil {
			dst[k] = theta
		}
		total += gk * theta
	}
	return total
}

// maxMove returns c_k of Minimize, the largest distance by which coordinate k may move from the center.
func (b Ball) maxMove(k int, g []float64) float64 {
	if g[k] > 0 {
		return b.centerAt(k)
	}
	return math.Inf(1)
}

// minimize1 stores the v of Minimize for q = 1.
func (b Ball) minimize1(v, g []float64) {
	clear(v)
	remaining := b.Radius
	for remaining > 0 {
		best := -1 // the coordinate with the largest |g_k| that can still move
		for k, gk := range g {
			if gk != 0 && v[k] < b.maxMove(k, g) && (best < 0 || math.Abs(gk) > math.Abs(g[best])) {
				best = k
			}
		}
		if best < 0 {
			return
		}
		v[best] = min(remaining, b.maxMove(best, g))
		remaining -= v[best]
	}
}

// minimizeQ stores the v of Minimize for 1 < q < ∞. level is work space of the length of v.
//
// With B = |g|^{q/(q−1)} and C = (c/Λ)^q it solves Σ min(C, t·B) = 1 and stores v = Λ min(C, t·B)^{1/q}.
// B can underflow and t overflow for q near 1, so level stores the logarithm of t·B.
func (b Ball) minimizeQ(v, level, g []float64) {
	conjugate := b.Q / (b.Q - 1)
	for k := range level {
		level[k] = math.Inf(-1) // log t·B
	}
	for oldClipped := -1; ; {
		// clipped is the number of coordinates that are clipped at this t; remaining is what they leave of Σ = 1
		remaining, largest, clipped := 1.0, 0.0, 0
		for k, gk := range g {
			if limit := b.maxMove(k, g); b.Radius*math.Exp(level[k]/b.Q) >= limit {
				remaining -= math.Pow(limit/b.Radius, b.Q)
				clipped++
			} else {
				largest = max(largest, math.Abs(gk))
			}
		}
		if clipped == oldClipped || largest == 0 || remaining <= 0 {
			break
		}
		oldClipped = clipped
		total := 0.0
		for k, gk := range g {
			if b.Radius*math.Exp(level[k]/b.Q) < b.maxMove(k, g) {
				total += math.Exp(conjugate * math.Log(math.Abs(gk)/largest))
			}
		}
		for k, gk := range g {
			if b.Radius*math.Exp(level[k]/b.Q) < b.maxMove(k, g) {
				level[k] = conjugate*math.Log(math.Abs(gk)/largest) + math.Log(remaining/total)
			}
		}
	}
	for k := range v {
		v[k] = min(b.maxMove(k, g), b.Radius*math.Exp(level[k]/b.Q))
	}
}

// scratchPool holds work space of Minimize and Project.
var scratchPool = sync.Pool{New: func() any { return new([]float64) }}
