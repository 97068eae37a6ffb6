package learn

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

// TestLogCandidate: for prices, whose logarithm is nearly linear in the features, the logarithm of the target is
// learned with WithLogCandidate. Errors of selection and scores are in the units of the data, and files, intervals,
// landmarks, importance and partial dependence work.
func TestLogCandidate(t *testing.T) {
	d, fresh := prices(150), prices(450)
	d.LogTargets, fresh.LogTargets = false, false
	fresh = must(fresh.Slice(points.AllIndices(450)[150:])) // the first points of prices are always the same
	l := must(Learn(t.Context(), d, WithSplits(must(fit.Holdout(d.Y, 0.25, 3, 1))), WithIntervals(0.9),
		WithLogCandidate()))
	if !strings.HasSuffix(l.Method, LogSuffix) || l.Kind()+LogSuffix != l.Method || !l.Model.LogTargets {
		t.Fatalf("%s is selected of %+v", l.Method, l.Tried)
	}
	for _, c := range l.Tried {
		s := l.Table.Summary(c.Method, model.RMSE)
		if strings.HasSuffix(c.Method, LogSuffix) && (c.Error < s.Mean/2 || c.Error > 2*s.Mean) {
			t.Errorf("%s: the error of cross-validation is %g, the RMSE in the units of the data %g", c.Method, c.Error,
				s.Mean)
		}
	}
	plain := learn(t, d, WithSplits(nil))
	if slices.ContainsFunc(plain.Tried, func(c fit.Tried) bool { return strings.HasSuffix(c.Method, LogSuffix) }) {
		t.Errorf("without WithLogCandidate it tries %+v", plain.Tried)
	}
	score, plainScore := must(l.Model.Score(fresh)), must(plain.Model.Score(fresh))
	if score.RMSE > 0.9*plainScore.RMSE {
		t.Errorf("RMSE %g on new points, %g without logarithms", score.RMSE, plainScore.RMSE)
	}
	if v := score.Intervals; v == nil || math.Abs(v.Coverage-0.9) > 0.1 {
		t.Errorf("90 %% intervals: %+v", v)
	}
	if again := must(reloaded(t, l.Model).Score(fresh)); again.RMSE != score.RMSE {
		t.Errorf("RMSE %g from a file, want %g", again.RMSE, score.RMSE)
	}
	landmarks := learn(t, d, WithSplits(nil), WithLandmarks(60), WithMethod(l.Method), WithLogCandidate())
	if s := must(landmarks.Model.Score(fresh)); landmarks.Landmarks != 60 || s.R2 < 0.8 {
		t.Errorf("with landmarks: %d, R² %g", landmarks.Landmarks, s.R2)
	}
	if g := must(Importance(t.Context(), l, nil)).Groups[0]; g.Name != d.Features()[0] || !g.Significant() {
		t.Errorf("the most important feature is %q, p = %g", g.Name, g.AdjustedP)
	}
	dependence := must(PartialDependenceOf(t.Context(), l, nil, d.Features()[0]))
	if mean := dependence.Mean[0]; !slices.IsSorted(mean) || mean[0] <= 0 {
		t.Errorf("partial dependence on an increasing feature is %g", mean)
	}
}

// TestLogCandidateErrors: WithLogCandidate is an error for data that have no logarithms to try.
func TestLogCandidateErrors(t *testing.T) {
	d := prices(60)
	d.LogTargets = false
	negative, logs, several := *d, *d, *d
	negative.Y = slices.Clone(d.Y)
	negative.Y[7] = -1
	logs.LogTargets = true
	several.ExtraTargets = []data.Target{{Name: "z", Y: d.Y}}
	for name, other := range map[string]*data.Dataset{"negative": &negative, "logarithms": &logs, "several": &several,
		"classes": must(datasets.Load("sonar"))} {
		_, err := NewPlan(other, WithLogCandidate())
		if err == nil || !strings.Contains(err.Error(), "WithLogCandidate") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if p := must(NewPlan(d, WithLogCandidate())); len(p.Methods) != 8 {
		t.Errorf("prices: methods %q", methodNames(p.Methods))
	}
}
