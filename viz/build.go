package viz

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// Lines returns curves y(x), in the order of the points.
func Lines(title, caption string, lines ...Line) Figure {
	f := Figure{Kind: KindLines, Title: title, Caption: caption}
	return f.curves(lines)
}

// LogLines is Lines with y on a logarithmic axis, for gaps and residuals. Values ≤ 0 are drawn as
// triangles at the axis's lower end rather than left out.
func LogLines(title, caption string, lines ...Line) Figure {
	f := Figure{Kind: KindLines, Title: title, Caption: caption, Y: Axis{Log: true}}
	return f.curves(lines)
}

// Scatter returns points, one class for each Line. Of more than 2,000 a part is drawn, as the caption then says: see
// Drawn.
func Scatter(title, caption string, classes ...Line) Figure {
	f := Figure{Kind: KindScatter, Title: title, Caption: caption}
	return f.curves(classes)
}

// Bars returns bars from 0 for each group, one of each Bar.
func Bars(title, caption string, groups []string, bars ...Bar) Figure {
	f := Figure{Kind: KindBars, Title: title, Caption: caption, Groups: clone(groups)}
	for _, b := range bars {
		f.Series = append(f.Series, Series{Name: b.Name, Y: clone(b.Values), Lo: clone(b.Lo), Hi: clone(b.Hi),
			Band: b.Band})
	}
	longest := 0
	for _, g := range groups {
		longest = max(longest, len([]rune(g)))
	}
	f.Flipped = len(groups) <= 25 && longest > 4 && longest*len(groups) > 90
	return f.described()
}

// Dots returns a dot for each group, one of each Bar, on lines that lie: values whose distance from 0 says
// nothing, such as accuracies between 0.9 and 0.95. The axis holds the dots and their error bars.
func Dots(title, caption string, groups []string, dots ...Bar) Figure {
	f := Bars(title, caption, groups, dots...)
	f.Flipped = true
	for i := range f.Series {
		f.Series[i].Mark = MarkPoints
	}
	return f.described()
}

// Heat returns the surface z[i][j] at (x[j], y[i]) as colours, with contours at eight quantiles of
// its values; x and y ascend. WithContours sets other levels, WithRegion and WithLines lay more
// over it.
func Heat(title, caption string, x, y []float64, z [][]float64) Figure {
	c := &Cells{X: clone(x), Y: clone(y), Z: make([][]float64, len(z))}
	for i, row := range z {
		c.Z[i] = clone(row)
	}
	c.Levels = quantileLevels(c.Z, 8)
	f := Figure{Kind: KindHeat, Title: title, Caption: caption, Cells: c}
	return f.described()
}

// quantileLevels returns at most k distinct values that part the finite entries of z into equal
// numbers, rounded to three significant digits.
func quantileLevels(z [][]float64, k int) []float64 {
	var all []float64
	for _, row := range z {
		for _, v := range row {
			if finite(v) {
				all = append(all, v)
			}
		}
	}
	slices.Sort(all)
	var levels []float64
	for i := 1; i <= k && len(all) > 1; i++ {
		v := all[i*(len(all)-1)/(k+1)]
		if v != 0 {
			scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(v))))
			v = math.Round(v*scale) / scale
		}
		if v > all[0] && v < all[len(all)-1] && finite(v) && (len(levels) == 0 || v > levels[len(levels)-1]) {
			levels = append(levels, v)
		}
	}
	return levels
}

// Tabulate returns z[i][j] = f(x[j], y[i]), which Heat and WithRegion take.
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

// Table returns a table. An entry of a row is a string, an int, a float64 (four significant
// digits) or a Cell (see Number, Spread and Strong). A column of which every entry is a number
// stands to the right.
func Table(title, caption string, header []string, rows ...[]any) Figure {
	s := &Sheet{}
	for j, name := range header {
		c := Column{Name: name, Right: true}
		for _, row := range rows {
			if j >= len(row) {
				continue
			}
			if cell := cellOf(row[j]); cell.Value == nil && cell.Text != "" && cell.Text != "–" {
				c.Right = false
			}
		}
		s.Columns = append(s.Columns, c)
	}
	for _, row := range rows {
		cells := make([]Cell, len(row))
		for j, v := range row {
			cells[j] = cellOf(v)
		}
		s.Rows = append(s.Rows, cells)
	}
	f := Figure{Kind: KindTable, Title: title, Caption: caption, Sheet: s}
	return f.described()
}

// Number is a Cell with v rounded to so many decimals.
func Number(v float64, decimals int) Cell {
	return Cell{Text: minus(strconv.FormatFloat(v, 'f', decimals, 64)), Value: &v}
}

// Spread is a Cell "mean ± sd", both rounded to so many decimals; without the latter where there is none
// (NaN, of a single value).
func Spread(mean, sd float64, decimals int) Cell {
	c := Number(mean, decimals)
	if !math.IsNaN(sd) {
		c.Text += " ± " + strconv.FormatFloat(sd, 'f', decimals, 64)
	}
	return c
}

// Strong is c emphasised.
func Strong(c Cell) Cell {
	c.Strong = true
	return c
}

// Multiples returns the panels, of one kind and at most columns in a row (0: as many as fit), with
// the same axes. A panel's title names it, briefly; its own caption may be empty.
func Multiples(title, caption string, columns int, panels ...Figure) Figure {
	f := Figure{Kind: KindMultiples, Title: title, Caption: caption, Columns: columns, Panels: clone(panels)}
	return f.described()
}

// cellOf is the cell that v stands for.
func cellOf(v any) Cell {
	switch v := v.(type) {
	case Cell:
		return v
	case string:
		return Cell{Text: v}
	case int:
		x := float64(v)
		return Cell{Text: minus(strconv.Itoa(v)), Value: &x}
	case float64:
		return Cell{Text: FormatNumber(v), Value: &v}
	case fmt.Stringer:
		return Cell{Text: v.String()}
	default:
		return Cell{Text: fmt.Sprint(v)}
	}
}

func clone[T any](s []T) []T {
	if len(s) == 0 {
		return nil // so that a stored figure reads back equal
	}
	return append(make([]T, 0, len(s)), s...)
}

// finite reports whether v can be drawn: differences of drawn values do not overflow.
func finite(v float64) bool { return math.Abs(v) <= 1e300 }
