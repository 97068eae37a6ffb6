package lvx

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// AsSVM returns p with the support vector machine of equation (8) of the paper instead of kernel ridge regression, with
// the same λ. The loss of p must be loss.Squared.
func AsSVM(p *mkl.Problem) *mkl.Problem {
	q := *p
	q.Loss = loss.SquaredHinge{Lambda: p.Loss.(loss.Squared).Lambda}
	return &q
}

// SVMToRidgeRatios draws, against λ, three ratios of the optimum of the support vector machine (8) to the optimum of
// kernel ridge regression (3): with all kernel weights 1, with the kernel learned for (3), and with the kernel learned
// for each problem. largestRatio is the largest of all ratios. largestExcess tells, for the worst λ, by which share the
// SVM optimum is larger with the kernel learned for ridge regression than with the kernel learned for the SVM.
func SVMToRidgeRatios(ctx context.Context, d *data.Dataset, degree int, lambdas ...float64) (figure viz.Figure,
	largestRatio, largestExcess float64, err error) {
	var ratios [3]viz.Pairs
	for _, lambda := range lambdas {
		p := Problem(d, degree, lambda, 1, 2)
		svmProblem := AsSVM(p)
		ridgeResult, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
		if err != nil {
			return figure, 0, 0, err
		}
		svmResult, err := mkl.Solve(ctx, svmProblem, mkl.SPG{}, &mkl.Settings{Gap: 1e-5})
		if err != nil {
			return figure, 0, 0, err
		}
		ones, optimumWithRidgeKernel := Constant(1, len(ridgeResult.Theta)), Value(svmProblem, ridgeResult.Theta...)
		for i, v := range []float64{Value(svmProblem, ones...) / Value(p, ones...),
			optimumWithRidgeKernel / (2 * ridgeResult.F), svmResult.F / ridgeResult.F} {
			ratios[i], largestRatio = append(ratios[i], [2]float64{lambda, v}), max(largestRatio, v)
		}
		largestExcess = max(largestExcess, optimumWithRidgeKernel/(2*svmResult.F)-1)
	}
	lineNames := []string{"at μ₀ = 1", "at the kernel learned for KRR", "min SVM / min KRR"}
	var lines []viz.Line
	for i, name := range lineNames {
		lines = append(lines, viz.Line{Name: name, XYs: ratios[i], Mark: viz.MarkBoth})
	}
	figure = viz.Lines(fmt.Sprintf("d = %d", degree), "", lines...).
		WithAxes("λ", "SVM optimum / KRR optimum").WithLogX().WithBaseline("the bound", 1)
	return figure, largestRatio, largestExcess, nil
}
