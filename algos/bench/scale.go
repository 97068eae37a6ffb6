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
	"github.com/mklnb/mkl/data"
)

// scaleTasks returns the tasks with so many points that K(θ) is not stored: Friedman's first problem, 8 Gaussians with
// γ doubling from one to the next, λ = 1.
func scaleTasks() (all []task) {
	for _, t := range []struct {
		n          int
		gap        float64
		components int // number of Nyström features
	}{{20000, 2e-4, 3000}, {100000, 1e-3, 3000}} {
		all = append(all,
			task{name: fmt.Sprintf("scale certificate n=%d", t.n), maxRounds: 3,
				about: "bounds of F at one θ and one w, of Friedman's first problem and 8 Gaussians, in one pass; " +
					"gap: relative",
				newWork: func(b *bench) *work { return certificateWork(b, t.n) }},
			task{name: fmt.Sprintf("scale fit n=%d", t.n), maxRounds: 1,
				about: fmt.Sprintf("weights of these kernels, λ = 1, to a relative gap of %g; gap: relative "+
					"distance of F from our lower bound", t.gap),
				newWork: func(b *bench) *work { return scaleFitWork(b, t.n, t.gap, t.components) }})
	}
	return all
}

// friedmanProblem returns a problem on n points of data.Friedman with standardized features and targets, and the same
// data as input for the peers.
func friedmanProblem(n int) (p *mkl.Problem, input map[string]array) {
	d, gammas := data.Friedman(n, 1), make([]float64, 8)
	x := points.ToRows(d.X)
	standardizeColumns(x)
	var list kernel.List
	for k := range gammas {
		gammas[k] = math.Exp2(float64(k-2)) / float64(4*x.D)
		list = append(list, kernel.RBF{Gamma: gammas[k]})
	}
	p = &mkl.Problem{Grams: list.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: standardize(d.Y)}
	return p, map[string]array{"X": matrix(n, x.D, x.Data), "y": vector(p.Y), "gammas": vector(gammas)}
}

// certificateWork computes the certificate for uniform weights θ and dual coefficients w = y/100.
func certificateWork(b *bench, n int) *work {
	p, input := friedmanProblem(n)
	w := make([]float64, n)
	for i, v := range p.Y {
		w[i] = v / 100
	}
	input["w"] = vector(w)
	var c mkl.Certificate
	return &work{
		callsPerTiming: 1, input: input,
		inGo: []implementation{goImplementation("Go", func() error {
			q, err := p.MatrixFree()
			if err != nil {
				return err
			}
			pt, err := q.EvaluateAt(b.ctx, slices.Repeat([]float64{1. / 8}, 8), w)
			if err != nil {
				return err
			}
			c, err = q.Certify(pt, false)
			return err
		}, func() []float64 { return []float64{c.Upper, c.Lower} })},
		peers: []peer{{env: "numpy", program: "certificate", label: "numpy"}},
		evaluate: func(r, first []float64) Quality {
			return Quality{"difference": maxError(r, first), "gap": (r[0] - r[1]) / r[0]}
		},
	}
}

// scaleFitWork compares mkl.Subspace with ridge regression on Nyström features of the kernel with the largest weight.
// The objective of that regression is a primal value of this problem at the vertex of the simplex with only this
// kernel, so it is at least the minimum of F.
func scaleFitWork(b *bench, n int, gap float64, components int) *work {
	p, input := friedmanProblem(n)
	return &work{
		callsPerTiming: 1, input: input, args: map[string]any{"components": components},
		inGo: []implementation{b.goSolver(mkl.Subspace{}, mkl.Settings{Gap: gap}, sameProblem(p),
			func(r *mkl.Result) []float64 {
				_, peak := processUsage()
				return append(resultBounds(r), peak/1024)
			})},
		peers: []peer{{env: "numpy", program: "nystroem", label: "scikit-learn Nystroem, Ridge"}},
		evaluate: func(r, first []float64) Quality {
			q := Quality{"objective": r[0], "gap": (r[0] - first[1]) / r[0]}
			if len(r) == 4 {
				q["passes"], q["GB of memory"] = r[2], r[3]
			}
			return q
		},
	}
}
