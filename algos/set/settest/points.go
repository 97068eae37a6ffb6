package settest

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// collectPoints collects points of Θ in points: projections, projections onto the set described by its Traits,
// minimizers of linear functions, and convex combinations of these.
func (c *checker) collectPoints() {
	for range 20 {
		x := c.nearStart(10)
		c.points = append(c.points, c.projection(x))
		if s := setOf(c.traits); s != nil {
			p := projection(s, x)
			c.checkMember(p, "a point of the set described by its Traits")
			c.points = append(c.points, p)
		}
		v := make([]float64, c.params)
		if !math.IsInf(c.s.Minimize(v, c.normalVector(1)), 0) {
			c.points = append(c.points, v)
		}
	}
	for range 20 {
		p, t := slices.Clone(c.randomPoint()), c.rng.Float64()
		floats.Scale(t, p)
		floats.AddScaled(p, 1-t, c.randomPoint())
		c.checkMember(p, "mixture of two points of the set")
		c.points = append(c.points, p)
	}
}

// randomPoint returns a random one of points.
func (c *checker) randomPoint() []float64 { return c.points[c.rng.IntN(len(c.points))] }

// projection returns the projection of x onto s.
func projection(s set.Set, x []float64) []float64 {
	p := make([]float64, len(x))
	s.Project(p, x)
	return p
}

// projection returns the projection of x.
func (c *checker) projection(x []float64) []float64 { return projection(c.s, x) }

// normalVector returns m normal numbers of standard deviation size, made symmetric if θ is a matrix.
func (c *checker) normalVector(size float64) []float64 {
	x := make([]float64, c.params)
	for k := range x {
		x[k] = size * c.rng.NormFloat64()
	}
	return c.makeSymmetric(x)
}

// makeSymmetric makes x symmetric if θ is a matrix, and each part of x if θ consists of matrices. It returns x.
func (c *checker) makeSymmetric(x []float64) []float64 {
	switch t := c.traits; {
	case t.Matrices:
		Symmetric(x)
	case t.FactorCount > 0 && t.Factor.Traits().Matrices:
		for part := range slices.Chunk(x, len(x)/t.FactorCount) {
			Symmetric(part)
		}
	}
	return x
}

// Symmetric replaces the n×n matrix X that x stores row by row by (X + Xᵀ)/2.
func Symmetric(x []float64) {
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

// minEigenvalue returns the smallest eigenvalue of the symmetric matrix θ.
func minEigenvalue(theta []float64) float64 {
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(matrixOrder(theta), slices.Clone(theta)), false) {
		panic("settest: no eigenvalues")
	}
	return e.Values(nil)[0]
}

// nearStart returns a random point whose distance from Start is about size·‖Start‖.
func (c *checker) nearStart(size float64) []float64 {
	x := c.normalVector(size * c.lengthUnit / math.Sqrt(float64(c.params)))
	floats.Add(x, c.origin)
	return x
}
