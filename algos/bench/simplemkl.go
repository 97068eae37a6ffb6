package main

import (
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

func simpleMKLTasks() []task {
	return []task{{name: "simplemkl sonar m=793", maxRounds: 3, prepare: prepareSimpleMKL,
		description: "solves SimpleMKL's problem: hinge loss with C = 100, 793 given kernels of trace 1, one split " +
			"of sonar, weights on the simplex, to a relative gap of 1e-2"}}
}

// simpleMKLProblem returns the problem of the SimpleMKL paper's experiments on the points x with labels y, with its
// kernels. The paper scales base matrices to trace 1 and uses C. Here their mean diagonal entry is 1 and the hinge loss
// has C/n, so that the objective is 1/n times the paper's.
func simpleMKLProblem(x points.Points, y []float64) *mkl.Problem {
	family := kernel.Sum{Kernels: kernel.SimpleMKLKernels(points.FeatureCount(x)),
		Prepare: points.Preprocessing{points.Standardize}, Normalize: kernel.MeanDiagonal}
	return &mkl.Problem{Grams: family.Bind(x), Set: set.Simplex{}, Loss: loss.Hinge{C: 100 / float64(len(y))}, Y: y}
}

func prepareSimpleMKL(b *bench) *workload {
	d := must(datasets.Load("sonar"))
	trainData := must(d.Slice(must(fit.Holdout(d.Y, 0.3, 1, 1))[0].Train))
	p := simpleMKLProblem(trainData.X, trainData.Y)
	gram := p.Grams.New() // holds K(θ) at one θ; each θ below selects one base kernel
	m, n := p.Grams.Dims()
	unitVector, kernelMatrices := make([]float64, m), make([]float64, 0, m*n*n)
	for k := range unitVector {
		unitVector[k] = 1 / float64(n)
		gram.SetTheta(unitVector)
		unitVector[k] = 0
		kernelMatrices = append(kernelMatrices, mat.DenseCopyOf(gram.K()).RawMatrix().Data...)
	}
	w := &workload{
		callsPerTiming: 1,
		input:          map[string]mat.Matrix{"K": mat.NewDense(m*n, n, kernelMatrices), "y": newVector(trainData.Y)},
		args:           map[string]any{"C": 100, "gap": 1e-2},
		peers: []peer{{env: "numpy", program: "simplemkl", label: "numpy and SVC, reduced gradient"},
			{env: "numpy", program: "simplemkl", label: "numpy and SVC, closed form",
				args: map[string]any{"closed": true}}},
		evaluate: func(theta, _ []float64) Quality {
			q := certifiedQuality(p, theta)
			q["objective"] *= float64(n)
			weightSum := floats.Sum(theta)
			for _, v := range theta {
				if v > 1e-6*weightSum {
					q["kernels"]++
				}
			}
			return q
		},
	}
	for _, s := range []mkl.Solver{mkl.Level{}, mkl.ReducedGradient{}} {
		w.goImplementations = append(w.goImplementations, b.newSolverImplementation(s,
			mkl.Settings{Gap: 1e-2, Iterations: 5000}, fixedProblem(p), resultWeights))
	}
	return w
}
