package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

// Selection says how a method's constants are chosen from its grid: by the smallest error on
// points left out.
type Selection struct {
	// Folds is the number of folds of cross-validation. If Folds is 0, it is 10, or the number of
	// points where that is less. Folds keep the groups of the data whole, where it has groups, and are
	// then no more than these. LeaveOneOut, for a loss that has it, takes the residuals of every
	// point from one factorisation of the whole: θ and what the family fits are not learned again
	// without the point. It is right for a rule that looks at no target; for learned weights it is
	// optimistic, and the more so the smaller λ: θ has seen the label left out. It looks at no group.
	Folds int
	// Once chooses on all the data, before it is split, as the papers do. The points tested on
	// then had a part in the choice: the scores are optimistic. If Once is false, the choice is
	// made inside each training part.
	Once bool
	// By is RMSE, of classes that of the ±1 targets, or for classes ErrorRate, of which ties go to
	// the smaller RMSE. If By is empty, it is RMSE. Where the loss has weights of points (loss.Weighted),
	// errors at points left out have them too.
	By Metric
	// Points, if not 0, is the most points that a choice looks at: of more it draws so many, by class,
	// where there are groups some of each, the same for every method.
	Points int
	// Restarts fits a method with the constants chosen twice where F may have several minima (no global certificate):
	// anew, and from the weights of the fold where F is least; the lower F is taken. Learn does.
	Restarts bool
}

// LeaveOneOut is the value of Selection.Folds for as many folds as points.
const LeaveOneOut = -1

func (s Selection) validate(classes bool) error {
	switch {
	case s.Folds != 0 && s.Folds != LeaveOneOut && s.Folds < 2:
		return fmt.Errorf("study: selection by %d folds, want 2 or more, LeaveOneOut, or 0 for 10", s.Folds)
	case s.Points < 0:
		return fmt.Errorf("study: selection on %d points, want more than 0, or 0 for all", s.Points)
	case s.By != "" && s.By != RMSE && s.By != ErrorRate:
		return fmt.Errorf("study: selection by %q, want %q or %q", s.By, RMSE, ErrorRate)
	case s.By == ErrorRate && !classes:
		return fmt.Errorf("study: selection by %q, want %q where targets are numbers", s.By, RMSE)
	}
	return nil
}

// splits are the folds of targets y, which keep groups whole where there are any; leave-one-out has
// one, without a test part.
func (s Selection) splits(y []float64, group []string, seed uint64) ([]Split, error) {
	switch s.Folds {
	case LeaveOneOut:
		return []Split{{Train: upTo(len(y))}}, nil
	case 0:
		u, err := units(y, []Draw{ByGroup(group)})
		if err != nil {
			return nil, err
		}
		return KFold(y, min(10, len(u.y)), seed, ByGroup(group))
	}
	return KFold(y, s.Folds, seed, ByGroup(group))
}

// upTo is 0 … n−1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// String is how constants are chosen.
func (s Selection) String() string {
	switch s.Folds {
	case 0:
		return "10-fold cross-validation"
	case LeaveOneOut:
		return "leave-one-out"
	}
	return fmt.Sprintf("%d-fold cross-validation", s.Folds)
}

// Cell is the error at one place of the grid, over all folds.
type Cell struct {
	Value  float64     // of the loss's constant, λ or C
	Label  string      // what else is tried: the radius of a ball, a single kernel
	N      int         // points left out and predicted
	Weight float64     // the sum of their weights in the loss; N where it has none
	Square float64     // Σ(f−y)², each times its weight, of several columns their mean; of several targets in units of their standard deviations
	Wrong  float64     // the weights of points of another class than decided
	Early  int         // folds in which the solver ended before the gap it was asked for
	Failed int         // folds in which the inner problem had no solution: K(θ) + λI not positive definite
	Starts [][]float64 // θ of the folds that are no proved minimum: what is learned of all points starts from one; of the cell chosen alone
}

// RMSE is √(Square/Weight).
func (c Cell) RMSE() float64 { return math.Sqrt(c.Square / c.Weight) }

// ErrorRate is Wrong/Weight.
func (c Cell) ErrorRate() float64 { return c.Wrong / c.Weight }

// add counts a point of that weight, its squared error and whether it is of another class than decided.
func (c *Cell) add(weight, square float64, wrong bool) {
	c.N++
	c.Weight += weight
	c.Square += weight * square
	if wrong {
		c.Wrong += weight
	}
}

// together adds the cells of all folds.
func together(folds [][]Cell) []Cell {
	sum := slices.Clone(folds[0])
	for _, cells := range folds[1:] {
		for i, c := range cells {
			s := &sum[i]
			s.N += c.N
			s.Weight += c.Weight
			s.Square += c.Square
			s.Wrong += c.Wrong
			s.Early += c.Early
			s.Failed += c.Failed
			s.Starts = slices.Concat(s.Starts, c.Starts)
		}
	}
	return sum
}

// best is the number of the cell with the smallest error, the first of several. Cells that failed
// in a fold are left out; it is −1 where all did.
func best(cells []Cell, by Metric) int {
	at := -1
	for i, c := range cells {
		if c.Failed > 0 || math.IsNaN(c.Square) {
			continue
		}
		if at >= 0 {
			b := cells[at]
			if by == ErrorRate && c.Wrong != b.Wrong {
				if c.Wrong > b.Wrong {
					continue
				}
			} else if c.Square >= b.Square {
				continue
			}
		}
		at = i
	}
	return at
}

// choice is the choice of a method's constants on some points: all of them, or a training part.
type choice struct {
	r      *run
	method int
	grid   *grid
	near   *choice   // of the method that the path's values are to be near to, or nil
	among  []*choice // of which the best is this choice; else nil
	folds  []hashed
	tasks  []int    // numbers of the folds' tasks; none where there is nothing to choose
	cells  [][]Cell // by fold

	once  sync.Once
	sum   []Cell    // of all folds together, once settled
	path  []float64 // values tried
	tried []int     // numbers of the others tried, ascending
	won   int       // of among
	other int       // number of the candidate chosen
	value float64   // of the path
	edge  bool      // at an end of the path
	err   error
}

// start is the values of the path that are tried first.
func (c *choice) start(ctx context.Context) ([]float64, error) {
	a := &c.grid.path
	if a.First != nil {
		return a.First, nil
	}
	if c.near == nil {
		return a.values(), nil
	}
	if err := c.near.settle(ctx); err != nil {
		return nil, err
	}
	l := a.around(c.near.value)
	if len(l) == 0 {
		return nil, fmt.Errorf("study: method %q has no %s within %g decades of %.4g, that of %q", c.r.Methods[c.method].Name, a.constant(), a.Within, c.near.value, a.Beside)
	}
	return l, nil
}

// settle makes the choice, once its folds have ended: the place of the smallest error. While that is
// at an end of a path that may grow, the values beyond are tried too, on all folds; then what is beside
// the one chosen of others that have an order.
func (c *choice) settle(ctx context.Context) error {
	c.once.Do(func() {
		if c.among != nil {
			c.err = c.settleAmong(ctx)
			return
		}
		if len(c.folds) == 0 {
			return
		}
		if c.path, c.err = c.start(ctx); c.err != nil {
			return
		}
		c.tried = c.grid.first
		c.sum = together(c.cells)
		for c.err == nil {
			b := c.best()
			if b < 0 {
				c.err = fmt.Errorf("study: method %q: K(θ) + λI was not positive definite anywhere on the grid", c.r.Methods[c.method].Name)
				return
			}
			n := len(c.path)
			c.other, c.value = c.tried[b/n], c.sum[b].Value
			first, last := b%n == 0, b%n == n-1
			c.edge = n > 1 && (first || last)
			var before, after []float64
			if c.grid.path.Decades > 0 {
				before, after = c.grid.path.beyond(c.path, false), c.grid.path.beyond(c.path, true)
			}
			switch {
			case first && len(before) > 0:
				c.err = c.grow(ctx, before, false)
			case last && len(after) > 0:
				c.err = c.grow(ctx, after, true)
			default:
				more := c.beside()
				if len(more) == 0 {
					for i := range c.sum {
						if i != b {
							c.sum[i].Starts = nil
						}
					}
					c.cells = nil
					return
				}
				c.err = c.widen(ctx, more)
			}
		}
	})
	return c.err
}

// settleAmong takes the choice with the smallest error of those it is among.
func (c *choice) settleAmong(ctx context.Context) error {
	cells := make([]Cell, len(c.among))
	for i, a := range c.among {
		if err := a.settle(ctx); err != nil {
			return err
		}
		cells[i] = a.cell()
	}
	c.won = max(best(cells, c.r.Selection.By), 0)
	w := c.among[c.won]
	c.other, c.value, c.edge, c.sum = w.other, w.value, w.edge, []Cell{w.cell()}
	return nil
}

// chosen is the grid of what was chosen alone.
func (c *choice) chosen() *grid {
	b := c.grid.part(c.other)
	if c.path != nil {
		b.starts = c.cell().Starts
	}
	return b
}

// cell is the error of what was chosen.
func (c *choice) cell() Cell {
	i := slices.Index(c.path, c.value)
	if i < 0 {
		return Cell{Failed: 1}
	}
	return c.sum[slices.Index(c.tried, c.other)*len(c.path)+i]
}

// beside is the neighbours of the one chosen that were not tried.
func (c *choice) beside() (more []int) {
	for _, i := range []int{c.other - 1, c.other + 1} {
		if i >= 0 && i < len(c.grid.others) && !slices.Contains(c.tried, i) {
			more = append(more, i)
		}
	}
	return more
}

// widen tries more of the others with the values of the path that were tried.
func (c *choice) widen(ctx context.Context, more []int) error {
	cells, err := c.onFolds(ctx, c.grid.part(more...), c.path)
	if err != nil {
		return err
	}
	n := len(c.path)
	for k, other := range more {
		at, _ := slices.BinarySearch(c.tried, other)
		c.tried = slices.Insert(slices.Clone(c.tried), at, other)
		c.sum = slices.Insert(c.sum, at*n, cells[k*n:(k+1)*n]...)
	}
	return nil
}

// onFolds is the errors of all folds together, on some of the grid.
func (c *choice) onFolds(ctx context.Context, b *grid, values []float64) ([]Cell, error) {
	cells, errs := make([][]Cell, len(c.folds)), make([]error, len(c.folds))
	free := make(chan struct{}, c.r.workers())
	var wg sync.WaitGroup
	for k, f := range c.folds {
		free <- struct{}{}
		wg.Go(func() {
			cells[k], _, errs[k] = c.r.tryFold(ctx, c.method, f, b, values)
			<-free
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return together(cells), nil
}

// best is the number of the cell to choose, −1 if there is none: that of the smallest error. On a
// path that may grow, an end whose error is smaller by less than one part in a thousand than that of
// the next value inside gives way to it: where the error levels off, nothing lies beyond.
func (c *choice) best() int {
	by := c.r.Selection.By
	b, n := best(c.sum, by), len(c.path)
	if b < 0 || c.grid.path.Decades == 0 {
		return b
	}
	step := 0
	switch b % n {
	case 0:
		step = 1
	case n - 1:
		step = -1
	}
	low := c.sum[b]
	for range n - 2 {
		next := c.sum[b+step]
		if step == 0 || next.Failed > 0 || !(next.RMSE() <= (1+level)*low.RMSE()) || by == ErrorRate && next.Wrong > low.Wrong {
			break
		}
		b += step
	}
	return b
}

// level is the relative difference of errors below which a path is level.
const level = 1e-3

// grow tries more values of the path, before or after those tried.
func (c *choice) grow(ctx context.Context, more []float64, after bool) error {
	b, err := c.onFolds(ctx, c.grid.part(c.tried...), more)
	if err != nil {
		return err
	}
	a := c.sum
	n, m := len(c.path), len(more)
	var sum []Cell
	for i := range c.tried {
		x, y := a[i*n:(i+1)*n], b[i*m:(i+1)*m]
		if !after {
			x, y = y, x
		}
		sum = append(append(sum, x...), y...)
	}
	c.sum = sum
	if after {
		c.path = slices.Concat(c.path, more)
	} else {
		c.path = slices.Concat(more, c.path)
	}
	return nil
}
