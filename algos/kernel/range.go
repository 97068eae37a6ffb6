package kernel

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/points"
)

// maxExponent bounds the size of numbers: features and kernel values have magnitudes from 1e-100 to 1e100. Their
// products and sums then neither overflow nor vanish.
const maxExponent = 100

// rescaleAdvice is the remedy that errors name.
const rescaleAdvice = "rescale the features (Prepare: points.Standardize) or the matrix"

// checkDiagonal returns an error for a kernel, or another quantity of each point, whose values are too large or too
// small to compute with. logs are the decimal logarithms of k(x_i,x_i), which bound the rest of a positive semidefinite
// matrix.
func checkDiagonal(kernel any, logs []float64) error {
	top := math.Inf(-1)
	for i, v := range logs {
		if !(v <= maxExponent) {
			return fmt.Errorf("kernel: %v of point %d with itself is about 1e%+.0f, outside 1e±%d: %s",
				kernel, i+1, v, maxExponent, rescaleAdvice)
		}
		top = max(top, v)
	}
	if top < -maxExponent && !math.IsInf(top, -1) {
		return fmt.Errorf("kernel: %v of a point with itself is at most about 1e%+.0f, outside 1e±%d: %s",
			kernel, top, maxExponent, rescaleAdvice)
	}
	return nil
}

// logDiagonal stores log10 k(x_i,x_i) in dst. It takes powers after the logarithm, so that they cannot overflow or
// vanish.
func logDiagonal(dst []float64, k Kernel, x points.Points) {
	switch k := k.(type) {
	case product:
		clear(dst)
		factor := make([]float64, len(dst))
		for i, f := range k.Kernels {
			if e := float64(k.Exponents[i]); e > 0 {
				logDiagonal(factor, f, x)
				for j, v := range factor {
					dst[j] += e * v
				}
			}
		}
	case Polynomial:
		degree := float64(k.Degree)
		k.Degree = 1
		diagonal(k, dst, x)
		toLogs(dst, degree)
	default:
		diagonal(k, dst, x)
		toLogs(dst, 1)
	}
}

// toLogs replaces each v by log10 |v|^d.
func toLogs(v []float64, d float64) {
	for i := range v {
		v[i] = d * math.Log10(math.Abs(v[i]))
	}
}
