package mklnb

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/mklnb/report"

	"gonum.org/v1/gonum/mat"
)

// TestStoppedStudy: Learn and Run return what was finished, Show marks it as stopped, and there is
// nothing to save.
func TestStoppedStudy(t *testing.T) {
	d := datasets.Rings(40, 7)
	halves := Must(fit.Halves(d.Y, 3, 1))
	family := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}
	r := shows(t, 5, func() {
		interrupt.cancel()
		methods := []fit.Method{{Name: "learned", Fitter: fit.Search{Family: family}}}
		table := Run(&compare.Study{Data: d, Splits: halves, StoreFolder: t.TempDir(), Methods: methods})
		l := Learn(d, learn.WithSplits(halves), learn.WithStore(t.TempDir()))
		if !table.Stopped || l.Model != nil || !l.Table.Stopped {
			t.Error("a table is not marked, or Learn has a model")
		}
		Show(table, l)
		Save("stopped", l.Model)
	})
	for i, p := range r.shown {
		if !strings.Contains(strings.ToLower(p.text), "stopped") || strings.Contains(p.text, "before anything") {
			t.Errorf("page %d does not say stopped, or that nothing was finished: %s", i, p.text)
		}
	}
}

// TestLearn: one call, its page, the model kept and used again, and the same question answered from
// the store.
func TestLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("learns on twelve small splits")
	}
	t.Setenv("MKL_CACHE", t.TempDir())
	t.Setenv("MKL_MODELS", t.TempDir())
	d := datasets.Rings(60, 7)
	halves := Must(fit.Halves(d.Y, 3, 1))
	var l *learn.Learned
	var m *model.Model
	stored := 0
	r := shows(t, 5, func() {
		l = Learn(d, learn.WithSplits(halves))
		Show(l, l.Table)
		Save("rings", l.Model)
		m = LoadModel("rings")
		Learn(d, learn.WithSplits(halves), learn.WithProgress(func(p compare.Progress) { stored = p.Stored }))
	})
	p := r.shown[1]
	if !containsEvery(p.text, "predicting outer", "learn.WithFamily", "uniform", "best single") ||
		strings.Count(p.html, `class="mkl-chart"`) != 3 || p.text != report.Text(l) {
		t.Errorf("the page of Learn, want the charts of errors, weights and probabilities:\n%s", p.text)
	}
	if a, b := Must(m.Predict(d.X)), Must(l.Model.Predict(d.X)); !slices.Equal(a, b) {
		t.Error("the model that was kept predicts other numbers")
	}
	if stored == 0 {
		t.Error("the second time nothing came from the store")
	}
}

// TestNoCache: without a cache folder Learn works and reports that nothing is stored.
func TestNoCache(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "file"), "")
	d := datasets.Rings(40, 1)
	for name, vars := range map[string][3]string{ // MKL_CACHE, HOME, XDG_CACHE_HOME
		"no home":         {},
		"cache is a file": {filepath.Join(dir, "file"), dir, dir},
	} {
		for i, name := range []string{"MKL_CACHE", "HOME", "XDG_CACHE_HOME"} {
			t.Setenv(name, vars[i])
		}
		var l *learn.Learned
		r, status := record(t, func() { l = Learn(d, learn.WithSplits([]fit.Split{})); Show(l) })
		if status != -1 || l.Model == nil || !strings.Contains(r.text(), "for the next run") {
			t.Errorf("%s: status %d, %v: not said: %s", name, status, l, r.text())
		}
	}
}

// TestAlign: the scores are equal to the scores of the package. If it is stopped, the cell ends with an error.
func TestAlign(t *testing.T) {
	x := Must(datasets.Load("globins")).X.(points.Sequences)[:5]
	a := similarity.Alignment{Normalize: true}
	var s *mat.SymDense
	shows(t, 0, func() { s = Align(x, a) })
	if want := Must(a.Pairs(t.Context(), x, nil)); !mat.Equal(s, want) {
		t.Errorf("%v, want %v", mat.Formatted(s), mat.Formatted(want))
	}
	refused(t, "stopped", "Alignment of 4 sequences: stopped", func() { interrupt.cancel(); Align(x[:4], a) })
}

// TestWhereStopped: work that is stopped after its last task is not stopped "after 30 of 30 tasks".
func TestWhereStopped(t *testing.T) {
	for done := range 31 {
		for _, finalStep := range []string{"", "a pass"} {
			s := whereStopped(compare.Progress{Done: done, Total: 30, FinalStep: finalStep})
			isBefore := done < 30 && finalStep == ""
			if strings.Contains(s, "of 30") != isBefore || !strings.Contains(s, finalStep) {
				t.Errorf("%d of 30 done, final step %q: %q", done, finalStep, s)
			}
		}
	}
}
