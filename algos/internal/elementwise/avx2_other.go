//go:build !amd64 || noasm

package elementwise

const avx2 = false

func storeExponentialsAVX2(dst, src []float64, factor float64) (storedCount int)     { return 0 }
func storePowersAVX2(dst, src []float64, exponent int) (storedCount int)             { return 0 }
func addAbsoluteDifferencesAVX2(dst, src []float64, scalar float64) (addedCount int) { return 0 }
