package viz

import "math"

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
	Lo, Hi []float64 // the ends of each error bar, or nil
	Band   string    // what the error bars are: "± sd of 20 splits"
}

// Grid is a matrix, as in gonum's mat.
type Grid interface {
	Dims() (r, c int)
	At(i, j int) float64
}

// Rows is a Grid given by its rows, of equal lengths.
type Rows [][]float64

// Dims returns the number of rows and the length of the longest.
func (r Rows) Dims() (n, c int) {
	for _, row := range r {
		c = max(c, len(row))
	}
	return len(r), c
}

// At returns the value in row i and column j; where a row is too short there is none, which Validate says.
func (r Rows) At(i, j int) float64 {
	if j >= len(r[i]) {
		return math.NaN()
	}
	return r[i][j]
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
