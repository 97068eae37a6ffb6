package viz

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// describe returns an alt text made from the data: the kind of the figure, the axes, and a summary of each series. The
// summary gives the first and the last value of a curve, the range of points, and all values of at most 20 bars. For a
// surface or a matrix, describe gives the least and the greatest value.
func (f Figure) describe() string {
	var b strings.Builder
	switch f.Kind {
	case KindLines:
		fmt.Fprintf(&b, "Chart of %s%s.", axisNames(f.X, f.Y), logAxisNote(f))
		for _, s := range f.Series {
			n := len(s.Y)
			if n == 0 || len(s.X) != n {
				continue
			}
			if s.Mark == MarkPoints {
				fmt.Fprintf(&b, " %s: %s, x %s, y %s", s.Name, FormatCount(n, "point"), rangeText(s.X), rangeText(s.Y))
			} else {
				fmt.Fprintf(&b, " %s: from %s to %s over %s", s.Name, FormatNumber(s.Y[0]), FormatNumber(s.Y[n-1]),
					FormatCount(n, "point"))
			}
			if len(s.Lo) == n {
				fmt.Fprintf(&b, ", with a band (%s)", s.Band)
			}
			b.WriteString(".")
		}
	case KindBars:
		noun := "Bars"
		if len(f.Series) > 0 && f.Series[0].Mark == MarkPoints {
			noun = "Dots"
		}
		fmt.Fprintf(&b, "%s of %s for %s.", noun, cmp.Or(f.Y.Label, "values"), FormatCount(len(f.Groups), "group"))
		for _, s := range f.Series {
			if len(s.Y) == 0 {
				continue
			}
			valueRange := rangeText(s.Y)
			if len(s.Y) <= 20 && len(s.Y) == len(f.Groups) {
				valueRange = s.labeledValuesText(f.Groups)
			}
			fmt.Fprintf(&b, " %s: %s", s.Name, valueRange)
			if len(s.Lo) > 0 && s.Band != "" {
				fmt.Fprintf(&b, " (%s)", s.Band)
			}
			b.WriteString(".")
		}
	case KindHeat, KindMatrix:
		f.describeCells(&b)
	case KindTable:
		if f.Sheet == nil {
			return "No data."
		}
		var names []string
		for _, c := range f.Sheet.Columns {
			names = append(names, cmp.Or(c.Name, "names"))
		}
		fmt.Fprintf(&b, "Table of %s: %s.", FormatCount(len(f.Sheet.Rows), "row"), strings.Join(names, ", "))
	case KindMultiples:
		fmt.Fprintf(&b, "%s with the same axes.", FormatCount(len(f.Panels), "panel"))
		for _, p := range f.Panels {
			fmt.Fprintf(&b, " %s: %s", p.Title, p.describe())
		}
	}
	return b.String()
}

func (f Figure) describeCells(b *strings.Builder) {
	c := f.Cells
	if c == nil || len(c.Z) == 0 || len(c.Z[0]) == 0 {
		b.WriteString("No data.")
		return
	}
	lo, hi := c.extremePositions()
	sizeText := fmt.Sprintf("%d×%d matrix", len(c.Z), len(c.Z[0]))
	if f.Kind == KindHeat {
		sizeText = fmt.Sprintf("Surface over %s on a %d×%d grid", axisNames(f.X, f.Y), len(c.X), len(c.Y))
	}
	fmt.Fprintf(b, "%s: %s from %s at %s to %s at %s.", sizeText, cmp.Or(f.Z.Label, "values"),
		FormatNumber(c.Z[lo[0]][lo[1]]), c.positionText(lo), FormatNumber(c.Z[hi[0]][hi[1]]), c.positionText(hi))
	for _, s := range f.Series {
		switch n := len(s.Y); {
		case n == 0 || len(s.X) != n:
		case n > 1 && s.Mark == MarkPoints:
			fmt.Fprintf(b, " %s: %s.", s.Name, FormatCount(n, "point"))
		default:
			fmt.Fprintf(b, " %s: ends at (%s, %s).", s.Name, FormatNumber(s.X[n-1]), FormatNumber(s.Y[n-1]))
		}
	}
}

func axisNames(x, y Axis) string { return cmp.Or(y.Label, "y") + " against " + cmp.Or(x.Label, "x") }

// logAxisNote returns the words that state which axes of f are logarithmic, or "" if none is.
func logAxisNote(f Figure) (note string) {
	if f.X.Log {
		note += ", x on a logarithmic axis"
	}
	if f.Y.Log {
		note += ", y on a logarithmic axis"
	}
	return note
}

// rangeText returns the range of v as text: "from least to greatest".
func rangeText(v []float64) string {
	return fmt.Sprintf("from %s to %s", FormatNumber(slices.Min(v)), FormatNumber(slices.Max(v)))
}

// ValueText returns value i of s as text and, if there is one, its band: "0.93 [0.91, 0.95]".
func (s Series) ValueText(i int) string {
	text := FormatNumber(s.Y[i])
	if i < len(s.Lo) && i < len(s.Hi) && s.Lo[i] < s.Hi[i] {
		text += fmt.Sprintf(" [%s, %s]", FormatNumber(s.Lo[i]), FormatNumber(s.Hi[i]))
	}
	return text
}

func (s Series) labeledValuesText(groups []string) string {
	var list []string
	for i := range s.Y {
		list = append(list, groups[i]+": "+s.ValueText(i))
	}
	return strings.Join(list, ", ")
}

// extremePositions returns the positions (row, column) of the least and of the greatest value of Z.
func (c *Cells) extremePositions() (smallest, largest [2]int) {
	for i, row := range c.Z {
		for j, v := range row {
			if v < c.Z[smallest[0]][smallest[1]] {
				smallest = [2]int{i, j}
			}
			if v > c.Z[largest[0]][largest[1]] {
				largest = [2]int{i, j}
			}
		}
	}
	return smallest, largest
}

// positionText returns the position of a cell as text: its coordinates on a surface, or its row and column in a matrix.
func (c *Cells) positionText(cell [2]int) string {
	if row, column := cell[0], cell[1]; row < len(c.Y) && column < len(c.X) {
		return fmt.Sprintf("(%s, %s)", FormatNumber(c.X[column]), FormatNumber(c.Y[row]))
	}
	return fmt.Sprintf("(%d, %d)", cell[0], cell[1])
}
