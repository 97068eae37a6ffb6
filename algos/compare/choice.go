package compare

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/stat"

	"github.com/mklnb/mkl/algos/points"
)

// Chosen is the choice of a method's hyperparameters on some points: all of them, or a training part.
type Chosen struct {
	run    *Session
	method int
	where  string // the points, for messages: "split 3, "
	grid   *grid
	near   *Chosen   // the choice that the values of the path must be near to, or nil
	among  []*Chosen // the choices of which the best is this one; nil if there are none
	folds  []Split   // none if there is nothing to choose

	once   sync.Once
	err    error
	values []float64 // the values of the path that were tried
	tried  []int     // indices of the tried candidates in grid.others, ascending
	cells  []Cell    // of all folds together: for each candidate of tried, one for each of values
	byFold [][]Cell  // the cells by fold, during the search
	won    int       // index of the best in among
	other  int       // index of the chosen candidate
	value  float64   // the chosen value of the path
	edge   bool      // the value is at an end of the path
}

// choices returns an open choice for every method on the given points. settle makes the choice.
func (r *Session) choices(rows []int, seed uint64, where string) ([]*Chosen, error) {
	y, group := points.Pick(r.Data.Y, rows), points.Pick(r.Data.Group, rows)
	if n := r.Selection.Points; n > 0 && n < len(rows) {
		sample, err := draw(y, n, seed)
		if err == nil && group != nil {
			sample = drawWithin(y, group, n, seed)
		}
		if err != nil {
			return nil, fmt.Errorf("compare: selection %son %d of %d points: %w", where, n, len(rows), err)
		}
		rows, y, group = points.Pick(rows, sample), points.Pick(y, sample), points.Pick(group, sample)
	}
	var folds []Split // the same for all methods
	chosen := make([]*Chosen, len(r.Methods))
	for i := range r.Methods {
		m := &r.Methods[i]
		c := &Chosen{run: r, method: i, where: where, grid: r.grids[i], value: r.grids[i].path.Grid()[0]}
		chosen[i] = c
		for _, name := range m.Among {
			c.among = append(c.among, chosen[r.MethodIndex(name)])
		}
		if c.among != nil || c.grid.size() == 1 && !r.always && !r.compared(m.Name) {
			continue
		}
		if near := c.grid.path.Near; near != "" {
			c.near = chosen[r.MethodIndex(near)]
		}
		if folds == nil {
			var err error
			if folds, err = r.Selection.folds(rows, y, group, seed); err != nil {
				return nil, fmt.Errorf("compare: selection %sof %d points: %w", where, len(rows), err)
			}
		}
		c.folds = folds
		if !r.counted {
			r.progress.Total += len(folds)
		}
	}
	return chosen, nil
}

// compared reports whether a later method is the best of several that include this one.
func (r *Session) compared(name string) bool {
	return slices.ContainsFunc(r.Methods, func(m Method) bool { return slices.Contains(m.Among, name) })
}

// settle chooses the place with the smallest error. It does so once; later calls return the same error.
func (c *Chosen) settle(ctx context.Context) error {
	c.once.Do(func() {
		switch {
		case c.among != nil:
			c.err = c.settleAmong(ctx)
		case c.folds != nil:
			c.err = c.search(ctx)
		}
	})
	return c.err
}

// settleAmong adopts the choice in among with the smallest error.
func (c *Chosen) settleAmong(ctx context.Context) error {
	cells := make([]Cell, len(c.among))
	for i, a := range c.among {
		if err := a.settle(ctx); err != nil {
			return err
		}
		cells[i] = a.cell()
	}
	c.won = max(best(cells, c.run.Selection.By), 0)
	w := c.among[c.won]
	c.other, c.value, c.edge = w.other, w.value, w.edge
	return nil
}

// search evaluates the grid on all folds. As long as the best value is at an end of a path that may extend, it also
// tries the values beyond. Then it tries the neighbors of the chosen candidate, if the candidates have an order.
func (c *Chosen) search(ctx context.Context) error {
	name := c.run.Methods[c.method].Name
	values, err := c.start(ctx)
	if err != nil {
		return err
	}
	type place struct {
		other int
		value float64
	}
	found := map[place][]Cell{} // errors on each fold, by place
	task, others := name, c.grid.first
	for {
		folds, err := c.onFolds(ctx, task, others, values)
		if err != nil {
			return err
		}
		for _, cells := range folds {
			for i, cell := range cells {
				at := place{others[i/len(values)], values[i%len(values)]}
				found[at] = append(found[at], cell)
			}
		}
		c.tried = slices.Compact(slices.Sorted(slices.Values(slices.Concat(c.tried, others))))
		all := slices.Concat(c.values, values)
		c.values = slices.DeleteFunc(c.grid.path.grown(), func(v float64) bool { return !slices.Contains(all, v) })
		c.cells, c.byFold = nil, nil
		for _, other := range c.tried {
			for _, v := range c.values {
				c.byFold = append(c.byFold, found[place{other, v}])
				c.cells = append(c.cells, together(found[place{other, v}]))
			}
		}
		b := c.best()
		if b < 0 {
			return fmt.Errorf("compare: method %q: K(θ) + λI was not positive definite anywhere on the grid", name)
		}
		task, others, values = "", c.tried, c.values
		if more := c.take(b); more != nil {
			values = more
		} else if more := c.beside(); more != nil {
			others = more
		} else if b = c.plainest(b); c.other == c.tried[b/len(c.values)] {
			break
		} else if more := c.take(b); more != nil {
			values = more
		} else {
			break
		}
	}
	for i := range c.cells {
		if c.cells[i].Value != c.value || i/len(c.values) != slices.Index(c.tried, c.other) {
			c.cells[i].Starts = nil
		}
	}
	c.byFold = nil
	return nil
}

// take chooses the place of cell b. If that is at an end of a path that may extend, it returns the values to try
// beyond.
func (c *Chosen) take(b int) (values []float64) {
	n := len(c.values)
	c.other, c.value = c.tried[b/n], c.cells[b].Value
	first, last := b%n == 0, b%n == n-1
	c.edge = n > 1 && (first || last)
	before, after := c.grid.path.beyond(c.values)
	if first && len(before) > 0 {
		return before
	}
	if last && len(after) > 0 {
		return after
	}
	return nil
}

// plainest returns the best cell of the plain kernel that is nearly the same as the kernel of cell b, if b is not
// better by more than one standard error of their difference over the folds. Otherwise it returns b.
//
// References:
//   - L. Breiman, J. Friedman, R. Olshen and C. Stone, Classification and Regression Trees (1984), section 3.4.3: the
//     rule of one standard error.
func (c *Chosen) plainest(b int) int {
	by, p, n := c.run.Selection.By, -1, len(c.values)
	g := slices.IndexFunc(c.grid.alike, func(g []int) bool { return slices.Contains(g, c.tried[b/n]) })
	if g < 0 || len(c.folds) < 2 {
		return b
	}
	for i, cell := range c.cells {
		if c.tried[i/n] == c.grid.alike[g][0] && best([]Cell{cell}, by) == 0 &&
			(p < 0 || best([]Cell{c.cells[p], cell}, by) == 1) {
			p = i
		}
	}
	if p < 0 {
		return b
	}
	diff := make([]float64, len(c.folds))
	for k := range diff {
		diff[k] = c.byFold[p][k].mean(by) - c.byFold[b][k].mean(by)
	}
	if mean, sd := stat.MeanStdDev(diff, nil); mean <= sd/math.Sqrt(float64(len(diff))) {
		return p
	}
	return b
}

// start returns the values of the path that are tried first.
func (c *Chosen) start(ctx context.Context) ([]float64, error) {
	p := &c.grid.path
	if c.near == nil {
		return p.Grid(), nil
	}
	if err := c.near.settle(ctx); err != nil {
		return nil, err
	}
	l := p.around(c.near.value)
	if len(l) == 0 {
		return nil, fmt.Errorf("compare: method %q has no %s within %g decades of %.4g, that of %q",
			c.run.Methods[c.method].Name, p.Hyperparameter(), p.Within, c.near.value, p.Near)
	}
	return l, nil
}

// onFolds returns the errors on each fold of some candidates of grid.others at some values of the path. name is the
// name of the tasks in the progress; tasks without a name are not counted.
func (c *Chosen) onFolds(ctx context.Context, name string, others []int, values []float64) ([][]Cell, error) {
	cells, errs := make([][]Cell, len(c.folds)), make([]error, len(c.folds))
	part := c.grid.part(others...)
	var wg sync.WaitGroup
	for k, f := range c.folds {
		task := ""
		if name != "" {
			task = fmt.Sprintf("%s: %sfold %d of %d", name, c.where, k+1, len(c.folds))
		}
		wg.Go(func() { cells[k], errs[k] = c.run.tryFold(ctx, task, c.method, f, part, values) })
	}
	wg.Wait()
	if err := cmp.Or(errs...); err != nil {
		return nil, err
	}
	return cells, nil
}

// beside returns the neighbors of the chosen candidate that were not tried.
func (c *Chosen) beside() (more []int) {
	for _, i := range []int{c.other - 1, c.other + 1} {
		if i >= 0 && i < len(c.grid.others) && !slices.Contains(c.tried, i) {
			more = append(more, i)
		}
	}
	return more
}

// level is the largest relative difference of errors at which a path counts as level.
const level = 1e-3

// best returns the index of the cell to choose; −1 if there is none. This is the cell with the smallest error, except
// at an end of a path that may extend. There best moves inward while the RMSE, or the mean loss, is at most one part in
// a thousand larger than at the end and, if methods are compared by ErrorRate, not more points are wrong. Beyond an end
// where the error levels off, no smaller error is expected.
func (c *Chosen) best() int {
	by := c.run.Selection.By
	b, n := best(c.cells, by), len(c.values)
	if b < 0 || c.grid.path.Extend == 0 {
		return b
	}
	step := 0
	switch b % n {
	case 0:
		step = 1
	case n - 1:
		step = -1
	}
	continuous := Cell.RMSE
	if by == MeanLoss {
		continuous = Cell.MeanLoss
	}
	low := c.cells[b]
	for range n - 2 {
		next := c.cells[b+step]
		if step == 0 || next.Failed > 0 || !(continuous(next) <= (1+level)*continuous(low)) || by == ErrorRate &&
			next.Wrong > low.Wrong {
			break
		}
		b += step
	}
	return b
}

// cell returns the error of the chosen candidate at the chosen value.
func (c *Chosen) cell() Cell {
	i := slices.Index(c.values, c.value)
	if i < 0 {
		return Cell{Failed: 1}
	}
	return c.cells[slices.Index(c.tried, c.other)*len(c.values)+i]
}

// candidate returns the chosen candidate with the chosen value.
func (c *Chosen) candidate() Candidate { return c.grid.candidate(c.grid.others[c.other], c.value) }

// chosen returns a grid that contains only the chosen candidate.
func (c *Chosen) chosen() *grid {
	b := c.grid.part(c.other)
	if c.cells != nil {
		b.starts, b.shift = c.cell().Starts, c.cell().Shift
	}
	return b
}
