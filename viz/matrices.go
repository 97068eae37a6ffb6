package viz

import (
	"cmp"
	"slices"
)

// Matrix returns z as colors. If some entry is negative, the colors are symmetric about 0, as for a centered Gram
// matrix. The axes are called column and row unless WithAxes names them. z has at most 200 rows and columns, because
// the file of a notebook stores every entry.
func Matrix(title, caption string, z Grid) Figure {
	n, m := z.Dims()
	c := &Cells{}
	for i := range n {
		row := make([]float64, m)
		for j := range row {
			row[j] = z.At(i, j)
		}
		c.Z = append(c.Z, row)
	}
	f := Figure{Kind: KindMatrix, Title: title, Caption: caption, Cells: c, X: Axis{Label: "column"},
		Y: Axis{Label: "row"}}
	return f.withDescription()
}

// Sorted returns a figure of symmetric matrices between the same points, with one panel and one name for each matrix.
// If there is one matrix, it returns the figure of that matrix alone. class holds the class of each point as a number;
// rows and columns are sorted by it in ascending order. If class is nil, the order does not change. A similarity that
// is useful for learning shows a block for each class.
func Sorted[G Grid](title, caption string, class []float64, names []string, ms ...G) Figure {
	var panels []Figure
	for k, m := range ms {
		axis := "point"
		n, _ := m.Dims()
		s := permutedGrid{m, make([]int, n)}
		for i := range s.order {
			s.order[i] = i
		}
		if len(class) == n {
			axis = "point, sorted by class"
			slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(class[a], class[b]) })
		}
		panels = append(panels, Matrix(names[k], "", s).WithColor("entry").WithAxes(axis, axis))
	}
	if len(panels) == 1 {
		return panels[0].applyToCopy(func(f *Figure) { f.Title, f.Caption = title, caption })
	}
	return Multiples(title, caption, 3, panels...)
}

// permutedGrid is a square matrix with its rows and columns in a different order.
type permutedGrid struct {
	Grid
	order []int
}

// At returns entry (i, j) of the permuted matrix.
func (p permutedGrid) At(i, j int) float64 { return p.Grid.At(p.order[i], p.order[j]) }
