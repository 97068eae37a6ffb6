package study

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/mklnb/report"
)

// must returns v, or panics.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// gaussians has kernels of three widths.
var gaussians = kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}},
	Normalize: kernel.MeanDiagonal}

// everything returns a study of small normal classes with five methods, all of whose parts differ.
func everything() *compare.Study {
	d := comparetest.OverlappingClasses(36, 3, 1)
	ridge := fit.Ridge(fit.HalfDecades(-2, 1)...)
	return &compare.Study{Data: d, Splits: must(fit.Halves(d.Y, 3, 5)),
		Settings: fit.Settings{Selection: fit.Selection{Folds: 4}, Seed: 3}, Methods: []fit.Method{
			{Name: "uniform", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{ridge, fit.Rules(mkl.Uniform{})}}},
			{Name: "single", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{ridge.WithinDecades("uniform", 0.5),
				fit.SingleKernels{}}}},
			{Name: "simplex", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{ridge.Extendable(1)}}},
			{Name: "ball", Fitter: fit.Search{Family: kernel.Features{Degree: 2, Constant: true},
				Grid: fit.Grid{ridge.WithinDecades("uniform", 1), fit.Balls(2, 1, 0.5, 2)}}},
			{Name: "ridge", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Ridge(0.1, 1),
				fit.Sets(set.Orthant{}), fit.RidgeRegularizers(0.1, 1)}, Solver: mkl.PGD{}}},
		}}
}

// call runs the command, and returns its status and what it wrote.
func call(ctx context.Context, args ...string) (status int, out, err string) {
	var o, e bytes.Buffer
	status = (&command{stdout: &o, stderr: &e}).main(ctx, args)
	return status, o.String(), e.String()
}

// saved returns the path of a file of studies.
func saved(t *testing.T, studies ...*compare.Study) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "study.jsonl")
	if err := Save(path, studies...); err != nil {
		t.Fatal(err)
	}
	return path
}

// Three shards into stores of their own, merged, show the table of the study; each step says what is left.
func TestCommand(t *testing.T) {
	s := everything()
	s.Selection.OnAllData = true
	file, store := saved(t, s), t.TempDir()
	do := func(want int, says string, args ...string) string {
		t.Helper()
		status, out, err := call(t.Context(), args...)
		if status != want || !strings.Contains(out+err, says) {
			t.Errorf("%q: status %d, want %d and %q:\n%s%s", args, status, want, says, out, err)
		}
		return out
	}
	do(3, "3 of 3 splits are left", "list", "-store", store, file)
	do(3, "3 of 3 splits are left", "show", "-store", store, file)
	var folders []string
	for i := range 3 {
		folder := t.TempDir()
		folders = append(folders, folder)
		shard := fmt.Sprint(i, "/3")
		do(0, "the study has 3 splits", "run", "-shard", shard, "-store", folder, file)
		do(0, "done\t", "list", "-shard", shard, "-store", folder, file)
		do(3, "left\t", "list", "-store", folder, file)
	}
	do(0, "files copied", append([]string{"merge", "-store", store}, folders...)...)
	do(0, "done\tclouds: split 1\ndone\tclouds: split 2\ndone\tclouds: split 3\n", "list", "-store", store, file)
	table := do(0, "", "show", "-store", store, file)
	s.StoreFolder = store
	if kept, _, err := s.StoredTable(t.Context()); err != nil || table != report.Text(kept) ||
		!kept.Certified() {
		t.Errorf("shown\n%s\nkept, %v\n%v", table, err, kept)
	}
	do(0, "0 of 3 splits of this shard are to be run", "run", "-store", store, file)
	notes := t.TempDir()
	if err := os.WriteFile(filepath.Join(notes, "study.jsonl"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	do(0, "the file is not a stored result", "merge", "-store", store, notes)
	// a result that is cut off is made again, and said
	for _, f := range must(os.ReadDir(store)) {
		if err := os.Truncate(filepath.Join(store, f.Name()), 50); err != nil {
			t.Fatal(err)
		}
	}
	do(1, "result files are damaged", "merge", "-store", folders[0], store)
	do(3, "could not be read", "show", "-store", store, file)
	do(0, "could not be read", "run", "-store", store, file)
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if status, out, err := call(stopped, "merge", "-store", t.TempDir(), store); status != 3 ||
		!strings.HasPrefix(out, "results in 0 files copied") || !strings.Contains(err, "stopped; run it again") {
		t.Errorf("a merge that is stopped: status %d, %s%s", status, out, err)
	}
	if again := do(0, "", "show", "-store", store, file); strings.Contains(again, "could not be read") {
		t.Errorf("still damaged:\n%s", again)
	}
}

// TestShardReadsItsFiles: run and list of a shard read no result of another shard: damage to those is not noticed.
func TestShardReadsItsFiles(t *testing.T) {
	file, store := saved(t, everything()), t.TempDir()
	if status, _, err := call(t.Context(), "run", "-shard", "0/3", "-store", store, file); status != 0 {
		t.Fatal(err)
	}
	own := must(os.ReadDir(store))
	if status, _, err := call(t.Context(), "run", "-store", store, file); status != 0 {
		t.Fatal(err)
	}
	for _, f := range must(os.ReadDir(store)) {
		if !slices.ContainsFunc(own, func(o os.DirEntry) bool { return o.Name() == f.Name() }) {
			if err := os.Truncate(filepath.Join(store, f.Name()), 50); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, args := range [][]string{{"list", "-shard", "0/3"}, {"run", "-shard", "0/3"}, {"show"}} {
		status, out, err := call(t.Context(), append(args, "-store", store, file)...)
		isDamageSeen := strings.Contains(out+err, "could not be read")
		if isAll := len(args) == 1; isDamageSeen != isAll || (status == 0) == isAll {
			t.Errorf("%q: status %d\n%s%s", args, status, out, err)
		}
	}
}

// TestNumberOfFailingSplit: the error of a shard has the number that the split has in the whole study.
func TestNumberOfFailingSplit(t *testing.T) {
	s := everything()
	s.Splits[2].Train = s.Splits[2].Train[:1]
	status, _, err := call(t.Context(), "run", "-shard", "2/3", "-store", t.TempDir(), saved(t, s))
	if status != 1 || !strings.Contains(err, "split 3") {
		t.Errorf("status %d, %s", status, err)
	}
}

// A choice that the store has is not made again; stopped, a run keeps what it has.
func TestCommandChoice(t *testing.T) {
	s := everything()
	s.Selection.OnAllData = true
	file, store := saved(t, s), t.TempDir()
	for shard, want := range []string{"25 of 25 tasks (0 were stored)", "25 of 25 tasks (20 were stored)"} {
		status, _, said := call(t.Context(), "run", "-shard", fmt.Sprint(shard, "/3"), "-store", store, file)
		if status != 0 || !strings.Contains(said, want) { // 5 methods, 4 folds, a split
			t.Errorf("shard %d: %d, %s", shard, status, said)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if status, _, err := call(ctx, "run", "-store", store, file); status != 3 ||
		!strings.Contains(err, "splits left; finished results are stored: run it again") {
		t.Errorf("stopped: %d, %s", status, err)
	}
}

// TestSameShardTwice: two processes that run the same splits at once both end with all results, although a result that
// one of them stores may be lost.
func TestSameShardTwice(t *testing.T) {
	s := everything()
	s.Splits = must(fit.Halves(s.Data.Y, 6, 5))
	file, store := saved(t, s), t.TempDir()
	statuses, errs := [2]int{}, [2]string{}
	var both sync.WaitGroup
	for i := range statuses {
		both.Go(func() { statuses[i], _, errs[i] = call(t.Context(), "run", "-store", store, file) })
	}
	both.Wait()
	if statuses != [2]int{} {
		t.Errorf("status %d:\n%s\n\nstatus %d:\n%s", statuses[0], errs[0], statuses[1], errs[1])
	}
	if status, _, _ := call(t.Context(), "list", "-store", store, file); status != 0 {
		t.Errorf("list: status %d", status)
	}
}

// Where nothing can be kept, little is computed.
func TestCommandNotKept(t *testing.T) {
	s := everything()
	file := saved(t, s)
	status, _, err := call(t.Context(), "run", "-workers", "1", "-store",
		filepath.Join(file, "folder"), file)
	if status != 1 || !strings.Contains(err, "since results cannot be stored") ||
		strings.Contains(err, " 75 of 75 tasks") {
		t.Errorf("status %d, %s", status, err)
	}
}

// What the arguments, the file or the data are wrong with is said.
func TestCommandRefuses(t *testing.T) {
	s := everything()
	file, store := saved(t, s), t.TempDir()
	for _, c := range []struct {
		status int
		says   string
		args   []string
	}{
		{2, "STUDY is a file", nil},
		{0, "STUDY is a file", []string{"help"}},
		{2, "give -store DIR", []string{"run", file}},
		{2, "not defined: -shard", []string{"merge", "-shard", "0/1", "-store", store, file}},
		{2, "is not a shard; write I/N", []string{"run", "-shard", "3", "-store", store, file}},
		{1, "no such file", []string{"run", "-store", store, file + "x"}},
		{2, "is not a shard; write I/N", []string{"run", "-shard", "3/3", "-store", store, file}},
		{1, "no such file", []string{"merge", "-store", store, filepath.Join(store, "x")}},
		{1, "is a file", []string{"run", "-store", file, file}},
	} {
		status, out, err := call(t.Context(), c.args...)
		if status != c.status || !strings.Contains(err, c.says) {
			t.Errorf("%q: status %d, want %d, and %q in\n%s%s", c.args, status, c.status, c.says, out, err)
		}
	}
}

// TestSeveralStudies: shards of a file with three studies compute each split once; show prints a table and the doubts
// for each dataset, and the ranking.
func TestSeveralStudies(t *testing.T) {
	var studies []*compare.Study
	for i := range 3 {
		s := everything()
		s.Methods = s.Methods[:2]
		s.Data = comparetest.OverlappingClasses(36, 3, uint64(i))
		s.Data.Name, s.Data.Doubts = fmt.Sprint("set ", i), []string{fmt.Sprint("doubt ", i)}
		s.Splits = must(fit.Halves(s.Data.Y, i+1, 5))
		studies = append(studies, s)
	}
	file, store, counts := saved(t, studies...), t.TempDir(), map[string]int{}
	for i := range 4 {
		shard := fmt.Sprint(i, "/4")
		status, out, err := call(t.Context(), "list", "-shard", shard, "-store", store, file)
		if lines := strings.Count(out, "left\t"); status != 3 || lines != []int{2, 2, 1, 1}[i] {
			t.Errorf("shard %d: status %d, %s%s", i, status, out, err)
		}
		for line := range strings.Lines(out) {
			counts[line]++
		}
		if status, _, err := call(t.Context(), "run", "-shard", shard, "-store", store, file); status != 0 {
			t.Errorf("shard %d: status %d, %s", i, status, err)
		}
	}
	if len(counts) != 6 {
		t.Errorf("the shards have the splits %v", counts)
	}
	status, out, err := call(t.Context(), "show", "-store", store, file)
	if status != 0 || !strings.Contains(out, "mean rank") {
		t.Errorf("status %d, %s\n%s", status, err, out)
	}
	for i, s := range studies {
		s.StoreFolder = store
		if table, left, err := s.StoredTable(t.Context()); len(left) > 0 || err != nil ||
			!strings.Contains(out, report.Text(table)) || !strings.Contains(out, s.Data.Doubts[0]) {
			t.Errorf("study %d: %v are left, %v; no table or doubt in\n%s", i, left, err, out)
		}
	}
	studies[1].Methods = studies[1].Methods[:1]
	numbers := *studies[2].Data // real targets
	numbers.Classes, studies[2].Data = nil, &numbers
	for _, file := range []string{saved(t, studies[:2]...), saved(t, studies[0], studies[2])} {
		if status, _, err := call(t.Context(), "run", "-store", store, file); status != 0 {
			t.Errorf("status %d, %s", status, err)
		}
		if _, out, _ := call(t.Context(), "show", "-store", store, file); !strings.Contains(out, "no ranking: ") {
			t.Errorf("other methods or metrics have a ranking:\n%s", out)
		}
	}
}
