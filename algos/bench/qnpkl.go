package main

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/mat"
)

// qnpklTasks returns tasks of QN-PKL: they learn the widths of a product of Gaussian kernels, one for each feature, by
// quasi-Newton methods.
func qnpklTasks() (all []task) {
	for _, t := range []struct {
		dataset string
		c       float64
	}{{"sonar", 10}, {"ionosphere", 1}, {"pima", 1}} {
		all = append(all, task{name: "qnpkl " + t.dataset, maxRounds: 3,
			prepare: func(b *bench) *workload { return prepareQNPKL(b, t.dataset, t.c) },
			description: fmt.Sprintf("learns a product of one Gaussian for each of M features, hinge loss, C = %g. A "+
				"run starts at widths γ = 1/M and ends when the objective is at most 1 %% above the smallest of long "+
				"runs; 20 splits of %s; solves: mean number of solved support vector machines", t.c, t.dataset)})
	}
	return all
}

func prepareQNPKL(b *bench, dataset string, c float64) *workload {
	d := must(datasets.Load(dataset))
	if dataset == "ionosphere" { // the second feature of ionosphere is constant
		keptColumns := []int{0}
		for j := 2; j < d.Dim(); j++ {
			keptColumns = append(keptColumns, j)
		}
		d = must(d.Columns(keptColumns...))
	}
	splits := must(fit.Holdout(d.Y, 0.3, 20, 1))
	problems, targetObjectives := make([]*mkl.Problem, len(splits)), make([]float64, len(splits))
	for i, s := range splits {
		family := kernel.Gaussians{Prepare: points.Preprocessing{points.Standardize}}
		problems[i] = &mkl.Problem{Grams: family.Bind(d.X.Slice(s.Train)), Set: set.Orthant{At: 1 / float64(d.Dim())},
			Loss: loss.Hinge{C: c}, Y: points.Pick(d.Y, s.Train)}
		targetObjectives[i] = math.Inf(1)
		for _, solver := range []mkl.Solver{mkl.LBFGS{}, mkl.QuasiNewton{}} {
			r := must(mkl.Solve(b.ctx, problems[i], solver, &mkl.Settings{Gap: 1e-4, Iterations: 200}))
			targetObjectives[i] = min(targetObjectives[i], 1.01*r.F)
		}
	}
	solveToTarget := func(s mkl.Solver) implementation {
		var answer []float64 // for each split: the number of solved SVMs, and the smallest objective of the run
		return newGoImplementation("Go, "+s.String(), func() error {
			answer = nil
			for i, p := range problems {
				solveCount, smallestObjective := 0, math.Inf(1)
				_, err := mkl.Solve(b.ctx, p, s, &mkl.Settings{Gap: 1e-6, Watch: func(it *mkl.Iterate) bool {
					solveCount, smallestObjective = it.Evals, min(smallestObjective, it.Primal)
					return smallestObjective <= targetObjectives[i]
				}})
				if err != nil {
					return err
				}
				answer = append(answer, float64(solveCount), smallestObjective)
			}
			return nil
		}, func() []float64 { return answer })
	}
	return &workload{
		goImplementations: []implementation{solveToTarget(mkl.LBFGS{}), solveToTarget(mkl.QuasiNewton{})},
		input: map[string]mat.Matrix{"X": mat.NewDense(d.Len(), d.Dim(), points.ToRows(d.X).Data),
			"y": newVector(d.Y), "train": trainingIndicators(splits, d.Len()), "target": newVector(targetObjectives)},
		args: map[string]any{"C": c}, peers: []peer{{env: "numpy", program: "qnpkl", label: "scipy L-BFGS-B and SVC"}},
		evaluate: func(r, _ []float64) Quality {
			q := Quality{"solves": 0, "splits reached": 0}
			for i, t := range targetObjectives {
				q["solves"] += r[2*i] / float64(len(targetObjectives))
				if r[2*i+1] <= t*(1+1e-6) {
					q["splits reached"]++
				}
			}
			return q
		},
	}
}
