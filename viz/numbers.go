package viz

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// toTable returns the content of f as a table: the header and the rows. The table holds at most 12 evenly spaced points
// of a curve. The table is empty for curves with different x, for surfaces, for matrices larger than 10×10 and for
// Multiples.
func (f Figure) toTable() (head []string, rows [][]string) {
	switch {
	case f.Kind == KindLines && f.hasCommonX():
		indices := sampleIndices(len(f.Series[0].X), 12)
		var x []string
		for _, i := range indices {
			x = append(x, FormatNumber(f.Series[0].X[i]))
		}
		head, rows = f.seriesTable(x, indices)
	case f.Kind == KindBars:
		head, rows = f.seriesTable(f.Groups, sampleIndices(len(f.Groups), len(f.Groups)))
	case f.Kind == KindMatrix && f.Cells != nil && len(f.Cells.Z) > 0 && max(len(f.Cells.Z), len(f.Cells.Z[0])) <= 10:
		return f.Cells.toTable()
	case f.Kind == KindTable && f.Sheet != nil:
		for _, c := range f.Sheet.Columns {
			head = append(head, c.Name)
		}
		for _, r := range f.Sheet.Rows {
			var row []string
			for _, c := range r {
				text := c.Text
				if c.Strong {
					text = "*" + text + "*"
				}
				row = append(row, text)
			}
			rows = append(rows, row)
		}
	}
	if len(rows) > 0 {
		for _, b := range f.Baselines {
			rows = append(rows, []string{b.Name, FormatNumber(b.Value)})
		}
	}
	return head, rows
}

// hasCommonX reports whether f has series and all of them have the same x.
func (f Figure) hasCommonX() bool {
	for _, s := range f.Series {
		if !slices.Equal(s.X, f.Series[0].X) || len(s.Y) != len(s.X) {
			return false
		}
	}
	return len(f.Series) > 0
}

// seriesTable returns a table with a column for each series and a row for each of the indices. The first column holds
// names: names[k] is the name of the row for indices[k].
func (f Figure) seriesTable(names []string, indices []int) (head []string, rows [][]string) {
	head = []string{f.X.Label}
	for _, s := range f.Series {
		head = append(head, s.Name)
	}
	for k, i := range indices {
		row := []string{names[k]}
		for _, s := range f.Series {
			row = append(row, s.entryText(i))
		}
		rows = append(rows, row)
	}
	return head, rows
}

// toTable returns the entries of a matrix as a table.
func (c *Cells) toTable() (head []string, rows [][]string) {
	head = []string{""}
	for j := range c.Z[0] {
		head = append(head, nameOrNumber(c.Cols, j))
	}
	for i, r := range c.Z {
		row := []string{nameOrNumber(c.Rows, i)}
		for _, v := range r {
			row = append(row, FormatNumber(v))
		}
		rows = append(rows, row)
	}
	return head, rows
}

// entryText returns value i of s as text, with the ends of its band if it has one.
func (s Series) entryText(i int) string {
	if i >= len(s.Y) {
		return ""
	}
	if i < len(s.Lo) && i < len(s.Hi) {
		return fmt.Sprintf("%s [%s, %s]", FormatNumber(s.Y[i]), FormatNumber(s.Lo[i]), FormatNumber(s.Hi[i]))
	}
	return FormatNumber(s.Y[i])
}

// extremePositions returns the positions (row, column) of the least and of the greatest value of Z.
func (c *Cells) extremePositions() (lo, hi [2]int) {
	for i, row := range c.Z {
		for j, v := range row {
			if v < c.Z[lo[0]][lo[1]] {
				lo = [2]int{i, j}
			}
			if v > c.Z[hi[0]][hi[1]] {
				hi = [2]int{i, j}
			}
		}
	}
	return lo, hi
}

// cellPosition returns the position of a cell as text: its coordinates on a surface, or the names of its row and column
// in a matrix. cell holds the indices of its row and column.
func (f Figure) cellPosition(cell [2]int) string {
	c := f.Cells
	if f.Kind == KindHeat && cell[0] < len(c.Y) && cell[1] < len(c.X) {
		return fmt.Sprintf("(%s, %s)", FormatNumber(c.X[cell[1]]), FormatNumber(c.Y[cell[0]]))
	}
	return fmt.Sprintf("(%s, %s)", nameOrNumber(c.Rows, cell[0]), nameOrNumber(c.Cols, cell[1]))
}

// percentOf returns the percentage of the entries of z for which isCounted returns true, as text.
func percentOf(z [][]float64, isCounted func(v float64) bool) string {
	entries := slices.Concat(z...)
	n := len(entries)
	return fmt.Sprintf("%.0f %%", 100*float64(n-len(slices.DeleteFunc(entries, isCounted)))/math.Max(1, float64(n)))
}

// sampleIndices returns at most k evenly spaced indices from 0 to n−1, both ends included.
func sampleIndices(n, k int) []int {
	if n <= k {
		k = n
	}
	out := make([]int, k)
	for i := range out {
		if k > 1 {
			out[i] = i * (n - 1) / (k - 1)
		}
	}
	return out
}

// nameOrNumber returns names[i], or the number i as text if there is no such name.
func nameOrNumber(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return strconv.Itoa(i)
}
