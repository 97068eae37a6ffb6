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
	badTheta  = "tessellated: θ has the wrong length; pass one number per entry of the parameter matrix, see ThetaShape"
	badLength = "tessellated: a vector has the wrong length; pass one weight per point, or one number per row of θ"
	noTheta   = "tessellated: the Gram has no θ; call SetTheta first"
)

// gram is K(P). It stores K, n² numbers, and bounds on norms of blocks of P, but not P.
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

func (g *gram) entriesOfK() []float64 {
	if g.k == nil {
		g.k = mat.NewSymDense(g.g.p.n, nil)
	}
	return g.k.RawSymmetric().Data
}

var bufferPool = sync.Pool{New: func() any { return new([]float64) }}

// SetTheta computes K(P) in O(n²q + nq²) with q monomials in the point x. With monomials in x and z (ZX), it takes at
// most this time for each distinct sum of the exponents of z in two monomials. For f features and degree d there are
// C(f+2d, 2d) sums, about f²/2 for d = 1.
func (g *gram) SetTheta(theta []float64) {
	f := g.g
	f.mustBeBound()
	if len(theta) != 4*f.q*f.q {
		panic(badTheta)
	}
	f.computeVolumesAndScales(g.threads)
	transformed := f.newTransformedP()
	f.setTransformedP(transformed, theta)
	mean := make([]float64, f.q)
	h := f.computeLowRankFactor(transformed, f.p, f.centeredMonomials, mean, true)
	var r []float64
	if !f.f.Uncentered {
		r = f.rowMeans(transformed)
	}
	k := g.entriesOfK()
	clear(k)
	terms := f.computeJointTerms(transformed, f.p, f.p)
	g.addTermsToK(k, 1, terms, factor{h, f.q, f.q}, factor{f.centeredMonomials, f.q, f.q}, r)
	g.norms = normBounds{floats.Norm(transformed.m, 2), floats.Norm(transformed.r, 2),
		f.normWeightedByBoxIntegrals(transformed.s), 0}
}

// addTermsToK adds η(T + FHᵀ + HFᵀ − r1ᵀ − 1rᵀ + mean r) to the upper triangle of k. T is the sum of terms, and F and H
// are lowRank and monomials. r is rowMeans, the means of the rows of T, with which T is centered, or nil to omit these.
func (g *gram) addTermsToK(k []float64, eta float64, terms []jointTerm, lowRank, monomials factor, rowMeans []float64) {
	n, singleThread := g.g.p.n, linalg.ThreadLimit(1)
	grandMean := 0.0
	if rowMeans != nil {
		grandMean = floats.Sum(rowMeans) / float64(n)
	}
	g.threads.Run(countRowTiles(n), func(t int) {
		i0, i1 := t*tileRows, min(n, (t+1)*tileRows)
		w := n - i0
		buf := bufferPool.Get().(*[]float64)
		defer bufferPool.Put(buf)
		*buf = slices.Grow((*buf)[:0], (i1-i0+1)*w)[:(i1-i0+1)*w]
		c, integrals := (*buf)[:(i1-i0)*w], (*buf)[(i1-i0)*w:]
		for _, p := range terms {
			beta := 0.0
			for j, l := range p.leftFactors {
				singleThread.Gemm(false, true, i1-i0, w, l.w, eta, l.dataFromRow(i0), l.ld,
					p.rightFactors[j].dataFromRow(i0), p.rightFactors[j].ld,
					beta, c, w)
				beta = 1
			}
			for i := i0; i < i1; i++ {
				dst, a := k[i*n+i:(i+1)*n], c[(i-i0)*w+i-i0:(i-i0+1)*w]
				v := integrals[:n-i]
				if p.exponentSumIndex == 0 {
					v = g.g.rowOfVolumes(i)
				} else {
					g.g.storeRowOfJointIntegrals(v, p.exponentSumIndex, i)
				}
				v, a = v[:len(dst)], a[:len(dst)]
				for j := range dst {
					dst[j] += v[j] * a[j]
				}
			}
		}
		for _, p := range [2][2]factor{{lowRank, monomials}, {monomials, lowRank}} {
			singleThread.Gemm(false, true, i1-i0, w, lowRank.w, eta, p[0].dataFromRow(i0), p[0].ld,
				p[1].dataFromRow(i0), p[1].ld, 1, k[i0*n+i0:], n)
		}
		if rowMeans != nil {
			for i := i0; i < i1; i++ {
				dst := k[i*n+i : (i+1)*n]
				gi := grandMean - rowMeans[i]
				for j, v := range rowMeans[i:] {
					dst[j] += eta * (gi - v)
				}
			}
		}
	})
}

// transformVector returns vectors v₁ and v₂ of length q with √c vᵀN = v₁ᵀE₁ + v₂ᵀE₂, c = kernelMultiplier: the matrix
// c vvᵀ in the basis N is (v₁; v₂)(v₁; v₂)ᵀ in the basis E = (E₁, E₂) of transformedP.
func (g *fitted) transformVector(v []float64) (onE1, onE2 []float64) {
	q := g.q
	onE1, onE2 = make([]float64, q), make([]float64, q)
	s := math.Sqrt(g.kernelMultiplier)
	alpha, beta := g.coefficientsOfN() // N = (αE₁, E₂ − βE₁)
	for i, at := range g.basis.columnOfMonomial {
		onE2[at] = s * v[q+i]
		onE1[at] = alpha*(s*v[i]) - beta*onE2[at]
	}
	return onE1, onE2
}

// multiplyByBlocks returns the n×w matrix with one column U_a v_a for each of the w blocks a of monomials. U_a has the
// columns of the n×q matrix monomials in block a, and v_a the entries of v in block a.
func (g *fitted) multiplyByBlocks(monomials, v []float64) []float64 {
	w := len(g.basis.blocks)
	n := len(monomials) / g.q
	products := make([]float64, n*w)
	for i := range n {
		for b, bl := range g.basis.blocks {
			products[i*w+b] = floats.Dot(monomials[i*g.q+bl.firstCol:i*g.q+bl.endCol], v[bl.firstCol:bl.endCol])
		}
	}
	return products
}

// MixRankOne sets dst to K at (1−η)P + ηvvᵀ, where P is the parameter matrix of from and v has length 2q. It takes
// O(n²) for each distinct sum of the exponents of z in two monomials: once if monomials contain only the point x.
func (g *Grams) MixRankOne(dst, from kernel.Gram, v []float64, eta float64) bool {
	to, _ := dst.(*gram)
	fromGram, _ := from.(*gram)
	if to == nil || fromGram == nil || to.g != g.fitted || fromGram.g != g.fitted {
		return false
	}
	to.storeRankOneMixture(fromGram, v, eta)
	return true
}

// storeRankOneMixture sets g to K at (1−η)P + ηvvᵀ, where P is the parameter matrix of from.
func (g *gram) storeRankOneMixture(from *gram, v []float64, eta float64) {
	f := g.g
	switch {
	case from.k == nil:
		panic(noTheta)
	case len(v) != 2*f.q:
		panic(badLength)
	}
	onE1, onE2 := f.transformVector(v)
	w := len(f.basis.blocks)
	e := f.multiplyByBlocks(f.p.u, onE1) // n×w: column b is the product of the monomials in block b with onE1
	var r []float64
	if !f.f.Uncentered {
		r = f.rowMeansOfRankOne(e, onE1)
	}
	k, oldEntries := g.entriesOfK(), from.entriesOfK()
	g.norms = from.norms.boundsOfMixture(normBounds{floats.Dot(onE1, onE1), floats.Norm(onE1, 2) * floats.Norm(onE2, 2),
		f.outerNormWeightedByBoxIntegrals(onE2), 0}, eta)
	n := f.p.n
	// The terms of K(vvᵀ) with integrals that depend on at most one point are FHᵀ + HFᵀ. Block b of monomials has one
	// column in F and H: H_b = h_b, F_b = Σ_a t_ab∘e_a + Σ_a halfIntegral_ab h_a, with columns e_a of e and h_a of h.
	h := f.multiplyByBlocks(f.centeredMonomials, onE2)
	fs, columnMeans := make([]float64, n*w), make([]float64, w)
	for b := range w {
		for a := range w {
			t := f.p.t[f.basis.exponentSumIndex[a][b]]
			for i := range n {
				fs[i*w+b] += t[i] * e[i*w+a]
			}
		}
	}
	if !f.f.Uncentered {
		centerColumns(columnMeans, fs, w)
	}
	for b := range w {
		for a := range w {
			halfIntegral := f.boxIntegrals[f.basis.exponentSumIndex[a][b]] / 2
			for i := range n {
				fs[i*w+b] += halfIntegral * h[i*w+a]
			}
		}
	}
	if w == 1 {
		g.mixRankOneIntoK(k, oldEntries, e, fs, h, r, eta)
		return
	}
	g.threads.Run(countRowTiles(n), func(t int) {
		for i := t * tileRows; i < min(n, (t+1)*tileRows); i++ {
			floats.ScaleTo(k[i*n+i:(i+1)*n], 1-eta, oldEntries[i*n+i:(i+1)*n])
		}
	})
	g.addTermsToK(k, eta, f.jointTermsOfRankOne(e), factor{fs, w, w}, factor{h, w, w}, r)
}

// mixRankOneIntoK stores (1−η)old + ηK(vvᵀ) in the upper triangle of k, in one pass. With V of rowOfVolumes,
// K(vvᵀ) = V∘eeᵀ + fhᵀ + hfᵀ − r1ᵀ − 1rᵀ + mean r. r are the row means of V∘eeᵀ, which r centers, or nil.
func (g *gram) mixRankOneIntoK(k, old, e, f, h, r []float64, eta float64) {
	n := g.g.p.n
	grandMean, etaTimesRowMeans := 0.0, make([]float64, n)
	if r != nil {
		grandMean = eta * floats.Sum(r) / float64(n)
		floats.ScaleTo(etaTimesRowMeans, eta, r)
	}
	g.threads.Run(countRowTiles(n), func(t int) {
		for i := t * tileRows; i < min(n, (t+1)*tileRows); i++ {
			dst := k[i*n+i : (i+1)*n]
			oldRow, v := old[i*n+i:][:len(dst)], g.g.rowOfVolumes(i)[:len(dst)]
			es, fs, hs, rs := e[i:][:len(dst)], f[i:][:len(dst)], h[i:][:len(dst)], etaTimesRowMeans[i:][:len(dst)]
			ei, fi, hi, gi, oldWeight := eta*es[0], eta*fs[0], eta*hs[0], grandMean-rs[0], 1-eta
			for j := range dst {
				dst[j] = oldWeight*oldRow[j] + (ei*v[j]*es[j] + (fi*hs[j] + hi*fs[j] + (gi - rs[j])))
			}
		}
	})
}

// jointTermsOfRankOne returns the terms of K(vvᵀ) with integrals that depend on two points. For each block a of
// monomials, products has the column U_a v_a: the monomials times v in the basis of transformedP.
func (g *fitted) jointTermsOfRankOne(products []float64) []jointTerm {
	var terms []jointTerm
	w := len(g.basis.blocks)
	for c := range g.boxIntegrals {
		p := jointTerm{exponentSumIndex: c}
		for a := range w {
			for b := range w {
				if g.basis.exponentSumIndex[a][b] == c {
					p.leftFactors = append(p.leftFactors, factor{products[a:], w, 1})
					p.rightFactors = append(p.rightFactors, factor{products[b:], w, 1})
				}
			}
		}
		terms = append(terms, p)
	}
	return terms
}

// rowMeansOfRankOne returns the means of the rows of the terms of K(vvᵀ) with integrals that depend on two points. onE1
// is v₁ of transformVector, and products has a column U_a v₁_a for each block a of monomials.
func (g *fitted) rowMeansOfRankOne(products, onE1 []float64) []float64 {
	n, w := g.p.n, len(g.basis.blocks)
	r := make([]float64, n)
	for b, bl := range g.basis.blocks {
		for a := range w {
			nu := g.integralMeans[g.integralMeanIndex(g.basis.exponentSumIndex[a][b], b)]
			for i := range n {
				r[i] += products[i*w+a] * floats.Dot(nu[i*bl.len():(i+1)*bl.len()], onE1[bl.firstCol:bl.endCol])
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
	return kernel.NewMatrix(g.g.p.n, kernel.Form{Dense: func() *mat.SymDense { return g.k },
		ErrorBounds: g.ErrorBounds})
}
