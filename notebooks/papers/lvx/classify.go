package lvx

import (
	"context"
	"fmt"

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
		r := Relaxation{Lambda: lambda, MarginBound: 2 * margin.F, Margin: margin.F / ridge.F}
		for i, theta := range [][]float64{Constant(1, m), ridge.Theta} {
			a, err := At(p, theta)
			if err != nil {
				return nil, err
			}
			b, err := At(svm, theta)
			if err != nil {
				return nil, err
			}
			if i == 0 {
				r.Uniform = b.F() / a.F()
			} else {
				r.Ridge, r.RidgeKernel = b.F()/a.F(), 2*b.F()
			}
		}
		list = append(list, r)
	}
	return list, nil
}

// Ratios draws SVM over KRR against λ.
func Ratios(name string, degree int, list []Relaxation) viz.Figure {
	var uniform, learned, best viz.Points
	for _, r := range list {
		for _, c := range []struct {
			p *viz.Points
			v float64
		}{{&uniform, r.Uniform}, {&learned, r.Ridge}, {&best, r.Margin}} {
			c.p.X, c.p.Y = append(c.p.X, r.Lambda), append(c.p.Y, c.v)
		}
	}
	return viz.Lines(fmt.Sprintf("%s, d = %d", name, degree), "",
		viz.Line{Name: "at μ₀ = 1", XYs: uniform}, viz.Line{Name: "at the kernel learned for KRR", XYs: learned},
		viz.Line{Name: "min SVM / min KRR", XYs: best}).WithAxes("λ", "optimum of (8) over (3)").WithLogX()
}
