package tessellated

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/linalg"
)

// Gradient stores D with wᵀK(P)w = ⟨P, D⟩, D = ∫ N_w N_wᵀ, N_w(z) = Σ_i w_iN(z,x_i), which does not
// depend on P. With W = diag(w)U of the n' points with w ≠ 0, s = Wᵀ1, τ = Wᵀt and G = WᵀVW it is, in
// the basis (Z·1{z ≥ x}, Z),
//
//	[G, τsᵀ; sτᵀ, A ssᵀ]:   O(n'²q + n'q²).
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
	gm := make([]float64, q*q)
	for i := range q {
		for j := range q {
			gm[i*q+j] = h[above][i*q+j] + h[above][j*q+i]
		}
	}
	r, s := make([]float64, q*q), make([]float64, q*q)
	if f.f.Variant == Orthant {
		for i := range q {
			for j := range q {
				r[i*q+j] = h[between][i*q+j] + h[back][j*q+i]
				s[i*q+j] = h[below][i*q+j] + h[below][j*q+i]
			}
		}
	} else {
		f.outer(r, s, w, rows)
	}
	f.unfold(dst, gm, r, s)
}

// support returns Hw, which stands for w in a centred kernel, and the points where it is not 0. Σw = 0
// to rounding counts as 0, so that points with w = 0 keep it.
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

// half is Σ_{i≤j} W_iᵀ vol(x_i, x_j) W_j, half of it for i = j, for all pairs of blocks: q×q.
func (g *gram) half(kd kind, w []float64, rows []int) []float64 {
	f, one := g.g, linalg.Bound(1)
	q, l := f.q, len(rows)
	out, wu, y := make([]float64, q*q), make([]float64, l*q), make([]float64, l*q)
	if l == 0 {
		return out
	}
	for p, i := range rows {
		floats.ScaleTo(wu[p*q:(p+1)*q], w[i], f.p.u[i*q:(i+1)*q])
	}
	n := f.p.n
	for c := range f.area {
		g.on.Run(tiles(func(t int) {
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
					g.on.Gemm(true, false, al.len(), bl.len(), l, 1, wu[al.from:], q, y[bl.from:], q, 0, out[al.from*q+bl.from:], q)
				}
			}
		}
	}
	return out
}

// pairs says whether block b has a partner with the sum of powers c.
func (g *fitted) pairs(c, b int) bool {
	for a := range g.basis.blocks {
		if g.basis.sum[a][b] == c {
			return true
		}
	}
	return false
}

// outer stores τsᵀ and A ssᵀ.
func (g *fitted) outer(r, s, w []float64, rows []int) {
	q := g.q
	sum := make([]float64, q)
	tau := make([][]float64, len(g.area)) // of each sum of powers
	for c := range tau {
		tau[c] = make([]float64, q)
	}
	for _, i := range rows {
		floats.AddScaled(sum, w[i], g.uc[i*q:(i+1)*q])
		for c, t := range g.p.t {
			floats.AddScaled(tau[c], w[i]*t[i], g.p.u[i*q:(i+1)*q])
		}
	}
	for a, al := range g.basis.blocks {
		for b, bl := range g.basis.blocks {
			c := g.basis.sum[a][b]
			for i := al.from; i < al.to; i++ {
				for j := bl.from; j < bl.to; j++ {
					r[i*q+j] = tau[c][i] * sum[j]
					s[i*q+j] = g.area[c] * sum[i] * sum[j]
				}
			}
		}
	}
}

// unfold stores D of G, X and S in the coordinates and the order of P:
//
//	Complement  [G, X − G; Xᵀ − G, S − X − Xᵀ + G];   Balanced  [ρ²G, ρX; ρXᵀ, S];   Orthant  [G, X; Xᵀ, S].
func (g *fitted) unfold(dst, gm, x, s []float64) {
	q := g.q
	for i := range q {
		top, low := dst[i*2*q:(i+1)*2*q], dst[(q+i)*2*q:(q+i+1)*2*q]
		pi := g.basis.place[i]
		for j := range q {
			at, turned := pi*q+g.basis.place[j], g.basis.place[j]*q+pi
			a, b, bt, c := gm[at], x[at], x[turned], s[at]
			switch {
			case g.f.Metric == Balanced:
				a, b, bt = g.rho*g.rho*a, g.rho*b, g.rho*bt
			case g.f.Variant == Complement:
				b, bt, c = b-a, bt-a, c-b-bt+a
			}
			top[j], top[q+j], low[j], low[q+j] = g.unit*a, g.unit*b, g.unit*bt, g.unit*c
		}
	}
}
