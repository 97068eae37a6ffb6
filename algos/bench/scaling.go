package main

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/stat"
)

// scalingTasks are the exponents of the time of one evaluation, value, gradient and certificate, on one thread.
func scalingTasks() (all []task) {
	for _, kind := range []string{"dense", "sparse"} {
		for d := 1; d <= 4; d++ {
			for _, in := range []string{"n", "m"} {
				all = append(all, task{name: fmt.Sprintf("scaling %s d=%d in %s", kind, d, in), serial: true, rounds: 5,
					about: "exponent in " + in +
						" of one evaluation (value, gradient, certificate), one thread, three largest of " +
						"five sizes; theory: of the leading term",
					make: func(*bench) *work { return scaling(d, in, kind == "sparse") }})
			}
		}
	}
	return all
}

// scaling evaluates problems of five sizes with a factor of 2, up to 1600 points of 100 features, or 400 points of
// 6400.
func scaling(degree int, in string, sparse bool) *work {
	var problems []*mkl.Problem
	var size, quickest []float64 // logarithms: of n or m, and of the least seconds of all rounds
	for f := 16; f >= 1; f /= 2 {
		n, m, grows := 1600/f, 100, 1600/f
		if in == "m" {
			n, m, grows = 400, 6400/f, 6400/f
		}
		_, x := bigrams(n, m, sparse)
		problems = append(problems, &mkl.Problem{Grams: kernel.Features{Degree: degree}.On(x),
			Set:  set.Ball{Q: 2, Radius: 1, Center: slices.Repeat([]float64{1}, m)},
			Loss: loss.Squared{Lambda: 1}, Y: normal(n, 22)})
		size, quickest = append(size, math.Log(float64(grows))), append(quickest, math.Inf(1))
	}
	time := func(int, int) (last float64, err error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		defer linalg.SetThreads(linalg.SetThreads(1))
		for i, p := range problems {
			pt := p.NewPoint()
			p.Set.Start(pt.Theta)
			start := time.Now()
			for calls := 0; time.Since(start) < least || calls < 2; calls++ {
				t := time.Now()
				if err := pt.Evaluate(nil, 0); err != nil {
					return 0, err
				}
				if _, err := p.Certify(pt, false); err != nil {
					return 0, err
				}
				if last = time.Since(t).Seconds(); calls > 0 { // the first makes buffers
					quickest[i] = math.Min(quickest[i], math.Log(last))
				}
			}
		}
		return last, nil
	}
	theory := 1.0 // O(nm²) of few features, and O(n²m) in m
	if in == "n" && degree > 1 {
		theory = 3 // the Cholesky factor
	}
	return &work{
		calls: 1,
		ours: []entry{inGo("Go", time, func() []float64 {
			_, slope := stat.LinearRegression(size[2:], quickest[2:], nil, false)
			return []float64{slope}
		})},
		judge: func(r, _ []float64) Quality { return Quality{"exponent": r[0], "theory": theory} },
	}
}
