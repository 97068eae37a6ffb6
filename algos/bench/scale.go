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
)

// scaleTasks returns the tasks with so many points that K(θ) is not stored. They fit points of Friedman's first problem
// with 8 Gaussian kernels and λ = 1; γ doubles from one kernel to the next.
func scaleTasks() (all []task) {
	for _, n := range []int{20000, 100000} {
		all = append(all, task{name: fmt.Sprintf("scale certificate n=%d", n), maxRounds: 3,
			description: "bounds F at one θ and one w, for Friedman's first problem and 8 Gaussians, in one pass; " +
				"gap: relative",
			newWork: func(b *bench) *work { return certificateWork(b, n) }})
	}
	return all
}

// friedmanProblem returns a problem on n points of datasets.Friedman with standardized features and targets, and the
// same data as input for the peers.
func friedmanProblem(n int) (p *mkl.Problem, input map[string]array) {
	d, gammas := datasets.Friedman(n, 1), make([]float64, 8)
	x := points.ToRows(d.X)
	standardizeColumns(x)
	var list kernel.List
	for k := range gammas {
		gammas[k] = math.Exp2(float64(k-2)) / float64(4*x.D)
		list = append(list, kernel.RBF{Gamma: gammas[k]})
	}
	p = &mkl.Problem{Grams: list.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: standardize(d.Y)}
	return p, map[string]array{"X": newMatrix(n, x.D, x.Data), "y": newVector(p.Y), "gammas": newVector(gammas)}
}

// certificateWork computes bounds of F for uniform weights θ and dual coefficients w = y/100, without the bounds of
// rounding errors of mkl.Problem.CertifyAt:
//
//	upper  ½wᵀf + ½‖y − f‖²,  f = K(θ)w
//	lower  max_{0≤s≤1}  s·yᵀw − ½s²(‖w‖² + max_k wᵀK_kw)
func certificateWork(b *bench, n int) *work {
	p, input := friedmanProblem(n)
	w := slices.Clone(p.Y)
	floats.Scale(1./100, w)
	input["w"] = newVector(w)
	m, _ := p.Grams.Dims()
	products := make([][]float64, m)
	for k := range products {
		products[k] = make([]float64, n)
	}
	var upper, lower float64
	return &work{
		callsPerTiming: 1, input: input,
		goImplementations: []implementation{goImplementation("Go", func() error {
			sweep, err := p.Grams.Sweep()
			if err != nil {
				return err
			}
			if err := sweep.Products(b.ctx, products, w); err != nil {
				return err
			}
			f, largestForm := make([]float64, n), 0.0
			for _, image := range products {
				floats.AddScaled(f, 1/float64(m), image)
				largestForm = max(largestForm, floats.Dot(w, image))
			}
			residualNorm := floats.Distance(p.Y, f, 2)
			upper = floats.Dot(w, f)/2 + residualNorm*residualNorm/2
			linearTerm, quadraticTerm := floats.Dot(p.Y, w), floats.Dot(w, w)+largestForm
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
