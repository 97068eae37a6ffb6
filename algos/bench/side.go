package main

import (
	"runtime"
	"slices"
	"time"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/mkl"
)

// entry is a side that has not been started.
type entry struct {
	label, env string // env is "Go" or the name of an environment
	start      func(threads int) (*side, error)
}

// side is one program that is ready to answer.
type side struct {
	// time is the mean time of so many calls, in seconds; more than one follow one that is not counted.
	time func(calls int) (float64, error)
	// result is what the last call found, and what the program computes with.
	result func() ([]float64, Origin, error)
	close  func() // nil: nothing to close
}

// end closes s, which may be nil.
func (s *side) end() {
	if s != nil && s.close != nil {
		s.close()
	}
}

// clock is in seconds: the wall's, or with -cpu that of this process.
var clock = func() float64 { return time.Since(started).Seconds() }

var started = time.Now()

// inGo is the side of this program whose timings are time's; value is what the last one found.
func inGo(label string, time func(threads, calls int) (float64, error), value func() []float64) entry {
	return entry{label, "Go", func(threads int) (*side, error) {
		var last []float64 // of these threads: other sides share what value reads
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

// ours is the side of this program in which call does the work and value, which is not timed, says what it found.
func ours(label string, call func() error, value func() []float64) entry {
	return inGo(label, func(threads, calls int) (float64, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		defer linalg.SetThreads(linalg.SetThreads(threads))
		runtime.GC() // what other sides left
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

// solved is the side in which a solver solves a problem, which each call makes anew; value is what is judged of it.
func (b *bench) solved(s mkl.Solver, settings mkl.Settings, problem func() *mkl.Problem,
	value func(*mkl.Result) []float64) entry {
	var r *mkl.Result
	return ours("Go, "+s.String(), func() (err error) {
		r, err = mkl.Solve(b.ctx, problem(), s, &settings)
		return err
	}, func() []float64 { return value(r) })
}

// always returns p itself: its base matrices are made once, before any timing.
func always(p *mkl.Problem) func() *mkl.Problem { return func() *mkl.Problem { return p } }

// weightsOf is θ of a result.
func weightsOf(r *mkl.Result) []float64 { return r.Theta }

// boundsOf is F, the lower bound and the number of steps of a result.
func boundsOf(r *mkl.Result) []float64 {
	return []float64{r.Upper, r.Lower, float64(len(r.Trace) - 1)}
}

// certified is what can be proved of θ: F and the relative gap to the minimum.
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
