package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
)

// Curve is the cross-validation error of a grid.
type Curve struct {
	Constant string // name of the loss's hyperparameter: "λ"
	Cells    []Cell // each candidate in turn, along its path
	Best     int    // index of the cell with the smallest error
	By       Metric
	Edge     bool         // the best value is at an end of the grid
	Chosen   *mkl.Problem // the problem with the loss, the set and the regularizer of the best cell
	Rule     mkl.Rule     // of the best cell; nil if a solver learned
}

// CrossValidate tries every candidate of m's grid on folds of p and returns the errors. In every fold, the candidate is
// fitted again to the training part. CrossValidate uses the points and targets of p and, if m's grid has no sets, its
// set. It ignores the loss and regularizer of p and the family of m. Near must be empty, because there is no other
// method. The folds depend only on the seed, and are folds of points, because p has no groups. If all targets are ±1,
// they are labels. Otherwise they are numbers, not class indices.
func CrossValidate(ctx context.Context, p *mkl.Problem, m Method, how Selection, seed uint64) (*Curve, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	if p == nil || p.Grams == nil {
		return nil, errors.New("compare: no problem, or one without Grams")
	}
	if _, n := p.Grams.Dims(); n != len(p.Y) {
		return nil, fmt.Errorf("compare: got %d targets for %d points", len(p.Y), n)
	}
	if b, err := m.Grid.bind(p.Grams); err == nil && p.Set != nil && !slices.Contains(b.axes, "sets") {
		m.Grid = append(slices.Clone(m.Grid), Sets(p.Set))
	}
	if m.Name == "" {
		m.Name = "method"
	}
	classes := 2
	for _, v := range p.Y {
		if v != 1 && v != -1 {
			classes = 0
		}
	}
	if err := how.validate(classes > 0); err != nil {
		return nil, err
	}
	b, err := m.validate(p.Grams, p.Y, model.TargetEncoding{Classes: classes}, how)
	if err != nil {
		return nil, err
	}
	if b.path.Near != "" {
		return nil, fmt.Errorf("compare: method %q takes %s near that of %q, but there is no other method", m.Name,
			b.path.Hyperparameter(), b.path.Near)
	}
	if how, err = how.forLosses([]*grid{b}, []Method{m}); err != nil {
		return nil, err
	}
	s := &Study{Methods: []Method{m}, Selection: how, Data: &data.Dataset{Y: p.Y}}
	r := newRun(s, []*grid{b}, nil)
	r.always = true
	all, err := r.choices(points.AllIndices(len(p.Y)), seed, "")
	if err != nil {
		return nil, err
	}
	c := all[0]
	if err := c.settle(ctx); ctx.Err() != nil {
		return nil, fmt.Errorf("compare: selection stopped: %w", ctx.Err())
	} else if err != nil {
		return nil, err
	}
	cand := c.candidate()
	return &Curve{Constant: cand.Constant, Cells: c.cells, Best: best(c.cells, how.By), By: how.Metric(),
		Edge: c.edge, Chosen: cand.problem(p), Rule: cand.Rule}, nil
}

// Error returns the error of the cell by which cells are compared.
func (c *Curve) Error(cell Cell) float64 { return cell.Error(c.By) }
