//go:build race

package testenv

// Race reports whether the race detector is on. It makes programs slow, and sync.Pool then drops values at random.
const Race = true
