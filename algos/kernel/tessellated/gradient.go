package tessellated

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/linalg"
)

// Gradient stores D = ∫ N_w N_wᵀ with N_w(z) = Σ_i w_iN(z,x_i). It satisfies wᵀK(P)w = ⟨P, D⟩ and does not depend on P.
// W is diag(w)U and V the array of the package comment, both for the n' points with w_i ≠ 0 only. With s = Wᵀ1, τ = Wᵀt
// and G = WᵀVW, D in the basis (Z·1{z ≥ x}, Z) is
//
//	[G, τsᵀ; sτᵀ, A ssᵀ].
//
// It takes O(n'²q + n'q²) operations.
func (g *gram) Gradient(dst, w []float64) {
	f := g.g
	f.must()
	n, q := f.p.n, f.q
	switch {
	case len(dst) != 4*q*q:
		panic(badTheta)
	case len(w) != n:
		panic(badLength)
	}
	f.fitOn(g.on)
	w, rows := f.support(w)
	var h [4][]float64
	for _, kd := range f.kinds() {
		h[kd] = g.half(kd, w, rows)
	}
	if f.f.Variant == Orthant {
		f.unfold(dst, func(i, j int) (gm, x, xt, s float64) {
			at, turned := i*q+j, j*q+i
			return h[above][at] + h[above][turned], h[between][at] + h[back][turned],
				h[between][turned] + h[back][at], h[below][at] + h[below][turned]
		})
		return
	}
	sum, tau := f.firsts(w, rows)
	block := make([]int, q)
	for b, bl := range f.basis.blocks {
		for i := bl.from; i < bl.to; i++ {
			block[i] = b
		}
	}
	f.unfold(dst, func(i, j int) (gm, x, xt, s float64) {
		c := f.basis.sum[block[i]][block[j]]
		return h[above][i*q+j] + h[above][j*q+i], tau[c][i] * sum[j], tau[c][j] * sum[i], f.area[c] * sum[i] * sum[j]
	})
}

// support returns v and the points with v_i ≠ 0. For a centered kernel v is Hw, which has the same products as w,
// with H = I − 11ᵀ/n. If Σw is 0 to rounding, or the kernel is not centered, v is w itself, so that entries that are 0
// stay 0.
func (g *fitted) support(w []float64) (v []float64, rows []int) {
	if s := floats.Sum(w); !g.f.Uncentred && math.Abs(s) > 1e-13*floats.Norm(w, 1) {
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

// half returns the q×q matrix Σ_{i≤j} W_iᵀ vol(x_i, x_j) W_j over all pairs of blocks. Terms with i = j have the factor
// ½.
func (g *gram) half(kd kind, w []float64, rows []int) []float64 {
	f, one := g.g, linalg.Bound(1)
	q, l := f.q, len(rows)
	out := make([]float64, q*q)
	if l == 0 {
		return out
	}
	whole := strips.Get().(*[]float64)
	defer strips.Put(whole)
	*whole = slices.Grow((*whole)[:0], 2*l*q)[:2*l*q]
	wu, y := (*whole)[:l*q], (*whole)[l*q:] // W and V W, l×q
	for p, i := range rows {
		floats.ScaleTo(wu[p*q:(p+1)*q], w[i], f.p.u[i*q:(i+1)*q])
	}
	n := f.p.n
	for c := range f.area {
		g.on.Run(linalg.TileFunc(func(t int) {
			p0, p1 := t*tileRows, min(l, (t+1)*tileRows)
			m := l - p0
			buf := strips.Get().(*[]float64)
			defer strips.Put(buf)
			if need := (p1-p0)*m + n; cap(*buf) < need {
				*buf = make([]float64, need)
			}
			vol, row := (*buf)[:(p1-p0)*m], (*buf)[(p1-p0)*m:(p1-p0)*m+n]
			for p := p0; p < p1; p++ {
				dst := vol[(p-p0)*m : (p-p0+1)*m]
				clear(dst[:p-p0])
				dst = dst[p-p0:]
				i := rows[p]
				v := row[:n-i]
				if kd == above && c == 0 {
					v = f.vrow(i)
				} else {
					f.row(v, kd, c, i, i)
				}
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
				if f.pairs(c, b) {
					one.Gemm(false, false, p1-p0, bl.len(), m, 1, vol, m, wu[p0*q+bl.from:], q, 0, y[p0*q+bl.from:], q)
				}
			}
		}), tilesOf(l))
		for a, al := range f.basis.blocks {
			for b, bl := range f.basis.blocks {
				if f.basis.sum[a][b] == c {
					g.on.Gemm(true, false, al.len(), bl.len(), l, 1, wu[al.from:], q, y[bl.from:], q, 0,
						out[al.from*q+bl.from:], q)
				}
			}
		}
	}
	return out
}

// pairs reports whether block b has a partner block with the sum of powers c.
func (g *fitted) pairs(c, b int) bool {
	for a := range g.basis.blocks {
		if g.basis.sum[a][b] == c {
			return true
		}
	}
	return false
}

// firsts returns s, q numbers, and τ for each sum of powers, q numbers each.
func (g *fitted) firsts(w []float64, rows []int) (sum []float64, tau [][]float64) {
	q := g.q
	sum, tau = make([]float64, q), make([][]float64, len(g.area))
	for c := range tau {
		tau[c] = make([]float64, q)
	}
	for _, i := range rows {
		floats.AddScaled(sum, w[i], g.uc[i*q:(i+1)*q])
		for c, t := range g.p.t {
			floats.AddScaled(tau[c], w[i]*t[i], g.p.u[i*q:(i+1)*q])
		}
	}
	return sum, tau
}

// unfold stores D in the coordinates and the order of P. entry returns G_ij, X_ij, X_ji and S_ij at columns i, j of U.
// D is
//
//	Complement  [G, X − G; Xᵀ − G, S − X − Xᵀ + G];   Balanced  [ρ²G, ρX; ρXᵀ, S];   Orthant  [G, X; Xᵀ, S].
func (g *fitted) unfold(dst []float64, entry func(i, j int) (gm, x, xt, s float64)) {
	q := g.q
	w := 2 * q
	alpha, beta := g.coordinates()
	for i := range q {
		pi := g.basis.place[i]
		for j := range i + 1 { // D is symmetric
			a, b, bt, c := entry(pi, g.basis.place[j])
			a, b, bt, c = alpha*alpha*a, alpha*(b-beta*a), alpha*(bt-beta*a), c-beta*b-beta*bt+beta*a // β is 0 or 1
			a, b, bt, c = g.unit*a, g.unit*b, g.unit*bt, g.unit*c
			dst[i*w+j], dst[i*w+q+j], dst[(q+i)*w+j], dst[(q+i)*w+q+j] = a, b, bt, c
			dst[j*w+i], dst[j*w+q+i], dst[(q+j)*w+i], dst[(q+j)*w+q+i] = a, bt, b, c
		}
	}
}
