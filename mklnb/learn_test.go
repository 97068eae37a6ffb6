package mklnb

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/mklnb/report"

	"gonum.org/v1/gonum/mat"
)

// TestStoppedStudy: Learn and Run return what was finished, Show marks it as stopped, and there is
// nothing to save.
func TestStoppedStudy(t *testing.T) {
	d := data.Rings(40, 7)
	halves := Must(compare.Halves(d.Y, 3, 1))
	family := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}
	r := shows(t, 5, func() {
		interrupt.cancel()
		methods := []compare.Method{{Name: "learned", Family: family}}
		table := Run(&compare.Study{Data: d, Splits: halves, Store: t.TempDir(), Methods: methods})
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

// TestLearnColumns: of three classes, and of three targets, the pages say what is learned and how good it is; the model
// that was kept has their names.
func TestLearnColumns(t *testing.T) {
	t.Setenv("MKL_CACHE", t.TempDir())
	rng := rand.New(rand.NewPCG(1, 2))
	kinds := []string{"small", "middle", "large"}
	classes, targets := "height,width,kind\n", "height,width,area,twice,noise\n"
	for i := range 45 {
		h, w := rng.NormFloat64(), rng.NormFloat64()
		classes += fmt.Sprintf("%v,%v,%s\n", float64(i%3)+0.3*h, w, kinds[i%3])
		targets += fmt.Sprintf("%v,%v,%v,%v,%v\n", h, w, h*w, 2*h, rng.NormFloat64())
	}
	for _, c := range []struct {
		o                  data.Options
		file               string
		about, taken, page []string
		good               func(s model.Score) bool
	}{
		{data.Options{Name: "kinds"}, classes, []string{"3 classes: large (15 points), middle (15 points) and small " +
			"(15 points)"},
			[]string{"Fitted: kinds, by the method ", " The comparison follows."},
			[]string{"Expected error on new data (row selected, which includes the choice of the method): " +
				"error rate ", "Constant baseline, always the most frequent class: ",
				"one against the rest, 3 classes, one kernel for all", "most often mistakes", "balanced accuracy"},
			func(s model.Score) bool { return s.Accuracy > 0.85 }},
		{data.Options{Name: "sheet", Targets: []string{"area", "twice", "noise"}}, targets,
			[]string{"area from", "twice from", "noise from", "The targets area of sheet lie between"},
			[]string{"Fitted: sheet, by the method "},
			[]string{"Each target is in units of its standard deviation",
				"the choice of the method), sheet, area: RMSE ",
				"sheet, noise: The model is not clearly better than the constant baseline"},
			func(s model.Score) bool { return len(s.Targets) == 3 && s.Targets[1].R2 > 0.9 }},
	} {
		c.o.Format = data.CSV
		d := Must(c.o.Read(strings.NewReader(c.file)))
		r := shows(t, 5, func() { // the last warns of the score
			Show(d)
			l := Learn(d, learn.WithSplits(Must(compare.Halves(d.Y, 2, 1))), learn.WithLambda(1))
			Show(l)
			Save(d.Name, l.Model)
			if s := Score(LoadModel(d.Name), d); !c.good(s) {
				t.Errorf("%s: score %v", d.Name, s)
			}
		})
		for i, want := range [][]string{c.about, c.taken, c.page} {
			if !containsEvery(r.shown[i].text, want...) {
				t.Errorf("%s: %q, want %q", d.Name, r.shown[i].text, want)
			}
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
	d := data.Rings(60, 7)
	halves := Must(compare.Halves(d.Y, 3, 1))
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
	if !containsEvery(p.text, "constant baseline", "weights not learned", "learn.WithFamily", "uniform",
		"best single") ||
		strings.Count(p.html, `class="mkl-chart"`) != 2 || p.text != report.Text(l) {
		t.Errorf("the page of Learn, want the charts of errors and probabilities:\n%s", p.text)
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
	d := data.Rings(40, 1)
	for name, vars := range map[string][3]string{ // MKL_CACHE, HOME, XDG_CACHE_HOME
		"no home":         {},
		"cache is a file": {filepath.Join(dir, "file"), dir, dir},
	} {
		for i, name := range []string{"MKL_CACHE", "HOME", "XDG_CACHE_HOME"} {
			t.Setenv(name, vars[i])
		}
		var l *learn.Learned
		r, status := record(t, func() { l = Learn(d, learn.WithSplits([]compare.Split{})); Show(l) })
		if status != -1 || l.Model == nil || !strings.Contains(r.text(), "for the next time") {
			t.Errorf("%s: status %d, %v: not said: %s", name, status, l, r.text())
		}
	}
}

// TestAlign: the scores are equal to the scores of the package. If it is stopped, the cell ends with an error.
func TestAlign(t *testing.T) {
	x := Must(data.Load("globins")).X.(points.Sequences)[:5]
	a := similarity.Alignment{Normalize: true}
	var s *mat.SymDense
	shows(t, 0, func() { s = Align(x, a) })
	if want := Must(a.Pairs(t.Context(), x, nil)); !mat.Equal(s, want) {
		t.Errorf("%v, want %v", mat.Formatted(s), mat.Formatted(want))
	}
	r, status := record(t, func() { interrupt.cancel(); Align(x[:4], a) })
	if status != 1 || !containsEvery(r.text(), "Alignment of 4 sequences: stopped after 0 of 10 pairs") {
		t.Errorf("stopped: status %d, %v", status, r.shown)
	}
}
