package nkrr

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/viz"
)

// Grid returns n evenly spaced points from lo to 1.
func Grid(lo float64, n int) []float64 {
	g := make([]float64, n)
	for i := range g {
		g[i] = lo + (1-lo)*float64(i)/float64(n-1)
	}
	return g
}

// Surface holds F of the problem of Figure 1 over two weights, in the coordinates t_k = μ_k^q: the values on a grid,
// and the eigenvalues of the Hessian.
type Surface struct {
	Lambda, Q   float64
	Grid        []float64
	F           [][]float64 // F[i][j] at t = (Grid[j], Grid[i])
	Least, Most [][]float64 // smallest and largest eigenvalue of the Hessian in t
}

// NewSurface computes F and its Hessian on the grid. If q > 1, the grid must start above 0. With μ = t^{1/q}, the chain
// rule gives the Hessian in t; μ′ and μ″ are derivatives of μ by t:
//
//	∂²F/∂t_k∂t_l = ∂²F/∂μ_k∂μ_l μ_k′μ_l′ + [k = l] ∂F/∂μ_k μ_k″.
func NewSurface(lambda, q float64, grid []float64) (*Surface, error) {
	p, err := Figure1Problem(2, lambda)
	if err != nil {
		return nil, err
	}
	s, pt, exponent := &Surface{Lambda: lambda, Q: q, Grid: grid}, p.NewPoint(), 1/q
	s.F = viz.Tabulate(grid, grid, func(a, b float64) float64 {
		pt.Theta[0], pt.Theta[1] = math.Pow(a, exponent), math.Pow(b, exponent)
		if evalErr := pt.Evaluate(nil, 0); evalErr != nil && err == nil {
			err = evalErr
		}
		return 2 * pt.F()
	})
	eigenvalue := func(sign float64) func(a, b float64) float64 {
		return func(a, b float64) float64 {
			t := [2]float64{a, b}
			theta := []float64{math.Pow(a, exponent), math.Pow(b, exponent)}
			h, evalErr := check.Curvature(p, theta)
			if evalErr != nil {
				err = evalErr
				return 0
			}
			g, evalErr := Gradient(p, theta...)
			if evalErr != nil {
				err = evalErr
				return 0
			}
			hessian := func(k, l int) float64 {
				v := 2 * h.At(k, l) * exponent * math.Pow(t[k], exponent-1) * exponent * math.Pow(t[l], exponent-1)
				if k == l && q != 1 {
					v += g[k] * exponent * (exponent - 1) * math.Pow(t[k], exponent-2)
				}
				return v
			}
			if q == 1 {
				hessian = func(k, l int) float64 { return 2 * h.At(k, l) }
			}
			return (hessian(0, 0)+hessian(1, 1))/2 + sign*math.Hypot((hessian(0, 0)-hessian(1, 1))/2, hessian(0, 1))
		}
	}
	s.Least, s.Most = viz.Tabulate(grid, grid, eigenvalue(-1)), viz.Tabulate(grid, grid, eigenvalue(1))
	return s, err
}

// Lowest returns the smallest eigenvalue of the Hessian over the grid.
func (s *Surface) Lowest() float64 {
	least := math.Inf(1)
	for _, row := range s.Least {
		least = min(least, slices.Min(row))
	}
	return least
}

// Share returns the share of the grid points at which the Hessian has exactly the given number of nonnegative
// eigenvalues. F is convex at these points if the number is 2, and concave if it is 0.
func (s *Surface) Share(count int) float64 {
	n, all := 0, 0
	for _, row := range s.nonnegativeCounts() {
		for _, v := range row {
			if all++; v == float64(count) {
				n++
			}
		}
	}
	return float64(n) / float64(all)
}

// nonnegativeCounts returns, for each point of the grid, the number of eigenvalues of the Hessian that are ≥ 0.
func (s *Surface) nonnegativeCounts() [][]float64 {
	r := make([][]float64, len(s.Grid))
	for i := range r {
		for j := range s.Grid {
			v := 0.0
			for _, e := range []float64{s.Least[i][j], s.Most[i][j]} {
				if e >= 0 {
					v++
				}
			}
			r[i] = append(r[i], v)
		}
	}
	return r
}

// Corner returns F at (1, 1).
func (s *Surface) Corner() float64 { return s.F[len(s.Grid)-1][len(s.Grid)-1] }

// Figure draws F as colors, with the given lines over it. Points mark where the Hessian has a negative eigenvalue.
func (s *Surface) Figure(title string, over ...viz.Line) viz.Figure {
	return viz.Heat(title, "", s.Grid, s.Grid, s.F).WithLines(over...).
		WithMarkedPoints("negative curvature", func(i, j int) bool { return s.Least[i][j] <= -1e-9 }).
		WithAxes("μ₁, or t₁ = μ₁²", "μ₂, or t₂ = μ₂²").WithColor("F")
}

// Classes draws the number of nonnegative eigenvalues of the Hessian. It labels the axes μ, so Q must be 1.
func (s *Surface) Classes() viz.Figure {
	title := fmt.Sprintf("λ = %g: %.0f %% convex", s.Lambda, 100*s.Share(2))
	f := viz.Heat(title, "", s.Grid, s.Grid, s.nonnegativeCounts())
	f.Cells.Levels = nil
	return f.WithAxes("μ₁", "μ₂").WithColor("eigenvalues ≥ 0 (2: F is convex, 0: concave)")
}
