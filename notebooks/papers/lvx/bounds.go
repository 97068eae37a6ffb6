package lvx

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// Complexities draws the Rademacher average beside the bounds of Theorem 2.3 for the first m features of d, several m:
// by Monte Carlo, by traces with 3 in the place of (23/11)² (of degree 1), and as printed.
func Complexities(d *data.Dataset, degree int, ms []int, draws int, seed uint64) (f viz.Figure, all []check.Rademacher,
	err error) {
	var mean, sharp, bound viz.Pairs
	for _, m := range ms {
		x, err := d.Columns(kernel.AllPlaces(m)...)
		if err != nil {
			return f, nil, err
		}
		r, err := check.Complexity(Family(degree).On(x.X), draws, seed)
		if err != nil {
			return f, nil, err
		}
		r.Sharper *= math.Pow(3, 0.25) / math.Sqrt(23./11)
		p := float64(m)
		all = append(all, r)
		mean, sharp, bound = append(mean, [2]float64{p, r.Mean}), append(sharp, [2]float64{p, r.Sharper}),
			append(bound, [2]float64{p, r.Bound})
	}
	lines := []viz.Line{{Name: "Monte Carlo", XYs: mean}, {Name: "Theorem 2.3", XYs: bound}}
	if degree == 1 {
		lines = append(lines, viz.Line{Name: "by traces, √3", XYs: sharp})
	}
	return viz.LogLines(fmt.Sprintf("d = %d", degree), "", lines...).WithAxes("base kernels p",
		"Rademacher average").WithLogX(), all, nil
}

// Risk is the right-hand side of the margin bound of Theorem 2.3, δ = 5 %, for the predictor learned on all of d with
// ‖μ‖₂ = 1, scaled to ‖w‖ = 1: against the margin ρ, in units of the largest |h(x_i)|.
func Risk(ctx context.Context, d *data.Dataset, degree int, lambda float64, rhos []float64) (viz.Points, error) {
	p, _ := on(Family(degree), d, lambda, 0, 1)
	r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
	if err != nil {
		return viz.Points{}, err
	}
	pt, err := At(p, r.Theta)
	if err != nil {
		return viz.Points{}, err
	}
	c, err := check.Complexity(p.Grams, 2, 1) // for R
	if err != nil {
		return viz.Points{}, err
	}
	n := len(d.Y)
	h := make([]float64, n)
	for i := range h {
		for j, w := range pt.W {
			h[i] += pt.Gram.K().At(i, j) * w
		}
	}
	floats.Scale(1/math.Sqrt(floats.Dot(pt.W, h)), h) // ‖w‖² = αᵀKα
	top := floats.Norm(h, math.Inf(1))
	out := viz.Points{X: rhos}
	for _, rho := range rhos {
		below := 0.0
		for i, v := range h {
			if d.Y[i]*v <= rho*top {
				below += 1 / float64(n)
			}
		}
		out.Y = append(out.Y, check.MarginBound(below, c.Bound, rho*top, 0.05, n))
	}
	return out, nil
}
