package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// largeProblemTasks returns the tasks with so many points that no n×n kernel matrix is stored. They fit points of
// Friedman's first problem with 8 Gaussian kernels and λ = 1; γ doubles from one kernel to the next.
func largeProblemTasks() (all []task) {
	for _, n := range []int{20000, 100000} {
		all = append(all, task{name: fmt.Sprintf("scale certificate n=%d", n), maxRounds: 3,
			description: "bounds the minimal objective of MKL with squared loss, for Friedman's first problem and 8 " +
				"Gaussians, in one pass over the base matrices; gap: relative",
			prepare: func(b *bench) *workload { return prepareBoundsOfMinimum(b, n) }})
	}
	return all
}

// friedmanProblem returns a problem on n points of datasets.Friedman with standardized features and targets, and the
// same data as arrays for the Python programs.
func friedmanProblem(n int) (p *mkl.Problem, input map[string]mat.Matrix) {
	d, gammas := datasets.Friedman(n, 1), make([]float64, 8)
	x := points.ToRows(d.X)
	standardizeColumns(x)
	var list kernel.List
	for k := range gammas {
		gammas[k] = math.Exp2(float64(k-2)) / float64(4*x.D)
		list = append(list, kernel.RBF{Gamma: gammas[k]})
	}
	p = &mkl.Problem{Grams: list.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: standardize(d.Y)}
	return p, map[string]mat.Matrix{"X": mat.NewDense(n, x.D, x.Data), "y": newVector(p.Y),
		"gammas": newVector(gammas)}
}

// prepareBoundsOfMinimum prepares two bounds of the minimal objective of MKL with squared loss and λ = 1, from uniform
// weights θ and dual coefficients w = y/100. Unlike mkl.Problem.CertifyAt, it adds no bounds of rounding errors:
//
//	upper  ½wᵀf + ½‖y − f‖²,  f = Σ_k θ_k K_k w
//	lower  max_{0≤s≤1}  s·yᵀw − ½s²(‖w‖² + max_k wᵀK_kw)
func prepareBoundsOfMinimum(b *bench, n int) *workload {
	p, peerInput := friedmanProblem(n)
	w := slices.Clone(p.Y)
	floats.Scale(1./100, w)
	peerInput["w"] = newVector(w)
	m, _ := p.Grams.Dims()
	kernelProducts := make([][]float64, m)
	for k := range kernelProducts {
		kernelProducts[k] = make([]float64, n)
	}
	var upper, lower float64
	return &workload{
		callsPerTiming: 1, input: peerInput,
		goImplementations: []implementation{newGoImplementation("Go", func() error {
			sweep, err := p.Grams.(kernel.Swept).Sweep()
			if err != nil {
				return err
			}
			if err := sweep.Products(b.ctx, kernelProducts, w); err != nil {
				return err
			}
			f, largestQuadraticForm := make([]float64, n), 0.0
			for _, image := range kernelProducts {
				floats.AddScaled(f, 1/float64(m), image)
				largestQuadraticForm = max(largestQuadraticForm, floats.Dot(w, image))
			}
			residualNorm := floats.Distance(p.Y, f, 2)
			upper = floats.Dot(w, f)/2 + residualNorm*residualNorm/2
			linearTerm, quadraticTerm := floats.Dot(p.Y, w), floats.Dot(w, w)+largestQuadraticForm
			s := min(1, linearTerm/quadraticTerm)
			lower = s*linearTerm - s*s*quadraticTerm/2
			return nil
		}, func() []float64 { return []float64{upper, lower} })},
		peers: []peer{{env: "numpy", program: "certificate", label: "numpy"}},
		evaluate: func(r, first []float64) Quality {
			return Quality{"difference": relativeMaxError(r, first), "gap": (r[0] - r[1]) / r[0]}
		},
	}
}
