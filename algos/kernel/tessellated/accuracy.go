package tessellated

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// normBounds holds upper bounds on Frobenius norms of matrices of a core: m for M, r for R', and s for A∘S'
// (boxWeightedNorm). rankOneSteps is the number of calls of mixRankOne since the last SetTheta.
type normBounds struct {
	m, r, s      float64
	rankOneSteps int
}

// mixBounds returns bounds for (1−η)A + ηB, where a holds the bounds of the core A, and b those of the core B.
func (a normBounds) mixBounds(b normBounds, eta float64) normBounds {
	mix := func(x, y float64) float64 { return (1-eta)*x + eta*y }
	return normBounds{mix(a.m, b.m), mix(a.r, b.r), mix(a.s, b.s), a.rankOneSteps + 1}
}

// boxWeightedNorm returns the Frobenius norm of A∘S for a q×q matrix S. Entry (i, j) of A is the integral over the box
// of the product of the powers of z in the monomials i and j.
func (g *fitted) boxWeightedNorm(s []float64) float64 {
	sum := 0.0
	for a, al := range g.basis.blocks {
		for b, bl := range g.basis.blocks {
			for i := al.first; i < al.end; i++ {
				v := g.boxIntegrals[g.basis.sumIndex[a][b]] * floats.Norm(s[i*g.q+bl.first:i*g.q+bl.end], 2)
				sum += v * v
			}
		}
	}
	return math.Sqrt(sum)
}

// rankOneBoxWeightedNorm returns boxWeightedNorm for the matrix S = ssᵀ.
func (g *fitted) rankOneBoxWeightedNorm(s []float64) float64 {
	sum := 0.0
	for a, al := range g.basis.blocks {
		for b, bl := range g.basis.blocks {
			v := g.boxIntegrals[g.basis.sumIndex[a][b]] *
				floats.Norm(s[al.first:al.end], 2) * floats.Norm(s[bl.first:bl.end], 2)
			sum += v * v
		}
	}
	return math.Sqrt(sum)
}

// entryBounds returns numbers a_i, one for each point i, such that every partial sum of the terms of K_ij is at most
// a_ia_j in absolute value. M is that of core. z^c is a product of two monomials z^γ of the basis, vol_c(x,y) its
// integral over the part of the box with z ≥ x and z ≥ y, and V(x,y) the volume of this part. With u_i the monomials of
// point i and ν_i = ‖u_i‖√V(x_i,x_i)·max|z^γ|, the Cauchy–Schwarz inequality gives
//
//	|vol_c(x_i,x_j) u_iᵀMu_j| ≤ ‖M‖ν_iν_j.
//
// With centering, ν_i + mean_j ν_j in place of ν_i covers the means of these terms. The terms with F and H of
// lowRankFactor satisfy |F_iᵀH_j + H_iᵀF_j| ≤ b_ib_j with b_i = κ‖F_i‖ + ‖H_i‖/κ, for any κ > 0.
func (g *gram) entryBounds() []float64 {
	f, z := g.g, g.norms
	n, q := f.p.n, f.q
	maxMonomial := f.maxMonomialMagnitude()
	a, normsF, normsH := make([]float64, n), make([]float64, n), make([]float64, n)
	var meanBound, meanF, sumF, sumH float64
	for i := range a {
		u := floats.Norm(f.p.u[i*q:(i+1)*q], 2)
		a[i] = math.Sqrt(f.volumeRow(i)[0]*z.m) * maxMonomial * u
		meanBound += a[i] / float64(n)
		for _, t := range f.p.t {
			normsF[i] = max(normsF[i], math.Abs(t[i])*u*z.r)
		}
		meanF += normsF[i] / float64(n)
		normsH[i] = floats.Norm(f.uCentered[i*q:(i+1)*q], 2)
		sumH += normsH[i]
	}
	for i := range a {
		if !f.f.Uncentered {
			a[i] += meanBound
			normsF[i] += meanF
		}
		normsF[i] += z.s * normsH[i] / 2
		sumF += normsF[i]
	}
	if !(sumF > 0) || !(sumH > 0) {
		return a
	}
	kappa := math.Sqrt(sumH / sumF)
	for i := range a {
		a[i] = math.Hypot(a[i], kappa*normsF[i]+normsH[i]/kappa)
	}
	return a
}

// maxMonomialMagnitude returns an upper bound on |z^γ| for z in the box and every monomial z^γ of the basis.
func (g *fitted) maxMonomialMagnitude() float64 {
	r := 1.0
	if g.f.Basis == ZX {
		for j, b := range g.upper {
			r = max(r, math.Abs(b), math.Abs(g.lower[j]))
		}
	}
	return math.Pow(r, float64(g.f.Degree))
}

// entryError returns a number e such that the rounding error of entry (i, j) of K is at most e a_ia_j, with a of
// entryBounds. It counts the rounding errors of integrals, of sums over monomials and powers, of means over points, and
// of the calls of mixRankOne.
func (g *gram) entryError() float64 {
	f := g.g
	operationCount := f.q + f.d + 4*f.f.Degree + len(f.boxIntegrals) + 8 + 2*g.norms.rankOneSteps
	if !f.f.Uncentered {
		operationCount += f.p.n / 2
	}
	return linalg.RoundingFactor(operationCount)
}

// Bounds returns the three bounds of kernel.ErrorBounded. The exact K is positive semidefinite. Entry (i, j) of the
// computed K differs from it by at most e a_ia_j, with e of entryError and a of entryBounds. Therefore psdShift is e
// Σ_i a_i². addedShift is 0, because nothing was added to the diagonal.
func (g *gram) Bounds() (entryError, psdShift, addedShift float64) {
	a, e := g.entryBounds(), g.entryError()
	for _, v := range a {
		psdShift += e * v * v
	}
	for i, v := range a {
		if d := max(g.k.At(i, i), 0) + psdShift; d > 0 {
			entryError = max(entryError, e*v*v/d)
		}
	}
	return entryError, psdShift, 0
}

// gradientErrorRoots returns √(4e)·b, 2q numbers. The rounding error of entry (k, l) of the result of Gradient is at
// most 4e·b_kb_l with b_k = Σ_i |w_i| √∫N_k(z,x_i)² dz (N: see the package comment), where e bounds the relative error
// of one term. √∫N_k² is at most a multiple of √V(x_i,x_i) if N_k is 0 outside z ≥ x_i, of √A if N_k is a function on
// the whole box of volume A, or of the sum of both roots.
func (g *gram) gradientErrorRoots(w []float64) []float64 {
	f := g.g
	q := f.q
	b := make([]float64, 2*q)
	maxMonomial := f.maxMonomialMagnitude()
	for i, v := range w {
		if v == 0 {
			continue
		}
		rootV := math.Sqrt(f.volumeRow(i)[0])
		rootArea := math.Sqrt(f.boxIntegrals[0])
		for k := range q {
			u := math.Abs(v*f.p.u[i*q+f.basis.column[k]]) * maxMonomial * math.Sqrt(f.unitFactor)
			c := math.Abs(v*f.uCentered[i*q+f.basis.column[k]]) * maxMonomial * math.Sqrt(f.unitFactor)
			switch {
			case f.f.Metric == Balanced:
				b[k] += f.rho * u * rootV
				b[q+k] += c*rootArea + u*rootV
			default:
				b[k] += u*rootV + c*rootArea
				b[q+k] += c*rootArea + u*rootV
			}
		}
	}
	floats.Scale(2*math.Sqrt(linalg.RoundingFactor(len(w)+f.d+4*f.f.Degree+8)), b)
	return b
}

// GradientError stores r_kr_l for entry (k, l) of the gradient, where r is the result of gradientErrorRoots.
func (g *gram) GradientError(dst, w []float64) {
	b := g.gradientErrorRoots(w)
	for k, u := range b {
		floats.ScaleTo(dst[k*len(b):(k+1)*len(b)], u, b)
	}
}

// EvaluateExtended returns false: K depends on integrals that are computed in ordinary precision.
func (g *gram) EvaluateExtended(kw, gradient, w []float64) bool { return false }
