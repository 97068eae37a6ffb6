package elementwise

import "math"

// AddAbsoluteDifferences adds |scalar − src[j]| to dst[j] for j < len(src).
func AddAbsoluteDifferences(dst, src []float64, scalar float64) {
	dst = dst[:len(src)]
	storedCount := addAbsoluteDifferencesInFours(dst, src, scalar)
	dst, src = dst[storedCount:], src[storedCount:]
	for j, v := range src {
		dst[j] += math.Abs(scalar - v)
	}
}
