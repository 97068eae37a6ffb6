package settest

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// collectPoints stores points of Θ in c.points: projections onto Θ, projections onto the standard set with the same
// Traits (such as set.PSD), minimizers of linear functions, and convex combinations of these.
func (c *checker) collectPoints() {
	for range 20 {
		x := c.randomNearStart(10)
		c.points = append(c.points, c.projection(x))
		if s := setFromTraits(c.traits); s != nil {
			p := projection(s, x)
			c.checkMember(p, "a projection onto the set that the Traits describe")
			c.points = append(c.points, p)
		}
		v := make([]float64, c.paramCount)
		if !math.IsInf(c.s.Minimize(v, c.gaussianVector(1)), 0) {
			c.points = append(c.points, v)
		}
	}
	for range 20 {
		p, t := slices.Clone(c.randomPoint()), c.rng.Float64()
		floats.Scale(t, p)
		floats.AddScaled(p, 1-t, c.randomPoint())
		c.checkMember(p, "a mixture of two points of the set")
		c.points = append(c.points, p)
	}
}

func (c *checker) randomPoint() []float64 { return c.points[c.rng.IntN(len(c.points))] }

func projection(s set.Set, x []float64) []float64 {
	p := make([]float64, len(x))
	s.Project(p, x)
	return p
}

func (c *checker) projection(x []float64) []float64 { return projection(c.s, x) }

// gaussianVector returns normal numbers with the standard deviation size, as a symmetric matrix if θ is a matrix.
func (c *checker) gaussianVector(size float64) []float64 {
	x := make([]float64, c.paramCount)
	for k := range x {
		x[k] = size * c.rng.NormFloat64()
	}
	return c.makeSymmetric(x)
}

// makeSymmetric makes x symmetric if θ is a matrix, and each part of x if θ consists of matrices. It returns x.
func (c *checker) makeSymmetric(x []float64) []float64 {
	switch t := c.traits; {
	case t.Semidefinite:
		Symmetrize(x)
	case t.FactorCount > 0 && t.Factor.Traits().Semidefinite:
		for part := range slices.Chunk(x, len(x)/t.FactorCount) {
			Symmetrize(part)
		}
	}
	return x
}

// Symmetrize replaces the n×n matrix X that x stores row by row by (X + Xᵀ)/2.
func Symmetrize(x []float64) {
	n := matrixOrder(x)
	for i := range n {
		for j := range i {
			v := (x[i*n+j] + x[j*n+i]) / 2
			x[i*n+j], x[j*n+i] = v, v
		}
	}
}

// matrixOrder returns the order n of the matrix with the n² entries x.
func matrixOrder(x []float64) int { return int(math.Round(math.Sqrt(float64(len(x))))) }

// minEigenvalue returns the smallest eigenvalue of the symmetric matrix θ, or NaN if θ has none.
func minEigenvalue(theta []float64) float64 {
	var e mat.EigenSym
	if floats.HasNaN(theta) || !e.Factorize(mat.NewSymDense(matrixOrder(theta), slices.Clone(theta)), false) {
		return math.NaN()
	}
	return e.Values(nil)[0]
}

// randomNearStart returns a random point whose distance from Start is about size·‖Start‖.
func (c *checker) randomNearStart(size float64) []float64 {
	x := c.gaussianVector(size * c.lengthUnit / math.Sqrt(float64(c.paramCount)))
	floats.Add(x, c.start)
	return x
}
