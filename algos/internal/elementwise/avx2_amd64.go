//go:build !noasm

package elementwise

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// avx2 is true if this processor has the AVX2 instructions, which avx2_amd64.s uses. The functions there compute four
// entries at a time. Each stores as many entries as it can, a multiple of 4, and returns their number; its caller
// computes the remaining entries in Go. Go code would give the same bits for the stored entries, except in a NaN. The
// argument dst must be src or must not overlap src.
var avx2 = cpu.X86.HasAVX2

// storeExponentialsAVX2 stores exp(factor·src_i) in dst. It stops before the first group of four entries in which
// an entry v has |factor·v| ≥ 700 or is NaN.
func storeExponentialsAVX2(dst, src []float64, factor float64) (storedCount int) {
	if !avx2 {
		return 0
	}
	return storeExponentialsAsm(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), factor, &fourConstants, &table)
}

// storePowersAVX2 stores src_i^exponent in dst for i < storedCount, a multiple of four. exponent must be 2 to 5.
func storePowersAVX2(dst, src []float64, exponent int) (storedCount int) {
	if !avx2 {
		return 0
	}
	return storePowersAsm(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), exponent)
}

// addAbsoluteDifferencesAVX2 adds |scalar − src_i| to dst_i for i < addedCount, a multiple of four.
func addAbsoluteDifferencesAVX2(dst, src []float64, scalar float64) (addedCount int) {
	if !avx2 {
		return 0
	}
	return addAbsoluteDifferencesAsm(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), scalar)
}

// exponentialConstants holds the constants of Exp, each four times: one for each entry of a vector of AVX2.
type exponentialConstants struct {
	// absoluteMask clears the sign bit of a float64. indexMask is intervals − 1: k & indexMask is k mod intervals
	absoluteMask, indexMask                  [4]uint64
	maxArgument, tableStepsPerUnit           [4]float64
	roundingShift, stepHighPart, stepLowPart [4]float64
	oneHalf, oneSixth, oneOver24, oneOver120 [4]float64
}

var fourConstants = func() exponentialConstants {
	repeatFloat := func(v float64) [4]float64 { return [4]float64{v, v, v, v} }
	repeatBits := func(v uint64) [4]uint64 { return [4]uint64{v, v, v, v} }
	return exponentialConstants{
		absoluteMask: repeatBits(1<<63 - 1), indexMask: repeatBits(intervals - 1),
		maxArgument: repeatFloat(maxArgument), tableStepsPerUnit: repeatFloat(tableStepsPerUnit),
		roundingShift: repeatFloat(roundingShift), stepHighPart: repeatFloat(stepHighPart),
		stepLowPart: repeatFloat(stepLowPart), oneHalf: repeatFloat(0.5), oneSixth: repeatFloat(1. / 6),
		oneOver24: repeatFloat(1. / 24), oneOver120: repeatFloat(1. / 120),
	}
}()

//go:noescape
func storeExponentialsAsm(dst, src *float64, n int, factor float64, constants *exponentialConstants,
	table *[intervals]uint64) (storedCount int)

//go:noescape
func storePowersAsm(dst, src *float64, n, d int) (storedCount int)

//go:noescape
func addAbsoluteDifferencesAsm(dst, src *float64, n int, a float64) (addedCount int)
