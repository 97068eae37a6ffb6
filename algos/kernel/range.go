package kernel

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/points"
)

// rescaleAdvice is the end of the errors of checkDiagonalRange.
const rescaleAdvice = "rescale the features (Prepare: points.Standardize) or the precomputed matrix"

// checkDiagonalRange returns an error if a k(x_i,x_i) is above 1e100, or if all are below 1e-100 but not all are 0.
// logDiagonal has the decimal logarithms of the k(x_i,x_i). The entries k(x_i,x_j) need no check, because |k(x_i,x_j)|²
// ≤ k(x_i,x_i)k(x_j,x_j). The error calls k by the name label.
func checkDiagonalRange(label any, logDiagonal []float64) error {
	largestLog := math.Inf(-1)
	for i, v := range logDiagonal {
		if !(v <= points.MaxExponent) {
			return fmt.Errorf("kernel: the value of %v for point %d with itself is about 1e%+.0f, outside 1e±%d; %s",
				label, i+1, v, points.MaxExponent, rescaleAdvice)
		}
		largestLog = max(largestLog, v)
	}
	if largestLog < -points.MaxExponent && !math.IsInf(largestLog, -1) {
		return fmt.Errorf("kernel: the values of %v for a point with itself are too small: at most about 1e%+.0f, "+
			"outside 1e±%d; %s", label, largestLog, points.MaxExponent, rescaleAdvice)
	}
	return nil
}

// storeLogDiagonal stores log10 k(x_i,x_i) in dst. For a product or a power, it adds or multiplies the logarithms of
// the factors, so that no intermediate result overflows or underflows.
func storeLogDiagonal(dst []float64, k Kernel, x points.Points) {
	switch k := k.(type) {
	case product:
		clear(dst)
		logDiagonalOfFactor := make([]float64, len(dst))
		for i, f := range k.Kernels {
			if e := float64(k.Exponents[i]); e > 0 {
				storeLogDiagonal(logDiagonalOfFactor, f, x)
				for j, v := range logDiagonalOfFactor {
					dst[j] += e * v
				}
			}
		}
	case Polynomial:
		degree := float64(k.Degree)
		k.Degree = 1
		storeDiagonal(k, dst, x)
		replaceByScaledLogs(dst, degree)
	default:
		storeDiagonal(k, dst, x)
		replaceByScaledLogs(dst, 1)
	}
}

// replaceByScaledLogs replaces each number v_i by factor·log10 |v_i|.
func replaceByScaledLogs(v []float64, factor float64) {
	for i := range v {
		v[i] = factor * math.Log10(math.Abs(v[i]))
	}
}
