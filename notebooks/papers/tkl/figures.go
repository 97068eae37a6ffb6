package tkl

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// span are n numbers from lo to hi.
func span(lo, hi float64, n int) []float64 { return floats.Span(make([]float64, n), lo, hi) }

// Surfaces are k(x, x₀) over the square for several P, of degree 1 over the box [−½, 1½]².
func Surfaces(n int, x0 []float64, names []string, ps ...[]float64) viz.Figure {
	g := span(0, 1, n)
	var panels []viz.Figure
	for i, p := range ps {
		z := viz.Tabulate(g, g, func(a, b float64) float64 {
			return Value(tessellated.Family{Degree: 1}, p, -0.5, 1.5, []float64{a, b}, x0)
		})
		top := 0.0
		for _, row := range z {
			top = max(top, floats.Norm(row, math.Inf(1)))
		}
		for _, row := range z {
			for j := range row {
				row[j] /= top
			}
		}
		panels = append(panels, viz.Heat(names[i], "", g, g, z).WithAxes("x₁", "x₂").WithColour("k(x, x₀)"))
	}
	return viz.Multiples("The plane is cut into tiles: contours break along x₁ = x₀₁ and x₂ = x₀₂",
		fmt.Sprintf("k(x, x₀) for x₀ = (%g, %g), each scaled to a largest absolute value of 1; degree 1, box [−½, "+
			"1½]². In a tile the kernel is one polynomial.", x0[0], x0[1]), 3, panels...)
}

// Sandwich shows both bounds of runs on one axis.
func Sandwich(caption string, names []string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	for i, r := range runs {
		var up, low viz.Pairs
		for _, row := range r.Trace {
			if row.Iter > 0 {
				up, low = append(up, [2]float64{float64(row.Iter), row.Upper}),
					append(low, [2]float64{float64(row.Iter), row.Lower})
			}
		}
		lines = append(lines, viz.Line{Name: "OPT_A, " + names[i], XYs: up}, viz.Line{Name: "best OPT_P, " + names[i],
			XYs: low})
	}
	return viz.Lines("The optimum lies between OPT_P and OPT_A, which close in", caption, lines...).WithAxes("step",
		"value").WithLogX()
}

// Closing shows the certified gaps of runs on logarithmic axes.
func Closing(title, caption string, names []string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	for i, r := range runs {
		var c viz.Pairs
		for _, p := range r.Trace.Gaps().XYs {
			if p[0] > 0 {
				c = append(c, p)
			}
		}
		lines = append(lines, viz.Line{Name: names[i], XYs: c})
	}
	return viz.LogLines(title, caption, lines...).WithAxes("step", "certified gap").WithLogX()
}

// Boundaries are decision values over the square of what problems on the circle d learn.
func Boundaries(d *data.Dataset, n int, names []string, problems ...*mkl.Problem) (viz.Figure, error) {
	var panels []viz.Figure
	for i, p := range problems {
		f, err := boundary(d, n, names[i], p)
		if err != nil {
			return f, err
		}
		panels = append(panels, f)
	}
	return viz.Multiples("Tessellated and Gaussian kernels both find the circle, the former with corners",
		fmt.Sprintf("Decision values; the line is the boundary. %d points, a tenth of the labels wrong.", d.Len()), 3,
		panels...), nil
}

// Turned are decision boundaries of degree 0 on d as the bound grows, as frames of a slider.
func Turned(d *data.Dataset, n int, bounds ...float64) (viz.Figure, error) {
	var frames []viz.Figure
	for _, b := range bounds {
		f, err := boundary(d, n, fmt.Sprintf("bound %g", b), Problem(d, tessellated.Family{Bound: b, Unit: true}, 0,
			10))
		if err != nil {
			return f, err
		}
		frames = append(frames, f)
	}
	return viz.Frames("The bound is a length scale: what a small box cannot see, a large one smooths",
		"Decision values of degree 0 on the circle, C = 10 (unit mean diagonal), for boxes [−bound, 1+bound]².",
		frames...), nil
}

// boundary is the decision values of what p learns on n×n points of the square, with the points of d by label.
func boundary(d *data.Dataset, n int, title string, p *mkl.Problem) (viz.Figure, error) {
	f, _, err := Learn(p, mkl.FrankWolfe{Force: true})
	if err != nil {
		return viz.Figure{}, err
	}
	g := span(0, 1, n)
	z := kernel.Rows{N: n * n, D: 2} // a row of x₁ for each x₂
	for _, b := range g {
		for _, a := range g {
			z.Data = append(z.Data, a, b)
		}
	}
	var values [][]float64
	for row := range slices.Chunk(f(z), n) {
		for j, v := range row {
			row[j] = min(max(v, -2), 2)
		}
		values = append(values, row)
	}
	points := map[bool]viz.Pairs{} // label +1 or not
	for i, y := range d.Y {
		row := d.X.(kernel.Rows).Row(i)
		points[y > 0] = append(points[y > 0], [2]float64{row[0], row[1]})
	}
	return viz.Heat(title, "", g, g, values).WithContours(0).WithAxes("x₁", "x₂").WithColour("f(x), cut at ±2").
		WithLines(viz.Line{Name: d.Classes[0], XYs: points[false], Mark: viz.MarkPoints},
			viz.Line{Name: d.Classes[1], XYs: points[true], Mark: viz.MarkPoints}), nil
}

// Machine is a Gaussian support vector machine on standardised points.
func Machine(d *data.Dataset, gamma, c float64) *mkl.Problem {
	l := loss.Loss(loss.Hinge{C: c})
	if d.Classes == nil {
		l = loss.Insensitive{C: c, Epsilon: 0.1}
	}
	f := kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: gamma}}, Prepare: kernel.Prepare{kernel.Standardize}}
	return &mkl.Problem{Grams: f.On(d.X), Set: set.Simplex{}, Loss: l, Y: d.Y}
}

// axis are the numbers from 0 to 10 at which functions are compared.
func axis() kernel.Rows {
	return kernel.Rows{N: 401, D: 1, Data: span(0, 10, 401), Names: []string{"x"}}
}

// Curves are what problems on the jump d learn, on [0, 10], with its points.
func Curves(d *data.Dataset, names []string, problems ...*mkl.Problem) (viz.Figure, error) {
	z := axis()
	truth := viz.Points{X: z.Data}
	for _, x := range z.Data {
		truth.Y = append(truth.Y, Step(x))
	}
	lines := []viz.Line{{Name: "the function", XYs: truth}}
	for i, p := range problems {
		f, _, err := Learn(p, mkl.FrankWolfe{Force: true})
		if err != nil {
			return viz.Figure{}, err
		}
		lines = append(lines, viz.Line{Name: names[i], XYs: viz.Points{X: z.Data, Y: f(z)}})
	}
	var points viz.Pairs
	for i, y := range d.Y {
		points = append(points, [2]float64{d.X.(kernel.Rows).Row(i)[0], y})
	}
	return viz.Lines("A jump is a crease of a tessellated kernel, and a slope of a Gaussian one",
		fmt.Sprintf("%d noisy points, ε = 0.1; degree 1, bound 0.1, C = 100 (unit mean diagonal); Gaussian γ = 3 on "+
			"standardised x, C = 10.", d.Len()),
		append(lines, viz.Line{Name: "points", XYs: points, Mark: viz.MarkPoints})...).WithAxes("x", "y"), nil
}

// Away is the root mean squared distance of f from the function of Jump on [0, 10].
func Away(f Predictor) float64 {
	z, s := axis(), 0.0
	for i, v := range f(z) {
		s += (v - Step(z.Data[i])) * (v - Step(z.Data[i])) / float64(z.N)
	}
	return math.Sqrt(s)
}

// PMatrix is P* as colours; large are the eigenvalues above a thousandth of the trace.
func PMatrix(r *mkl.Result, labels []string, title, caption string) (f viz.Figure, large []float64) {
	p := mat.NewSymDense(r.Rows, append([]float64{}, r.Theta...))
	var e mat.EigenSym
	if e.Factorize(p, false) {
		l := e.Values(nil)
		for i := len(l) - 1; i >= 0; i-- {
			if l[i] > 1e-3*mat.Trace(p) {
				large = append(large, l[i])
			}
		}
	}
	z := make(viz.Rows, r.Rows)
	for i := range z {
		z[i] = r.Theta[i*r.Cols : (i+1)*r.Cols]
	}
	return viz.Signed(title, caption, z).WithLabels(labels, labels).WithColour("P*"), large
}

// Names returns the names of the rows of P: monomials under 1{z ≥ x} (+) and elsewhere (−).
func Names(g kernel.Grams) (names []string) {
	t := g.(*tessellated.Grams)
	rows, _ := t.Shape()
	for _, half := range []string{"+", "−"} {
		for i := range rows / 2 {
			names = append(names, half+" "+t.Monomial(i))
		}
	}
	return names
}

// ScoreTable is the comparison as a table: means and standard deviations of accuracies in per cent.
func ScoreTable(title, caption string, all ...*Scores) viz.Figure {
	header := []string{"set", "splits"}
	var rows [][]any
	for _, s := range all {
		if s == nil { // nothing is kept
			continue
		}
		row := []any{s.Data, len(s.Splits)}
		for m := range s.Methods {
			if len(rows) == 0 {
				header = append(header, s.Methods[m])
			}
			mean, sd := s.Mean(m)
			row = append(row, viz.Spread(mean, sd, 1))
		}
		d := s.Less(3, 0)
		rows = append(rows, append(row, fmt.Sprintf("%+.1f (%.1f)", d.Mean, d.SE)))
	}
	return viz.Table(title, caption, append(header, "d=1 less RBF (se)"), rows...)
}

// BoundCurves are accuracies of degree 0 against the bound, on the same splits.
func BoundCurves(names []string, curves []Bounded) viz.Figure {
	var lines []viz.Line
	for i, c := range curves {
		lines = append(lines, viz.Line{Name: names[i], XYs: viz.Points{X: c.Bounds, Y: c.Accuracy}, Mark: viz.MarkBoth})
	}
	return viz.Lines("The more features, the larger the box must be",
		"Accuracy of degree 0 on a fifth of at most 300 points, C chosen inside the training part; the same few "+
			"splits for every bound.",
		lines...).WithAxes("bound", "accuracy, %").WithLogX()
}
