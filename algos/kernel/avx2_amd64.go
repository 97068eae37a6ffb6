//go:build !noasm

package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// avx2 says that this processor has the instructions of avx2_amd64.s, which compute with four entries at a time what
// the Go code beside their calls computes with one, to the same bits, but that of a NaN others may stay. Each function
// stores as many entries as it can, a multiple of 4, and returns how many. dst is src or does not overlap it.
var avx2 = cpu.X86.HasAVX2

// firstExponentials stops before four entries of which one has |cv| ≥ 700 or is not a number.
func firstExponentials(dst, src []float64, c float64) (done int) {
	if !avx2 {
		return 0
	}
	return exponentialsAVX2(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), c, &fourConstants, &table)
}

// firstPowers is of 2 ≤ d ≤ 5.
func firstPowers(dst, src []float64, d int) (done int) {
	if !avx2 {
		return 0
	}
	return powerAVX2(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), d)
}

func firstAbsolute(dst, src []float64, a float64) (done int) {
	if !avx2 {
		return 0
	}
	return addAbsoluteAVX2(unsafe.SliceData(dst), unsafe.SliceData(src), len(src), a)
}

// exponentialConstants are those of exponentials, four times each.
type exponentialConstants struct {
	absolute, part                               [4]uint64 // masks: of an absolute value, of k%intervals
	most, perPart, whole, high, low              [4]float64
	half, sixth, perTwentyFour, perHundredTwenty [4]float64
}

var fourConstants = func() exponentialConstants {
	four := func(v float64) [4]float64 { return [4]float64{v, v, v, v} }
	bits := func(v uint64) [4]uint64 { return [4]uint64{v, v, v, v} }
	return exponentialConstants{
		absolute: bits(1<<63 - 1), part: bits(intervals - 1),
		most: four(mostExponent), perPart: four(perPart), whole: four(whole), high: four(high), low: four(low),
		half: four(0.5), sixth: four(1. / 6), perTwentyFour: four(1. / 24), perHundredTwenty: four(1. / 120),
	}
}()

//go:noescape
func exponentialsAVX2(dst, src *float64, n int, c float64, k *exponentialConstants, table *[intervals]uint64) (done int)

//go:noescape
func powerAVX2(dst, src *float64, n, d int) (done int)

//go:noescape
func addAbsoluteAVX2(dst, src *float64, n int, a float64) (done int)
