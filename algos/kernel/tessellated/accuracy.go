package tessellated

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
)

// normBounds holds upper bounds on Frobenius norms of the blocks M, R' and S' of transformedP, the parameter matrix P
// in another basis: m for M, r for R', and s for S' with its entries multiplied by the integrals of monomials over the
// box. rankOneUpdateCount is the number of updates of P by a matrix vvᵀ since the last SetTheta.
type normBounds struct {
	m, r, s            float64
	rankOneUpdateCount int
}

// boundsOfMixture returns bounds for the parameter matrix (1−η)A + ηB. a holds the bounds for A, and b those for B.
func (a normBounds) boundsOfMixture(b normBounds, eta float64) normBounds {
	mix := func(x, y float64) float64 { return (1-eta)*x + eta*y }
	return normBounds{mix(a.m, b.m), mix(a.r, b.r), mix(a.s, b.s), a.rankOneUpdateCount + 1}
}

// normWeightedByBoxIntegrals returns the Frobenius norm of A∘S for a q×q matrix S. Entry (i, j) of A is the integral
// over the box of the product of the powers of z in the monomials i and j.
func (g *fitted) normWeightedByBoxIntegrals(s []float64) float64 {
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

// outerNormWeightedByBoxIntegrals returns the Frobenius norm of A∘ssᵀ for a vector s of length q. Entry (i, j) of A is
// the integral over the box of the product of the powers of z in the monomials i and j.
func (g *fitted) outerNormWeightedByBoxIntegrals(s []float64) float64 {
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

// partialSumFactors returns one number a_i for each point i. Every partial sum of the terms of K_ij is at most a_ia_j
// in absolute value. Terms of the first kind are vol_c(x_i,x_j) u_iᵀMu_j: u_i are the monomials of point i, M is a
// block of the parameter matrix, z^c is a product of two monomials z^γ, and vol_c(x,y) is its integral over the part of
// the box with z ≥ x and z ≥ y, of volume V(x,y). With ν_i = ‖u_i‖√V(x_i,x_i)·max|z^γ|, Cauchy–Schwarz gives
//
//	|vol_c(x_i,x_j) u_iᵀMu_j| ≤ ‖M‖ν_iν_j.
//
// With centering, ν_i + mean_j ν_j in place of ν_i covers the means of these terms. The other terms are F_iᵀH_j +
// H_iᵀF_j, with two n×q matrices F and H. They are at most b_ib_j with b_i = κ‖F_i‖ + ‖H_i‖/κ, for any κ > 0.
func (g *gram) partialSumFactors() []float64 {
	f, z := g.g, g.norms
	n, q := f.p.n, f.q
	maxMonomial := f.maxMonomialMagnitude()
	factors, lowRankNorms, monomialNorms := make([]float64, n), make([]float64, n), make([]float64, n)
	var meanBound, meanF, sumF, sumH float64
	for i := range factors {
		u := floats.Norm(f.p.u[i*q:(i+1)*q], 2)
		factors[i] = math.Sqrt(f.rowOfVolumes(i)[0]*z.m) * maxMonomial * u
		meanBound += factors[i] / float64(n)
		for _, t := range f.p.t {
			lowRankNorms[i] = max(lowRankNorms[i], math.Abs(t[i])*u*z.r)
		}
		meanF += lowRankNorms[i] / float64(n)
		monomialNorms[i] = floats.Norm(f.centeredMonomials[i*q:(i+1)*q], 2)
		sumH += monomialNorms[i]
	}
	for i := range factors {
		if !f.f.Uncentered {
			factors[i] += meanBound
			lowRankNorms[i] += meanF
		}
		lowRankNorms[i] += z.s * monomialNorms[i] / 2
		sumF += lowRankNorms[i]
	}
	if !(sumF > 0) || !(sumH > 0) {
		return factors
	}
	kappa := math.Sqrt(sumH / sumF)
	for i := range factors {
		factors[i] = math.Hypot(factors[i], kappa*lowRankNorms[i]+monomialNorms[i]/kappa)
	}
	return factors
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

// relativeEntryError returns the rounding error of K_ij relative to a bound on the partial sums of its terms. It counts
// rounding in integrals, in sums over monomials and powers, in means over points, and in updates of P by vvᵀ.
func (g *gram) relativeEntryError() float64 {
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
	a, e := g.partialSumFactors(), g.relativeEntryError()
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

// gradientErrorFactors returns 2q numbers r: r_kr_l bounds the rounding error of entry (k, l) of the gradient. With a
// bound e on the relative error of one term, r_k = √(4e) Σ_i |w_i| √∫N_k(z,x_i)² dz, where k_P(x,y) = ∫N(z,x)ᵀPN(z,y)dz
// over the box. If N_k is 0 outside z ≥ x_i, √∫N_k² is at most a multiple of √V(x_i,x_i), V(x_i,x_i) the volume of this
// part. If N_k is a function on the whole box of volume A, it is at most a multiple of √A or of √A + √V(x_i,x_i).
func (g *gram) gradientErrorFactors(w []float64) []float64 {
	f := g.g
	q := f.q
	b := make([]float64, 2*q)
	maxMonomial := f.maxMonomialMagnitude()
	for i, v := range w {
		if v == 0 {
			continue
		}
		rootVolume := math.Sqrt(f.rowOfVolumes(i)[0])
		rootBoxVolume := math.Sqrt(f.boxIntegrals[0])
		for k := range q {
			at := i*q + f.basis.columnOfMonomial[k]
			u := math.Abs(v*f.p.u[at]) * maxMonomial * math.Sqrt(f.kernelMultiplier)
			c := math.Abs(v*f.centeredMonomials[at]) * maxMonomial * math.Sqrt(f.kernelMultiplier)
			switch {
			case f.f.Metric == Balanced:
				b[k] += f.rho * u * rootVolume
				b[q+k] += c*rootBoxVolume + u*rootVolume
			default:
				b[k] += u*rootVolume + c*rootBoxVolume
				b[q+k] += c*rootBoxVolume + u*rootVolume
			}
		}
	}
	floats.Scale(2*math.Sqrt(linalg.RoundingFactor(len(w)+f.d+4*f.f.Degree+8)), b)
	return b
}

// GradientErrorBound stores an upper bound on the rounding error of each entry of Gradient(·, w).
func (g *gram) GradientErrorBound(dst, w []float64) {
	b := g.gradientErrorFactors(w)
	for k, u := range b {
		floats.ScaleTo(dst[k*len(b):(k+1)*len(b)], u, b)
	}
}

// EvaluateInDoubledPrecision stores nothing and returns false: the integrals in K have ordinary precision.
func (g *gram) EvaluateInDoubledPrecision(kw, gradient, w []float64) (ok bool) { return false }
