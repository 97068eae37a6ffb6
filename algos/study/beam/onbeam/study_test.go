package onbeam

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/data"
)

func TestMain(m *testing.M) {
	flag.Parse()
	beam.Init()
	os.Exit(m.Run())
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// trouble is what happens at the start of each element, as its study binds the family; nil: nothing.
var trouble atomic.Pointer[func()]

// troubled is a family that has trouble in elements.
type troubled struct{ Sum kernel.Sum }

func init() { registry.Register(troubled{}) }

// On binds the family to x.
func (f troubled) On(x points.Points) kernel.Grams {
	if do := trouble.Load(); do != nil && len(turn) > 0 {
		(*do)()
	}
	return f.Sum.On(x)
}

// during sets trouble for the time of a test.
func during(t *testing.T, do func()) {
	trouble.Store(&do)
	t.Cleanup(func() { trouble.Store(nil) })
}

// normal is n points of two classes, of two normal distributions each, in d dimensions.
func normal(n, d int) *data.Dataset {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := points.Rows{N: n, D: d, Data: make([]float64, n*d)}, make([]float64, n)
	for i := range y {
		y[i] = float64(2*(i%2) - 1)
		for j := range d {
			x.Row(i)[j] = rng.NormFloat64() + float64(i%3)*y[i]
		}
	}
	return &data.Dataset{Name: "normal", X: x, Y: y, Classes: []string{"left", "right"}}
}

// small is a study of 4 splits.
func small(once bool) *compare.Study {
	f := troubled{kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}},
		Prepare: points.Preprocessing{points.Standardize}}}
	ridge, d := compare.Ridge(compare.HalfDecades(-1, 1)...), normal(40, 3)
	return &compare.Study{Data: d, Splits: must(compare.Halves(d.Y, 4, 5)), Seed: 3, CentreTargets: true,
		Selection: compare.Selection{Folds: 3, Once: once}, Methods: []compare.Method{
			{Name: "uniform", Family: f, Grid: compare.Grid{ridge, compare.Rules(mkl.Uniform{})}},
			{Name: "learned", Family: f, Grid: compare.Grid{ridge, compare.Balls(2, 1, 0.5, 2)}},
			{Name: "best", Among: []string{"uniform", "learned"}},
		}}
}

// text is all of a table that is not a time.
func text(t *compare.Table) string {
	t.Seconds = 0
	for i := range t.Rows {
		for j := range t.Rows[i].Runs {
			t.Rows[i].Runs[j].Seconds = 0
		}
	}
	return fmt.Sprintf("%+v\n%v", *t, t)
}

// files are the names of what a folder has.
func files(t *testing.T, folder string) []string {
	t.Helper()
	var all []string
	for _, f := range must(os.ReadDir(folder)) {
		all = append(all, f.Name())
	}
	return all
}

// says fails unless there is an error that says this.
func says(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one that says %q", err, want)
	}
}

// TestSame: goroutines, three shards whose folders are copied together, prism with a folder, and prism with workers
// that copy their results to an address, have one table, and the folders the same keys.
func TestSame(t *testing.T) {
	for _, once := range []bool{false, true} {
		s := small(once)
		want := text(must(s.Run(t.Context(), nil)))

		shards := t.TempDir()
		for i := range 3 {
			part := *s
			part.Store = t.TempDir()
			must(part.RunUnits(t.Context(), must(compare.Shard(s.Units(), i, 3)), nil))
			for _, f := range files(t, part.Store) {
				if err := os.Rename(filepath.Join(part.Store, f), filepath.Join(shards, f)); err != nil {
					t.Fatal(err)
				}
			}
		}
		merged := *s
		merged.Store = shards
		table, left, err := merged.StoredTable(t.Context())
		if got := text(table); err != nil || len(left) > 0 || got != want {
			t.Errorf("once %v: of shards, units %v left, %v\n%s\nwant\n%s", once, left, err, got, want)
		}

		folder, began := t.TempDir(), atomic.Int64{}
		during(t, func() { began.Add(1) })
		if got := text(must(Study(t.Context(), s, folder))); got != want {
			t.Errorf("once %v: of Beam\n%s\nwant\n%s", once, got, want)
		}
		if got := files(t, folder); !reflect.DeepEqual(got, files(t, shards)) || began.Load() == 0 {
			t.Errorf("once %v: keys of Beam\n%v\nof shards\n%v", once, got, files(t, shards))
		}
		began.Store(0)
		if got := text(must(Study(t.Context(), s, folder))); got != want || began.Load() > 0 {
			t.Errorf("once %v: again, %d elements began, and the table is\n%s\nwant\n%s", once, began.Load(), got, want)
		}
		if got := text(must(Study(t.Context(), s, fmt.Sprintf("memfs://once-%v", once)))); got != want {
			t.Errorf("once %v: by way of an address\n%s\nwant\n%s", once, got, want)
		}
		if began.Load() == 0 {
			t.Error("by way of an address: no element began")
		}
	}
}

// TestTwice: elements that come twice leave what they leave once, and one runs at a time.
func TestTwice(t *testing.T) {
	s, folder := small(false), t.TempDir()
	want := text(must(s.Run(t.Context(), nil)))
	var running, most, began atomic.Int64
	during(t, func() {
		most.Store(max(most.Load(), running.Add(1)))
		began.Add(1)
		time.Sleep(20 * time.Millisecond)
		running.Add(-1)
	})
	q := must(ask(s, folder))
	if err := run(t.Context(), q.pipeline(append(s.Units(), s.Units()...))); err != nil {
		t.Fatal(err)
	}
	if most.Load() != 1 || int(began.Load()) < 2*len(s.Units()) {
		t.Errorf("%d elements at a time, %d began", most.Load(), began.Load())
	}
	had := files(t, folder)
	if got := text(must(Study(t.Context(), s, folder))); got != want || !reflect.DeepEqual(files(t, folder), had) {
		t.Errorf("the table\n%s\nwant\n%s", got, want)
	}
}

// TestPanic: a panic in an element is an error that names the unit; what others have finished is kept.
func TestPanic(t *testing.T) {
	s := small(true)
	want := text(must(s.Run(t.Context(), nil)))
	for _, store := range []string{t.TempDir(), "memfs://panic"} {
		var began atomic.Int64
		during(t, func() {
			if began.Add(1) > 6 { // two are the choice, and a split each
				panic("a unit's own")
			}
		})
		table, err := Study(t.Context(), s, store)
		says(t, err, "split")
		says(t, err, "panic: a unit's own")
		if table == nil || !table.Stopped || len(table.Rows[0].Runs) != 2 {
			t.Errorf("%s: the table of what is kept is %v, want two splits", store, table)
		}
		trouble.Store(nil)
		if got := text(must(Study(t.Context(), s, store))); got != want {
			t.Errorf("%s: after a panic\n%s\nwant\n%s", store, got, want)
		}
	}
}

// TestError: where results cannot be kept the pipeline fails, and says where; so does a worker with other keys.
func TestError(t *testing.T) {
	s, folder := small(false), filepath.Join(t.TempDir(), "store")
	during(t, func() {
		_ = os.RemoveAll(folder)
		_ = os.WriteFile(folder, nil, 0o600)
	})
	_, err := Study(t.Context(), s, folder)
	says(t, err, folder)
	says(t, err, "is a file")
	trouble.Store(nil)

	q := must(ask(s, t.TempDir()))
	q.Keys = "of another program"
	says(t, run(t.Context(), q.pipeline(s.Units())), "other keys")
	if left := files(t, q.Store); len(left) > 0 {
		t.Errorf("a worker with other keys has kept %v", left)
	}
	unnamed := *s
	unnamed.Methods = nil
	_, err = Study(t.Context(), &unnamed, t.TempDir())
	says(t, err, "no methods")
	_, err = Study(t.Context(), s, "nowhere://results")
	says(t, err, "nowhere")
}

// TestStop: the end of the context, by a cancellation or a deadline, leaves what is finished; no element runs after it,
// slow ones neither; and the rest is run later.
func TestStop(t *testing.T) {
	s := small(false)
	want := text(must(s.Run(t.Context(), nil)))
	for name, limited := range map[string]func(func()) (context.Context, context.CancelFunc){
		"canceled": func(second func()) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(t.Context())
			during(t, func() { second(); cancel() })
			return ctx, cancel
		},
		"deadline": func(second func()) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(time.Second))
			during(t, func() { second(); <-ctx.Done() })
			return ctx, cancel
		},
	} {
		folder, began := t.TempDir(), atomic.Int64{}
		ctx, cancel := limited(func() { began.Add(1) })
		table, err := Study(ctx, s, folder)
		cancel()
		if err != nil || !table.Stopped || began.Load() > 1 {
			t.Errorf("%s: %d elements began, %v, %v", name, began.Load(), table, err)
		}
		n, kept := began.Load(), files(t, folder)
		time.Sleep(200 * time.Millisecond)
		if began.Load() != n || !reflect.DeepEqual(files(t, folder), kept) {
			t.Errorf("%s: %d elements began after the end", name, began.Load()-n)
		}
		trouble.Store(nil)
		if got := text(must(Study(t.Context(), s, folder))); got != want {
			t.Errorf("%s: then\n%s\nwant\n%s", name, got, want)
		}
	}
}

// built builds a program of the folder in dir.
func built(t *testing.T, folder, dir, name string) string {
	t.Helper()
	program := filepath.Join(dir, name)
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-w", "-o", program, ".")
	build.Dir = folder
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return program
}

// TestCommand: the command prints the table, of workers that are other processes too, which have neither its flags
// nor its globals; it says what is wrong, and SIGTERM leaves what is finished.
func TestCommand(t *testing.T) {
	d := must(data.Load("sonar"))
	s := small(true)
	s.Data, s.Splits = d, must(compare.Halves(d.Y, 2, 1))
	for i, m := range s.Methods {
		if m.Family != nil {
			s.Methods[i].Family = m.Family.(troubled).Sum // what every program has registered
		}
	}
	dir := t.TempDir()
	file, program := filepath.Join(dir, "study.json"), built(t, "..", dir, "beam-study")
	command := func(args ...string) *exec.Cmd { return exec.CommandContext(t.Context(), program, args...) }
	if err := s.Save(file); err != nil {
		t.Fatal(err)
	}

	// What the start program of Beam's container does: prism has all its services at one address.
	worker := filepath.Join(dir, "worker")
	script := "#!/bin/sh\nid=$(echo \"$1\" | tr -d \"'\")\nat=${2#--provision_endpoint=}\necho begun >>" + worker +
		".begun\nexec '" + program +
		"' --worker $id --control_endpoint=$at --logging_endpoint=$at --options={}\n"
	if err := os.WriteFile(worker, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	far := []string{"-environment_type", "process", "-environment_config", `{"command":"` + worker + `"}`}
	for name, flags := range map[string][]string{"loopback": nil, "process": far} {
		out, err := command(append(flags, "-store", filepath.Join(dir, name), file)...).Output()
		if failed, ok := err.(*exec.ExitError); ok {
			t.Errorf("%s: %v: %s", name, err, failed.Stderr)
		}
		if !strings.Contains(string(out), "learned") {
			t.Errorf("%s: prints %s, want a table", name, out)
		}
	}
	if begun, err := os.ReadFile(worker + ".begun"); err != nil || len(begun) == 0 {
		t.Errorf("no worker process began: %v", err)
	}
	if near, far := files(t, filepath.Join(dir, "loopback")), files(t, filepath.Join(dir, "process")); len(near) == 0 ||
		!reflect.DeepEqual(near, far) {
		t.Errorf("keys of workers in the process\n%v\nof others\n%v", near, far)
	}
	other := built(t, "../../../compare/cmd/mkl-study", dir, "mkl-study")
	shown, err := exec.CommandContext(t.Context(), other, "show", "-store", filepath.Join(dir, "process"),
		file).CombinedOutput()
	if err != nil || !strings.Contains(string(shown), "learned") {
		t.Errorf("mkl-study, a program with other modules, finds of what Beam has kept: %v, %s", err, shown)
	}

	for want, args := range map[string][]string{"want -store DIR": {file},
		"no such file": {"-store", dir, "absent.json"}} {
		out, err := command(args...).CombinedOutput()
		says(t, fmt.Errorf("%w: %s", err, out), want)
	}

	s.Splits, s.Selection.Once = must(compare.Halves(d.Y, 30, 1)), false
	long, stopped := filepath.Join(dir, "long.json"), filepath.Join(dir, "stopped")
	if err := s.Save(long); err != nil {
		t.Fatal(err)
	}
	cmd := command("-store", stopped, long)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for kept := 0; kept == 0; time.Sleep(time.Millisecond) {
		all, _ := os.ReadDir(stopped)
		kept = len(all)
	}
	_ = cmd.Process.Signal(syscall.SIGTERM)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(stderr.String(), "run it again") {
		t.Errorf("SIGTERM: status %d, %s", code, stderr.String())
	}
	had := len(files(t, stopped))
	out, err := command("-store", stopped, long).CombinedOutput()
	if all := len(files(t, stopped)); err != nil || had == 0 || had >= all {
		t.Errorf("of %d results %d were kept at SIGTERM; again: %v, %s", all, had, err, out)
	}
}
