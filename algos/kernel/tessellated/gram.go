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
	badTheta  = "tessellated: the length of θ is not (2q)², the number of entries of P"
	badLength = "tessellated: a vector has the wrong length; pass one number per point (w) or per row of P (v)"
	noTheta   = "tessellated: the Gram has no θ; call SetTheta first"
)

// gram is K(P). It stores K, n² numbers, and bounds on norms of the core of P, but not P.
type gram struct {
	g       *fitted
	threads linalg.ThreadLimit

	k     *mat.SymDense
	norms normBounds
}

var (
	_ kernel.Gram         = (*gram)(nil)
	_ kernel.ErrorBounded = (*gram)(nil)
)

// New returns a Gram that has no θ yet.
func (g *Grams) New() kernel.Gram { return &gram{g: g.fitted, threads: g.threads} }

func (g *gram) Release() {}

// entriesOfK returns the n×n numbers in which K is stored.
func (g *gram) entriesOfK() []float64 {
	if g.k == nil {
		g.k = mat.NewSymDense(g.g.p.n, nil)
	}
	return g.k.RawSymmetric().Data
}

// bufferPool holds working storage for tiles.
var bufferPool = sync.Pool{New: func() any { return new([]float64) }}

// SetTheta computes K(P) in O(n²q + nq²) for the basis X. The basis ZX takes at most this time for each element
// of basis.powerSums. For f features and degree d there are C(f+2d, 2d) elements, which is about f²/2 for d = 1.
func (g *gram) SetTheta(theta []float64) {
	f := g.g
	f.mustBeBound()
	if len(theta) != 4*f.q*f.q {
		panic(badTheta)
	}
	f.computeVolumes(g.threads)
	core := f.newCore()
	f.setCore(core, theta)
	mean := make([]float64, f.q)
	h := f.lowRankFactor(core, f.p, f.uCentered, mean, true)
	var r []float64
	if !f.f.Uncentered {
		r = f.rowMeans(core)
	}
	k := g.entriesOfK()
	clear(k)
	g.addTermsToK(k, 1, f.volumeTerms(core, f.p, f.p), factor{h, f.q, f.q}, factor{f.uCentered, f.q, f.q}, r)
	g.norms = normBounds{floats.Norm(core.m, 2), floats.Norm(core.r, 2), f.boxWeightedNorm(core.s), 0}
}

// addTermsToK adds η(T + FHᵀ + HFᵀ − r1ᵀ − 1rᵀ + mean r) to the upper triangle of K, where T is the sum of the
// volumeTerms in terms. f and h are F and H of lowRankFactor. r are the rowMeans, or nil to omit the terms with r.
func (g *gram) addTermsToK(k []float64, eta float64, terms []volumeTerm, f, h factor, r []float64) {
	n, singleThread := g.g.p.n, linalg.ThreadLimit(1)
	grandMean := 0.0
	if r != nil {
		grandMean = floats.Sum(r) / float64(n)
	}
	g.threads.Run(tileCount(n), func(t int) {
		i0, i1 := t*tileRows, min(n, (t+1)*tileRows)
		w := n - i0
		buf := bufferPool.Get().(*[]float64)
		defer bufferPool.Put(buf)
		*buf = slices.Grow((*buf)[:0], (i1-i0+1)*w)[:(i1-i0+1)*w]
		c, volumes := (*buf)[:(i1-i0)*w], (*buf)[(i1-i0)*w:]
		for _, p := range terms {
			beta := 0.0
			for j, l := range p.leftFactors {
				singleThread.Gemm(false, true, i1-i0, w, l.w, eta, l.dataAtRow(i0), l.ld,
					p.rightFactors[j].dataAtRow(i0), p.rightFactors[j].ld,
					beta, c, w)
				beta = 1
			}
			for i := i0; i < i1; i++ {
				dst, a := k[i*n+i:(i+1)*n], c[(i-i0)*w+i-i0:(i-i0+1)*w]
				v := volumes[:n-i]
				if p.sumIndex == 0 {
					v = g.g.volumeRow(i)
				} else {
					g.g.storeIntegralRow(v, p.sumIndex, i)
				}
				v, a = v[:len(dst)], a[:len(dst)]
				for j := range dst {
					dst[j] += v[j] * a[j]
				}
			}
		}
		for _, p := range [2][2]factor{{f, h}, {h, f}} {
			singleThread.Gemm(false, true, i1-i0, w, f.w, eta, p[0].dataAtRow(i0), p[0].ld, p[1].dataAtRow(i0), p[1].ld,
				1, k[i0*n+i0:], n)
		}
		if r != nil {
			for i := i0; i < i1; i++ {
				dst := k[i*n+i : (i+1)*n]
				gi := grandMean - r[i]
				for j, v := range r[i:] {
					dst[j] += eta * (gi - v)
				}
			}
		}
	})
}

// splitCoreVector returns vectors v₁ and v₂ of length q such that P = vvᵀ is (v₁; v₂)(v₁; v₂)ᵀ in the coordinates of
// the core and in the order of basis.column.
func (g *fitted) splitCoreVector(v []float64) (first, second []float64) {
	q := g.q
	first, second = make([]float64, q), make([]float64, q)
	s := math.Sqrt(g.unitFactor)
	alpha, beta := g.coreCoordinates()
	for i, at := range g.basis.column {
		second[at] = s * v[q+i]
		first[at] = alpha*(s*v[i]) - beta*second[at]
	}
	return first, second
}

// blockProducts returns the n×w matrix with one column U_a v_a for each of the w blocks a of monomials. U_a has the
// columns of the monomials u in block a, and v_a the entries of v in block a.
func (g *fitted) blockProducts(u, v []float64) []float64 {
	w := len(g.basis.blocks)
	n := len(u) / g.q
	out := make([]float64, n*w)
	for i := range n {
		for b, bl := range g.basis.blocks {
			out[i*w+b] = floats.Dot(u[i*g.q+bl.first:i*g.q+bl.end], v[bl.first:bl.end])
		}
	}
	return out
}

// MixRankOne moves dst to (1−η)P + ηvvᵀ, where from is at P and v has length 2q. It takes O(n²) for the basis X. For
// the basis ZX it takes O(n²) for each distinct sum of the exponents of z in two monomials.
func (g *Grams) MixRankOne(dst, from kernel.Gram, v []float64, eta float64) bool {
	to, _ := dst.(*gram)
	oldEntries, _ := from.(*gram)
	if to == nil || oldEntries == nil || to.g != g.fitted || oldEntries.g != g.fitted {
		return false
	}
	to.mixRankOne(oldEntries, v, eta)
	return true
}

// mixRankOne moves g to (1−η)P + ηvvᵀ, where from is at P.
func (g *gram) mixRankOne(from *gram, v []float64, eta float64) {
	f := g.g
	switch {
	case from.k == nil:
		panic(noTheta)
	case len(v) != 2*f.q:
		panic(badLength)
	}
	first, second := f.splitCoreVector(v)
	w := len(f.basis.blocks)
	e := f.blockProducts(f.p.u, first) // n×w: column b is the product of block b of the monomials with first
	var r []float64
	if !f.f.Uncentered {
		r = f.rankOneMeans(e, first)
	}
	k, oldEntries := g.entriesOfK(), from.entriesOfK()
	g.norms = from.norms.mixBounds(normBounds{floats.Dot(first, first), floats.Norm(first, 2) * floats.Norm(second, 2),
		f.rankOneBoxWeightedNorm(second), 0}, eta)
	n := f.p.n
	// F and H of lowRankFactor for P = vvᵀ have one column for each block b: F_b = Σ_a t_ab∘e_a + ½Σ_a A_ab h_a and H_b
	// = h_b, where e_a and h_a are columns of e and h, t_ab is t, and A_ab is 2·area below.
	h := f.blockProducts(f.uCentered, second)
	fs, mean := make([]float64, n*w), make([]float64, w)
	for b := range w {
		for a := range w {
			t := f.p.t[f.basis.sumIndex[a][b]]
			for i := range n {
				fs[i*w+b] += t[i] * e[i*w+a]
			}
		}
	}
	if !f.f.Uncentered {
		centerColumns(mean, fs, w)
	}
	for b := range w {
		for a := range w {
			area := f.boxIntegrals[f.basis.sumIndex[a][b]] / 2
			for i := range n {
				fs[i*w+b] += area * h[i*w+a]
			}
		}
	}
	if w == 1 {
		g.mixInOnePass(k, oldEntries, e, fs, h, r, eta)
		return
	}
	g.threads.Run(tileCount(n), func(t int) {
		for i := t * tileRows; i < min(n, (t+1)*tileRows); i++ {
			floats.ScaleTo(k[i*n+i:(i+1)*n], 1-eta, oldEntries[i*n+i:(i+1)*n])
		}
	})
	g.addTermsToK(k, eta, f.rankOneTerms(e), factor{fs, w, w}, factor{h, w, w}, r)
}

// mixInOnePass stores (1−η)old + η(V∘eeᵀ + fhᵀ + hfᵀ − r1ᵀ − 1rᵀ + mean r) in the upper triangle of k, in one pass over
// memory. V is the matrix of volumeRow, and mean r is a constant.
func (g *gram) mixInOnePass(k, old, e, f, h, r []float64, eta float64) {
	n := g.g.p.n
	grandMean, scaledRowMeans := 0.0, make([]float64, n)
	if r != nil {
		grandMean = eta * floats.Sum(r) / float64(n)
		floats.ScaleTo(scaledRowMeans, eta, r)
	}
	g.threads.Run(tileCount(n), func(t int) {
		for i := t * tileRows; i < min(n, (t+1)*tileRows); i++ {
			dst := k[i*n+i : (i+1)*n]
			oldRow, v := old[i*n+i:][:len(dst)], g.g.volumeRow(i)[:len(dst)]
			es, fs, hs, rs := e[i:][:len(dst)], f[i:][:len(dst)], h[i:][:len(dst)], scaledRowMeans[i:][:len(dst)]
			ei, fi, hi, gi, oldWeight := eta*es[0], eta*fs[0], eta*hs[0], grandMean-rs[0], 1-eta
			for j := range dst {
				dst[j] = oldWeight*oldRow[j] + (ei*v[j]*es[j] + (fi*hs[j] + hi*fs[j] + (gi - rs[j])))
			}
		}
	})
}

// rankOneTerms returns the volumeTerms of K(P) for P = vvᵀ. e are blockProducts of U and v₁ of splitCoreVector.
func (g *fitted) rankOneTerms(e []float64) []volumeTerm {
	var terms []volumeTerm
	w := len(g.basis.blocks)
	for c := range g.boxIntegrals {
		p := volumeTerm{sumIndex: c}
		for a := range w {
			for b := range w {
				if g.basis.sumIndex[a][b] == c {
					p.leftFactors = append(p.leftFactors, factor{e[a:], w, 1})
					p.rightFactors = append(p.rightFactors, factor{e[b:], w, 1})
				}
			}
		}
		terms = append(terms, p)
	}
	return terms
}

// rankOneMeans returns rowMeans for P = vvᵀ. e are the blockProducts of U with first = v₁ of splitCoreVector.
func (g *fitted) rankOneMeans(e, first []float64) []float64 {
	n, w := g.p.n, len(g.basis.blocks)
	r := make([]float64, n)
	for b, bl := range g.basis.blocks {
		for a := range w {
			nu := g.nu[g.meanIndex(g.basis.sumIndex[a][b], b)]
			for i := range n {
				r[i] += e[i*w+a] * floats.Dot(nu[i*bl.len():(i+1)*bl.len()], first[bl.first:bl.end])
			}
		}
	}
	return r
}

// K returns K(P). Only the upper triangle of its n² numbers has values.
func (g *gram) K() *kernel.Matrix {
	if g.k == nil {
		panic(noTheta)
	}
	return kernel.NewMatrix(g.g.p.n, kernel.Form{Dense: func() *mat.SymDense { return g.k }, Bounds: g.Bounds})
}
