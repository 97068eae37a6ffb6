package tessellated

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/linalg"
)

// Gradient stores D with wᵀK(P)w = ⟨P, D⟩ for every P: D = ∫ N_w(z)N_w(z)ᵀ dz with N_w(z) = Σ_i w_iN(z,x_i) for the
// kernel ∫N(z,x)ᵀPN(z,y)dz. Let W have the rows w_iu_i, u_i the q monomials of point i, for the n' points with w_i ≠ 0.
// V_ij is the volume of the part of the box with z ≥ x_i and z ≥ x_j, t_i of the part with z ≥ x_i, A of the box. With
// s = Wᵀ1, τ = Wᵀt and G = WᵀVW, D in the basis (Z·1{z ≥ x}, Z) of the monomials Z is
//
//	[G, τsᵀ; sτᵀ, A ssᵀ].
//
// It takes O(n'²q + n'q²) operations.
func (g *gram) Gradient(dst, w []float64) {
	f := g.g
	f.mustBeBound()
	n, q := f.p.n, f.q
	switch {
	case len(dst) != 4*q*q:
		panic(fmt.Sprintf("tessellated: dst of Gradient has %d entries; pass %d, the size of θ", len(dst), 4*q*q))
	case len(w) != n:
		panic(fmt.Sprintf("tessellated: w of Gradient has %d entries; pass one for each of the %d points", len(w), n))
	}
	f.computeVolumesAndScales(g.threads)
	w, rows := f.centerAndFindNonzeros(w)
	f.storeGradient(dst, g.sumWeightedIntegrals(w, rows), w, rows)
}

// centerAndFindNonzeros returns a vector v with vᵀK₀v = wᵀKw, where K₀ is K before centering, and the indices of the
// points with v_i ≠ 0. v is w − mean(w) if the kernel is centered and Σw is not 0 up to rounding. Otherwise v is w
// itself, so that entries that are 0 stay 0.
func (g *fitted) centerAndFindNonzeros(w []float64) (v []float64, rows []int) {
	if s := floats.Sum(w); !g.f.Uncentered && math.Abs(s) > 1e-13*floats.Norm(w, 1) {
		v = make([]float64, len(w))
		copy(v, w)
		floats.AddConst(-s/float64(len(w)), v)
		w = v
	}
	for i, x := range w {
		if x != 0 {
			rows = append(rows, i)
		}
	}
	return w, rows
}

// sumWeightedIntegrals returns the q×q matrix Σ_{i≤j} vol(x_i, x_j) W_iᵀW_j, where W_i = w_iu_i has the monomials u_i
// of point i. vol(x_i, x_j) is the integral of z^c over z ≥ x_i and z ≥ x_j, with c the sum of the powers of z in the
// two monomials. Terms with i = j have the factor ½. rows are the indices of the points with w_i ≠ 0.
func (g *gram) sumWeightedIntegrals(w []float64, rows []int) []float64 {
	f, singleThread := g.g, linalg.ThreadLimit(1)
	q, l := f.q, len(rows)
	sumsByMonomialPair := make([]float64, q*q)
	if l == 0 {
		return sumsByMonomialPair
	}
	buffer := bufferPool.Get().(*[]float64)
	defer bufferPool.Put(buffer)
	*buffer = slices.Grow((*buffer)[:0], 2*l*q)[:2*l*q]
	wu, y := (*buffer)[:l*q], (*buffer)[l*q:] // for the l rows i: w_iu_i, and Σ_{j≥i} vol(x_i, x_j) w_ju_j
	for p, i := range rows {
		floats.ScaleTo(wu[p*q:(p+1)*q], w[i], f.p.u[i*q:(i+1)*q])
	}
	n := f.p.n
	for c := range f.boxIntegrals {
		g.threads.Run(countRowTiles(l), func(t int) {
			p0, p1 := t*tileRows, min(l, (t+1)*tileRows)
			m := l - p0
			buf := bufferPool.Get().(*[]float64)
			defer bufferPool.Put(buf)
			if requiredLength := (p1-p0)*m + n; cap(*buf) < requiredLength {
				*buf = make([]float64, requiredLength)
			}
			volumes, row := (*buf)[:(p1-p0)*m], (*buf)[(p1-p0)*m:(p1-p0)*m+n]
			for p := p0; p < p1; p++ {
				dst := volumes[(p-p0)*m : (p-p0+1)*m]
				clear(dst[:p-p0])
				dst = dst[p-p0:]
				i := rows[p]
				v := row[:n-i]
				f.storeRowOfJointIntegrals(v, c, i)
				if l == n {
					copy(dst, v)
				} else {
					for j, at := range rows[p:] {
						dst[j] = v[at-i]
					}
				}
				dst[0] /= 2
			}
			for b, bl := range f.basis.blocks {
				if f.isExponentSumOfBlock(c, b) {
					singleThread.Gemm(false, false, p1-p0, bl.len(), m, 1, volumes, m, wu[p0*q+bl.firstCol:], q,
						0, y[p0*q+bl.firstCol:], q)
				}
			}
		})
		for a, al := range f.basis.blocks {
			for b, bl := range f.basis.blocks {
				if f.basis.exponentSumIndex[a][b] == c {
					g.threads.Gemm(true, false, al.len(), bl.len(), l, 1, wu[al.firstCol:], q, y[bl.firstCol:], q, 0,
						sumsByMonomialPair[al.firstCol*q+bl.firstCol:], q)
				}
			}
		}
	}
	return sumsByMonomialPair
}

// isExponentSumOfBlock reports whether the exponents of z in the given block plus those in some block have this sum.
func (g *fitted) isExponentSumOfBlock(exponentSumIndex, block int) bool {
	for a := range g.basis.blocks {
		if g.basis.exponentSumIndex[a][block] == exponentSumIndex {
			return true
		}
	}
	return false
}

// sumOverPoints returns for the points in rows Σ_i w_iu_i, and Σ_i w_it_c(x_i)u_i for each c in exponentSums. u_i are
// the q monomials of point i, and t_c(x) is the integral of z^c over z ≥ x.
func (g *fitted) sumOverPoints(w []float64, rows []int) (monomialSums []float64, integralSums [][]float64) {
	q := g.q
	monomialSums, integralSums = make([]float64, q), make([][]float64, len(g.boxIntegrals))
	for c := range integralSums {
		integralSums[c] = make([]float64, q)
	}
	for _, i := range rows {
		floats.AddScaled(monomialSums, w[i], g.centeredMonomials[i*q:(i+1)*q])
		for c, t := range g.p.t {
			floats.AddScaled(integralSums[c], w[i]*t[i], g.p.u[i*q:(i+1)*q])
		}
	}
	return monomialSums, integralSums
}

// storeGradient stores D = ∂(wᵀKw)/∂P for the kernel ∫N(z,x)ᵀPN(z,y)dz, with N = (Z·1{z ≥ x}, Z − Z·1{z ≥ x}) for Plain
// and N = (ρZ·1{z ≥ x}, Z) for Balanced. Z are the monomials, W, V, t and A those of Gradient, G = WᵀVW = halfG +
// halfGᵀ, X = Wᵀt(Wᵀ1)ᵀ and S = A Wᵀ1(Wᵀ1)ᵀ. Then D is
//
//	Plain  [G, X − G; Xᵀ − G, S − X − Xᵀ + G];   Balanced  [ρ²G, ρX; ρXᵀ, S].
func (g *fitted) storeGradient(dst, halfG, w []float64, rows []int) {
	q := g.q
	monomialSums, integralSums := g.sumOverPoints(w, rows)
	blockOfColumn := make([]int, q)
	for b, bl := range g.basis.blocks {
		for i := bl.firstCol; i < bl.endCol; i++ {
			blockOfColumn[i] = b
		}
	}
	stride := 2 * q
	a, b := g.computeIntegrandScales() // N = (aZ·1{z ≥ x}, Z − bZ·1{z ≥ x})
	for i := range q {
		p := g.basis.columnOfMonomial[i]
		for j := range i + 1 { // D is symmetric: compute one half
			r := g.basis.columnOfMonomial[j]
			c := g.basis.exponentSumIndex[blockOfColumn[p]][blockOfColumn[r]]
			gm, s := halfG[p*q+r]+halfG[r*q+p], g.boxIntegrals[c]*monomialSums[p]*monomialSums[r]
			x, xt := integralSums[c][p]*monomialSums[r], integralSums[c][r]*monomialSums[p]
			gm, x, xt, s = a*a*gm, a*(x-b*gm), a*(xt-b*gm), s-b*x-b*xt+b*gm
			gm, x, xt, s = g.kernelMultiplier*gm, g.kernelMultiplier*x, g.kernelMultiplier*xt, g.kernelMultiplier*s
			dst[i*stride+j], dst[i*stride+q+j], dst[(q+i)*stride+j], dst[(q+i)*stride+q+j] = gm, x, xt, s
			dst[j*stride+i], dst[j*stride+q+i], dst[(q+j)*stride+i], dst[(q+j)*stride+q+i] = gm, xt, x, s
		}
	}
}
