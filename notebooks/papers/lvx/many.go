package lvx

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

// Friedman is a problem of n simulated points of ten uniform features, y = 10 sin πx₁x₂ + 20(x₃ − ½)² + 10x₄ + 5x₅ + ε,
// standardised: eight Gaussians whose γ doubles from 1/160 on the 2-norm ball of radius 1, λ = 1.
//
// References:
//   - J. H. Friedman, Multivariate adaptive regression splines, Annals of Statistics 19 (1991), section 4.3.
func Friedman(n int, seed uint64) *mkl.Problem {
	r := rand.New(rand.NewPCG(seed, 1))
	x, y := kernel.Rows{N: n, D: 10, Data: make([]float64, 10*n)}, make([]float64, n)
	for i := range n {
		p := x.Row(i)
		for j := range p {
			p[j] = r.Float64()
		}
		y[i] = 10*math.Sin(math.Pi*p[0]*p[1]) + 20*(p[2]-0.5)*(p[2]-0.5) + 10*p[3] + 5*p[4] + r.NormFloat64()
	}
	mean, sd := stat.PopMeanStdDev(y, nil)
	floats.AddConst(-mean, y)
	floats.Scale(1/sd, y)
	var list kernel.List
	for k := range 8 {
		list = append(list, kernel.RBF{Gamma: math.Exp2(float64(k)) / 160})
	}
	return &mkl.Problem{Grams: kernel.Sum{Kernels: list, Prepare: kernel.Prepare{kernel.Standardize}}.On(x),
		Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: 1}, Y: y}
}

// Alone are the results of landmarks alone, for so many of them: one pass each.
func Alone(ctx context.Context, p *mkl.Problem, landmarks ...int) (runs []*mkl.Result, err error) {
	for _, r := range landmarks {
		res, err := mkl.Solve(ctx, p, mkl.Subspace{Landmarks: r}, &mkl.Settings{Gap: 1e-4, Iterations: 1})
		if err != nil {
			return nil, err
		}
		runs = append(runs, res)
	}
	return runs, nil
}

// Passes draws the certified gap of a run of mkl.Subspace against its passes, relative, with those of landmarks alone.
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
	return viz.LogLines(title, fmt.Sprintf("Simulated, n = %d, eight Gaussians, λ = 1; a pass looks at all n²/2 "+
		"pairs of points.", r.Points()), lines...).WithAxes("passes", "certified gap / F")
}
