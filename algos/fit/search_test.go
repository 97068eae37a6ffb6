package fit

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// TestUnitsOfTargets tests that a target in other units has the same predictions in these units, and that other targets
// do not notice.
func TestUnitsOfTargets(t *testing.T) {
	predictions := func(unit float64) (first, second float64) {
		d := comparetest.NoisySine(30, 1)
		d.ExtraTargets = []data.Target{{Name: "square", Y: make([]float64, 30)}}
		for i, y := range d.Y {
			d.Y[i], d.ExtraTargets[0].Y[i] = y*unit, y*y
		}
		f := must(Search{Family: uncentered, Grid: Grid{Ridge(0.1)}, Gap: 1e-9}.Fit(t.Context(), d))
		v := must(f.Model.Values(d.X))
		return v.At(0, 0) / unit, v.At(0, 1)
	}
	a, b := predictions(1)
	for _, unit := range []float64{1e-3, 1e3} {
		if c, d := predictions(unit); math.Abs(c-a) > 1e-5*math.Abs(a) || math.Abs(d-b) > 1e-5*math.Abs(b) {
			t.Errorf("in units of %g the predictions are %g and %g, in units of 1 %g and %g", unit, c, d, a, b)
		}
	}
}

// TestBestOfSingleValues tests that Best compares candidates that have nothing to choose themselves.
func TestBestOfSingleValues(t *testing.T) {
	one := func(lambda float64) Search { return Search{Family: uncentered, Grid: Grid{Ridge(lambda)}} }
	b := Best{Candidates: []Method{{"constant", one(1e9)}, {"good", one(0.1)}}}
	s := must(b.Fit(t.Context(), comparetest.OverlappingClasses(40, 2, 4))).Selected
	if s.Method.Name != "good" || !(s.Tried[1].Error < s.Tried[0].Error/1.2) {
		t.Errorf("selected %q of %+v", s.Method.Name, s.Tried)
	}
}

// TestLandmarksHaveTheirShareOfLambda tests that the weights of p landmarks of n points are learned with λp/n.
func TestLandmarksHaveTheirShareOfLambda(t *testing.T) {
	s := Search{Family: uncentered, Grid: Grid{Ridge(2)}, Settings: Settings{Landmarks: 10}}
	f := must(s.Fit(t.Context(), comparetest.OverlappingClasses(40, 2, 4)))
	if !f.UsesLandmarks || f.Candidate.Value != 0.5 || !f.Model.Landmarks {
		t.Errorf("10 of 40 points with λ = 2: landmarks %v, λ = %g", f.UsesLandmarks, f.Candidate.Value)
	}
}

// TestNextValues tests that a path extends by two values at each end, up to its limit.
func TestNextValues(t *testing.T) {
	p := Ridge(1, 10).Extendable(3) // 10, 1
	before, after := p.nextValues(p.Values)
	if !slices.Equal(before, []float64{1000, 100}) || len(after) != 2 || math.Abs(after[1]-0.01) > 1e-12 {
		t.Errorf("before 10 and after 1: %g and %g", before, after)
	}
	if before, _ = p.nextValues([]float64{1000, 100, 10, 1}); !slices.Equal(before, []float64{10000}) {
		t.Errorf("before 1000: %g", before)
	}
}

// TestScaledStart tests that a solve on a larger ball starts at the same place relative to center and radius.
func TestScaledStart(t *testing.T) {
	ball := func(radius float64) set.Set { return set.Ball{Q: 2, Radius: radius, Center: []float64{1, 1}} }
	r := &mkl.Result{Theta: []float64{1.6, 0.2}}
	if s := scaleStart(r, ball(1), ball(1.25)); !slices.Equal(s.Theta, []float64{1.75, 0}) {
		t.Errorf("on the ball of radius 1.25 the start is %g", s.Theta)
	}
	if s := scaleStart(r, ball(1), ball(3)); !ball(3).Contains(s.Theta) || s.Theta[0] < 2 {
		t.Errorf("on the ball of radius 3 the start is %g", s.Theta)
	}
}

// TestFinalRoundHasMorePoints tests that a final round has at least 1.5 times as many training points as the folds.
func TestFinalRoundHasMorePoints(t *testing.T) {
	s := Selection{MaxPoints: 100, FinalPoints: 135} // folds have 90 training points
	for n, want := range map[int]bool{168: false, 170: true} {
		if r := must(s.newFinalRound(points.AllIndices(n), labels(n, n/2), nil, 1)); (r != nil) != want ||
			want && len(r.Train) != 135 {
			t.Errorf("%d points: %v", n, r)
		}
	}
}

// TestUsed tests that a fitted search or selection shows all that was used, and that its limit of steps reaches the
// final fit.
func TestUsed(t *testing.T) {
	d, settings := comparetest.OverlappingClasses(40, 2, 4), Settings{Seed: 7, Selection: Selection{Folds: 4}}
	one := Search{Family: uncentered, Gap: 1e-12, Iterations: 2}
	best := Best{Candidates: []Method{{"one", one}}, Settings: settings}
	one.Settings = settings
	for name, f := range map[string]Fitter{"search": one, "best": best} {
		fitted := must(f.Fit(t.Context(), d))
		s := fitted.Selected.Method.Search()
		if s.Settings.Seed != 7 || s.Settings.Selection.Folds != 4 || s.Settings.Selection.By != model.RMSE ||
			s.Solver != mkl.Solver(mkl.SPG{}) || s.Gap != 1e-12 || s.Iterations != 2 {
			t.Errorf("%s: used %+v", name, s)
		}
		c := fitted.Candidate
		if !reflect.DeepEqual(c.Loss, loss.Loss(loss.Squared{Lambda: c.Value})) || c.Set != set.Set(set.Simplex{}) {
			t.Errorf("%s: candidate %+v", name, c)
		}
		if n := len(fitted.Result.Trace) - 1; n > 4 || fitted.Result.Status != mkl.IterationLimit {
			t.Errorf("%s: %d steps of 4, %v", name, n, fitted.Result.Status)
		}
	}
	if s := must(Search{Family: uncentered}.Fit(t.Context(), d)).Selected.Method.Search(); s.Gap != 1e-3 ||
		s.Iterations != 500 || s.Solver == nil || s.Settings.Selection.Folds != 10 {
		t.Errorf("defaults: %+v", s)
	}
}

// TestFinalRoundOfOneClass tests that cross-validation selects, and that this is reported, if the points of the final
// round are of one class, so that they do not define the metric.
func TestFinalRoundOfOneClass(t *testing.T) {
	d := comparetest.OverlappingClasses(300, 2, 1)
	b := Best{Settings: Settings{Selection: Selection{Folds: 2, MaxPoints: 100, FinalPoints: 135, By: model.AUC}},
		Candidates: []Method{{Name: "linear", Fitter: Search{Family: kernel.List{kernel.Linear{}}}},
			{Name: "Gaussian", Fitter: Search{Family: kernel.List{kernel.RBF{Gamma: 1}}}}}}
	for _, isGrouped := range []bool{false, true} {
		want := 135
		if isGrouped { // five groups, each of one class; one of them is the test part
			want, d.Group = 0, make([]string, d.Len())
			for i, y := range d.Y {
				d.Group[i] = fmt.Sprint(y, i%(2+int(y+1)/2))
			}
		}
		f, err := b.Fit(t.Context(), d)
		if err != nil || len(f.Selected.Tried) != 2 {
			t.Fatal(err)
		}
		for _, c := range f.Selected.Tried {
			if c.FinalPoints != want || math.IsNaN(c.Error) {
				t.Errorf("in groups: %v, tried %+v, expected %d points of the final round", isGrouped, c, want)
			}
		}
	}
}
