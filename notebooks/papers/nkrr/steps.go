package nkrr

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// The problems of Steps: quadratic, 2-norm ball about 1.
var (
	stepLambdas = []float64{1, 10, 100, 1000}
	stepRadii   = []float64{0.5, 2, 8, 32}
)

// Steps is how many steps Algorithm 1 as printed, and SPG, take on one set to a true gap: (F − min F)/min F ≤ gap.
type Steps struct {
	Most            int
	Algorithm1, SPG map[[2]float64]int // by λ and Λ; Most where more are needed
}

// CountSteps counts them, and stops at most. min F is that of SPG, certified to a relative gap of 1e-6.
func CountSteps(ctx context.Context, d *data.Dataset, gap float64, most int) (*Steps, error) {
	s := &Steps{Most: most, Algorithm1: map[[2]float64]int{}, SPG: map[[2]float64]int{}}
	for _, lambda := range stepLambdas {
		for _, radius := range stepRadii {
			p := Problem(d, Centred(2), 2, radius, lambda)
			best, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-6, Iterations: 500})
			if err == nil && best.Status != mkl.Certified {
				err = fmt.Errorf("nkrr: λ = %g, Λ = %g: %v", lambda, radius, best.Status)
			}
			if err != nil {
				return nil, err
			}
			for solver, steps := range map[mkl.Solver]map[[2]float64]int{
				mkl.PGD{Rule: mkl.ShrinkOnLonger, Normalize: true}: s.Algorithm1, mkl.SPG{}: s.SPG} {
				k := 0
				for it, err := range mkl.Steps(ctx, p, solver, &mkl.Settings{Gap: 1e-12, Iterations: most}) {
					if err != nil {
						return nil, err
					}
					if k = it.K; k == most || it.F()-best.F <= gap*best.F {
						break
					}
				}
				steps[[2]float64{lambda, radius}] = k
			}
		}
	}
	return s, nil
}

// Fewer counts the problems in which Algorithm 1 takes fewer than k steps, among all.
func (s *Steps) Fewer(k int) (n, all int) {
	for _, v := range s.Algorithm1 {
		if v < k {
			n++
		}
	}
	return n, len(s.Algorithm1)
}

// MostSPG is the most steps that SPG takes.
func (s *Steps) MostSPG() (most int) {
	for _, v := range s.SPG {
		most = max(most, v)
	}
	return most
}

// Figure draws the steps of Algorithm 1 against λ, a line for each Λ.
func (s *Steps) Figure(name string) viz.Figure {
	var lines []viz.Line
	for _, radius := range stepRadii {
		var p viz.Points
		for _, lambda := range stepLambdas {
			p.X = append(p.X, lambda)
			p.Y = append(p.Y, float64(max(1, s.Algorithm1[[2]float64{lambda, radius}])))
		}
		lines = append(lines, viz.Line{Name: fmt.Sprintf("Λ = %g", radius), XYs: p, Mark: viz.MarkBoth})
	}
	return viz.LogLines(name, "", lines...).WithAxes("λ", "steps").WithLogX().WithBaseline("25, the paper", 25)
}
