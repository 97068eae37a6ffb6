package tessellated

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// sizes are bounds on the terms of K: the Frobenius norms of M, R' and A∘S' of the core (S' for Orthant). steps is the
// number of rank-one steps since the last At.
type sizes struct {
	m, r, s float64
	steps   int
}

func (a sizes) towards(b sizes, eta float64) sizes {
	mix := func(x, y float64) float64 { return (1-eta)*x + eta*y }
	return sizes{mix(a.m, b.m), mix(a.r, b.r), mix(a.s, b.s), a.steps + 1}
}

// areas returns the Frobenius norm of A∘S, or of S for Orthant.
func (g *fitted) areas(s []float64) float64 {
	if g.f.Variant == Orthant {
		return floats.Norm(s, 2)
	}
	sum := 0.0
	for a, al := range g.basis.blocks {
		for b, bl := range g.basis.blocks {
			for i := al.from; i < al.to; i++ {
				v := g.area[g.basis.sum[a][b]] * floats.Norm(s[i*g.q+bl.from:i*g.q+bl.to], 2)
				sum += v * v
			}
		}
	}
	return math.Sqrt(sum)
}

// areasOf returns areas of the matrix ssᵀ.
func (g *fitted) areasOf(s []float64) float64 {
	if g.f.Variant == Orthant {
		return floats.Dot(s, s)
	}
	sum := 0.0
	for a, al := range g.basis.blocks {
		for b, bl := range g.basis.blocks {
			v := g.area[g.basis.sum[a][b]] * floats.Norm(s[al.from:al.to], 2) * floats.Norm(s[bl.from:bl.to], 2)
			sum += v * v
		}
	}
	return math.Sqrt(sum)
}

// terms returns a_i for each point i such that |every sum of terms of K_ij| ≤ a_ia_j. By the Cauchy–Schwarz inequality
//
//	|vol_c(x_i,x_j) u_iᵀMu_j| ≤ ‖M‖ν_iν_j,  ν_i = ‖u_i‖√vol(x_i,x_i)·max|z^γ|.
//
// The same bound holds for its means. Also |F_iᵀH_j + H_iᵀF_j| ≤ b_ib_j with b_i = κ‖F_i‖ + ‖H_i‖/κ.
func (g *gram) terms() []float64 {
	f, z := g.g, g.sizes
	n, q := f.p.n, f.q
	reach, top := f.reach(), z.m
	if f.f.Variant == Orthant {
		top += 2*z.r + z.s
	}
	a, fs, hs := make([]float64, n), make([]float64, n), make([]float64, n)
	one := make([]float64, 1)
	var nu, e, fsum, hsum float64
	for i := range a {
		v := f.vrow(i)[0]
		if f.f.Variant == Orthant { // above plus below also bounds the other two parts: √ab ≤ (a+b)/2
			f.volumes(one, below, f.basis.sums[0], f.p, i, f.p, i)
			v += one[0]
		}
		u := floats.Norm(f.p.u[i*q:(i+1)*q], 2)
		a[i] = math.Sqrt(v*top) * reach * u
		nu += a[i] / float64(n)
		for _, t := range f.p.t {
			fs[i] = max(fs[i], math.Abs(t[i])*u*z.r)
		}
		e += fs[i] / float64(n)
		hs[i] = floats.Norm(f.uc[i*q:(i+1)*q], 2)
		hsum += hs[i]
	}
	for i := range a {
		if !f.f.Uncentred {
			a[i] += nu
			fs[i] += e
		}
		fs[i] += z.s * hs[i] / 2
		fsum += fs[i]
	}
	if f.f.Variant == Orthant || !(fsum > 0) || !(hsum > 0) {
		return a
	}
	kappa := math.Sqrt(hsum / fsum)
	for i := range a {
		a[i] = math.Hypot(a[i], kappa*fs[i]+hs[i]/kappa)
	}
	return a
}

// reach returns a bound on |z^γ| over the box.
func (g *fitted) reach() float64 {
	r := 1.0
	if g.f.Basis == ZX {
		for j, b := range g.upper {
			r = max(r, math.Abs(b), math.Abs(g.lower[j]))
		}
	}
	return math.Pow(r, float64(g.f.Degree))
}

// rounding returns a bound on the rounding error of an entry, in units of a_ia_j. It counts the errors of integrals, of
// sums over monomials and powers, of means over points, and of the steps.
func (g *gram) rounding() float64 {
	f := g.g
	ops := f.q + f.d + 4*f.f.Degree + len(f.area) + 8 + 2*g.sizes.steps
	if !f.f.Uncentred {
		ops += f.p.n / 2
	}
	return linalg.Gamma(ops)
}

// Bounds returns the rounding error of K in units of √K_iiK_jj, and a shift of the diagonal that makes K positive
// semidefinite. The exact K is positive semidefinite. Entry (i, j) of the computed K differs from it by at most
// e a_ia_j, so the shift is e Σ_i a_i².
func (g *gram) Bounds() (entries, shift, lift float64) {
	a, e := g.terms(), g.rounding()
	for _, v := range a {
		shift += e * v * v
	}
	for i, v := range a {
		if d := max(g.k.At(i, i), 0) + shift; d > 0 {
			entries = max(entries, e*v*v/d)
		}
	}
	return entries, shift, 0
}

// gradientError returns √(4e) b, 2q numbers. The error of entry (k, l) of D is at most 4e b_kb_l with
// b_k = Σ_i |w_i| √∫N_k(z,x_i)² dz. The root is bounded with √V(x_i,x_i) for the half z ≥ x_i, with √A for the whole
// box, or with both.
func (g *gram) gradientError(w []float64) []float64 {
	f := g.g
	q := f.q
	b := make([]float64, 2*q)
	reach := f.reach()
	for i, v := range w {
		if v == 0 {
			continue
		}
		top := math.Sqrt(f.vrow(i)[0])
		all := math.Sqrt(f.area[0])
		for k := range q {
			u := math.Abs(v*f.p.u[i*q+f.basis.place[k]]) * reach * math.Sqrt(f.unit)
			c := math.Abs(v*f.uc[i*q+f.basis.place[k]]) * reach * math.Sqrt(f.unit)
			switch {
			case f.f.Metric == Balanced:
				b[k] += f.rho * u * top
				b[q+k] += c*all + u*top
			default:
				b[k] += u*top + c*all
				b[q+k] += c*all + u*top
			}
		}
	}
	floats.Scale(2*math.Sqrt(linalg.Gamma(len(w)+f.d+4*f.f.Degree+8)), b)
	return b
}

// GradientError stores b_kb_l for entry (k, l). Here b is the result of gradientError.
func (g *gram) GradientError(dst, w []float64) {
	b := g.gradientError(w)
	for k, u := range b {
		floats.ScaleTo(dst[k*len(b):(k+1)*len(b)], u, b)
	}
}

// EvaluateExtended returns false: K depends on integrals that are computed in ordinary precision.
func (g *gram) EvaluateExtended(f, v, w []float64) bool { return false }
