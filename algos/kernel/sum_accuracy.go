package kernel

import (
	"hash/fnv"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/internal/design"
	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// requiredDiagonalShift returns δ_k, a number such that stored base matrix k is positive semidefinite after δ_k is
// added to its diagonal. diagonal is the diagonal of the matrix, and x are the preprocessed points. fit is nil if the
// matrix is neither centered nor normalized.
//
// Entry (i, j) has a rounding error of at most u√(k_iik_jj), where u bounds the relative error of a kernel value. If
// the kernel is positive semidefinite in exact arithmetic, δ_k = u times the trace is therefore enough. A centered
// matrix has the errors of the matrix before centering, and Normalize: Cosine magnifies them. If the kernel has a
// method DiagonalShift, δ_k includes its result. If the matrix is centered, packed is its upper triangle, and
// requiredDiagonalShift looks for a smaller δ_k by Cholesky factorizations if they take less than a few seconds.
func (b *baseMatrices) requiredDiagonalShift(k int, packed, diagonal []float64, x points.Points,
	fit *fittedNormalization) float64 {
	n, trace, u := x.Len(), 0.0, b.relativeEntryError(k)
	if fit != nil && fit.centerFit != nil {
		u += linalg.RoundingFactor(n) // the rounding error of the means of the matrix rows, which are sums of n entries
	}
	errorMagnification := 1.0
	if fit != nil {
		errorMagnification = fit.scale
		for _, v := range fit.inverseNorms {
			errorMagnification = math.Max(errorMagnification, v*v)
		}
	}
	for i := range n {
		switch {
		case fit == nil || fit.centerFit == nil:
			trace += diagonal[i]
		case fit.inverseNorms != nil:
			trace += 4 * fit.largestDiagonal * fit.inverseNorms[i] * fit.inverseNorms[i]
		default:
			trace += 4 * fit.largestDiagonal * fit.scale
		}
	}
	shift, maxKernelShift := u*trace, 0.0
	for j, kernelShift := range b.diagonalShiftsByPoint(&b.kernels[k], x) {
		if fit != nil && fit.centerFit == nil && fit.inverseNorms != nil {
			maxKernelShift = max(maxKernelShift, kernelShift*fit.inverseNorms[j]*fit.inverseNorms[j])
		} else {
			maxKernelShift = max(maxKernelShift, kernelShift*errorMagnification)
		}
	}
	if maxKernelShift > 0 {
		// If E repeats the rows of K, K + δI becomes EKEᵀ + δEEᵀ, and ‖EEᵀ‖ is the largest number of repetitions.
		shift += maxKernelShift * maxPointRepetitions(x)
	}
	if operationCount := float64(n) * float64(n) * float64(n); fit != nil && fit.centerFit != nil &&
		operationCount*float64(len(b.kernels)) < 1e11 {
		shift = math.Min(shift, findDiagonalShift(unpackMatrix(packed, n)))
	}
	return shift
}

// relativeEntryError returns a number u such that the rounding error of entry (i, j) of base matrix A, that of kernel k
// before centering and normalization, is at most u√(A_iiA_jj).
func (b *baseMatrices) relativeEntryError(k int) float64 {
	u := 64 + 8*float64(points.FeatureCount(b.x))
	return linalg.RoundingFactor(u*roundingErrorMultiplier(b.kernels[k]) + b.errorFactorOfPower(k))
}

func addToDiagonal(packed []float64, n int, shift float64) {
	for i := range n {
		packed[packedOffset(n, i)] += shift
	}
}

// maxPointRepetitions returns the number of times that the most frequent point of x occurs.
func maxPointRepetitions(x points.Points) float64 {
	pointCounts, maxCount := map[string]int{}, 1
	for i := range x.Len() {
		h := fnv.New128a()
		x.Slice([]int{i}).HashInto(h)
		pointHash := string(h.Sum(nil))
		pointCounts[pointHash]++
		maxCount = max(maxCount, pointCounts[pointHash])
	}
	return float64(maxCount)
}

// findDiagonalShift returns a δ ≥ 0 such that A + δI is positive semidefinite, or +Inf if it finds none. It tries
// increasing shifts, from the size of rounding errors up to 1e-10 times the largest diagonal entry, until the Cholesky
// factorization of the shifted A succeeds. The computed factor is exact for a matrix that differs from the shifted A by
// at most n(n+1)ε (ε = 2⁻⁵²) times the largest diagonal entry. δ is the shift plus this difference.
func findDiagonalShift(a *mat.SymDense) float64 {
	n, largestDiagonal := float64(a.SymmetricDim()), 0.0
	for i := range a.SymmetricDim() {
		largestDiagonal = math.Max(largestDiagonal, a.At(i, i))
	}
	for shiftOverDiagonal := 4 * linalg.RoundingFactor(n); ; shiftOverDiagonal *= 10 {
		shiftOverDiagonal = math.Min(shiftOverDiagonal, 1e-10)
		if linalg.ThreadLimit(0).IsPSD(a, shiftOverDiagonal) {
			return (shiftOverDiagonal + n*linalg.RoundingFactor(n+1)) * largestDiagonal
		}
		if shiftOverDiagonal == 1e-10 {
			return math.Inf(1)
		}
	}
}

// storeDiagonalOfSum stores Σ_k |θ_k| (K_k)_ii in dst[i]. If θ ≥ 0, this is the diagonal of S = Σ_k θ_kK_k.
func (g *sumGram) storeDiagonalOfSum(dst []float64) {
	clear(dst)
	for k, t := range g.theta {
		for i, r := range g.fitted.featureSpaceNorms()[k] {
			dst[i] += math.Abs(t) * r * r
		}
	}
}

// featureSpaceNorms returns √(K_k)_ii in entry [k][i], for each base matrix K_k after centering and normalization.
func (g *fittedSum) featureSpaceNorms() [][]float64 {
	g.normsOnce.Do(func() {
		_, n := g.Dims()
		g.normsByKernel = make([][]float64, len(g.k))
		for k, fit := range g.normalizations {
			g.normsByKernel[k] = make([]float64, n)
			for i, v := range fit.diag {
				g.normsByKernel[k][i] = math.Sqrt(math.Max(v, 0))
			}
		}
	})
	return g.normsByKernel
}

// ErrorBounds returns the bounds of ErrorBounded. entryError covers the rounding of the m products and sums of S = Σ_k
// θ_kK_k and of the power d. After Mix no bound is known, and entryError is +Inf. psdShift is 0: the base matrices K_k
// are positive semidefinite, and so are their sum and its elementwise power (Schur). Let δ_k be the number added to the
// diagonal of K_k, and δ = Σ_kθ_kδ_k plus rounding errors. addedShift is max_i d·S_ii^{d−1}δ, which is at least S_ii^d
// − (S_ii − δ)^d for each i.
func (g *sumGram) ErrorBounds() (entryError, psdShift, addedShift float64) {
	totalShift := 0.0
	for k, t := range g.theta {
		totalShift += math.Abs(t) * (g.fitted.base.addedDiagonalShifts[k]*max(g.fitted.maxRowRepetitions, 1) +
			g.fitted.normalizations[k].diagonalShift)
	}
	if totalShift > 0 {
		diagonalOfS := design.Resize(&g.work, g.n)
		g.storeDiagonalOfSum(diagonalOfS)
		s := floats.Max(diagonalOfS)
		addedShift = float64(g.fitted.d) * elementwise.IntegerPower(s, g.fitted.d-1) * (totalShift +
			linalg.RoundingFactor(2)*s) * (1 + linalg.RoundingFactor(len(g.theta)+16))
	}
	if g.isSetByMix {
		return math.Inf(1), 0, addedShift
	}
	m, _ := g.fitted.Dims()
	return linalg.RoundingFactor(g.fitted.d * (m + 3)), 0, addedShift
}

// addedDiagonalShift returns δ_k, the number that was added to the diagonal of base matrix k.
func (g *fittedSum) addedDiagonalShift(k int) float64 {
	return g.base.addedDiagonalShifts[k] + g.normalizations[k].diagonalShift
}

// derivativeErrorFactor returns a bound u for the derivatives, which are sums over the entries of a packed triangle:
// the rounding error of such a sum is at most u times the sum of the absolute values of its terms. The bound includes
// the errors of the terms, which contain an entry of S = Σ_k θ_kK_k to the power d−1.
func (g *sumGram) derivativeErrorFactor() float64 {
	m, n := g.fitted.Dims()
	l := packedOffset(n, n)
	return linalg.RoundingFactor(max(min(l, chunk)+l/chunk, 2*n) + g.fitted.d*(m+3) + 8)
}

// GradientErrorBound stores in dst[k] a bound on the rounding error of wᵀ(∂K/∂θ_k)w = d·Σ_ij w_iw_jS_ij^{d−1}(K_k)_ij,
// with S = Σ_k θ_kK_k, in O(mn): (u + ρ_k)·d(Σ_i |w_i|√(S_ii^{d−1}(K_k)_ii))², because |M_ij| ≤ √(M_iiM_jj) if M ⪰ 0. u
// is derivativeErrorFactor, and ρ_k the relative error of the low-rank factor of K_k, or 0 without a factor.
func (g *sumGram) GradientErrorBound(dst, w []float64) {
	g.checkLengths(w, w, dst)
	_, n := g.fitted.Dims()
	c, d, f := g.derivativeErrorFactor(), g.fitted.d, g.fitted.lowRankFactors(g.Threads)
	scaledAbsW := design.Resize(&g.work, n)
	if d > 1 {
		g.storeDiagonalOfSum(scaledAbsW)
	}
	for i, s := range scaledAbsW {
		if scaledAbsW[i] = math.Abs(w[i]); d > 1 {
			scaledAbsW[i] *= math.Sqrt(elementwise.IntegerPower(s, d-1))
		}
	}
	for k, norm := range g.fitted.featureSpaceNorms() {
		sumOfTerms, e := linalg.Dot(scaledAbsW, norm), c
		if f != nil {
			e += f.factorOfKernel[k].relativeFactorError
		}
		dst[k] = float64(d) * e * sumOfTerms * sumOfTerms
	}
}

// quadraticFormError returns a bound on the spectral norm of the rounding error of the matrix Q with wᵀK(θ)w = θᵀQθ:
// c‖b‖² with b_k = Σ_i |w_i|(K_k)_ii, where c bounds the relative rounding error of a sum of such terms.
func (g *sumGram) quadraticFormError(w []float64) float64 {
	bb := 0.0
	for _, norm := range g.fitted.featureSpaceNorms() {
		b := 0.0
		for i, r := range norm {
			b += math.Abs(w[i]) * r * r
		}
		bb += b * b
	}
	return g.derivativeErrorFactor() * bb
}

// EvaluateInDoubledPrecision stores K(θ)w in kw and wᵀ(∂K/∂θ_k)w in gradient[k], in double-double arithmetic, in
// O(mn²). If this would take more than about half a second, it stores nothing and returns false.
func (g *sumGram) EvaluateInDoubledPrecision(kw, gradient, w []float64) (isStored bool) {
	g.checkLengths(kw, w, gradient)
	m, n := g.fitted.Dims()
	if float64(m)*float64(packedOffset(n, n)) > maxDoubledProducts/2 {
		return false
	}
	a := doubledForms{make([]doubled, n), make([]doubled, m), w, g.fitted.d}
	packedMatrices, t := g.fitted.k, 0
	for i := range n {
		for j := i; j < n; j, t = j+1, t+1 {
			var s doubled
			for k, theta := range g.theta {
				if theta != 0 {
					s = s.plusProduct(theta, packedMatrices[k][t])
				}
			}
			if p := a.addEntryOfS(i, j, s); p.hi != 0 {
				for k := range a.gradient {
					a.gradient[k] = a.gradient[k].plus(p.timesFloat(packedMatrices[k][t]))
				}
			}
		}
	}
	roundToFloat64(kw, a.kw)
	roundToFloat64(gradient, a.gradient)
	return true
}
