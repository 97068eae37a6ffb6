//go:build !amd64 || noasm

package elementwise

const avx2 = false

func exponentialsByFour(dst, src []float64, c float64) (done int) { return 0 }
func powersByFour(dst, src []float64, d int) (done int)           { return 0 }
func addAbsoluteByFour(dst, src []float64, a float64) (done int)  { return 0 }
