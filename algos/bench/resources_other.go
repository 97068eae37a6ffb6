//go:build !linux

package main

import "math"

func resetPeak() {}

// processUsage returns NaN, because these are not measured on this system.
func processUsage() (seconds, peak float64) { return math.NaN(), math.NaN() }
