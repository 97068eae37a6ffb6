package render

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/mklnb/mkl/viz"
)

func TestTicksAreRoundAndInside(t *testing.T) {
	for _, s := range []scale{
		{min: 0, max: 1}, {min: -0.3, max: 0.9}, {min: 0, max: 1e-7}, {min: -5e8, max: 3e9}, {min: 0.99, max: 1.01},
		{min: -1, max: 60}, {min: 99.99, max: 100.01}, {min: 1e-9, max: 3, isLog: true},
		{min: 0.5, max: 7, isLog: true},
		{min: 0.001, max: 1000, isLog: true}, {min: 2, max: 2.2, isLog: true}, {min: 1e-300, max: 1e300, isLog: true},
	} {
		labels := map[string]bool{}
		for _, k := range s.ticks(6) {
			if n := s.normalize(k.Value); n < -1e-6 || n > 1+1e-6 {
				t.Errorf("tick %v outside %v", k.Value, s)
			}
			if k.Label == "" {
				continue
			}
			if labels[k.Label] {
				t.Errorf("two ticks %q on %v", k.Label, s)
			}
			labels[k.Label] = true
			v, err := strconv.ParseFloat(strings.Replace(k.Label, "−", "-", 1), 64)
			if err == nil && math.Abs(v-k.Value) > 1e-6*(s.max-s.min) {
				t.Errorf("tick %v is labeled %q", k.Value, k.Label)
			}
		}
		if len(labels) < 2 || len(labels) > 12 {
			t.Errorf("%d labels on %v", len(labels), s)
		}
	}
}

func TestEndLabelsDoNotOverlap(t *testing.T) {
	for _, at := range [][]vg.Length{{1, 1, 1, 1}, {0, 50, 99, 100}, {10, 11, 60, 61}, {100, 100}, {5}, {3, 40, 80}} {
		got := slices.Clone(at)
		separatePositions(got, 14, 100)
		for i, v := range got {
			if v > 100 || v < 0 || i > 0 && v-got[i-1] < 14-1e-9 {
				t.Errorf("%v is spread to %v", at, got)
			}
			if at[0] == 3 && v != at[i] {
				t.Errorf("labels with room were moved to %v", got)
			}
		}
	}
}

// TestGivenTicks: the given values are the labels of the picture and of the interactive chart, and no others.
func TestGivenTicks(t *testing.T) {
	sizes := []float64{19, 39, 156}
	f := viz.Lines("Title", "Caption.", viz.Line{Name: "a", XYs: viz.Points{X: sizes, Y: []float64{1, 2, 3}}}).
		WithAxes("x", "y").WithLogX().WithTicks(sizes, nil)
	p, err := Render(f)
	if err != nil {
		t.Fatal(err)
	}
	var option struct {
		XAxis []struct {
			AxisLabel struct{ CustomValues []float64 }
		}
	}
	if err := json.Unmarshal(p.Option, &option); err != nil {
		t.Fatal(err)
	}
	if got := option.XAxis[0].AxisLabel.CustomValues; !slices.Equal(got, f.X.Ticks) {
		t.Errorf("the labels are at %v, want %v", got, f.X.Ticks)
	}
	f.X.Ticks[0] = -1
	if f.Validate() == nil {
		t.Error("a tick below 0 on a logarithmic axis is accepted")
	}
}
