package render

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestTicksAreRoundAndInside(t *testing.T) {
	n := 0
	for _, r := range [][2]float64{{0, 1}, {-0.3, 0.9}, {0, 1e-7}, {-5e8, 3e9}, {0.99, 1.01}, {-1, 60}, {99.99, 100.01}} {
		ticks := linearTicks(r[0], r[1], 6, false)
		if len(ticks) < 3 || len(ticks) > 12 {
			t.Errorf("%d ticks on %v", len(ticks), r)
		}
		seen := map[string]bool{}
		for _, k := range ticks {
			n++
			slack := 1e-6 * (r[1] - r[0])
			if k.Value < r[0]-slack || k.Value > r[1]+slack {
				t.Errorf("tick %v outside %v", k.Value, r)
			}
			if seen[k.Label] {
				t.Errorf("two ticks %q on %v", k.Label, r)
			}
			seen[k.Label] = true
			if v, err := strconv.ParseFloat(strings.Replace(k.Label, "−", "-", 1), 64); err == nil &&
				math.Abs(v-k.Value) > slack {
				t.Errorf("tick %v is labelled %q", k.Value, k.Label)
			}
		}
	}
	for _, r := range [][2]float64{{1e-9, 3}, {0.5, 7}, {0.001, 1000}, {2, 2.2}, {1e-300, 1e300}} {
		labels := 0
		for _, k := range logTicks(r[0], r[1], 6) {
			n++
			if k.Label != "" {
				labels++
			}
			if k.Value < r[0]*(1-1e-6) || k.Value > r[1]*(1+1e-6) {
				t.Errorf("tick %v outside %v", k.Value, r)
			}
		}
		if labels < 2 || labels > 12 {
			t.Errorf("%d labels on %v", labels, r)
		}
	}
	if n < 60 {
		t.Errorf("%d ticks checked", n)
	}
}

func TestRowsAreNumberedFromZero(t *testing.T) {
	for _, c := range []struct{ n, block, want int }{{1, 0, 5}, {2, 0, 5}, {3, 0, 0}, {80, 0, 10}, {134, 3, 8}} {
		ticks := numberTicks(c.n, c.block, c.want)
		if len(ticks) == 0 || ticks[0].Value != 0 || len(ticks) > max(c.want, 1)+1 {
			t.Fatalf("%+v: ticks %v", c, ticks)
		}
		for _, k := range ticks {
			if want := strconv.Itoa(int(k.Value) * max(1, c.block)); k.Label != want || k.Value != math.Trunc(k.Value) ||
				k.Value >= float64(c.n) {
				t.Errorf("%+v: tick %v, expected a row labelled %s", c, k, want)
			}
		}
	}
}

func TestEndLabelsDoNotOverlap(t *testing.T) {
	for _, at := range [][]vg.Length{{1, 1, 1, 1}, {0, 50, 99, 100}, {10, 11, 60, 61}, {100, 100}, {5}} {
		got := append([]vg.Length(nil), at...)
		spread(got, 14, 100)
		for i, v := range got {
			if v > 100 || v < 0 || i > 0 && v-got[i-1] < 14-1e-9 {
				t.Errorf("%v is spread to %v", at, got)
			}
		}
	}
	apart := []vg.Length{3, 40, 80}
	spread(apart, 14, 100)
	if apart[0] != 3 || apart[1] != 40 || apart[2] != 80 {
		t.Errorf("labels with room were moved to %v", apart)
	}
}
