package viz

import (
	"cmp"
	"slices"
)

// Matrix returns z as colors. The rows of z have equal lengths. If some entry is negative, the colors are symmetric
// about 0, as for a centered Gram matrix. The axes are called column and row unless WithAxes names them. z has at most
// 200 rows and columns, because the file of a notebook stores every entry.
func Matrix(title, caption string, z [][]float64) Figure {
	f := Figure{Kind: KindMatrix, Title: title, Caption: caption, Cells: newCells(nil, nil, z),
		X: Axis{Label: "column"}, Y: Axis{Label: "row"}}
	return f.withGeneratedAlt()
}

// newCells returns Cells with copies of the coordinates and of z.
func newCells(x, y []float64, z [][]float64) *Cells {
	c := &Cells{X: cloneSlice(x), Y: cloneSlice(y), Z: make([][]float64, len(z))}
	for i, row := range z {
		c.Z[i] = cloneSlice(row)
	}
	return c
}

// SortedMatrices returns a figure of symmetric matrices between the same points, with one panel and one name for each
// matrix. If there is one matrix, it returns the figure of that matrix alone. class holds the class of each point as a
// number; rows and columns are sorted by it in ascending order. If class is nil, the order does not change. A
// similarity that is useful for learning shows a block for each class.
func SortedMatrices[G Grid](title, caption string, class []float64, names []string, ms ...G) Figure {
	var panels []Figure
	for k, m := range ms {
		axisLabel := "point"
		n, _ := m.Dims()
		sortedIndices := make([]int, n)
		for i := range sortedIndices {
			sortedIndices[i] = i
		}
		if len(class) == n {
			axisLabel = "point, sorted by class"
			slices.SortStableFunc(sortedIndices, func(a, b int) int { return cmp.Compare(class[a], class[b]) })
		}
		z := make([][]float64, n)
		for i, row := range sortedIndices {
			for _, column := range sortedIndices {
				z[i] = append(z[i], m.At(row, column))
			}
		}
		panels = append(panels, Matrix(names[k], "", z).WithColorLabel("entry").WithAxes(axisLabel, axisLabel))
	}
	if len(panels) == 1 {
		return panels[0].applyToCopy(func(f *Figure) { f.Title, f.Caption = title, caption })
	}
	return Multiples(title, caption, 3, panels...)
}
