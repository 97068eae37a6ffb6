package main

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"slices"
	"time"

	"github.com/mklnb/mkl/algos/linalg"
)

// task is a question that several programs answer on the same input.
type task struct {
	name, about string
	serial      bool // runs once, on all there is, whatever the threads asked for
	rounds      int  // at most so many, where a round takes seconds; if 0, as many as asked for
	make        func(ctx context.Context, b *bench) (*work, error)
}

// work is a task with its input made: who answers, and what an answer is worth.
type work struct {
	sides []entry
	// judge is computed by the same code for every side; ours is the result of the first.
	judge  func(result, ours []float64) Quality
	calls  int    // of a timing; if 0, as many as make it least, after a warm-up
	rounds int    // if 0, as the task and the command say
	done   func() // called at the end, unless nil
}

// entry is a side that has not been started.
type entry struct {
	label, env string // env is "Go" or the name of an environment
	start      func(ctx context.Context, threads int) (side, error)
}

// side is one program that is ready to answer.
type side interface {
	// time is the mean time of so many calls, in seconds; more than one follow one that is not counted.
	time(ctx context.Context, calls int) (float64, error)
	// result is what the last call found.
	result(ctx context.Context) ([]float64, error)
	// told is what the side says of itself after a result.
	told() Origin
	close()
}

// goSide is this program on so many threads: call does the work, value says what it found.
type goSide struct {
	threads int
	call    func() error
	value   func() []float64
	last    []float64
}

// ours is the entry of a side in Go.
func ours(label string, call func() error, value func() []float64) entry {
	return entry{label, "Go", func(_ context.Context, threads int) (side, error) {
		return &goSide{threads: threads, call: call, value: value}, nil
	}}
}

func (g *goSide) time(ctx context.Context, calls int) (float64, error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(g.threads))
	defer linalg.SetThreads(linalg.SetThreads(g.threads))
	runtime.GC() // what others left
	if calls > 1 {
		if err := g.call(); err != nil {
			return 0, err
		}
	}
	t := clock()
	for range calls {
		if err := g.call(); err != nil {
			return 0, err
		}
	}
	s := (clock() - t) / float64(calls)
	g.last = slices.Clone(g.value())
	return s, ctx.Err()
}

// clock is in seconds: the wall's, or with -cpu that of this process.
var clock = func() float64 { return time.Since(started).Seconds() }

var started = time.Now()

func (g *goSide) result(context.Context) ([]float64, error) { return g.last, nil }
func (g *goSide) told() Origin {
	return Origin{Versions: map[string]string{"go": runtime.Version()}, Libraries: []string{linalg.Backend().String()}}
}
func (g *goSide) close() {}

const (
	least = 20 * time.Millisecond  // of one timing: shorter calls are repeated within it
	spin  = 200 * time.Millisecond // after a peer with threads: idle ones of OpenBLAS spin for 2²⁸ cycles, a tenth of a second
)

// selectTasks are those whose name matches.
func selectTasks(all []task, pattern string) ([]task, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("bench: -task: %w", err)
	}
	var some []task
	for _, t := range all {
		if re.MatchString(t.name) {
			some = append(some, t)
		}
	}
	if len(some) == 0 {
		return nil, fmt.Errorf("bench: no task matches -task %q; -list shows them", pattern)
	}
	return some, nil
}

// race is one task under way: a row for each side on each number of threads, and the side itself
// until it fails.
type race struct {
	*bench
	rows   []Row
	sides  []side
	rounds int
	calls  int // of a timing
}

// measure times one task on each number of threads: round after round, each side in turn, so that
// what else the machine does meets all of them. A side that fails has a row that says why.
func (b *bench) measure(ctx context.Context, t task, threads []int) []Row {
	w, err := t.make(ctx, b)
	if err != nil {
		return []Row{{Task: t.name, Note: err.Error()}}
	}
	if w.done != nil {
		defer w.done()
	}
	r := &race{bench: b, rounds: b.rounds, calls: w.calls}
	if t.rounds > 0 {
		r.rounds = min(r.rounds, t.rounds)
	}
	if w.rounds > 0 {
		r.rounds = w.rounds
	}
	for _, n := range threads {
		for _, e := range w.sides {
			row := Row{Task: t.name, Threads: n, Side: e.label, Env: e.env}
			if t.serial {
				row.Threads = 0
			}
			s, err := e.start(ctx, n)
			r.rows, r.sides = append(r.rows, row), append(r.sides, s)
			if err != nil {
				r.sides[len(r.sides)-1] = nil
				r.fail(ctx, len(r.rows)-1, err)
			}
		}
	}
	defer func() {
		for _, s := range r.sides {
			if s != nil {
				s.close()
			}
		}
	}()
	if r.calls == 0 {
		r.warmUp(ctx)
	}
	for range r.rounds {
		for i := range r.sides {
			if s, ok := r.turn(ctx, i, r.calls); ok {
				r.rows[i].Seconds = append(r.rows[i].Seconds, s)
			}
			r.settle(i)
		}
	}
	r.finish(ctx, w)
	return r.rows
}

// fail ends side i.
func (r *race) fail(ctx context.Context, i int, err error) {
	if ctx.Err() != nil {
		err = fmt.Errorf("stopped after %d of %d rounds", len(r.rows[i].Seconds), r.rounds)
	}
	r.rows[i].Note = err.Error()
	if r.sides[i] != nil {
		r.sides[i].close()
		r.sides[i] = nil
	}
}

// turn is one timing of side i, if it still runs.
func (r *race) turn(ctx context.Context, i, calls int) (seconds float64, ok bool) {
	if r.sides[i] == nil {
		return 0, false
	}
	seconds, err := r.sides[i].time(ctx, calls)
	if err != nil {
		r.fail(ctx, i, err)
		return 0, false
	}
	return seconds, true
}

// settle leaves the cores to whoever is next.
func (r *race) settle(i int) {
	if r.sides[i] != nil && r.rows[i].Threads > 1 && r.rows[i].Env != "Go" {
		time.Sleep(spin)
	}
}

// warmUp calls every side, with more than one thread for long enough that they are on cores of
// their own, and chooses how many calls a timing takes: as the first side needs, the same for all.
func (r *race) warmUp(ctx context.Context) {
	for i := range r.sides {
		long := time.Duration(max(r.rows[i].Threads, 1)) * r.warm
		var s float64
		for t, ok := time.Now(), true; ok && time.Since(t) < long; {
			s, ok = r.turn(ctx, i, 1)
		}
		r.settle(i)
		if r.calls == 0 && s > 0 {
			r.calls = int(math.Ceil(least.Seconds() / s))
		}
	}
	r.calls = min(max(r.calls, 1), 1000)
}

// finish fetches what the sides found and fills the rows.
func (r *race) finish(ctx context.Context, w *work) {
	var first []float64
	base := map[int]float64{} // median of the first row by threads
	for i := range r.rows {
		row := &r.rows[i]
		row.Calls = r.calls
		row.summarize()
		if _, seen := base[row.Threads]; !seen {
			base[row.Threads] = row.Median
		}
		if row.Median > 0 && base[row.Threads] > 0 {
			row.Ratio = row.Median / base[row.Threads]
		}
		if r.sides[i] == nil || len(row.Seconds) == 0 {
			continue
		}
		found, err := r.sides[i].result(ctx)
		if err != nil {
			r.fail(ctx, i, err)
			continue
		}
		if first == nil {
			first = found
		}
		row.Origin = r.sides[i].told()
		row.Quality = w.judge(found, first).finite()
	}
}
