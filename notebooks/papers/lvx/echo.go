package lvx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// Echo holds one kernel of the running example: degree 1, degree 2, or degree 2 with a constant kernel. It is learned
// on training points with λ = 10 on the ball of radius 2 about (1, …, 1), and compared with uniform weights.
type Echo struct {
	Name             string
	Problem          *mkl.Problem
	Learned, Uniform *mkl.Result
	F                float64 // what the learned kernel predicts for the first test point
	FOfUniform       float64 // the same for uniform weights
	FOfMirror        float64 // prediction of the learned kernel for the mirror image of this point
	Label            float64
	Accuracy         float64 // share of the test points with the right sign, learned weights
	UniformAccuracy  float64 // the same for uniform weights
}

// PredictEchoes learns the three kernels on train and evaluates them on test. The mirror image of a point x is 2x̄ − x
// for the mean x̄ of the training points: after centering, its features have the opposite signs.
func PredictEchoes(ctx context.Context, train, test *data.Dataset) (echoes []Echo, err error) {
	mirror := mirrorImage(train.X, test.X)
	for i, name := range []string{"1", "2", "2 and constant"} {
		f := Family(min(i+1, 2), i == 2)
		e := Echo{Name: name, Problem: FamilyProblem(f, train, 10, 1, 2), Label: test.Y[0]}
		var e1, e2 error
		e.Learned, e1 = mkl.Solve(ctx, e.Problem, mkl.SPG{}, nil)
		e.Uniform, e2 = mkl.EvaluateRule(ctx, e.Problem, mkl.Uniform{}, 0)
		if err := errors.Join(e1, e2); err != nil {
			return nil, err
		}
		for k, r := range []*mkl.Result{e.Learned, e.Uniform} {
			m := &model.Model{Family: f, X: train.X, Theta: r.PredictionTheta, W: r.W}
			values, err := m.Predict(test.X)
			if err != nil {
				return nil, err
			}
			accuracy := float64(shared.CountCorrect(values, test.Y)) / float64(test.Len())
			if k == 1 {
				e.FOfUniform, e.UniformAccuracy = values[0], accuracy
				continue
			}
			mirrored, err := m.Predict(mirror)
			if err != nil {
				return nil, err
			}
			e.F, e.Accuracy, e.FOfMirror = values[0], accuracy, mirrored[0]
		}
		echoes = append(echoes, e)
	}
	return echoes, nil
}

// mirrorImage returns 2x̄ − z, with the mean x̄ of the points x and the first point z of new points.
func mirrorImage(x, newPoints points.Points) points.Rows {
	rows, mirror := points.ToRows(x), make([]float64, points.FeatureCount(x))
	for i := range rows.N {
		floats.AddScaled(mirror, 2/float64(rows.N), rows.Row(i))
	}
	floats.Sub(mirror, points.ToRows(newPoints).Row(0))
	return points.Rows{N: 1, D: rows.D, Data: mirror, Names: rows.Names}
}

// EchoTable shows what the three kernels predict for the first test point, and how many signs are right.
func EchoTable(echoes []Echo) viz.Figure {
	var rows [][]any
	for _, e := range echoes {
		rows = append(rows, []any{e.Name, viz.Number(e.F, 2), viz.Number(e.FOfUniform, 2), viz.Number(e.FOfMirror, 2),
			e.Label, viz.Number(e.Accuracy, 2), viz.Number(e.UniformAccuracy, 2),
			fmt.Sprintf("%.0e", e.Learned.RelativeGap())})
	}
	return viz.Table("Only the square with a constant kernel gets about 9 of 10 signs right, with learned and with "+
		"equal weights", "Sonar: 2/3 train, 1/3 test, one split. f: "+
		"prediction for the first test echo. Mirror image: the echo with all centered features negated. Gap: a proved "+
		"bound on the distance of F from its minimum over the ball, relative to F.",
		[]string{"degree", "f", "f, equal weights", "f of its mirror image", "its label", "right signs, learned",
			"right signs, equal weights", "gap"}, rows...)
}

// WeightsChart draws the learned weights of degree 1 against the number of the feature, for each radius of the ball
// about (1, …, 1). It returns the weights too.
func WeightsChart(ctx context.Context, d *data.Dataset, lambda float64, radii ...float64) (figure viz.Figure,
	weights [][]float64, err error) {
	var lines []viz.Line
	var largest []string
	for _, radius := range radii {
		r, err := mkl.Solve(ctx, Problem(d, 1, lambda, 1, radius), mkl.SPG{}, &mkl.Settings{Gap: 1e-10})
		if err != nil {
			return figure, nil, err
		}
		var byFeature viz.Points
		for k, v := range r.Theta {
			byFeature.X, byFeature.Y = append(byFeature.X, float64(k+1)), append(byFeature.Y, v)
		}
		weights = append(weights, r.Theta)
		largest = append(largest, fmt.Sprintf("%.2g for Λ = %g", floats.Max(r.Theta), radius))
		lines = append(lines, viz.Line{Name: fmt.Sprintf("Λ = %g", radius), XYs: byFeature, Mark: viz.MarkBoth})
	}
	return viz.LogLines("The largest weight is "+strings.Join(largest, ", "), fmt.Sprintf("Learned weights of degree "+
		"1; %s, %d frequency bands, n = %d, λ = %g, μ₀ = 1.", d.Name, len(weights[0]), d.Len(), lambda), lines...).
		WithAxes("frequency band", "weight").WithBaseline("μ₀", 1), weights, nil
}

// DescentPath returns the two weights of p at the start and after each of 20 steps of PGD by the paper's rule.
func DescentPath(ctx context.Context, p *mkl.Problem, start ...float64) (path viz.Pairs, err error) {
	for at, err := range mkl.Steps(ctx, p, mkl.PGD{Rule: mkl.ShrinkOnIncrease}, &mkl.Settings{Theta: start}) {
		if err != nil {
			return nil, err
		}
		if path = append(path, [2]float64{at.Theta[0], at.Theta[1]}); at.K == 20 {
			break
		}
	}
	return path, nil
}

// SurfacesChart draws F of degree 2 with two features over μ and over t = μ², with the edge of the ball of radius 1
// about 0, the minimum, and a path of descent given by its μ.
func SurfacesChart(overMu, overT *shared.Surface, minimum *mkl.Result, path viz.Pairs) viz.Figure {
	var arc viz.Pairs
	for i := range 101 {
		x := float64(i) / 100
		arc = append(arc, [2]float64{x, math.Sqrt(1 - x*x)})
	}
	// over returns the three lines with the given power of the weights on the axes.
	over := func(power float64) []viz.Line {
		lines := []viz.Line{{Name: "edge of the set", XYs: arc},
			{Name: "minimum", XYs: viz.Pairs{[2]float64(minimum.Theta)}, Mark: viz.MarkPoints},
			{Name: "descent", XYs: path}}
		for k := range lines {
			var powers viz.Pairs
			for _, mu := range lines[k].XYs.(viz.Pairs) {
				powers = append(powers, [2]float64{math.Pow(mu[0], power), math.Pow(mu[1], power)})
			}
			lines[k].XYs = powers
		}
		return lines
	}
	title := "One function twice: in μ it bends down on %.0f %% of the square, in t = μ² nowhere"
	return viz.Multiples(fmt.Sprintf(title, 100-100*overMu.Share(2)), "F of degree 2, two "+
		"features of sonar (V1, V45), 208 points, y = ±1, λ = 1, Λ = 1; 41 × 41 values. "+
		"Negative curvature: the Hessian has an eigenvalue below 0 (marked at every third value). "+
		"Descent: 20 steps of section 5.", 2,
		overMu.Figure("over μ", over(1)...), overT.Figure("over t = μ²", over(2)...))
}
