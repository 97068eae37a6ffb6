package fit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// Method is a method that a Study compares, one row of its Table: a kernel family, the way to find its weights θ, and
// the grid of hyperparameters, from which cross-validation chooses.
//
//	{Name: "uniform", Family: f, Grid: fit.Grid{fit.Rules(mkl.Uniform{})}}
//	{Name: "single", Family: f, Grid: fit.Grid{fit.Ridge(0.1, 1), fit.SingleKernels{}}}
//	{Name: "ball", Family: f, Grid: fit.Grid{fit.Ridge(0.1, 1), fit.Balls(2, 1, 0.5, 2)}}
type Method struct {
	Name   string
	Family kernel.Family
	// Solver learns θ, except for candidates of the Grid whose mkl.Rule computes θ. If Solver is nil, mkl.SPG is used.
	Solver mkl.Solver
	// Grid contains the losses, sets Θ, regularizers and rules to choose from. Without losses, the loss is the squared
	// one, with the values of λ of Ridge(). Without sets, Θ is set.Simplex{}. Without rules, Solver learns θ.
	Grid Grid
	// Alternatives, if not nil, contains names of earlier methods, from which this method selects. In every training
	// part, it selects the method with the smallest cross-validation error (the first, if errors are equal) and takes
	// over its result. All other fields except Name are ignored.
	Alternatives []string
	// LogTargets states that the method learns the natural logarithms of the targets, which must be numbers above 0.
	// Its errors in cross-validation are in the units of the data, so that they can be compared with those of others.
	LogTargets bool

	Gap        float64 // relative gap of every solve; if 0, 1e-3
	Iterations int     // maximum number of steps of a solve; if 0, 500
}

// withDefaults returns m with the defaults of Solver, Gap and Iterations.
func (m Method) withDefaults() Method {
	m.Gap, m.Iterations = cmp.Or(m.Gap, 1e-3), cmp.Or(m.Iterations, 500)
	if m.Solver == nil {
		m.Solver = mkl.SPG{}
	}
	return m
}

// newGrid returns the grid of m for g, the family of m bound to the points of d. It returns an error if a problem of
// the grid is invalid, or if the solver does not support the problem.
func (m *Method) newGrid(g kernel.Grams, d *data.Dataset, encoding model.TargetEncoding) (*grid, error) {
	wrap := func(err error) error { return fmt.Errorf("fit: method %q: %w", m.Name, err) }
	if !(m.Gap >= 0) || m.Iterations < 0 {
		return nil, wrap(fmt.Errorf("Gap is %g and Iterations is %d; use numbers > 0, or 0 for the default", m.Gap,
			m.Iterations))
	}
	kernelLabel := g.Label
	if kernels := kernel.KernelsOf(m.Family); d.Views != nil && kernels != nil {
		kernelLabel = func(k int) string { return labelWithView(d.Views, kernels[k], g.Label(k)) }
	}
	b, err := m.Grid.bindTo(g, kernelLabel)
	if err != nil {
		return nil, wrap(err)
	}
	if m.LogTargets && !d.LogTargets {
		if encoding.Targets > 0 {
			return nil, wrap(errors.New("LogTargets needs one target; use data.Options.LogTargets"))
		}
		logs := *d
		logs.LogTargets, b.scoresExp = true, true
		if d = &logs; d.Validate() != nil {
			return nil, wrap(d.Validate())
		}
	}
	b.data, b.targets, b.encoding = d, d.TransformedY(), encoding
	targets, _, err := encodeTargetColumns(b.targets, b.encoding, b.path.Loss, false)
	if err != nil {
		return nil, wrap(err)
	}
	if l, ok := b.path.Loss.(loss.Pinball); ok && l.Taus != nil && d.ExtraTargets != nil {
		for _, t := range d.ExtraTargets {
			if !slices.Equal(t.Y, d.Y) { // predictions of quantiles of one target are sorted (model.SortQuantiles)
				return nil, wrap(fmt.Errorf("%v has a τ for each target, but %s has different targets; use one Tau "+
					"for all targets, or one target", l, d.Name))
			}
		}
	}
	hasRules := false
	for _, o := range b.candidates {
		for i, v := range b.path.GridValues() {
			c := b.candidateWithValue(o, v)
			p := c.applyTo(&mkl.Problem{Grams: g, Y: targets})
			if i > 0 { // p differs from the problem at the first value only in the loss
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
