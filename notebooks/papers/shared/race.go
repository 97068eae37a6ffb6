package shared

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// Race solves each problem with each solver. runs[i][k] is the run of solver k on problem i.
func Race(ctx context.Context, problems []*mkl.Problem, solvers []mkl.Solver, settings mkl.Settings) (
	runs [][]*mkl.Result, err error) {
	for _, p := range problems {
		var row []*mkl.Result
		for _, solver := range solvers {
			r, err := mkl.Solve(ctx, p, solver, &settings)
			if err != nil {
				return nil, err
			}
			row = append(row, r)
		}
		runs = append(runs, row)
	}
	return runs, nil
}

// RaceTable shows how fast solvers solve problems: for each run that Race returns the steps, the evaluations of F, the
// seconds and the certified relative gap.
func RaceTable(title, caption string, problemNames []string, runs [][]*mkl.Result) viz.Figure {
	header, rows := []string{"problem"}, [][]any{}
	for _, r := range runs[0] {
		header = append(header, r.Solver)
	}
	for i, problemRuns := range runs {
		cells := []any{problemNames[i]}
		for _, r := range problemRuns {
			lastStep := r.Trace[len(r.Trace)-1]
			cells = append(cells, fmt.Sprintf("%d steps, %d evaluations, %.2g s, gap %.1g", lastStep.Iter,
				lastStep.Evals, lastStep.Elapsed.Seconds(), r.RelativeGap()))
		}
		rows = append(rows, cells)
	}
	return viz.Table(title, caption, header, rows...)
}
