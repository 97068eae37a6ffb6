//go:build !linux

package main

import "math"

func resetPeak() {}

// processUsage returns NaN, because this program does not measure the two numbers on this system.
func processUsage() (seconds, peak float64) { return math.NaN(), math.NaN() }
