package blocks

import (
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
)

// Bound is a Family or Spectra bound to n points. It is the form in which a notebook stores a variable that contains
// them (package mklnb/kept).
type Bound struct {
	Blocks  []kernel.Grams
	Starts  []int // of the parameters of each block, and their number
	N       int
	Threads int // limit on threads, 0 for none
}

// KeptForm returns g as a Bound.
func (g *blocksGrams) KeptForm() any {
	if g.bindError != nil {
		return g.bindError
	}
	return Bound{g.blockGrams, g.parameterStarts, g.n, int(g.threads)}
}

// FromKept returns the Grams.
func (b Bound) FromKept() any {
	return &blocksGrams{blockGrams: b.Blocks, parameterStarts: b.Starts, n: b.N, threads: linalg.ThreadLimit(b.Threads)}
}

// BoundSpectrum is a block of Spectra bound to points.
type BoundSpectrum struct {
	Grams   kernel.Grams
	Spectra Spectra
	Block   int
}

// KeptForm returns g as a BoundSpectrum.
func (g spectrumGrams) KeptForm() any { return BoundSpectrum{g.Grams, g.f, g.i} }

// FromKept returns the Grams.
func (b BoundSpectrum) FromKept() any { return spectrumGrams{b.Grams, b.Spectra, b.Block} }
