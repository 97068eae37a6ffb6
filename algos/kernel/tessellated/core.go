package tessellated

import (
	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/linalg"
)

// core is P in the coordinates in which K is computed. Rows and columns are in the order of the columns of U.
//
//	Complement  N = T(Z·1{z ≥ x}, Z):  M = Q−R−Rᵀ+S, R' = R−S, S' = S; Balanced M = ρ²Q, R' = ρR, S' = S
//	Orthant     M = Q, R' = R, S' = S
//
// M, R' and S' are q×q. They are multiplied by the unit.
type core struct {
	q       int
	m, r, s []float64
}

func (g *fitted) newCore() *core {
	n := g.q * g.q
	return &core{g.q, make([]float64, n), make([]float64, n), make([]float64, n)}
}

// coordinates returns α and β of N = (αE₁, E₂ − βE₁), in which E is the basis of the core.
func (g *fitted) coordinates() (alpha, beta float64) {
	switch {
	case g.f.Metric == Balanced:
		return g.rho, 0
	case g.f.Variant == Complement:
		return 1, 1
	}
	return 1, 0
}

// add adds v to entry (i, j) of P.
func (g *fitted) add(k *core, i, j int, v float64) {
	alpha, beta := g.coordinates()
	of := func(i int) (place int, first, second float64) { // the coefficients of E₁ and E₂ in monomial i of N
		if i < g.q {
			return g.basis.place[i], alpha, 0
		}
		return g.basis.place[i-g.q], -beta, 1
	}
	pi, i1, i2 := of(i)
	pj, j1, j2 := of(j)
	v *= g.unit
	k.m[pi*g.q+pj] += i1 * j1 * v
	k.r[pi*g.q+pj] += i1 * j2 * v / 2 // R' is the mean of the block above the diagonal and the transposed block below
	k.r[pj*g.q+pi] += i2 * j1 * v / 2
	k.s[pi*g.q+pj] += i2 * j2 * v
}

// set stores the core of θ in k.
func (g *fitted) set(k *core, theta []float64) {
	clear(k.m)
	clear(k.r)
	clear(k.s)
	w := 2 * g.q
	for i := range w {
		for j := range w {
			if v := theta[i*w+j]; v != 0 {
				g.add(k, i, j, v)
			}
		}
	}
	// M and S' become their symmetric parts
	for _, a := range [][]float64{k.m, k.s} {
		for i := range g.q {
			for j := range i {
				v := (a[i*g.q+j] + a[j*g.q+i]) / 2
				a[i*g.q+j], a[j*g.q+i] = v, v
			}
		}
	}
}

// times stores βdst + XA_beᵀ in dst, n×|b|. X is n×|e| at stride ld. A is the matrix that belongs to part kd of the
// box.
func (k *core) times(kd kind, n int, x []float64, ld int, e, b block, beta float64, dst []float64) {
	a, q := k.r, k.q
	switch kd {
	case above:
		a = k.m
	case below:
		a = k.s
	case back: // A = R'ᵀ
		linalg.Gemm(false, false, n, b.len(), e.len(), 1, x, ld, a[e.from*q+b.from:], q, beta, dst, b.len())
		return
	}
	linalg.Gemm(false, true, n, b.len(), e.len(), 1, x, ld, a[b.from*q+e.from:], q, beta, dst, b.len())
}

// part is one sum vol_c(x, y) Σ_{a,b} l_a(x)ᵀ r_b(y) in the kernel. The sum is over pairs of blocks.
type part struct {
	k     kind
	c     int
	left  []factor // of x
	right []factor // of y
}

// factor is an n×w matrix at stride ld.
type factor struct {
	data  []float64
	ld, w int
}

func (f factor) from(i int) []float64 { return f.data[i*f.ld:] }

// parts returns the parts of K between x and y for the core k. The left factors are blocks of U of x. The right factors
// are the matrices of k applied to U of y.
func (g *fitted) parts(k *core, x, y *prepared) []part {
	var all []part
	q := g.q
	for _, kd := range g.kinds() {
		for c := range g.area {
			p := part{k: kd, c: c}
			for bi, b := range g.basis.blocks {
				for ei, e := range g.basis.blocks {
					if g.basis.sum[bi][ei] != c {
						continue
					}
					// r = U_e(y) A_beᵀ, n×|b|
					r := make([]float64, y.n*b.len())
					k.times(kd, y.n, y.u[e.from:], q, e, b, 0, r)
					p.left = append(p.left, factor{x.u[b.from:], q, b.len()})
					p.right = append(p.right, factor{r, b.len(), b.len()})
				}
			}
			all = append(all, p)
		}
	}
	return all
}

// rest returns F, n×q, for points p. The terms of the kernel without V are FHᵀ + HFᵀ with H = U (centered) and
//
//	F = E + ½UA∘S',  E_b = Σ_a t_ab∘U_a R'_ab.
//
// E is centered by its means over the fixed points. If fixed is true, p are the fixed points, and rest stores the means
// in mean. If not, rest reads the means from mean.
func (g *fitted) rest(k *core, p *prepared, uc, mean []float64, fixed bool) []float64 {
	n, q := p.n, g.q
	f := make([]float64, n*q)
	t := make([]float64, n*q)
	for bi, b := range g.basis.blocks {
		for ai, a := range g.basis.blocks {
			tc := p.t[g.basis.sum[ai][bi]]
			for i, v := range tc {
				floats.ScaleTo(t[i*a.len():(i+1)*a.len()], v, p.u[i*q+a.from:i*q+a.to])
			}
			if n > 0 {
				linalg.Gemm(false, false, n, b.len(), a.len(), 1, t, a.len(), k.r[a.from*q+b.from:], q,
					1, f[b.from:], q)
			}
		}
	}
	if !g.f.Uncentred {
		if fixed {
			centre(mean, f, q)
		} else {
			for i := range n {
				floats.Sub(f[i*q:(i+1)*q], mean)
			}
		}
	}
	s := make([]float64, q*q)
	for ai, a := range g.basis.blocks {
		for bi, b := range g.basis.blocks {
			for i := a.from; i < a.to; i++ {
				floats.ScaleTo(s[i*q+b.from:i*q+b.to], g.area[g.basis.sum[ai][bi]]/2, k.s[i*q+b.from:i*q+b.to])
			}
		}
	}
	if n > 0 {
		linalg.Gemm(false, false, n, q, q, 1, uc, q, s, q, 1, f, q)
	}
	return f
}

// rowMeans returns r, n numbers: r_i is the mean over j of the coupled parts of K_ij on the fixed points. With ν of
// means, r_i = Σ_{a,b} u_a(x_i)ᵀA_ab ν_b(x_i).
func (g *fitted) rowMeans(k *core) []float64 {
	n, q := g.p.n, g.q
	r := make([]float64, n)
	for ki, kd := range g.kinds() {
		for bi, b := range g.basis.blocks {
			t := make([]float64, n*b.len())
			for ei, e := range g.basis.blocks {
				nu := g.nu[g.nuAt(ki, g.basis.sum[bi][ei], ei)]
				k.times(kd, n, nu, e.len(), e, b, 1, t)
			}
			for i := range n {
				r[i] += floats.Dot(t[i*b.len():(i+1)*b.len()], g.p.u[i*q+b.from:i*q+b.to])
			}
		}
	}
	return r
}

// diagonal returns K(θ)_ii for the fixed points.
func (g *fitted) diagonal(k *core) []float64 {
	n, q := g.p.n, g.q
	d, vol := make([]float64, n), make([]float64, 1)
	for _, p := range g.parts(k, g.p, g.p) {
		for i := range n {
			g.row(vol, p.k, p.c, i, i)
			for j, l := range p.left {
				d[i] += vol[0] * floats.Dot(l.from(i)[:l.w], p.right[j].from(i)[:l.w])
			}
		}
	}
	if g.f.Variant == Complement {
		f := g.rest(k, g.p, g.uc, make([]float64, q), true)
		for i := range n {
			d[i] += 2 * floats.Dot(f[i*q:(i+1)*q], g.uc[i*q:(i+1)*q])
		}
	}
	if !g.f.Uncentred {
		r := g.rowMeans(k)
		grand := floats.Sum(r) / float64(n)
		for i := range n {
			d[i] += grand - 2*r[i]
		}
	}
	return d
}
