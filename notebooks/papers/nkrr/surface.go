package nkrr

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// Grid returns n points from lo to 1.
func Grid(lo float64, n int) []float64 {
	g := make([]float64, n)
	for i := range g {
		g[i] = lo + (1-lo)*float64(i)/float64(n-1)
	}
	return g
}

// Surface holds F over two weights for the problem of Figure 1, in the coordinates t_k = μ_k^q: values on a grid and
// the eigenvalues of the Hessian.
type Surface struct {
	Lambda, Q   float64
	Grid        []float64
	F           [][]float64 // F[i][j] at t = (Grid[j], Grid[i])
	Least, Most [][]float64 // eigenvalues of the Hessian in t
}

// NewSurface computes a Surface. If q > 1, the grid must start above 0. With μ = t^{1/q} the chain rule gives the
// Hessian in t:
//
//	∂²F/∂t_k∂t_l = ∂²F/∂μ_k∂μ_l μ_k′μ_l′ + [k = l] ∂F/∂μ_k μ_k″.
func NewSurface(lambda, q float64, grid []float64) (*Surface, error) {
	p, err := Figure1Problem(2, lambda)
	if err != nil {
		return nil, err
	}
	s, pt, e := &Surface{Lambda: lambda, Q: q, Grid: grid}, p.NewPoint(), 1/q
	s.F = viz.Tabulate(grid, grid, func(a, b float64) float64 {
		pt.Theta[0], pt.Theta[1] = math.Pow(a, e), math.Pow(b, e)
		if er := pt.Evaluate(nil, 0); er != nil && err == nil {
			err = er
		}
		return 2 * pt.F()
	})
	eigen := func(sign float64) func(a, b float64) float64 {
		return func(a, b float64) float64 {
			t := [2]float64{a, b}
			theta := []float64{math.Pow(a, e), math.Pow(b, e)}
			h, er := check.Curvature(p, theta)
			if er != nil {
				err = er
				return 0
			}
			g, er := Gradient(p, theta...)
			if er != nil {
				err = er
				return 0
			}
			at := func(k, l int) float64 {
				v := 2 * h.At(k, l) * e * math.Pow(t[k], e-1) * e * math.Pow(t[l], e-1)
				if k == l && q != 1 {
					v += g[k] * e * (e - 1) * math.Pow(t[k], e-2)
				}
				return v
			}
			if q == 1 {
				at = func(k, l int) float64 { return 2 * h.At(k, l) }
			}
			return (at(0, 0)+at(1, 1))/2 + sign*math.Hypot((at(0, 0)-at(1, 1))/2, at(0, 1))
		}
	}
	s.Least, s.Most = viz.Tabulate(grid, grid, eigen(-1)), viz.Tabulate(grid, grid, eigen(1))
	return s, err
}

// Lowest returns the smallest eigenvalue of the Hessian on the grid.
func (s *Surface) Lowest() float64 {
	least := math.Inf(1)
	for _, row := range s.Least {
		least = min(least, slices.Min(row))
	}
	return least
}

// Share returns the share of the grid on which exactly rising eigenvalues of the Hessian are ≥ 0. F is concave there if
// rising is 0, and convex if rising is 2.
func (s *Surface) Share(rising int) float64 {
	n, all := 0, 0
	for _, row := range s.rising() {
		for _, v := range row {
			if all++; v == float64(rising) {
				n++
			}
		}
	}
	return float64(n) / float64(all)
}

// rising counts the eigenvalues ≥ 0 at each point of the grid.
func (s *Surface) rising() [][]float64 {
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

// Figure draws F and the given lines. The part where F has a negative eigenvalue is hatched.
func (s *Surface) Figure(title string, over ...viz.Line) viz.Figure {
	down := make([][]float64, len(s.Least))
	for i, row := range s.Least {
		down[i] = floats.ScaleTo(make([]float64, len(row)), -1, row)
		floats.AddConst(-1e-9, down[i])
	}
	return viz.Heat(title, "", s.Grid, s.Grid, s.F).WithRegion("negative curvature", down).
		WithAxes("μ₁, or t₁ = μ₁²", "μ₂, or t₂ = μ₂²").WithColour("F").WithLines(over...)
}

// Classes draws where F is convex, concave and neither, in the coordinates μ.
func (s *Surface) Classes() viz.Figure {
	return viz.Heat(fmt.Sprintf("λ = %g: %.0f %% convex", s.Lambda, 100*s.Share(2)), "", s.Grid, s.Grid, s.rising()).
		WithClasses("concave", "neither", "convex").WithAxes("μ₁", "μ₂").WithColour("F is")
}
