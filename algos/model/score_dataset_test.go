package model_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// line is a model of one feature x that predicts x, and has more columns if slopes has: x times each slope.
func line(slopes ...float64) *model.Model {
	m := &model.Model{Family: kernel.List{kernel.Linear{}}, X: points.NewRows([][]float64{{0}, {1}}),
		Theta: []float64{1}}
	for _, s := range append([]float64{1}, slopes...) {
		m.W = append(m.W, 0, s)
	}
	return m
}

// TestScoreMatchesNames tests that classes and targets are matched by name, whatever a file calls its first, and that
// what does not match is an error.
func TestScoreMatchesNames(t *testing.T) {
	x := points.NewRows([][]float64{{-2}, {-1}, {1}, {2}})
	two, three, targets := line(), line(-1, 0), line(-1)
	two.Classes, three.Classes, targets.Targets = []string{"no", "yes"}, []string{"a", "b", "c"}, []string{"up", "down"}
	one := data.Target{Name: "up", Y: []float64{-2, -1, 1, 2}}
	for _, c := range []struct {
		name  string
		m     *model.Model
		d     data.Dataset
		right float64 // accuracy or R²
		err   string
	}{
		{"same classes", two, data.Dataset{Y: []float64{-1, -1, 1, 1}, Classes: []string{"no", "yes"}}, 1, ""},
		{"another order", two, data.Dataset{Y: []float64{1, 1, -1, -1}, Classes: []string{"yes", "no"}}, 1, ""},
		{"wrong labels", two, data.Dataset{Y: []float64{-1, -1, 1, 1}, Classes: []string{"yes", "no"}}, 0, ""},
		{"one class", two, data.Dataset{Y: []float64{1, 1, 1, 1}, Classes: []string{"yes", "no"}}, 0.5, ""},
		{"a class that does not occur", two, data.Dataset{Y: []float64{1, 1, 2, 2},
			Classes: []string{"x", "no", "yes"}}, 1, ""},
		{"two of three", three, data.Dataset{Y: []float64{-1, -1, 1, 1}, Classes: []string{"b", "a"}}, 1, ""},
		{"unknown", two, data.Dataset{Y: []float64{-1, -1, 1, 1}, Classes: []string{"no", "Yes"}}, 0, `class "Yes"`},
		{"numbers for classes", two, data.Dataset{Y: []float64{-1, -1, 1, 1}}, 0, "Dataset.Classes"},
		{"classes for numbers", line(), data.Dataset{Y: []float64{-1, -1, 1, 1}, Classes: []string{"a", "b"}}, 0,
			"data.Options.Regression"},
		{"invalid label", two, data.Dataset{Y: []float64{0, 1, 1, 1}, Classes: []string{"no", "yes"}}, 0, "label"},
		{"targets", targets, data.Dataset{Y: []float64{-2, -1, 1, 2}, Target: "up",
			ExtraTargets: []data.Target{{Name: "down", Y: []float64{2, 1, -1, -2}}}}, 1, ""},
		{"targets in another order", targets, data.Dataset{Y: []float64{2, 1, -1, -2}, Target: "down",
			ExtraTargets: []data.Target{one}}, 1, ""},
		{"another target", targets, data.Dataset{Y: []float64{2, 1, -1, -2}, Target: "left",
			ExtraTargets: []data.Target{one}}, 0, `"down"`},
		{"one target of two", targets, data.Dataset{Y: one.Y, Target: "up"}, 0, "Dataset.ExtraTargets"},
		{"too few labels", two, data.Dataset{Y: []float64{-1}, Classes: []string{"no", "yes"}}, 0, "labels"},
		{"no labels", two, data.Dataset{}, 0, "no labels"},
	} {
		c.d.X, c.d.Name = x, "d"
		s, err := c.m.Score(&c.d)
		right := s.R2
		if c.m.Classes != nil {
			right = s.Accuracy
		}
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v, want an error with %s", c.name, err, c.err)
			}
		case err != nil || right != c.right:
			t.Errorf("%s: %g, %v, want %g", c.name, right, err, c.right)
		}
	}
}

// TestScoreOfPredictions tests the scores of probabilities, intervals and quantiles against numbers worked out by hand.
func TestScoreOfPredictions(t *testing.T) {
	x := points.NewRows([][]float64{{0}, {0}, {0}, {1}})
	s := must(line().Score(&data.Dataset{X: x, Y: []float64{1, 2, 3, 4}}))
	if s.Intervals != nil || s.Quantile != nil || s.Probabilities != nil {
		t.Errorf("%+v", s)
	}
	// P(yes) = ¾ at each point, as ln 3 = −B, and A = 0
	two := line()
	two.Classes, two.Sigmoids = []string{"no", "yes"}, []model.Sigmoid{{B: -math.Log(3)}}
	s = must(two.Score(&data.Dataset{X: x, Y: []float64{1, 1, 1, -1}, Classes: []string{"no", "yes"},
		DroppedPoints: 3}))
	if p := s.Probabilities; math.Abs(p.LogLoss-(3*math.Log(4./3)+math.Log(4))/4) > 1e-12 ||
		math.Abs(p.Brier-(3./16+9./16)/4) > 1e-12 || s.DroppedPoints != 3 {
		t.Errorf("%+v of %+v", p, s)
	}
	// probabilities ½, ½·½ and ½·½ after division by their sum
	three := line(0, 0)
	three.Classes, three.Sigmoids = []string{"a", "b", "c"}, []model.Sigmoid{{}, {B: math.Log(3)}, {B: math.Log(3)}}
	s = must(three.Score(&data.Dataset{X: x, Y: []float64{0, 0, 0, 1}, Classes: []string{"a", "b", "c"}}))
	if p := s.Probabilities; math.Abs(p.LogLoss-(3*math.Log(2)+math.Log(4))/4) > 1e-12 ||
		math.Abs(p.Brier-(3*(1./4+2./16)+1./4+9./16+1./16)/4) > 1e-12 {
		t.Errorf("%+v", p)
	}
	// all intervals are f ± 2; of the targets −2 is at the end of its interval and 3 is outside
	interval := line()
	interval.Intervals = &model.Intervals{Level: 0.5, Folds: []model.Fold{{Model: *line(),
		Residuals: []float64{2, 2, 2}}}}
	s = must(interval.Score(&data.Dataset{X: x, Y: []float64{-2, 0, 3, 2}}))
	if v := s.Intervals; v.Level != 0.5 || v.Coverage != 0.75 || v.MeanWidth != 4 {
		t.Errorf("%+v", v)
	}
	quantile := line()
	quantile.Quantiles = []float64{0.75}
	s = must(quantile.Score(&data.Dataset{X: x, Y: []float64{-4, 0, 8, 1}}))
	if q := s.Quantile; q.Tau != 0.75 || q.ShareBelow != 0.75 || q.PinballLoss != (0.25*4+0.75*8)/4 {
		t.Errorf("%+v", q)
	}
	// several targets, and several quantiles of one target, have a score each
	several := line(1)
	several.Quantiles = []float64{0.25, 0.75}
	s = must(several.Score(&data.Dataset{X: x, Y: []float64{-4, 0, 8, 1}}))
	if s.Quantile != nil || len(s.Targets) != 2 || s.Targets[0].Quantile.PinballLoss != (0.75*4+0.25*8)/4 ||
		*s.Targets[1].Quantile != (model.QuantileScore{Tau: 0.75, PinballLoss: 1.75, ShareBelow: 0.75}) {
		t.Errorf("%+v", s)
	}
	for _, taus := range [][]float64{{}, {0.5}, {0.5, 1}, {math.NaN(), 0.5}} {
		several.Quantiles = taus
		wantError(t, several.Validate(), fmt.Sprintf("Quantiles is %v", taus))
	}
	if two.Quantiles = slices.Clone(quantile.Quantiles); two.Validate() == nil {
		t.Error("a quantile of classes")
	}
}
