package elementwise

import "math"

// AddAbsoluteDifferences adds |scalar − src[j]| to dst[j] for j < len(src).
func AddAbsoluteDifferences(dst, src []float64, scalar float64) {
	dst = dst[:len(src)]
	addedCount := addAbsoluteDifferencesAVX2(dst, src, scalar)
	dst, src = dst[addedCount:], src[addedCount:]
	for j, v := range src {
		dst[j] += math.Abs(scalar - v)
	}
}
