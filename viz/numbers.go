package viz

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Numbers returns the content of f as a table: the header and the rows. For long series and large matrices the table
// holds only some points or a summary. For Multiples the table is empty: call Numbers for each panel.
func (f Figure) Numbers() (head []string, rows [][]string) {
	switch f.Kind {
	case KindLines:
		head, rows = f.numbersOfPoints()
	case KindBars:
		head, rows = f.numbersOfSeries(f.X.Label, f.Groups, sampleIndices(len(f.Groups), len(f.Groups)))
	case KindHeat, KindMatrix:
		return f.numbersOfCells()
	case KindTable:
		if f.Sheet == nil {
			return nil, nil
		}
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
	for _, b := range f.Baselines {
		rows = append(rows, []string{b.Name, FormatNumber(b.Value)})
	}
	return head, rows
}

// numbersOfSeries returns a table with a column for each series and a row for each of the indices. label is the header
// of the first column, which holds names: names[k] is the name of the row for indices[k].
func (f Figure) numbersOfSeries(label string, names []string, indices []int) (head []string, rows [][]string) {
	head = []string{label}
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

// numbersOfPoints returns the table of a figure of curves or points. If all curves have the same x, the table has at
// most 12 evenly spaced points of them. Otherwise it has a row with a summary of each series.
func (f Figure) numbersOfPoints() (head []string, rows [][]string) {
	sameX := len(f.Series) > 0 && f.Kind == KindLines
	for _, s := range f.Series {
		sameX = sameX && slices.Equal(s.X, f.Series[0].X) && len(s.Y) == len(s.X)
	}
	if sameX {
		at := sampleIndices(len(f.Series[0].X), 12)
		var x []string
		for _, i := range at {
			x = append(x, FormatNumber(f.Series[0].X[i]))
		}
		return f.numbersOfSeries(cmp.Or(f.X.Label, "x"), x, at)
	}
	x, y := cmp.Or(f.X.Label, "x"), cmp.Or(f.Y.Label, "y")
	head = []string{"", "points", x + " from", "to", y + " first", "last", "least", "greatest"}
	for _, s := range f.Series {
		if len(s.Y) == 0 || len(s.X) != len(s.Y) {
			continue
		}
		row := []string{s.Name, strconv.Itoa(len(s.Y))}
		for _, v := range []float64{slices.Min(s.X), slices.Max(s.X),
			s.Y[0], s.Y[len(s.Y)-1], slices.Min(s.Y), slices.Max(s.Y)} {
			row = append(row, FormatNumber(v))
		}
		rows = append(rows, row)
	}
	return head, rows
}

// numbersOfCells returns the table of a surface or a matrix. A matrix of at most 10×10 has all its entries in the
// table. For other figures the table has the least and the greatest value (or the percentage of each class), the
// percentage of each region and the last point of each curve.
func (f Figure) numbersOfCells() (head []string, rows [][]string) {
	c := f.Cells
	if c == nil || len(c.Z) == 0 || len(c.Z[0]) == 0 {
		return nil, nil
	}
	if f.Kind == KindMatrix && len(c.Z) <= 10 && len(c.Z[0]) <= 10 {
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
	head = []string{cmp.Or(f.Z.Label, "value"), "", "at"}
	if len(c.Classes) > 0 {
		for k, name := range c.Classes {
			rows = append(rows, []string{name, c.classPercent(k), "of the grid"})
		}
	} else {
		lo, hi := c.extremePositions()
		rows = [][]string{
			{"least", FormatNumber(c.Z[lo[0]][lo[1]]), f.cellPosition(lo)},
			{"greatest", FormatNumber(c.Z[hi[0]][hi[1]]), f.cellPosition(hi)},
		}
	}
	for _, r := range c.Regions {
		rows = append(rows, []string{r.Name, r.insidePercent(), "of the grid"})
	}
	for _, s := range f.Series {
		if n := len(s.Y); n > 0 && len(s.X) == n {
			rows = append(rows, []string{s.Name, Count(n, "point"),
				fmt.Sprintf("ends at (%s, %s)", FormatNumber(s.X[n-1]), FormatNumber(s.Y[n-1]))})
		}
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
// in a matrix. at holds the indices of its row and column.
func (f Figure) cellPosition(at [2]int) string {
	c := f.Cells
	if f.Kind == KindHeat && at[0] < len(c.Y) && at[1] < len(c.X) {
		return fmt.Sprintf("(%s, %s)", FormatNumber(c.X[at[1]]), FormatNumber(c.Y[at[0]]))
	}
	return fmt.Sprintf("(%s, %s)", nameOrNumber(c.Rows, at[0]), nameOrNumber(c.Cols, at[1]))
}

// percentOf returns the percentage of the entries of z for which isCounted returns true, as text.
func percentOf(z [][]float64, isCounted func(v float64) bool) string {
	entries := slices.Concat(z...)
	n := len(entries)
	return fmt.Sprintf("%.0f %%", 100*float64(n-len(slices.DeleteFunc(entries, isCounted)))/math.Max(1, float64(n)))
}

// classPercent returns the percentage of the cells that have class k, as text.
func (c *Cells) classPercent(k int) string {
	return percentOf(c.Z, func(v float64) bool { return v == float64(k) })
}

// insidePercent returns the percentage of the grid that lies inside the region, as text.
func (r Region) insidePercent() string { return percentOf(r.V, func(v float64) bool { return v >= 0 }) }

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
