package render

import (
	"math"

	"github.com/mklnb/mkl/viz"
)

// scale is the range of an axis or of the colors. All panels share it.
type scale struct {
	min, max float64
	log      bool
	whole    bool    // every value is an integer
	floor    float64 // for a logarithmic axis: the value at which values ≤ 0 are drawn; 0 if there are none
	named    bool    // the axis has names at 0, 1, …
}

// newScale returns a scale without values.
func newScale(log bool) scale {
	return scale{min: math.Inf(1), max: math.Inf(-1), log: log, whole: true}
}

// include widens s so that it contains the values. A logarithmic scale ignores values ≤ 0.
func (s *scale) include(values ...float64) {
	for _, v := range values {
		if s.log && v <= 0 {
			continue
		}
		s.min, s.max = math.Min(s.min, v), math.Max(s.max, v)
		s.whole = s.whole && v == math.Trunc(v)
	}
}

// norm returns the position of v between the ends: 0 at min, 1 at max.
func (s scale) norm(v float64) float64 {
	if s.log {
		return math.Log(v/s.min) / math.Log(s.max/s.min)
	}
	return (v - s.min) / (s.max - s.min)
}

// value is the inverse function of norm.
func (s scale) value(t float64) float64 {
	if s.log {
		return math.Exp((1-t)*math.Log(s.min) + t*math.Log(s.max))
	}
	return s.min + t*(s.max-s.min)
}

// drawn returns the value at which v is drawn. On a logarithmic axis, values ≤ 0 are drawn on the floor.
func (s scale) drawn(v float64) float64 {
	if s.log && v <= 0 {
		return math.Max(s.min, s.floor)
	}
	return v
}

// below reports whether v is drawn on the floor.
func (s scale) below(v float64) bool { return s.floor > 0 && v <= 0 }

// widen gives the scale of a single value a positive length, with that value in the middle.
func (s *scale) widen() {
	switch {
	case s.min < s.max:
	case s.log:
		s.min, s.max = s.min/2, s.max*2
	case s.min == 0 || s.whole:
		s.min, s.max = s.min-1, s.max+1
	default:
		d := math.Max(math.Abs(s.min)*0.1, 1e-12)
		s.min, s.max = s.min-d, s.max+d
	}
}

// pad adds a margin at both ends. Each is the given share of the range.
func (s *scale) pad(share float64) {
	if s.min == s.max {
		s.widen()
		return
	}
	s.min, s.max = s.value(-share), s.value(1+share)
}

// fix sets the ends of the axis to the ends that are given in a.
func (s *scale) fix(a viz.Axis) {
	if a.Min != nil {
		s.min = *a.Min
	}
	if a.Max != nil {
		s.max = *a.Max
	}
	if s.min >= s.max { // a given end lies beyond the data
		if s.log {
			s.max = s.min * 10
		} else {
			s.max = s.min + 1
		}
	}
}

// axisScales returns the axes that the figures share.
func axisScales(figures []viz.Figure) (x, y scale) {
	first := figures[0]
	x, y = newScale(first.X.Log), newScale(first.Y.Log)
	nonPositive := false // whether a value cannot be drawn on a logarithmic axis
	for _, f := range figures {
		if f.Kind == viz.KindHeat { // series over a surface do not widen its axes
			x.include(f.Cells.X...)
			y.include(f.Cells.Y...)
			continue
		}
		for _, s := range f.Series {
			x.include(s.X...)
			y.include(s.Y...)
			y.include(s.Lo...)
			y.include(s.Hi...)
			for _, v := range s.Y {
				nonPositive = nonPositive || y.log && v <= 0
			}
		}
		for _, b := range f.Baselines {
			y.include(b.Value)
		}
	}
	switch first.Kind {
	case viz.KindMatrix:
		c := first.Cells
		return nameScale(len(c.Z[0])), nameScale(len(c.Z))
	case viz.KindHeat:
	case viz.KindBars:
		x = nameScale(len(first.Groups))
		if dotted(first) {
			y.pad(0.06)
		} else {
			y = barScale(y)
		}
	default:
		x.pad(0.02)
		y.pad(0.05)
	}
	if nonPositive {
		y.min = math.Max(math.Pow(10, math.Floor(math.Log10(y.min))-1), math.SmallestNonzeroFloat64)
	}
	for _, f := range figures {
		x.fix(f.X)
		y.fix(f.Y)
	}
	if nonPositive {
		y.floor = y.value(0.015)
	}
	return x, y
}

// nameScale returns the axis of n names.
func nameScale(n int) scale { return scale{min: -0.5, max: float64(n) - 0.5, named: true} }

// barScale returns the axis of bars. It contains 0, on which the bars stand, and has a margin only beyond the ends of
// the bars.
func barScale(y scale) scale {
	y.include(0)
	lo, hi := y.min, y.max
	y.pad(0.06)
	if lo == 0 {
		y.min = 0
	}
	if hi == 0 {
		y.max = 0
	}
	if lo == hi { // all bars are 0
		y.max = 1
	}
	return y
}
