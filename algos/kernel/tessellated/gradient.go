package tessellated

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/linalg"
)

// Gradient stores D = ∫ N_w(z)N_w(z)ᵀ dz with N_w(z) = Σ_i w_iN(z,x_i), where N is defined in the package comment. For
// every P, wᵀK(P)w = ⟨P, D⟩. Let U be the monomials of the n' points with w_i ≠ 0, W = diag(w)U, and V, t, A as in the
// package comment. With s = Wᵀ1, τ = Wᵀt and G = WᵀVW, D in the basis (Z·1{z ≥ x}, Z) is
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
		panic(badTheta)
	case len(w) != n:
		panic(badLength)
	}
	f.computeVolumes(g.threads)
	w, rows := f.centeredSupport(w)
	f.storeGradient(dst, g.sumOverPairs(w, rows), w, rows)
}

// centeredSupport returns a vector v with vᵀKv = wᵀKw, and the indices of the points with v_i ≠ 0. If the kernel is
// centered, v is w − mean(w), because wᵀKw for the centered kernel is vᵀKv for the kernel before centering. If Σw is 0
// up to rounding, or if the kernel is not centered, v is w itself, so that entries that are 0 stay 0.
func (g *fitted) centeredSupport(w []float64) (v []float64, rows []int) {
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

// sumOverPairs returns the q×q matrix Σ_{i≤j} vol(x_i, x_j) W_iᵀW_j, where W_i = w_iu_i has the monomials u_i of point
// i. vol(x_i, x_j) is the integral of z^c over z ≥ x_i and z ≥ x_j, with c the sum of the powers of z in the two
// monomials. Terms with i = j have the factor ½. rows are the indices of the points with w_i ≠ 0.
func (g *gram) sumOverPairs(w []float64, rows []int) []float64 {
	f, singleThread := g.g, linalg.ThreadLimit(1)
	q, l := f.q, len(rows)
	out := make([]float64, q*q)
	if l == 0 {
		return out
	}
	buffer := bufferPool.Get().(*[]float64)
	defer bufferPool.Put(buffer)
	*buffer = slices.Grow((*buffer)[:0], 2*l*q)[:2*l*q]
	wu, y := (*buffer)[:l*q], (*buffer)[l*q:] // W and its product with the integrals, l×q
	for p, i := range rows {
		floats.ScaleTo(wu[p*q:(p+1)*q], w[i], f.p.u[i*q:(i+1)*q])
	}
	n := f.p.n
	for c := range f.boxIntegrals {
		g.threads.Run(tileCount(l), func(t int) {
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
				f.storeIntegralRow(v, c, i)
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
				if f.hasPartnerBlock(c, b) {
					singleThread.Gemm(false, false, p1-p0, bl.len(), m, 1, volumes, m, wu[p0*q+bl.first:], q,
						0, y[p0*q+bl.first:], q)
				}
			}
		})
		for a, al := range f.basis.blocks {
			for b, bl := range f.basis.blocks {
				if f.basis.sumIndex[a][b] == c {
					g.threads.Gemm(true, false, al.len(), bl.len(), l, 1, wu[al.first:], q, y[bl.first:], q, 0,
						out[al.first*q+bl.first:], q)
				}
			}
		}
	}
	return out
}

// hasPartnerBlock reports whether there is a block a such that the powers of z of block a and of the given block have
// the sum basis.powerSums[sumIndex].
func (g *fitted) hasPartnerBlock(sumIndex, block int) bool {
	for a := range g.basis.blocks {
		if g.basis.sumIndex[a][block] == sumIndex {
			return true
		}
	}
	return false
}

// firstMoments returns the vectors that Gradient defines: s, q numbers, and τ, q numbers for each sum of powers c, with
// t_c of preparedPoints in place of t.
func (g *fitted) firstMoments(w []float64, rows []int) (weightedSums []float64, moments [][]float64) {
	q := g.q
	weightedSums, moments = make([]float64, q), make([][]float64, len(g.boxIntegrals))
	for c := range moments {
		moments[c] = make([]float64, q)
	}
	for _, i := range rows {
		floats.AddScaled(weightedSums, w[i], g.uCentered[i*q:(i+1)*q])
		for c, t := range g.p.t {
			floats.AddScaled(moments[c], w[i]*t[i], g.p.u[i*q:(i+1)*q])
		}
	}
	return weightedSums, moments
}

// storeGradient stores D = ∂(wᵀKw)/∂P in the coordinates and the order of P. h is the result of sumOverPairs, and G, s
// and τ are those of Gradient. With X = τsᵀ and S = A ssᵀ, D is
//
//	Plain  [G, X − G; Xᵀ − G, S − X − Xᵀ + G];   Balanced  [ρ²G, ρX; ρXᵀ, S].
func (g *fitted) storeGradient(dst, h, w []float64, rows []int) {
	q := g.q
	sum, tau := g.firstMoments(w, rows)
	blockOfColumn := make([]int, q)
	for b, bl := range g.basis.blocks {
		for i := bl.first; i < bl.end; i++ {
			blockOfColumn[i] = b
		}
	}
	stride := 2 * q
	alpha, beta := g.coreCoordinates()
	for i := range q {
		p := g.basis.column[i]
		for j := range i + 1 { // D is symmetric
			r := g.basis.column[j]
			c := g.basis.sumIndex[blockOfColumn[p]][blockOfColumn[r]]
			gm, x, xt, s := h[p*q+r]+h[r*q+p], tau[c][p]*sum[r], tau[c][r]*sum[p], g.boxIntegrals[c]*sum[p]*sum[r]
			gm, x, xt, s = alpha*alpha*gm, alpha*(x-beta*gm), alpha*(xt-beta*gm), s-beta*x-beta*xt+beta*gm
			gm, x, xt, s = g.unitFactor*gm, g.unitFactor*x, g.unitFactor*xt, g.unitFactor*s
			dst[i*stride+j], dst[i*stride+q+j], dst[(q+i)*stride+j], dst[(q+i)*stride+q+j] = gm, x, xt, s
			dst[j*stride+i], dst[j*stride+q+i], dst[(q+j)*stride+i], dst[(q+j)*stride+q+i] = gm, xt, x, s
		}
	}
}
