package mklnb

import (
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
)

// TestExplain: importance, partial dependence and learning curve are one call and a page with a chart each.
func TestExplain(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	d := datasets.Rings(80, 7)
	r, status := record(t, func() {
		l := Learn(d, learn.WithSplits(Must(fit.Halves(d.Y, 3, 1))))
		Show(Importance(l), Partial(l, "x1"), LearningCurve(l))
	})
	if status != -1 || len(r.shown) != 4 {
		t.Fatalf("status %d, %d pages", status, len(r.shown))
	}
	for i, want := range []string{"accuracy on held-out points",
		"x1", "training points"} {
		if p := r.shown[i+1]; !containsEvery(p.text, want) || !containsEvery(p.html, `class="mkl-chart"`) {
			t.Errorf("want %q in\n%s", want, p.text)
		}
	}
}

// TestScoreOfTheKnown: a score on the points learned from warns, one on others does not.
func TestScoreOfTheKnown(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	d := datasets.Rings(80, 7)
	train, test := Split(d, 0.25, 1)
	for _, c := range []struct {
		name  string
		opts  []learn.Option
		on    *data.Dataset
		pages int
	}{
		{"those learned from", nil, train, 1},
		{"all, with landmarks", []learn.Option{learn.WithLandmarks(20)}, d, 1},
		{"others", nil, test, 0},
	} {
		m := Learn(train, append(c.opts, learn.WithSplits(nil))...).Model
		r, status := record(t, func() { Score(m, c.on) })
		if status != -1 || len(r.shown) != c.pages || c.pages > 0 && !containsEvery(r.shown[0].text,
			"the score is optimistic") {
			t.Errorf("%s: status %d, %v", c.name, status, r.shown)
		}
	}
}
