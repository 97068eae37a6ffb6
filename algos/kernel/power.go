package kernel

import "fmt"

// This file contains powers s^d of single entries, for d = 1 … 5, and their derivatives in s, for d = 1 … 4.

// power stores src_i^d in dst. dst is src or does not overlap it.
func power(dst, src []float64, d int) {
	dst = dst[:len(src)]
	if d == 1 {
		copy(dst, src)
		return
	}
	done := powersByFour(dst, src, d)
	dst, src = dst[done:], src[done:]
	switch d {
	case 2:
		for i, v := range src {
			dst[i] = v * v
		}
	case 3:
		for i, v := range src {
			dst[i] = v * v * v
		}
	case 4:
		for i, v := range src {
			dst[i] = v * v * (v * v)
		}
	case 5:
		for i, v := range src {
			w := v * v
			dst[i] = w * w * v
		}
	default:
		panic(fmt.Sprintf("kernel: the power of entries is %d; use 1 to 5", d))
	}
}

// powerSlope returns d·s^{d−1}, the derivative of s^d.
func powerSlope(s float64, d int) float64 {
	switch d {
	case 1:
		return 1
	case 2:
		return 2 * s
	case 3:
		return 3 * s * s
	}
	return 4 * s * s * s
}

// powerCurvature returns d(d−1)·s^{d−2}, the second derivative of s^d.
func powerCurvature(s float64, d int) float64 {
	switch d {
	case 1:
		return 0
	case 2:
		return 2
	case 3:
		return 6 * s
	}
	return 12 * s * s
}

// integerPower returns x^p for p ≥ 0. It uses repeated squaring.
func integerPower(x float64, p int) float64 {
	r := 1.0
	for ; p > 0; p >>= 1 {
		if p&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}
