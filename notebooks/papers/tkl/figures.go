package tkl

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel/tessellated"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// PartsFigure draws how the points x and y divide the box [−½, 1½]², over which k(x, y) is an integral, into parts.
// Each part is marked with the block of P = [Q R; Rᵀ S] that contains its weights. x[0] < y[0] and x[1] > y[1] must
// hold.
func PartsFigure(x, y [2]float64) viz.Figure {
	const lo, hi = -0.5, 1.5
	cornerLine := func(name string, p [2]float64) viz.Line {
		return viz.Line{Name: name, XYs: viz.Pairs{{p[0], hi}, p, {hi, p[1]}}}
	}
	fillPart := func(name string, left, right, bottom, top float64) viz.Line {
		return viz.Line{Name: name, XYs: viz.Pairs{{left, bottom}, {right, bottom}}, Band: "the part",
			Lo: []float64{bottom, bottom}, Hi: []float64{top, top}}
	}
	neither := viz.Line{Name: "above neither: S", Band: "the part", Lo: []float64{lo, lo, lo, lo, lo, lo},
		XYs: viz.Pairs{{lo, lo}, {x[0], lo}, {x[0], lo}, {y[0], lo}, {y[0], lo}, {hi, lo}},
		Hi:  []float64{hi, hi, x[1], x[1], y[1], y[1]}}
	rightmost, topmost := max(x[0], y[0]), max(x[1], y[1])
	f := viz.Lines("Two points cut one box into four parts; each block of the kernel's matrix P weights one part",
		fmt.Sprintf("The box [−½, 1½]² of all z, for x = (%g, %g) and y = (%g, %g). Every point cuts it into two "+
			"parts, the corner above it and the rest; k(x, y) is a sum of polynomials over the parts.",
			x[0], x[1], y[0], y[1]),
		fillPart("above both: Q", rightmost, hi, topmost, hi), fillPart("above x only: R", x[0], y[0], x[1], hi),
		fillPart("above y only: Rᵀ", y[0], hi, y[1], x[1]), neither,
		cornerLine("corner of x", x), cornerLine("corner of y", y)).
		WithAxes("z₁", "z₂")
	f.X.Range, f.Y.Range = &[2]float64{lo, hi}, &[2]float64{lo, hi}
	return f
}

// GapFigure draws the certified gap in every step of several runs. It also draws firstGap/k against the step k, where
// firstGap is the gap of the first run in step 1.
func GapFigure(title, caption string, names []string, runs ...*mkl.Result) viz.Figure {
	var lines []viz.Line
	firstGap, lastStep := 0.0, 1
	for i, r := range runs {
		var c viz.Pairs
		for _, row := range r.Trace[1:] {
			c, lastStep = append(c, [2]float64{float64(row.Iter), row.Upper - row.Lower}), max(lastStep, row.Iter)
		}
		if i == 0 {
			firstGap = c[0][1]
		}
		lines = append(lines, viz.Line{Name: names[i], XYs: c})
	}
	lines = append(lines, viz.Line{Name: "1/k, for the slope only",
		XYs: viz.Pairs{{1, firstGap}, {float64(lastStep), firstGap / float64(lastStep)}}})
	return viz.LogLines(title, caption, lines...).WithAxes("step k", "certified gap of F at step k").WithLogX()
}

// LeadingEigenvector returns the eigenvalues of a symmetric matrix divided by its trace, in descending order, and the
// eigenvector v of the largest one. The sign of v makes the sum of its entries nonnegative. matrix is stored row by
// row.
func LeadingEigenvector(matrix []float64) (eigenvalueShares, v []float64) {
	n := int(math.Round(math.Sqrt(float64(len(matrix)))))
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(n, slices.Clone(matrix)), true) {
		return nil, nil
	}
	eigenvalueShares = e.Values(nil)
	slices.Reverse(eigenvalueShares)
	floats.Scale(1/floats.Sum(eigenvalueShares), eigenvalueShares)
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	if v = mat.Col(nil, n-1, &vectors); floats.Sum(v) < 0 {
		floats.Scale(-1, v)
	}
	return eigenvalueShares, v
}

// PartialSums draws the function h(z) = Σ_i w_i 1{z ≥ x_i} on the box of p, and returns the integral of its square.
// p must be a problem of a tessellated kernel of one feature, x its points.
func PartialSums(title, caption string, p *mkl.Problem, x points.Points, w []float64) (f viz.Figure,
	integralOfSquare float64) {
	g := p.Grams.(*tessellated.Grams)
	scaled := g.ScaledFeatures(x)
	lower, upper := g.Box()
	box := g.ScaledFeatures(points.NewRows([][]float64{lower, upper}))
	order := points.AllIndices(len(w))
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(scaled[i][0], scaled[j][0]) })
	h, left := 0.0, box[0][0]
	curve := viz.Pairs{{left, 0}}
	for _, i := range order {
		z := scaled[i][0]
		integralOfSquare += h * h * (z - left)
		curve = append(curve, [2]float64{z, h}, [2]float64{z, h + w[i]})
		h, left = h+w[i], z
	}
	integralOfSquare += h * h * (box[1][0] - left)
	curve = append(curve, [2]float64{box[1][0], h})
	return viz.Lines(title, caption, viz.Line{Name: "h", XYs: curve}).WithAxes("z", "h(z)").WithBaseline("0", 0),
		integralOfSquare
}

// ShareFigure draws the share of the half with 1{z ≥ x} in the centered kernel at P = I, against the number of
// features, in both metrics of the trace: 150 points of each of Sets["classes"], bound ½.
func ShareFigure(title, caption string) (f viz.Figure, err error) {
	lines := []viz.Line{{Name: "paper's metric", Mark: viz.MarkPoints}, {Name: "our metric", Mark: viz.MarkPoints}}
	for k, metric := range []tessellated.TraceMetric{tessellated.Plain, tessellated.Balanced} {
		family, shares := tessellated.Family{Degree: 1, BoxMargin: 0.5, TraceMetric: metric}, viz.Pairs(nil)
		for _, name := range Sets["classes"] {
			d, err := datasets.Load(name)
			if err != nil {
				return f, err
			}
			shares = append(shares, [2]float64{float64(d.Dim()), UpperShare(family, shared.Subset(d, 150).X)})
		}
		slices.SortFunc(shares, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
		lines[k].XYs = shares
	}
	return viz.LogLines(title, caption, lines...).WithAxes("features n", "share"), nil
}

// DiagonalFigure draws the upper half of the diagonals of several matrices P, in percent of the trace, with the share
// of a multiple of I. names[i] is the name of the matrix matrices[i], and g names the monomials.
func DiagonalFigure(title, caption string, g *tessellated.Grams, names []string, matrices ...[]float64) viz.Figure {
	size, _ := g.ThetaShape()
	var monomials []string
	for i := range size / 2 {
		monomials = append(monomials, g.Monomial(i))
	}
	var bars []viz.Bar
	for k, p := range matrices {
		trace := floats.Dot(p, Identity(size))
		b := viz.Bar{Name: names[k]}
		for i := range size / 2 {
			b.Values = append(b.Values, 100*p[i*size+i]/trace)
		}
		bars = append(bars, b)
	}
	return viz.Bars(title, caption, monomials, bars...).WithAxes("", "share of the trace, %").
		WithBaseline("P' = I", 100/float64(size))
}

// Comparisons holds ShuffleComparisons by the set of the experiment "classes", and by the seed.
type Comparisons [][]ShuffleComparison

// CompareSets compares a learned P with a P of shuffled labels on the first splits of the seeds 1 … seedCount, for each
// set of the experiment "classes".
func CompareSets(seedCount int) (c Comparisons, err error) {
	for _, name := range Sets["classes"] {
		var ofSet []ShuffleComparison
		for seed := range uint64(seedCount) {
			o, err := CompareWithShuffled(context.Background(), name, seed+1)
			if err != nil {
				return nil, err
			}
			ofSet = append(ofSet, o)
		}
		c = append(c, ofSet)
	}
	return c, nil
}

// values returns a number of each comparison of the set with index i, in ascending order.
func (c Comparisons) values(i int, number func(o ShuffleComparison) float64) (ascending []float64) {
	for _, o := range c[i] {
		ascending = append(ascending, number(o))
	}
	slices.Sort(ascending)
	return ascending
}

// OverlapTable shows the overlaps of the learned P with other matrices: medians, in brackets the least.
func (c Comparisons) OverlapTable(title, caption string) viz.Figure {
	var rows [][]any
	for i, name := range Sets["classes"] {
		row := []any{name}
		for k, overlap := range []func(o ShuffleComparison) float64{
			func(o ShuffleComparison) float64 { return o.Cosine },
			func(o ShuffleComparison) float64 { return o.SolvedCosine },
			func(o ShuffleComparison) float64 { return o.RandomCosine },
		} {
			values := c.values(i, overlap)
			cell := viz.Number(shared.MedianOfSorted(values), 2)
			if k == 0 {
				cell.Text += " (" + viz.Number(values[0], 2).Text + ")"
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	header := []string{"set", "overlap with one step, shuffled", "with the minimum, shuffled", "with noise"}
	return viz.Table(title, caption, header, rows...)
}

// ObjectiveTable shows medians of the objective F above its minimum, and the mean of ShuffleComparison.AccuracyGain.
func (c Comparisons) ObjectiveTable(title, caption string) viz.Figure {
	var rows [][]any
	for i, name := range Sets["classes"] {
		shuffled := c.values(i, func(o ShuffleComparison) float64 { return 100 * o.ShuffledExcess })
		uniform := c.values(i, func(o ShuffleComparison) float64 { return 100 * o.UniformExcess })
		gain := stat.Mean(c.values(i, func(o ShuffleComparison) float64 { return o.AccuracyGain }), nil)
		rows = append(rows, []any{name, viz.Number(shared.MedianOfSorted(shuffled), 1),
			viz.Number(shared.MedianOfSorted(uniform), 0),
			viz.Number(gain, 1)})
	}
	header := []string{"set", "F of one step, shuffled, % above the minimum", "F of P' = I, % above it",
		"accuracy at 0.1 % − at 2 %, points"}
	return viz.Table(title, caption, header, rows...)
}

// RegionFigure draws, for one draw of the sets corner and circle, the decision functions in the plane: of the Gaussian,
// of degree 1 with P' = I, and of degree 1 with the learned P. Each has the stored family and C; P' = I has those of
// the learned P. A panel has its accuracy in its title.
func RegionFigure(title, caption string, seed uint64, sets ...string) (f viz.Figure, err error) {
	const cut = 0.2
	side := floats.Span(make([]float64, 61), 0, 1)
	grid := points.Rows{N: len(side) * len(side), D: 2, Names: []string{"x1", "x2"}}
	for _, b := range side {
		for _, a := range side {
			grid.Data = append(grid.Data, a, b)
		}
	}
	var panels []viz.Figure
	for _, set := range sets {
		draw, err := NewDraw("truths", set, seed)
		if err != nil {
			return f, err
		}
		train := shared.SelectRows(draw.Data, draw.Splits[0].Train)
		test := shared.SelectRows(draw.Data, draw.Splits[0].Test)
		ofLearned := FirstChoice("truths", set, seed, 2)
		for _, method := range []struct {
			m      Method
			choice Choice
		}{
			{draw.Methods[0], FirstChoice("truths", set, seed, 0)},
			{NewMethods(2)[UniformDegree1], ofLearned},
			{draw.Methods[2], ofLearned},
		} {
			g, r, err := method.m.Fit(context.Background(), method.choice, train, 0)
			if err != nil {
				return f, err
			}
			values := shared.DecisionValues(g, r, grid)
			accuracy := viz.Number(100-100*totalLoss(g, r, test)/float64(test.Len()), 1).Text
			z := make([][]float64, len(side))
			for i := range z {
				for j := range side {
					z[i] = append(z[i], min(max(values[i*len(side)+j], -cut), cut))
				}
			}
			name := strings.TrimPrefix(method.m.Name, "degree 1, ")
			panel := viz.Heat(fmt.Sprintf("%s, %s %%", name, accuracy), "", side, side, z)
			panel.Cells.ContourLevels = []float64{0}
			panels = append(panels, panel.WithLines(classLines(set, train)...).WithAxes("x₁", "x₂").
				WithColorLabel(fmt.Sprintf("decision function, cut at ±%g", cut)))
		}
	}
	return viz.Multiples(title, caption, 3, panels...), nil
}

// classLines returns the boundary of the classes of the set corner or circle, and the points of each class.
func classLines(setName string, d *data.Dataset) []viz.Line {
	boundary := viz.Pairs{{cornerX, 1}, {cornerX, cornerY}, {1, cornerY}}
	if setName == "circle" {
		boundary = nil
		for k := range 101 {
			angle := 2 * math.Pi * float64(k) / 100
			x, y := 0.5+circleRadius*math.Cos(angle), 0.5+circleRadius*math.Sin(angle)
			boundary = append(boundary, [2]float64{x, y})
		}
	}
	classes, rows := [2]viz.Pairs{}, points.ToRows(d.X)
	for i, y := range d.Y {
		k := int(1+y) / 2
		classes[k] = append(classes[k], [2]float64{rows.Row(i)[0], rows.Row(i)[1]})
	}
	return []viz.Line{{Name: "the truth", XYs: boundary},
		{Name: "label −", XYs: classes[0], Mark: viz.MarkPoints},
		{Name: "label +", XYs: classes[1], Mark: viz.MarkPoints}}
}
