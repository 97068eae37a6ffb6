//go:build !amd64 || noasm

package elementwise

const avx2 = false

func storeExponentialsInFours(dst, src []float64, factor float64) (storedCount int)      { return 0 }
func storePowersInFours(dst, src []float64, exponent int) (storedCount int)              { return 0 }
func addAbsoluteDifferencesInFours(dst, src []float64, scalar float64) (storedCount int) { return 0 }
