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

// storeExponentialsInFours stores exp(factor·src_i) in dst. It stops before the first group of four entries in which
// an entry v has |factor·v| ≥ 700 or is NaN.
func storeExponentialsInFours(dst, src []float64, factor float64) (storedCount int) {
	if !avx2 {
		return 0
	}
	return exponentialsAVX2(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), factor, &fourConstants, &table)
}

// storePowersInFours stores src_i^exponent in dst for i < storedCount, a multiple of four, and for 2 ≤ exponent ≤ 5.
func storePowersInFours(dst, src []float64, exponent int) (storedCount int) {
	if !avx2 {
		return 0
	}
	return powerAVX2(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), exponent)
}

// addAbsoluteDifferencesInFours adds |scalar − src_i| to dst_i for i < storedCount, a multiple of four.
func addAbsoluteDifferencesInFours(dst, src []float64, scalar float64) (storedCount int) {
	if !avx2 {
		return 0
	}
	return addAbsoluteDifferencesAVX2(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), scalar)
}

// exponentialConstants holds the constants of Exp, each repeated four times.
type exponentialConstants struct {
	// absoluteMask clears the sign bit of a float64; k & indexMask is k mod intervals, an index of the table
	absoluteMask, indexMask                  [4]uint64
	maxArgument, stepsPerUnit                [4]float64
	roundingShift, stepHigh, stepLow         [4]float64
	oneHalf, oneSixth, oneOver24, oneOver120 [4]float64
}

var fourConstants = func() exponentialConstants {
	repeatFloat := func(v float64) [4]float64 { return [4]float64{v, v, v, v} }
	repeatBits := func(v uint64) [4]uint64 { return [4]uint64{v, v, v, v} }
	return exponentialConstants{
		absoluteMask: repeatBits(1<<63 - 1), indexMask: repeatBits(intervals - 1),
		maxArgument: repeatFloat(mostExponent), stepsPerUnit: repeatFloat(stepsPerUnit),
		roundingShift: repeatFloat(roundingShift), stepHigh: repeatFloat(stepHigh), stepLow: repeatFloat(stepLow),
		oneHalf: repeatFloat(0.5), oneSixth: repeatFloat(1. / 6), oneOver24: repeatFloat(1. / 24),
		oneOver120: repeatFloat(1. / 120),
	}
}()

//go:noescape
func exponentialsAVX2(dst, src *float64, n int, factor float64, constants *exponentialConstants,
	table *[intervals]uint64) (done int)

//go:noescape
func powerAVX2(dst, src *float64, n, d int) (done int)

//go:noescape
func addAbsoluteDifferencesAVX2(dst, src *float64, n int, a float64) (done int)
