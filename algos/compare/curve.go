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
	Cells    []Cell // for each candidate, one for each value of the loss's hyperparameter
	Best     int    // index in Cells of the smallest error
	By       Metric
	Edge     bool         // the chosen value of the loss's hyperparameter is the first or the last of several
	Chosen   *mkl.Problem // the problem with the chosen loss, set and regularizer
	Rule     mkl.Rule     // the chosen rule; nil if a solver learned the weights
}

// CrossValidate returns the cross-validation error of every candidate of m's grid on the points and targets of p. In
// every fold, the candidate is fitted again to the training part. If m's grid has no sets, CrossValidate uses the set
// of p. It ignores the loss and regularizer of p and the family of m. Path.Near must be empty, because there is no
// other method. The folds depend only on the seed; p has no groups. If all targets are ±1, they are labels of two
// classes. Otherwise they are numbers, not class indices.
func CrossValidate(ctx context.Context, p *mkl.Problem, m Method, selection Selection, seed uint64) (*Curve, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	if p == nil || p.Grams == nil {
		return nil, errors.New("compare: no problem, or one without Grams")
	}
	if _, n := p.Grams.Dims(); n != len(p.Y) {
		return nil, fmt.Errorf("compare: got %d targets for %d points", len(p.Y), n)
	}
	if b, err := m.Grid.bindTo(p.Grams); err == nil && p.Set != nil && !slices.Contains(b.axes, "sets") {
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
	if err := selection.validate(classes > 0); err != nil {
		return nil, err
	}
	b, err := m.validate(p.Grams, p.Y, model.TargetEncoding{Classes: classes}, selection)
	if err != nil {
		return nil, err
	}
	if b.path.Near != "" {
		return nil, fmt.Errorf("compare: method %q takes %s near that of %q, but there is no other method", m.Name,
			b.path.Hyperparameter(), b.path.Near)
	}
	if selection, err = selection.withLossMetric([]*grid{b}, []Method{m}); err != nil {
		return nil, err
	}
	s := &Study{Methods: []Method{m}, Selection: selection, Data: &data.Dataset{Y: p.Y}}
	r := newSession(s, []*grid{b}, nil)
	r.alwaysEvaluate = true
	choices, err := r.newChoices(points.AllIndices(len(p.Y)), seed, "")
	if err != nil {
		return nil, err
	}
	c := choices[0]
	if err := c.chooseOnce(ctx); ctx.Err() != nil {
		return nil, fmt.Errorf("compare: selection stopped: %w", ctx.Err())
	} else if err != nil {
		return nil, err
	}
	cand := c.chosenCandidate()
	return &Curve{Constant: cand.Constant, Cells: c.cells, Best: bestIndex(c.cells, selection.By),
		By: selection.Metric(), Edge: c.atEnd, Chosen: cand.applyTo(p), Rule: cand.Rule}, nil
}

// Error returns the error of the cell by which cells are compared.
func (c *Curve) Error(cell Cell) float64 { return cell.Error(c.By) }
