package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/internal/argument"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// Fitter is a way from data to a fitted model: a Search, the Best of several methods, or one of your own.
type Fitter interface {
	// Fit fits a model to all points of d.
	Fit(ctx context.Context, d *data.Dataset) (*Fitted, error)
}

// Method is a Fitter with a name: one row of the table of a comparison.
//
//	{Name: "uniform", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Rules(mkl.Uniform{})}}}
//	{Name: "single", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.1, 1), fit.SingleKernels{}}}}
//	{Name: "ball", Fitter: fit.Search{Family: f, Grid: fit.Grid{fit.Ridge(0.1, 1), fit.Balls(2, 1, 0.5, 2)}}}
type Method struct {
	Name   string
	Fitter Fitter
}

// Search returns the Fitter if it is a Search, otherwise a Search without a family.
func (m Method) Search() Search {
	s, _ := m.Fitter.(Search)
	return s
}

// Search fits a kernel family with the hyperparameters of a grid that have the smallest error in cross-validation. It
// is plain data.
type Search struct {
	Family kernel.Family
	// Solver learns θ, except for candidates of the Grid whose mkl.Rule computes θ. If Solver is nil, mkl.SPG is used.
	Solver mkl.Solver
	// Grid contains the losses, sets Θ, regularizers and rules to choose from. Without losses, the loss is the squared
	// one, with the values of λ of Ridge(). Without sets, Θ is set.Simplex{}. Without rules, Solver learns θ.
	Grid Grid
	// LogTargets states that the method learns the natural logarithms of the targets, which must be numbers above 0.
	// Its errors in cross-validation are in the units of the data, so that they can be compared with those of others.
	LogTargets bool
	Gap        float64 // relative gap of every solve; if 0, 1e-3
	Iterations int     // maximum number of steps of a solve; if 0, 500
	// Settings are those of Fit. A comparison replaces them by its own, so that all its methods have the same.
	Settings Settings
}

// Fit chooses the hyperparameters on d and fits the model to all points of d.
func (s Search) Fit(ctx context.Context, d *data.Dataset) (*Fitted, error) {
	return fitMethod(ctx, d, Method{Name: "search", Fitter: s}, s.Settings)
}

// Best selects one of several searches, for example of several families: in every training part, the one with the
// smallest cross-validation error (the first, if errors are equal).
type Best struct {
	// Candidates are searches with different names. In a comparison, one with the name of another method must equal
	// that method, and is fitted once for both.
	Candidates []Method
	Settings   Settings // of Fit, as in Search
}

// Fit selects the search on d and fits its model to all points of d.
func (b Best) Fit(ctx context.Context, d *data.Dataset) (*Fitted, error) {
	return fitMethod(ctx, d, Method{Name: "best", Fitter: b}, b.Settings)
}

// fitMethod fits a Search or a Best to all points of d.
func fitMethod(ctx context.Context, d *data.Dataset, m Method, s Settings) (*Fitted, error) {
	if err := argument.CheckContext(ctx, "fit"); err != nil {
		return nil, err
	}
	w, err := Open(d, []Method{m}, s, nil)
	if err != nil {
		return nil, err
	}
	return w.Fit(ctx, m.Name, 0)
}

// withDefaults returns s with the defaults of Solver, Gap and Iterations.
func (s Search) withDefaults() Search {
	s.Gap, s.Iterations = cmp.Or(s.Gap, 1e-3), cmp.Or(s.Iterations, 500)
	if s.Solver == nil {
		s.Solver = mkl.SPG{}
	}
	return s
}

// newGrid returns the grid of the method for g, its family bound to the points of d. It returns an error if a problem
// of the grid is invalid, or if the solver does not support the problem.
func (m Method) newGrid(g kernel.Grams, d *data.Dataset, encoding model.TargetEncoding) (*grid, error) {
	wrap := func(err error) error { return fmt.Errorf("fit: method %q: %w", m.Name, err) }
	s := m.Search()
	if !(s.Gap >= 0) || s.Iterations < 0 {
		return nil, wrap(fmt.Errorf("Gap is %g and Iterations is %d; use numbers > 0, or 0 for the default", s.Gap,
			s.Iterations))
	}
	kernelLabel := g.Label
	if kernels := kernel.KernelsOf(s.Family); d.Views != nil && kernels != nil {
		kernelLabel = func(k int) string { return labelWithView(d.Views, kernels[k], g.Label(k)) }
	}
	b, err := s.Grid.bindTo(g, kernelLabel)
	if err != nil {
		return nil, wrap(err)
	}
	if s.LogTargets && !d.LogTargets {
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
			} else if _, err := s.withDefaults().Solver.Requirements(p); err != nil {
				return nil, wrap(err)
			}
		}
	}
	if hasRules && s.Solver != nil {
		return nil, wrap(errors.New("the method has a solver and rules; remove one of them"))
	}
	return b, nil
}
