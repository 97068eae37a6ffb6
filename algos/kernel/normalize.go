package kernel

import (
	"fmt"
	"math"
)

// Normalization selects how the values k(x,z) of a base kernel are scaled.
type Normalization string

const (
	None         Normalization = ""              // k(x,z)
	Cosine       Normalization = "cosine"        // k(x,z)/√(k(x,x)k(z,z)): every point lies on the unit sphere
	MeanDiagonal Normalization = "mean diagonal" // k(x,z) / mean_i k(x_i,x_i) over the n points x_i
)

// check returns an error if m is unknown.
func (m Normalization) check() error {
	if m != None && m != Cosine && m != MeanDiagonal {
		return fmt.Errorf("kernel: unknown normalization %q; use %q, %q or %q", m, None, Cosine, MeanDiagonal)
	}
	return nil
}

// A diagonal entry k̃(x,x) counts as 0 if it may be a rounding error. k is the kernel before centering, k̃ the kernel
// after it. k̃(x,x) counts as 0 if it is at most zeroPoint times the largest k(x_i,x_i), or if the kernel is centered
// and k̃(x,x) is at most zeroCentered times the larger of k(x,x) and |mean_ij k(x_i,x_j)|. The mean of the k̃(x_i,x_i)
// counts as 0 if it is at most zeroCentered times the mean of the k(x_i,x_i).
const (
	zeroCentered = 1e-12
	zeroPoint    = 1e-14
)

// scaleFit holds the numbers that Normalize fits for one base kernel.
type scaleFit struct {
	largestDiagonal float64   // the largest k(x_i,x_i) before centering
	inverseNorms    []float64 // 1/√k̃(x_i,x_i) for the centered kernel k̃, 0 if k̃(x_i,x_i) is 0; nil without Cosine
	scale           float64   // 1/mean_i k̃(x_i,x_i), 0 if the mean is 0; 1 without MeanDiagonal
}

// fitScale returns the numbers with which m scales a base matrix. diagonalBefore and diagonalAfter are the diagonal of
// the matrix before and after centering. The argument centering is nil if the matrix is not centered. If other, a fit
// to other points, is not nil, fitScale copies largestDiagonal and scale from other.
func (m Normalization) fitScale(diagonalBefore, diagonalAfter []float64, centering *centerFit,
	other *scaleFit) scaleFit {
	n := len(diagonalBefore)
	f := scaleFit{scale: 1}
	traceAfterCentering, traceBeforeCentering := 0.0, 0.0
	for i, v := range diagonalBefore {
		f.largestDiagonal = math.Max(f.largestDiagonal, v)
		traceAfterCentering += diagonalAfter[i]
		traceBeforeCentering += v
	}
	if other != nil {
		f.largestDiagonal = other.largestDiagonal
	}
	switch m {
	case Cosine:
		f.inverseNorms = make([]float64, n)
		for i, v := range diagonalBefore {
			f.inverseNorms[i] = f.inverseNormOrZero(diagonalAfter[i], v, centering)
		}
	case MeanDiagonal:
		f.scale = 0
		if traceAfterCentering > zeroCentered*traceBeforeCentering {
			f.scale = float64(n) / traceAfterCentering
		}
		if other != nil {
			f.scale = other.scale
		}
	}
	return f
}

// scaleDiagonalEntry returns K_ii after scaling. entry is K_ii before scaling.
func (f *scaleFit) scaleDiagonalEntry(entry float64, i int) float64 {
	switch {
	case f.inverseNorms == nil:
		return entry * f.scale
	case f.inverseNorms[i] > 0:
		return 1
	}
	return 0
}

// inverseNormOrZero returns 1/√diagonal, or 0 if diagonal counts as 0. diagonal is k(x,x) after centering, and
// uncenteredDiagonal is k(x,x) before centering. centering is nil if the kernel is not centered.
func (f *scaleFit) inverseNormOrZero(diagonal, uncenteredDiagonal float64, centering *centerFit) float64 {
	if diagonal <= zeroPoint*f.largestDiagonal || centering != nil &&
		diagonal <= zeroCentered*math.Max(uncenteredDiagonal, math.Abs(centering.grandMean)) {
		return 0
	}
	return 1 / math.Sqrt(diagonal)
}

// normalizeRow centers and scales row in place: the values k(z, x_j), j ≥ first, of one point z. rowMean is mean_j k(z,
// x_j), and rowInverseNorm is 1/√k̃(z,z). They count only if the matrix is centered, or scaled with Cosine.
func (f *fittedNormalization) normalizeRow(row []float64, first int, rowMean, rowInverseNorm float64) {
	if c := f.centerFit; c != nil {
		for j := range row {
			row[j] += c.grandMean - rowMean - c.rowMeans[first+j]
		}
	}
	switch {
	case f.inverseNorms != nil:
		for j := range row {
			row[j] *= rowInverseNorm * f.inverseNorms[first+j]
		}
	case f.scale != 1:
		for j := range row {
			row[j] *= f.scale
		}
	}
}

// normalizePacked centers and scales a base matrix, n×n with a packed upper triangle, in place.
func (f *fittedNormalization) normalizePacked(packed []float64, n int) {
	for i := range n {
		rowMean, rowInverseNorm := 0.0, 0.0
		if f.centerFit != nil {
			rowMean = f.rowMeans[i]
		}
		if f.inverseNorms != nil {
			rowInverseNorm = f.inverseNorms[i]
		}
		row := packedRow(packed, n, i)
		if f.normalizeRow(row, i, rowMean, rowInverseNorm); f.inverseNorms != nil {
			row[0] = f.scaleDiagonalEntry(row[0], i)
		}
	}
}

// normalizeNewRow centers and scales row in place: the values k(z, x_j) of one new point z for all j. diagonal is
// k(z,z), which counts only with Cosine.
func (f *fittedNormalization) normalizeNewRow(row []float64, diagonal float64) {
	rowMean, rowInverseNorm, centeredDiagonal := 0.0, 0.0, diagonal
	if f.centerFit != nil {
		for _, v := range row {
			rowMean += v
		}
		rowMean /= float64(len(row))
		centeredDiagonal = diagonal + f.grandMean - 2*rowMean
	}
	if f.inverseNorms != nil {
		rowInverseNorm = f.inverseNormOrZero(centeredDiagonal, diagonal, f.centerFit)
	}
	f.normalizeRow(row, 0, rowMean, rowInverseNorm)
}
