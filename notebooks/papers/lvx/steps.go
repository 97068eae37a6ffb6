package lvx

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/viz"
)

// RaceProblems returns the problems on which the notebook compares solvers, and their names. Each problem uses a whole
// dataset, with centered features; its weights μ are in a 2-norm ball about μ₀·(1, …, 1). The names contain μ₀, 0 or 1.
func RaceProblems() (names []string, problems []*mkl.Problem, err error) {
	for _, c := range []struct {
		name           string
		degree         int
		lambda, center float64
	}{
		{"sonar", 1, 0.1, 1}, {"sonar", 1, 0.1, 0}, {"sonar", 1, 10, 1}, {"sonar", 2, 0.1, 1}, {"sonar", 2, 10, 1},
		{"ionosphere", 1, 0.1, 0}, {"ionosphere", 1, 10, 0}, {"ionosphere", 2, 0.1, 0},
	} {
		d, err := datasets.Load(c.name)
		if err != nil {
			return nil, nil, err
		}
		names = append(names, fmt.Sprintf("%s d=%d λ=%g μ₀=%g", c.name, c.degree, c.lambda, c.center))
		problems = append(problems, Problem(d, c.degree, c.lambda, c.center, 1+c.center))
	}
	return names, problems, nil
}

// StepCount holds the numbers of steps that algorithms of the paper need on one dataset with one λ and one Γ: PGD and
// IIA on the ball of radius Γ; rPGD and rIIA with the penalty Γ‖μ‖² instead. IIA and rIIA exist for degree 1 only. A
// number is NaN if the algorithm does not exist, and +Inf if its certified gap stayed too large.
type StepCount struct {
	Name                 string
	PGD, IIA, RPGD, RIIA float64
}

// CountSteps counts the steps until the certified relative gap is at most gap, with the settings of the paper: center
// and start of μ at (1, …, 1); step length of PGD 1, times 0.8 after each increase of F; η of mkl.IIA ½.
func CountSteps(ctx context.Context, gap float64) (counts []StepCount, err error) {
	countRunSteps := func(p *mkl.Problem, s mkl.Solver) float64 {
		m, _ := p.Grams.Dims()
		r, e := mkl.Solve(ctx, p, s, &mkl.Settings{Gap: gap, Iterations: 1000, Theta: Constant(1, m)})
		if err = errors.Join(err, e); e != nil || r.Status != mkl.Certified {
			return math.Inf(1)
		}
		return float64(len(r.Trace) - 1)
	}
	for _, name := range Sets[:2] {
		d, e := datasets.Load(name)
		if e != nil {
			return nil, e
		}
		for degree := 1; degree <= 2; degree++ {
			for _, v := range [][2]float64{{0.1, 1}, {0.1, 10}, {10, 1}, {10, 10}} { // v is (λ, Γ)
				ballProblem := Problem(d, degree, v[0], 1, v[1])
				regularizedProblem := RegularizedProblem(d, degree, v[0], v[1])
				pgd := mkl.PGD{Rule: mkl.ShrinkOnIncrease}
				c := StepCount{fmt.Sprintf("%s d=%d λ=%g Γ=%g", name, degree, v[0], v[1]),
					countRunSteps(ballProblem, pgd), math.NaN(), countRunSteps(regularizedProblem, pgd), math.NaN()}
				if degree == 1 {
					c.IIA, c.RIIA = countRunSteps(ballProblem, mkl.IIA{}), countRunSteps(regularizedProblem, mkl.IIA{})
				}
				counts = append(counts, c)
			}
		}
	}
	return counts, err
}

// StepsTable shows the number of steps of each algorithm as a table with one row for each problem.
func StepsTable(title string, counts []StepCount) viz.Figure {
	var rows [][]any
	for _, c := range counts {
		row := []any{c.Name}
		for _, n := range []float64{c.PGD, c.IIA, c.RPGD, c.RIIA} {
			switch {
			case math.IsNaN(n):
				row = append(row, "–")
			case math.IsInf(n, 1):
				row = append(row, "not proved")
			default:
				row = append(row, n)
			}
		}
		rows = append(rows, row)
	}
	return viz.Table(title, "Steps to a certified relative gap of 1e-4 from μ = 1, degree d. PGD and IIA: ball of "+
		"radius Γ about 1; rPGD and rIIA: penalty Γ‖μ‖². PGD: step length 1, × 0.8 if F increased. IIA: η = ½, d = 1. "+
		"Not proved: rounding errors exceed this gap.",
		[]string{"problem", "PGD", "IIA", "rPGD", "rIIA"}, rows...)
}
