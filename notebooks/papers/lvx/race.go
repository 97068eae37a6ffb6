package lvx

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// Case is a named problem of a race.
type Case struct {
	Name string
	*mkl.Problem
}

// Cases returns the problems of the race: whole datasets with centered features, on 2-norm balls.
func Cases() ([]Case, error) {
	var list []Case
	for _, c := range []struct {
		name           string
		degree         int
		lambda, center float64
	}{
		{"sonar", 1, 0.1, 1}, {"sonar", 1, 0.1, 0}, {"sonar", 1, 10, 1}, {"sonar", 2, 0.1, 1}, {"sonar", 2, 10, 1},
		{"ionosphere", 1, 0.1, 0}, {"ionosphere", 1, 10, 0}, {"ionosphere", 2, 0.1, 0},
	} {
		d, err := data.Load(c.name)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("%s d=%d λ=%g μ₀=%g", c.name, c.degree, c.lambda, c.center)
		list = append(list, Case{name, Problem(d, c.degree, c.lambda, c.center, 1+c.center)})
	}
	return list, nil
}

// StepCount holds the numbers of steps that the algorithms of the paper need on one problem. PGD and IIA solve the
// problem on the ball with Λ = Γ; rPGD and rIIA solve the regularized problem with β = Γ. IIA and rIIA exist for degree
// 1 only. A number is NaN if the algorithm does not exist, and +Inf if it did not prove the gap.
type StepCount struct {
	Name                 string
	PGD, IIA, RPGD, RIIA float64
}

// CountSteps counts the steps until the certified relative gap is at most gap, with the settings of the paper: μ₀ =
// μ_init = 1; η = 1 for PGD, multiplied by 0.8 if F increased; η = ½ for IIA.
func CountSteps(ctx context.Context, gap float64) (counts []StepCount, err error) {
	run := func(p *mkl.Problem, s mkl.Solver) float64 {
		m, _ := p.Grams.Dims()
		r, e := mkl.Solve(ctx, p, s, &mkl.Settings{Gap: gap, Iterations: 1000, Theta: Constant(1, m)})
		if err = errors.Join(err, e); e != nil || r.Status != mkl.Certified {
			return math.Inf(1)
		}
		return float64(len(r.Trace) - 1)
	}
	for _, name := range Sets[:2] {
		d, e := data.Load(name)
		if e != nil {
			return nil, e
		}
		for degree := 1; degree <= 2; degree++ {
			for _, v := range [][2]float64{{0.1, 1}, {0.1, 10}, {10, 1}, {10, 10}} { // v is (λ, Γ)
				ball, regularized := Problem(d, degree, v[0], 1, v[1]), Regularized(d, degree, v[0], v[1])
				pgd := mkl.PGD{Rule: mkl.ShrinkOnIncrease}
				c := StepCount{fmt.Sprintf("%s d=%d λ=%g Γ=%g", name, degree, v[0], v[1]), run(ball, pgd),
					math.NaN(), run(regularized, pgd), math.NaN()}
				if degree == 1 {
					c.IIA, c.RIIA = run(ball, mkl.IIA{}), run(regularized, mkl.IIA{})
				}
				counts = append(counts, c)
			}
		}
	}
	return counts, err
}

// StepsTable shows counts as a table.
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
	return viz.Table(title, "Steps to a certified relative gap of 1e-4 from μ = 1. PGD: η = 1, × 0.8 if F increased; "+
		"IIA: η = ½. PGD and IIA: ball with μ₀ = 1 and Λ = Γ; rPGD and rIIA: β = Γ. IIA exists for degree 1 only.",
		[]string{"problem", "PGD", "IIA", "rPGD", "rIIA"}, rows...)
}

// Racers lists the compared solvers: Algorithm 8, and projected gradient with a line search and with the rule of the
// paper.
var Racers = []mkl.Solver{mkl.TrustRegion{}, mkl.SPG{}, mkl.PGD{Rule: mkl.ShrinkOnIncrease}}

// solverNames maps the String of each of Racers to its name in tables and figures.
var solverNames = map[string]string{Racers[0].String(): "Algorithm 8", Racers[1].String(): "SPG",
	Racers[2].String(): "the paper's rule"}

// Lap is the run of one solver on one problem.
type Lap struct {
	Case, Solver string
	Evaluations  int
	Seconds      float64 // shortest time of all rounds
	Gap          float64 // certified and relative; NaN if the run reached neither the gap nor the limit of rounding
}

// Race runs every solver on every case until the relative gap is at most gap, in rounds rounds. It returns one Lap for
// each case and solver.
func Race(ctx context.Context, cases []Case, gap float64, rounds int) (laps []Lap, err error) {
	for round := range rounds {
		i := 0
		for _, c := range cases {
			for _, s := range Racers {
				start := time.Now()
				r, err := mkl.Solve(ctx, c.Problem, s, &mkl.Settings{Gap: gap, Iterations: 300})
				if err != nil {
					return nil, err
				}
				seconds := time.Since(start).Seconds()
				if round == 0 {
					l := Lap{c.Name, s.String(), r.Trace[len(r.Trace)-1].Evals, seconds, r.RelativeGap()}
					if r.Status != mkl.Certified && r.Status != mkl.IllConditioned {
						l.Gap = math.NaN()
					}
					laps = append(laps, l)
				}
				laps[i].Seconds = math.Min(laps[i].Seconds, seconds)
				i++
			}
		}
	}
	return laps, nil
}

// Evaluations shows, for each case and solver, the number of evaluations of F and the time.
func Evaluations(laps []Lap) viz.Figure {
	header, rows := []string{"problem"}, [][]any{}
	for i, l := range laps {
		if i < len(Racers) {
			header = append(header, solverNames[l.Solver])
		}
		if i%len(Racers) == 0 {
			rows = append(rows, []any{l.Case})
		}
		last := &rows[len(rows)-1]
		*last = append(*last, fmt.Sprintf("%d (%.0f ms)", l.Evaluations, 1e3*l.Seconds))
	}
	return viz.Table("Evaluations of F to a certified relative gap of 1e-9",
		"Whole datasets, features scaled to [0, 1] and centered, 2-norm ball about μ₀ with Λ = 1 + μ₀. In "+
			"parentheses: the shortest time of all rounds on the machine that ran this cell.",
		header, rows...)
}
