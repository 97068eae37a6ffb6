package mklnb

import (
	"testing"

	"github.com/mklnb/mkl/algos/study"
	"github.com/mklnb/mkl/data"
)

// TestExplain: importance, partial dependence and learning curve are one call and a page with a chart each; of a Learned
// that was stopped they end the cell.
func TestExplain(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	d := data.Rings(80, 7)
	r, status := record(t, func() {
		l := Learn(d, study.WithSplits(Must(study.Halves(d.Y, 3, 1))))
		Show(Importance(l), Importance(l, study.LeftOut), Partial(l, "x1", "x2"), LearningCurve(l))
	})
	if status != -1 || len(r.shown) != 5 {
		t.Fatalf("status %d, %d pages", status, len(r.shown))
	}
	for i, want := range []string{"permuted: the accuracy falls by", "falls when a group of features is left out", "With x1 and x2 the mean", "points: accuracy"} {
		if p := r.shown[i+1]; !containsEvery(p.text, want) || !containsEvery(p.html, `class="mkl-chart"`) {
			t.Errorf("want %q in\n%s", want, p.text)
		}
	}
	if _, status := record(t, func() { Importance(&study.Learned{}) }); status != 1 {
		t.Errorf("what was not learned is explained: %d", status)
	}
}
