//go:build !linux

package main

import "math"

// processorSeconds returns NaN, because this program does not measure processor time on this system.
func processorSeconds() float64 { return math.NaN() }
