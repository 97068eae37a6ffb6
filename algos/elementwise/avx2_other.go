//go:build !amd64 || noasm

package elementwise

const avx2 = false

func exponentialsByFour(dst, src []float64, factor float64) (storedCount int)           { return 0 }
func powersByFour(dst, src []float64, exponent int) (storedCount int)                   { return 0 }
func addAbsoluteDifferencesByFour(dst, src []float64, scalar float64) (storedCount int) { return 0 }
