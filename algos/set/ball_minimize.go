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
// For q = 1, the coordinate with the largest |g_k| uses as much of Λ as it can, then the next. If |g_k| are equal, the
// lowest k is first.
//
// For 1 < q < ∞, ‖v‖^q is piecewise linear and concave in τ^{−q/(q−1)}. Newton's method from below ends after finitely
// many steps, each O(m). If nothing is clipped, it needs one step, and the minimum is ⟨g,μ₀⟩ − Λ‖g‖_{q/(q−1)}, Theorem
// 2.1 of Li et al.
func (b Ball) Minimize(dst, g []float64) float64 {
	b.requireSameLength(g, g)
	if dst != nil {
		b.requireSameLength(dst, g)
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
		best := -1 // the coordinate with the largest |g_k| that can still move
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
// B can underflow and t overflow for q near 1, so level stores the logarithm of t·B.
func (b Ball) minimizeQ(v, level, g []float64) {
	conj := b.Q / (b.Q - 1)
	for k := range level {
		level[k] = math.Inf(-1) // log t·B
	}
	for before := -1; ; {
		// the number of coordinates clipped at this t, and the part of the norm that the others share
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
