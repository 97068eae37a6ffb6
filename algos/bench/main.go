// Bench times this library beside its peers: each task in Go and, where a peer exists, in the peer on
// byte-identical input, in turns within one run, with what each reached beside its time.
//
//	go run ./algos/bench                        every task, in Go, in the system's numpy and in pip's
//	go run ./algos/bench -list                  the tasks
//	go run ./algos/bench -task 'gemm|ridge' -threads 1 -n 3
//	go run ./algos/bench -task quality -threads 1 -peers tables   Learn beside tuned models of scikit-learn on 35
//	                                            tables: QUALITY.md; stopped, it goes on where it was
//	go run ./algos/bench -task cell -cells 200  200 rounds of notebook cells, lost displays counted
//	go run ./algos/bench -peers numpy,himalaya  other peers; -peers "" for Go alone; mklpy brings 6 GB
//	go run ./algos/bench -cpu -threads 1        processor time instead of the clock, on a loaded machine
//	go run ./algos/bench -json FILE -markdown   the same as JSON, and the table as Markdown
//
// A round times every side on every number of threads once; the table has medians over the rounds, and
// their ratio to the first side on as many threads. A timing of less than 20 ms is the mean of as many
// calls as fill that, after one that is not counted. Python lives for a whole task, so neither its
// start nor imports are timed; after a peer with threads of its own the run waits until they sleep.
// One thread means GOMAXPROCS=1 for Go and one thread of BLAS for the peer.
//
// Peers are numpy, scipy and scikit-learn in a virtual environment of locked packages in the cache
// folder (MKL_CACHE, else the user's cache folder + "mkl"), made when first needed, and the numpy of
// Debian (/usr/bin/python3), which uses the same OpenBLAS as Go where both find the system's. Where a
// peer is not to be had, Go runs alone and the row says why. Simulated inputs follow from fixed seeds.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/mklnb/mkl/algos/linalg/openblas"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	go func() { <-ctx.Done(); stop() }() // a second one ends at once
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// processorClock is the variable of the environment that tells peers of -cpu.
const processorClock = "MKL_BENCH_CPU"

// bench is one run of the command.
type bench struct {
	ctx           context.Context // ends the run
	rounds, cells int             // rounds of a task, and of the task of notebook cells
	threads       []int
	warm          time.Duration // of each side before the first timing, for each thread
	envs          map[string]*environment
	dir           string // for inputs; it is removed at the end
	heldOut       bool   // Learn runs on the sets that are held out too
	say           func(string)
}

func run(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("bench", flag.ExitOnError)
	list := f.Bool("list", false, "list the tasks and leave")
	pattern := f.String("task", "", "run the tasks whose name matches this regular `expression`")
	b := &bench{ctx: ctx, warm: 200 * time.Millisecond, say: func(s string) { fmt.Fprintln(os.Stderr, s) }}
	f.IntVar(&b.rounds, "n", 7, "rounds of a task")
	f.IntVar(&b.cells, "cells", 20, "rounds of notebook cells")
	asked := "1,2"
	if runtime.NumCPU() == 1 {
		asked = "1"
	}
	threads := f.String("threads", asked, "numbers of `threads`, with commas")
	peers := f.String("peers", "debian,numpy",
		"`environments` of the peers, with commas: debian, numpy, tables, himalaya, mklpy; empty for Go alone")
	f.BoolVar(&b.heldOut, "held-out", false, "in the task quality, Learn on the sets that are held out too")
	cpu := f.Bool("cpu", false, "time by the processor's clock: on a loaded machine, with -threads 1")
	jsonFile := f.String("json", "", "write the report as JSON to this `file`")
	markdown := f.Bool("markdown", false, "print the table as Markdown")
	f.Parse(args)
	if *cpu {
		clock = func() float64 { s, _ := resources(); return s }
		os.Setenv(processorClock, "1") // for the peers
	}
	switch {
	case f.NArg() > 0:
		return fmt.Errorf("bench: %q is not expected: tasks are chosen by -task", f.Arg(0))
	case b.rounds < 1 || b.cells < 1:
		return fmt.Errorf("bench: %d rounds and %d of cells, want at least 1", b.rounds, b.cells)
	}
	var err error
	for _, s := range strings.Split(*threads, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return fmt.Errorf("bench: -threads %q: expected whole numbers with commas", *threads)
		}
		b.threads = append(b.threads, n)
	}
	if b.envs, err = environmentsOf(strings.Split(*peers, ","), b.say); err != nil {
		return err
	}
	tasks, err := selectTasks(allTasks(), *pattern)
	if err != nil {
		return err
	}
	if *list {
		for _, t := range tasks {
			fmt.Printf("%-30s %s\n", t.name, t.about)
		}
		return nil
	}
	if b.dir, err = os.MkdirTemp("", "mkl-bench-*"); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(b.dir)
	report := b.all(tasks)
	if err := report.write(os.Stdout, *markdown); err != nil || *jsonFile == "" {
		return err
	}
	return report.encode(*jsonFile)
}

// allTasks are the tasks in the order of the table.
func allTasks() []task {
	return slices.Concat(denseTasks(), svmTasks(), nkrrTasks(), table1Tasks(), weightsTasks(), simpleMKLTasks(),
		regressionTasks(), scaleTasks(), qnpklTasks(), qualityTasks(), tklTasks(), similarityTasks(), cellTasks())
}

// all runs tasks until they or the context end.
func (b *bench) all(tasks []task) *Report {
	r := &Report{Date: time.Now().UTC().Format("2006-01-02 15:04 UTC"), Machine: thisMachine(),
		Peers: map[string]Origin{}}
	for _, t := range tasks {
		threads := b.threads
		if t.serial {
			threads = []int{runtime.NumCPU()}
		}
		if b.ctx.Err() != nil {
			return r
		}
		b.say(t.name)
		for _, row := range b.measure(t, threads) {
			r.Rows = append(r.Rows, row)
			if row.Env != "Go" && len(row.Origin.Versions) > 0 {
				r.Peers[row.Env] = r.Peers[row.Env].union(row.Origin)
			}
		}
	}
	return r
}
