package tessellated

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
)

const (
	badTheta  = "tessellated: length of θ is not that of P"
	badLength = "tessellated: a vector's length is neither the number of points nor of rows of P"
	notAtAll  = "tessellated: a Gram that At has not moved to any θ"
)

// gram is K(P). It stores K, n² numbers, but neither P nor anything as large as P.
type gram struct {
	g  *fitted
	on linalg.Bound

	k     *mat.SymDense
	sizes sizes
}

var (
	_ kernel.Gram         = (*gram)(nil)
	_ kernel.ErrorBounded = (*gram)(nil)
)

// New returns an unevaluated Gram.
func (g *Grams) New() kernel.Gram { return &gram{g: g.fitted, on: g.on} }

// Release does nothing.
func (g *gram) Release() {}

// storage returns the n×n numbers that K is stored in.
func (g *gram) storage() []float64 {
	if g.k == nil {
		g.k = mat.NewSymDense(g.g.p.n, nil)
	}
	return g.k.RawSymmetric().Data
}

// strips holds buffers for tiles.
var strips = sync.Pool{New: func() any { return new([]float64) }}

// At computes K(P) in O(n²q + nq²). The basis ZX needs this at most once for each sum of powers c. For f features and
// degree d there are C(f+2d, 2d) of them, which is about (2f)²/8 for d = 1.
func (g *gram) At(theta []float64) {
	f := g.g
	f.must()
	if len(theta) != 4*f.q*f.q {
		panic(badTheta)
	}
	f.fitOn(g.on)
	core := f.newCore()
	f.set(core, theta)
	mean := make([]float64, f.q)
	var h, r []float64
	if f.f.Variant == Complement {
		h = f.rest(core, f.p, f.uc, mean, true)
	}
	if !f.f.Uncentred {
		r = f.rowMeans(core)
	}
	k := g.storage()
	clear(k)
	g.assemble(k, 1, f.parts(core, f.p, f.p), factor{h, f.q, f.q}, factor{f.uc, f.q, f.q}, r)
	g.sizes = sizes{floats.Norm(core.m, 2), floats.Norm(core.r, 2), f.areas(core.s), 0}
}

// assemble adds η(Σ parts + FHᵀ + HFᵀ − r1ᵀ − 1rᵀ + mean r) to the upper triangle of K.
func (g *gram) assemble(k []float64, eta float64, parts []part, f, h factor, r []float64) {
	n, one := g.g.p.n, linalg.Bound(1)
	grand := 0.0
	if r != nil {
		grand = floats.Sum(r) / float64(n)
	}
	g.on.Run(linalg.TileFunc(func(t int) {
		i0, i1 := t*tileRows, min(n, (t+1)*tileRows)
		w := n - i0
		buf := strips.Get().(*[]float64)
		defer strips.Put(buf)
		*buf = slices.Grow((*buf)[:0], (i1-i0+1)*w)[:(i1-i0+1)*w]
		c, vol := (*buf)[:(i1-i0)*w], (*buf)[(i1-i0)*w:]
		for _, p := range parts {
			beta := 0.0
			for j, l := range p.left {
				one.Gemm(false, true, i1-i0, w, l.w, eta, l.from(i0), l.ld, p.right[j].from(i0), p.right[j].ld,
					beta, c, w)
				beta = 1
			}
			for i := i0; i < i1; i++ {
				dst, a := k[i*n+i:(i+1)*n], c[(i-i0)*w+i-i0:(i-i0+1)*w]
				v := vol[:n-i]
				if p.k == above && p.c == 0 {
					v = g.g.vrow(i)
				} else {
					g.g.row(v, p.k, p.c, i, i)
				}
				v, a = v[:len(dst)], a[:len(dst)]
				for j := range dst {
					dst[j] += v[j] * a[j]
				}
			}
		}
		if f.data != nil {
			one.Gemm(false, true, i1-i0, w, f.w, eta, f.from(i0), f.ld, h.from(i0), h.ld, 1, k[i0*n+i0:], n)
			one.Gemm(false, true, i1-i0, w, f.w, eta, h.from(i0), h.ld, f.from(i0), f.ld, 1, k[i0*n+i0:], n)
		}
		if r != nil {
			for i := i0; i < i1; i++ {
				dst := k[i*n+i : (i+1)*n]
				gi := grand - r[i]
				for j, v := range r[i:] {
					dst[j] += eta * (gi - v)
				}
			}
		}
	}), tilesOf(n))
}

// halves returns the halves v₁ and v₂ of v in the coordinates of the core and the order of the columns of U. P = vvᵀ is
// (v₁; v₂)(v₁; v₂)ᵀ in these coordinates.
func (g *fitted) halves(v []float64) (first, second []float64) {
	q := g.q
	first, second = make([]float64, q), make([]float64, q)
	s := math.Sqrt(g.unit)
	alpha, beta := g.coordinates()
	for i, at := range g.basis.place {
		second[at] = s * v[q+i]
		first[at] = alpha*(s*v[i]) - beta*second[at]
	}
	return first, second
}

// products returns the n×w matrix with a column U_a v_a for each of the w blocks a.
func (g *fitted) products(u, v []float64) []float64 {
	w := len(g.basis.blocks)
	n := len(u) / g.q
	out := make([]float64, n*w)
	for i := range n {
		for b, bl := range g.basis.blocks {
			out[i*w+b] = floats.Dot(u[i*g.q+bl.from:i*g.q+bl.to], v[bl.from:bl.to])
		}
	}
	return out
}

// MixRankOne moves dst to (1−η)P + ηvvᵀ. Here from is K(P), and v has length 2q. It takes O(n²) for the basis X. For ZX
// it takes O(n²) for each sum of powers.
func (g *Grams) MixRankOne(dst, from kernel.Gram, v []float64, eta float64) bool {
	to, _ := dst.(*gram)
	o, _ := from.(*gram)
	if to == nil || o == nil || to.g != g.fitted || o.g != g.fitted {
		return false
	}
	to.mixRankOne(o, v, eta)
	return true
}

func (g *gram) mixRankOne(o *gram, v []float64, eta float64) {
	f := g.g
	switch {
	case o.k == nil:
		panic(notAtAll)
	case len(v) != 2*f.q:
		panic(badLength)
	}
	first, second := f.halves(v)
	w := len(f.basis.blocks)
	e, s := f.products(f.p.u, first), f.products(f.p.u, second) // n×w
	var r []float64
	if !f.f.Uncentred {
		r = f.rankOneMeans(e, s, first, second)
	}
	k, old := g.storage(), o.storage()
	g.sizes = o.sizes.towards(sizes{floats.Dot(first, first), floats.Norm(first, 2) * floats.Norm(second, 2),
		f.areasOf(second), 0}, eta)
	n := f.p.n
	if f.f.Variant == Orthant {
		scaleUpper(g.on, k, old, n, 1-eta)
		g.assemble(k, eta, f.rankOneParts(e, s), factor{}, factor{}, r)
		return
	}
	// F_b = Σ_a t_ab∘e_a + ½Σ_a A_ab s_a, H_b = s_b
	h := f.products(f.uc, second)
	fs, mean := make([]float64, n*w), make([]float64, w)
	for b := range w {
		for a := range w {
			t := f.p.t[f.basis.sum[a][b]]
			for i := range n {
				fs[i*w+b] += t[i] * e[i*w+a]
			}
		}
	}
	if !f.f.Uncentred {
		centre(mean, fs, w)
	}
	for b := range w {
		for a := range w {
			area := f.area[f.basis.sum[a][b]] / 2
			for i := range n {
				fs[i*w+b] += area * h[i*w+a]
			}
		}
	}
	if w == 1 {
		g.fused(k, old, e, fs, h, r, eta)
		return
	}
	scaleUpper(g.on, k, old, n, 1-eta)
	g.assemble(k, eta, f.rankOneParts(e, s), factor{fs, w, w}, factor{h, w, w}, r)
}

// scaleUpper stores the upper triangle of c·old in k.
func scaleUpper(on linalg.Bound, k, old []float64, n int, c float64) {
	on.Run(linalg.TileFunc(func(t int) {
		for i := t * tileRows; i < min(n, (t+1)*tileRows); i++ {
			floats.ScaleTo(k[i*n+i:(i+1)*n], c, old[i*n+i:(i+1)*n])
		}
	}), tilesOf(n))
}

// fused stores K = (1−η)old + η(V∘eeᵀ + fhᵀ + hfᵀ − r1ᵀ − 1rᵀ + mean r) in k in one pass.
func (g *gram) fused(k, old, e, f, h, r []float64, eta float64) {
	n := g.g.p.n
	grand, scaled := 0.0, make([]float64, n)
	if r != nil {
		grand = eta * floats.Sum(r) / float64(n)
		floats.ScaleTo(scaled, eta, r)
	}
	g.on.Run(linalg.TileFunc(func(t int) {
		for i := t * tileRows; i < min(n, (t+1)*tileRows); i++ {
			dst := k[i*n+i : (i+1)*n]
			was, v := old[i*n+i:][:len(dst)], g.g.vrow(i)[:len(dst)]
			es, fs, hs, rs := e[i:][:len(dst)], f[i:][:len(dst)], h[i:][:len(dst)], scaled[i:][:len(dst)]
			ei, fi, hi, gi, keep := eta*es[0], eta*fs[0], eta*hs[0], grand-rs[0], 1-eta
			for j := range dst {
				dst[j] = keep*was[j] + (ei*v[j]*es[j] + (fi*hs[j] + hi*fs[j] + (gi - rs[j])))
			}
		}
	}), tilesOf(n))
}

// sides returns the left and the right factor of a part of kind k. Each is e or s.
func (k kind) sides(e, s []float64) (left, right []float64) {
	left, right = e, e
	if k == back || k == below {
		left = s
	}
	if k == between || k == below {
		right = s
	}
	return left, right
}

// rankOneParts returns the parts of K(P) for P = vvᵀ.
func (g *fitted) rankOneParts(e, s []float64) []part {
	var all []part
	w := len(g.basis.blocks)
	for _, kd := range g.kinds() {
		l, r := kd.sides(e, s)
		for c := range g.area {
			p := part{k: kd, c: c}
			for a := range w {
				for b := range w {
					if g.basis.sum[a][b] == c {
						p.left, p.right = append(p.left, factor{l[a:], w, 1}), append(p.right, factor{r[b:], w, 1})
					}
				}
			}
			all = append(all, p)
		}
	}
	return all
}

// rankOneMeans returns rowMeans for P = vvᵀ.
func (g *fitted) rankOneMeans(e, s, first, second []float64) []float64 {
	n, w := g.p.n, len(g.basis.blocks)
	r := make([]float64, n)
	for ki, kd := range g.kinds() {
		l, _ := kd.sides(e, s)
		_, v := kd.sides(first, second)
		for b, bl := range g.basis.blocks {
			for a := range w {
				nu := g.nu[g.nuAt(ki, g.basis.sum[a][b], b)]
				for i := range n {
					r[i] += l[i*w+a] * floats.Dot(nu[i*bl.len():(i+1)*bl.len()], v[bl.from:bl.to])
				}
			}
		}
	}
	return r
}

// K returns K(P). Only the upper triangle of its n² numbers is stored.
func (g *gram) K() *kernel.Matrix {
	if g.k == nil {
		panic(notAtAll)
	}
	return kernel.NewMatrix(g.g.p.n, kernel.Form{Dense: func() *mat.SymDense { return g.k }, Bounds: g.Bounds})
}
