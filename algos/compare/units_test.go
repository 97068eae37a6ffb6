package compare

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
)

// text is all of a table that is not a time.
func text(t *Table) string { return fmt.Sprintf("%+v", *timeless(t)) }

// TestMetrics tests the main metric of a table, by its classes and by the metric that chose hyperparameters.
func TestMetrics(t *testing.T) {
	classes := strings.Split("abc", "")
	for want, tables := range map[model.Metric][]Table{
		model.Accuracy: {{Classes: classes}, {Classes: classes[:2], By: model.ErrorRate}},
		model.RMSE:     {{}, {Classes: classes[:2]}}, model.MeanLoss: {{By: model.MeanLoss}}} {
		for _, table := range tables {
			if m := table.Metrics(); m[0] != want {
				t.Errorf("%d classes, chosen by %q: %q, want %q first", len(table.Classes), table.By, m, want)
			}
		}
	}
}

// merge copies the files of stores into another.
func merge(t *testing.T, to string, from ...string) {
	t.Helper()
	for _, dir := range from {
		for _, f := range must(os.ReadDir(dir)) {
			if err := os.WriteFile(filepath.Join(to, f.Name()), must(os.ReadFile(filepath.Join(dir, f.Name()))),
				0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestShards tests that three shards, each with its own store, have the results of one process, with hyperparameters
// that are chosen inside each split or once.
func TestShards(t *testing.T) {
	for _, once := range []bool{false, true} {
		s := everything()
		s.Methods = append(s.Methods, fit.Method{Name: "best", Fitter: fit.Best{Candidates: []fit.Method{s.Methods[0],
			s.Methods[2]}}})
		s.Selection.OnAllData = once
		want := text(must(s.Run(t.Context(), nil)))
		var folders []string
		for i := range 3 {
			part := *s
			part.StoreFolder = t.TempDir()
			folders = append(folders, part.StoreFolder)
			part.Splits = s.Splits[i : i+1]
			must(part.Run(t.Context(), nil))
			part.Splits = s.Splits
			_, left, err := part.StoredTable(t.Context())
			if err != nil || len(left) != 2 || slices.Contains(left, i) {
				t.Errorf("once %v: shard %d left %v, %v", once, i, left, err)
			}
		}
		s.StoreFolder = t.TempDir()
		merge(t, s.StoreFolder, folders...)
		kept, left, err := s.StoredTable(t.Context())
		if err != nil || len(left) > 0 || text(kept) != want {
			t.Errorf("once %v: merged, splits %v are left, %v, and the table is\n%v\nwant\n%v", once, left, err,
				text(kept), want)
		}
		computed := 0
		got := must(s.Run(t.Context(), func(p Progress) { computed = p.Done - p.Stored }))
		if text(got) != want || computed > 0 {
			t.Errorf("once %v: after the merge %d tasks were computed; the table\n%v\nwant\n%v", once, computed,
				text(got), want)
		}
	}
}

// TestKept tests that StoredTable of an empty store returns all splits as missing and creates no file, and that it
// stops if the context ends.
func TestKept(t *testing.T) {
	s := everything()
	s.StoreFolder = t.TempDir()
	table, left, err := s.StoredTable(t.Context())
	if err != nil || !table.Stopped || !slices.Equal(left, []int{0, 1, 2}) || len(must(os.ReadDir(s.StoreFolder))) > 0 {
		t.Errorf("of an empty store %v, splits left %v, %v", table, left, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = s.StoredTable(ctx)
	says(t, fmt.Sprint(err), "canceled")
}

// TestNumbers: stored results are found by keys that stand for the code by store.Numbers alone. If the code computes
// other numbers, raise store.Numbers, and write it and the new digest here. A change that is one of the last digit on
// this processor alone needs that too.
func TestNumbers(t *testing.T) {
	const numbers, want = 2, "a8dd4fe90b9096b1b0a5d7fd617a13c12ac62ecebd87edf18eaf1d59cebf83a0"
	s := everything()
	s.Methods = append(s.Methods, fit.Method{Name: "svm", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{
		fit.Losses(loss.Hinge{}, 0.1, 1)}, Solver: mkl.Level{}}}, fit.Method{Name: "widths",
		Fitter: fit.Search{Family: kernel.Gaussians{},
			Grid: fit.Grid{fit.Losses(loss.SquaredHinge{}, 0.1), fit.Sets(set.Orthant{}),
				fit.Regularizers(reg.Lasso{Beta: 0.1})}}})
	if runtime.GOARCH != "amd64" || os.Getenv("GOAMD64") != "" && os.Getenv("GOAMD64") != "v1" {
		t.Skip("the digest is of GOARCH=amd64 and GOAMD64=v1")
	}
	h := sha256.New()
	for _, row := range run1(t, s).Rows {
		for _, run := range row.Runs {
			fmt.Fprintln(h, run.Theta, run.Score, run.Value, run.Gap)
		}
	}
	weights := make([]float64, s.Data.Len())
	for i := range weights {
		weights[i] = float64(1 + i%3)
	}
	byLogLoss := everything()
	byLogLoss.Selection.By, byLogLoss.Landmarks = model.LogLoss, 12
	byLogLoss.Methods = []fit.Method{{Name: "weighted", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{
		fit.Losses(loss.Squared{Weights: weights}, 0.1, 1)}}}}
	for _, run := range run1(t, byLogLoss).Rows[0].Runs {
		// math.Exp of a processor without FMA differs in the last digits.
		fmt.Fprintf(h, "%v %.9g %v %v\n", run.Theta, model.LogLoss.ValueIn(run.Score), run.Value, run.Gap)
	}
	got := fmt.Sprintf("%x", h.Sum(nil))
	if store.Numbers != numbers || got != want {
		t.Errorf("store.Numbers is %d and the digest is %s; the test has %d and %s", store.Numbers, got, numbers, want)
	}
}

// TestForged tests that a stored result with another number of entries is computed again.
func TestForged(t *testing.T) {
	s := everything()
	s.StoreFolder = t.TempDir()
	want := text(must(s.Run(t.Context(), nil)))
	kept, forged := must(store.Open(s.StoreFolder)), 0
	for _, f := range must(os.ReadDir(s.StoreFolder)) {
		_, content, _ := bytes.Cut(must(os.ReadFile(filepath.Join(s.StoreFolder, f.Name()))), []byte("\n"))
		var results map[string][]byte
		if err := gob.NewDecoder(bytes.NewReader(content)).Decode(&results); err != nil {
			t.Fatal(err)
		}
		for key := range results {
			var cells []fit.GridCell
			if kept.Read(f.Name(), key, &cells) == nil {
				if err := kept.Put(f.Name(), key, cells[:forged%2]); err != nil {
					t.Fatal(err)
				}
				forged++
			}
		}
	}
	if forged == 0 {
		t.Fatal("nothing is forged")
	}
	if _, left, err := s.StoredTable(t.Context()); err != nil || len(left) != 3 {
		t.Errorf("%v is left, %v", left, err)
	}
	if got := text(must(s.Run(t.Context(), nil))); got != want {
		t.Errorf("%v\nwant\n%v", got, want)
	}
}

// TestKeptViews tests that a study that differs only in the names of its views reads the stored results and shows its
// own names.
func TestKeptViews(t *testing.T) {
	d := comparetest.TwoViewDataset(30)
	view := kernel.RBF{Gamma: 0.1, Columns: []int{0, 1}}
	rest := kernel.RBF{Gamma: 0.1, Columns: []int{2, 3}}
	d.Views = []data.View{{Name: "old", Features: []int{0, 1}}, {Name: "rest", Features: []int{2, 3}}}
	s := &Study{Data: d, Splits: must(fit.Halves(d.Y, 1, 1)), StoreFolder: t.TempDir(),
		Methods: []fit.Method{{Name: "single", Fitter: fit.Search{Family: kernel.Sum{Kernels: kernel.List{view, rest}},
			Grid: fit.Grid{fit.Ridge(1), fit.SingleKernels{}}}}}}
	says(t, run1(t, s).Rows[0].Runs[0].Label, "old")
	d.Views[0].Name = "new"
	says(t, run1(t, s).Rows[0].Runs[0].Label, "new")
}
