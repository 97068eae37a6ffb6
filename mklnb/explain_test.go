package mklnb

import (
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/points"
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
	for i, want := range []string{"error rate on held-out points",
		"x1", "training points"} {
		if p := r.shown[i+1]; !containsEvery(p.text, want) || !containsEvery(p.html, `class="mkl-chart"`) {
			t.Errorf("want %q in\n%s", want, p.text)
		}
	}
}

// TestScoreOfTheKnown: the page of a score of the points learned from warns, also if their columns are in another
// order; that of others does not.
func TestScoreOfTheKnown(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	d := datasets.Rings(80, 7)
	x := points.MustAs[points.Rows](d.X)
	x.Names = []string{"a", "b"}
	d.X = x
	train, test := Split(d, 0.25, 1)
	exchanged := *train
	exchanged.X = train.X.Columns([]int{1, 0})
	for _, c := range []struct {
		name  string
		opts  []learn.Option
		on    *data.Dataset
		warns bool
	}{
		{"those learned from", nil, train, true},
		{"all, with landmarks", []learn.Option{learn.WithLandmarks(20)}, d, true},
		{"others", nil, test, false},
		{"exchanged columns", nil, &exchanged, true},
	} {
		m := Learn(train, append(c.opts, learn.WithSplits(nil))...).Model
		r := shows(t, 1, func() { Show(Score(m, c.on)) })
		if got := strings.Contains(r.shown[0].html, `"mkl-warning"`); got != c.warns {
			t.Errorf("%s: a warning: %v, want %v\n%s", c.name, got, c.warns, r.shown[0].text)
		}
	}
}
