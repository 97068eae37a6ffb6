package similarity

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// CheckNew returns an error if the family cannot be evaluated at z.
func (g *learnedGrams) CheckNew(z points.Points) (kernel.OutOfDomain, error) {
	return kernel.OutOfDomain{}, g.checkNewPoints(z)
}

// checkNewPoints returns an error if the family cannot be evaluated at z.
func (g *learnedGrams) checkNewPoints(z points.Points) error {
	if g.bindError != nil {
		return g.bindError
	}
	switch z := z.(type) {
	case points.Indices:
		return g.f.checkIndices(z)
	case points.KernelRows:
		switch {
		case g.f.S == nil:
			return errors.New("similarity: points given by their similarities are met by the linear map K S⁺ s, " +
				"which needs S of the family")
		case z.N != g.f.N:
			return fmt.Errorf("similarity: the new points have similarities to %d points, S is of %d", z.N, g.f.N)
		case !slices.Contains(z.Names, g.f.Name):
			return fmt.Errorf("similarity: the new points have no similarities named %q, but %q", g.f.Name, z.Names)
		}
		_, err := g.spectrum()
		return err
	}
	return fmt.Errorf("similarity: a learned kernel takes points.Indices and points.KernelRows, the points are %T", z)
}

// decomposeSimilarities returns the spectrum of S between the points of θ.
func (g *learnedGrams) decomposeSimilarities() (*Spectrum, error) {
	s := mat.NewSymDense(g.order, nil)
	for i := range g.order {
		for j := i; j < g.order; j++ {
			p, q := g.similarityRow(i), g.similarityRow(j)
			s.SetSym(i, j, g.f.S[p*g.f.N+q]/2+g.f.S[q*g.f.N+p]/2)
		}
	}
	return Decompose(s)
}

// similarityRow returns the row of S that belongs to row i of θ.
func (g *learnedGrams) similarityRow(i int) int {
	if g.f.Inductive {
		return g.x[i]
	}
	return i
}

// Cross returns the Cross between new points z and the bound points. CheckNew must accept z.
func (g *learnedGrams) Cross(z points.Points) kernel.Cross {
	c := &learnedCross{g: g, thetaRow: slices.Repeat([]int{-1}, z.Len())}
	var s []float64 // similarities to the points of θ, one row for each new point that uses the linear map
	switch z := z.(type) {
	case points.Indices:
		if !g.f.Inductive {
			copy(c.thetaRow, z)
			break
		}
		for i, p := range z {
			if c.thetaRow[i] = slices.Index(g.x, p); c.thetaRow[i] >= 0 {
				continue
			}
			for _, q := range g.x {
				s = append(s, g.f.S[p*g.f.N+q]/2+g.f.S[q*g.f.N+p]/2)
			}
		}
	case points.KernelRows:
		similarities := z.Data[slices.Index(z.Names, g.f.Name)]
		for i := range c.thetaRow {
			for j := range g.order {
				s = append(s, similarities[i*z.N+g.similarityRow(j)])
			}
		}
	default:
		panic(fmt.Sprintf("similarity: points of kind %T", z))
	}
	if s != nil {
		c.s = mat.NewDense(len(s)/g.order, g.order, s)
	}
	return c
}

// learnedCross is the kernel between new points and the bound points.
type learnedCross struct {
	g        *learnedGrams
	thetaRow []int      // the row of θ of each new point; −1 for points that use the linear map
	s        *mat.Dense // similarities of the new points that use the linear map to the points of θ
}

// Gram stores K(θ) between the new points (rows) and the bound points (columns) in dst.
func (c *learnedCross) Gram(dst *mat.Dense, theta []float64) {
	g, n := c.g, c.g.order
	entry := func(p, q int) float64 { return theta[p*n+q]/2 + theta[q*n+p]/2 } // of K
	var mapped *mat.Dense
	if c.s != nil {
		k := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				k.SetSym(i, j, entry(i, j))
			}
		}
		s, err := g.spectrum()
		if err == nil {
			var rule *Kernel
			if rule, err = s.Map(k, g.f.Rcond); err == nil {
				mapped, err = rule.Cross(c.s)
			}
		}
		if err != nil { // CheckNew has returned this error
			mapped = mat.NewDense(len(c.thetaRow), n, nil)
			mapped.Apply(func(_, _ int, _ float64) float64 { return math.NaN() }, mapped)
		}
	}
	next := 0
	for i, p := range c.thetaRow {
		row := dst.RawRowView(i)
		if p >= 0 {
			for j, q := range g.rows {
				row[j] = entry(p, q)
			}
			continue
		}
		mappedRow := mapped.RawRowView(next)
		next++
		for j, q := range g.rows {
			row[j] = mappedRow[q]
		}
	}
}
