package tessellated

import (
	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/linalg"
)

// transformedP holds the parameter matrix P = [Q R; Rᵀ S] of the kernel k_P(x,y) = ∫N(z,x)ᵀPN(z,y)dz in the basis
// E = (E₁, E₂) = (Z·1{z ≥ x}, Z), in which K is computed. Z(z,x) are the q monomials, and NᵀPN = Eᵀ[M R'; R'ᵀ S']E:
//
//	Plain     N = (E₁, E₂ − E₁)  M = Q−R−Rᵀ+S  R' = R−S  S' = S
//	Balanced  N = (ρE₁, E₂)      M = ρ²Q       R' = ρR   S' = S
//
// M, R' and S', q×q, are also multiplied by kernelMultiplier. Monomials with equal powers of z are adjacent in them.
type transformedP struct {
	q       int
	m, r, s []float64
}

func (g *fitted) newTransformedP() *transformedP {
	n := g.q * g.q
	return &transformedP{g.q, make([]float64, n), make([]float64, n), make([]float64, n)}
}

// computeIntegrandScales returns a = firstScale and b = subtractedScale of the vector N(z,x) in the kernel ∫NᵀPN dz:
// N = (aZ·1{z ≥ x}, Z − bZ·1{z ≥ x}), where Z(z,x) are the q monomials.
func (g *fitted) computeIntegrandScales() (firstScale, subtractedScale float64) {
	if g.f.TraceMetric == Balanced {
		return g.rho, 0
	}
	return 1, 1
}

// addToEntryOfP changes k, which holds P in the basis (Z·1{z ≥ x}, Z), as if v were added to entry (i, j) of P.
func (g *fitted) addToEntryOfP(k *transformedP, i, j int, v float64) {
	firstScale, subtractedScale := g.computeIntegrandScales()
	// expandEntryOfN writes entry i of N(z,x) as (indicatorCoef·1{z ≥ x} + monomialCoef) times one monomial.
	expandEntryOfN := func(i int) (column int, indicatorCoef, monomialCoef float64) {
		if i < g.q {
			return g.basis.columnOfMonomial[i], firstScale, 0
		}
		return g.basis.columnOfMonomial[i-g.q], -subtractedScale, 1
	}
	pi, i1, i2 := expandEntryOfN(i)
	pj, j1, j2 := expandEntryOfN(j)
	v *= g.kernelMultiplier
	k.m[pi*g.q+pj] += i1 * j1 * v
	k.r[pi*g.q+pj] += i1 * j2 * v / 2 // k.r is the mean of R' and of the transposed lower left block
	k.r[pj*g.q+pi] += i2 * j1 * v / 2
	k.s[pi*g.q+pj] += i2 * j2 * v
}

// storeTransformedP stores in k the symmetric part of P, θ = vec P, in the basis (Z·1{z ≥ x}, Z) of the monomials Z.
func (g *fitted) storeTransformedP(k *transformedP, theta []float64) {
	clear(k.m)
	clear(k.r)
	clear(k.s)
	w := 2 * g.q
	for i := range w {
		for j := range w {
			if v := theta[i*w+j]; v != 0 {
				g.addToEntryOfP(k, i, j, v)
			}
		}
	}
	// Replace M and S', the blocks on the diagonal, by their symmetric parts.
	for _, a := range [][]float64{k.m, k.s} {
		for i := range g.q {
			for j := range i {
				v := (a[i*g.q+j] + a[j*g.q+i]) / 2
				a[i*g.q+j], a[j*g.q+i] = v, v
			}
		}
	}
}

// multiplyByPartOfM stores β·dst + XBᵀ in dst. B has the given rows and columns of M, the block for
// Z·1{z ≥ x} of the parameter matrix in the basis (Z·1{z ≥ x}, Z). X and dst have n rows, X with stride ld.
func (k *transformedP) multiplyByPartOfM(n int, x []float64, ld int, columns, rows block, beta float64, dst []float64) {
	m, w := k.m[rows.firstCol*k.q+columns.firstCol:], rows.len()
	linalg.ThreadLimit(0).Gemm(false, true, n, w, columns.len(), 1, x, ld, m, k.q, beta, dst, w)
}

// jointTerm is one term vol_c(x, y) Σ_i left_i(x)ᵀright_i(y) of the kernel. vol_c(x, y) is the integral of z^c over
// the part of the box with z ≥ x and z ≥ y. Each i is a pair of blocks of features, one of x and
// one of y, whose exponents of z have the sum c.
type jointTerm struct {
	exponentSumIndex int      // the index of the exponents c in basis.exponentSums
	leftFactors      []factor // row j of factor i is left_i(x_j) of the sum Σ_i left_i(x)ᵀright_i(y)
	rightFactors     []factor // row j of factor i is right_i(y_j) of the sum Σ_i left_i(x)ᵀright_i(y)
}

// factor is one factor of a matrix product. It has w columns, and its row i begins at entries[i·ld].
type factor struct {
	entries []float64
	ld, w   int
}

func (f factor) entriesFromRow(i int) []float64 { return f.entries[i*f.ld:] }

// computeJointTerms returns the terms of K between the points x and y whose integrals depend on a point of x and a
// point of y. The left factors are blocks of columns of the matrix of monomials of x. The right factors are
// products of such blocks of y with submatrices of M, the block of P in the basis (Z·1{z ≥ x}, Z) for Z·1{z ≥ x}.
func (g *fitted) computeJointTerms(k *transformedP, x, y *preparedPoints) []jointTerm {
	var terms []jointTerm
	q := g.q
	for c := range g.boxIntegrals {
		p := jointTerm{exponentSumIndex: c}
		for bi, b := range g.basis.blocks {
			for ei, e := range g.basis.blocks {
				if g.basis.exponentSumIndex[bi][ei] != c {
					continue
				}
				r := make([]float64, y.n*b.len())
				k.multiplyByPartOfM(y.n, y.u[e.firstCol:], q, e, b, 0, r)
				p.leftFactors = append(p.leftFactors, factor{x.u[b.firstCol:], q, b.len()})
				p.rightFactors = append(p.rightFactors, factor{r, b.len(), b.len()})
			}
		}
		terms = append(terms, p)
	}
	return terms
}

// computeLowRankFactor returns a matrix F, n×q, for the points p. The terms of K whose integrals depend on at most one
// point are FHᵀ + HFᵀ. H is monomials: the n×q matrix of monomials of the points, centered unless Uncentered is set.
//
//	F = G + ½H(A∘S'),  G_b = Σ_a t_ab∘U_a R'_ab.
//
// U_a are the columns of the uncentered monomials in block a. t_ab(x) is the integral of z^c over z ≥ x for the sum c
// of the exponents of blocks a and b, and A has the same integrals over the whole box. k holds the parameter matrix [M
// R'; R'ᵀ S']. Unless Uncentered is set, the means of the columns of G over the points of g are subtracted from G. If
// areFixedPoints is true, p are the points of g, and the means are an output. Otherwise they are an input.
func (g *fitted) computeLowRankFactor(k *transformedP, p *preparedPoints, monomials, mean []float64,
	areFixedPoints bool) []float64 {
	n, q := p.n, g.q
	f := make([]float64, n*q)
	t := make([]float64, n*q)
	for bi, b := range g.basis.blocks {
		for ai, a := range g.basis.blocks {
			tc := p.t[g.basis.exponentSumIndex[ai][bi]]
			for i, v := range tc {
				floats.ScaleTo(t[i*a.len():(i+1)*a.len()], v, p.u[i*q+a.firstCol:i*q+a.endCol])
			}
			if n > 0 {
				linalg.ThreadLimit(0).Gemm(false, false, n, b.len(), a.len(), 1, t, a.len(),
					k.r[a.firstCol*q+b.firstCol:], q, 1, f[b.firstCol:], q)
			}
		}
	}
	if !g.f.Uncentered {
		if areFixedPoints {
			centerColumns(mean, f, q)
		} else {
			for i := range n {
				floats.Sub(f[i*q:(i+1)*q], mean)
			}
		}
	}
	s := make([]float64, q*q)
	for ai, a := range g.basis.blocks {
		for bi, b := range g.basis.blocks {
			for i := a.firstCol; i < a.endCol; i++ {
				floats.ScaleTo(s[i*q+b.firstCol:i*q+b.endCol], g.boxIntegrals[g.basis.exponentSumIndex[ai][bi]]/2,
					k.s[i*q+b.firstCol:i*q+b.endCol])
			}
		}
	}
	if n > 0 {
		linalg.ThreadLimit(0).Gemm(false, false, n, q, q, 1, monomials, q, s, q, 1, f, q)
	}
	return f
}

// computeRowMeansOfJointTerms returns one number for each point x_i of g: the mean over j of the terms of K_ij whose
// integral vol depends on x_i and x_j. It is Σ_{a,b} u_a(x_i)ᵀM_ab ν_ab(x_i), where u_a are the monomials of block a,
// M_ab is the submatrix of k.m for blocks a and b, and ν_ab(x_i) = mean_j vol(x_i,x_j) u_b(x_j).
func (g *fitted) computeRowMeansOfJointTerms(k *transformedP) []float64 {
	n, q := g.p.n, g.q
	r := make([]float64, n)
	for bi, b := range g.basis.blocks {
		t := make([]float64, n*b.len())
		for ei, e := range g.basis.blocks {
			means := g.integralMeans[g.basis.exponentSumIndex[bi][ei]][ei]
			k.multiplyByPartOfM(n, means, e.len(), e, b, 1, t)
		}
		for i := range n {
			r[i] += floats.Dot(t[i*b.len():(i+1)*b.len()], g.p.u[i*q+b.firstCol:i*q+b.endCol])
		}
	}
	return r
}

// diagonalOfK returns K_ii for the points of g, centered unless Uncentered is set. k is P in the basis (Z·1{z ≥ x}, Z).
func (g *fitted) diagonalOfK(k *transformedP) []float64 {
	n, q := g.p.n, g.q
	d, volume := make([]float64, n), make([]float64, 1)
	for _, p := range g.computeJointTerms(k, g.p, g.p) {
		for i := range n {
			g.storeRowOfJointIntegrals(volume, p.exponentSumIndex, i)
			for j, l := range p.leftFactors {
				d[i] += volume[0] * floats.Dot(l.entriesFromRow(i)[:l.w], p.rightFactors[j].entriesFromRow(i)[:l.w])
			}
		}
	}
	f := g.computeLowRankFactor(k, g.p, g.centeredMonomials, make([]float64, q), true)
	for i := range n {
		d[i] += 2 * floats.Dot(f[i*q:(i+1)*q], g.centeredMonomials[i*q:(i+1)*q])
	}
	if !g.f.Uncentered {
		r := g.computeRowMeansOfJointTerms(k)
		grandMean := floats.Sum(r) / float64(n)
		for i := range n {
			d[i] += grandMean - 2*r[i]
		}
	}
	return d
}
