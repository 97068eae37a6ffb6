package main

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data/datasets"
)

// qnpklTasks returns tasks that learn the widths of a product of Gaussian kernels, one for each feature, by
// quasi-Newton methods.
func qnpklTasks() (all []task) {
	for _, t := range []struct {
		set string
		c   float64
	}{{"sonar", 10}, {"ionosphere", 1}, {"pima", 1}} {
		all = append(all, task{name: "qnpkl " + t.set, maxRounds: 3,
			newWork: func(b *bench) *work { return qnpklWork(b, t.set, t.c) },
			description: fmt.Sprintf("learns a product of one Gaussian for each feature, hinge loss with C = %g. A "+
				"run starts at γ = 1/M and ends when J is at most 1 %% above the smallest J of long runs; 20 splits "+
				"of %s; solves: mean number of support vector machines", t.c, t.set)})
	}
	return all
}

func qnpklWork(b *bench, name string, c float64) *work {
	d := must(datasets.Load(name))
	if name == "ionosphere" { // the second feature of ionosphere is constant
		columnOffsets := []int{0}
		for j := 2; j < d.Dim(); j++ {
			columnOffsets = append(columnOffsets, j)
		}
		d = must(d.Columns(columnOffsets...))
	}
	splits := must(compare.Holdout(d.Y, 0.3, 20, 1))
	problems, targets := make([]*mkl.Problem, len(splits)), make([]float64, len(splits))
	for i, s := range splits {
		family := kernel.Gaussians{Prepare: points.Preprocessing{points.Standardize}}
		problems[i] = &mkl.Problem{Grams: family.Bind(d.X.Slice(s.Train)), Set: set.Orthant{At: 1 / float64(d.Dim())},
			Loss: loss.Hinge{C: c}, Y: points.Pick(d.Y, s.Train)}
		targets[i] = math.Inf(1)
		for _, solver := range []mkl.Solver{mkl.LBFGS{}, mkl.QuasiNewton{}} {
			r := must(mkl.Solve(b.ctx, problems[i], solver, &mkl.Settings{Gap: 1e-4, Iterations: 200}))
			targets[i] = min(targets[i], 1.01*r.F)
		}
	}
	solveToTarget := func(s mkl.Solver) implementation {
		var answer []float64 // for each split: the number of SVMs solved, and the smallest objective J
		return goImplementation("Go, "+s.String(), func() error {
			answer = nil
			for i, p := range problems {
				solveCount, smallestJ := 0, math.Inf(1)
				_, err := mkl.Solve(b.ctx, p, s, &mkl.Settings{Gap: 1e-6, Watch: func(it *mkl.Iterate) bool {
					solveCount, smallestJ = it.Evals, min(smallestJ, it.Primal)
					return smallestJ <= targets[i]
				}})
				if err != nil {
					return err
				}
				answer = append(answer, float64(solveCount), smallestJ)
			}
			return nil
		}, func() []float64 { return answer })
	}
	return &work{
		goImplementations: []implementation{solveToTarget(mkl.LBFGS{}), solveToTarget(mkl.QuasiNewton{})},
		input: map[string]array{"X": newMatrix(d.Len(), d.Dim(), points.ToRows(d.X).Data), "y": newVector(d.Y),
			"train": trainIndices(splits), "target": newVector(targets)},
		args:  map[string]any{"C": c},
		peers: []peer{{env: "numpy", program: "qnpkl", label: "scipy L-BFGS-B and SVC"}},
		evaluate: func(r, _ []float64) Quality {
			q := Quality{"solves": 0, "splits reached": 0}
			for i, t := range targets {
				q["solves"] += r[2*i] / float64(len(targets))
				if r[2*i+1] <= t*(1+1e-6) {
					q["splits reached"]++
				}
			}
			return q
		},
	}
}

// trainIndices returns a matrix of the indices of the training points, with a row for each split.
func trainIndices(splits []compare.Split) array {
	var rows []int
	for _, s := range splits {
		rows = append(rows, s.Train...)
	}
	return newIntegers(rows, len(splits), len(splits[0].Train))
}
