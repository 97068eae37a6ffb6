package shared

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// Surface holds the objective F(μ) = yᵀ(K_μ+λI)⁻¹y of two weights μ as a function of the coordinates t_k = μ_k^q: the
// values on a grid, and the eigenvalues of the Hessian. q = 1 means t = μ. This F is twice the F of package mkl.
type Surface struct {
	Grid              []float64
	F                 [][]float64 // F[i][j] at t = (Grid[j], Grid[i])
	Smallest, Largest [][]float64 // eigenvalues of the Hessian of F by t, at the t of the same entry of F
}

// NewSurface computes F of p, which has two weights μ, and the Hessian of F by t where t₁ and t₂, t_k = μ_k^q, take the
// values in grid. If q > 1, these must be above 0. The chain rule gives, with derivatives μ′ and μ″ of μ by t,
//
//	∂²F/∂t_k∂t_l = ∂²F/∂μ_k∂μ_l μ_k′μ_l′ + [k = l] ∂F/∂μ_k μ_k″.
func NewSurface(p *mkl.Problem, q float64, grid []float64) (*Surface, error) {
	s, exponent := &Surface{Grid: grid}, 1/q
	for _, t2 := range grid {
		var f, smallest, largest []float64 // F and the two eigenvalues in one row of the grid
		for _, t1 := range grid {
			t := [2]float64{t1, t2}
			pt, err := EvaluateAt(p, []float64{math.Pow(t1, exponent), math.Pow(t2, exponent)}, 0)
			if err != nil {
				return nil, err
			}
			h, err := check.HessianMatrix(p, pt.Theta)
			if err != nil {
				return nil, err
			}
			hessian := func(k, l int) float64 {
				if q == 1 {
					return 2 * h.At(k, l)
				}
				v := 2 * h.At(k, l) * exponent * math.Pow(t[k], exponent-1) * exponent * math.Pow(t[l], exponent-1)
				if k == l {
					v += 2 * pt.Grad()[k] * exponent * (exponent - 1) * math.Pow(t[k], exponent-2)
				}
				return v
			}
			mid := (hessian(0, 0) + hessian(1, 1)) / 2                            // mean of the two eigenvalues
			halfGap := math.Hypot((hessian(0, 0)-hessian(1, 1))/2, hessian(0, 1)) // half the distance between them
			f, smallest, largest = append(f, 2*pt.F()), append(smallest, mid-halfGap), append(largest, mid+halfGap)
		}
		s.F, s.Smallest, s.Largest = append(s.F, f), append(s.Smallest, smallest), append(s.Largest, largest)
	}
	return s, nil
}

// SmallestEigenvalue returns the smallest eigenvalue of the Hessian at any grid point.
func (s *Surface) SmallestEigenvalue() float64 {
	smallest := math.Inf(1)
	for _, row := range s.Smallest {
		smallest = min(smallest, slices.Min(row))
	}
	return smallest
}

// Share returns the share of the grid points at which the Hessian has exactly the given number of nonnegative
// eigenvalues. F is convex at these points if the number is 2, and concave if it is 0.
func (s *Surface) Share(nonnegativeEigenvalueCount int) (shareOfGrid float64) {
	matches, total := 0, 0
	for _, row := range s.countNonnegativeEigenvalues() {
		for _, v := range row {
			if total++; v == float64(nonnegativeEigenvalueCount) {
				matches++
			}
		}
	}
	return float64(matches) / float64(total)
}

// countNonnegativeEigenvalues returns, for each grid point, the number of eigenvalues ≥ 0 of the Hessian.
func (s *Surface) countNonnegativeEigenvalues() [][]float64 {
	r := make([][]float64, len(s.Grid))
	for i := range r {
		for j := range s.Grid {
			v := 0.0
			for _, e := range []float64{s.Smallest[i][j], s.Largest[i][j]} {
				if e >= 0 {
					v++
				}
			}
			r[i] = append(r[i], v)
		}
	}
	return r
}

// ValueAtOnes returns F at (1, 1), which must be the last point of the grid.
func (s *Surface) ValueAtOnes() float64 { return s.F[len(s.Grid)-1][len(s.Grid)-1] }

// Figure draws F on the grid as colors, and lines over it. Points mark where the Hessian has a negative eigenvalue.
func (s *Surface) Figure(title string, overlays ...viz.Line) viz.Figure {
	return viz.Heat(title, "", s.Grid, s.Grid, s.F).WithLines(overlays...).
		WithMarkedPoints("negative curvature", func(i, j int) bool { return s.Smallest[i][j] <= -1e-9 }).
		WithAxes("μ₁, or t₁ = μ₁²", "μ₂, or t₂ = μ₂²").WithColorLabel("F")
}

// Classes draws the number of nonnegative eigenvalues of the Hessian by μ. s must be made by NewSurface with q = 1.
func (s *Surface) Classes(title string) viz.Figure {
	f := viz.Heat(title, "", s.Grid, s.Grid, s.countNonnegativeEigenvalues())
	f.Cells.ContourLevels = nil
	return f.WithAxes("μ₁", "μ₂").WithColorLabel("eigenvalues ≥ 0 of the Hessian")
}
