package kernel

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// way is how the derivatives of Features are computed; see there.
type way int

const (
	byFeature   way = iota // d = 1
	byMonomials            // d > 1, C(m+d−1, d) ≤ n/2
	bySquare               // d = 2, m ≤ n
	byPairs
)

func (g *featureGrams) way() way {
	m, n := g.Dims()
	switch {
	case g.d == 1:
		return byFeature
	case countMonomials(m, g.d, n/2) <= n/2:
		return byMonomials
	case g.d == 2 && m <= n:
		return bySquare
	}
	return byPairs
}

// New returns an unevaluated Gram. That of degree 2 is Quadratic.
func (g *featureGrams) New() Gram {
	if old := g.spare.Get(); old != nil {
		return old.(Gram)
	}
	if g.d == 2 {
		return &quadraticFeatures{featureGram{g: g}}
	}
	return &featureGram{g: g}
}

// reuse makes old, of which g is the whole or a part, the next that New returns.
func (g *featureGram) reuse(old Gram) {
	g.theta = nil
	g.g.spare.Put(old)
}

func (g *featureGram) Release()       { g.reuse(g) }
func (g *quadraticFeatures) Release() { g.reuse(g) }

// featureGram is K(θ) of Features. K and S are formed only when asked for.
type featureGram struct {
	g     *featureGrams
	theta []float64

	k       *mat.SymDense
	hasK    bool
	s       []float64 // S, n×n, upper triangle; where derivatives need it
	hasS    bool
	root    mat.Dense
	phi     []float64
	active  []int
	mono    *monomials // of as many features as are active
	hasRoot bool

	work   workspace
	gv, gw symmetric // G of the last v and w
	x, y   []float64 // length m or r
	t      []float64 // n×n
	strip  []float64
	prod   []float64
	buf    []float64
}

// quadraticFeatures is featureGram of degree 2.
type quadraticFeatures struct{ featureGram }

var (
	_ Curved    = (*featureGram)(nil)
	_ Rooted    = (*featureGram)(nil)
	_ Curved    = (*quadraticFeatures)(nil)
	_ Rooted    = (*quadraticFeatures)(nil)
	_ Quadratic = (*quadraticFeatures)(nil)
	_ Pooled    = (*featureGram)(nil)
	_ Pooled    = (*quadraticFeatures)(nil)
)

// symmetric is G = Xᵀdiag(w)X with the w it is of.
type symmetric struct{ w, g []float64 }

// sized returns *p with length n, allocated once.
func sized(p *[]float64, n int) []float64 {
	if cap(*p) < n {
		*p = make([]float64, n)
	}
	*p = (*p)[:n]
	return *p
}

// At moves to θ; nothing is computed before it is asked for.
func (g *featureGram) At(theta []float64) {
	if g.g.bad != nil {
		panic(g.g.bad)
	}
	if len(theta) != g.g.v.d {
		panic(badTheta)
	}
	g.theta = append(g.theta[:0], theta...)
	g.hasS, g.hasK, g.hasRoot = false, false, false
}

func (g *featureGram) ready() {
	if g.theta == nil {
		panic(notAtAll)
	}
}

func (g *featureGram) lengths(v, w, u []float64) {
	g.ready()
	if len(v) != g.g.v.n || len(w) != g.g.v.n || len(u) != g.g.v.d {
		panic(badLength)
	}
}

// K forms K(θ) when first asked for at θ, in O(n²m).
func (g *featureGram) K() *mat.SymDense {
	g.ready()
	if g.hasK {
		return g.k
	}
	n := g.g.v.n
	if g.k == nil {
		g.k = mat.NewSymDense(n, nil)
	}
	data := g.k.RawSymmetric().Data
	src := data
	if g.g.way() == byPairs {
		src = g.sum()
	} else {
		innerSelf(data, &g.g.v, &g.g.c, g.theta, &g.work)
	}
	for i := range n {
		power(data[i*n+i:(i+1)*n], src[i*n+i:(i+1)*n], g.g.d)
	}
	g.hasK = true
	return g.k
}

// sum is S.
func (g *featureGram) sum() []float64 {
	if !g.hasS {
		n := g.g.v.n
		innerSelf(sized(&g.s, n*n), &g.g.v, &g.g.c, g.theta, &g.work)
		g.hasS = true
	}
	return g.s
}

// Root returns Φ of the monomials of the features with θ_k > 0,
//
//	Φ_ie = √(c_eθ^e)·x_i^e,  |e| = d,
//
// where there are at most n/2 of them and θ ≥ 0; else nil. O(nr).
func (g *featureGram) Root() *mat.Dense {
	g.ready()
	n, d := g.g.v.n, g.g.d
	if !g.hasRoot {
		g.hasRoot = true
		g.root.Reset()
		g.active = g.active[:0]
		for k, t := range g.theta {
			if t < 0 {
				return nil
			}
			if t > 0 {
				g.active = append(g.active, k)
			}
		}
		a := len(g.active)
		r := max(countMonomials(a, d, n/2), 1) // θ = 0: a column of zeros
		if r > n/2 {
			return nil
		}
		if d > 1 && a > 0 && (g.mono == nil || g.mono.m != a) {
			g.mono = newMonomials(a, d)
		}
		phi, buf, x := sized(&g.phi, n*r), sized(&g.buf, g.g.v.d), sized(&g.x, a)
		for i := range n {
			out := phi[i*r : (i+1)*r]
			if a == 0 {
				out[0] = 0
				continue
			}
			row := g.g.v.row(buf, i)
			for t, k := range g.active {
				x[t] = math.Sqrt(g.theta[k]) * row[k]
			}
			if d == 1 {
				copy(out, x)
				continue
			}
			g.mono.of(out, x)
			for e, c := range g.mono.coef {
				out[e] *= math.Sqrt(c)
			}
		}
		g.root = *mat.NewDense(n, r, phi)
	}
	if g.root.IsEmpty() {
		return nil
	}
	return &g.root
}

// Gradient stores wᵀ(∂K/∂θ_k)w.
func (g *featureGram) Gradient(dst, w []float64) { g.Pair(dst, w, w) }

func same(v, w []float64) bool { return len(v) > 0 && len(v) == len(w) && &v[0] == &w[0] }

// Pair stores vᵀ(∂K/∂θ_k)w.
func (g *featureGram) Pair(dst, v, w []float64) {
	g.lengths(v, w, dst)
	x := &g.g.v
	switch g.g.way() {
	case byFeature:
		b := sized(&g.x, x.d)
		x.forward(b, w)
		a := b
		if !same(v, w) {
			a = sized(&g.y, x.d)
			x.forward(a, v)
		}
		for k := range dst {
			dst[k] = a[k] * b[k]
		}
	case byMonomials:
		p, a, b := g.forms(v, w)
		clear(dst)
		for e := range p.coef {
			p.slope(dst, e, g.theta, a[e]*b[e])
		}
	case bySquare:
		b := g.square(&g.gw, w)
		a := b
		if !same(v, w) {
			a = g.square(&g.gv, v)
		}
		m := x.d
		for k := range dst {
			s := 0.0
			ra, rb := a[k*m:(k+1)*m], b[k*m:(k+1)*m]
			for l, t := range g.theta {
				s += t * ra[l] * rb[l]
			}
			dst[k] = 2 * s
		}
	case byPairs:
		g.quadratic(dst, v, w, nil)
	}
}

// Along stores (Σ_k u_k ∂K/∂θ_k)w.
func (g *featureGram) Along(dst, u, w []float64) {
	g.lengths(dst, w, u)
	x := &g.g.v
	n, m := x.n, x.d
	switch g.g.way() {
	case byFeature:
		c := sized(&g.x, m)
		x.forward(c, w)
		for k := range c {
			c[k] *= u[k]
		}
		x.back(dst, c)
	case byMonomials:
		p, phi := g.g.table()
		c := sized(&g.x, p.len())
		transposed(c, phi, w)
		for e := range c {
			c[e] *= p.along(e, g.theta, u)
		}
		for i := range dst {
			dst[i] = linalg.Dot(c, phi[i*len(c):(i+1)*len(c)])
		}
	case bySquare: // 2 x_iᵀHx_i, H_kl = u_kG_klθ_l
		h := sized(&g.t, m*m)
		gw := g.square(&g.gw, w)
		for k := range m {
			for l, t := range g.theta {
				h[k*m+l] = u[k] * gw[k*m+l] * t
			}
		}
		x.forms(dst, h, g)
		for i := range dst {
			dst[i] *= 2
		}
	case byPairs:
		s := g.sum()
		t := g.along(u)
		clear(dst)
		for i := range n {
			row := t[i*n+i : (i+1)*n]
			for j, v := range s[i*n+i : (i+1)*n] {
				row[j] *= slope(v, g.g.d)
			}
			dst[i] += linalg.Dot(row, w[i:])
			linalg.Axpy(w[i], row[1:], dst[i+1:])
		}
	}
}

// along is X diag(u) Xᵀ, upper triangle.
func (g *featureGram) along(u []float64) []float64 {
	n := g.g.v.n
	t := sized(&g.t, n*n)
	innerSelf(t, &g.g.v, &g.g.c, u, &g.work)
	return t
}

// Second stores Σ_l u_l wᵀ(∂²K/∂θ_k∂θ_l)w.
func (g *featureGram) Second(dst, u, w []float64) {
	g.lengths(w, w, u)
	g.lengths(w, w, dst)
	m := g.g.v.d
	switch g.g.way() {
	case byFeature:
		clear(dst)
	case byMonomials:
		p, a, _ := g.forms(w, w)
		clear(dst)
		for e, v := range a {
			p.bend(dst, e, g.theta, u, v*v)
		}
	case bySquare:
		gw := g.square(&g.gw, w)
		for k := range dst {
			s := 0.0
			row := gw[k*m : (k+1)*m]
			for l, c := range u {
				s += c * row[l] * row[l]
			}
			dst[k] = 2 * s
		}
	case byPairs:
		g.quadratic(dst, w, w, g.along(u))
	}
}

// Form stores Q = G∘G, G = Xᵀdiag(w)X, in O(nm²).
func (g *quadraticFeatures) Form(dst *mat.SymDense, w []float64) {
	g.ready()
	if len(w) != g.g.v.n {
		panic(badLength)
	}
	m := g.g.v.d
	gw := g.square(&g.gw, w)
	q, stride := target(dst, m)
	for j := range m {
		power(q[j*stride+j:j*stride+m], gw[j*m+j:(j+1)*m], 2)
	}
}

// forms are Φᵀv and Φᵀw.
func (g *featureGram) forms(v, w []float64) (p *monomials, a, b []float64) {
	p, phi := g.g.table()
	b = sized(&g.x, p.len())
	transposed(b, phi, w)
	a = b
	if !same(v, w) {
		a = sized(&g.y, p.len())
		transposed(a, phi, v)
	}
	return p, a, b
}

// transposed stores Φᵀw.
func transposed(dst, phi, w []float64) {
	clear(dst)
	r := len(dst)
	for i, c := range w {
		if c != 0 {
			linalg.Axpy(c, phi[i*r:(i+1)*r], dst)
		}
	}
}

// slope adds v·∂(c_eθ^e)/∂θ_k to dst_k.
func (p *monomials) slope(dst []float64, e int, theta []float64, v float64) {
	f := p.factors(e)
	for i, k := range f {
		c := v * p.coef[e]
		for j, l := range f {
			if j != i {
				c *= theta[l]
			}
		}
		dst[k] += c
	}
}

// along is Σ_k u_k ∂(c_eθ^e)/∂θ_k.
func (p *monomials) along(e int, theta, u []float64) float64 {
	f := p.factors(e)
	s := 0.0
	for i, k := range f {
		c := p.coef[e] * u[k]
		for j, l := range f {
			if j != i {
				c *= theta[l]
			}
		}
		s += c
	}
	return s
}

// bend adds v·Σ_l u_l ∂²(c_eθ^e)/∂θ_k∂θ_l to dst_k.
func (p *monomials) bend(dst []float64, e int, theta, u []float64, v float64) {
	f := p.factors(e)
	for i, k := range f {
		for j, l := range f {
			if j == i {
				continue
			}
			c := v * p.coef[e] * u[l]
			for h, q := range f {
				if h != i && h != j {
					c *= theta[q]
				}
			}
			dst[k] += c
		}
	}
}

// square is G = Xᵀdiag(w)X, both triangles, m×m. It does not depend on θ: that of the last w is
// kept.
func (g *featureGram) square(s *symmetric, w []float64) []float64 {
	if s.g != nil && slices.Equal(s.w, w) {
		return s.g
	}
	x := &g.g.v
	m := x.d
	s.w = append(s.w[:0], w...)
	out := sized(&s.g, m*m)
	if x.isDense() {
		const block, width = 256, 64
		y := sized(&g.strip, block*m)
		for b := 0; b < x.n; b += block {
			rows := min(block, x.n-b)
			for i := range rows {
				src, c := x.dense[(b+i)*m:(b+i+1)*m], w[b+i]
				for k, v := range src {
					y[i*m+k] = c * v
				}
			}
			beta := 1.0
			if b == 0 {
				beta = 0
			}
			for k := 0; k < m; k += width {
				linalg.Gemm(true, false, min(width, m-k), m-k, rows, 1, y[k:], m, x.dense[b*m+k:], m, beta, out[k*m+k:], m)
			}
		}
	} else {
		clear(out)
		for i, c := range w {
			cols, vals := x.z.Row(i)
			for t, k := range cols {
				for s := t; s < len(cols); s++ {
					out[k*m+cols[s]] += c * vals[t] * vals[s]
				}
			}
		}
		if r := x.r; r > 0 { // BVᵀ + VBᵀ, B = ZᵀWU + ½V(UᵀWU)
			b, uu := sized(&g.work.a, m*r), sized(&g.work.vv, r*r)
			clear(b)
			clear(uu)
			for i, c := range w {
				u := x.u[i*r : (i+1)*r]
				for s, a := range u {
					for t, e := range u {
						uu[s*r+t] += c * a * e
					}
				}
				cols, vals := x.z.Row(i)
				for t, k := range cols {
					linalg.Axpy(c*vals[t], u, b[k*r:(k+1)*r])
				}
			}
			for k := range m {
				for s := range r {
					linalg.Axpy(x.v[k*r+s]/2, uu[s*r:(s+1)*r], b[k*r:(k+1)*r])
				}
			}
			for k := range m {
				for l := k; l < m; l++ {
					out[k*m+l] += linalg.Dot(b[k*r:(k+1)*r], x.v[l*r:]) + linalg.Dot(x.v[k*r:(k+1)*r], b[l*r:])
				}
			}
		}
	}
	for k := range m {
		for l := range k {
			out[k*m+l] = out[l*m+k]
		}
	}
	return out
}

// forms stores x_iᵀHx_i for every point, H m×m.
func (x *vectors) forms(dst, h []float64, g *featureGram) {
	m := x.d
	if x.isDense() {
		const block = 64
		y := sized(&g.strip, block*m)
		for b := 0; b < x.n; b += block {
			rows := min(block, x.n-b)
			linalg.Gemm(false, false, rows, m, m, 1, x.dense[b*m:], m, h, m, 0, y, m)
			for i := range rows {
				dst[b+i] = linalg.Dot(y[i*m:(i+1)*m], x.dense[(b+i)*m:])
			}
		}
		return
	}
	// (z + Vu)ᵀH(z + Vu) = zᵀHz + uᵀVᵀ(H + Hᵀ)z + uᵀVᵀHVu.
	r := x.r
	hv, vhv := sized(&g.strip, m*r), sized(&g.work.vv, r*r)
	clear(hv)
	clear(vhv)
	for k := range m {
		for l := range m {
			for t := range r {
				hv[k*r+t] += (h[k*m+l] + h[l*m+k]) * x.v[l*r+t]
			}
		}
	}
	for k := range m {
		for s := range r {
			for t := range r {
				vhv[s*r+t] += x.v[k*r+s] * hv[k*r+t] / 2
			}
		}
	}
	for i := range dst {
		cols, vals := x.z.Row(i)
		u := x.u[i*r : (i+1)*r]
		s := 0.0
		for t, k := range cols {
			e := 0.0
			for p, l := range cols {
				e += h[k*m+l] * vals[p]
			}
			s += vals[t] * (e + linalg.Dot(u, hv[k*r:]))
		}
		for a, ua := range u {
			s += ua * linalg.Dot(u, vhv[a*r:])
		}
		dst[i] = s
	}
}

// quadratic stores x_kᵀMx_k for every feature, M_ij = v_iw_j·dS_ij^{d−1}, or where t is given
// v_iw_j·d(d−1)S_ij^{d−2}T_ij. Only the symmetric part of M counts, and of that the upper
// triangle, doubled off the diagonal, is enough: n²m operations.
func (g *featureGram) quadratic(dst, v, w, t []float64) {
	s := g.sum()
	x := &g.g.v
	n, m, d := x.n, x.d, g.g.d
	clear(dst)
	row := func(out []float64, i int) { // columns i to n−1
		src := s[i*n+i : (i+1)*n]
		vi, wi := v[i], w[i]
		if vi == 0 && wi == 0 {
			clear(out)
			return
		}
		for j, e := range src {
			if t == nil {
				out[j] = slope(e, d)
			} else {
				out[j] = bend(e, d) * t[i*n+i+j]
			}
		}
		out[0] *= vi * wi
		for j := 1; j < len(src); j++ {
			out[j] *= vi*w[i+j] + wi*v[i+j]
		}
	}
	if x.isDense() {
		const block = 64
		strip, y := sized(&g.strip, block*n), sized(&g.prod, block*m)
		for b := 0; b < n; b += block {
			rows, cols := min(block, n-b), n-b
			for i := range rows {
				clear(strip[i*cols : i*cols+i])
				row(strip[i*cols+i:(i+1)*cols], b+i)
			}
			linalg.Gemm(false, false, rows, m, cols, 1, strip, cols, x.dense[b*m:], m, 0, y, m)
			for i := range rows {
				a := x.dense[(b+i)*m : (b+i+1)*m]
				for k, e := range y[i*m : (i+1)*m] {
					dst[k] += e * a[k]
				}
			}
		}
		return
	}
	// (z + Uv)ᵀM(z + Uv) = zᵀMz + 2vᵀNz + vᵀNUv, N = UᵀM symmetrised, r×n.
	r := x.r
	out, nn := sized(&g.strip, n), sized(&g.prod, n*r)
	clear(nn)
	next := g.work.cursor(x, &g.g.c)
	for i := range n {
		mi := out[i:]
		row(mi, i)
		cols, vals := x.z.Row(i)
		for p, k := range cols {
			e := 0.0
			for q := next[k]; q < g.g.c.ptr[k+1]; q++ {
				e += g.g.c.val[q] * out[g.g.c.row[q]]
			}
			dst[k] += vals[p] * e
			next[k]++
		}
		for a := range r {
			e := 0.0
			for j, c := range mi {
				e += c * x.u[(i+j)*r+a]
				nn[(i+j)*r+a] += c * x.u[i*r+a] / 2
			}
			nn[i*r+a] += e / 2
		}
	}
	if r == 0 {
		return
	}
	nu := sized(&g.work.vv, r*r)
	clear(nu)
	for i := range n {
		cols, vals := x.z.Row(i)
		ni := nn[i*r : (i+1)*r]
		for p, k := range cols {
			dst[k] += 2 * vals[p] * linalg.Dot(ni, x.v[k*r:])
		}
		for a, c := range ni {
			linalg.Axpy(c, x.u[i*r:(i+1)*r], nu[a*r:(a+1)*r])
		}
	}
	for k := range dst {
		vk := x.v[k*r : (k+1)*r]
		for a, c := range vk {
			dst[k] += c * linalg.Dot(vk, nu[a*r:])
		}
	}
}
