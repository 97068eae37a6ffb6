package main

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

func newBench(t *testing.T, rounds int) *bench {
	return &bench{ctx: t.Context(), rounds: rounds, tempFolder: t.TempDir(), log: func(s string) { t.Log(s) }}
}

// TestNumbers: the median of an even number of values is the mean of the middle two; times and numbers are formatted.
func TestNumbers(t *testing.T) {
	for want, x := range map[float64][]float64{2: {3, 1, 2}, 1.5: {2, 1}, 4: {4}, 5: {9, 5, 5, 1}} {
		row := Row{Seconds: x}
		if row.summarizeTimes(); row.MedianSeconds != want || row.MinSeconds != slices.Min(x) ||
			row.MaxSeconds != slices.Max(x) {
			t.Errorf("of %v: %+v", x, row)
		}
	}
	for s, want := range map[float64]string{0: "–", 2.5e-7: "0.25 µs", 1.234e-3: "1.23 ms", 12.345: "12.3 s"} {
		if got := formatDuration(s); got != want {
			t.Errorf("duration %g is %q, want %q", s, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 1.23456e-9: "1.2e-09", 0.81234: "0.8123", -3e-4: "-3.0e-04",
		971.4: "971.4"} {
		if got := formatNumber(v); got != want {
			t.Errorf("number %g is %q, want %q", v, got, want)
		}
	}
}

// TestSelect: tasks are chosen by name, names are unique, and every task says what it is.
func TestSelect(t *testing.T) {
	all := allTasks()
	seen := map[string]bool{}
	for _, task := range all {
		if seen[task.name] || task.description == "" {
			t.Errorf("task %q is there twice or says nothing of itself", task.name)
		}
		seen[task.name] = true
	}
	if some, err := selectTasks(all, "^fit n=208$"); err != nil || len(some) != 1 || some[0].name != "fit n=208" {
		t.Errorf("-task chooses %d tasks, %v", len(some), err)
	}
	if some, err := selectTasks(all, ""); err != nil || len(some) != len(all) {
		t.Errorf("without a pattern %d of %d tasks, %v", len(some), len(all), err)
	}
	for _, bad := range []string{"(", "no such task"} {
		if _, err := selectTasks(all, bad); err == nil {
			t.Errorf("-task %q is accepted", bad)
		}
	}
	if _, err := parseEnvironments([]string{"numpy", "octave"}, nil); err == nil ||
		!strings.Contains(err.Error(), "octave") {
		t.Errorf("a peer that there is not: %v", err)
	}
}

// TestTable: the table names a task once for each number of threads and states why a row is empty.
func TestTable(t *testing.T) {
	r := &Report{Date: "2026-01-01", Machine: "a processor", PeerVersions: map[string]string{"numpy": "numpy 2"}}
	for _, threads := range []int{1, 2} {
		r.Rows = append(r.Rows,
			Row{Task: "a|b", Threads: threads, Label: "Go", Env: "Go", Seconds: []float64{1, 2, 3},
				MedianSeconds: 2, MinSeconds: 1,
				MaxSeconds: 3, TimeRatio: 1, Quality: Quality{"gap": 1e-9}},
			Row{Task: "a|b", Threads: threads, Label: "absent", Env: "debian", Note: "no numpy"})
	}
	text := r.markdown()
	if n := strings.Count(text, "| a\\|b |"); n != 2 {
		t.Errorf("the task is named %d times:\n%s", n, text)
	}
	for _, want := range []string{"- numpy: numpy 2", "1 s – 3 s", "no numpy", "gap 1.0e-09"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// TestNPY: package data reads what the peers are given.
func TestNPY(t *testing.T) {
	for _, c := range []struct {
		a    array
		want []float64
	}{
		{newMatrix(3, 2, []float64{1, -2.5, math.Pi, 0, 1e-300, 6}), []float64{1, -2.5, math.Pi, 0, 1e-300, 6}},
		{newVector([]float64{1, 2, 3}), []float64{1, 2, 3}},
		{newIntegers([]int{0, -7, 1 << 30}), []float64{0, -7, 1 << 30}},
	} {
		path := filepath.Join(t.TempDir(), "a.npy")
		if err := c.a.saveNPY(path); err != nil {
			t.Fatal(err)
		}
		d, err := data.Options{}.OpenMatrix(path)
		if err != nil {
			t.Fatal(err)
		}
		if d.N != c.a.dimensions[0] || !slices.Equal(d.Data, c.want) {
			t.Errorf("read %v, written %v", d.Data, c.want)
		}
	}
}

// fakes are three sides that write down when they are called, and one that is not to be had. A side's time is the
// length of its name; do is called first, with the number of the call.
func fakes(log *[]string, do map[string]func(call int) error) task {
	return task{name: "t", prepare: func(*bench) *workload {
		w := &workload{callsPerTiming: 1,
			evaluate: func(r, first []float64) Quality { return Quality{"own": r[0], "first": first[0]} }}
		for _, name := range []string{"a", "bb", "cccc"} {
			n := 0
			s := &runner{
				timeCalls: func(int) (float64, error) {
					n++
					*log = append(*log, name)
					if do[name] != nil {
						return float64(len(name)), do[name](n)
					}
					return float64(len(name)), nil
				},
				readResult: func() ([]float64, string, error) { return []float64{float64(len(name))}, "", nil },
				close:      func() { *log = append(*log, "-"+name) },
			}
			start := func(int) (*runner, error) { return s, nil }
			w.goImplementations = append(w.goImplementations, implementation{name, name, start})
		}
		w.goImplementations = append(w.goImplementations, implementation{"none", "none", func(int) (*runner, error) {
			return nil, errors.New("there is none")
		}})
		return w
	}}
}

// TestMeasure: sides take turns, one that fails or is not there stops no other, every side is closed
// once, and what was measured stays when the context ends.
func TestMeasure(t *testing.T) {
	var log []string
	b := newBench(t, 3)
	rows := b.measure(fakes(&log, map[string]func(int) error{"bb": func(call int) error {
		if call == 2 {
			return errors.New("broken")
		}
		return nil
	}}), []int{1})
	if want := "a bb cccc a bb -bb cccc a cccc -a -cccc"; strings.Join(log, " ") != want {
		t.Errorf("order %q, want %q", log, want)
	}
	for i, want := range []struct {
		rounds int
		ratio  float64
		note   string
	}{{3, 1, ""}, {1, 2, "broken"}, {3, 4, ""}, {0, 0, "there is none"}} {
		r := rows[i]
		if len(r.Seconds) != want.rounds || r.TimeRatio != want.ratio || r.Note != want.note {
			t.Errorf("row %d: %+v, want %+v", i, r, want)
		}
		if r.Note == "" && (r.Quality["first"] != 1 || r.Quality["own"] != want.ratio) {
			t.Errorf("row %d was judged by %v", i, r.Quality)
		}
	}

	var cancel context.CancelFunc
	b.ctx, cancel = context.WithCancel(b.ctx)
	log = nil
	rows = b.measure(fakes(&log, map[string]func(int) error{"a": func(call int) error {
		if call == 3 {
			cancel()
		}
		return nil
	}}), []int{1})
	if len(rows[0].Seconds) != 2 || rows[0].MedianSeconds != 1 ||
		rows[0].Note != "the run was stopped after 2 of 3 rounds" {
		t.Errorf("stopped in the third round: %+v", rows[0])
	}
	rows = b.measure(task{name: "t", prepare: func(*bench) *workload { panic(failure{errors.New("no input")}) }},
		[]int{1})
	if len(rows) != 1 || rows[0].Note != "no input" {
		t.Errorf("a task without input: %+v", rows)
	}
}

// small lists tasks of the default peers at small sizes, with a bound of each quality: the rounding error of about n
// operations, and for fits the requested gap.
var small = []struct {
	name  string
	make  func(b *bench) *workload
	bound Quality
}{
	{"predict row", func(*bench) *workload { return preparePrediction(60) }, Quality{"difference": 1e-13}},
	{"fit", prepareSonarFit, Quality{"gap": 1e-7}},
	{"mkl", func(b *bench) *workload { return prepareWeightLearning(b, 60) }, Quality{"gap": 1.1e-4}},
	{"svm", func(b *bench) *workload { return prepareSVM(b, "classify", true, 60, 10) }, Quality{"gap": 5e-3}},
	{"svm regression", func(b *bench) *workload { return prepareSVM(b, "regression", true, 60, 10) },
		Quality{"gap": 5e-3}},
}

func reached(t *testing.T, rows []Row, bound Quality) {
	t.Helper()
	for _, r := range rows {
		if r.Note != "" || len(r.Seconds) == 0 {
			t.Errorf("%s, %s: %s", r.Task, r.Label, r.Note)
			continue
		}
		for k, v := range bound {
			if got, ok := r.Quality[k]; !ok || !(got <= v) {
				t.Errorf("%s, %s: %s is %g, want at most %g (%v)", r.Task, r.Label, k, got, v, r.Quality)
			}
		}
	}
}

// TestAlone: without peers every task reaches what it should; machines that are asked for 1e-10 do.
func TestAlone(t *testing.T) {
	for _, s := range small {
		rows := newBench(t, 1).measure(task{name: s.name, prepare: s.make}, []int{1, 2})
		if len(rows) == 0 || rows[0].Env != "Go" {
			t.Fatalf("%s: %+v", s.name, rows)
		}
		reached(t, rows, s.bound)
		for _, r := range rows {
			if strings.HasSuffix(r.Label, "to 1e-10") && !(r.Quality["gap"] <= 1e-10 && r.Quality["support"] > 0) {
				t.Errorf("%s, %s: %v", s.name, r.Label, r.Quality)
			}
		}
	}
}

// TestPeers: the same in the peers, on the same input.
func TestPeers(t *testing.T) {
	testenv.SkipUnlessLong(t) // the peers are 300 MB of Python
	b := newBench(t, 1)
	var err error
	if b.environments, err = parseEnvironments([]string{"numpy", "debian"}, b.log); err != nil {
		t.Fatal(err)
	}
	if _, err := b.environments["numpy"].findPython(t.Context()); err != nil {
		testenv.SkipWithout(t, err.Error())
	}
	if _, err := b.environments["debian"].findPython(t.Context()); err != nil { // a peer of one system alone
		t.Log(err)
		delete(b.environments, "debian")
	}
	for _, s := range small {
		rows := b.measure(task{name: s.name, prepare: s.make}, []int{1})
		if !slices.ContainsFunc(rows,
			func(r Row) bool { return r.Env == "numpy" && strings.Contains(r.Software, "numpy ") }) {
			t.Errorf("%s: no row of numpy", s.name)
		}
		reached(t, rows, s.bound)
	}
}

// TestNoPeer: a peer that cannot be had has a row that says why, and one that fails another.
func TestNoPeer(t *testing.T) {
	b := newBench(t, 1)
	absent := &environment{findExecutable: func(context.Context) (string, error) {
		return "", errors.New("no network")
	}}
	// the command that fails
	broken := &environment{findExecutable: func(context.Context) (string, error) { return "false", nil }}
	b.environments = map[string]*environment{"numpy": absent, "debian": broken}
	rows := b.measure(task{name: "fit", prepare: prepareSonarFit}, []int{1})
	if len(rows) != 3 || rows[0].Note != "" || rows[0].TimeRatio != 1 {
		t.Fatalf("Go beside peers that fail: %+v", rows)
	}
	for _, r := range rows[1:] {
		if r.Note == "" || r.Env == "numpy" && r.Note != "no network" {
			t.Errorf("%s: note %q", r.Env, r.Note)
		}
	}
}

// TestQualityTables: differences of 1, 1, 0, 1, 0 on five splits, 0.6 on average, have the standard error
// √(1/5 + 1/3)·√0.3 = 0.4; a side behind the best by more than that is not counted.
func TestQualityTables(t *testing.T) {
	var rows []Row
	for _, part := range []string{developmentPrefix, heldOutPrefix} {
		for i, side := range []string{"Learn", "Gaussian", "random forest"} {
			if i == 0 && part == heldOutPrefix {
				continue // as without -held-out
			}
			scores := [][]float64{{80, 80, 80, 80, 80}, {80, 81, 80, 81, 79}, {81, 81, 80, 81, 80}}[i]
			rows = append(rows, Row{Task: part + "a set", Label: side, Scores: scores})
		}
	}
	rows = append(rows, Row{Task: heldOutPrefix + "absent", Note: "no network"})
	text := strings.Join(qualityTables(rows), "\n")
	for _, want := range []string{
		"| a set | random forest | 80.0 (−0.6 ± 0.4) | 80.2 (−0.4 ± 0.4) | – | – | 80.6 | – |",
		"| a set | random forest | – | 80.2 (−0.4 ± 0.4) | – | – | 80.6 | – |",
		"| Learn | 0 of 1 | 0 of 0 | 1 of 1 | 0 of 0 |", "| Gaussian | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 |",
		"| random forest | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
