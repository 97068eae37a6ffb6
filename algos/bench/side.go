package main

import (
	"runtime"
	"slices"
	"time"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/mkl"
)

// entry is a side that has not started yet.
type entry struct {
	label, env string // env is "Go" or the name of an environment
	start      func(threads int) (*side, error)
}

// side is a started program that can be timed.
type side struct {
	// time returns the mean time of a number of calls, in seconds. Before two or more calls it makes one that it does
	// not count.
	time func(calls int) (float64, error)
	// result returns the answer of the last call and the versions and libraries of the program.
	result func() ([]float64, Origin, error)
	close  func() // nil: nothing to close
}

// end closes s, which may be nil.
func (s *side) end() {
	if s != nil && s.close != nil {
		s.close()
	}
}

// clock returns the wall time or, with -cpu, the processor time of this process, in seconds.
var clock = func() float64 { return time.Since(started).Seconds() }

var started = time.Now()

// inGo returns a side in Go. Time measures it, and value returns the answer of its last call.
func inGo(label string, time func(threads, calls int) (float64, error), value func() []float64) entry {
	return entry{label, "Go", func(threads int) (*side, error) {
		var last []float64 // a copy for this number of threads, because sides share the memory that value reads
		origin := Origin{Versions: map[string]string{"go": runtime.Version()},
			Libraries: []string{linalg.Backend().String()}}
		return &side{
			time: func(calls int) (float64, error) {
				s, err := time(threads, calls)
				if err == nil {
					last = slices.Clone(value())
				}
				return s, err
			},
			result: func() ([]float64, Origin, error) { return last, origin, nil },
		}, nil
	}}
}

// ours returns a side in Go. Call does the work. Value returns its answer and is not timed.
func ours(label string, call func() error, value func() []float64) entry {
	return inGo(label, func(threads, calls int) (float64, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		defer linalg.SetThreads(linalg.SetThreads(threads))
		runtime.GC() // frees the memory of other sides
		if calls > 1 {
			if err := call(); err != nil {
				return 0, err
			}
		}
		t := clock()
		for range calls {
			if err := call(); err != nil {
				return 0, err
			}
		}
		return (clock() - t) / float64(calls), nil
	}, value)
}

// solved returns the side in which solver s solves a problem. Each call makes the problem again. Value returns the
// part of the result that is evaluated.
func (b *bench) solved(s mkl.Solver, settings mkl.Settings, problem func() *mkl.Problem,
	value func(*mkl.Result) []float64) entry {
	var r *mkl.Result
	return ours("Go, "+s.String(), func() (err error) {
		r, err = mkl.Solve(b.ctx, problem(), s, &settings)
		return err
	}, func() []float64 { return value(r) })
}

// always returns a function that returns p itself, so that the base matrices are made once, before any timing.
func always(p *mkl.Problem) func() *mkl.Problem { return func() *mkl.Problem { return p } }

// weightsOf returns θ of a result.
func weightsOf(r *mkl.Result) []float64 { return r.Theta }

// boundsOf returns F, the lower bound and the number of steps of a result.
func boundsOf(r *mkl.Result) []float64 {
	return []float64{r.Upper, r.Lower, float64(len(r.Trace) - 1)}
}

// certified returns F at θ and a proven bound on the relative gap between F and its minimum.
func certified(p *mkl.Problem, theta []float64) Quality {
	pt := p.NewPoint()
	if len(theta) != len(pt.Theta) {
		return Quality{}
	}
	copy(pt.Theta, theta)
	if err := pt.Evaluate(nil, 1e-10); err != nil {
		return Quality{}
	}
	c, err := p.Certify(pt, true)
	if err != nil {
		return Quality{}
	}
	return Quality{"objective": pt.F(), "gap": max(c.Relative(), 0)}
}
