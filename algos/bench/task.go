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
	serial      bool // runs once, whatever the threads asked for
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

// goSide is this program: call does the work, value says what it found.
type goSide struct {
	call  func(ctx context.Context) error
	value func() []float64
}

// ours is the entry of a side in Go.
func ours(label string, call func() error, value func() []float64) entry {
	return entry{label, "Go", func(context.Context, int) (side, error) {
		return &goSide{func(context.Context) error { return call() }, value}, nil
	}}
}

func (g *goSide) time(ctx context.Context, calls int) (float64, error) {
	runtime.GC() // what others left
	if calls > 1 {
		if err := g.call(ctx); err != nil {
			return 0, err
		}
	}
	t := time.Now()
	for range calls {
		if err := g.call(ctx); err != nil {
			return 0, err
		}
	}
	return time.Since(t).Seconds() / float64(calls), ctx.Err()
}

func (g *goSide) result(context.Context) ([]float64, error) { return g.value(), nil }
func (g *goSide) told() Origin {
	return Origin{Versions: map[string]string{"go": runtime.Version()}, Libraries: []string{linalg.Backend().String()}}
}
func (g *goSide) close() {}

const (
	least  = 20 * time.Millisecond // of one timing: shorter calls are repeated within it
	settle = 50 * time.Millisecond // after a side with threads of its own, whose idle ones spin for a while
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

// measure times one task on so many threads: round after round, each side in turn, so that what
// else the machine does meets all of them. A side that fails has a row that says why.
func (b *bench) measure(ctx context.Context, t task, threads int) (rows []Row) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	defer linalg.SetThreads(linalg.SetThreads(threads))
	shown := threads
	if t.serial {
		shown = 0
	}
	w, err := t.make(ctx, b)
	if err != nil {
		return []Row{{Task: t.name, Threads: shown, Note: err.Error()}}
	}
	if w.done != nil {
		defer w.done()
	}
	rounds := b.rounds
	if t.rounds > 0 {
		rounds = min(rounds, t.rounds)
	}
	if w.rounds > 0 {
		rounds = w.rounds
	}
	sides := make([]side, len(w.sides))
	fail := func(i int, err error) {
		if ctx.Err() != nil {
			err = fmt.Errorf("stopped after %d of %d rounds", len(rows[i].Seconds), rounds)
		}
		rows[i].Note = err.Error()
		if sides[i] != nil {
			sides[i].close()
			sides[i] = nil
		}
	}
	for i, e := range w.sides {
		rows = append(rows, Row{Task: t.name, Threads: shown, Side: e.label, Env: e.env})
		if sides[i], err = e.start(ctx, threads); err != nil {
			sides[i] = nil
			fail(i, err)
			continue
		}
		defer func() {
			if sides[i] != nil {
				sides[i].close()
			}
		}()
	}
	turn := func(i, calls int) (s float64, ok bool) {
		if sides[i] == nil {
			return 0, false
		}
		s, err := sides[i].time(ctx, calls)
		if err != nil {
			fail(i, err)
			return 0, false
		}
		if threads > 1 && rows[i].Env != "Go" {
			time.Sleep(settle)
		}
		return s, true
	}
	calls := w.calls
	if calls == 0 {
		calls = b.warmUp(sides, turn, threads)
	}
	for range rounds {
		for i := range sides {
			if s, ok := turn(i, calls); ok {
				rows[i].Seconds = append(rows[i].Seconds, s)
			}
		}
	}
	b.finish(ctx, w, sides, rows, calls, fail)
	return rows
}

// warmUp calls every side, with more than one thread for long enough that they are on cores of
// their own, and returns how many calls a timing takes: as the first side needs, the same for all.
func (b *bench) warmUp(sides []side, turn func(i, calls int) (float64, bool), threads int) (calls int) {
	for i := range sides {
		long := time.Duration(threads) * b.warm
		var s float64
		for t, ok := time.Now(), true; ok && time.Since(t) < long; {
			s, ok = turn(i, 1)
		}
		if calls == 0 && s > 0 {
			calls = int(math.Ceil(least.Seconds() / s))
		}
	}
	return min(max(calls, 1), 1000)
}

// finish fetches what the sides found and fills the rows.
func (b *bench) finish(ctx context.Context, w *work, sides []side, rows []Row, calls int, fail func(int, error)) {
	var first []float64
	for i := range rows {
		rows[i].Calls = calls
		rows[i].summarize()
		if sides[i] == nil {
			continue
		}
		r, err := sides[i].result(ctx)
		if err != nil {
			fail(i, err)
			continue
		}
		if i == 0 {
			first = slices.Clone(r)
		}
		rows[i].Origin = sides[i].told()
		rows[i].Quality = w.judge(r, first).finite()
	}
	for i := range rows {
		if rows[0].Median > 0 {
			rows[i].Ratio = rows[i].Median / rows[0].Median
		}
	}
}
