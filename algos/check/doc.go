// Package check probes what papers claim of F: derivatives by Taylor's theorem, convexity by chords,
// Hessians by spectra, the constants, conditions and bounds of the papers by computing them.
// A probe can refute, never prove: certificates do that (package mkl).
package check
