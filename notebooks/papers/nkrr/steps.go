package nkrr

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

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

// Tolerances lists two values of ε for the stopping rule of the paper, ‖μ′−μ‖ < ε.
var Tolerances = [2]float64{0.1, 0.01}

// Stop is where Algorithm 1 stops by the rule of the paper.
type Stop struct {
	Steps  int
	Excess float64 // (F − min F)/min F there
}

// StepCount holds the numbers of steps that solvers need on one problem of the dataset Data: Algorithm 1 of the paper
// from the surface (Sphere) or the center (Center) of the ball of weights, and the line-search solver SPG.
type StepCount struct {
	Data                     string
	Lambda, Radius           float64
	Sphere, Center, SPG      int
	SphereStops, CenterStops [2]Stop // by the rule of the paper, for each of Tolerances
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
// gap, and finds where the rule of the paper stops Algorithm 1. SPG computes min F of p to a relative gap of 1e-6, or
// to the gap that rounding errors permit. It is an error if that exceeds gap/100. The set of p must be a ball about
// (1, …, 1).
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
	for _, run := range []struct {
		stepCount *int
		stops     *[2]Stop
		start     []float64
	}{{&c.Sphere, &c.SphereStops, nil}, {&c.Center, &c.CenterStops, Ones(m)}} {
		steps, stops, err := runAlgorithm1(ctx, p, run.start, gap, spgResult.F, maxSteps, Tolerances[:])
		if err != nil {
			return c, err
		}
		*run.stepCount, *run.stops = steps, [2]Stop(stops)
	}
	for it, err := range mkl.Steps(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-12, Iterations: maxSteps}) {
		if err != nil {
			return c, err
		}
		if c.SPG = it.K; it.K == maxSteps || it.F()-spgResult.F <= gap*spgResult.F {
			break
		}
	}
	return c, nil
}

// runAlgorithm1 runs Algorithm 1 from start, or from the surface of the ball if start is nil. It returns the number of
// steps until (F − minF)/minF ≤ gap, and the stops by the rule of the paper for each of tolerances, each after at most
// maxSteps.
func runAlgorithm1(ctx context.Context, p *mkl.Problem, start []float64, gap, minF float64, maxSteps int,
	tolerances []float64) (steps int, stops []Stop, err error) {
	var isNear bool
	var before []float64
	stops, hasStopped := make([]Stop, len(tolerances)), make([]bool, len(tolerances))
	settings := &mkl.Settings{Gap: 1e-12, Iterations: maxSteps, Theta: start}
	solver := mkl.PGD{Rule: mkl.ShrinkOnLonger, ScaleToSphere: true}
	for it, err := range mkl.Steps(ctx, p, solver, settings) {
		if err != nil {
			return 0, nil, err
		}
		if !isNear {
			steps, isNear = it.K, it.K == maxSteps || it.F()-minF <= gap*minF
		}
		for i, eps := range tolerances {
			if !hasStopped[i] {
				stops[i] = Stop{it.K, it.F()/minF - 1}
				hasStopped[i] = it.K == maxSteps || it.K > 0 && floats.Distance(it.Theta, before, 2) < eps
			}
		}
		if isNear && !slices.Contains(hasStopped, false) {
			break
		}
		before = slices.Clone(it.Theta)
	}
	return steps, stops, nil
}

// CountStepsByRule counts the steps of Algorithm 1 from the surface and from the center of the ball of p until
// ‖μ′−μ‖ < eps, at most maxSteps. It needs no minimum of F, so p may have any norm q.
func CountStepsByRule(ctx context.Context, p *mkl.Problem, eps float64, maxSteps int) (sphere, center int, err error) {
	m, _ := p.Grams.Dims()
	var counts [2]int
	for i, start := range [][]float64{nil, Ones(m)} {
		_, stops, err := runAlgorithm1(ctx, p, start, math.Inf(1), 1, maxSteps, []float64{eps})
		if err != nil {
			return 0, 0, err
		}
		counts[i] = stops[0].Steps
	}
	return counts[0], counts[1], nil
}

// StepRows returns the rows of a table. A row has a criterion, a start, the number of problems of each radius Λ that
// meet the criterion in fewer steps than limit, and how far F is then above its minimum, at most, in %.
func StepRows(counts []StepCount, limit int) (rows [][]any) {
	addRow := func(criterion, start string, of func(c StepCount) Stop) {
		row, most := []any{criterion, start}, 0.0
		for _, radius := range stepRadii {
			count := 0
			for _, c := range counts {
				if s := of(c); c.Radius == radius && s.Steps < limit {
					count, most = count+1, max(most, 100*s.Excess)
				}
			}
			row = append(row, count)
		}
		rows = append(rows, append(row, viz.Number(most, 1)))
	}
	addRow("F is within 0.1 % of its minimum", "sphere", func(c StepCount) Stop { return Stop{c.Sphere, 1e-3} })
	addRow("F is within 0.1 % of its minimum", "μ₀", func(c StepCount) Stop { return Stop{c.Center, 1e-3} })
	for i, eps := range Tolerances {
		criterion := fmt.Sprintf("‖μ′ − μ‖ < %g", eps)
		addRow(criterion, "sphere", func(c StepCount) Stop { return c.SphereStops[i] })
		addRow(criterion, "μ₀", func(c StepCount) Stop { return c.CenterStops[i] })
	}
	return rows
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
