package compare

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// Method is one row of a Table: a family, the way to find its weights, and the grid of hyperparameters, from which
// cross-validation chooses.
//
//	{Name: "uniform", Family: f, Grid: compare.Grid{compare.Rules(mkl.Uniform{})}}
//	{Name: "single", Family: f, Grid: compare.Grid{compare.Ridge(0.1, 1), compare.SingleKernels{}}}
//	{Name: "ball", Family: f, Grid: compare.Grid{compare.Ridge(0.1, 1), compare.Balls(2, 1, 0.5, 2)}}
type Method struct {
	Name   string
	Family kernel.Family
	// Solver learns θ of the candidates that have no rule. If Solver is nil, it is mkl.SPG.
	Solver mkl.Solver
	// Grid contains the losses, sets Θ, regularizers and rules to choose from. If it has no axis of losses, the axis is
	// Ridge(). Without sets, Θ is set.Simplex{}. Without rules, Solver learns θ.
	Grid Grid
	// Alternatives, if not nil, contains names of earlier methods, from which this method selects. In every training
	// part, it selects the method with the smallest cross-validation error (the first, if errors are equal) and has the
	// same result. Nothing is computed again, and all other fields except Name are ignored.
	Alternatives []string
	Gap          float64 // relative gap of every solve; if 0, 1e-3
	Iterations   int     // maximum number of steps of a solve; if 0, 500
}

// withDefaults returns m with the defaults of Solver, Gap and Iterations.
func (m Method) withDefaults() Method {
	m.Gap, m.Iterations = cmp.Or(m.Gap, 1e-3), cmp.Or(m.Iterations, 500)
	if m.Solver == nil {
		m.Solver = mkl.SPG{}
	}
	return m
}

// validate returns the grid of m for g, its family on the points of d. It returns an error if a problem of the grid is
// invalid, or if the solver does not support it.
func (m *Method) validate(g kernel.Grams, d *data.Dataset, encoding model.TargetEncoding) (*grid, error) {
	wrap := func(err error) error { return fmt.Errorf("compare: method %q: %w", m.Name, err) }
	if !(m.Gap >= 0) || m.Iterations < 0 {
		return nil, wrap(fmt.Errorf("gap %g and at most %d steps: use numbers > 0, or 0 for the default", m.Gap,
			m.Iterations))
	}
	label := g.Label
	if kernels := kernel.KernelsOf(m.Family); d.Views != nil && kernels != nil {
		label = func(k int) string { return viewLabel(d.Views, kernels[k], g.Label(k)) }
	}
	b, err := m.Grid.bindTo(g, label)
	if err != nil {
		return nil, wrap(err)
	}
	b.encoding = encoding
	targets, _, err := encodeColumns(d.TransformedY(), b.encoding, b.path.Loss, false)
	if err != nil {
		return nil, wrap(err)
	}
	hasRules := false
	for _, o := range b.candidates {
		for i, v := range b.path.GridValues() {
			c := b.withValue(o, v)
			p := c.applyTo(&mkl.Problem{Grams: g, Y: targets})
			if i > 0 { // everything else is the same along the path
				if err := p.Loss.Validate(targets); err != nil {
					return nil, wrap(err)
				}
			} else if err := p.Validate(); err != nil {
				return nil, wrap(err)
			}
			if c.Rule != nil {
				hasRules = true
			} else if _, err := m.withDefaults().Solver.Requirements(p); err != nil {
				return nil, wrap(err)
			}
		}
	}
	if hasRules && m.Solver != nil {
		return nil, wrap(errors.New("the method has a solver and rules; remove one of them"))
	}
	return b, nil
}
