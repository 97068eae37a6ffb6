package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/linalg/linalgtest"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/internal/testenv"
	"github.com/mklnb/mkl/mklnb/setup"
)

func TestBackend(t *testing.T) { linalgtest.Backend(t) }

func newBench(t *testing.T, rounds int) *bench {
	return &bench{rounds: rounds, cells: 1, dir: t.TempDir(), say: func(s string) { t.Log(s) }}
}

// TestMedian: as many values above as below, whatever the order; of two, the mean.
func TestMedian(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := 1; n < 20; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = float64(r.IntN(10))
		}
		before, m := slices.Clone(x), median(x)
		below, above := 0, 0
		for _, v := range x {
			if v < m {
				below++
			}
			if v > m {
				above++
			}
		}
		if below > n/2 || above > n/2 {
			t.Errorf("median of %v is %g: %d below, %d above", x, m, below, above)
		}
		if !slices.Equal(x, before) {
			t.Errorf("the values were reordered")
		}
	}
	if m := median([]float64{3, 1}); m != 2 {
		t.Errorf("median of 3 and 1 is %g, want 2", m)
	}
	row := Row{Seconds: []float64{3, 1, 2}}
	if row.summarize(); row.Median != 2 || row.Min != 1 || row.Max != 3 {
		t.Errorf("of 3, 1, 2: %+v", row)
	}
}

func TestNumbers(t *testing.T) {
	for s, want := range map[float64]string{0: "–", 2.5e-7: "0.25 µs", 1.234e-3: "1.23 ms", 0.4567: "457 ms", 0.9999: "1 s", 12.345: "12.3 s"} {
		if got := duration(s); got != want {
			t.Errorf("duration %g is %q, want %q", s, got, want)
		}
	}
	for v, want := range map[float64]string{0: "0", 1.23456e-9: "1.2e-09", 0.81234: "0.8123", -3e-4: "-3.0e-04", 971.4: "971.4"} {
		if got := number(v); got != want {
			t.Errorf("number %g is %q, want %q", v, got, want)
		}
	}
}

// TestSelect: tasks are chosen by name, names are unique, and every task says what it is.
func TestSelect(t *testing.T) {
	all := allTasks()
	seen := map[string]bool{}
	for _, task := range all {
		if seen[task.name] || task.about == "" {
			t.Errorf("task %q is there twice or says nothing of itself", task.name)
		}
		seen[task.name] = true
		some, err := selectTasks(all, "^"+task.name+"$")
		if err != nil || len(some) != 1 || some[0].name != task.name {
			t.Errorf("-task ^%s$ chooses %d tasks, %v", task.name, len(some), err)
		}
	}
	if some, err := selectTasks(all, ""); err != nil || len(some) != len(all) {
		t.Errorf("without a pattern %d of %d tasks, %v", len(some), len(all), err)
	}
	for _, bad := range []string{"(", "no such task"} {
		if _, err := selectTasks(all, bad); err == nil {
			t.Errorf("-task %q is accepted", bad)
		}
	}
	if _, err := environmentsOf([]string{"numpy", "octave"}, nil); err == nil || !strings.Contains(err.Error(), "octave") {
		t.Errorf("a peer that there is not: %v", err)
	}
}

func example() *Report {
	r := &Report{Date: "2026-01-01", Machine: Machine{CPU: "a processor", Cores: 2, Go: "go1.26"}, Peers: map[string]Origin{
		"numpy": {Versions: map[string]string{"numpy": "2"}, Libraries: []string{"/home/someone/lib/libopenblas.so (OpenBLAS 0.3)"}}}}
	for _, threads := range []int{1, 2} {
		r.Rows = append(r.Rows,
			Row{Task: "a|b", Threads: threads, Side: "Go", Env: "Go", Seconds: []float64{1, 2, 3}, Median: 2, Min: 1, Max: 3, Ratio: 1, Quality: Quality{"gap": 1e-9}},
			Row{Task: "a|b", Threads: threads, Side: "numpy", Env: "numpy", Seconds: []float64{1}, Median: 1, Min: 1, Max: 1, Ratio: 0.5},
			Row{Task: "a|b", Threads: threads, Side: "absent", Env: "debian", Note: "no numpy"})
	}
	return r
}

// TestJSON: what is written is read back the same.
func TestJSON(t *testing.T) {
	want := example()
	want.Rows[0].Quality = Quality{"gap": 0.5, "bad": math.NaN(), "worse": math.Inf(1)}.finite()
	path := filepath.Join(t.TempDir(), "report.json")
	if err := want.encode(path); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got := &Report{}
	if err := json.Unmarshal(text, got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("written\n%+v\nread\n%+v", want, got)
	}
}

// TestTable: both forms name a task once for each number of threads, say why a row is empty, list
// the rows that a peer is faster in, and tell nobody's folders.
func TestTable(t *testing.T) {
	for _, markdown := range []bool{false, true} {
		var b bytes.Buffer
		if err := example().write(&b, markdown); err != nil {
			t.Fatal(err)
		}
		text, name := b.String(), "a|b"
		if markdown {
			name = "a\\|b"
			table := text[strings.Index(text, "\n| "):strings.LastIndex(text, "|\n")]
			for line := range strings.Lines(table) {
				if n := strings.Count(strings.ReplaceAll(line, "\\|", ""), " | "); line != "\n" && n != 4 { // task, threads, Go, numpy, reached
					t.Errorf("%d separators in %q, want 4", n, line)
				}
			}
		}
		if n := strings.Count(text, name); n != 2+2*map[bool]int{false: 1, true: 0}[markdown] {
			t.Errorf("the task is named %d times:\n%s", n, text)
		}
		if want := "1 s – 3 s"; !markdown && !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
		for _, want := range []string{"no numpy", "gap 1.0e-09", "0.50", "a|b, threads 2: numpy takes 0.50 of our time"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %q in\n%s", want, text)
			}
		}
		if strings.Contains(text, "someone") {
			t.Errorf("the folder of a user in\n%s", text)
		}
	}
}

// TestNPY: package data reads what the peers are given.
func TestNPY(t *testing.T) {
	for name, a := range map[string]array{
		"matrix": matrix(3, 2, []float64{1, -2.5, math.Pi, 0, 1e-300, 6}),
		"vector": vector([]float64{1, 2, 3}), "whole": whole([]int{0, -7, 1 << 40}),
	} {
		path := filepath.Join(t.TempDir(), name+".npy")
		if err := a.save(path); err != nil {
			t.Fatal(err)
		}
		d, err := data.Options{Unlabelled: true}.OpenMatrix(path)
		if err != nil {
			t.Fatal(err)
		}
		want := slices.Clone(a.floats)
		for _, v := range a.wholes {
			want = append(want, float64(v))
		}
		if d.N != a.shape[0] || !slices.Equal(d.Data, want) {
			t.Errorf("%s: read %v, written %v", name, d.Data, want)
		}
	}
}

// fake is a side that writes down when it is called.
type fake struct {
	name string
	log  *[]string
	do   func(call int) error
	n    int
}

func (f *fake) time(ctx context.Context, calls int) (float64, error) {
	f.n++
	*f.log = append(*f.log, f.name)
	if f.do != nil {
		if err := f.do(f.n); err != nil {
			return 0, err
		}
	}
	return float64(len(f.name)), ctx.Err()
}
func (f *fake) result(context.Context) ([]float64, error) {
	return []float64{float64(len(f.name))}, nil
}
func (f *fake) told() Origin { return Origin{} }
func (f *fake) close()       { *f.log = append(*f.log, "close "+f.name) }

func fakes(log *[]string, do map[string]func(int) error) func(context.Context, *bench) (*work, error) {
	return func(context.Context, *bench) (*work, error) {
		w := &work{calls: 1, judge: func(r, ours []float64) Quality { return Quality{"own": r[0], "first": ours[0]} }}
		for _, name := range []string{"a", "bb", "cccc"} {
			w.sides = append(w.sides, entry{name, name, func(context.Context, int) (side, error) { return &fake{name: name, log: log, do: do[name]}, nil }})
		}
		w.sides = append(w.sides, entry{"none", "none", func(context.Context, int) (side, error) { return nil, errors.New("there is none") }})
		return w, nil
	}
}

// TestMeasure: sides take turns, one that fails or is not there stops no other, every side is closed
// once, and what was measured stays when the context ends.
func TestMeasure(t *testing.T) {
	var log []string
	b := newBench(t, 3)
	rows := b.measure(context.Background(), task{name: "t", make: fakes(&log, map[string]func(int) error{"bb": func(call int) error {
		if call == 2 {
			return errors.New("broken")
		}
		return nil
	}})}, []int{1})
	if want := strings.Fields("a bb cccc a bb close_bb cccc a cccc close_a close_cccc"); strings.ReplaceAll(strings.Join(log, " "), "close ", "close_") != strings.Join(want, " ") {
		t.Errorf("order %q, want %q", log, want)
	}
	for i, want := range []struct {
		rounds int
		ratio  float64
		note   string
	}{{3, 1, ""}, {1, 2, "broken"}, {3, 4, ""}, {0, 0, "there is none"}} {
		r := rows[i]
		if len(r.Seconds) != want.rounds || r.Ratio != want.ratio || r.Note != want.note {
			t.Errorf("row %d: %+v, want %+v", i, r, want)
		}
		if r.Note == "" && (r.Quality["first"] != 1 || r.Quality["own"] != want.ratio) {
			t.Errorf("row %d was judged by %v", i, r.Quality)
		}
	}

	ctx, cancel := context.WithCancel(context.Background())
	log = nil
	rows = b.measure(ctx, task{name: "t", make: fakes(&log, map[string]func(int) error{"a": func(call int) error {
		if call == 3 {
			cancel()
		}
		return nil
	}})}, []int{1})
	if len(rows[0].Seconds) != 2 || rows[0].Median != 1 || rows[0].Note != "stopped after 2 of 3 rounds" {
		t.Errorf("stopped in the third round: %+v", rows[0])
	}
	if rows := b.measure(ctx, task{name: "t", make: func(context.Context, *bench) (*work, error) { return nil, errors.New("no input") }}, []int{1}); len(rows) != 1 || rows[0].Note != "no input" {
		t.Errorf("a task without input: %+v", rows)
	}
}

// small are all programs of the default peers at sizes of a moment, with bounds of what each
// reaches: rounding of about n operations, and for fits what they were asked for.
var small = []struct {
	name  string
	make  func(ctx context.Context, b *bench) (*work, error)
	bound Quality
}{
	{"gemm", func(_ context.Context, b *bench) (*work, error) { return gemm(b, 40) }, Quality{"error": 1e-13}},
	{"cholesky", func(_ context.Context, b *bench) (*work, error) { return cholesky(b, 40) }, Quality{"residual": 1e-13}},
	{"eigh", func(_ context.Context, b *bench) (*work, error) { return eigh(b, 40) }, Quality{"residual": 1e-13, "orthogonality": 1e-12}},
	{"ridge", func(_ context.Context, b *bench) (*work, error) { return ridge(b, 60) }, Quality{"residual": 1e-13}},
	{"nkrr", func(_ context.Context, b *bench) (*work, error) { return nkrr(b, 40, 100, false) }, Quality{"difference": 1e-8}},
	{"nkrr sparse", func(_ context.Context, b *bench) (*work, error) { return nkrr(b, 40, 300, true) }, Quality{"difference": 1e-8}},
	{"fit", sonarFit, Quality{"gap": 1e-7}},
	{"mkl", func(ctx context.Context, b *bench) (*work, error) { return weights(ctx, b, 60) }, Quality{"gap": 1.1e-4}},
}

func reached(t *testing.T, rows []Row, bound Quality) {
	t.Helper()
	for _, r := range rows {
		if r.Note != "" || len(r.Seconds) == 0 {
			t.Errorf("%s, %s: %s", r.Task, r.Side, r.Note)
			continue
		}
		for k, v := range bound {
			if got, ok := r.Quality[k]; !ok || !(got <= v) {
				t.Errorf("%s, %s: %s is %g, want at most %g (%v)", r.Task, r.Side, k, got, v, r.Quality)
			}
		}
	}
}

// TestAlone: without peers every task reaches what it should.
func TestAlone(t *testing.T) {
	for _, s := range small {
		rows := newBench(t, 1).measure(t.Context(), task{name: s.name, make: s.make}, []int{1, 2})
		if len(rows) == 0 || rows[0].Env != "Go" {
			t.Fatalf("%s: %+v", s.name, rows)
		}
		reached(t, rows, s.bound)
	}
}

// TestClassify: on each data set weights are learned to the gap, on fewer kernels than equal weights
// take, and both classify the other half much better than the larger class does.
func TestClassify(t *testing.T) {
	for _, task := range classifyTasks() {
		rows := newBench(t, 1).measure(t.Context(), task, []int{1})
		reached(t, rows, Quality{"weights": 13})
		if len(rows) != 2 || rows[0].Quality["weights"] >= 13 || rows[0].Quality["accuracy"] < 80 || rows[1].Quality["weights"] != 13 || rows[1].Quality["accuracy"] < 80 {
			t.Errorf("%s: %+v", task.name, rows)
		}
	}
}

// TestPeers: the same in the peers, on the same input.
func TestPeers(t *testing.T) {
	testenv.Long(t) // the peers are 300 MB of Python
	b := newBench(t, 1)
	var err error
	if b.envs, err = environmentsOf([]string{"numpy", "debian"}, b.say); err != nil {
		t.Fatal(err)
	}
	if _, err := b.envs["numpy"].get(t.Context()); err != nil {
		testenv.Lacks(t, err.Error())
	}
	if _, err := b.envs["debian"].get(t.Context()); err != nil { // a peer of one system alone
		t.Log(err)
		delete(b.envs, "debian")
	}
	for _, s := range small {
		rows := b.measure(t.Context(), task{name: s.name, make: s.make}, []int{1})
		if !slices.ContainsFunc(rows, func(r Row) bool { return r.Env == "numpy" && r.Origin.Versions["numpy"] != "" }) {
			t.Errorf("%s: no row of numpy", s.name)
		}
		reached(t, rows, s.bound)
	}
}

// TestNoPeer: a peer that cannot be had has a row that says why, and one that fails another.
func TestNoPeer(t *testing.T) {
	b := newBench(t, 1)
	absent := &environment{make: func(context.Context) (string, error) { return "", errors.New("no network") }}
	broken := &environment{make: func(context.Context) (string, error) { return "false", nil }} // the command that fails
	b.envs = map[string]*environment{"numpy": absent, "debian": broken}
	rows := b.measure(t.Context(), task{name: "gemm", make: small[0].make}, []int{1})
	if len(rows) != 3 || rows[0].Note != "" || rows[0].Ratio != 1 {
		t.Fatalf("Go beside peers that fail: %+v", rows)
	}
	for _, r := range rows[1:] {
		if r.Note == "" || r.Env == "numpy" && r.Note != "no network" {
			t.Errorf("%s: note %q", r.Env, r.Note)
		}
	}
}

// TestLocks: every package of a lock has hashes, and every wish is in it.
func TestLocks(t *testing.T) {
	for name, lock := range map[string][]byte{"requirements.in": numpyLock, "biopython.in": biopythonLock, "himalaya.in": himalayaLock, "mklpy.in": mklpyLock} {
		lines := strings.Split(string(lock), "\n")
		pins := 0
		for i, line := range lines {
			if strings.Contains(line, "==") && !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "#") {
				if pins++; !strings.Contains(lines[i+1], "--hash=sha256:") {
					t.Errorf("%s: no hash of %s", name, line)
				}
			}
		}
		if pins < 4 {
			t.Errorf("%s: %d packages in its lock", name, pins)
		}
		wishes, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(wishes)) {
			if p, _, _ := strings.Cut(strings.TrimSpace(line), " "); strings.Contains(p, "==") && !strings.Contains(string(lock), "\n"+p+" ") {
				t.Errorf("%s: %s is not in the lock", name, p)
			}
		}
	}
}

// TestCells: cells run through real kernels and the chart arrives.
func TestCells(t *testing.T) {
	testenv.Long(t)
	b := newBench(t, 1)
	if _, err := setup.Ensure(t.Context(), b.say); err != nil {
		testenv.Lacks(t, err.Error())
	}
	start := time.Now()
	rows := b.measure(t.Context(), cellTasks()[0], []int{2})
	if len(rows) != len(cells)+1 {
		t.Fatalf("%+v", rows)
	}
	for i, row := range rows {
		if i < len(cells) && cells[i].Charts > 0 {
			if reached(t, rows[i:i+1], Quality{"lost": 0}); row.Quality["shown"] != 1 {
				t.Errorf("%s: a chart was expected: %v", row.Side, row.Quality)
			}
			continue
		}
		reached(t, rows[i:i+1], nil)
	}
	t.Logf("%.1f s", time.Since(start).Seconds())
}

// TestSVM: both sides reach the gap that they were asked for, judged in doubled precision.
func TestSVM(t *testing.T) {
	b := newBench(t, 1)
	for _, kind := range []string{"classify", "regression"} {
		rows := b.measure(t.Context(), task{name: kind, make: func(ctx context.Context, b *bench) (*work, error) { return svm(ctx, b, kind, true, 60, 10) }}, []int{1})
		if len(rows) != 2 {
			t.Fatalf("%d rows, want 2: %+v", len(rows), rows)
		}
		for i, most := range []float64{1e-3, 1e-10} {
			if q := rows[i].Quality; !(q["gap"] <= most) || !(q["rounding"] > 0) || q["support"] == 0 || rows[i].Note != "" {
				t.Errorf("%s, %s: %v %s, want a gap of at most %g", kind, rows[i].Side, q, rows[i].Note, most)
			}
		}
	}
	// products whose sums cancel: 1 + 2⁻⁶⁰ − 1
	if got := doubled(1, []float64{1}, []float64{2})[0]; got != 2 {
		t.Errorf("1·2 = %g", got)
	}
	a := []float64{1, 0x1p-60, -1, 0, 0, 0, 0, 0, 0}
	if got := doubled(3, a, []float64{1, 1, 1})[0]; got != 0x1p-60 {
		t.Errorf("1 + 2⁻⁶⁰ − 1 = %g", got)
	}
}
