package viz

import (
	"fmt"
	"math"
	"slices"
)

// Of a longer curve, and of all points of a Scatter, about so many are drawn.
const (
	drawnOfCurve   = 1000
	drawnOfScatter = 2000
)

// Drawn returns f with no more points than can be told apart: Thin of long curves, and, where a Scatter has more than
// 2,000 points, of each class those where x and y are least and greatest, one in every cell of a grid over the plane
// where it has any, so that what lies apart stays, and every k-th of all, so that dense places stay dense: 2,000 at most of up to 160 classes.
// The caption then says how many of how many are drawn.
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
		f.Caption += fmt.Sprintf(" Drawn are %d of %d points: of each class its ends, one in every place where it has any, and a part of the others.",
			drawn, all)
	}
	return f
}

// thin thins what f draws, and returns how many points of a Scatter are left, of how many.
func (f *Figure) thin() (drawn, all int) {
	switch f.Kind {
	case KindLines:
		f.Series = clone(f.Series)
		for k, s := range f.Series {
			f.Series[k] = s.Thin(drawnOfCurve)
		}
	case KindScatter:
		for _, s := range f.Series {
			all += len(s.Y)
		}
		if all <= drawnOfScatter {
			return all, all
		}
		f.Series = clone(f.Series)
		each := (2*all + drawnOfScatter - 1) / drawnOfScatter
		for k, keep := range f.spread(drawnOfScatter/2 - 5*len(f.Series)) { // 4 ends of a class, and a part of each
			for i := range keep {
				keep[i] = keep[i] || i%each == 0
			}
			f.Series[k] = f.Series[k].pick(keep)
			drawn += len(f.Series[k].Y)
		}
	}
	return drawn, all
}

// spread marks points of every series, about n of all: of the points in each cell of a grid over the drawn plane the
// first of each series, and of each series those where x and y are least and greatest.
func (f *Figure) spread(n int) [][]bool {
	place := func(v float64, a Axis) float64 {
		if a.Log {
			return math.Log(max(v, 0)) // −∞, the lower end of the axis
		}
		return v
	}
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, s := range f.Series {
		for i := range s.Y {
			for k, v := range [2]float64{place(s.X[i], f.X), place(s.Y[i], f.Y)} {
				if !math.IsInf(v, 0) {
					lo[k], hi[k] = min(lo[k], v), max(hi[k], v)
				}
			}
		}
	}
	cells := func(side int) (keep [][]bool, marked int) {
		for _, s := range f.Series {
			seen, marks := make([]bool, side*side), make([]bool, len(s.Y))
			for i := range s.Y {
				cell := 0
				for k, v := range [2]float64{place(s.X[i], f.X), place(s.Y[i], f.Y)} {
					if lo[k] < hi[k] {
						cell += min(side-1, int(float64(side)*max(0, (v-lo[k])/(hi[k]-lo[k])))) * [2]int{1, side}[k]
					}
				}
				if !seen[cell] {
					seen[cell], marks[i] = true, true
					marked++
				}
			}
			for _, v := range [2][]float64{s.X, s.Y} {
				if len(v) > 0 {
					marks[slices.Index(v, slices.Min(v))], marks[slices.Index(v, slices.Max(v))] = true, true
				}
			}
			keep = append(keep, marks)
		}
		return keep, marked
	}
	for side := 64; ; side -= (side + 7) / 8 {
		if keep, marked := cells(side); marked <= n || side <= 1 {
			return keep
		}
	}
}

// Thin returns s with at most about n points. Of every stretch of points it keeps those where y is
// least and greatest, so that no peak is lost, and the first and the last of all.
func (s Series) Thin(n int) Series {
	if len(s.Y) <= n || n < 4 || len(s.X) != len(s.Y) {
		return s
	}
	keep := make([]bool, len(s.Y))
	keep[0], keep[len(keep)-1] = true, true
	stretches := (n - 2) / 2
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
