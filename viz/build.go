package viz

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
)

type rawJSON = json.RawMessage

// XYer is a set of points (x, y), as in gonum/plot, so that traces and curves of other packages
// are drawn without either knowing the other.
type XYer interface {
	Len() int
	XY(i int) (x, y float64)
}

// Labelled is an optional method of an XYer: what its axes are called. Lines, LogLines and Scatter
// take the labels of the first Line that has it.
type Labelled interface {
	AxisLabels() (x, y string)
}

// Points are points given by their coordinates, of equal lengths.
type Points struct{ X, Y []float64 }

// Len returns the number of points.
func (p Points) Len() int { return len(p.X) }

// XY returns point i.
func (p Points) XY(i int) (x, y float64) { return p.X[i], p.Y[i] }

// Pairs are points given as (x, y) each.
type Pairs [][2]float64

// Len returns the number of points.
func (p Pairs) Len() int { return len(p) }

// XY returns point i.
func (p Pairs) XY(i int) (x, y float64) { return p[i][0], p[i][1] }

// Curve returns 201 points of the graph of f, evenly spaced from lo to hi, both among them.
func Curve(f func(x float64) float64, lo, hi float64) Points {
	const n = 200
	p := Points{X: make([]float64, n+1), Y: make([]float64, n+1)}
	for i := range p.X {
		t := float64(i) / n
		p.X[i] = (1-t)*lo + t*hi
		p.Y[i] = f(p.X[i])
	}
	return p
}

// Values are points (0, v[0]), (1, v[1]), …
type Values []float64

// Len returns the number of points.
func (v Values) Len() int { return len(v) }

// XY returns point i.
func (v Values) XY(i int) (x, y float64) { return float64(i), v[i] }

// Finite returns the points of xy of which both coordinates are finite, in order: a gap is +∞ until
// there is a first bound, and a figure refuses infinite values.
func Finite(xy XYer) XYer {
	var p labelledPoints
	if l, ok := xy.(Labelled); ok {
		p.x, p.y = l.AxisLabels()
	}
	for i := range xy.Len() {
		if x, y := xy.XY(i); finite(x) && finite(y) {
			p.X, p.Y = append(p.X, x), append(p.Y, y)
		}
	}
	return p
}

// labelledPoints are Points that know their axes.
type labelledPoints struct {
	Points
	x, y string
}

// AxisLabels returns the labels.
func (p labelledPoints) AxisLabels() (x, y string) { return p.x, p.y }

// Line is one named curve of Lines or class of Scatter, as the constructors take it.
type Line struct {
	Name   string
	XYs    XYer
	Lo, Hi []float64 // ends of the band, of the length of XYs, or nil
	Band   string    // what the band is: "quartiles of 20 splits"
	Mark   Mark
}

// Bar is one named bar of every group of Bars, as the constructor takes it.
type Bar struct {
	Name   string
	Values []float64 // one for each group
	Errors []float64 // half the length of each error bar; or
	Lo, Hi []float64 // the ends of each error bar; or neither
	Band   string    // what the error bars are: "± sd of 20 splits"
}

// Grid is a matrix, as in gonum's mat.
type Grid interface {
	Dims() (r, c int)
	At(i, j int) float64
}

// Rows is a Grid given by its rows, of equal lengths.
type Rows [][]float64

// Dims returns the number of rows and columns.
func (r Rows) Dims() (n, c int) {
	if len(r) == 0 {
		return 0, 0
	}
	return len(r), len(r[0])
}

// At returns the value in row i and column j.
func (r Rows) At(i, j int) float64 { return r[i][j] }

// Lines returns curves y(x), in the order of the points.
func Lines(title, caption string, lines ...Line) Figure {
	f := Figure{Kind: KindLines, Title: title, Caption: caption}
	return f.over(lines)
}

// LogLines is Lines with y on a logarithmic axis, for gaps and residuals. Values ≤ 0 are drawn as
// triangles at the axis's lower end rather than left out.
func LogLines(title, caption string, lines ...Line) Figure {
	f := Figure{Kind: KindLines, Title: title, Caption: caption, Y: Axis{Log: true}}
	return f.over(lines)
}

// Scatter returns points, one class for each Line. Of more than 2,000 a part is drawn, as the caption then says: see
// Drawn.
func Scatter(title, caption string, classes ...Line) Figure {
	f := Figure{Kind: KindScatter, Title: title, Caption: caption}
	return f.over(classes)
}

// Bars returns bars from 0 for each group, one of each Bar.
func Bars(title, caption string, groups []string, bars ...Bar) Figure {
	f := Figure{Kind: KindBars, Title: title, Caption: caption, Groups: clone(groups)}
	for _, b := range bars {
		s := Series{Name: b.Name, Y: clone(b.Values), Lo: clone(b.Lo), Hi: clone(b.Hi), Band: b.Band}
		if len(b.Errors) > 0 && len(b.Lo) == 0 && len(b.Hi) == 0 {
			s.Lo, s.Hi = make([]float64, len(b.Errors)), make([]float64, len(b.Errors))
			for i, e := range b.Errors {
				v := math.NaN() // Validate says which length is wrong
				if i < len(b.Values) {
					v = b.Values[i]
				}
				s.Lo[i], s.Hi[i] = v-e, v+e
			}
		}
		f.Series = append(f.Series, s)
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

// Matrix returns z as colours of a sequential map, for values of one sign such as those of a Gram
// matrix. Its axes are called column and row until WithAxes names them. Of more than 200 rows or columns it keeps the
// means of square blocks and says so in the caption.
func Matrix(title, caption string, z Grid) Figure {
	c := blocks(z, 200)
	f := Figure{Kind: KindMatrix, Title: title, Caption: caption, Cells: c, X: Axis{Label: "column"}, Y: Axis{Label: "row"}}
	if c.Block > 1 && caption != "" {
		f.Caption += fmt.Sprintf(" Shown are the means of %d×%d blocks.", c.Block, c.Block)
	}
	return f.described()
}

// Signed is Matrix with a diverging map symmetric about 0, for values of both signs such as those
// of a centred Gram matrix.
func Signed(title, caption string, z Grid) Figure {
	f := Matrix(title, caption, z)
	f.Cells.Diverging = true
	return f.described()
}

// Sorted returns symmetric matrices between the same points, a panel for each (of one, the matrix itself), rows and columns
// sorted by class, in the order of the numbers in class, one for each point; nil leaves the order. A similarity that a
// machine can use shows a block for each class. Values of both signs are coloured about 0.
func Sorted[G Grid](title, caption string, class []float64, names []string, ms ...G) Figure {
	var panels []Figure
	signed := false
	for k, m := range ms {
		axis := "point"
		n, _ := m.Dims()
		s := permuted{m, make([]int, n)}
		for i := range s.order {
			s.order[i] = i
		}
		if len(class) == n {
			axis = "point, sorted by class"
			slices.SortStableFunc(s.order, func(a, b int) int { return cmp.Compare(class[a], class[b]) })
		}
		for i := range n {
			for j := range n {
				signed = signed || m.At(i, j) < 0
			}
		}
		panels = append(panels, Matrix(named(names, k), "", s).WithColour("entry").WithAxes(axis, axis))
	}
	for k := range panels {
		panels[k] = panels[k].withCells(func(c *Cells) { c.Diverging = signed })
	}
	if len(panels) > 0 && panels[0].Cells.Block > 1 {
		caption += fmt.Sprintf(" Shown are the means of %d×%[1]d blocks.", panels[0].Cells.Block)
	}
	if len(panels) == 1 {
		return panels[0].with(func(f *Figure) { f.Title, f.Caption = title, caption })
	}
	return Multiples(title, caption, 3, panels...)
}

// named is the name of panel k, or none.
func named(names []string, k int) string {
	if k < len(names) {
		return names[k]
	}
	return ""
}

// permuted is a square matrix with its rows and columns in another order.
type permuted struct {
	Grid
	order []int
}

// At returns an entry in the new order.
func (p permuted) At(i, j int) float64 { return p.Grid.At(p.order[i], p.order[j]) }

// Spectra returns the eigenvalues of matrices, in ascending order, against their numbers, a panel for each (of one, the
// figure itself): those below 0, by more than rounding (1e-10 of the largest), have a colour and a mark of their own.
// Where some are negative, those above 5 times the least are left out if they are at most a tenth, beside which the
// others would not be seen, and the caption says how many.
func Spectra(title, caption string, names []string, values ...[]float64) Figure {
	zeros := make([]float64, len(values)) // what is above them is not negative but for rounding
	least, most, n := 0.0, 0.0, 0
	for k, v := range values {
		for _, l := range v {
			zeros[k] = math.Min(zeros[k], -1e-10*math.Abs(l))
		}
		for _, l := range v {
			if most = math.Max(most, l); l < zeros[k] {
				least = math.Min(least, l)
			}
		}
		n += len(v)
	}
	limit, above := math.Inf(1), 0
	for _, v := range values {
		for _, l := range v {
			if l > -5*least {
				above++
			}
		}
	}
	if least < 0 && above > 0 && 10*above <= n {
		limit = -5 * least
		caption += fmt.Sprintf(" Left out: %d above %s, up to %s.", above, FormatNumber(limit), FormatNumber(most))
	}
	var panels []Figure
	for k, v := range values {
		var below, others Points
		for i, l := range v {
			switch {
			case l > limit:
			case l < zeros[k]:
				below.X, below.Y = append(below.X, float64(i+1)), append(below.Y, l)
			default:
				others.X, others.Y = append(others.X, float64(i+1)), append(others.Y, l)
			}
		}
		var lines []Line
		for _, p := range []struct {
			name string
			xy   Points
		}{{"0 or more", others}, {"negative", below}} {
			mark := MarkLine
			if p.xy.Len() <= 40 {
				mark = MarkPoints
			}
			if p.xy.Len() > 0 {
				lines = append(lines, Line{Name: p.name, XYs: p.xy, Mark: mark})
			}
		}
		f := Lines(named(names, k), "", lines...).WithAxes("number of the eigenvalue", "eigenvalue")
		if least < 0 {
			f = f.WithBaseline("0", 0)
		}
		panels = append(panels, f)
	}
	if len(panels) == 1 {
		return panels[0].with(func(f *Figure) { f.Title, f.Caption = title, caption })
	}
	return Multiples(title, caption, 2, panels...)
}

// Table returns a table. An entry of a row is a string, an int, a float64 (four significant
// digits) or a Cell (see Number, Spread and Strong). A column of which every entry is a number
// stands to the right.
func Table(title, caption string, header []string, rows ...[]any) Figure {
	s := &Sheet{}
	for j, name := range header {
		c := Column{Name: name, Align: AlignRight}
		for _, row := range rows {
			if j >= len(row) {
				continue
			}
			if cell := cellOf(row[j]); cell.Value == nil && cell.Text != "" && cell.Text != "–" {
				c.Align = AlignLeft
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

// Frames returns the frames, of one kind and with the same axes, as the places of a slider with a play
// button: what turning a knob does. A frame's title says where the knob stands ("λ = 0.1"); its own
// caption may be empty. All frames share their scales and colours, surfaces their grid, matrices their
// size. Where scripts do not run, at most nine of them, evenly chosen, stand side by side. Every frame
// is in the notebook's file: a dozen of a surface are half a megabyte.
func Frames(title, caption string, frames ...Figure) Figure {
	f := Figure{Kind: KindFrames, Title: title, Caption: caption, Panels: clone(frames)}
	return f.described()
}

// Still returns Frames as Multiples of at most nine of the frames, evenly chosen, first and last among
// them; another figure as it is.
func (f Figure) Still() Figure {
	if f.Kind != KindFrames {
		return f
	}
	f.Kind = KindMultiples
	var panels []Figure
	for _, i := range sample(len(f.Panels), 9) {
		panels = append(panels, f.Panels[i])
	}
	f.Panels = panels
	return f
}

// WithAxes returns f with labelled axes; say the unit. Of Multiples and Frames, those of every panel.
func (f Figure) WithAxes(x, y string) Figure {
	return f.with(func(f *Figure) { f.X.Label, f.Y.Label = x, y })
}

// WithColour returns f with a label that says what a colour means, of Heat and Matrix.
func (f Figure) WithColour(label string) Figure {
	return f.with(func(f *Figure) { f.Z.Label = label })
}

// WithLogX returns f with x on a logarithmic axis.
func (f Figure) WithLogX() Figure { return f.with(func(f *Figure) { f.X.Log = true }) }

// WithLogY returns f with y on a logarithmic axis.
func (f Figure) WithLogY() Figure { return f.with(func(f *Figure) { f.Y.Log = true }) }

// WithLogColour returns f with colours on a logarithmic scale, of Heat.
func (f Figure) WithLogColour() Figure { return f.with(func(f *Figure) { f.Z.Log = true }) }

// WithRange returns f with y from lo to hi.
func (f Figure) WithRange(lo, hi float64) Figure {
	return f.with(func(f *Figure) { f.Y.Min, f.Y.Max = &lo, &hi })
}

// WithBaseline returns f with a value to compare with: uniform weights, a published result.
func (f Figure) WithBaseline(name string, value float64) Figure {
	return f.with(func(f *Figure) { f.Baselines = append(clone(f.Baselines), Baseline{Name: name, Value: value}) })
}

// WithAlt returns f with another alt text than the one made of its data.
func (f Figure) WithAlt(alt string) Figure {
	f.Alt = alt
	return f
}

// WithLabels returns a matrix with names of its rows and columns, as many as it has (or none).
func (f Figure) WithLabels(rows, cols []string) Figure {
	return f.withCells(func(c *Cells) { c.Rows, c.Cols = clone(rows), clone(cols) })
}

// WithContours returns a surface with contours at these levels alone; without levels, with none.
func (f Figure) WithContours(levels ...float64) Figure {
	return f.withCells(func(c *Cells) { c.Levels = clone(levels) })
}

// WithClasses returns a surface whose values 0, 1, … are classes with these names, without contours.
func (f Figure) WithClasses(names ...string) Figure {
	return f.withCells(func(c *Cells) { c.Classes, c.Levels = clone(names), nil })
}

// WithRegion returns a surface with the region {v ≥ 0} hatched, v given on its grid.
func (f Figure) WithRegion(name string, v [][]float64) Figure {
	return f.withCells(func(c *Cells) { c.Regions = append(clone(c.Regions), Region{Name: name, V: v}) })
}

// WithLines returns f with more curves or points: over a surface, the path of a solver.
func (f Figure) WithLines(lines ...Line) Figure {
	return f.with(func(f *Figure) {
		f.Series = clone(f.Series)
		for _, l := range lines {
			f.Series = append(f.Series, l.series())
		}
	})
}

// WithNotes returns a table with footnotes.
func (f Figure) WithNotes(notes ...string) Figure {
	return f.with(func(f *Figure) {
		if f.Sheet != nil {
			s := *f.Sheet
			s.Notes = clone(notes)
			f.Sheet = &s
		}
	})
}

// with applies change to a copy of f, in which an alt text made of the data is made anew. What
// concerns axes and baselines is done to the panels of Multiples and to frames too.
func (f Figure) with(change func(*Figure)) Figure {
	auto := f.Alt == f.Describe()
	change(&f)
	if f.Kind == KindMultiples || f.Kind == KindFrames {
		f.Panels = clone(f.Panels)
		for i, p := range f.Panels {
			f.Panels[i] = p.with(change)
		}
		f.X, f.Y, f.Z, f.Baselines, f.Series = Axis{}, Axis{}, Axis{}, nil, nil
	}
	if auto {
		f.Alt = f.Describe()
	}
	return f
}

// withCells applies change to a copy of f's cells.
func (f Figure) withCells(change func(*Cells)) Figure {
	return f.with(func(f *Figure) {
		if f.Cells != nil {
			c := *f.Cells
			change(&c)
			f.Cells = &c
		}
	})
}

// over gives f the lines and what they say of the axes.
func (f Figure) over(lines []Line) Figure {
	for _, l := range lines {
		f.Series = append(f.Series, l.series())
		if a, ok := l.XYs.(Labelled); ok && f.X.Label == "" && f.Y.Label == "" {
			f.X.Label, f.Y.Label = a.AxisLabels()
		}
	}
	return f.described()
}

func (f Figure) described() Figure {
	f.Alt = f.Describe()
	return f
}

// series copies the points of l.
func (l Line) series() Series {
	s := Series{Name: l.Name, Lo: clone(l.Lo), Hi: clone(l.Hi), Band: l.Band, Mark: l.Mark}
	switch p := l.XYs.(type) {
	case nil:
	case Points: // copied as it is: Validate says it if the lengths differ
		s.X, s.Y = clone(p.X), clone(p.Y)
	default:
		n := p.Len()
		s.X, s.Y = make([]float64, n), make([]float64, n)
		for i := range n {
			s.X[i], s.Y[i] = p.XY(i)
		}
	}
	return s
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

// blocks reduces z to at most limit rows and columns, each the mean of a square block.
func blocks(z Grid, limit int) *Cells {
	var r, c int
	if z != nil {
		r, c = z.Dims()
	}
	if rows, ok := z.(Rows); ok { // copied as it is: Validate says it if it is ragged
		even := true
		for _, row := range rows {
			even = even && len(row) == c
		}
		if !even {
			out := &Cells{}
			for _, row := range rows {
				out.Z = append(out.Z, clone(row))
			}
			return out
		}
	}
	side := max(1, (max(r, c)+limit-1)/limit)
	out := &Cells{}
	if side > 1 {
		out.Block = side
	}
	for i := 0; i < r; i += side {
		row := make([]float64, 0, (c+side-1)/side)
		for j := 0; j < c; j += side {
			var sum float64
			h, w := min(side, r-i), min(side, c-j)
			for a := range h {
				for b := range w {
					sum += z.At(i+a, j+b)
				}
			}
			row = append(row, sum/float64(h*w))
		}
		out.Z = append(out.Z, row)
	}
	return out
}

func clone[T any](s []T) []T {
	if len(s) == 0 {
		return nil // so that a stored figure reads back equal
	}
	return append(make([]T, 0, len(s)), s...)
}

// finite reports whether v can be drawn: differences of drawn values do not overflow.
func finite(v float64) bool { return math.Abs(v) <= 1e300 }
