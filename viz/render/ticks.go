package render

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/mklnb/mkl/viz"
)

// ticks returns the given ticks or, if there are none, about count ticks with labels. The ticks of gonum are not used:
// gonum returns other numbers of ticks, and it writes powers without superscripts.
func (s scale) ticks(count int) (given []plot.Tick) {
	for _, v := range s.givenTicks {
		given = append(given, plot.Tick{Value: v, Label: viz.FormatNumber(v)})
	}
	if given != nil {
		return given
	}
	if s.isLog {
		return logTicks(s.min, s.max, count)
	}
	return linearTicks(s.min, s.max, count, s.isInteger)
}

// linearTicks returns about count ticks at multiples of a step between lo and hi. The step is 1, 2 or 5 times a power
// of ten. If integers is true and the range is at least 2, the step is at least 1.
func linearTicks(lo, hi float64, count int, integers bool) []plot.Tick {
	roughStep := (hi - lo) / float64(count)
	decade := math.Pow(10, math.Floor(math.Log10(roughStep)))
	step := 10 * decade
	for _, k := range []float64{1, 2, 5} {
		if roughStep <= k*decade*1.0001 {
			step = k * decade
			break
		}
	}
	if integers && step < 1 && hi-lo >= 2 {
		step = 1
	}
	decimals := max(0, int(-math.Floor(math.Log10(step)+1e-9)))
	isLarge := math.Max(math.Abs(lo), math.Abs(hi)) >= 1e6
	var out []plot.Tick
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+1e-9*step; k++ {
		v := k * step
		label := viz.FormatNumber(v)
		if v != 0 && !isLarge && decimals <= 4 {
			label = strings.Replace(strconv.FormatFloat(v, 'f', decimals, 64), "-", "−", 1)
		}
		out = append(out, plot.Tick{Value: v, Label: label})
	}
	return out
}

// logTicks returns ticks for a logarithmic axis from lo to hi: powers of ten with labels, and their multiples without
// labels. If the range is less than two decades, the multiples by 2 and 5 have labels too, and below 0.7 decades all
// multiples. If fewer than two ticks would have a label, it returns linearTicks.
func logTicks(lo, hi float64, count int) []plot.Tick {
	firstDecade, lastDecade := math.Floor(math.Log10(lo)), math.Ceil(math.Log10(hi))
	decades := math.Log10(hi) - math.Log10(lo)
	decadesPerLabel := math.Max(1, math.Ceil(decades/float64(count)))
	var out []plot.Tick
	labelCount := 0
	for e := firstDecade; e <= lastDecade; e++ {
		for k := 1.0; k < 10; k++ {
			v := k * math.Pow(10, e)
			if v < lo*(1-1e-9) || v > hi*(1+1e-9) || decades > 5 && k > 1 {
				continue
			}
			t := plot.Tick{Value: v}
			switch {
			case k == 1 && math.Mod(e, decadesPerLabel) == 0 && e != 0 && (firstDecade < -3 || lastDecade > 3):
				t.Label = "10" + viz.Superscript(int(e))
			case k == 1 && math.Mod(e, decadesPerLabel) == 0, decades < 2 && (k == 2 || k == 5), decades < 0.7:
				t.Label = viz.FormatNumber(v)
			}
			if t.Label != "" {
				labelCount++
			}
			out = append(out, t)
		}
	}
	if labelCount < 2 { // the range contains at most one round number
		return linearTicks(lo, hi, count, false)
	}
	return out
}

// removeExcessLabels removes labels so that at most maxLabels labels remain, at equal distances.
func removeExcessLabels(ticks []plot.Tick, maxLabels int) {
	n := (len(ticks) + max(maxLabels, 1) - 1) / max(maxLabels, 1)
	for i := range ticks {
		if i%n != 0 {
			ticks[i].Label = ""
		}
	}
}

// categoryTicks returns ticks at 0, 1, … labeled with the names, which are shortened to width.
func (c *chart) categoryTicks(names []string, width vg.Length) []plot.Tick {
	out := make([]plot.Tick, len(names))
	for i, n := range names {
		label := c.writer.shorten(removeControlCharacters(n), textFont(tickSize, false), width)
		out[i] = plot.Tick{Value: float64(i), Label: label}
	}
	return out
}
