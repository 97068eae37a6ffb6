package kernel

import (
	"math"

	"github.com/mklnb/mkl/algos/linalg"
)

// factors holds a low-rank factor Φ_k, n×r_k, for each base matrix K_k that has one. Φ_kΦ_kᵀ + δ_kI differs from K_k by
// at most ρ_k√(K_iiK_jj) in entry (i, j). Smooth kernels of few features have such factors. With a factor, vᵀK_kw takes
// n·r_k operations instead of n². Only gradients use the factors; K(θ) is computed from the matrices K_k.
type factors struct {
	factorOfKernel     []factor    // one for each of the m base matrices
	unfactoredKernels  []int       // the indices of the base matrices that have no factor Φ_k
	unfactoredMatrices [][]float64 // their matrices
}

// factor is the low-rank factor of one base matrix. It has no columns if the matrix has no such factor.
type factor struct {
	diagonalShift, relativeFactorError float64   // the shift δ_k, and the relative error ρ_k of Φ_kΦ_kᵀ + δ_kI
	factorColumns                      []float64 // the columns of the n×r_k factor Φ_k, one after another
}

const (
	// A factor Φ of K − δI, where δ is the shift of the diagonal, must leave a residual K_ii − δ − (ΦΦᵀ)_ii of at most
	// maxResidual·K_ii. The relative error ρ of ΦΦᵀ + δI must be at most maxRho.
	maxResidual = 1e-13
	maxRho      = 1e-12
	// maxRank is the largest rank of a factor. For n points, the rank must also be at most n/4.
	maxRank = 64
)

// lowRankFactors returns the low-rank factors of the base matrices of g, computed at the first call. It returns nil if
// no matrix has a factor, if the degree of K in θ is not 1, or if there are fewer than two base matrices.
func (g *fittedSum) lowRankFactors(threads linalg.ThreadLimit) *factors {
	g.lowRankOnce.Do(func() {
		m, n := g.Dims()
		if g.d != 1 || m < 2 {
			return
		}
		f := &factors{factorOfKernel: make([]factor, m)}
		threads.Run(m, func(k int) {
			f.factorOfKernel[k] = lowRankCholesky(g.k[k], n, g.addedDiagonalShift(k))
		})
		for k := range f.factorOfKernel {
			if f.factorOfKernel[k].factorColumns == nil {
				f.unfactoredKernels, f.unfactoredMatrices = append(f.unfactoredKernels, k), append(f.unfactoredMatrices,
					g.k[k])
			}
		}
		if len(f.unfactoredKernels) < m {
			g.lowRank = f
		}
	})
	return g.lowRank
}

// lowRankCholesky computes a low-rank factor of A − δI, where A is the packed matrix and δ is shift, by Cholesky
// factorization with complete pivoting, up to maxResidual. The factor has no columns if its relative error ρ exceeds
// maxRho, or if its rank exceeds the limit or would do so at the rate at which the residual decreases.
func lowRankCholesky(packed []float64, n int, shift float64) (f factor) {
	rankLimit := min(n/4, maxRank)
	diag, residual := make([]float64, n), make([]float64, n)
	for i := range n {
		diag[i] = packed[packedOffset(n, i)]
		residual[i] = diag[i] - shift
		if diag[i] <= 0 {
			return f
		}
	}
	var columns []float64
	for r := 0; ; r++ {
		p, maxResidualRatio := 0, 0.0
		for i, v := range residual {
			if v := v / diag[i]; v > maxResidualRatio {
				p, maxResidualRatio = i, v
			}
		}
		if maxResidualRatio <= maxResidual {
			break
		}
		if r == rankLimit || maxResidualRatio > 10*math.Pow(maxResidual, float64(r)/float64(rankLimit)) {
			return f
		}
		columns = append(columns, make([]float64, n)...)
		c := columns[r*n:]
		for i := range c {
			c[i] = packed[packedIndex(n, p, i)]
		}
		c[p] -= shift
		for t := range r {
			linalg.Axpy(-columns[t*n+p], columns[t*n:(t+1)*n], c)
		}
		pivotRoot := math.Sqrt(residual[p])
		for i := range c {
			c[i] /= pivotRoot
			residual[i] -= c[i] * c[i]
		}
		residual[p] = 0
	}
	r := len(columns) / n
	row := make([]float64, n)
	for i := range n {
		copy(row[i:], packedRow(packed, n, i))
		row[i] -= shift
		for t := range r {
			linalg.Axpy(-columns[t*n+i], columns[t*n+i:(t+1)*n], row[i:])
		}
		for j := i; j < n; j++ {
			f.relativeFactorError = math.Max(f.relativeFactorError, math.Abs(row[j])/math.Sqrt(diag[i]*diag[j]))
		}
	}
	f.relativeFactorError += linalg.RoundingFactor(n + r + 8) // for the rounding of A − δI − ΦΦᵀ
	if !(f.relativeFactorError <= maxRho) {
		return factor{}
	}
	f.diagonalShift, f.factorColumns = shift, columns
	return f
}

// kernelsPerTile is the number of base matrices in a tile of storeBilinearForms.
const kernelsPerTile = 16

// storeBilinearForms stores vᵀK_kw in dst[k] for the base matrices that have factors.
func (f *factors) storeBilinearForms(threads linalg.ThreadLimit, dst, v, w []float64) {
	n, vw, isSameVector := len(v), linalg.Dot(v, w), &v[0] == &w[0]
	threads.Run(countTiles(len(dst), kernelsPerTile), func(t int) {
		for k := t * kernelsPerTile; k < min(len(dst), (t+1)*kernelsPerTile); k++ {
			sum := f.factorOfKernel[k].diagonalShift * vw
			for columns := f.factorOfKernel[k].factorColumns; len(columns) > 0; columns = columns[n:] {
				x := linalg.Dot(columns[:n], w)
				if isSameVector {
					sum += x * x
				} else {
					sum += x * linalg.Dot(columns[:n], v)
				}
			}
			dst[k] = sum
		}
	})
}
