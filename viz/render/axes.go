package render

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"

	"github.com/mklnb/mkl/viz"
)

// scale is the range of one axis that panels share.
type scale struct {
	min, max float64
	log      bool
	whole    bool    // every value is an integer
	floor    float64 // of a log axis: where values ≤ 0 are drawn, 0 if there are none
	names    []string
}

// include widens s to hold v.
func (s *scale) include(v float64) {
	if s.log && v <= 0 {
		return
	}
	s.min, s.max = math.Min(s.min, v), math.Max(s.max, v)
	s.whole = s.whole && v == math.Trunc(v)
}

// scales returns the axes of the figures, which are panels or one alone.
func scales(figures []viz.Figure) (x, y scale) {
	f := figures[0]
	x = scale{min: math.Inf(1), max: math.Inf(-1), log: f.X.Log, whole: true}
	y = scale{min: math.Inf(1), max: math.Inf(-1), log: f.Y.Log, whole: true}
	below := false
	for _, f := range figures {
		switch f.Kind {
		case viz.KindHeat:
			for _, v := range f.Cells.X {
				x.include(v)
			}
			for _, v := range f.Cells.Y {
				y.include(v)
			}
			continue
		case viz.KindBars:
			y.include(0)
			x.names = f.Groups
		}
		for _, s := range f.Series {
			for _, v := range s.X {
				x.include(v)
			}
			for _, vs := range [][]float64{s.Y, s.Lo, s.Hi} {
				for _, v := range vs {
					y.include(v)
				}
			}
			for _, v := range s.Y {
				below = below || f.Y.Log && v <= 0
			}
		}
		for _, b := range f.Baselines {
			if b.Vertical {
				x.include(b.Value)
			} else {
				y.include(b.Value)
			}
		}
	}
	if f.Kind == viz.KindBars {
		x.min, x.max = -0.5, float64(len(x.names))-0.5
		lo, hi := y.min < 0, y.max > 0
		y.pad(0.06)
		if !lo {
			y.min = 0
		}
		if !hi {
			y.max = 0
		}
		if !lo && !hi { // all bars are 0
			y.max = 1
		}
	} else if f.Kind != viz.KindHeat {
		x.pad(0.02)
		y.pad(0.05)
	}
	if below {
		y.min = math.Max(math.Pow(10, math.Floor(math.Log10(y.min))-1), math.SmallestNonzeroFloat64)
		y.floor = y.min
	}
	for _, f := range figures {
		x.fix(f.X)
		y.fix(f.Y)
	}
	return x, y
}

// pad adds a margin of so much of the range at either end; a range of one value becomes one about it.
func (s *scale) pad(share float64) {
	if s.min == s.max {
		if s.log {
			s.min, s.max = s.min/2, s.max*2
		} else {
			h := math.Max(math.Abs(s.min)*0.1, 1e-12)
			if s.min == 0 || s.whole {
				h = 1
			}
			s.min, s.max = s.min-h, s.max+h
		}
		return
	}
	if s.log {
		r := math.Exp(share * (math.Log(s.max) - math.Log(s.min)))
		s.min, s.max = s.min/r, s.max*r
		return
	}
	d := (s.max - s.min) * share
	s.min, s.max = s.min-d, s.max+d
}

// fix ends the axis where a says.
func (s *scale) fix(a viz.Axis) {
	if a.Min != nil {
		s.min = *a.Min
	}
	if a.Max != nil {
		s.max = *a.Max
	}
	if s.min >= s.max { // one end was fixed beyond the data
		if s.log {
			s.max = s.min * 10
		} else {
			s.max = s.min + 1
		}
	}
}

// at is v as it is drawn: a value ≤ 0 of a log axis lies on its floor.
func (s scale) at(v float64) float64 {
	if s.log && v < s.min && v <= 0 {
		return s.min
	}
	return v
}

// ticks returns about want labelled ticks.
func (s scale) ticks(want int) []plot.Tick {
	switch {
	case s.names != nil:
		out := make([]plot.Tick, len(s.names))
		for i, n := range s.names {
			out[i] = plot.Tick{Value: float64(i), Label: n}
		}
		return out
	case s.log:
		return logTicks(s.min, s.max, want)
	}
	return linearTicks(s.min, s.max, want, s.whole)
}

// linearTicks are multiples of 1, 2 or 5 times a power of ten.
func linearTicks(lo, hi float64, want int, whole bool) []plot.Tick {
	raw := (hi - lo) / float64(want)
	power := math.Floor(math.Log10(raw))
	unit := math.Pow(10, power)
	step := 10 * unit
	for _, k := range []float64{1, 2, 5} {
		if raw <= k*unit*1.0001 {
			step = k * unit
			break
		}
	}
	if whole && step < 1 && hi-lo >= 2 {
		step = 1
	}
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	biggest := math.Max(math.Abs(lo), math.Abs(hi))
	var out []plot.Tick
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+1e-9*step; k++ {
		v := k * step
		label := ""
		if biggest >= 1e6 || decimals > 4 {
			label = viz.FormatNumber(v)
		} else {
			label = strings.Replace(strconv.FormatFloat(v+0, 'f', decimals, 64), "-", "−", 1)
			if v == 0 {
				label = "0"
			}
		}
		out = append(out, plot.Tick{Value: v, Label: label})
	}
	return out
}

// logTicks are powers of ten, with their multiples unlabelled; over less than two decades the
// multiples by 2 and 5 are labelled too.
func logTicks(lo, hi float64, want int) []plot.Tick {
	first, last := math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
	decades := math.Log10(hi) - math.Log10(lo)
	every := math.Max(1, math.Ceil(decades/float64(want)))
	var out []plot.Tick
	labels := 0
	for e := first; e <= last; e++ {
		for k := 1.0; k < 10; k++ {
			v := k * math.Pow(10, e)
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) {
				continue
			}
			t := plot.Tick{Value: v}
			switch {
			case k == 1 && math.Mod(e, every) == 0:
				t.Label = power(e, first < -3 || last > 3)
			case decades < 2 && (k == 2 || k == 5):
				t.Label = plain(v)
			case decades < 0.7:
				t.Label = plain(v)
			case decades > 5 && k > 1:
				continue
			}
			if t.Label != "" {
				labels++
			}
			out = append(out, t)
		}
	}
	if labels < 2 { // less than the distance of two round numbers
		out = linearTicks(lo, hi, want, false)
	}
	return out
}

// power writes 10^e, as a power if others on its axis are.
func power(e float64, raised bool) string {
	if e == 0 || !raised {
		return plain(math.Pow(10, e))
	}
	return "10" + viz.Superscript(int(e))
}

func plain(v float64) string { return viz.FormatNumber(v) }

// every returns the labels of which at most limit are kept, at equal distances, the others blank.
func every(ticks []plot.Tick, limit int) []plot.Tick {
	if len(ticks) <= limit || limit < 1 {
		return ticks
	}
	k := (len(ticks) + limit - 1) / limit
	out := make([]plot.Tick, len(ticks))
	for i, t := range ticks {
		if i%k != 0 {
			t.Label = ""
		}
		out[i] = t
	}
	return out
}
