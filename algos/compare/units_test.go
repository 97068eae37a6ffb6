package compare

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
)

// text is all of a table that is not a time.
func text(t *Table) string { return fmt.Sprintf("%+v", *timeless(t)) }

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

// Three shards, each with a store of its own, find what goroutines of one process find, with the constants chosen
// inside each split and once.
func TestShards(t *testing.T) {
	for _, once := range []bool{false, true} {
		s := everything()
		s.Methods = append(s.Methods, Method{Name: "best", Among: []string{"uniform", "simplex"}})
		s.Selection.Once = once
		want := text(must(s.Run(t.Context(), nil)))
		units := s.Units()
		if got, all := len(units), len(s.Splits)+map[bool]int{true: 1}[once]; got != all {
			t.Fatalf("once %v: %d units %v, want %d", once, got, units, all)
		}
		var folders []string
		const shards = 3
		for i := range shards {
			part := *s
			part.Store = t.TempDir()
			folders = append(folders, part.Store)
			mine := must(Shard(units, i, shards))
			got := must(part.RunUnits(t.Context(), mine, nil))
			if left := must(part.Pending(t.Context(), mine)); len(left) > 0 || !got.Stopped {
				t.Errorf("once %v: shard %d left %v, stopped: %v", once, i, left, got.Stopped)
			}
			_, left, err := part.StoredTable(t.Context())
			if choice := map[bool]int{true: 1}[once && i > 0]; err != nil || len(left) != len(units)-len(mine)-choice {
				t.Errorf("once %v: after shard %d of units %v are left %v, %v", once, i, units, left, err)
			}
		}
		s.Store = t.TempDir()
		merge(t, s.Store, folders...)
		files := len(must(os.ReadDir(s.Store)))
		kept, left, err := s.StoredTable(t.Context())
		if err != nil || len(left) > 0 || text(kept) != want {
			t.Errorf("once %v: merged, units %v are left, %v, and the table is\n%v\nwant\n%v", once, left, err,
				text(kept), want)
		}
		computed := 0
		got := must(s.Run(t.Context(), func(p Progress) { computed = p.Done - p.Stored }))
		if text(got) != want || computed > 0 || len(must(os.ReadDir(s.Store))) != files {
			t.Errorf("once %v: after the merge %d tasks were computed; the table\n%v\nwant\n%v", once, computed,
				text(got), want)
		}
	}
}

// What is kept is read without a solve, and what is not there is said.
func TestKept(t *testing.T) {
	s := everything()
	s.Store = t.TempDir()
	table, left, err := s.StoredTable(t.Context())
	if err != nil || !table.Stopped || !reflect.DeepEqual(left, s.Units()) || len(must(os.ReadDir(s.Store))) > 0 {
		t.Errorf("of an empty store %v, units left %v, %v", table, left, err)
	}
	s.Store = ""
	if left := must(s.Pending(t.Context(), s.Units()[1:])); !reflect.DeepEqual(left, []Unit{1, 2}) {
		t.Errorf("without a store %v are left", left)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = s.StoredTable(ctx)
	says(t, fmt.Sprint(err), "canceled")
	says(t, failure(s.Pending(ctx, s.Units())), "canceled")
	says(t, failure(s.RunUnits(t.Context(), []Unit{3}, nil)), "no split 4; the study has 3 splits")
	says(t, failure(s.RunUnits(t.Context(), []Unit{Choice}, nil)), "no choice")
	says(t, failure(Shard(s.Units(), 0, 0)), "0 shards; use at least 1")
	for _, i := range []int{-1, 3} {
		says(t, failure(Shard(s.Units(), i, 3)), fmt.Sprintf("shard %d of 3; shard numbers are 0 … 2", i))
	}
}

// A result that was forged, of another number of places, is computed anew.
func TestForged(t *testing.T) {
	s := everything()
	s.Store = t.TempDir()
	want := text(must(s.Run(t.Context(), nil)))
	kept, forged := must(store.Open(s.Store)), 0
	for _, f := range must(os.ReadDir(s.Store)) {
		var cells []Cell
		if kept.Get(f.Name(), &cells) {
			if err := kept.Put(f.Name(), cells[:forged%2]); err != nil {
				t.Fatal(err)
			}
			forged++
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

// A study of the same numbers whose views have other names shows these, with results that are kept.
func TestKeptViews(t *testing.T) {
	d := comparetest.TwoViews(30)
	view := kernel.RBF{Gamma: 0.1, Columns: []int{0, 1}}
	rest := kernel.RBF{Gamma: 0.1, Columns: []int{2, 3}}
	d.Views = []data.View{{Name: "old", Features: []int{0, 1}}, {Name: "rest", Features: []int{2, 3}}}
	s := &Study{Data: d, Splits: must(Halves(d.Y, 1, 1)), Store: t.TempDir(), Methods: []Method{{Name: "single",
		Family: kernel.Sum{Kernels: kernel.List{view, rest}}, Grid: Grid{Ridge(1), SingleKernels{}}}}}
	says(t, run1(t, s).Rows[0].Runs[0].Label, "old")
	d.Views[0].Name = "new"
	says(t, run1(t, s).Rows[0].Runs[0].Label, "new")
}
