package lvx

import (
	"context"
	"errors"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// Margin is p with the support vector machine of (8) in the place of kernel ridge regression, the same λ.
func Margin(p *mkl.Problem) *mkl.Problem {
	q := *p
	q.Loss = loss.SquaredHinge{Lambda: p.Loss.(loss.Squared).Lambda}
	return &q
}

// At evaluates F of p at θ.
func At(p *mkl.Problem, theta []float64) (*mkl.Point, error) {
	pt := p.NewPoint()
	copy(pt.Theta, theta)
	return pt, pt.Evaluate(nil, 1e-12)
}

// Relaxation is how far the bound by kernel ridge regression, F of (3), is from the optimum of (8), at one kernel
// and at the kernel that each would learn.
type Relaxation struct {
	Lambda                   float64
	Uniform, Ridge, Margin   float64 // SVM/KRR at μ₀; at the kernel learned for KRR; min SVM / min KRR
	RidgeKernel, MarginBound float64 // F of the SVM at the kernel learned for KRR; its minimum over the ball
}

// Relaxations compares the two on d for each λ.
func Relaxations(ctx context.Context, d *data.Dataset, degree int, lambdas ...float64) ([]Relaxation, error) {
	var list []Relaxation
	for _, lambda := range lambdas {
		p := On(d, degree, lambda, 1, 2)
		svm := Margin(p)
		m, _ := p.Grams.Dims()
		ridge, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
		if err != nil {
			return nil, err
		}
		margin, err := mkl.Solve(ctx, svm, mkl.SPG{}, &mkl.Settings{Gap: 1e-5})
		if err != nil {
			return nil, err
		}
		at := func(theta []float64) (ratio, of8 float64) { // SVM over KRR, and the former in the paper's units
			a, e := At(p, theta)
			b, f := At(svm, theta)
			err = errors.Join(err, e, f)
			return b.F() / a.F(), 2 * b.F()
		}
		r := Relaxation{Lambda: lambda, MarginBound: 2 * margin.F, Margin: margin.F / ridge.F}
		r.Uniform, _ = at(Constant(1, m))
		r.Ridge, r.RidgeKernel = at(ridge.Theta)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// Ratios draws SVM over KRR against λ.
func Ratios(title string, list []Relaxation) viz.Figure {
	line := func(name string, ratio func(r Relaxation) float64) viz.Line {
		var p viz.Pairs
		for _, r := range list {
			p = append(p, [2]float64{r.Lambda, ratio(r)})
		}
		return viz.Line{Name: name, XYs: p}
	}
	return viz.Lines(title, "",
		line("at μ₀ = 1", func(r Relaxation) float64 { return r.Uniform }),
		line("at the kernel learned for KRR", func(r Relaxation) float64 { return r.Ridge }),
		line("min SVM / min KRR", func(r Relaxation) float64 { return r.Margin })).WithAxes("λ",
		"optimum of (8) over (3)").WithLogX()
}
