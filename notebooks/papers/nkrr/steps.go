package nkrr

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// The problems of CountSteps are quadratic, on the 2-norm ball about 1, with these λ and Λ.
var (
	stepLambdas = []float64{1, 10, 100, 1000}
	stepRadii   = []float64{0.5, 2, 8, 32}
)

// Count holds the numbers of steps that Algorithm 1 as printed needs on one problem, from μ₀ + Λ1/√m and from μ₀, and
// the steps of SPG.
type Count struct {
	Data                string
	Lambda, Radius      float64
	Sphere, Center, SPG int
}

// CountSteps counts the steps on sets until (F − min F)/min F ≤ gap, at most most steps. min F is the F of SPG,
// certified to a relative gap of 1e-6.
func CountSteps(ctx context.Context, gap float64, most int, sets []string) (all []Count, err error) {
	for _, name := range sets {
		d, err := data.Load(name)
		if err != nil {
			return nil, err
		}
		for _, lambda := range stepLambdas {
			for _, radius := range stepRadii {
				c, err := Steps(ctx, Problem(d, CenteredFamily(2), 2, radius, lambda), gap, most)
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

// Steps counts the steps on one problem, whose set is a ball about 1.
func Steps(ctx context.Context, p *mkl.Problem, gap float64, most int) (c Count, err error) {
	best, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-6, Iterations: 500})
	if err == nil && best.Status != mkl.Certified {
		err = best.Status.Err()
	}
	if err != nil {
		return c, err
	}
	m, _ := p.Grams.Dims()
	algorithm1 := mkl.PGD{Rule: mkl.ShrinkOnLonger, Normalize: true}
	for _, run := range []struct {
		k     *int
		s     mkl.Solver
		theta []float64
	}{{&c.Sphere, algorithm1, nil}, {&c.Center, algorithm1, Ones(m)}, {&c.SPG, mkl.SPG{}, nil}} {
		settings := &mkl.Settings{Gap: 1e-12, Iterations: most, Theta: run.theta}
		for it, err := range mkl.Steps(ctx, p, run.s, settings) {
			if err != nil {
				return c, err
			}
			if *run.k = it.K; it.K == most || it.F()-best.F <= gap*best.F {
				break
			}
		}
	}
	return c, nil
}

// StepChart draws the steps of Algorithm 1 against λ, one panel per set and start and one line per Λ.
func StepChart(title string, counts []Count, most int) viz.Figure {
	var panels []viz.Figure
	spg := 0
	for start, name := range []string{"sphere", "μ₀"} {
		for i, first := range counts {
			spg = max(spg, first.SPG)
			if i > 0 && counts[i-1].Data == first.Data {
				continue
			}
			var lines []viz.Line
			for _, radius := range stepRadii {
				var p viz.Pairs
				for _, c := range counts[i:] {
					if c.Data == first.Data && c.Radius == radius {
						k := []int{c.Sphere, c.Center}[start]
						p = append(p, [2]float64{c.Lambda, float64(max(1, k))})
					}
				}
				lines = append(lines, viz.Line{Name: fmt.Sprintf("Λ = %g", radius), XYs: p, Mark: viz.MarkBoth})
			}
			panels = append(panels, viz.LogLines(first.Data+", "+name, "", lines...).WithLogX().
				WithBaseline("25, the paper", 25).WithAxes("λ", fmt.Sprintf("steps (stopped at %d)", most)))
		}
	}
	return viz.Multiples(title, fmt.Sprintf("Steps of Algorithm 1 to a relative distance of 1e-3 from the minimum, "+
		"features centered, y = ±1; 0 steps are drawn as 1. First row: start μ₀ + Λ1/√m; second row: start μ₀. With a "+
		"line search (SPG) no problem takes more than %d.", spg),
		len(panels)/2, panels...)
}

// ChoiceSteps shows the steps at the hyperparameters that cross-validation chose for the quadratic kernel on the 2-norm
// ball in the stored draws of Table 1, under two readings.
func ChoiceSteps(ctx context.Context, title string, gap float64, most int, sets []string) (f viz.Figure,
	counts map[string][]Count, err error) {
	counts = map[string][]Count{}
	var rows [][]any
	for _, name := range sets {
		d, err := data.Load(name)
		if err != nil {
			return f, nil, err
		}
		for _, reading := range []string{AsWritten, PerExample} {
			c, err := readingOf(Readings(), reading).apply(d)
			if err != nil {
				return f, nil, err
			}
			var choices []string
			var runs []Count
			for _, b := range of(Stored("table1"), name, reading, 0) {
				column := b.Columns[5]
				var radius float64
				if _, err := fmt.Sscanf(column.Radius, "Λ=%g", &radius); err != nil {
					return f, nil, err
				}
				choice := fmt.Sprintf("%.3g/%g", column.Lambda, radius)
				if slices.Contains(choices, choice) {
					continue
				}
				run, err := Steps(ctx, Problem(c, kernel.Features{Degree: 2}, 2, radius, column.Lambda), gap, most)
				if err != nil {
					return f, nil, err
				}
				choices, runs = append(choices, choice), append(runs, run)
			}
			counts[name+", "+reading] = runs
			rows = append(rows, []any{name, reading, strings.Join(choices, ", "),
				printSteps(runs, most, func(c Count) int { return c.Sphere }),
				printSteps(runs, most, func(c Count) int { return c.Center })})
		}
	}
	return viz.Table(title, fmt.Sprintf("Quadratic kernel, 2-norm; λ/Λ: the different choices of ten draws; least and "+
		"most steps of Algorithm 1 to a relative distance of %g from the minimum.", gap),
		[]string{"set", "centered", "λ/Λ", "steps from μ₀ + Λ1/√m", "steps from μ₀"}, rows...), counts, nil
}

// printSteps prints the smallest and the largest of some numbers of steps.
func printSteps(runs []Count, most int, of func(Count) int) string {
	lo, hi := most, 0
	for _, r := range runs {
		lo, hi = min(lo, of(r)), max(hi, of(r))
	}
	show := func(k int) string {
		if k == most {
			return fmt.Sprintf("> %d", most-1)
		}
		return fmt.Sprint(k)
	}
	if lo == hi {
		return show(lo)
	}
	return show(lo) + " – " + show(hi)
}
