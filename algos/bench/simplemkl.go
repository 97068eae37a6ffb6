package main

import (
	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func simpleMKLTasks() []task {
	return []task{
		{name: "simplemkl sonar m=793", rounds: 3, make: simpleMKL,
			about: "SimpleMKL's problem: hinge loss with C = 100, 793 kernels of trace 1 given, one split of sonar, " +
				"weights on the simplex, to a relative gap of 1e-2"},
		{name: "simplemkl sonar, 20 splits", rounds: 1, serial: true, make: simpleMKLSplits,
			about: "the same on 20 splits of 70 and 30 %, kernels made too: mean accuracy on the points left out; " +
				"time of all 20"},
	}
}

// simpleMKLOn returns the problem on some points, with the kernels of the paper's experiments. Here the mean diagonal
// is 1 and the constant is C/n. In the paper the trace is 1 and the constant is C, which gives n times the same
// objective.
func simpleMKLOn(x points.Points, y []float64) *mkl.Problem {
	bank := kernel.Sum{Kernels: kernel.SimpleMKLKernels(points.Width(x)),
		Prepare:   points.Preprocessing{points.Standardize},
		Normalize: kernel.MeanDiagonal}
	return &mkl.Problem{Grams: bank.On(x), Set: set.Simplex{}, Loss: loss.Hinge{C: 100 / float64(len(y))}, Y: y}
}

// simpleMKLArgs holds C and the gap of the peers.
var simpleMKLArgs = map[string]any{"C": 100, "gap": 1e-2}

// simpleMKLPeers returns the peers in numpy: one takes reduced gradient steps, one closed-form steps.
func simpleMKLPeers(program string) []peer {
	return []peer{{env: "numpy", program: program, label: "numpy and SVC, reduced gradient"},
		{env: "numpy", program: program, label: "numpy and SVC, closed form", args: map[string]any{"closed": true}}}
}

func simpleMKL(b *bench) *work {
	d := must(data.Load("sonar"))
	train := must(d.Slice(must(compare.Holdout(d.Y, 0.3, 1, 1))[0].Train))
	p := simpleMKLOn(train.X, train.Y)
	gram := p.Grams.New()
	m, n := p.Grams.Dims()
	axis, ks := make([]float64, m), make([]float64, 0, m*n*n)
	for k := range axis {
		axis[k] = 1 / float64(n)
		gram.At(axis)
		axis[k] = 0
		ks = append(ks, mat.DenseCopyOf(gram.K()).RawMatrix().Data...)
	}
	w := &work{
		calls: 1,
		input: map[string]array{"K": matrix(m*n, n, ks), "y": vector(train.Y)},
		args:  simpleMKLArgs,
		peers: simpleMKLPeers("simplemkl"),
		judge: func(theta, _ []float64) Quality {
			q := certified(p, theta)
			q["objective"] *= float64(n)
			total := floats.Sum(theta)
			for _, v := range theta {
				if v > 1e-6*total {
					q["kernels"]++
				}
			}
			return q
		},
	}
	for _, s := range []mkl.Solver{mkl.Level{}, mkl.ReducedGradient{}, mkl.ClosedForm{}} {
		w.ours = append(w.ours, b.solved(s, mkl.Settings{Gap: 1e-2, Iterations: 5000}, always(p), weightsOf))
	}
	return w
}

func simpleMKLSplits(b *bench) *work {
	d := must(data.Load("sonar"))
	splits := must(compare.Holdout(d.Y, 0.3, 20, 1))
	accuracy := func(s compare.Split) (float64, error) {
		p := simpleMKLOn(d.X.Slice(s.Train), part(d.Y, s.Train))
		r, err := mkl.Solve(b.ctx, p, mkl.Level{}, &mkl.Settings{Gap: 1e-2})
		if err != nil {
			return 0, err
		}
		k := mat.NewDense(len(s.Test), len(s.Train), nil)
		p.Grams.Cross(d.X.Slice(s.Test)).Gram(k, r.Theta)
		right := 0.0
		for i, row := range s.Test {
			if (floats.Dot(k.RawRowView(i), r.W)+r.Bias)*d.Y[row] > 0 {
				right++
			}
		}
		return 100 * right / float64(len(s.Test)), nil
	}
	var found []float64
	return &work{
		calls: 1,
		ours: []entry{ours("Go, Level", func() error {
			found = nil
			for _, s := range splits {
				a, err := accuracy(s)
				if err != nil {
					return err
				}
				found = append(found, a)
			}
			return nil
		}, func() []float64 { return found })},
		input: map[string]array{"X": matrix(d.Len(), d.Dim(), points.ToRows(d.X).Data), "y": vector(d.Y),
			"train": trains(splits)},
		args:  simpleMKLArgs,
		peers: simpleMKLPeers("simplemkl_splits"),
		judge: func(r, _ []float64) Quality {
			mean, sd := stat.MeanStdDev(r, nil)
			return Quality{"accuracy": mean, "its sd": sd}
		},
	}
}

// trains returns the indices of the training points, with a row for each split.
func trains(splits []compare.Split) array {
	var rows []int
	for _, s := range splits {
		rows = append(rows, s.Train...)
	}
	return whole(rows, len(splits), len(splits[0].Train))
}

// part returns the values of y at the given points.
func part(y []float64, points []int) (p []float64) {
	for _, i := range points {
		p = append(p, y[i])
	}
	return p
}
