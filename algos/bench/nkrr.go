package main

import (
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// nkrrTasks returns the task that fits NKRR of degree 2: kernel ridge regression with non-linear combinations of
// kernels (Cortes et al., NIPS 2009), with one kernel for each feature (column of X):
//
//	J(θ) = ½yᵀ(S∘S + λI)⁻¹y,  S = X diag(θ) Xᵀ,  θ ≥ 0, ‖θ − 1‖₂ ≤ Λ.
func nkrrTasks() []task {
	return []task{{name: "fit n=208", description: "fits kernel ridge regression with a squared sum of kernels to " +
		"sonar, 208 × 60, λ = 1, ‖θ − 1‖₂ ≤ 8, to a certified relative gap of 1e-8", prepare: prepareSonarFit}}
}

// prepareSonarFit prepares a whole fit on 208 points. It shows whether more threads make such a small fit slower.
func prepareSonarFit(b *bench) *workload {
	const lambda, radius, gap = 1.0, 8.0, 1e-8
	d := must(datasets.Load("sonar"))
	x := points.ToRows(must(points.Preprocessing{points.MinMax, points.CenterColumns}.Fit(d.X)).Apply(d.X))
	y, columnMeans := subtractMean(append([]float64{}, d.Y...)), make([]float64, x.D)
	floats.AddConst(1, columnMeans)
	p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.Bind(x),
		Set: set.Ball{Q: 2, Radius: radius, Center: columnMeans}, Loss: loss.Squared{Lambda: lambda}, Y: y}
	return &workload{
		goImplementations: []implementation{b.newSolverImplementation(mkl.SPG{}, mkl.Settings{Gap: gap},
			fixedProblem(p), resultWeights)},
		input:    map[string]mat.Matrix{"X": mat.NewDense(x.N, x.D, x.Data), "y": newVector(y)},
		args:     map[string]any{"lam": lambda, "radius": radius, "gap": gap},
		peers:    newNumpyPeers("fit", "numpy, the same method"),
		evaluate: func(theta, _ []float64) Quality { return certifiedQuality(p, theta) },
	}
}
