package render

import (
	"math"

	"github.com/mklnb/mkl/viz"
)

// scale is the range of an axis or of the color bar. All panels of a chart share it.
type scale struct {
	min, max                float64
	isLog                   bool
	isInteger               bool    // every value is an integer
	drawnValueOfNonPositive float64 // where values ≤ 0 are drawn on a logarithmic axis; 0 if there are none
	isCategorical           bool    // the axis has names at 0, 1, …
	givenTicks              []float64
}

// newScale returns a scale that contains no values yet.
func newScale(log bool) scale {
	return scale{min: math.Inf(1), max: math.Inf(-1), isLog: log, isInteger: true}
}

// include widens s so that it contains the values. A logarithmic scale ignores values ≤ 0.
func (s *scale) include(values ...float64) {
	for _, v := range values {
		if s.isLog && v <= 0 {
			continue
		}
		s.min, s.max = math.Min(s.min, v), math.Max(s.max, v)
		s.isInteger = s.isInteger && v == math.Trunc(v)
	}
}

// normalize returns the position of v on the scale: 0 at min, 1 at max.
func (s scale) normalize(v float64) float64 {
	if s.isLog {
		return math.Log(v/s.min) / math.Log(s.max/s.min)
	}
	return (v - s.min) / (s.max - s.min)
}

// denormalize returns the value at a position between 0 and 1: it is the inverse function of normalize.
func (s scale) denormalize(position float64) float64 {
	if s.isLog {
		return math.Exp((1-position)*math.Log(s.min) + position*math.Log(s.max))
	}
	return s.min + position*(s.max-s.min)
}

// raiseNonPositive returns v or, if v ≤ 0 on a logarithmic axis, the value near its lower end where v is drawn.
func (s scale) raiseNonPositive(v float64) float64 {
	if s.isLog && v <= 0 {
		return math.Max(s.min, s.drawnValueOfNonPositive)
	}
	return v
}

// isNonPositiveOnLog reports whether v ≤ 0 on a logarithmic axis, where v is drawn near the lower end.
func (s scale) isNonPositiveOnLog(v float64) bool { return s.drawnValueOfNonPositive > 0 && v <= 0 }

// widenSingleValue gives a scale that contains a single value a positive length, with that value in the middle. It does
// not change other scales.
func (s *scale) widenSingleValue() {
	switch {
	case s.min < s.max:
	case s.isLog:
		s.min, s.max = s.min/2, s.max*2
	case s.min == 0 || s.isInteger:
		s.min, s.max = s.min-1, s.max+1
	default:
		d := math.Max(math.Abs(s.min)*0.1, 1e-12)
		s.min, s.max = s.min-d, s.max+d
	}
}

// addMargins adds a margin at both ends. Each margin is the given share of the range.
func (s *scale) addMargins(share float64) {
	if s.min == s.max {
		s.widenSingleValue()
		return
	}
	s.min, s.max = s.denormalize(-share), s.denormalize(1+share)
}

func (s *scale) setRange(ends *[2]float64) {
	if ends != nil {
		s.min, s.max = ends[0], ends[1]
	}
}

// axisScales returns the scales of the two axes that all figures share.
func axisScales(figures []viz.Figure) (x, y scale) {
	firstFigure := figures[0]
	x, y = newScale(firstFigure.X.Log), newScale(firstFigure.Y.Log)
	hasNonPositive := false // some y value is ≤ 0 although the axis is logarithmic
	for _, f := range figures {
		if f.Kind == viz.KindHeat { // the surface determines the axes, not the series over it
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
				hasNonPositive = hasNonPositive || y.isLog && v <= 0
			}
		}
		for _, b := range f.Baselines {
			y.include(b.Value)
		}
	}
	switch firstFigure.Kind {
	case viz.KindMatrix:
		c := firstFigure.Cells
		return categoryScale(len(c.Z[0])), categoryScale(len(c.Z))
	case viz.KindHeat:
	case viz.KindBars:
		x = categoryScale(len(firstFigure.Groups))
		if hasDots(firstFigure) {
			y.addMargins(0.06)
		} else {
			y = extendToZero(y)
		}
	default:
		if firstFigure.IsSquare {
			x.include(y.min, y.max)
			y.include(x.min, x.max)
			x.addMargins(0.03)
		}
		x.addMargins(0.02)
		y.addMargins(0.05)
	}
	if hasNonPositive {
		y.min = math.Max(math.Pow(10, math.Floor(math.Log10(y.min))-1), math.SmallestNonzeroFloat64)
	}
	for _, f := range figures {
		x.setRange(f.X.Range)
		y.setRange(f.Y.Range)
		x.givenTicks, y.givenTicks = f.X.Ticks, f.Y.Ticks
	}
	if hasNonPositive {
		y.drawnValueOfNonPositive = y.denormalize(0.015)
	}
	return x, y
}

// categoryScale returns the scale of an axis with names at 0, 1, …, count−1.
func categoryScale(count int) scale {
	return scale{min: -0.5, max: float64(count) - 0.5, isCategorical: true}
}

// extendToZero returns y, the scale of the values of bars, widened to contain 0, where all bars begin. It adds a margin
// at the ends, but not at 0 if no bar extends beyond 0 on that side.
func extendToZero(y scale) scale {
	y.include(0)
	lo, hi := y.min, y.max
	y.addMargins(0.06)
	if lo == 0 {
		y.min = 0
	}
	if hi == 0 {
		y.max = 0
	}
	if lo == hi { // all bars have the value 0
		y.max = 1
	}
	return y
}
