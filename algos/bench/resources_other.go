//go:build !linux

package main

import "math"

func resetPeak() {}

// resources returns NaN, because these are not measured on this system.
func resources() (seconds, peak float64) { return math.NaN(), math.NaN() }
