package study

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// Curve is the error of a grid on points left out.
type Curve struct {
	Cells  []Cell // each alternative in turn, λ descending
	Best   int    // number of the cell with the smallest error
	By     Metric
	Edge   bool         // the best λ is at an end of the grid
	Chosen *mkl.Problem // the problem with the λ and the set of the best cell
	Rule   mkl.Rule     // of the best cell; nil if a solver learned
}

// CrossValidate tries every λ and set of m's grid on folds of p, refitted in every fold to its
// training part, and returns the errors. It takes the points, targets and, where m has no set of
// its own, the set of p; its loss, family and Near are not looked at. The folds depend on the
// seed alone.
func CrossValidate(ctx context.Context, p *mkl.Problem, m Method, how Selection, seed uint64) (*Curve, error) {
	if p == nil || p.Grams == nil {
		return nil, errors.New("study: no problem, or one without Grams")
	}
	if _, n := p.Grams.Dims(); n != len(p.Y) {
		return nil, fmt.Errorf("study: %d targets for %d points, want as many", len(p.Y), n)
	}
	if m.Set == nil && len(m.Balls.Radii) == 0 {
		m.Set = p.Set
	}
	if m.Name == "" {
		m.Name = "method"
	}
	m.Near = ""
	classes := true
	for _, v := range p.Y {
		classes = classes && (v == 1 || v == -1)
	}
	if err := how.validate(classes); err != nil {
		return nil, err
	}
	if err := m.validate(p.Grams, p.Y); err != nil {
		return nil, err
	}
	r, c, err := selection(ctx, p.Grams, p.Y, m, how, seed, classes, false, 0)
	if err != nil {
		return nil, err
	}
	a := c.alts[c.alt]
	v := &Curve{Cells: c.cells, Best: best(c.cells, how.By), By: r.Selection.By, Edge: c.edge, Chosen: a.problem(p, c.lambda), Rule: a.Rule}
	if v.By == "" {
		v.By = RMSE
	}
	return v, nil
}

// selection chooses the constants of one method on all points.
func selection(ctx context.Context, g kernel.Grams, y []float64, m Method, how Selection, seed uint64, classes, centre bool, workers int) (*run, *choice, error) {
	r := &run{Study: &Study{Methods: []Method{m}, Selection: how, CentreTargets: centre}, grams: []kernel.Grams{g}, y: y, classes: classes, always: true}
	all := make([]int, len(y))
	for i := range all {
		all[i] = i
	}
	c, err := r.planChoices(all, seed, "")
	if err != nil {
		return nil, nil, err
	}
	if err := r.work(ctx, workers, nil); err != nil {
		return nil, nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, fmt.Errorf("study: selection stopped: %w", err)
	}
	return r, c[0], r.settle(0, c[0])
}

// Error is the metric of the cell that is compared.
func (c *Curve) Error(cell Cell) float64 {
	if c.By == ErrorRate {
		return cell.ErrorRate()
	}
	return cell.RMSE()
}

// Figure draws the error against λ, a line for each set.
func (c *Curve) Figure() viz.Figure {
	var lines []viz.Line
	var at []viz.Points
	early := 0
	for _, cell := range c.Cells {
		name := cell.Set
		if name == "" {
			name = "left out"
		}
		if n := len(lines); n == 0 || lines[n-1].Name != name {
			lines, at = append(lines, viz.Line{Name: name}), append(at, viz.Points{})
		}
		early += cell.Early
		if e := c.Error(cell); cell.Failed == 0 && !math.IsNaN(e) {
			p := &at[len(at)-1]
			p.X, p.Y = append(p.X, cell.Lambda), append(p.Y, e)
		}
	}
	for i := range lines {
		lines[i].XYs = at[i]
	}
	b := c.Cells[c.Best]
	title := fmt.Sprintf("The %s on points left out is smallest at λ = %.3g", c.By, b.Lambda)
	if b.Set != "" {
		title += ", " + b.Set
	}
	caption := fmt.Sprintf("Error of %d predictions of points left out, against λ.", b.N)
	if early > 0 {
		caption += fmt.Sprintf(" %d solves ended before the gap asked for.", early)
	}
	return viz.Lines(title, caption, lines...).WithAxes("λ", string(c.By)).WithLogX()
}
