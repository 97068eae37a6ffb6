package tkl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func evenlySpaced(lo, hi float64, n int) []float64 { return floats.Span(make([]float64, n), lo, hi) }

// PartsFigure draws how the points x and y divide the box [−½, 1½]² of all z into parts. A mark in each part shows
// which block of P applies there. x must lie to the left of y and above it.
func PartsFigure(x, y [2]float64) viz.Figure {
	const lo, hi = -0.5, 1.5
	corner := func(name string, p [2]float64) viz.Line {
		return viz.Line{Name: name, XYs: viz.Pairs{{p[0], hi}, p, {hi, p[1]}}}
	}
	mark := func(name string, a, b float64) viz.Line {
		return viz.Line{Name: name, XYs: viz.Pairs{{a, b}}, Mark: viz.MarkPoints}
	}
	right, top := max(x[0], y[0]), max(x[1], y[1])
	f := viz.Lines("Two points cut one box into four parts, and each block of P is the weight of one part",
		fmt.Sprintf("The box [−½, 1½]² of all z, for x = (%g, %g) and y = (%g, %g). Every point cuts it into two "+
			"parts, the corner above it and the rest; k(x, y) is a sum of polynomials over the parts.",
			x[0], x[1], y[0], y[1]),
		corner("corner above x", x), corner("corner above y", y),
		mark("above both: Q", (right+hi)/2, (top+hi)/2), mark("above x alone: R", (x[0]+right)/2, (x[1]+hi)/2),
		mark("above y alone: Rᵀ", (y[0]+hi)/2, (y[1]+top)/2), mark("above neither: S", lo/2, lo/2)).
		WithAxes("z₁", "z₂")
	f.X.Range, f.Y.Range = &[2]float64{lo, hi}, &[2]float64{lo, hi}
	return f
}

// GapFigure draws the gap in every step of several runs. It also draws a line proportional to 1/k through the gap of
// the first run in step 1.
func GapFigure(title, caption string, names []string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	first, last := 0.0, 1
	for i, r := range runs {
		var c viz.Pairs
		for _, row := range r.Trace[1:] {
			c, last = append(c, [2]float64{float64(row.Iter), row.Upper - row.Lower}), max(last, row.Iter)
		}
		if i == 0 {
			first = c[0][1]
		}
		lines = append(lines, viz.Line{Name: names[i], XYs: c})
	}
	lines = append(lines, viz.Line{Name: "1/k", XYs: viz.Pairs{{1, first}, {float64(last), first / float64(last)}}})
	return viz.LogLines(title, caption, lines...).WithAxes("step k", "gap of the step").WithLogX()
}

// trainStored trains a method on the training points of Truth for one seed, with the stored hyperparameters. It returns
// the learned function, the experiment, and a description of the hyperparameters.
func trainStored(name string, seed uint64, method int) (f Predictor, d Draw, description string, err error) {
	if d, err = NewDraw("truths", name, seed); err != nil {
		return nil, d, "", err
	}
	c, m := FirstChoice("truths", name, seed, method), d.Methods[method]
	train := shared.SelectRows(d.Data, d.Splits[0].Train)
	g := m.Families[c.Family].Bind(train.X)
	p := &mkl.Problem{Grams: g, Set: m.Set, Loss: lossOf(train, c.C, d.Epsilon), Y: train.Y}
	r, err := m.solveProblem(context.Background(), p, 300, nil)
	if description = fmt.Sprintf("γ = %g", Widths[c.Family]/float64(train.Dim())); method > 0 {
		description = fmt.Sprintf("bound %g", Bounds[c.Family])
	}
	description = fmt.Sprintf("%s (%s, C = %g)", m.Name, description, c.C)
	return func(z points.Points) []float64 { return shared.Decisions(g, r, z) }, d, description, err
}

// CurveFigure draws the functions that the Gaussian and degree 1 learn from the noisy points of Step for one seed, and
// Step itself.
func CurveFigure(title string, seed uint64) (viz.Figure, error) {
	z := points.Rows{N: 401, D: 1, Data: evenlySpaced(0, 10, 401), Names: []string{"x"}}
	var lines []viz.Line
	var names string
	for i, method := range []int{0, 2} {
		f, d, description, err := trainStored("step", seed, method)
		if err != nil {
			return viz.Figure{}, err
		}
		if i == 0 {
			x, rows := points.MustAs[points.Rows](d.Data.X), d.Splits[0].Train
			var xy viz.Pairs
			for _, row := range rows {
				xy = append(xy, [2]float64{x.Row(row)[0], d.Data.Y[row]})
			}
			lines = append(lines, viz.Line{Name: "points", XYs: xy, Mark: viz.MarkPoints})
		}
		lines = append(lines, viz.Line{Name: d.Methods[method].Name, XYs: viz.Points{X: z.Data, Y: f(z)}})
		names += fmt.Sprintf("%s, distance from the truth %.2f; ", description,
			FirstChoice("truths", "step", seed, method).Loss)
	}
	truth := viz.Points{X: z.Data}
	for _, x := range z.Data {
		truth.Y = append(truth.Y, Step(x))
	}
	return viz.Lines(title, fmt.Sprintf("100 noisy points of x + sin x + 5 sign(x − 5), seed %d, ε = 0.1. %sby "+
		"cross-validation.", seed, names), append(lines, viz.Line{Name: "the truth", XYs: truth})...).
		WithAxes("x", "y"), nil
}

// LeadingEigenvector returns the eigenvalues of a symmetric matrix divided by its trace, in descending order, and the
// eigenvector v of the largest one. The sign of v makes the sum of its entries nonnegative. p holds the matrix row by
// row.
func LeadingEigenvector(p []float64) (shares, v []float64) {
	n := int(math.Round(math.Sqrt(float64(len(p)))))
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, slices.Clone(p)), true) {
		return nil, nil
	}
	shares = e.Values(nil)
	slices.Reverse(shares)
	floats.Scale(1/floats.Sum(shares), shares)
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	if v = mat.Col(nil, n-1, &vectors); floats.Sum(v) < 0 {
		floats.Scale(-1, v)
	}
	return shares, v
}
