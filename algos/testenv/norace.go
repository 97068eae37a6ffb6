//go:build !race

package testenv

// Race reports whether the race detector is on, which is slow and empties pools at random.
const Race = false
