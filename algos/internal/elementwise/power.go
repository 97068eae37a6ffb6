package elementwise

import "fmt"

// Power stores src_i^exponent in the first len(src) entries of dst. It panics unless exponent is 1 to 5. dst is src or
// does not overlap it.
func Power(dst, src []float64, exponent int) {
	dst = dst[:len(src)]
	if exponent == 1 {
		copy(dst, src)
		return
	}
	storedCount := storePowersAVX2(dst, src, exponent)
	dst, src = dst[storedCount:], src[storedCount:]
	switch exponent {
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
		panic(fmt.Sprintf("elementwise: the exponent of Power is %d; use 1 to 5", exponent))
	}
}

// PowerDerivative returns d·s^{d−1}, the derivative of s^d, for d from 1 to 4.
func PowerDerivative(s float64, d int) float64 {
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

// PowerSecondDerivative returns d(d−1)·s^{d−2}, the second derivative of s^d, for d from 1 to 4.
func PowerSecondDerivative(s float64, d int) float64 {
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

// IntegerPower returns x^exponent for exponent ≥ 0, by repeated squaring.
func IntegerPower(x float64, exponent int) float64 {
	r := 1.0
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			r *= x
		}
		x *= x
	}
	return r
}

// MultiplicationCount returns how many multiplications RaiseToPower needs for each entry. ok is false for an exponent
// that RaiseToPower does not accept.
func MultiplicationCount(exponent int) (count int, ok bool) {
	if exponent < 1 {
		return 0, false
	}
	for _, f := range [...]struct{ p, count int }{{5, 3}, {4, 2}, {3, 2}, {2, 1}} {
		for ; exponent%f.p == 0; exponent /= f.p {
			count += f.count
		}
	}
	return count, exponent == 1
}

// RaiseToPower stores src_i^exponent in the first len(src) entries of dst. It panics unless exponent is a product
// 2^a·3^b·5^c. dst may be src.
func RaiseToPower(dst, src []float64, exponent int) {
	if _, ok := MultiplicationCount(exponent); !ok {
		panic(fmt.Sprintf("elementwise: the exponent of RaiseToPower is %d; use a number whose only prime factors are "+
			"2, 3 and 5", exponent))
	}
	dst = dst[:len(src)]
	if exponent == 1 {
		copy(dst, src)
		return
	}
	for _, f := range [...]int{5, 4, 3, 2} {
		for ; exponent%f == 0; exponent /= f {
			Power(dst, src, f)
			src = dst
		}
	}
}
