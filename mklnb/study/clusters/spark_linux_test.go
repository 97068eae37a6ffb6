// Package clusters holds tests on clusters of Spark and Slurm.
package clusters

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/mklnb/study"
)

// fixture is a study, its file, and what goroutines of this process compute of it.
type fixture struct {
	*compare.Study
	path, program string
	table         string
	results       int // number of files in a store with all results
}

// newFixture returns a study of sonar with the given number of splits.
func newFixture(t *testing.T, program string, splits int, once bool) *fixture {
	t.Helper()
	d := must(datasets.Load("sonar"))
	f := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.01}, kernel.RBF{Gamma: 0.1}},
		Normalize: kernel.MeanDiagonal, Prepare: points.Preprocessing{points.Standardize}}
	s := &compare.Study{Data: d,
		Settings: fit.Settings{Selection: fit.Selection{Folds: 4, OnAllData: once}}, Splits: must(fit.Halves(d.Y,
			splits, 1)), StoreFolder: t.TempDir(), Methods: []fit.Method{
			{Name: "uniform", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.1, 1),
				fit.Rules(mkl.Uniform{})}}},
			{Name: "learned", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.01, 0.1, 1), fit.Balls(2, 0.5, 1,
				2)}}}}}
	x := &fixture{Study: s, path: filepath.Join(t.TempDir(), "study.jsonl"), program: program}
	if err := study.Save(x.path, s); err != nil {
		t.Fatal(err)
	}
	x.table = text(must(s.Run(t.Context(), nil)))
	x.results = len(files(s.StoreFolder))
	return x
}

// text returns a table without its times.
func text(table *compare.Table) string {
	table.TotalSeconds = 0
	for _, row := range table.Rows {
		for i := range row.Runs {
			row.Runs[i].Seconds = 0
		}
	}
	return fmt.Sprintf("%+v", *table)
}

var files = comparetest.StoredResultTimes

// compare tests that a store has the results of the study, and no others.
func (x *fixture) compare(t *testing.T, store string) {
	t.Helper()
	s := *x.Study
	s.StoreFolder = store
	table, left, err := s.StoredTable(t.Context())
	if err != nil || len(left) > 0 || len(files(store)) != x.results {
		t.Fatalf("%v are left, %d results, want %d: %v", left, len(files(store)), x.results, err)
	}
	if got := text(table); got != x.table {
		t.Errorf("the table of the cluster is\n%s\nthe table of goroutines is\n%s", got, x.table)
	}
}

// driver is one call of the job.
type driver struct {
	*exec.Cmd
	log   string
	ended chan error
}

// submit starts the job on a store, with configuration for Spark.
func (c *cluster) submit(t *testing.T, x *fixture, store string, conf ...string) *driver {
	t.Helper()
	args := []string{"mkl_study_spark.py", "--master", c.master, "--store", store, "--program", x.program,
		"--interval", "0.5"}
	for _, s := range append(conf, "spark.driver.memory=512m", "spark.executor.memory=512m", "spark.ui.enabled=false") {
		args = append(args, "--conf", s)
	}
	d := &driver{Cmd: c.command(c.python, append(args, x.path)...), log: filepath.Join(t.TempDir(), "log")}
	d.ended = c.start(t, d.Cmd, d.log)
	return d
}

// end waits for the end of the job, and tests its status and its output.
func (d *driver) end(t *testing.T, status int, messages ...string) {
	t.Helper()
	select {
	case <-d.ended:
	case <-time.After(5 * time.Minute):
		t.Fatalf("the job has not ended:\n%s", read(t, d.log))
	}
	out := string(read(t, d.log))
	for _, m := range messages {
		if !strings.Contains(out, m) {
			t.Errorf("no %q in the job's output", m)
		}
	}
	if got := d.ProcessState.ExitCode(); got != status || t.Failed() {
		t.Fatalf("the job's status is %d, want %d:\n%s", got, status, out)
	}
}

// TestSpark runs studies on a cluster of two workers. It compares each table with the table of goroutines.
func TestSpark(t *testing.T) {
	testenv.SkipUnlessLong(t)
	c := startMaster(t)
	program := filepath.Join(t.TempDir(), "mkl-study")
	if out, err := exec.Command("go", "build", "-o", program, "../mkl-study").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	small, large := newFixture(t, program, 24, true), newFixture(t, program, 240, false)
	c.startWorker(t)
	t.Run("a worker never comes up", func(t *testing.T) { missingWorker(t, c, small) })
	c.startWorker(t)
	t.Run("an executor is killed", func(t *testing.T) { killedExecutor(t, c, large) })
	t.Run("a worker cannot write", func(t *testing.T) { failingWorker(t, c, small) })
	t.Run("a shard always fails", func(t *testing.T) { failingShard(t, c, small) })
	t.Run("the driver is interrupted and killed", func(t *testing.T) { killedDriver(t, c, large) })
	t.Run("two drivers", func(t *testing.T) { twoDrivers(t, c, small) })
}

// missingWorker runs a job that asks for the cores of two workers, when there is one.
func missingWorker(t *testing.T, c *cluster, x *fixture) {
	store := t.TempDir()
	c.submit(t, x, store, "spark.cores.max=2").end(t, 0, "24 of 24 splits are left, in 6 of 6 shards")
	x.compare(t, store)
}

func killedExecutor(t *testing.T, c *cluster, x *fixture) {
	store := t.TempDir()
	d := c.submit(t, x, store, "spark.speculation=true")
	wait(t, "a quarter of the results", func() bool { return len(files(store)) > x.results/4 })
	executors := c.executors()
	kill(executors[:1])
	if n := len(files(store)); len(executors) != 2 || n == x.results {
		t.Errorf("killed one of %d executors, with %d of %d results", len(executors), n, x.results)
	}
	d.end(t, 0, "240 of 240 splits are left, in 60 of 60 shards", "Lost executor", "splits/s", "s per fit")
	x.compare(t, store)
}

// failingWorker runs a job whose program always fails on one of two workers. The other worker runs all shards.
func failingWorker(t *testing.T, c *cluster, x *fixture) {
	store, wrapped := t.TempDir(), *x
	wrapped.program = filepath.Join(t.TempDir(), "mkl-study")
	script := fmt.Sprintf("#!/bin/sh\ncase $PWD in */worker2/*) echo the store is read-only >&2; exit 1;; esac\n"+
		"exec %s \"$@\"\n", x.program)
	if err := os.WriteFile(wrapped.program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	c.submit(t, &wrapped, store).end(t, 0, "the store is read-only", "s per fit")
	x.compare(t, store)
}

// failingShard runs a job whose split with index 7 cannot be stored: folders have the names of its results.
func failingShard(t *testing.T, c *cluster, x *fixture) {
	store, s := t.TempDir(), *x.Study
	s.StoreFolder = t.TempDir()
	s.Splits = x.Splits[6:7]
	must(s.Run(t.Context(), nil))
	chosen := files(s.StoreFolder) // the choice too, which split 7 also needs
	s.Splits = x.Splits[7:8]
	must(s.Run(t.Context(), nil))
	for name := range files(s.StoreFolder) {
		if _, ok := chosen[name]; !ok {
			if err := os.MkdirAll(filepath.Join(store, name, "folder"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.submit(t, x, store, "spark.task.maxFailures=2").end(t, 1, "shard 1 (sonar: split 2, sonar: split 8, ",
		"failed with status 1 on ", "cannot be written",
		"splits are left; run the job again: it keeps what is finished")
	s.StoreFolder, s.Splits = store, x.Splits
	if _, left, err := s.StoredTable(t.Context()); err != nil || !slices.Contains(left, 7) {
		t.Errorf("%v are left, %v", left, err)
	}
}

// killedDriver interrupts a job twice, with all processes of its group, runs it again and kills its driver, and runs it
// once more.
func killedDriver(t *testing.T, c *cluster, x *fixture) {
	store := t.TempDir()
	for i, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGKILL} {
		d := c.submit(t, x, store)
		wait(t, "some results", func() bool { return len(files(store)) > (i+1)*x.results/5 })
		if err := syscall.Kill(-d.Process.Pid, signal); err != nil {
			t.Fatal(err)
		}
		if signal != syscall.SIGKILL {
			d.end(t, 1, "interrupted", "splits are left; run the job again: it keeps what is finished")
			if log := read(t, d.log); bytes.Contains(log, []byte("Traceback")) {
				t.Errorf("after %v the job printed a traceback:\n%s", signal, log)
			}
		}
		for _, process := range []string{"CoarseGrainedExecutorBackend", x.program, "pyspark.daemon"} {
			wait(t, "the end of "+process, func() bool { return len(c.processes(process)) == 0 })
		}
	}
	s, before := *x.Study, files(store)
	s.StoreFolder = store
	_, all, err := s.StoredTable(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	left := len(all)
	c.submit(t, x, store).end(t, 0, fmt.Sprintf("%d of 240 splits are left", left))
	after := files(store)
	changed := 0
	for name, at := range before {
		if after[name] != at {
			changed++
		}
	}
	// A split that was interrupted has a file with a part of its results, which the last run completes.
	if changed > len(before)-(240-left) || left == 0 || left == 240 {
		t.Errorf("%d splits were left; of %d files, %d are not as they were", left, len(before), changed)
	}
	x.compare(t, store)
	t.Logf("after the interrupt and the kill, %d of 240 splits were left; %d results were not computed again", left,
		len(before))
}

// twoDrivers runs two jobs at once on one store, with one executor each.
func twoDrivers(t *testing.T, c *cluster, x *fixture) {
	store := t.TempDir()
	first := c.submit(t, x, store, "spark.cores.max=1")
	second := c.submit(t, x, store, "spark.cores.max=1")
	wait(t, "two executors", func() bool { return len(c.executors()) == 2 || len(files(store)) == x.results })
	first.end(t, 0, "24 of 24 splits are left")
	second.end(t, 0, "24 splits are left")
	x.compare(t, store)
}
