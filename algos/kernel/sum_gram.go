package kernel

import (
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// sumGram is K(θ) of a Sum. Everything symmetric is packed, so that with A the m×n(n+1)/2 matrix of
// the base matrices S = Aᵀθ, and every derivative is A times a vector.
type sumGram struct {
	evaluation
	g       *fittedSum
	s       []float64 // packed S
	hasS    bool
	mixed   bool      // S was mixed of others
	p, t    []float64 // packed
	product []float64
	c       combination
	low     lowForms
	j       projection
	part    []float64 // of j
}

// quadraticSum is sumGram of degree 2.
type quadraticSum struct{ sumGram }

var (
	_ Curved       = (*sumGram)(nil)
	_ Curved       = (*quadraticSum)(nil)
	_ Quadratic    = (*quadraticSum)(nil)
	_ Pooled       = (*sumGram)(nil)
	_ Accurate     = (*sumGram)(nil)
	_ Doubled      = (*sumGram)(nil)
	_ AccurateForm = (*quadraticSum)(nil)
	_ Pooled       = (*quadraticSum)(nil)
)

// New returns an unevaluated Gram. That of degree 2 is Quadratic.
func (g *sumGrams) New() Gram {
	k, ok := g.released.Get().(bounded)
	if !ok {
		q := &quadraticSum{sumGram{g: g.fittedSum}}
		q.m, q.n = g.Dims()
		if k = q; g.d != 2 {
			k = &q.sumGram
		}
	}
	k.use(g.on)
	return k
}

// Release makes g the next Gram that New returns.
func (g *sumGram) Release() { g.g.released.Put(g) }

// Release makes g the next Gram that New returns.
func (g *quadraticSum) Release() { g.g.released.Put(g) }

// At moves to θ; nothing is computed before it is asked for.
func (g *sumGram) At(theta []float64) {
	g.move(theta)
	g.g.matrices(g.on)
	g.hasS, g.mixed = false, false
}

// sum is S, packed, to be read only.
func (g *sumGram) sum() []float64 {
	g.evaluated()
	if !g.hasS && len(g.theta) == 1 && g.theta[0] == 1 && g.g.stored(0) {
		return g.g.k[0]
	}
	if !g.hasS {
		g.combine(sized(&g.s, tri(g.n, g.n)), g.theta)
		g.hasS = true
	}
	return g.s
}

// K forms K(θ) when first asked for at θ, in O(mn²).
func (g *sumGram) K() *mat.SymDense {
	s := g.sum()
	return g.raise(g.g.d, func(i int) []float64 { return packedRow(s, g.n, i) })
}

// outer is vwᵀ + wvᵀ packed, as packedOuter says.
func (g *sumGram) outer(v, w []float64) []float64 {
	p := sized(&g.p, tri(g.n, g.n))
	packedOuter(p, v, w)
	return p
}

// direction is Σ_k u_kK_k packed.
func (g *sumGram) direction(u []float64) []float64 {
	t := sized(&g.t, tri(g.n, g.n))
	g.combine(t, u)
	return t
}

// Gradient stores d·wᵀ(S^{d−1}∘K_k)w in O(mn²), of degree 1 in O(nr) for a base matrix of low rank r.
func (g *sumGram) Gradient(dst, w []float64) { g.Pair(dst, w, w) }

// Pair stores d·vᵀ(S^{d−1}∘K_k)w in O(mn²), of degree 1 in O(nr) for a base matrix of low rank r.
func (g *sumGram) Pair(dst, v, w []float64) {
	g.check(v, w, dst)
	f := g.g.factored(g.on)
	if f != nil {
		g.low = lowForms{f, dst, v, w, linalg.Dot(v, w), &v[0] == &w[0]}
		g.on.Run(&g.low, (len(dst)+some-1)/some)
		if f.rest == nil {
			return
		}
	}
	p := g.outer(v, w)
	if d := g.g.d; d > 1 {
		for i, s := range g.sum() {
			p[i] *= powerSlope(s, d)
		}
	}
	if f == nil {
		g.project(dst, p)
		return
	}
	rest := sized(&g.product, len(f.rest))
	g.projectOn(rest, p, f.whole)
	for i, k := range f.rest {
		dst[k] = rest[i]
	}
}

// Along stores d(S^{d−1}∘Σ_k u_kK_k)w in O(mn²).
func (g *sumGram) Along(dst, u, w []float64) {
	g.check(dst, w, u)
	t := g.direction(u)
	if d := g.g.d; d > 1 {
		for i, s := range g.sum() {
			t[i] *= powerSlope(s, d)
		}
	}
	packedMulVec(dst, t, w)
}

// Second stores d(d−1)·wᵀ(S^{d−2}∘K_k∘Σ_l u_lK_l)w in O(mn²).
func (g *sumGram) Second(dst, u, w []float64) {
	g.check(w, w, u)
	d := g.g.d
	if d == 1 {
		clear(dst)
		return
	}
	p, t := g.outer(w, w), g.direction(u)
	for i, s := range g.sum() {
		p[i] *= t[i] * powerCurvature(s, d)
	}
	g.project(dst, p)
}

// Form stores Q_jk = wᵀ(K_j∘K_k)w in O(m²n²).
func (g *quadraticSum) Form(dst *mat.SymDense, w []float64) {
	g.check(w, w, g.theta)
	p, m := g.outer(w, w), len(g.theta)
	q, stride := formInto(dst, m)
	buf := sized(&g.product, chunk)
	g.g.parts(g.on, func(lo, hi int, a [][]float64) {
		p := p[tri(g.n, lo):tri(g.n, hi)]
		for b := 0; b < len(p); b += chunk {
			e := min(b+chunk, len(p))
			x := buf[:e-b]
			for j := range m {
				for i, v := range a[j][b:e] {
					x[i] = v * p[b+i]
				}
				for k := j; k < m; k++ {
					q[j*stride+k] += linalg.Dot(x, a[k][b:])
				}
			}
		}
	})
}

// chunk is how much of a packed triangle is held in the first-level cache at once.
const chunk = 2048

// grain is how many multiplications a thread does at a stretch, about a quarter of a millisecond.
const grain = 1 << 20

// tiles is how many of that size, at least 1, hold n.
func tiles(n, size int) int { return max(1, (n+size-1)/max(1, size)) }

// combination is dst = Aᵀu, in tiles of so many entries of dst.
type combination struct {
	dst, u []float64
	a      [][]float64
	size   int
}

func (c *combination) Tile(t int) {
	end := min((t+1)*c.size, len(c.dst))
	for b := t * c.size; b < end; b += chunk {
		e := min(b+chunk, end)
		clear(c.dst[b:e])
		for k, u := range c.u {
			if u != 0 && c.a[k] != nil {
				linalg.Axpy(u, c.a[k][b:e], c.dst[b:e])
			}
		}
	}
}

// combine stores Aᵀu.
func (g *sumGram) combine(dst, u []float64) {
	g.c = combination{dst, u, g.g.k, chunk * tiles(grain, chunk*len(u))}
	g.on.Run(&g.c, tiles(len(dst), g.c.size))
	if g.g.streamed() {
		g.on.Run(each(func(t int) {
			lo, hi := bandOf(g.n, t)
			g.g.remake(lo, hi, func(k int) bool { return u[k] != 0 }, func(k int, a []float64) {
				linalg.Axpy(u[k], a, dst[tri(g.n, lo):tri(g.n, hi)])
			})
		}), bands(g.n))
	}
}

// projection is Ap, in tiles of so many entries of p: tile t adds up its part of row k at part[t·m+k].
type projection struct {
	part, p []float64
	a       [][]float64
	size    int
}

func (j *projection) Tile(t int) {
	m := len(j.a)
	part := j.part[t*m : (t+1)*m]
	clear(part)
	end := min((t+1)*j.size, len(j.p))
	for b := t * j.size; b < end; b += chunk {
		e := min(b+chunk, end)
		for k, a := range j.a {
			if a != nil {
				part[k] += linalg.Dot(j.p[b:e], a[b:e])
			}
		}
	}
}

// project stores Ap.
func (g *sumGram) project(dst, p []float64) {
	g.projectOn(dst, p, g.g.k)
	g.projectMade(dst, p)
}

// projectOn stores Ap for some rows of A, nil for a row of 0.
func (g *sumGram) projectOn(dst, p []float64, a [][]float64) {
	m, size := len(dst), chunk*tiles(grain, chunk*len(dst))
	count := tiles(len(p), size)
	g.j = projection{sized(&g.part, count*m), p, a, size}
	g.on.Run(&g.j, count)
	copy(dst, g.part[:m])
	for t := 1; t < count; t++ {
		linalg.Axpy(1, g.part[t*m:(t+1)*m], dst)
	}
}

// projectMade adds what base matrices that are not stored contribute to Ap.
func (g *sumGram) projectMade(dst, p []float64) {
	if m := len(dst); g.g.streamed() {
		part := sized(&g.part, bands(g.n)*m)
		g.on.Run(each(func(t int) {
			lo, hi := bandOf(g.n, t)
			g.g.remake(lo, hi, func(int) bool { return true }, func(k int, a []float64) {
				part[t*m+k] = linalg.Dot(p[tri(g.n, lo):tri(g.n, hi)], a)
			})
		}), bands(g.n))
		for k := range dst {
			if !g.g.stored(k) {
				for t := range bands(g.n) {
					dst[k] += part[t*m+k]
				}
			}
		}
	}
}
