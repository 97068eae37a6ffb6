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
		{name: "simplemkl sonar m=793", maxRounds: 3, newWork: simpleMKLWork,
			about: "SimpleMKL's problem: hinge loss with C = 100, 793 kernels of trace 1 given, one split of sonar, " +
				"weights on the simplex, to a relative gap of 1e-2"},
		{name: "simplemkl sonar, 20 splits", maxRounds: 1, isSerial: true, newWork: simpleMKLSplitsWork,
			about: "the same on 20 splits of 70 and 30 %, kernels made too: mean accuracy on the points left out; " +
				"time of all 20"},
	}
}

// simpleMKLProblem returns the problem of the SimpleMKL paper's experiments on the points x with labels y, with its
// kernels. The paper scales base matrices to trace 1 and uses C. Here their mean diagonal entry is 1 and the hinge loss
// has C/n, so that the objective is 1/n times the paper's.
func simpleMKLProblem(x points.Points, y []float64) *mkl.Problem {
	family := kernel.Sum{Kernels: kernel.SimpleMKLKernels(points.Width(x)),
		Prepare:   points.Preprocessing{points.Standardize},
		Normalize: kernel.MeanDiagonal}
	return &mkl.Problem{Grams: family.On(x), Set: set.Simplex{}, Loss: loss.Hinge{C: 100 / float64(len(y))}, Y: y}
}

// simpleMKLArgs holds C and the gap of the peers.
var simpleMKLArgs = map[string]any{"C": 100, "gap": 1e-2}

// simpleMKLPeers returns two peers that run a program in numpy: one updates θ by reduced gradient steps, the other by
// its closed-form minimizer.
func simpleMKLPeers(program string) []peer {
	return []peer{{env: "numpy", program: program, label: "numpy and SVC, reduced gradient"},
		{env: "numpy", program: program, label: "numpy and SVC, closed form", args: map[string]any{"closed": true}}}
}

func simpleMKLWork(b *bench) *work {
	d := must(data.Load("sonar"))
	train := must(d.Slice(must(compare.Holdout(d.Y, 0.3, 1, 1))[0].Train))
	p := simpleMKLProblem(train.X, train.Y)
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
		callsPerTiming: 1,
		input:          map[string]array{"K": matrix(m*n, n, ks), "y": vector(train.Y)},
		args:           simpleMKLArgs,
		peers:          simpleMKLPeers("simplemkl"),
		evaluate: func(theta, _ []float64) Quality {
			q := certifiedQuality(p, theta)
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
		w.inGo = append(w.inGo, b.goSolver(s, mkl.Settings{Gap: 1e-2, Iterations: 5000}, sameProblem(p), resultWeights))
	}
	return w
}

func simpleMKLSplitsWork(b *bench) *work {
	d := must(data.Load("sonar"))
	splits := must(compare.Holdout(d.Y, 0.3, 20, 1))
	accuracy := func(s compare.Split) (float64, error) {
		p := simpleMKLProblem(d.X.Slice(s.Train), points.Pick(d.Y, s.Train))
		r, err := mkl.Solve(b.ctx, p, mkl.Level{}, &mkl.Settings{Gap: 1e-2})
		if err != nil {
			return 0, err
		}
		k := mat.NewDense(len(s.Test), len(s.Train), nil)
		p.Grams.Cross(d.X.Slice(s.Test)).Gram(k, r.Theta)
		correct := 0.0
		for i, row := range s.Test {
			if (floats.Dot(k.RawRowView(i), r.W)+r.Bias)*d.Y[row] > 0 {
				correct++
			}
		}
		return 100 * correct / float64(len(s.Test)), nil
	}
	var accuracies []float64
	return &work{
		callsPerTiming: 1,
		inGo: []implementation{goCall("Go, Level", func() error {
			accuracies = nil
			for _, s := range splits {
				a, err := accuracy(s)
				if err != nil {
					return err
				}
				accuracies = append(accuracies, a)
			}
			return nil
		}, func() []float64 { return accuracies })},
		input: map[string]array{"X": matrix(d.Len(), d.Dim(), points.ToRows(d.X).Data), "y": vector(d.Y),
			"train": trainIndices(splits)},
		args:  simpleMKLArgs,
		peers: simpleMKLPeers("simplemkl_splits"),
		evaluate: func(r, _ []float64) Quality {
			mean, sd := stat.MeanStdDev(r, nil)
			return Quality{"accuracy": mean, "its sd": sd}
		},
	}
}

// trainIndices returns a matrix of the indices of the training points, with a row for each split.
func trainIndices(splits []compare.Split) array {
	var rows []int
	for _, s := range splits {
		rows = append(rows, s.Train...)
	}
	return integers(rows, len(splits), len(splits[0].Train))
}
