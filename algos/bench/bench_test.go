package main

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
)

func newBench(t *testing.T, rounds int) *bench {
	return &bench{ctx: t.Context(), rounds: rounds, tempFolder: t.TempDir(), log: func(s string) { t.Log(s) }}
}

// TestTimes tests that the median of an even number of times is the mean of the middle two, and that times are
// formatted.
func TestTimes(t *testing.T) {
	for want, x := range map[float64][]float64{2: {3, 1, 2}, 1.5: {2, 1}, 4: {4}, 5: {9, 5, 5, 1}} {
		if got := (&Row{Seconds: x}).medianSeconds(); got != want {
			t.Errorf("the median of %v is %g, expected %g", x, got, want)
		}
	}
	for s, want := range map[float64]string{0: "–", 2.5e-7: "0.25 µs", 1.234e-3: "1.23 ms", 12.345: "12.3 s"} {
		if got := formatDuration(s); got != want {
			t.Errorf("duration %g is %q, want %q", s, got, want)
		}
	}
}

// TestSelect tests that tasks are selected by name, that names are unique, and that every task has a description.
func TestSelect(t *testing.T) {
	all := allTasks()
	seen := map[string]bool{}
	for _, task := range all {
		if seen[task.name] || task.description == "" {
			t.Errorf("task %q occurs twice or has no description", task.name)
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
		t.Errorf("an unknown peer: %v", err)
	}
}

// TestTable tests that the table names a task once for each number of threads and states why a row is empty.
func TestTable(t *testing.T) {
	r := &Report{Date: "2026-01-01", Machine: "a processor", PeerVersions: map[string]string{"numpy": "numpy 2"}}
	for _, threads := range []int{1, 2} {
		r.Rows = append(r.Rows,
			Row{Task: "a|b", Threads: threads, Label: "Go", Env: "Go", Seconds: []float64{1, 2, 3},
				TimeRatio: 1, Quality: Quality{"gap": 1e-9}},
			Row{Task: "a|b", Threads: threads, Label: "absent", Env: "debian", Note: "no numpy"})
	}
	text := r.markdown()
	if n := strings.Count(text, "| a\\|b |"); n != 2 {
		t.Errorf("the task is named %d times:\n%s", n, text)
	}
	for _, want := range []string{"- numpy: numpy 2", "1 s – 3 s", "no numpy", "gap 10⁻⁹", "| 2 s |"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// newLoggedTask returns a task with three implementations that log their calls, and one that does not start. The time
// of a call is the length of the name. A call first calls the function in do with the number of the call.
func newLoggedTask(log *[]string, do map[string]func(call int) error) task {
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
			return nil, errors.New("not installed")
		}})
		return w
	}}
}

// TestMeasure tests that implementations take turns, that a failure of one does not stop the others, that each is
// closed once, and that the times remain when the context ends.
func TestMeasure(t *testing.T) {
	var log []string
	b := newBench(t, 3)
	rows := b.measure(newLoggedTask(&log, map[string]func(int) error{"bb": func(call int) error {
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
	}{{3, 1, ""}, {1, 2, "broken"}, {3, 4, ""}, {0, 0, "not installed"}} {
		r := rows[i]
		if len(r.Seconds) != want.rounds || r.TimeRatio != want.ratio || r.Note != want.note {
			t.Errorf("row %d: %+v, want %+v", i, r, want)
		}
		if r.Note == "" && (r.Quality["first"] != 1 || r.Quality["own"] != want.ratio) {
			t.Errorf("row %d has the quality %v", i, r.Quality)
		}
	}

	var cancel context.CancelFunc
	b.ctx, cancel = context.WithCancel(b.ctx)
	log = nil
	rows = b.measure(newLoggedTask(&log, map[string]func(int) error{"a": func(call int) error {
		if call == 3 {
			cancel()
		}
		return nil
	}}), []int{1})
	if len(rows[0].Seconds) != 2 || rows[0].medianSeconds() != 1 || !strings.Contains(rows[0].Note, "2 of 3") {
		t.Errorf("stopped in the third round: %+v", rows[0])
	}
	rows = b.measure(task{name: "t", prepare: func(*bench) *workload { panic(failure{errors.New("no input")}) }},
		[]int{1})
	if len(rows) != 1 || rows[0].Note != "no input" {
		t.Errorf("a task without input: %+v", rows)
	}
}

// smallTasks lists tasks of the default peers at small sizes, with a bound of each quality: the rounding error of about
// n operations, and for fits the requested gap.
var smallTasks = []struct {
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

func checkQuality(t *testing.T, rows []Row, bound Quality) {
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

// TestGoImplementations tests that every task reaches its quality without peers, and 1e-10 where its name states this.
func TestGoImplementations(t *testing.T) {
	for _, s := range smallTasks {
		rows := newBench(t, 1).measure(task{name: s.name, prepare: s.make}, []int{1, 2})
		if len(rows) == 0 || rows[0].Env != "Go" {
			t.Fatalf("%s: %+v", s.name, rows)
		}
		checkQuality(t, rows, s.bound)
		for _, r := range rows {
			if strings.HasSuffix(r.Label, "to 1e-10") && !(r.Quality["gap"] <= 1e-10 && r.Quality["support"] > 0) {
				t.Errorf("%s, %s: %v", s.name, r.Label, r.Quality)
			}
		}
	}
}

// TestPeers tests the same in the peers, on the same input.
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
	for _, s := range smallTasks {
		rows := b.measure(task{name: s.name, prepare: s.make}, []int{1})
		if !slices.ContainsFunc(rows,
			func(r Row) bool { return r.Env == "numpy" && strings.Contains(r.Software, "numpy ") }) {
			t.Errorf("%s: no row of numpy", s.name)
		}
		checkQuality(t, rows, s.bound)
	}
}

// TestMissingPeers tests that the row of a peer that is not installed, or that fails, contains the reason.
func TestMissingPeers(t *testing.T) {
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

// TestQualityTables tests the two tables: differences of 1, 1, 0, 1, 0 on five splits, 0.6 on average, have the
// standard error √(1/5 + 1/3)·√0.3 = 0.4. A method that is worse than the best by more is not counted, nor is one that
// the tables do not have.
func TestQualityTables(t *testing.T) {
	var rows []Row
	for _, part := range []string{developmentPrefix, heldOutPrefix} {
		for i, side := range []string{"Learn", "Gaussian", "random forest"} {
			if i == 0 && part == heldOutPrefix {
				continue // as without -held-out
			}
			scores := [][]float64{{80, 80, 80, 80, 80}, {80, 81, 80, 81, 79}, {81, 81, 80, 81, 80}}[i]
			rows = append(rows, Row{Task: part + "a set", Label: side, Scores: scores,
				Seconds: []float64{2 - float64(i)/2}})
		}
	}
	rows = append(rows, Row{Task: heldOutPrefix + "a set", Label: "another", Scores: []float64{99, 99, 99, 99, 99}},
		Row{Task: heldOutPrefix + "absent", Note: "no network"})
	text := (&Report{Rows: rows}).markdown()
	for _, want := range []string{
		"| a set | random forest | 80.0 (−0.6 ± 0.4) | 80.2 (−0.4 ± 0.4) | – | – | 80.6 | – |",
		"| a set | random forest | – | 80.2 (−0.4 ± 0.4) | – | – | 80.6 | – |",
		"| Learn | 0 of 1 | 0 of 0 | 1 of 1 | 0 of 0 | 3.0 | – | 1.33 |",
		"| Gaussian | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 | 2.0 | 2.0 | 1.00 |",
		"| random forest | 1 of 1 | 1 of 1 | 1 of 1 | 1 of 1 | 1.0 | 1.0 | 0.67 |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
