package elementwise

import "math"

// AddAbsolute adds |a − src[j]| to dst[j] for j < len(src).
func AddAbsolute(dst, src []float64, a float64) {
	dst = dst[:len(src)]
	done := addAbsoluteByFour(dst, src, a)
	dst, src = dst[done:], src[done:]
	for j, v := range src {
		dst[j] += math.Abs(a - v)
	}
}
