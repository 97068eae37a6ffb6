package viz

// XYer is a set of points (x, y). It has the methods of plotter.XYer of gonum/plot, whose values can be drawn too.
type XYer interface {
	Len() int
	XY(i int) (x, y float64)
}

// Points are points with coordinates in two slices of equal lengths.
type Points struct{ X, Y []float64 }

// Len returns the number of points.
func (p Points) Len() int { return len(p.X) }

// XY returns point i.
func (p Points) XY(i int) (x, y float64) { return p.X[i], p.Y[i] }

// Pairs are points as pairs (x, y).
type Pairs [][2]float64

// Len returns the number of points.
func (p Pairs) Len() int { return len(p) }

// XY returns point i.
func (p Pairs) XY(i int) (x, y float64) { return p[i][0], p[i][1] }

// Curve returns 201 points of the graph of f, evenly spaced from lo to hi, both ends included.
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

// Values are the points (0, v[0]), (1, v[1]), …
type Values []float64

// Len returns the number of points.
func (v Values) Len() int { return len(v) }

// XY returns point i.
func (v Values) XY(i int) (x, y float64) { return float64(i), v[i] }

// Line is one named curve, or set of points, of Lines. It is an argument of the constructors.
type Line struct {
	Name   string
	XYs    XYer
	Lo, Hi []float64 // ends of the band, one for each point, or nil
	Band   string    // the meaning of the band: "quartiles of 20 splits"
	Mark   Mark      // whether a line, points or both are drawn
}

// Bar holds the values of one name: one bar, or one dot, in each group. It is an argument of Bars and Dots.
type Bar struct {
	Name   string
	Values []float64 // one value for each group
	Lo, Hi []float64 // the ends of each error bar, or nil
	Band   string    // the meaning of the error bars: "± sd of 20 splits"
}

// Grid is a matrix. Every mat.Matrix of gonum implements it.
type Grid interface {
	Dims() (r, c int)
	At(i, j int) float64
}

func (l Line) toSeries() Series {
	s := Series{Name: l.Name, Lo: cloneSlice(l.Lo), Hi: cloneSlice(l.Hi), Band: l.Band, Mark: l.Mark}
	switch p := l.XYs.(type) {
	case nil:
	case Points: // lengths are not checked here: Validate returns an error if they differ
		s.X, s.Y = cloneSlice(p.X), cloneSlice(p.Y)
	default:
		n := p.Len()
		s.X, s.Y = make([]float64, n), make([]float64, n)
		for i := range n {
			s.X[i], s.Y[i] = p.XY(i)
		}
	}
	return s
}
