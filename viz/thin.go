package viz

import (
	"fmt"
	"math"
	"slices"
)

// Of a longer curve, and of all points of a Scatter, at most about so many are drawn.
const (
	drawnOfCurve   = 1000
	drawnOfScatter = 2000
)

// Drawn returns f with no more points than can be told apart. Of every stretch of a long curve it keeps the points
// where y is least and greatest. Of more than 2,000 points of a Scatter it keeps, of each class, those where x and y
// are least and greatest, one in every cell of a grid over the plane where it has any, so that what lies apart stays,
// and every k-th of all, so that dense places stay dense. The caption then says how many of how many are drawn.
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

// thin thins what f draws, and returns how many points of a Scatter are left, of how many.
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
	every := (2*all + drawnOfScatter - 1) / drawnOfScatter                           // half of what is drawn
	side := int(math.Sqrt(float64(drawnOfScatter/2)/float64(len(f.Series)) - 4 - 1)) // of the grid, the other half
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

// bins returns in which of n equal parts of an axis, from the least to the greatest value of all series, a value lies.
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

// thin returns s with at most about drawnOfCurve points. Of every stretch of points it keeps those where y is least and
// greatest, so that no peak is lost, and the first and the last of all.
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

// pick returns the points of s that keep marks.
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
