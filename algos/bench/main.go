// Bench compares the speed and the accuracy of this library with other libraries for Python: numpy, scipy and
// scikit-learn, the peers. It runs the same task on byte-identical input in Go and in each peer, and prints a table of
// times, their ratios, and the quality of the results. README.md contains the last table, and QUALITY.md the last
// comparison of predictions.
//
//	go run ./algos/bench -list                  list the tasks, with a description of each
//	go run ./algos/bench                        every task, in Go, in the system's numpy and in pip's
//	go run ./algos/bench -peers ""              Go alone; other peers: debian, numpy (default: both), tables
//	go run ./algos/bench -task 'svm|mkl' -threads 1,4 -n 3   tasks whose name matches, on 1 and on 4 threads, 3 rounds
//	go run ./algos/bench -cpu -threads 1        processor time instead of wall time, for a loaded machine
//	go run ./algos/bench -task quality -threads 1 -peers tables   Learn and tuned models of scikit-learn on 55 tables
//
// The names of the tasks begin with
//
//	svm        train a support vector machine on a given kernel matrix
//	fit, mkl   kernel ridge regression and multiple kernel learning to a certified gap
//	simplemkl, qnpkl, tkl, eskl, table1   the methods of the papers, each beside its own implementation or numpy
//	scale      bound the minimum for 20,000 and 100,000 points
//	predict    predict one row
//	quality    errors on test points, not times
//
// Each number is a median over 7 rounds (-n), on 1 thread and, with several cores, on 2 (-threads). The ratio is that
// to the first implementation of the row. One thread means GOMAXPROCS=1 for Go and one BLAS thread for the peer.
//
// The first run downloads the peers numpy (with scipy and scikit-learn) and tables (with datasets) into the cache
// folder (MKL_CACHE, by default the user's cache folder + "mkl"). The peer debian is Debian's numpy (/usr/bin/python3).
// If a peer is not available, Go runs alone and the peer's row contains the reason.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
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
	go func() { <-ctx.Done(); stop() }() // a second signal ends the program at once
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// cpuClockVariable is the environment variable that makes the Python programs measure processor time (-cpu).
const cpuClockVariable = "MKL_BENCH_CPU"

// bench is one run of the command.
type bench struct {
	ctx          context.Context // the end of this context stops the run
	rounds       int             // number of rounds of a task
	threads      []int
	warmUpTime   time.Duration // warm-up time of each implementation before its first timing, per thread
	environments map[string]*environment
	tempFolder   string // temporary folder for inputs
	runsHeldOut  bool   // the task quality runs Learn on the held-out sets too (-held-out)
	log          func(string)
}

func run(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("bench", flag.ExitOnError)
	listsTasks := f.Bool("list", false, "list the tasks and exit")
	pattern := f.String("task", "", "run the tasks whose name matches this regular `expression`")
	b := &bench{ctx: ctx, warmUpTime: 200 * time.Millisecond, log: func(s string) { fmt.Fprintln(os.Stderr, s) }}
	f.IntVar(&b.rounds, "n", 7, "`number` of rounds of each task")
	defaultThreads := "1,2"
	if runtime.NumCPU() == 1 {
		defaultThreads = "1"
	}
	threads := f.String("threads", defaultThreads, "numbers of `threads`, separated by commas")
	peerNames := f.String("peers", "debian,numpy",
		"Python environments (`peers`) to compare with: debian, numpy or tables, with commas; empty for Go alone")
	f.BoolVar(&b.runsHeldOut, "held-out", false, "in the task quality, run Learn on the held-out sets too")
	usesCPUTime := f.Bool("cpu", false,
		"measure processor time instead of wall time; use it with -threads 1 on a loaded machine")
	f.Parse(args)
	if *usesCPUTime {
		clock = processorSeconds
		os.Setenv(cpuClockVariable, "1") // the Python programs read this variable and then measure processor time
	}
	switch {
	case f.NArg() > 0:
		return fmt.Errorf("bench: unexpected argument %q; select tasks with -task", f.Arg(0))
	case b.rounds < 1:
		return fmt.Errorf("bench: -n is %d; use at least 1 round", b.rounds)
	}
	var err error
	for _, s := range strings.Split(*threads, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return fmt.Errorf("bench: -threads is %q; use whole numbers ≥ 1, separated by commas", *threads)
		}
		b.threads = append(b.threads, n)
	}
	if b.environments, err = parseEnvironments(strings.Split(*peerNames, ","), b.log); err != nil {
		return err
	}
	tasks, err := selectTasks(allTasks(), *pattern)
	if err != nil {
		return err
	}
	if *listsTasks {
		for _, t := range tasks {
			fmt.Printf("%-30s %s\n", t.name, t.description)
		}
		return nil
	}
	if b.tempFolder, err = os.MkdirTemp("", "mkl-bench-*"); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	defer os.RemoveAll(b.tempFolder)
	_, err = io.WriteString(os.Stdout, b.runTasks(tasks).markdown())
	return err
}

func allTasks() []task {
	return slices.Concat(svmTasks(), predictionTasks(), nkrrTasks(), table1Tasks(), mklWeightTasks(), simpleMKLTasks(),
		largeProblemTasks(), qnpklTasks(), qualityTasks(), tessellatedTasks(), similarityTasks())
}

// runTasks runs the tasks and returns the report. If the context is canceled, it returns before the next task.
func (b *bench) runTasks(tasks []task) *Report {
	r := &Report{Date: time.Now().UTC().Format("2006-01-02 15:04 UTC"), Machine: describeMachine(),
		PeerVersions: map[string]string{}}
	for _, t := range tasks {
		if b.ctx.Err() != nil {
			return r
		}
		b.log(t.name)
		for _, row := range b.measure(t, b.threads) {
			r.Rows = append(r.Rows, row)
			if row.Software != "" {
				r.PeerVersions[row.Env] = row.Software
			}
		}
	}
	return r
}
