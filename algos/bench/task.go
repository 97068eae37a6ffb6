package main

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"time"
)

// task is a computation that several programs do on the same input.
type task struct {
	name, about string
	serial      bool // runs once, on all cores, for any -threads
	rounds      int  // the maximum, for a task whose round takes seconds; 0: the number in -n
	make        func(b *bench) *work
}

// work is a task whose input is made. It lists the programs that run it and evaluates their answers.
type work struct {
	ours  []entry          // in Go; all other sides are compared with the first
	input map[string]array // the input of the peers, by the name of the argument
	args  map[string]any   // further arguments of the peers
	peers []peer
	// judge evaluates a result by the same code for every side. first is the result of the first side.
	judge func(result, first []float64) Quality
	// scores returns the score and the processor time in seconds of each split; may be nil.
	scores func(result []float64) (scores, seconds []float64)
	// keep returns the key that stores the answer of a side, so that a stopped run can continue. If it is nil, no
	// answers are stored.
	keep   func(e entry, threads int) (key string, err error)
	calls  int    // per timing; 0: enough to fill the duration least, after a warm-up
	rounds int    // 0: as set by the task and -n
	done   func() // called at the end; may be nil
}

// failure is an error that ends the construction of a task or the call of a side.
type failure struct{ error }

// must returns v. If err is not nil, must panics with a failure, which attempt returns as the error of the row.
func must[T any](v T, err error) T {
	if err != nil {
		panic(failure{err})
	}
	return v
}

// attempt calls f and returns the failure that ended it, or nil.
func attempt(f func()) (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case failure:
			err = e
		default:
			panic(e)
		}
	}()
	f()
	return nil
}

const (
	least = 20 * time.Millisecond  // the minimum of one timing, which repeats shorter calls
	spin  = 200 * time.Millisecond // the wait after a peer with threads: idle OpenBLAS threads spin for 0.1 s
)

// selectTasks returns the tasks whose name matches the regular expression pattern.
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

// race is a running task. It has a row for each side and number of threads, and the side itself until it fails.
type race struct {
	*bench
	rows   []Row
	sides  []*side // nil: not available, or failed
	rounds int
	calls  int // per timing
}

// measure times one task on each number of threads. Each round times every side in turn, so that other load on the
// machine affects all of them. The row of a side that fails holds the reason.
func (b *bench) measure(t task, threads []int) []Row {
	var w *work
	var entries []entry
	if err := attempt(func() {
		w = t.make(b)
		entries = append(w.ours, b.against(w.input, w.args, w.peers...)...)
	}); err != nil {
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
		for _, e := range entries {
			if w.keep != nil {
				e = b.kept(e, w.keep)
			}
			row := Row{Task: t.name, Threads: n, Side: e.label, Env: e.env}
			if t.serial {
				row.Threads = 0
			}
			s, err := e.start(n)
			r.rows, r.sides = append(r.rows, row), append(r.sides, s)
			if err != nil {
				r.fail(len(r.rows)-1, err)
			}
		}
	}
	defer func() {
		for _, s := range r.sides {
			s.end()
		}
	}()
	if r.calls == 0 {
		r.warmUp()
	}
	for range r.rounds {
		for i := range r.sides {
			if s, ok := r.turn(i, r.calls); ok {
				r.rows[i].Seconds = append(r.rows[i].Seconds, s)
			}
			r.settle(i)
		}
	}
	r.finish(w)
	return r.rows
}

// fail closes side i and stores the error in its row.
func (r *race) fail(i int, err error) {
	if r.ctx.Err() != nil {
		err = fmt.Errorf("stopped after %d of %d rounds", len(r.rows[i].Seconds), r.rounds)
	}
	r.rows[i].Note = err.Error()
	r.sides[i].end()
	r.sides[i] = nil
}

// turn times side i once, if it still runs.
func (r *race) turn(i, calls int) (seconds float64, ok bool) {
	if r.sides[i] == nil {
		return 0, false
	}
	err := attempt(func() { seconds = must(r.sides[i].time(calls)) })
	if err = cmp.Or(err, r.ctx.Err()); err != nil {
		r.fail(i, err)
	}
	return seconds, err == nil
}

// settle waits until the idle threads of side i leave the cores to the next side.
func (r *race) settle(i int) {
	if r.sides[i] != nil && r.rows[i].Threads > 1 && r.rows[i].Env != "Go" {
		time.Sleep(spin)
	}
}

// warmUp calls every side for the duration warm per thread, so that each of several threads moves to a separate core.
// It chooses the number of calls per timing from the first side that answers; all sides use that number.
func (r *race) warmUp() {
	for i := range r.sides {
		long := time.Duration(max(r.rows[i].Threads, 1)) * r.warm
		var s float64
		for t, ok := time.Now(), true; ok && time.Since(t) < long; {
			s, ok = r.turn(i, 1)
		}
		r.settle(i)
		if r.calls == 0 && s > 0 {
			r.calls = int(math.Ceil(least.Seconds() / s))
		}
	}
	r.calls = min(max(r.calls, 1), 1000)
}

// finish fetches the answers of the sides and fills the rows.
func (r *race) finish(w *work) {
	var first []float64
	base := map[int]float64{} // median of the first row, by number of threads
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
		found, origin, err := r.sides[i].result()
		if err != nil {
			r.fail(i, err)
			continue
		}
		if first == nil {
			first = found
		}
		row.Origin = origin
		row.Quality = w.judge(found, first).finite()
		if w.scores != nil {
			row.Scores, row.CPU = w.scores(found)
		}
	}
}
