package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	_ "github.com/mklnb/mkl/algos/linalg/openblas"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/mklnb/study"
)

// program is the folder of the command, built.
var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "mkl-study")
	if err == nil {
		program = dir
		var out []byte
		if out, err = exec.Command("go", "build", "-o", dir, ".").CombinedOutput(); err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// must is v, or a panic.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// sonar is a study of that set of the registry, and its file.
func sonar(t *testing.T, splits int, once bool) (*compare.Study, string) {
	t.Helper()
	d := must(datasets.Load("sonar"))
	f := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.01}, kernel.RBF{Gamma: 0.1}},
		Normalize: kernel.MeanDiagonal, Prepare: points.Preprocessing{points.Standardize}}
	s := &compare.Study{Data: d,
		Settings: fit.Settings{Selection: fit.Selection{Folds: 4, OnAllData: once}}, Splits: must(fit.Halves(d.Y,
			splits, 1)), Methods: []fit.Method{
			{Name: "uniform", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.1, 1),
				fit.Rules(mkl.Uniform{})}}},
			{Name: "learned", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.1, 1)}}}}}
	path := filepath.Join(t.TempDir(), "study.jsonl")
	if err := study.Save(path, s); err != nil {
		t.Fatal(err)
	}
	return s, path
}

// table is what the command computes of a study in one piece.
func table(t *testing.T, file string) string {
	t.Helper()
	store := t.TempDir()
	if out, err := command("run", "-store", store, file).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return shown(t, store, file)
}

// command is a call of the program.
func command(args ...string) *exec.Cmd {
	return exec.Command(filepath.Join(program, "mkl-study"), args...)
}

// shown is the report of a store without the column of seconds. Everything must be there.
func shown(t *testing.T, store, file string) string {
	t.Helper()
	out, err := command("show", "-store", store, file).Output()
	if err != nil {
		t.Fatalf("show: %v, %s", err, out)
	}
	lines := strings.Split(string(out), "\n")
	column := -1
	for i, l := range lines {
		if at := strings.Index(l, "s per fit"); at >= 0 {
			column = len([]rune(l[:at]))
		}
		if r := []rune(l); len(r) > column && column >= 0 &&
			(strings.HasPrefix(l, "uniform ") || strings.HasPrefix(l, "learned ")) {
			lines[i] = string(r[:column])
		}
	}
	if column < 0 {
		t.Fatalf("no column of seconds:\n%s", out)
	}
	return strings.Join(lines, "\n")
}

var files = comparetest.StoredResultTimes

// TestOtherLibrary: a program with other numbers (store.Numbers) does not use the results of this one. It says how many
// splits are left, also after the two folders are merged by copying.
func TestOtherLibrary(t *testing.T) {
	_, file := sonar(t, 2, false)
	dir, edited := t.TempDir(), must(filepath.Abs("../../../algos/store/key.go"))
	replaced, overlay := filepath.Join(dir, "key.go"), filepath.Join(dir, "overlay.json")
	other := filepath.Join(dir, "other-study")
	text := strings.Replace(string(must(os.ReadFile(edited))), "const Numbers = ", "const Numbers = 1000 + ", 1)
	for path, text := range map[string]string{replaced: text,
		overlay: fmt.Sprintf(`{"Replace": {%q: %q}}`, edited, replaced)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("go", "build", "-overlay", overlay, "-o", other, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	stores := []string{t.TempDir(), t.TempDir()}
	for i, name := range []string{filepath.Join(program, "mkl-study"), other} {
		if out, err := exec.Command(name, "run", "-shard", fmt.Sprint(i, "/2"), "-store", stores[i],
			file).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	for name := range files(stores[1]) {
		if err := os.WriteFile(filepath.Join(stores[0], name), must(os.ReadFile(filepath.Join(stores[1], name))),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	show := command("show", "-store", stores[0], file)
	var says strings.Builder
	show.Stderr = &says
	if _, err := show.Output(); err == nil || show.ProcessState.ExitCode() != 3 {
		t.Errorf("status %d, %v", show.ProcessState.ExitCode(), err)
	}
	if !strings.HasPrefix(says.String(), "1 of 2 splits are left") {
		t.Errorf("after the results of two programs: %s", &says)
	}
	if out, err := command("run", "-store", stores[0], file).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if got, want := shown(t, stores[0], file), table(t, file); got != want {
		t.Errorf("the table is\n%s\nwant\n%s", got, want)
	}
}
