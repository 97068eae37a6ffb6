package tessellated

import (
	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/linalg"
)

// core holds the matrix P = [Q R; Rᵀ S] of the package comment in another basis E, in which K is computed:
// N(z,x)ᵀPN(z,y) = E(z,x)ᵀ[M R'; R'ᵀ S']E(z,y). For the metric Balanced, N stands for N' of Balanced. Here
//
//	Plain     E = (Z·1{z ≥ x}, Z)  M = Q−R−Rᵀ+S  R' = R−S  S' = S
//	Balanced  E = (Z·1{z ≥ x}, Z)  M = ρ²Q       R' = ρR   S' = S
//
// M, R' and S' are q×q. All three are also multiplied by fitted.unitFactor. Their rows and columns are in the order of
// basis.column, in which monomials with the same power of z are adjacent.
type core struct {
	q       int
	m, r, s []float64
}

// newCore returns a core with M = R' = S' = 0.
func (g *fitted) newCore() *core {
	n := g.q * g.q
	return &core{g.q, make([]float64, n), make([]float64, n), make([]float64, n)}
}

// coreCoordinates returns α and β such that N = (αE₁, E₂ − βE₁), where N and E = (E₁, E₂) are those of core.
func (g *fitted) coreCoordinates() (alpha, beta float64) {
	if g.f.Metric == Balanced {
		return g.rho, 0
	}
	return 1, 1
}

// addEntry changes the core k as if v were added to entry (i, j) of P.
func (g *fitted) addEntry(k *core, i, j int, v float64) {
	alpha, beta := g.coreCoordinates()
	// coefficients returns the coefficients of E₁ and E₂ in entry i of N, and the column of its monomial
	coefficients := func(i int) (column int, first, second float64) {
		if i < g.q {
			return g.basis.column[i], alpha, 0
		}
		return g.basis.column[i-g.q], -beta, 1
	}
	pi, i1, i2 := coefficients(i)
	pj, j1, j2 := coefficients(j)
	v *= g.unitFactor
	k.m[pi*g.q+pj] += i1 * j1 * v
	k.r[pi*g.q+pj] += i1 * j2 * v / 2 // R' = (upper right block + transposed lower left block)/2
	k.r[pj*g.q+pi] += i2 * j1 * v / 2
	k.s[pi*g.q+pj] += i2 * j2 * v
}

// setCore stores in k the core of P with θ = vec P. It uses the symmetric part of P.
func (g *fitted) setCore(k *core, theta []float64) {
	clear(k.m)
	clear(k.r)
	clear(k.s)
	w := 2 * g.q
	for i := range w {
		for j := range w {
			if v := theta[i*w+j]; v != 0 {
				g.addEntry(k, i, j, v)
			}
		}
	}
	// Replace M and S' by their symmetric parts.
	for _, a := range [][]float64{k.m, k.s} {
		for i := range g.q {
			for j := range i {
				v := (a[i*g.q+j] + a[j*g.q+i]) / 2
				a[i*g.q+j], a[j*g.q+i] = v, v
			}
		}
	}
}

// storeProductWithBlock stores β·dst + XM_beᵀ in dst, n×|b|. X is n×|e|, and its row i begins at x[i·ld]. M_be has the
// rows of block b and the columns of block e of M.
func (k *core) storeProductWithBlock(n int, x []float64, ld int, e, b block, beta float64, dst []float64) {
	m, w := k.m[b.first*k.q+e.first:], b.len()
	linalg.ThreadLimit(0).Gemm(false, true, n, w, e.len(), 1, x, ld, m, k.q, beta, dst, w)
}

// volumeTerm is one term vol_c(x, y) Σ_i left_i(x)ᵀright_i(y) of the kernel. vol_c(x, y) is the integral of z^c over
// the part of the box with z ≥ x and z ≥ y. The sum is over the pairs of blocks whose powers of z have the sum c.
type volumeTerm struct {
	sumIndex     int      // c is basis.powerSums[sumIndex]
	leftFactors  []factor // left_i: row j belongs to point j of x
	rightFactors []factor // right_i: row j belongs to point j of y
}

// factor is a matrix with w columns. Its row i begins at data[i·ld].
type factor struct {
	data  []float64
	ld, w int
}

func (f factor) dataAtRow(i int) []float64 { return f.data[i*f.ld:] }

// volumeTerms returns the terms of K between the points x and y with an integral that depends on both, for the core k.
// The left factors are blocks of the monomials U of x. The right factors are products of U of y with matrices of k.
func (g *fitted) volumeTerms(k *core, x, y *preparedPoints) []volumeTerm {
	var terms []volumeTerm
	q := g.q
	for c := range g.boxIntegrals {
		p := volumeTerm{sumIndex: c}
		for bi, b := range g.basis.blocks {
			for ei, e := range g.basis.blocks {
				if g.basis.sumIndex[bi][ei] != c {
					continue
				}
				r := make([]float64, y.n*b.len()) // U_e(y) M_beᵀ
				k.storeProductWithBlock(y.n, y.u[e.first:], q, e, b, 0, r)
				p.leftFactors = append(p.leftFactors, factor{x.u[b.first:], q, b.len()})
				p.rightFactors = append(p.rightFactors, factor{r, b.len(), b.len()})
			}
		}
		terms = append(terms, p)
	}
	return terms
}

// lowRankFactor returns a matrix F, n×q, for the points p. The terms of K without V (see the package comment) are FHᵀ +
// HFᵀ. H is the argument uc, the monomials U of the points, centered unless Uncentered is set, and
//
//	F = E + ½UA∘S',  E_b = Σ_a t_ab∘U_a R'_ab.
//
// U_a are the columns of U in block a, t_ab(x) is the integral of z^c over z ≥ x for the sum c of the powers of blocks
// a and b, and A has the same integrals over the whole box. Unless Uncentered is set, the means of the columns of E
// over the points of g are subtracted from E. If areFixedPoints is true, p are these points, and lowRankFactor stores
// the means in mean. Otherwise it reads them from mean.
func (g *fitted) lowRankFactor(k *core, p *preparedPoints, uc, mean []float64, areFixedPoints bool) []float64 {
	n, q := p.n, g.q
	f := make([]float64, n*q)
	t := make([]float64, n*q)
	for bi, b := range g.basis.blocks {
		for ai, a := range g.basis.blocks {
			tc := p.t[g.basis.sumIndex[ai][bi]]
			for i, v := range tc {
				floats.ScaleTo(t[i*a.len():(i+1)*a.len()], v, p.u[i*q+a.first:i*q+a.end])
			}
			if n > 0 {
				linalg.ThreadLimit(0).Gemm(false, false, n, b.len(), a.len(), 1, t, a.len(), k.r[a.first*q+b.first:], q,
					1, f[b.first:], q)
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
			for i := a.first; i < a.end; i++ {
				floats.ScaleTo(s[i*q+b.first:i*q+b.end], g.boxIntegrals[g.basis.sumIndex[ai][bi]]/2,
					k.s[i*q+b.first:i*q+b.end])
			}
		}
	}
	if n > 0 {
		linalg.ThreadLimit(0).Gemm(false, false, n, q, q, 1, uc, q, s, q, 1, f, q)
	}
	return f
}

// rowMeans returns n numbers r: r_i is the mean over j of the volumeTerms of K_ij on the points of g. With M of core, ν
// of computeMeans and u_a the monomials of block a, r_i = Σ_{a,b} u_a(x_i)ᵀM_ab ν_b(x_i).
func (g *fitted) rowMeans(k *core) []float64 {
	n, q := g.p.n, g.q
	r := make([]float64, n)
	for bi, b := range g.basis.blocks {
		t := make([]float64, n*b.len())
		for ei, e := range g.basis.blocks {
			k.storeProductWithBlock(n, g.nu[g.meanIndex(g.basis.sumIndex[bi][ei], ei)], e.len(), e, b, 1, t)
		}
		for i := range n {
			r[i] += floats.Dot(t[i*b.len():(i+1)*b.len()], g.p.u[i*q+b.first:i*q+b.end])
		}
	}
	return r
}

// diagonalOfK returns K_ii for the points of g and the core k.
func (g *fitted) diagonalOfK(k *core) []float64 {
	n, q := g.p.n, g.q
	d, volumes := make([]float64, n), make([]float64, 1)
	for _, p := range g.volumeTerms(k, g.p, g.p) {
		for i := range n {
			g.storeIntegralRow(volumes, p.sumIndex, i)
			for j, l := range p.leftFactors {
				d[i] += volumes[0] * floats.Dot(l.dataAtRow(i)[:l.w], p.rightFactors[j].dataAtRow(i)[:l.w])
			}
		}
	}
	f := g.lowRankFactor(k, g.p, g.uCentered, make([]float64, q), true)
	for i := range n {
		d[i] += 2 * floats.Dot(f[i*q:(i+1)*q], g.uCentered[i*q:(i+1)*q])
	}
	if !g.f.Uncentered {
		r := g.rowMeans(k)
		grandMean := floats.Sum(r) / float64(n)
		for i := range n {
			d[i] += grandMean - 2*r[i]
		}
	}
	return d
}
