package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

const (
	maxVector = 50 // maximum number of values of a vector that are printed
	maxMatrix = 12 // maximum number of rows or columns of a matrix that is printed as numbers
)

// Vector returns the report of a vector: its numbers on one line. For a long vector it has the first numbers, the
// length, the least and the greatest number, and the mean.
func Vector(v []float64) Report {
	var b strings.Builder
	b.WriteByte('[')
	for i, x := range v[:min(len(v), maxVector)] {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(viz.FormatNumber(x))
	}
	if len(v) > maxVector {
		lo, hi, mean := math.Inf(1), math.Inf(-1), 0.0
		for _, x := range v {
			lo, hi, mean = math.Min(lo, x), math.Max(hi, x), mean+x/float64(len(v))
		}
		fmt.Fprintf(&b, " …] %d numbers from %s to %s, mean %s", len(v), viz.FormatNumber(lo), viz.FormatNumber(hi),
			viz.FormatNumber(mean))
	} else {
		b.WriteByte(']')
	}
	return Report{{Text: b.String()}}
}

// Matrix returns the report of a matrix: a small one as numbers, a larger one as colors, which are symmetric about 0 if
// the matrix has both signs.
func Matrix(m mat.Matrix) Report {
	r, c := m.Dims()
	size := fmt.Sprintf("%d×%d", r, c)
	if r == 0 || c == 0 {
		return Report{{Text: "An empty matrix, " + size + "."}}
	}
	if max(r, c) <= maxMatrix {
		head := []string{""}
		for j := range c {
			head = append(head, fmt.Sprint(j+1))
		}
		var rows [][]any
		for i := range r {
			row := []any{fmt.Sprint(i + 1)}
			for j := range c {
				row = append(row, viz.Cell{Text: viz.FormatNumber(m.At(i, j))})
			}
			rows = append(rows, row)
		}
		f := viz.Table(size+" matrix", "Rows and columns are counted from 1.", head, rows...)
		for j := range f.Sheet.Columns {
			f.Sheet.Columns[j].Right = true
		}
		return Report{{Figure: &f}}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range r {
		for j := range c {
			lo, hi = math.Min(lo, m.At(i, j)), math.Max(hi, m.At(i, j))
		}
	}
	title := fmt.Sprintf("%s matrix, values from %s to %s", size, viz.FormatNumber(lo), viz.FormatNumber(hi))
	caption := "Row 1 is above, column 1 at the left."
	if lo < 0 && hi > 0 {
		return Report{{Figure: new(viz.Signed(title, caption, m).WithColour("value"))}}
	}
	return Report{{Figure: new(viz.Matrix(title, caption, m).WithColour("value"))}}
}
