package tessellated

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
)

const (
	badTheta = "tessellated: θ has %d entries; pass the %d entries of the parameter matrix, 2q×2q for q monomials"
	noTheta  = "tessellated: the Gram has no θ; call SetTheta first"
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
	_ kernel.RankOneMixed = (*gram)(nil)
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
		panic(fmt.Sprintf(badTheta, len(theta), 4*f.q*f.q))
	}
	f.computeVolumesAndScales(g.threads)
	transformed := f.newTransformedP()
	f.storeTransformedP(transformed, theta)
	mean := make([]float64, f.q)
	h := f.computeLowRankFactor(transformed, f.p, f.centeredMonomials, mean, true)
	var r []float64
	if !f.f.Uncentered {
		r = f.computeRowMeansOfJointTerms(transformed)
	}
	k := g.entriesOfK()
	clear(k)
	terms := f.computeJointTerms(transformed, f.p, f.p)
	g.addTermsToK(k, 1, terms, factor{h, f.q, f.q}, factor{f.centeredMonomials, f.q, f.q}, r)
	g.norms = normBounds{floats.Norm(transformed.m, 2), floats.Norm(transformed.r, 2),
		f.computeWeightedNorm(transformed.s), 0}
}

// addTermsToK adds η(T + FHᵀ + HFᵀ − r1ᵀ − 1rᵀ + mean r) to the upper triangle of k. T is the sum of terms, and F and H
// are lowRank and monomials. r is rowMeans, the means of the rows of T. If it is nil, the terms with r are omitted.
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
				singleThread.Gemm(false, true, i1-i0, w, l.w, eta, l.entriesFromRow(i0), l.ld,
					p.rightFactors[j].entriesFromRow(i0), p.rightFactors[j].ld,
					beta, c, w)
				beta = 1
			}
			for i := i0; i < i1; i++ {
				dst, a := k[i*n+i:(i+1)*n], c[(i-i0)*w+i-i0:(i-i0+1)*w]
				v := integrals[:n-i]
				if p.exponentSumIndex == 0 {
					v = g.g.upperRowOfVolumes(i)
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
			singleThread.Gemm(false, true, i1-i0, w, lowRank.w, eta, p[0].entriesFromRow(i0), p[0].ld,
				p[1].entriesFromRow(i0), p[1].ld, 1, k[i0*n+i0:], n)
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

// expandInMonomials returns vectors a and b of length q with √c vᵀN = aᵀZ·1{z ≥ x} + bᵀZ, where c is kernelMultiplier,
// Z(z,x) are the q monomials, and the kernel of P is ∫N(z,x)ᵀPN(z,y)dz.
func (g *fitted) expandInMonomials(v []float64) (indicatorCoefs, monomialCoefs []float64) {
	q := g.q
	indicatorCoefs, monomialCoefs = make([]float64, q), make([]float64, q)
	s := math.Sqrt(g.kernelMultiplier)
	firstScale, subtractedScale := g.computeIntegrandScales()
	for i, at := range g.basis.columnOfMonomial {
		monomialCoefs[at] = s * v[q+i]
		indicatorCoefs[at] = firstScale*(s*v[i]) - subtractedScale*monomialCoefs[at]
	}
	return indicatorCoefs, monomialCoefs
}

// sumMonomialsByBlock returns an n×w matrix with one column for each of the w blocks of monomials: the columns of this
// block in monomials, n×q, times the entries of coefs in this block.
func (g *fitted) sumMonomialsByBlock(monomials, coefs []float64) []float64 {
	w := len(g.basis.blocks)
	n := len(monomials) / g.q
	blockSums := make([]float64, n*w)
	for i := range n {
		for b, bl := range g.basis.blocks {
			blockSums[i*w+b] = floats.Dot(monomials[i*g.q+bl.firstCol:i*g.q+bl.endCol], coefs[bl.firstCol:bl.endCol])
		}
	}
	return blockSums
}

// MixRankOne sets P to (1−η)P + ηvvᵀ, where P is the parameter matrix of from and v has length 2q. It takes O(n²) for
// each distinct sum of the exponents of z in two monomials. Basis X has one such sum, 0. MixRankOne returns false if
// from is not a Gram of the same points.
func (g *gram) MixRankOne(from kernel.Gram, v []float64, eta float64) bool {
	fromGram, _ := from.(*gram)
	if fromGram == nil || fromGram.g != g.g {
		return false
	}
	g.storeMixtureWithRankOne(fromGram, v, eta)
	return true
}

func (g *gram) storeMixtureWithRankOne(from *gram, v []float64, eta float64) {
	f := g.g
	switch {
	case from.k == nil:
		panic(noTheta)
	case len(v) != 2*f.q:
		panic(fmt.Sprintf("tessellated: v of MixRankOne has %d entries; pass %d, 2q for q monomials", len(v), 2*f.q))
	}
	indicatorCoefs, monomialCoefs := f.expandInMonomials(v)
	w := len(f.basis.blocks)
	indicatorSums := f.sumMonomialsByBlock(f.p.u, indicatorCoefs)
	var rowMeans []float64
	if !f.f.Uncentered {
		rowMeans = f.computeRowMeansForRankOneP(indicatorSums, indicatorCoefs)
	}
	k, oldEntries := g.entriesOfK(), from.entriesOfK()
	g.norms = from.norms.mixBounds(normBounds{m: floats.Dot(indicatorCoefs, indicatorCoefs),
		r: floats.Norm(indicatorCoefs, 2) * floats.Norm(monomialCoefs, 2),
		s: f.computeWeightedNormOfOuterProduct(monomialCoefs)}, eta)
	n := f.p.n
	// The terms of K(vvᵀ) with integrals that depend on at most one point are FHᵀ + HFᵀ with F = lowRank and
	// H = monomialSums. F_b = Σ_a (t_ab∘e_a + ½A_ab H_a), where e_a are the columns of indicatorSums. t_ab(x) and A_ab
	// are the integrals of the product of the powers of z in blocks a and b, over z ≥ x and over the box.
	monomialSums := f.sumMonomialsByBlock(f.centeredMonomials, monomialCoefs)
	lowRank, columnMeans := make([]float64, n*w), make([]float64, w)
	for b := range w {
		for a := range w {
			t := f.p.t[f.basis.exponentSumIndex[a][b]]
			for i := range n {
				lowRank[i*w+b] += t[i] * indicatorSums[i*w+a]
			}
		}
	}
	if !f.f.Uncentered {
		centerColumns(columnMeans, lowRank, w)
	}
	for b := range w {
		for a := range w {
			halfIntegral := f.boxIntegrals[f.basis.exponentSumIndex[a][b]] / 2
			for i := range n {
				lowRank[i*w+b] += halfIntegral * monomialSums[i*w+a]
			}
		}
	}
	if w == 1 {
		g.mixRankOneIntoK(k, oldEntries, indicatorSums, lowRank, monomialSums, rowMeans, eta)
		return
	}
	g.threads.Run(countRowTiles(n), func(t int) {
		for i := t * tileRows; i < min(n, (t+1)*tileRows); i++ {
			floats.ScaleTo(k[i*n+i:(i+1)*n], 1-eta, oldEntries[i*n+i:(i+1)*n])
		}
	})
	g.addTermsToK(k, eta, f.computeJointTermsForRankOneP(indicatorSums), factor{lowRank, w, w},
		factor{monomialSums, w, w}, rowMeans)
}

// mixRankOneIntoK stores (1−η)oldK + ηK(vvᵀ) in the upper triangle of k, with the volumes V of z ≥ x_i, z ≥ x_j in the
// box and K(vvᵀ) = V∘eeᵀ + fhᵀ + hfᵀ − r1ᵀ − 1rᵀ + mean r. e, f and h are indicatorSums, lowRank and monomialSums. r is
// rowMeans, the means of the rows of V∘eeᵀ. If it is nil, the terms with r are omitted.
func (g *gram) mixRankOneIntoK(k, oldK, indicatorSums, lowRank, monomialSums, rowMeans []float64, eta float64) {
	n := g.g.p.n
	grandMean, etaTimesRowMeans := 0.0, make([]float64, n)
	if rowMeans != nil {
		grandMean = eta * floats.Sum(rowMeans) / float64(n)
		floats.ScaleTo(etaTimesRowMeans, eta, rowMeans)
	}
	g.threads.Run(countRowTiles(n), func(t int) {
		for i := t * tileRows; i < min(n, (t+1)*tileRows); i++ {
			dst := k[i*n+i : (i+1)*n]
			oldRow, v := oldK[i*n+i:][:len(dst)], g.g.upperRowOfVolumes(i)[:len(dst)]
			es, fs, hs := indicatorSums[i:][:len(dst)], lowRank[i:][:len(dst)], monomialSums[i:][:len(dst)]
			rs := etaTimesRowMeans[i:][:len(dst)]
			ei, fi, hi, gi, oldWeight := eta*es[0], eta*fs[0], eta*hs[0], grandMean-rs[0], 1-eta
			for j := range dst {
				dst[j] = oldWeight*oldRow[j] + (ei*v[j]*es[j] + (fi*hs[j] + hi*fs[j] + (gi - rs[j])))
			}
		}
	})
}

// computeJointTermsForRankOneP returns the terms of K(vvᵀ) with integrals that depend on two points. vᵀN(z,x) is
// Σ_a s_a(x) z^γ_a 1{z ≥ x} over the blocks a, plus terms without 1{z ≥ x}. Column a of indicatorSums is s_a.
func (g *fitted) computeJointTermsForRankOneP(indicatorSums []float64) []jointTerm {
	var terms []jointTerm
	w := len(g.basis.blocks)
	for c := range g.boxIntegrals {
		p := jointTerm{exponentSumIndex: c}
		for a := range w {
			for b := range w {
				if g.basis.exponentSumIndex[a][b] == c {
					p.leftFactors = append(p.leftFactors, factor{indicatorSums[a:], w, 1})
					p.rightFactors = append(p.rightFactors, factor{indicatorSums[b:], w, 1})
				}
			}
		}
		terms = append(terms, p)
	}
	return terms
}

// computeRowMeansForRankOneP returns the means of the rows of the terms of K(vvᵀ) with integrals that depend on two
// points. indicatorCoefs are the coefficients of Z·1{z ≥ x} in vᵀN(z,x), and column a of indicatorSums has their sum of
// the powers x^δ of block a.
func (g *fitted) computeRowMeansForRankOneP(indicatorSums, indicatorCoefs []float64) []float64 {
	n, w := g.p.n, len(g.basis.blocks)
	r := make([]float64, n)
	for b, bl := range g.basis.blocks {
		coefs := indicatorCoefs[bl.firstCol:bl.endCol]
		for a := range w {
			nu := g.integralMeans[g.basis.exponentSumIndex[a][b]][b]
			for i := range n {
				r[i] += indicatorSums[i*w+a] * floats.Dot(nu[i*bl.len():(i+1)*bl.len()], coefs)
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
