package study

import (
	"context"
	"math"
	"slices"
)

// raced is onFolds by successive halving, where Selection.Halving asks for it: all places on the first fold, the best
// of them on more. The error of a place on a fold that it was not tried on is NaN.
func (c *choice) raced(ctx context.Context, name string, others []int, values []float64) ([][]Cell, error) {
	n, all, eta := len(others)*len(values), len(c.folds), c.run.Selection.Halving
	in := upTo(n) // places still tried
	if eta == 0 {
		return c.onFolds(ctx, name, 0, all, others, values, in)
	}
	var cells [][]Cell
	sums, solves := make([]Cell, n), 0
	for from, to := 0, 1; from < all && len(in) > 0; from, to = to, min(eta*to, all) { // none: all failed
		more, err := c.onFolds(ctx, name, from, to, others, values, in)
		if err != nil {
			return nil, err
		}
		cells = append(cells, more...)
		for i := range sums {
			var folds []Cell
			for _, f := range cells {
				folds = append(folds, f[i])
			}
			sums[i] = together(folds)
		}
		solves += len(in) * (to - from)
		in = leading(sums, 1+(len(in)-1)/eta, c.run.Selection.By)
	}
	c.run.solves.Add(int64(solves)) // at the end: a note compares the two, of what was finished
	c.run.whole.Add(int64(n * all))
	return cells, nil
}

// leading are the numbers of the n cells with the smallest errors, ascending; fewer where the others failed.
func leading(cells []Cell, n int, by Metric) []int {
	left, in := slices.Clone(cells), []int{}
	for range n {
		b := best(left, by)
		if b < 0 {
			break
		}
		in = append(in, b)
		left[b].Failed++
	}
	slices.Sort(in)
	return in
}

// tryPlaces is tryFold of the places with numbers in alone.
func (c *choice) tryPlaces(ctx context.Context, task string, f Split, others []int, values []float64,
	in []int) ([]Cell, error) {
	n := len(values)
	if len(in) == len(others)*n {
		return c.run.tryFold(ctx, task, c.method, f, c.grid.part(others...), values)
	}
	var some, only []int // of the others, those with a place, and the places in these
	for _, i := range in {
		if k := len(some); k == 0 || some[k-1] != others[i/n] {
			some = append(some, others[i/n])
		}
		only = append(only, (len(some)-1)*n+i%n)
	}
	b := c.grid.part(some...)
	b.only = only
	tried, err := c.run.tryFold(ctx, task, c.method, f, b, values)
	if err != nil {
		return nil, err
	}
	cells := make([]Cell, len(others)*n)
	for i := range cells {
		cells[i] = Cell{Value: values[i%n], Label: c.grid.others[others[i/n]].Label, Square: math.NaN()}
	}
	for j, i := range in {
		cells[i] = tried[only[j]]
	}
	return cells, nil
}
