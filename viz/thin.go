package viz

import (
	"fmt"
	"math"
	"slices"
)

// maxCurvePoints is the approximate largest number of points that are drawn of one curve. maxScatterPoints is this
// number for all classes of a Scatter together.
const (
	maxCurvePoints   = 1000
	maxScatterPoints = 2000
)

// Drawn returns f without the points that a reader could not distinguish. It divides a long curve into stretches of
// consecutive points and selects, of each stretch, the points with the least and the greatest y. If a Scatter has more
// than 2,000 points, Drawn selects from each class
//
//   - the points with the least and the greatest x and y,
//   - one point in every cell of a grid over the plane that contains a point of the class, so that isolated points
//     stay,
//   - every k-th point, so that dense regions stay dense.
//
// If points of a Scatter are dropped, the caption states how many points are drawn, and how many there are.
func (f Figure) Drawn() Figure {
	f.Panels = clone(f.Panels)
	drawn, all := 0, 0
	for i := range f.Panels {
		d, a := f.Panels[i].dropPoints()
		drawn, all = drawn+d, all+a
	}
	if len(f.Panels) == 0 {
		drawn, all = f.dropPoints()
	}
	if drawn < all {
		f.Caption += fmt.Sprintf(" Drawn are %d of %d points: "+
			"of each class its ends, one in every place where it has any, and a part of the others.", drawn, all)
	}
	return f
}

// dropPoints drops points of f that a reader could not distinguish. It returns how many points of a Scatter are drawn,
// and how many there were; for other kinds it returns 0, 0.
func (f *Figure) dropPoints() (drawn, all int) {
	if f.Kind != KindLines && f.Kind != KindScatter {
		return 0, 0
	}
	f.Series = clone(f.Series)
	if f.Kind == KindLines {
		for k, s := range f.Series {
			f.Series[k] = s.dropPoints()
		}
		return 0, 0
	}
	for _, s := range f.Series {
		all += len(s.Y)
	}
	if all <= maxScatterPoints {
		return all, all
	}
	// Half of the drawn points are every k-th point, k = every. The cells of a side×side grid select the other half.
	stride := (2*all + maxScatterPoints - 1) / maxScatterPoints
	side := int(math.Sqrt(float64(maxScatterPoints/2)/float64(len(f.Series)) - 4 - 1))
	column := binIndex(side, f.X.Log, f.Series, func(s Series) []float64 { return s.X })
	row := binIndex(side, f.Y.Log, f.Series, func(s Series) []float64 { return s.Y })
	for k, s := range f.Series {
		seen, keep := map[int]bool{}, make([]bool, len(s.Y))
		for i := range keep {
			cell := column(s.X[i]) + side*row(s.Y[i])
			keep[i] = !seen[cell] || i%stride == 0
			seen[cell] = true
		}
		for _, v := range [][]float64{s.X, s.Y} {
			if len(v) > 0 {
				keep[slices.Index(v, slices.Min(v))], keep[slices.Index(v, slices.Max(v))] = true, true
			}
		}
		f.Series[k] = s.selectPoints(keep)
		drawn += len(f.Series[k].Y)
	}
	return drawn, all
}

// binIndex divides an axis, from the least to the greatest value of all series, into n equal parts. It returns a
// function that maps a value to the index of its part. values returns the values of a series on this axis.
func binIndex(n int, log bool, series []Series, values func(Series) []float64) func(v float64) int {
	position := func(v float64) float64 { // the position of v on the axis
		if log {
			return math.Log(max(v, 0)) // for v ≤ 0 this is −∞, the lower end of the axis
		}
		return v
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range series {
		for _, v := range values(s) {
			if p := position(v); !math.IsInf(p, 0) {
				lo, hi = min(lo, p), max(hi, p)
			}
		}
	}
	return func(v float64) int {
		if !(lo < hi) {
			return 0
		}
		return min(n-1, int(float64(n)*max(0, (position(v)-lo)/(hi-lo))))
	}
}

// dropPoints returns s with about maxCurvePoints points or fewer. It selects the first and the last point of s. It
// divides the other points into stretches and selects, of each stretch, the points with the least and the greatest y,
// so that no peak is lost.
func (s Series) dropPoints() Series {
	if len(s.Y) <= maxCurvePoints || len(s.X) != len(s.Y) {
		return s
	}
	const stretches = (maxCurvePoints - 2) / 2
	keep := make([]bool, len(s.Y))
	keep[0], keep[len(keep)-1] = true, true
	for k := range stretches {
		from, to := 1+k*(len(s.Y)-2)/stretches, 1+(k+1)*(len(s.Y)-2)/stretches
		lo, hi := from, from
		for i := from; i < to; i++ {
			if s.Y[i] < s.Y[lo] {
				lo = i
			}
			if s.Y[i] > s.Y[hi] {
				hi = i
			}
		}
		keep[lo], keep[hi] = true, true
	}
	return s.selectPoints(keep)
}

// selectPoints returns the points i of s for which keep[i] is true.
func (s Series) selectPoints(keep []bool) Series {
	for _, v := range []*[]float64{&s.X, &s.Y, &s.Lo, &s.Hi} {
		var selected []float64
		for i, x := range *v {
			if keep[i] {
				selected = append(selected, x)
			}
		}
		*v = selected
	}
	return s
}
