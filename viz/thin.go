package viz

import (
	"fmt"
	"math"
	"slices"
)

// The approximate largest numbers of points that are drawn of one curve, and of all classes of a Scatter together.
const (
	drawnOfCurve   = 1000
	drawnOfScatter = 2000
)

// Drawn returns f without the points that a reader could not distinguish. A long curve is cut into stretches, and Drawn
// selects the points of each stretch with the least and the greatest y. If a Scatter has more than 2,000 points, Drawn
// selects from each class
//
//   - the points with the least and the greatest x and y,
//   - one point in every cell of a grid over the plane that contains a point of the class, so that isolated points
//     stay,
//   - every k-th point, so that dense regions stay dense.
//
// If points of a Scatter are dropped, the caption states how many of how many are drawn.
func (f Figure) Drawn() Figure {
	f.Panels = clone(f.Panels)
	drawn, all := 0, 0
	for i := range f.Panels {
		d, a := f.Panels[i].thin()
		drawn, all = drawn+d, all+a
	}
	if len(f.Panels) == 0 {
		drawn, all = f.thin()
	}
	if drawn < all {
		f.Caption += fmt.Sprintf(" Drawn are %d of %d points: "+
			"of each class its ends, one in every place where it has any, and a part of the others.", drawn, all)
	}
	return f
}

// thin reduces the points of f. It returns how many points of a Scatter are drawn, and how many there were.
func (f *Figure) thin() (drawn, all int) {
	if f.Kind != KindLines && f.Kind != KindScatter {
		return 0, 0
	}
	f.Series = clone(f.Series)
	if f.Kind == KindLines {
		for k, s := range f.Series {
			f.Series[k] = s.thin()
		}
		return 0, 0
	}
	for _, s := range f.Series {
		all += len(s.Y)
	}
	if all <= drawnOfScatter {
		return all, all
	}
	every := (2*all + drawnOfScatter - 1) / drawnOfScatter                           // half of the drawn points
	side := int(math.Sqrt(float64(drawnOfScatter/2)/float64(len(f.Series)) - 4 - 1)) // cells per axis, other half
	column := bins(side, f.X.Log, f.Series, func(s Series) []float64 { return s.X })
	row := bins(side, f.Y.Log, f.Series, func(s Series) []float64 { return s.Y })
	for k, s := range f.Series {
		seen, keep := map[int]bool{}, make([]bool, len(s.Y))
		for i := range keep {
			cell := column(s.X[i]) + side*row(s.Y[i])
			keep[i] = !seen[cell] || i%every == 0
			seen[cell] = true
		}
		for _, v := range [][]float64{s.X, s.Y} {
			if len(v) > 0 {
				keep[slices.Index(v, slices.Min(v))], keep[slices.Index(v, slices.Max(v))] = true, true
			}
		}
		f.Series[k] = s.pick(keep)
		drawn += len(f.Series[k].Y)
	}
	return drawn, all
}

// bins divides an axis, from the least to the greatest value of all series, into n equal parts. It returns a function
// that maps a value to the index of its part.
func bins(n int, log bool, series []Series, values func(Series) []float64) func(v float64) int {
	place := func(v float64) float64 {
		if log {
			return math.Log(max(v, 0)) // −∞, the lower end of the axis
		}
		return v
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range series {
		for _, v := range values(s) {
			if p := place(v); !math.IsInf(p, 0) {
				lo, hi = min(lo, p), max(hi, p)
			}
		}
	}
	return func(v float64) int {
		if !(lo < hi) {
			return 0
		}
		return min(n-1, int(float64(n)*max(0, (place(v)-lo)/(hi-lo))))
	}
}

// thin returns s with at most about drawnOfCurve points. It selects the first and the last point of s, and from every
// stretch of points the two with the least and the greatest y, so that no peak is lost.
func (s Series) thin() Series {
	if len(s.Y) <= drawnOfCurve || len(s.X) != len(s.Y) {
		return s
	}
	const stretches = (drawnOfCurve - 2) / 2
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
	return s.pick(keep)
}

// pick returns the points i of s for which keep[i] is true.
func (s Series) pick(keep []bool) Series {
	for _, v := range []*[]float64{&s.X, &s.Y, &s.Lo, &s.Hi} {
		var picked []float64
		for i, x := range *v {
			if keep[i] {
				picked = append(picked, x)
			}
		}
		*v = picked
	}
	return s
}
