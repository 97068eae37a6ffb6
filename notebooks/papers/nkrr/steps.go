package nkrr

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/viz"
)

// stepLambdas and stepRadii are the ridge parameters λ and the radii Λ of the ball in the problems of CountSteps.
var (
	stepLambdas = []float64{1, 10, 100, 1000}
	stepRadii   = []float64{0.5, 2, 8, 32}
)

// StepCount holds the numbers of steps that solvers need on one problem of the dataset Data: Algorithm 1 of the paper
// from the surface (Sphere) or the center (Center) of the ball of weights, and the line-search solver SPG.
type StepCount struct {
	Data                string
	Lambda, Radius      float64
	Sphere, Center, SPG int
}

// CountSteps counts the steps of each solver until (F − min F)/min F ≤ gap, for each dataset in sets, λ = 1, 10, 100,
// 1000 and radius Λ = 0.5, 2, 8, 32 of the 2-norm ball about (1, …, 1), with the quadratic kernel.
func CountSteps(ctx context.Context, gap float64, maxSteps int, sets []string) (all []StepCount, err error) {
	for _, name := range sets {
		d, err := datasets.Load(name)
		if err != nil {
			return nil, err
		}
		for _, lambda := range stepLambdas {
			for _, radius := range stepRadii {
				c, err := CountProblemSteps(ctx, Problem(d, CenteredFamily(2), 2, radius, lambda), gap, maxSteps)
				if err != nil {
					return nil, fmt.Errorf("nkrr: %s: %w", name, err)
				}
				c.Data, c.Lambda, c.Radius = name, lambda, radius
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// CountProblemSteps counts, for each solver of StepCount, the iterations, at most maxSteps, until (F − min F)/min F ≤
// gap. SPG computes min F of p to a relative gap of 1e-6, or to the gap that rounding errors permit. It is an error if
// that exceeds gap/100. The set of p must be a ball about (1, …, 1).
func CountProblemSteps(ctx context.Context, p *mkl.Problem, gap float64, maxSteps int) (c StepCount, err error) {
	spgResult, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-6, Iterations: 500})
	if err == nil && !(spgResult.Certificate.RelativeGap() <= gap/100) {
		err = fmt.Errorf("nkrr: SPG found min F to a relative gap of %.2g (%v), needed %.2g; use a larger gap",
			spgResult.Certificate.RelativeGap(), spgResult.Status, gap/100)
	}
	if err != nil {
		return c, err
	}
	m, _ := p.Grams.Dims()
	algorithm1 := mkl.PGD{Rule: mkl.ShrinkOnLonger, ScaleToSphere: true}
	for _, run := range []struct {
		stepCount *int
		solver    mkl.Solver
		start     []float64
	}{{&c.Sphere, algorithm1, nil}, {&c.Center, algorithm1, Ones(m)}, {&c.SPG, mkl.SPG{}, nil}} {
		settings := &mkl.Settings{Gap: 1e-12, Iterations: maxSteps, Theta: run.start}
		for it, err := range mkl.Steps(ctx, p, run.solver, settings) {
			if err != nil {
				return c, err
			}
			if *run.stepCount = it.K; it.K == maxSteps || it.F()-spgResult.F <= gap*spgResult.F {
				break
			}
		}
	}
	return c, nil
}

// CountBelow counts the problems that Algorithm 1 solves in fewer steps than limit from each start.
func CountBelow(counts []StepCount, limit int) (sphere, center int) {
	for _, c := range counts {
		sphere += min(1, max(0, limit-c.Sphere))
		center += min(1, max(0, limit-c.Center))
	}
	return sphere, center
}

// StepChart draws the steps of Algorithm 1 against λ. Each dataset and start has a panel, each radius Λ of the ball a
// series of points; those of one λ are side by side. The runs were stopped at maxSteps.
func StepChart(title string, counts []StepCount, maxSteps int) viz.Figure {
	var panels []viz.Figure
	mostSPGSteps := 0
	for start, name := range []string{"sphere", "μ₀"} {
		for i, first := range counts {
			mostSPGSteps = max(mostSPGSteps, first.SPG)
			if i > 0 && counts[i-1].Data == first.Data {
				continue
			}
			var lines []viz.Line
			for shift, radius := range stepRadii {
				var p viz.Pairs
				for _, c := range counts[i:] {
					if c.Data == first.Data && c.Radius == radius {
						k := []int{c.Sphere, c.Center}[start]
						lambdaShiftFactor := math.Pow(1.45, float64(shift)-1.5) // so that equal counts stay visible
						p = append(p, [2]float64{c.Lambda * lambdaShiftFactor, float64(max(1, k))})
					}
				}
				lines = append(lines, viz.Line{Name: fmt.Sprintf("Λ = %g", radius), XYs: p, Mark: viz.MarkPoints})
			}
			panels = append(panels, viz.LogLines(first.Data+", "+name, "", lines...).WithLogX().
				WithBaseline("25, the paper", 25).WithAxes("λ", fmt.Sprintf("steps (stopped at %d)", maxSteps)))
		}
	}
	return viz.Multiples(title, fmt.Sprintf("Steps of Algorithm 1 until F is within 0.1 %% of its minimum; columns "+
		"centered, y = ±1. λ is 1, 10, 100 or 1000; points of one λ are side by side; 0 is drawn as 1. First row: "+
		"start on the sphere. Second row: start at μ₀. A line search (SPG) took at most %d steps.",
		mostSPGSteps), len(panels)/2, panels...)
}

// ChosenProblem returns the problem of one dataset with the quadratic kernel on the 2-norm ball, with the λ and the
// radius that cross-validation chose in most draws of Table 1. readingName is the name of one of Readings.
func ChosenProblem(dataset, readingName string) (*mkl.Problem, error) {
	d, err := datasets.Load(dataset)
	if err != nil {
		return nil, err
	}
	if d, err = findReading(readingName).preprocess(d); err != nil {
		return nil, err
	}
	column, radius := mostFrequentChoice(dataset, readingName), 0.0
	if _, err := fmt.Sscanf(column.Radius, "Λ=%g", &radius); err != nil {
		return nil, fmt.Errorf("nkrr: the stored radius of %s is %q, not of the form Λ=2: %w", dataset, column.Radius,
			err)
	}
	return Problem(d, kernel.Features{Degree: 2}, 2, radius, column.Lambda), nil
}

// mostFrequentChoice returns the column quadratic ℓ2 of Table 1 with the λ and the radius that most draws chose.
func mostFrequentChoice(dataset, readingName string) (choice Column) {
	counts, most := map[string]int{}, 0
	for _, b := range Stored("table1") {
		if b.Data != dataset || b.Case != readingName {
			continue
		}
		c := b.Columns[5]
		key := fmt.Sprint(c.Lambda, c.Radius)
		if counts[key]++; counts[key] > most {
			most, choice = counts[key], c
		}
	}
	return choice
}

// ChosenCount is a StepCount of the problem that ChosenProblem returns.
type ChosenCount struct {
	StepCount
	Reading string
}

// CountChosenSteps counts the steps for the first three of Sets, with columns centered and with rows centered, at
// the hyperparameters that cross-validation chose in most draws of Table 1.
func CountChosenSteps(ctx context.Context, gap float64, maxSteps int) (all []ChosenCount, err error) {
	for _, name := range Sets[:3] {
		for _, readingName := range []string{AsWritten, PerExample} {
			p, err := ChosenProblem(name, readingName)
			if err != nil {
				return nil, err
			}
			c := ChosenCount{Reading: readingName}
			if c.StepCount, err = CountProblemSteps(ctx, p, gap, maxSteps); err != nil {
				return nil, err
			}
			c.Data, c.Radius, c.Lambda = name, p.Set.(set.Ball).Radius, p.Loss.(loss.Squared).Lambda
			all = append(all, c)
		}
	}
	return all, nil
}
