package main

import (
	"runtime"
	"slices"
	"time"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/mkl"
)

// implementation is one way to do a task, in Go or in Python. start makes it ready to be timed.
type implementation struct {
	label, environment string // environment is "Go" or a Python environment
	start              func(threads int) (*runner, error)
}

// runner times a started implementation.
type runner struct {
	// timeCalls does the task a number of times and returns the mean time of a call, in seconds. For two or more calls,
	// it first makes one call that it does not count.
	timeCalls func(calls int) (secondsPerCall float64, err error)
	// readResult returns the answer of the last call, and the versions and libraries of the program.
	readResult func() (answer []float64, software string, err error)
	close      func() // nil if nothing has to be closed
}

// closeIfOpen closes r. It does nothing if r is nil or has nothing to close.
func (r *runner) closeIfOpen() {
	if r != nil && r.close != nil {
		r.close()
	}
}

// clock returns the wall time or, with -cpu, the processor time of this process, in seconds.
var clock = func() float64 { return time.Since(processStart).Seconds() }

var processStart = time.Now()

// newGoImplementation returns an implementation in Go. call does the task. value returns the answer of the last call
// and is not timed.
func newGoImplementation(label string, call func() error, value func() []float64) implementation {
	return implementation{label, "Go", func(threads int) (*runner, error) {
		var answer []float64 // a copy, because later runners overwrite the memory behind value()
		return &runner{
			timeCalls: func(calls int) (float64, error) {
				s, err := timeCalls(call, threads, calls)
				if err == nil {
					answer = slices.Clone(value())
				}
				return s, err
			},
			readResult: func() ([]float64, string, error) { return answer, "", nil },
		}, nil
	}}
}

// timeCalls makes a number of calls on a number of threads and returns the mean time of a call in seconds.
func timeCalls(call func() error, threads, calls int) (secondsPerCall float64, err error) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
	defer linalg.SetThreads(linalg.SetThreads(threads))
	runtime.GC() // frees the memory of other implementations
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
}

// newSolverImplementation returns the implementation in which the solver s solves a problem. Each run makes the problem
// anew by newProblem. readAnswer returns the numbers in the result that are the answer.
func (b *bench) newSolverImplementation(s mkl.Solver, settings mkl.Settings, newProblem func() *mkl.Problem,
	readAnswer func(*mkl.Result) []float64) implementation {
	var r *mkl.Result
	return newGoImplementation("Go, "+s.String(), func() (err error) {
		r, err = mkl.Solve(b.ctx, newProblem(), s, &settings)
		return err
	}, func() []float64 { return readAnswer(r) })
}

// fixedProblem returns a function that returns p itself. So all calls share base matrices that are already computed.
func fixedProblem(p *mkl.Problem) func() *mkl.Problem { return func() *mkl.Problem { return p } }

func resultWeights(r *mkl.Result) []float64 { return r.Theta }

// listBoundsAndSteps returns the upper and the lower bound of the minimal objective and the number of steps.
func listBoundsAndSteps(r *mkl.Result) []float64 {
	return []float64{r.Upper, r.Lower, float64(len(r.Trace) - 1)}
}

// certifiedQuality returns the objective F at θ and a certified upper bound on its relative distance to the minimum.
func certifiedQuality(p *mkl.Problem, theta []float64) Quality {
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
	return Quality{"objective": pt.F(), "gap": max(c.RelativeGap(), 0)}
}
