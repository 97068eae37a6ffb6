//go:build !linux

package main

import "math"

func resetPeak() {}

// resources are not known here.
func resources() (seconds, peak float64) { return math.NaN(), math.NaN() }
