package tkl

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// PartsFigure draws how the points x and y divide the box [−½, 1½]², over which k(x, y) is an integral, into parts.
// Each part is marked with the block of P = [Q R; Rᵀ S] that contains its weights. x[0] < y[0] and x[1] > y[1] must
// hold.
func PartsFigure(x, y [2]float64) viz.Figure {
	const lo, hi = -0.5, 1.5
	cornerLine := func(name string, p [2]float64) viz.Line {
		return viz.Line{Name: name, XYs: viz.Pairs{{p[0], hi}, p, {hi, p[1]}}}
	}
	markPart := func(name string, a, b float64) viz.Line {
		return viz.Line{Name: name, XYs: viz.Pairs{{a, b}}, Mark: viz.MarkPoints}
	}
	rightmost, topmost := max(x[0], y[0]), max(x[1], y[1])
	f := viz.Lines("Two points cut one box into four parts; each block of the kernel's matrix P weights one part",
		fmt.Sprintf("The box [−½, 1½]² of all z, for x = (%g, %g) and y = (%g, %g). Every point cuts it into two "+
			"parts, the corner above it and the rest; k(x, y) is a sum of polynomials over the parts.",
			x[0], x[1], y[0], y[1]),
		cornerLine("region z ≥ x", x), cornerLine("region z ≥ y", y),
		markPart("above both: Q", (rightmost+hi)/2, (topmost+hi)/2),
		markPart("above x only: R", (x[0]+rightmost)/2, (x[1]+hi)/2),
		markPart("above y only: Rᵀ", (y[0]+hi)/2, (y[1]+topmost)/2), markPart("above neither: S", lo/2, lo/2)).
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
	lines = append(lines, viz.Line{Name: "1/k",
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
