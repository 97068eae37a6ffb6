package nkrr

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// The problems of Count are quadratic, on the 2-norm ball about 1, with these λ and Λ.
var (
	stepLambdas = []float64{1, 10, 100, 1000}
	stepRadii   = []float64{0.5, 2, 8, 32}
)

// Count holds the numbers of steps that Algorithm 1 as printed and SPG need on one problem.
type Count struct {
	Data            string
	Lambda, Radius  float64
	Algorithm1, SPG int
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
				p := Problem(d, CenteredFamily(2), 2, radius, lambda)
				best, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-6, Iterations: 500})
				if err == nil && best.Status != mkl.Certified {
					err = fmt.Errorf("nkrr: %s, λ = %g, Λ = %g: %v", name, lambda, radius, best.Status)
				}
				if err != nil {
					return nil, err
				}
				steps := func(s mkl.Solver) (k int) {
					for it, e := range mkl.Steps(ctx, p, s, &mkl.Settings{Gap: 1e-12, Iterations: most}) {
						if err = e; err != nil {
							return 0
						}
						if k = it.K; k == most || it.F()-best.F <= gap*best.F {
							break
						}
					}
					return k
				}
				c := Count{name, lambda, radius, 0, 0}
				c.Algorithm1 = steps(mkl.PGD{Rule: mkl.ShrinkOnLonger, Normalize: true})
				if c.SPG = steps(mkl.SPG{}); err != nil {
					return nil, err
				}
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// StepChart draws the steps of Algorithm 1 against λ, one panel per set and one line per Λ.
func StepChart(title string, counts []Count, most int) viz.Figure {
	var panels []viz.Figure
	spg := 0
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
					p = append(p, [2]float64{c.Lambda, float64(max(1, c.Algorithm1))})
				}
			}
			lines = append(lines, viz.Line{Name: fmt.Sprintf("Λ = %g", radius), XYs: p, Mark: viz.MarkBoth})
		}
		panels = append(panels, viz.LogLines(first.Data, "", lines...).WithLogX().WithBaseline("25, the paper", 25).
			WithAxes("λ", fmt.Sprintf("steps (stopped at %d)", most)))
	}
	return viz.Multiples(title, fmt.Sprintf("Steps of Algorithm 1 to a relative distance of 1e-3 from the minimum; "+
		"0 steps are drawn as 1. With a line search (SPG) no problem takes more than %d.", spg), 3, panels...)
}
