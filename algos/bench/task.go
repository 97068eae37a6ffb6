package main

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"time"

	"gonum.org/v1/gonum/mat"
)

// task is a computation that several programs do on the same input.
type task struct {
	name, description string
	maxRounds         int // if > 0, largest number of rounds, even if the flag -n sets more; for slow tasks
	prepare           func(b *bench) *workload
}

// workload is a task whose input has been computed. It lists the implementations and evaluates their answers.
type workload struct {
	goImplementations []implementation      // implementations in Go; all others are compared with the first
	input             map[string]mat.Matrix // the input of the Python programs, by the name of the argument
	args              map[string]any        // other arguments of the Python programs
	peers             []peer
	// evaluate evaluates result, the answer of any implementation. firstResult is the answer of the first one.
	evaluate func(result, firstResult []float64) Quality
	scores   func(result []float64) []float64 // the score of each split, for Row.Scores; may be nil
	// callsPerTiming is the number of calls in one timing. 0 means as many as take minTiming, after a warm-up.
	callsPerTiming int
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
	minTiming = 20 * time.Millisecond  // a timing makes as many calls as take this time
	idleWait  = 200 * time.Millisecond // wait after a peer, whose idle threads use the cores for another 0.1 s
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

// measurement is a running task, with a row of the report and a runner for each implementation and number of threads.
type measurement struct {
	*bench
	rows           []Row
	runners        []*runner // nil if the implementation is not available or has failed
	rounds         int
	callsPerTiming int
}

// measure times one task on each number of threads and returns its rows. Each round times every runner in turn, so that
// other load on the machine affects all of them. If an implementation fails, the Note of its row contains the reason.
func (b *bench) measure(t task, threads []int) []Row {
	var w *workload
	var implementations []implementation
	if err := catchFailure(func() {
		w = t.prepare(b)
		implementations = append(w.goImplementations, b.newPeerImplementations(w.input, w.args, w.peers...)...)
	}); err != nil {
		return []Row{{Task: t.name, Note: err.Error()}}
	}
	m := &measurement{bench: b, rounds: b.rounds, callsPerTiming: w.callsPerTiming}
	if t.maxRounds > 0 {
		m.rounds = min(m.rounds, t.maxRounds)
	}
	for _, n := range threads {
		for _, e := range implementations {
			row := Row{Task: t.name, Threads: n, Label: e.label, Env: e.environment}
			s, err := e.start(n)
			m.rows, m.runners = append(m.rows, row), append(m.runners, s)
			if err != nil {
				m.recordFailure(len(m.rows)-1, err)
			}
		}
	}
	defer func() {
		for _, s := range m.runners {
			s.closeIfOpen()
		}
	}()
	if m.callsPerTiming == 0 {
		m.warmUp()
	}
	for range m.rounds {
		for i := range m.runners {
			if s, ok := m.timeRunner(i, m.callsPerTiming); ok {
				m.rows[i].Seconds = append(m.rows[i].Seconds, s)
			}
			m.waitForIdleThreads(i)
		}
	}
	m.fillRatiosAndQuality(w)
	return m.rows
}

// recordFailure closes the runner with this index and stores the error in its row.
func (m *measurement) recordFailure(runnerIndex int, err error) {
	if m.ctx.Err() != nil {
		err = fmt.Errorf("the run was stopped after %d of %d rounds", len(m.rows[runnerIndex].Seconds), m.rounds)
	}
	m.rows[runnerIndex].Note = err.Error()
	m.runners[runnerIndex].closeIfOpen()
	m.runners[runnerIndex] = nil
}

// timeRunner times calls of the runner with this index. ok is false if the runner has failed, now or before.
func (m *measurement) timeRunner(runnerIndex, calls int) (secondsPerCall float64, ok bool) {
	if m.runners[runnerIndex] == nil {
		return 0, false
	}
	err := catchFailure(func() { secondsPerCall = must(m.runners[runnerIndex].timeCalls(calls)) })
	if err = cmp.Or(err, m.ctx.Err()); err != nil {
		m.recordFailure(runnerIndex, err)
	}
	return secondsPerCall, err == nil
}

// waitForIdleThreads waits until the idle BLAS threads of the runner with this index no longer use the cores, which the
// next runner needs.
func (m *measurement) waitForIdleThreads(runnerIndex int) {
	if m.runners[runnerIndex] != nil && m.rows[runnerIndex].Threads > 1 && m.rows[runnerIndex].Env != "Go" {
		time.Sleep(idleWait)
	}
}

// warmUp calls every runner for at least warmUpTime times its number of threads, so that each thread moves to a core of
// its own. The call time of the first runner that answers determines how many calls each timing makes (callsPerTiming).
func (m *measurement) warmUp() {
	for i := range m.runners {
		minDuration := time.Duration(m.rows[i].Threads) * m.warmUpTime
		var s float64
		for t, ok := time.Now(), true; ok && time.Since(t) < minDuration; {
			s, ok = m.timeRunner(i, 1)
		}
		m.waitForIdleThreads(i)
		if m.callsPerTiming == 0 && s > 0 {
			m.callsPerTiming = int(math.Ceil(minTiming.Seconds() / s))
		}
	}
	m.callsPerTiming = min(max(m.callsPerTiming, 1), 1000)
}

// fillRatiosAndQuality sets the ratio to the first median and the quality of the answer in each row.
func (m *measurement) fillRatiosAndQuality(w *workload) {
	var first []float64
	firstMedianByThreads := map[int]float64{} // by number of threads: the median time of the first implementation
	for i := range m.rows {
		row := &m.rows[i]
		median := row.medianSeconds()
		if _, hasFirstMedian := firstMedianByThreads[row.Threads]; !hasFirstMedian {
			firstMedianByThreads[row.Threads] = median
		}
		if median > 0 && firstMedianByThreads[row.Threads] > 0 {
			row.TimeRatio = median / firstMedianByThreads[row.Threads]
		}
		if m.runners[i] == nil || len(row.Seconds) == 0 {
			continue
		}
		answer, softwareVersions, err := m.runners[i].readResult()
		if err != nil {
			m.recordFailure(i, err)
			continue
		}
		if first == nil {
			first = answer
		}
		row.Software = softwareVersions
		row.Quality = w.evaluate(answer, first)
		if w.scores != nil {
			row.Scores = w.scores(answer)
		}
	}
}
