package elementwise

import "math"

// AddAbsoluteDifferences adds |a − src[j]| to dst[j] for j < len(src).
func AddAbsoluteDifferences(dst, src []float64, a float64) {
	dst = dst[:len(src)]
	done := addAbsoluteDifferencesByFour(dst, src, a)
	dst, src = dst[done:], src[done:]
	for j, v := range src {
		dst[j] += math.Abs(a - v)
	}
}
