package nkrr

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// Grid is n points from 0 to 1.
func Grid(n int) []float64 {
	g := make([]float64, n)
	for i := range g {
		g[i] = float64(i) / float64(n-1)
	}
	return g
}

// Surface is F over two weights, of the problem of Figure 1: its values on a grid and its curvature.
type Surface struct {
	Lambda float64
	Grid   []float64
	F      [][]float64 // F[i][j] at weights (Grid[j], Grid[i])
	Rising [][]float64 // how many eigenvalues of the Hessian are ≥ 0: 0 where F is concave, 2 where it is convex
}

// NewSurface computes F at μ = (weight(g_j), weight(g_i)), and the curvature in μ there.
func NewSurface(lambda float64, grid []float64, weight func(float64) float64) (*Surface, error) {
	p, err := Two(2, lambda)
	if err != nil {
		return nil, err
	}
	s := &Surface{Lambda: lambda, Grid: grid}
	pt := p.NewPoint()
	at := func(a, b float64) {
		pt.Theta[0], pt.Theta[1] = weight(a), weight(b)
		if e := pt.Evaluate(nil, 0); e != nil && err == nil {
			err = e
		}
	}
	s.F = viz.Tabulate(grid, grid, func(a, b float64) float64 { at(a, b); return 2 * pt.F() })
	s.Rising = viz.Tabulate(grid, grid, func(a, b float64) float64 { at(a, b); return float64(rising(pt)) })
	return s, err
}

// rising counts the eigenvalues ≥ 0 of the 2×2 Hessian.
func rising(pt *mkl.Point) (n int) {
	h1, h2 := make([]float64, 2), make([]float64, 2)
	pt.HessVec(h1, []float64{1, 0})
	pt.HessVec(h2, []float64{0, 1})
	mid, half := (h1[0]+h2[1])/2, math.Hypot((h1[0]-h2[1])/2, (h1[1]+h2[0])/2)
	for _, e := range []float64{mid - half, mid + half} {
		if e >= 0 {
			n++
		}
	}
	return n
}

// Share is the share of the grid on which so many eigenvalues of the Hessian are ≥ 0.
func (s *Surface) Share(rising int) float64 {
	n, all := 0, 0
	for _, row := range s.Rising {
		for _, v := range row {
			if all++; v == float64(rising) {
				n++
			}
		}
	}
	return float64(n) / float64(all)
}

// WorstChord is how far a point of the grid lies above the middle of a chord through it, at most: along rows,
// columns and both diagonals. It is 0 of a convex function.
func (s *Surface) WorstChord() float64 {
	worst, f := 0.0, s.F
	for i := 1; i+1 < len(f); i++ {
		for j := 1; j+1 < len(f); j++ {
			for _, e := range [][2]int{{0, 1}, {1, 0}, {1, 1}, {1, -1}} {
				worst = max(worst, f[i][j]-(f[i+e[0]][j+e[1]]+f[i-e[0]][j-e[1]])/2)
			}
		}
	}
	return worst
}

// Corner is F(1, 1).
func (s *Surface) Corner() float64 { return s.F[len(s.Grid)-1][len(s.Grid)-1] }

// Fall draws how much of the way from F(0, 0) to F(1, 1) is gone, so that every λ has the scale 0 to 1.
func (s *Surface) Fall() viz.Figure {
	low, high := s.Corner(), s.F[0][0]
	fall := viz.Tabulate(s.Grid, s.Grid, func(a, b float64) float64 { return 0 })
	for i, row := range s.F {
		for j, v := range row {
			fall[i][j] = (high - v) / (high - low)
		}
	}
	return viz.Heat(fmt.Sprintf("λ = %g", s.Lambda), "", s.Grid, s.Grid, fall).
		WithAxes("μ₁", "μ₂").WithColour("share of the fall")
}

// Curvature draws where F is convex, concave and neither.
func (s *Surface) Curvature() viz.Figure {
	title := fmt.Sprintf("λ = %g: %.0f %% concave", s.Lambda, 100*s.Share(0))
	if s.Share(0) == 1 {
		title = fmt.Sprintf("λ = %g: all concave", s.Lambda)
	}
	return viz.Heat(title, "", s.Grid, s.Grid, s.Rising).WithClasses("concave", "neither", "convex").
		WithAxes("μ₁", "μ₂").WithColour("eigenvalues ≥ 0")
}

// Cuts draws F along the line from μ = 0 to (1, 1) in the coordinates t = μ^q, each scaled to fall from 1 to 0:
// a convex function never lies above its chord, the straight line from 1 to 0. above is the largest height of
// each curve above the chord.
func Cuts(q float64, grid []float64, lambdas ...float64) (f viz.Figure, above []float64, err error) {
	lines := []viz.Line{{Name: "chord", XYs: viz.Points{X: []float64{0, 1}, Y: []float64{1, 0}}}}
	for _, lambda := range lambdas {
		l, err := cut(lambda, q, grid)
		if err != nil {
			return f, nil, err
		}
		most := 0.0
		lines = append(lines, viz.Line{Name: fmt.Sprintf("λ = %g", lambda), XYs: l})
		for i, x := range l.X {
			most = max(most, l.Y[i]-(1-x))
		}
		above = append(above, most)
	}
	title := fmt.Sprintf("q = %g", q)
	return viz.Lines(title, "", lines...).WithAxes("t₁ = t₂", "share of the fall left"), above, nil
}

// cut is one curve of Cuts.
func cut(lambda, q float64, grid []float64) (viz.Points, error) {
	p, err := Two(2, lambda)
	if err != nil {
		return viz.Points{}, err
	}
	pt := p.NewPoint()
	f := make([]float64, len(grid))
	for i, g := range grid {
		pt.Theta[0], pt.Theta[1] = math.Pow(g, 1/q), math.Pow(g, 1/q)
		if err := pt.Evaluate(nil, 0); err != nil {
			return viz.Points{}, err
		}
		f[i] = 2 * pt.F()
	}
	first, last := f[0], f[len(f)-1]
	for i := range f {
		f[i] = (f[i] - last) / (first - last)
	}
	return viz.Points{X: grid, Y: f}, nil
}
