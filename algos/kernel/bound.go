package kernel

import "github.com/mklnb/mkl/algos/points"

// Bound is a family and the points to which it is bound. It is the form in which a notebook stores a variable that
// contains Grams (package mklnb/kept): everything that the family computes is computed again.
type Bound struct {
	Family  Family
	Points  points.Points
	Threads int // limit on threads, 0 for none
}

// FromKept returns the Grams.
func (b Bound) FromKept() any { return b.Family.Bind(b.Points).WithThreads(b.Threads) }

// KeptForm returns g as a Bound.
func (g *sumGrams) KeptForm() any { return Bound{g.f, g.x, int(g.threads)} }

// KeptForm returns g as a Bound.
func (g *featureGrams) KeptForm() any { return Bound{g.f, g.x, int(g.threads)} }

// KeptForm returns g as a Bound.
func (g *gaussianGrams) KeptForm() any {
	return Bound{Gaussians{Prepare: g.f.Prepare}, g.x, int(g.threads)}
}

// KeptForm returns g as a Bound.
func (g *monomialGrams) KeptForm() any {
	return Bound{g.f, g.productSum.x, int(g.productSum.threads)}
}
