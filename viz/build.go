package viz

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Lines returns a figure of curves y(x). Each curve joins its points in the given order. Lines with MarkPoints make a
// scatter plot.
func Lines(title, caption string, lines ...Line) Figure {
	return Figure{Kind: KindLines, Title: title, Caption: caption}.withGeneratedAlt().WithLines(lines...)
}

// LogLines returns Lines with y on a logarithmic axis, for example for gaps and residuals. It does not drop values ≤ 0:
// they are drawn as triangles at the lower end of the axis.
func LogLines(title, caption string, lines ...Line) Figure {
	f := Figure{Kind: KindLines, Title: title, Caption: caption, Y: Axis{Log: true}}
	return f.withGeneratedAlt().WithLines(lines...)
}

// Bars returns a figure of groups of bars. In group i, bar j has the value bars[j].Values[i]. All bars start at 0. They
// are horizontal if the names of the groups are long or many.
func Bars(title, caption string, groups []string, bars ...Bar) Figure {
	f := Figure{Kind: KindBars, Title: title, Caption: caption, Groups: cloneSlice(groups)}
	for _, b := range bars {
		f.Series = append(f.Series, Series{Name: b.Name, Y: cloneSlice(b.Values), Lo: cloneSlice(b.Lo),
			Hi:   cloneSlice(b.Hi),
			Band: b.Band})
	}
	longestName := 0
	for _, g := range groups {
		longestName = max(longestName, len([]rune(g)))
	}
	f.Horizontal = longestName*len(groups) > 90 // the names do not fit side by side
	return f.withGeneratedAlt()
}

// Dots returns a figure of groups of dots on horizontal lines. In group i, dot j has the value dots[j].Values[i]. Use
// Dots for values whose distance from 0 has no meaning, such as accuracies between 0.9 and 0.95. The axis covers the
// dots and their error bars.
func Dots(title, caption string, groups []string, dots ...Bar) Figure {
	f := Bars(title, caption, groups, dots...)
	f.Horizontal = true
	for i := range f.Series {
		f.Series[i].Mark = MarkPoints
	}
	return f.withGeneratedAlt()
}

// Heat returns the surface z[i][j] at (x[j], y[i]) as colors, with contours at eight quantiles of its values (fewer if
// some coincide). The values of x and of y must ascend. WithLines draws curves and points over the surface.
func Heat(title, caption string, x, y []float64, z [][]float64) Figure {
	c := newCells(x, y, z)
	c.ContourLevels = quantileLevels(c.Z, 8)
	f := Figure{Kind: KindHeat, Title: title, Caption: caption, Cells: c}
	return f.withGeneratedAlt()
}

// quantileLevels returns at most maxLevels distinct values that divide the finite entries of z into maxLevels+1 parts
// of equal size, rounded to three significant digits.
func quantileLevels(z [][]float64, maxLevels int) []float64 {
	var entries []float64
	for _, row := range z {
		for _, v := range row {
			if isFinite(v) {
				entries = append(entries, v)
			}
		}
	}
	slices.Sort(entries)
	var levels []float64
	for i := 1; i <= maxLevels && len(entries) > 1; i++ {
		v := RoundSignificant(entries[i*(len(entries)-1)/(maxLevels+1)], 3)
		isInside := v > entries[0] && v < entries[len(entries)-1]
		if isInside && (len(levels) == 0 || v > levels[len(levels)-1]) {
			levels = append(levels, v)
		}
	}
	return levels
}

// Tabulate returns z[i][j] = f(x[j], y[i]), in the form that Heat takes.
func Tabulate(x, y []float64, f func(x, y float64) float64) [][]float64 {
	z := make([][]float64, len(y))
	for i := range y {
		z[i] = make([]float64, len(x))
		for j := range x {
			z[i][j] = f(x[j], y[i])
		}
	}
	return z
}

// Table returns a table. An entry of a row is a string, an int, a float64 (printed with four significant digits) or a
// Cell (see Number, MeanAndSD and Emphasize). A column is right-aligned if each of its entries is a number, empty or
// "–".
func Table(title, caption string, header []string, rows ...[]any) Figure {
	s := &Sheet{}
	for j, name := range header {
		c := Column{Name: name, AlignedRight: true}
		for _, row := range rows {
			if j >= len(row) {
				continue
			}
			if cell := toCell(row[j]); cell.Value == nil && cell.Text != "" && cell.Text != "–" {
				c.AlignedRight = false
			}
		}
		s.Columns = append(s.Columns, c)
	}
	for _, row := range rows {
		cells := make([]Cell, len(row))
		for j, v := range row {
			cells[j] = toCell(v)
		}
		s.Rows = append(s.Rows, cells)
	}
	f := Figure{Kind: KindTable, Title: title, Caption: caption, Sheet: s}
	return f.withGeneratedAlt()
}

// Number returns a Cell with v rounded to the given number of decimals. A number that is rounded to 0 has no sign.
func Number(v float64, decimals int) Cell {
	text := withMinusSign(strconv.FormatFloat(v, 'f', decimals, 64))
	if strings.Trim(text, "−0.") == "" {
		text = strings.TrimPrefix(text, "−")
	}
	return Cell{Text: text, Value: &v}
}

// SignedNumber returns the Cell of Number, with a plus sign if the rounded number is above 0.
func SignedNumber(v float64, decimals int) Cell {
	c := Number(v, decimals)
	if v > 0 && strings.Trim(c.Text, "0.") != "" {
		c.Text = "+" + c.Text
	}
	return c
}

// MeanAndSD returns a Cell "mean ± sd" with both numbers rounded to the given number of decimals. If sd is NaN, as for
// a single value, the cell holds the mean alone.
func MeanAndSD(mean, sd float64, decimals int) Cell {
	c := Number(mean, decimals)
	if !math.IsNaN(sd) {
		c.Text += " ± " + strconv.FormatFloat(sd, 'f', decimals, 64)
	}
	return c
}

// Emphasize returns c with bold text, for example to mark the best entry of a row.
func Emphasize(c Cell) Cell {
	c.IsEmphasized = true
	return c
}

// Multiples returns a figure of panels that share their axes. All panels have the same kind. The parameter columns is
// the number of panels in a row, 1 to 6. The title of a panel is a short name; its caption may be empty.
func Multiples(title, caption string, columns int, panels ...Figure) Figure {
	f := Figure{Kind: KindMultiples, Title: title, Caption: caption, Columns: columns, Panels: cloneSlice(panels)}
	return f.withGeneratedAlt()
}

func toCell(v any) Cell {
	switch v := v.(type) {
	case Cell:
		return v
	case string:
		return Cell{Text: v}
	case int:
		x := float64(v)
		return Cell{Text: withMinusSign(strconv.Itoa(v)), Value: &x}
	case float64:
		return Cell{Text: FormatNumber(v), Value: &v}
	default:
		return Cell{Text: fmt.Sprint(v)}
	}
}

// cloneSlice returns a copy of s, or nil if s is empty.
func cloneSlice[T any](s []T) []T {
	if len(s) == 0 {
		return nil // not an empty slice, so that a figure equals itself after it is stored and read back
	}
	return append(make([]T, 0, len(s)), s...)
}

// isFinite reports whether |v| ≤ 1e300. Differences of such values do not overflow, so they can be drawn.
func isFinite(v float64) bool { return math.Abs(v) <= 1e300 }
