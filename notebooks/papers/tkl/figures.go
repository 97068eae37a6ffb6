package tkl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// span returns n evenly spaced numbers from lo to hi.
func span(lo, hi float64, n int) []float64 { return floats.Span(make([]float64, n), lo, hi) }

// PartsFigure draws how x and y cut the box [−½, 1½]². Each part has the color of the block of P that applies there.
func PartsFigure(x, y [2]float64) viz.Figure {
	g := span(-0.5, 1.5, 81)
	above := func(a, b float64, p [2]float64) bool { return a >= p[0] && b >= p[1] }
	z := viz.Tabulate(g, g, func(a, b float64) (v float64) {
		if !above(a, b, x) {
			v += 2
		}
		if !above(a, b, y) {
			v++
		}
		return v
	})
	return viz.Heat("Two points cut one box into four parts, and each block of P weighs one",
		fmt.Sprintf("The box [−½, 1½]² of all z, for x = (%g, %g) and y = (%g, %g). Every point cuts it into two "+
			"parts, the corner above it and the rest; k(x, y) is a sum of polynomials over the parts.",
			x[0], x[1], y[0], y[1]), g, g, z).
		WithClasses("above both: Q", "above x alone: R", "above y alone: Rᵀ", "above neither: S").WithAxes("z₁", "z₂").
		WithColour("part").WithLines(viz.Line{Name: "x", XYs: viz.Pairs{x}, Mark: viz.MarkPoints},
		viz.Line{Name: "y", XYs: viz.Pairs{y}, Mark: viz.MarkPoints})
}

// SurfaceFigure draws k(x, x₀) over the square for several P of degree 1 over the box [−½, 1½]².
func SurfaceFigure(n int, x0 [2]float64, names []string, ps ...[]float64) viz.Figure {
	g := span(0, 1, n)
	ends := viz.Pairs{{x0[0], 0}, {x0[0], 1}, {0, x0[1]}, {1, x0[1]}}
	var panels []viz.Figure
	for i, p := range ps {
		z := viz.Tabulate(g, g, func(a, b float64) float64 {
			return Value(tessellated.Family{Degree: 1}, p, -0.5, 1.5, []float64{a, b}, x0[:])
		})
		top := 0.0
		for _, row := range z {
			top = max(top, floats.Norm(row, math.Inf(1)))
		}
		for _, row := range z {
			floats.Scale(1/top, row)
		}
		panels = append(panels, viz.Heat(names[i], "", g, g, z).WithAxes("x₁", "x₂").WithColour("k(x, x₀)").WithLines(
			viz.Line{Name: "where the edges of tiles end", XYs: ends, Mark: viz.MarkPoints},
			viz.Line{Name: "x₀", XYs: viz.Pairs{x0}, Mark: viz.MarkPoints}))
	}
	return viz.Multiples("Contours break along x₁ = x₀₁ and x₂ = x₀₂: a kernel is one polynomial in each tile",
		fmt.Sprintf("k(x, x₀) for x₀ = (%g, %g), each scaled to a largest absolute value of 1; degree 1, box [−½, "+
			"1½]².", x0[0], x0[1]), 3, panels...)
}

// GapFigure draws the gap of every step of several runs, and the line c/k through the first gap.
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
	lines = append(lines, viz.Line{Name: "c/k", XYs: viz.Pairs{{1, first}, {float64(last), first / float64(last)}}})
	return viz.LogLines(title, caption, lines...).WithAxes("step k", "gap of the step").WithLogX()
}

// learned trains a method on a truth for a seed with the stored hyperparameters. It returns the predictor, the draw,
// and a description of the hyperparameters.
func learned(name string, seed uint64, method int) (f Predictor, d Draw, description string, err error) {
	if d, err = NewDraw("truths", name, seed); err != nil {
		return nil, d, "", err
	}
	c, m, train := FirstChoice("truths", name, seed, method), d.Methods[method], slice(d.Data, d.Splits[0].Train)
	g := m.Families[c.Family].On(train.X)
	p := &mkl.Problem{Grams: g, Set: m.Set, Loss: machine(train, c.C, d.Epsilon), Y: train.Y}
	r, err := m.learn(context.Background(), p, 300, nil)
	if description = fmt.Sprintf("γ = %g", Widths[c.Family]/float64(train.Dim())); method > 0 {
		description = fmt.Sprintf("bound %g", Bounds[c.Family])
	}
	description = fmt.Sprintf("%s (%s, C = %g)", m.Name, description, c.C)
	return func(z points.Points) []float64 { return shared.Decisions(g, r, z) }, d, description, err
}

// lined returns the training points of d. If apart is true, points with y < 0 and the others are separate series.
func lined(d Draw, apart bool) []viz.Line {
	lines := []viz.Line{{Name: "−", Mark: viz.MarkPoints}, {Name: "+", Mark: viz.MarkPoints}}
	var xy [2]viz.Pairs
	x := points.ToRows(d.Data.X)
	for _, i := range d.Splits[0].Train {
		switch {
		case !apart:
			xy[0] = append(xy[0], [2]float64{x.Row(i)[0], d.Data.Y[i]})
		case d.Data.Y[i] < 0:
			xy[0] = append(xy[0], [2]float64(x.Row(i)))
		default:
			xy[1] = append(xy[1], [2]float64(x.Row(i)))
		}
	}
	lines[0].XYs, lines[1].XYs = xy[0], xy[1]
	return lines
}

// BoundaryFigure draws the signs over the square of the Gaussian and of degree 1, learned from the checkerboard of a
// seed.
func BoundaryFigure(title string, seed uint64, n int) (viz.Figure, error) {
	g := span(0, 1, n)
	z := points.Rows{N: n * n, D: 2} // one row of x₁ for each x₂
	for _, b := range g {
		for _, a := range g {
			z.Data = append(z.Data, a, b)
		}
	}
	var fields viz.Pairs // the sides of the fields as one line
	for i, x := range []float64{0.25, 0.5, 0.75} {
		fields = append(fields, [2]float64{x, float64(i % 2)}, [2]float64{x, float64(1 - i%2)})
	}
	fields = append(fields, [2]float64{1, 1})
	for i, x := range []float64{0.75, 0.5, 0.25} {
		fields = append(fields, [2]float64{float64(1 - i%2), x}, [2]float64{float64(i % 2), x})
	}
	var panels []viz.Figure
	caption := ""
	for _, method := range []int{0, 2} {
		f, d, description, err := learned("checkerboard", seed, method)
		if err != nil {
			return viz.Figure{}, err
		}
		var values [][]float64
		for row := range slices.Chunk(f(z), n) {
			for j, v := range row {
				row[j] = 0
				if v > 0 {
					row[j] = 1
				}
			}
			values = append(values, row)
		}
		wrong := 100 * FirstChoice("truths", "checkerboard", seed, method).Loss
		caption += description + ". "
		name := fmt.Sprintf("%s: %.1f %% errors", d.Methods[method].Name, wrong)
		panels = append(panels, viz.Heat(name, "", g, g, values).
			WithClasses("f < 0", "f > 0").WithAxes("x₁", "x₂").WithColour("sign").
			WithLines(append(lined(d, true), viz.Line{Name: "the truth", XYs: fields})...))
	}
	return viz.Multiples(title, caption+fmt.Sprintf("Sign of the function learned from 300 points of the "+
		"checkerboard, seed %d, and the share of errors on 2000 other points. Hyperparameters by "+
		"cross-validation.", seed), 2, panels...), nil
}

// CurveFigure draws the functions that the Gaussian and degree 1 learn from the step of a seed, and the step itself.
func CurveFigure(title string, seed uint64) (viz.Figure, error) {
	z := points.Rows{N: 401, D: 1, Data: span(0, 10, 401), Names: []string{"x"}}
	var lines []viz.Line
	var names string
	for i, method := range []int{0, 2} {
		f, d, description, err := learned("step", seed, method)
		if err != nil {
			return viz.Figure{}, err
		}
		if i == 0 {
			lines = append(lines, lined(d, false)[0])
			lines[0].Name = "points"
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
// first eigenvector.
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
