package study

import (
	"context"
	"math"
	"slices"
)

// raced is onFolds by successive halving, where Selection.Halving asks for it: all places on the first fold, the best of
// them on more. What a place has no error of is without a number there (NaN).
func (c *choice) raced(ctx context.Context, name string, others []int, values []float64) ([][]Cell, error) {
	n, all, eta := len(others)*len(values), len(c.folds), c.run.Selection.Halving
	in := upTo(n) // places still tried
	if eta == 0 {
		return c.onFolds(ctx, name, 0, all, others, values, in)
	}
	c.run.whole.Add(int64(n * all))
	var cells [][]Cell
	sums := make([]Cell, n)
	for from, to := 0, 1; from < all; from, to = to, min(eta*to, all) {
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
		c.run.solves.Add(int64(len(in) * (to - from)))
		in = leading(sums, (len(in)+eta-1)/eta, c.run.Selection.By)
	}
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

// tryPlaces is tryFold of the places with numbers in alone, of each of the others in turn.
func (c *choice) tryPlaces(ctx context.Context, task string, f Split, others []int, values []float64,
	in []int) ([]Cell, error) {
	if len(in) == len(others)*len(values) {
		return c.run.tryFold(ctx, task, c.method, f, c.grid.part(others...), values)
	}
	cells := make([]Cell, len(others)*len(values))
	for i := range cells {
		cells[i] = Cell{Value: values[i%len(values)], Label: c.grid.others[others[i/len(values)]].Label,
			Square: math.NaN()}
	}
	for len(in) > 0 {
		k := slices.IndexFunc(in, func(i int) bool { return i/len(values) != in[0]/len(values) })
		if k < 0 {
			k = len(in)
		}
		name := ""
		if k == len(in) {
			name = task
		}
		var some []float64
		for _, i := range in[:k] {
			some = append(some, values[i%len(values)])
		}
		tried, err := c.run.tryFold(ctx, name, c.method, f, c.grid.part(others[in[0]/len(values)]), some)
		if err != nil {
			return nil, err
		}
		for j, i := range in[:k] {
			cells[i] = tried[j]
		}
		in = in[k:]
	}
	return cells, nil
}
