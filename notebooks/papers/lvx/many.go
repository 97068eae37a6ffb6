package lvx

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Friedman returns a problem on n points of data.Friedman with standardized features and targets, and eight Gaussians
// whose γ doubles from 1/160, on the 2-norm ball of radius 1 with λ = 1.
func Friedman(n int, seed uint64) *mkl.Problem {
	d := data.Friedman(n, seed)
	mean, sd := stat.PopMeanStdDev(d.Y, nil)
	floats.AddConst(-mean, d.Y)
	floats.Scale(1/sd, d.Y)
	var list kernel.List
	for k := range 8 {
		list = append(list, kernel.RBF{Gamma: math.Exp2(float64(k)) / 160})
	}
	return &mkl.Problem{Grams: kernel.Sum{Kernels: list, Prepare: points.Preprocessing{points.Standardize}}.On(d.X),
		Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: 1}, Y: d.Y}
}

// LandmarksAlone returns the results of landmarks alone, one pass for each number of landmarks.
func LandmarksAlone(ctx context.Context, p *mkl.Problem, landmarks ...int) (runs []*mkl.Result, err error) {
	for _, r := range landmarks {
		res, err := mkl.Solve(ctx, p, mkl.Subspace{Landmarks: r}, &mkl.Settings{Gap: 1e-4, Iterations: 1})
		if err != nil {
			return nil, err
		}
		runs = append(runs, res)
	}
	return runs, nil
}

// Passes draws the certified relative gap of a run of mkl.Subspace against its passes, together with the gaps of
// landmarks alone.
func Passes(title string, r *mkl.Result, landmarks []int, alone []*mkl.Result) viz.Figure {
	var passes viz.Pairs
	for _, row := range r.Trace[1:] {
		passes = append(passes, [2]float64{float64(row.Iter), (row.Upper - row.Lower) / row.Upper})
	}
	lines := []viz.Line{{Name: "landmarks and passes", XYs: passes}}
	for i, a := range alone {
		gap := a.RelativeGap()
		lines = append(lines, viz.Line{Name: fmt.Sprintf("%d landmarks alone", landmarks[i]),
			XYs: viz.Pairs{{1, gap}, {float64(len(passes)), gap}}})
	}
	return viz.LogLines(title, fmt.Sprintf("Simulated, n = %d, eight Gaussians, λ = 1; a pass computes all n²/2 "+
		"pairs of points.", r.Points()), lines...).WithAxes("passes", "certified gap / F")
}
