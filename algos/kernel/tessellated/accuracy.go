package tessellated

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// normBounds holds upper bounds m, r and s on the Frobenius norms of the matrices M, R' and A∘S' in transformedP. A_ij
// is the integral over the box of the product of the powers of z in the monomials i and j. rankOneUpdateCount is the
// number of updates of P by a matrix vvᵀ since the last SetTheta.
type normBounds struct {
	m, r, s            float64
	rankOneUpdateCount int
}

// mixBounds returns bounds for the parameter matrix (1−η)A + ηB. a holds the bounds for A, and b those for B.
func (a normBounds) mixBounds(b normBounds, eta float64) normBounds {
	mix := func(x, y float64) float64 { return (1-eta)*x + eta*y }
	return normBounds{mix(a.m, b.m), mix(a.r, b.r), mix(a.s, b.s), a.rankOneUpdateCount + 1}
}

// computeWeightedNorm returns the Frobenius norm of A∘S for a q×q matrix S. Entry (i, j) of A is the integral
// over the box of the product of the powers of z in the monomials i and j.
func (g *fitted) computeWeightedNorm(s []float64) float64 {
	sum := 0.0
	for a, al := range g.basis.blocks {
		for b, bl := range g.basis.blocks {
			for i := al.firstCol; i < al.endCol; i++ {
				row := s[i*g.q+bl.firstCol : i*g.q+bl.endCol]
				v := g.boxIntegrals[g.basis.exponentSumIndex[a][b]] * floats.Norm(row, 2)
				sum += v * v
			}
		}
	}
	return math.Sqrt(sum)
}

// computeWeightedNormOfOuterProduct returns the Frobenius norm of A∘ssᵀ for a vector s of length q. Entry (i, j) of A
// is the integral over the box of the product of the powers of z in the monomials i and j.
func (g *fitted) computeWeightedNormOfOuterProduct(s []float64) float64 {
	sum := 0.0
	for a, al := range g.basis.blocks {
		for b, bl := range g.basis.blocks {
			v := g.boxIntegrals[g.basis.exponentSumIndex[a][b]] *
				floats.Norm(s[al.firstCol:al.endCol], 2) * floats.Norm(s[bl.firstCol:bl.endCol], 2)
			sum += v * v
		}
	}
	return math.Sqrt(sum)
}

// boundPartialSums returns one number a_i for each point i. Every partial sum of the terms of K_ij is at most a_ia_j in
// absolute value. K_ij has two kinds of terms. The first are vol_c(x_i,x_j) u_iᵀMu_j: u_i are the monomials of point i,
// M is a matrix of parameters, z^c is a product of two monomials z^γ, and vol_c(x,y) is its integral over the part of
// the box with z ≥ x and z ≥ y, of volume V(x,y). With ν_i = ‖u_i‖√V(x_i,x_i)·max|z^γ|, Cauchy–Schwarz gives
//
//	|vol_c(x_i,x_j) u_iᵀMu_j| ≤ ‖M‖ν_iν_j.
//
// With centering, ν_i + mean_j ν_j in place of ν_i covers the means of these terms. The other terms are F_iᵀH_j +
// H_iᵀF_j, with two n×q matrices F and H. They are at most b_ib_j with b_i = κ‖F_i‖ + ‖H_i‖/κ, for any κ > 0.
func (g *gram) boundPartialSums() []float64 {
	f, z := g.g, g.norms
	n, q := f.p.n, f.q
	maxMonomial := f.maxMonomialMagnitude()
	rootBounds, lowRankNorms, monomialNorms := make([]float64, n), make([]float64, n), make([]float64, n)
	var meanBound, meanF, sumF, sumH float64
	for i := range rootBounds {
		u := floats.Norm(f.p.u[i*q:(i+1)*q], 2)
		rootBounds[i] = math.Sqrt(f.upperRowOfVolumes(i)[0]*z.m) * maxMonomial * u
		meanBound += rootBounds[i] / float64(n)
		for _, t := range f.p.t {
			lowRankNorms[i] = max(lowRankNorms[i], math.Abs(t[i])*u*z.r)
		}
		meanF += lowRankNorms[i] / float64(n)
		monomialNorms[i] = floats.Norm(f.centeredMonomials[i*q:(i+1)*q], 2)
		sumH += monomialNorms[i]
	}
	for i := range rootBounds {
		if !f.f.Uncentered {
			rootBounds[i] += meanBound
			lowRankNorms[i] += meanF
		}
		lowRankNorms[i] += z.s * monomialNorms[i] / 2
		sumF += lowRankNorms[i]
	}
	if !(sumF > 0) || !(sumH > 0) {
		return rootBounds
	}
	kappa := math.Sqrt(sumH / sumF)
	for i := range rootBounds {
		rootBounds[i] = math.Hypot(rootBounds[i], kappa*lowRankNorms[i]+monomialNorms[i]/kappa)
	}
	return rootBounds
}

// maxMonomialMagnitude returns an upper bound on |z^γ| for z in the box and every monomial z^γ of the basis.
func (g *fitted) maxMonomialMagnitude() float64 {
	r := 1.0
	if g.f.Basis == ZX {
		for j, b := range g.boxUpper {
			r = max(r, math.Abs(b), math.Abs(g.boxLower[j]))
		}
	}
	return math.Pow(r, float64(g.f.Degree))
}

// boundRelativeEntryError returns a bound on the rounding error of K_ij, relative to the bound on the partial sums of
// its terms. It counts rounding in integrals, sums over monomials and powers, means over points, and MixRankOne.
func (g *gram) boundRelativeEntryError() float64 {
	f := g.g
	operationCount := f.q + f.d + 4*f.f.Degree + len(f.boxIntegrals) + 8 + 2*g.norms.rankOneUpdateCount
	if !f.f.Uncentered {
		operationCount += f.p.n / 2
	}
	return linalg.RoundingFactor(operationCount)
}

// ErrorBounds implements kernel.ErrorBounded. The exact K is positive semidefinite, and the computed K differs from it
// by at most e·a_ia_j in entry (i, j), thus by at most psdShift = e Σ_i a_i² in spectral norm, and by at most
// entryError relative to √(K_iiK_jj). addedShift is 0: nothing was added to the diagonal.
func (g *gram) ErrorBounds() (entryError, psdShift, addedShift float64) {
	a, e := g.boundPartialSums(), g.boundRelativeEntryError()
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

// boundGradientErrors returns 2q numbers r: r_kr_l bounds the rounding error of entry (k, l) of the gradient. With a
// bound e on the relative error of one term, r_k = √(4e) Σ_i |w_i| √∫N_k(z,x_i)² dz, where k_P(x,y) = ∫N(z,x)ᵀPN(z,y)dz
// over the box. V_i is the volume of the part z ≥ x_i of the box, A of the box. With Balanced, √∫N_k² is at most a
// multiple of √V_i for k < q. In all other cases it is at most a multiple of √V_i plus a multiple of √A.
func (g *gram) boundGradientErrors(w []float64) []float64 {
	f := g.g
	q := f.q
	rootBounds := make([]float64, 2*q)
	maxMonomial := f.maxMonomialMagnitude()
	for i, v := range w {
		if v == 0 {
			continue
		}
		rootVolume := math.Sqrt(f.upperRowOfVolumes(i)[0])
		rootBoxVolume := math.Sqrt(f.boxIntegrals[0])
		for k := range q {
			at := i*q + f.basis.columnOfMonomial[k]
			u := math.Abs(v*f.p.u[at]) * maxMonomial * math.Sqrt(f.kernelMultiplier)
			c := math.Abs(v*f.centeredMonomials[at]) * maxMonomial * math.Sqrt(f.kernelMultiplier)
			switch {
			case f.f.TraceMetric == Balanced:
				rootBounds[k] += f.rho * u * rootVolume
				rootBounds[q+k] += c*rootBoxVolume + u*rootVolume
			default:
				rootBounds[k] += u*rootVolume + c*rootBoxVolume
				rootBounds[q+k] += c*rootBoxVolume + u*rootVolume
			}
		}
	}
	floats.Scale(2*math.Sqrt(linalg.RoundingFactor(len(w)+f.d+4*f.f.Degree+8)), rootBounds)
	return rootBounds
}

// GradientErrorBound stores an upper bound on the rounding error of each entry of Gradient(·, w).
func (g *gram) GradientErrorBound(dst, w []float64) {
	rootBounds := g.boundGradientErrors(w)
	for k, u := range rootBounds {
		floats.ScaleTo(dst[k*len(rootBounds):(k+1)*len(rootBounds)], u, rootBounds)
	}
}

// EvaluateInDoubledPrecision stores nothing and returns false: the integrals in K have ordinary precision.
func (g *gram) EvaluateInDoubledPrecision(kw, gradient, w []float64) (ok bool) { return false }
