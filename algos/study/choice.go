package study

import (
	"context"
	"fmt"
	"slices"
	"sync"
)

// choice is the choice of a method's constants on some points: all of them, or a training part.
type choice struct {
	r      *run
	method int
	grid   *grid
	near   *choice // of the method that the path's values are to be near to, or nil
	folds  []Split
	tasks  []int    // numbers of the folds' tasks; none where there is nothing to choose
	cells  [][]Cell // by fold

	once  sync.Once
	sum   []Cell    // of all folds together, once settled
	path  []float64 // values tried
	other int       // number of the candidate chosen
	value float64   // of the path
	edge  bool      // at an end of the path
	err   error
}

// start is the values of the path that are tried first.
func (c *choice) start(ctx context.Context) ([]float64, error) {
	a := &c.grid.path
	if a.start != nil {
		return a.start, nil
	}
	if c.near == nil {
		return a.values, nil
	}
	if err := c.near.settle(ctx); err != nil {
		return nil, err
	}
	l := a.around(c.near.value)
	if len(l) == 0 {
		return nil, fmt.Errorf("study: method %q has no %s within %g decades of %.4g, that of %q", c.r.Methods[c.method].Name, a.constant, a.within, c.near.value, a.near)
	}
	return l, nil
}

// settle makes the choice, once its folds have ended: the place of the smallest error. While that is
// at an end of a path that may grow, the values beyond are tried too, on all folds.
func (c *choice) settle(ctx context.Context) error {
	c.once.Do(func() {
		if len(c.folds) == 0 {
			return
		}
		if c.path, c.err = c.start(ctx); c.err != nil {
			return
		}
		c.sum = together(c.cells)
		for c.err == nil {
			b := c.best()
			if b < 0 {
				c.err = fmt.Errorf("study: method %q: K(θ) + λI was not positive definite anywhere on the grid", c.r.Methods[c.method].Name)
				return
			}
			n := len(c.path)
			c.other, c.value = b/n, c.sum[b].Value
			first, last := b%n == 0, b%n == n-1
			c.edge = n > 1 && (first || last)
			if c.grid.path.growing == 0 {
				return
			}
			if more := c.grid.path.beyond(c.path, false); first && len(more) > 0 {
				c.err = c.grow(ctx, more, false)
			} else if more := c.grid.path.beyond(c.path, true); last && len(more) > 0 {
				c.err = c.grow(ctx, more, true)
			} else {
				return
			}
		}
	})
	return c.err
}

// best is the number of the cell to choose, −1 if there is none: that of the smallest error. On a
// path that may grow, an end whose error is smaller by less than one part in a thousand than that of
// the next value inside gives way to it: where the error levels off, nothing lies beyond.
func (c *choice) best() int {
	by := c.r.Selection.By
	b, n := best(c.sum, by), len(c.path)
	if b < 0 || c.grid.path.growing == 0 {
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
	cells := make([][]Cell, len(c.folds))
	for k, f := range c.folds {
		var err error
		if cells[k], _, err = c.r.tryFold(ctx, c.method, f, c.grid, more); err != nil {
			return err
		}
	}
	a, b := c.sum, together(cells)
	n, m := len(c.path), len(more)
	var sum []Cell
	for i := range c.grid.others {
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
