package kernel

import (
	"errors"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/polynomial"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// Monomials is the family of linear combinations of products k^e = Π_i k_i^{e_i} of base kernels k_1 … k_p,
//
//	k_θ = Σ_{e ∈ Tied} μ^e k^e + Σ_{e ∈ Free} c_e k^e,   μ^e = Π_i μ_i^{e_i},
//
// with θ = (μ_1 … μ_p, c_1 …). A product of Tied has the same product of the parameters μ as its coefficient. A product
// of Free has a separate coefficient c_e. If Tied is empty, θ has no μ. Examples are
//
//	Free: Exponents(p, d)   the polynomial combinations of Cortes et al., (2): every product of at most
//	                        d kernels has a separate coefficient. Linear in θ.
//	Tied: Exponents(p, d)   the same with coefficients that are products, their (3): p parameters.
//	both                    some products of either kind.
//
// The sum in (3) of the paper has no multinomial coefficients. With them it would be (Σ_k θ_kk_k)^d, which is the
// family Sum. K is a polynomial in θ. Its degree is the largest |e| = Σ_i e_i of a product of Tied. Its coefficients
// are positive semidefinite matrices by Schur's product theorem, as Grams.Degree requires.
//
// Monomials stores a matrix K_e for each product k^e, 4n² bytes. K(θ) is Σ_e c_eK_e, where c_e is the coefficient of
// product e: μ^e for a tied product. A derivative is the same sum with derivatives of c_e in place of c_e. It takes
// O(rn²) for r products.
//
// Reference: C. Cortes, M. Mohri and A. Rostamizadeh, Learning non-linear combinations of kernels, NIPS 2009.
type Monomials struct {
	Kernels List
	// Tied and Free are lists of products of the p base kernels, each given by its p exponents e. The weight of a
	// product in Tied is Π_i μ_i^{e_i}, with one parameter μ_i for each kernel; in Free, it is a separate parameter.
	Tied, Free [][]int
	// Prepare is applied to Rows and Sparse first.
	Prepare points.Preprocessing
}

var _ Family = Monomials{}

// Exponents returns every e ≥ 0 with kernelCount entries and Σe_i ≤ maxDegree, sorted by degree, (0 … 0) first.
func Exponents(kernelCount, maxDegree int) [][]int {
	var exponents [][]int
	for degree := range maxDegree + 1 {
		for _, factors := range polynomial.New(kernelCount, degree).FactorIndices {
			e := make([]int, kernelCount)
			for _, k := range factors {
				e[k]++
			}
			exponents = append(exponents, e)
		}
	}
	return exponents
}

// sumOfProducts returns the linear family whose base kernels are the products in Tied, followed by those in Free.
func (f Monomials) sumOfProducts() Sum {
	s := Sum{Prepare: f.Prepare}
	for _, e := range slices.Concat(f.Tied, f.Free) {
		s.Kernels = append(s.Kernels, product{f.Kernels, e})
	}
	return s
}

// check returns an error if there are no kernels or no products, or if exponents are invalid.
func (f Monomials) check() error {
	if len(f.Kernels) == 0 || len(f.Tied)+len(f.Free) == 0 {
		return errors.New("kernel: Monomials has no kernels or no products; pass at least one of each")
	}
	for _, e := range slices.Concat(f.Tied, f.Free) {
		if err := checkExponents(e, len(f.Kernels)); err != nil {
			return err
		}
	}
	return nil
}

// Bind returns the Grams of f on the points x. If Tied is empty, they are those of the Sum of the products.
func (f Monomials) Bind(x points.Points) Grams {
	inner := f.sumOfProducts().Bind(x).(*sumGrams)
	if err := f.check(); err != nil {
		inner.bindError = err
	}
	if len(f.Tied) == 0 || inner.bindError != nil {
		return inner
	}
	return f.newMonomialGrams(inner)
}

// monomialGrams is Monomials with a nonempty list Tied, bound to points. Its K(θ) is K of productSum, the linear family
// of the products k^e, with the coefficients c_e(θ) as parameters.
type monomialGrams struct {
	Defaults
	f          Monomials
	c          polynomial.Terms // the coefficient c_e(θ) of each product k^e, a polynomial in θ
	productSum *sumGrams
}

// newMonomialGrams returns the Grams of Monomials. productSum is the linear family of the products on the points.
func (f Monomials) newMonomialGrams(inner *sumGrams) *monomialGrams {
	g := &monomialGrams{f: f, productSum: inner}
	for _, e := range f.Tied {
		var t []int
		for k, v := range e {
			t = append(t, slices.Repeat([]int{k}, v)...)
		}
		g.c.FactorIndices = append(g.c.FactorIndices, t)
	}
	for k := range f.Free {
		g.c.FactorIndices = append(g.c.FactorIndices, []int{len(f.Kernels) + k})
	}
	g.c.Coef = slices.Repeat([]float64{1}, len(g.c.FactorIndices))
	return g
}

// Dims returns the number of parameters, one per base kernel and one per product of Free, and the number of points.
func (g *monomialGrams) Dims() (parameterCount, pointCount int) {
	_, pointCount = g.productSum.Dims()
	return len(g.f.Kernels) + len(g.f.Free), pointCount
}

// Label returns the name of the base kernel or of the product that θ_k weights.
func (g *monomialGrams) Label(k int) string {
	if p := len(g.f.Kernels); k >= p {
		return g.productSum.Label(len(g.f.Tied) + k - p)
	}
	return kernelLabel(g.f.Kernels[k], g.productSum.x)
}

// Degree returns the largest sum |e| of the exponents of a product of Tied, at least 1. If such a product has |e| = 0,
// Degree returns at least 2, because K then has a constant term and K(θ) is not linear in θ.
func (g *monomialGrams) Degree() int {
	d := 1
	for _, t := range g.c.FactorIndices {
		if d = max(d, len(t)); len(t) == 0 {
			d = max(d, 2)
		}
	}
	return d
}

// StoredTriangleCount returns the number of n×n triangles that K(θ) and the matrices of the products occupy.
func (g *monomialGrams) StoredTriangleCount() int { return g.productSum.StoredTriangleCount() }

func (g *monomialGrams) Validate() error { return g.productSum.Validate() }

func (g *monomialGrams) WithThreads(n int) Grams {
	return g.f.newMonomialGrams(g.productSum.WithThreads(n).(*sumGrams))
}

func (g *monomialGrams) Slice(rows []int) Grams {
	return g.f.newMonomialGrams(g.productSum.slice(rows))
}

func (g *monomialGrams) Block(rows, cols []int) Cross {
	return monomialCross{g, g.productSum.Block(rows, cols)}
}

func (g *monomialGrams) Cross(z points.Points) Cross { return monomialCross{g, g.productSum.Cross(z)} }

// monomialCross computes K of Monomials between new points and the points of monomialGrams.
type monomialCross struct {
	*monomialGrams
	productSumCross Cross
}

func (c monomialCross) StoreMatrix(dst *mat.Dense, theta []float64) {
	c.productSumCross.StoreMatrix(dst, c.productCoefficients(nil, theta))
}

// productCoefficients returns the coefficient c_e(θ) of each product of kernels, in dst if dst has enough capacity.
func (g *monomialGrams) productCoefficients(dst, theta []float64) []float64 {
	if len(theta) != len(g.f.Kernels)+len(g.f.Free) {
		panic(badTheta)
	}
	dst = dst[:0]
	for e := range g.c.FactorIndices {
		dst = append(dst, g.c.TermWithoutFactors(e, -1, -1, theta))
	}
	return dst
}

// monomialGram is K(θ) = Σ_e c_e(θ)K_e of Monomials. The matrix K_e is the entrywise product of powers, with exponents
// e, of the base matrices. c_e is its coefficient, a polynomial in θ.
type monomialGram struct {
	*sumGram
	grams            *monomialGrams
	theta            []float64
	c                []float64 // the coefficient c_e(θ) of each product of kernels in K(θ) = Σ_e c_eK_e
	bilinearForms, e []float64 // working storage, one number for each product
}

var (
	_ SecondOrder  = (*monomialGram)(nil)
	_ ErrorBounded = (*monomialGram)(nil)
)

func (g *monomialGrams) New() Gram {
	r := g.c.Len()
	k := &monomialGram{sumGram: g.productSum.New().(*sumGram), grams: g, bilinearForms: make([]float64, r),
		e: make([]float64, r)}
	k.matrix = NewMatrix(k.n, Form{Dense: k.denseMatrix, ErrorBounds: k.ErrorBounds})
	return k
}

func (g *monomialGram) SetTheta(theta []float64) {
	g.c = g.grams.productCoefficients(g.c, theta)
	g.theta = append(g.theta[:0], theta...)
	g.sumGram.SetTheta(g.c)
}

// EvaluateInDoubledPrecision returns false: it would need coefficients c_e(θ) without rounding errors.
func (g *monomialGram) EvaluateInDoubledPrecision(kw, gradient, w []float64) bool { return false }

// QuadraticFormInTheta returns false: wᵀK(θ)w may have terms of degree 0 or 1 in θ, which θᵀQθ does not contain.
func (g *monomialGram) QuadraticFormInTheta(dst *mat.SymDense, w []float64) (errorBound float64, ok bool) {
	return 0, false
}

func (g *monomialGram) Gradient(dst, w []float64) { g.BilinearGradient(dst, w, w) }

// BilinearGradient stores Σ_e (∂c_e/∂θ_k) vᵀK_ew in dst[k], in O(rn²), for K(θ) = Σ_e c_e(θ)K_e over r products.
func (g *monomialGram) BilinearGradient(dst, v, w []float64) {
	g.checkParameterLength(dst)
	g.sumGram.BilinearGradient(g.bilinearForms, v, w)
	g.storeJacobianProduct(dst, g.bilinearForms)
}

// storeJacobianProduct stores Σ_e (∂c_e/∂θ_k) a_e in dst[k], where c_e(θ) is the coefficient of product e in K(θ).
func (g *monomialGram) storeJacobianProduct(dst, a []float64) {
	clear(dst)
	for e, v := range a {
		g.grams.c.AddGradient(dst, e, g.theta, v)
	}
}

// MulDirectionalDerivative stores (Σ_e ⟨∇c_e,u⟩K_e)w in dst, in O(rn²), for K(θ) = Σ_e c_e(θ)K_e over r products.
func (g *monomialGram) MulDirectionalDerivative(dst, u, w []float64) {
	g.checkParameterLength(u)
	for e := range g.e {
		g.e[e] = g.grams.c.DirectionalDerivative(e, g.theta, u)
	}
	g.sumGram.MulDirectionalDerivative(dst, g.e, w)
}

// HessianVectorProduct stores Σ_e wᵀK_ew Σ_l u_l ∂²c_e/∂θ_k∂θ_l in dst[k], for K(θ) = Σ_e c_e(θ)K_e over the products.
func (g *monomialGram) HessianVectorProduct(dst, u, w []float64) {
	g.checkParameterLength(u)
	g.checkParameterLength(dst)
	g.sumGram.BilinearGradient(g.bilinearForms, w, w)
	clear(dst)
	for e, v := range g.bilinearForms {
		g.grams.c.AddHessianProduct(dst, e, g.theta, u, v)
	}
}

// checkParameterLength panics if u does not have one entry for each parameter.
func (g *monomialGram) checkParameterLength(u []float64) {
	if len(u) != len(g.theta) {
		panic(badLength)
	}
}

// coefficientErrorBound bounds the relative rounding error, at θ ≥ 0, of a coefficient c_e(θ) and its derivatives.
func (g *monomialGram) coefficientErrorBound() float64 {
	return linalg.RoundingFactor(g.grams.Degree() + g.grams.c.Len() + 4)
}

// ErrorBounds returns the bounds of the sum over the products, enlarged by the rounding errors of their coefficients:
// on the error of an entry, on the negative eigenvalues, and on the numbers added to the diagonal.
func (g *monomialGram) ErrorBounds() (entryError, psdShift, addedShift float64) {
	entryError, psdShift, addedShift = g.sumGram.ErrorBounds()
	return entryError + g.coefficientErrorBound(), psdShift * (1 + 1e-6), addedShift * (1 + 1e-6)
}

// GradientErrorBound stores in dst[k] a bound on the rounding error of Gradient for K(θ) = Σ_e c_e(θ)K_e over the
// products: Σ_e (∂c_e/∂θ_k)·ε_e. ε_e bounds the error of wᵀK_ew plus |wᵀK_ew| times the relative error of c_e.
func (g *monomialGram) GradientErrorBound(dst, w []float64) {
	g.checkParameterLength(dst)
	g.sumGram.GradientErrorBound(g.e, w)
	g.sumGram.BilinearGradient(g.bilinearForms, w, w)
	for e, v := range g.bilinearForms {
		g.e[e] += g.coefficientErrorBound() * max(v, -v)
	}
	g.storeJacobianProduct(dst, g.e)
}
