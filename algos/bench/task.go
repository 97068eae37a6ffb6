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
	maxRounds   int // maximum of the number of rounds in -n, for a task whose round takes seconds; 0: no maximum
	newWork     func(b *bench) *work
}

// work is a task whose input has been computed. It lists the implementations and evaluates their answers.
type work struct {
	inGo  []implementation // implementations in Go; all others are compared with the first
	input map[string]array // the input of the peers, by the name of the argument
	args  map[string]any   // further arguments of the peers
	peers []peer
	// evaluate evaluates an answer, by the same code for every implementation. first is the answer of the first one.
	evaluate func(result, first []float64) Quality
	// scores returns the score and the processor time in seconds of each split for Row.Scores and Row.CPU; may be nil.
	scores func(result []float64) (scores, seconds []float64)
	// storeKey returns the name under which the answer of an implementation is stored, so that a stopped run can
	// continue. If storeKey is nil, no answers are stored.
	storeKey       func(e implementation, threads int) (key string, err error)
	callsPerTiming int // calls in one timing; 0: as many as take minTiming, after a warm-up
}

// failure is an error that ends the construction of a task or the call of an implementation.
type failure struct{ error }

// must returns v. If err is not nil, must panics with a failure. catchFailure recovers it.
func must[T any](v T, err error) T {
	if err != nil {
		panic(failure{err})
	}
	return v
}

// catchFailure calls f and returns the failure that f panicked with, or nil.
func catchFailure(f func()) (err error) {
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
	minTiming = 20 * time.Millisecond  // the shortest duration of one timing, which repeats shorter calls
	idleSpin  = 200 * time.Millisecond // the wait after a peer with threads: idle OpenBLAS threads spin for 0.1 s
)

// selectTasks returns the tasks whose name matches the regular expression pattern.
func selectTasks(all []task, pattern string) ([]task, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("bench: -task: %w", err)
	}
	var selected []task
	for _, t := range all {
		if re.MatchString(t.name) {
			selected = append(selected, t)
		}
	}
	if len(selected) == 0 {
		return nil, fmt.Errorf("bench: no task matches -task %q; -list shows the tasks", pattern)
	}
	return selected, nil
}

// measurement is a running task. It has a row and a runner for each implementation and number of threads.
type measurement struct {
	*bench
	rows           []Row
	runners        []*runner // nil: not available, or failed
	rounds         int
	callsPerTiming int
}

// measure times one task on each number of threads and returns its rows. Each round times every runner in turn, so that
// other load on the machine affects all of them. If an implementation fails, the Note of its row contains the reason.
func (b *bench) measure(t task, threads []int) []Row {
	var w *work
	var entries []implementation
	if err := catchFailure(func() {
		w = t.newWork(b)
		entries = append(w.inGo, b.peerImplementations(w.input, w.args, w.peers...)...)
	}); err != nil {
		return []Row{{Task: t.name, Note: err.Error()}}
	}
	r := &measurement{bench: b, rounds: b.rounds, callsPerTiming: w.callsPerTiming}
	if t.maxRounds > 0 {
		r.rounds = min(r.rounds, t.maxRounds)
	}
	for _, n := range threads {
		for _, e := range entries {
			if w.storeKey != nil {
				e = b.withStore(e, w.storeKey)
			}
			row := Row{Task: t.name, Threads: n, Side: e.label, Env: e.env}
			s, err := e.start(n)
			r.rows, r.runners = append(r.rows, row), append(r.runners, s)
			if err != nil {
				r.recordFailure(len(r.rows)-1, err)
			}
		}
	}
	defer func() {
		for _, s := range r.runners {
			s.closeIfOpen()
		}
	}()
	if r.callsPerTiming == 0 {
		r.warmUp()
	}
	for range r.rounds {
		for i := range r.runners {
			if s, ok := r.timeOnce(i, r.callsPerTiming); ok {
				r.rows[i].Seconds = append(r.rows[i].Seconds, s)
			}
			r.waitForIdleThreads(i)
		}
	}
	r.fillRows(w)
	return r.rows
}

// recordFailure closes the runner with this index and stores the error in its row.
func (r *measurement) recordFailure(index int, err error) {
	if r.ctx.Err() != nil {
		err = fmt.Errorf("stopped after %d of %d rounds", len(r.rows[index].Seconds), r.rounds)
	}
	r.rows[index].Note = err.Error()
	r.runners[index].closeIfOpen()
	r.runners[index] = nil
}

// timeOnce times the runner with this index once. ok is false if the runner has failed, now or before.
func (r *measurement) timeOnce(index, calls int) (seconds float64, ok bool) {
	if r.runners[index] == nil {
		return 0, false
	}
	err := catchFailure(func() { seconds = must(r.runners[index].time(calls)) })
	if err = cmp.Or(err, r.ctx.Err()); err != nil {
		r.recordFailure(index, err)
	}
	return seconds, err == nil
}

// waitForIdleThreads waits until the idle BLAS threads of the runner with this index no longer use the cores, which the
// next runner needs.
func (r *measurement) waitForIdleThreads(index int) {
	if r.runners[index] != nil && r.rows[index].Threads > 1 && r.rows[index].Env != "Go" {
		time.Sleep(idleSpin)
	}
}

// warmUp calls every runner for at least warmUpTime for each thread, so that each of several threads moves to a
// separate core. It sets callsPerTiming, which all runners use, by the time of the first runner that answers.
func (r *measurement) warmUp() {
	for i := range r.runners {
		minimum := time.Duration(r.rows[i].Threads) * r.warmUpTime
		var s float64
		for t, ok := time.Now(), true; ok && time.Since(t) < minimum; {
			s, ok = r.timeOnce(i, 1)
		}
		r.waitForIdleThreads(i)
		if r.callsPerTiming == 0 && s > 0 {
			r.callsPerTiming = int(math.Ceil(minTiming.Seconds() / s))
		}
	}
	r.callsPerTiming = min(max(r.callsPerTiming, 1), 1000)
}

// fillRows completes the rows: median, ratio, and the quality of the answer of each runner.
func (r *measurement) fillRows(w *work) {
	var first []float64
	baseMedian := map[int]float64{} // median of the first row, by number of threads
	for i := range r.rows {
		row := &r.rows[i]
		row.summarize()
		if _, seen := baseMedian[row.Threads]; !seen {
			baseMedian[row.Threads] = row.Median
		}
		if row.Median > 0 && baseMedian[row.Threads] > 0 {
			row.Ratio = row.Median / baseMedian[row.Threads]
		}
		if r.runners[i] == nil || len(row.Seconds) == 0 {
			continue
		}
		answer, origin, err := r.runners[i].result()
		if err != nil {
			r.recordFailure(i, err)
			continue
		}
		if first == nil {
			first = answer
		}
		row.Origin = origin
		row.Quality = w.evaluate(answer, first)
		if w.scores != nil {
			row.Scores, row.CPU = w.scores(answer)
		}
	}
}
