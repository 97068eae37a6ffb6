package compare

import (
	"errors"
	"fmt"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
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
	// Grid contains the losses, sets, regularizers and rules to choose from. The defaults for missing axes are Ridge(),
	// set.Simplex{}, no regularizer, and the solver.
	Grid       Grid
	Multiclass Multiclass // for more than two classes
	// Among, if not empty, makes this method the best of earlier ones. In every training part it is the method whose
	// choice has the smallest cross-validation error, the first of several. Nothing is computed again, and all other
	// fields except Name are ignored.
	Among      []string
	Gap        float64 // relative gap of every solve; if 0, 1e-3
	Iterations int     // largest number of steps of a solve; if 0, 500
}

// settings returns the bounds of a solve in a task. Tasks run concurrently, each on one thread.
func (m *Method) settings() mkl.Settings {
	s := mkl.Settings{Gap: m.Gap, Iterations: m.Iterations, Threads: 1}
	if s.Gap == 0 {
		s.Gap = 1e-3
	}
	if s.Iterations == 0 {
		s.Iterations = 500
	}
	return s
}

func (m *Method) solver() mkl.Solver {
	if m.Solver == nil {
		return mkl.SPG{}
	}
	return m.Solver
}

// validate returns the grid of m on the points of g, which belongs to its family, or an error if m is invalid on them.
func (m *Method) validate(g kernel.Grams, y []float64, code model.TargetEncoding, how Selection) (*grid, error) {
	bad := func(err error) error { return fmt.Errorf("compare: method %q: %w", m.Name, err) }
	if s := m.settings(); !(s.Gap > 0) || s.Iterations < 0 {
		return nil, bad(fmt.Errorf("gap %g and at most %d steps: both must be > 0", m.Gap, m.Iterations))
	}
	if m.Multiclass < ByLoss || m.Multiclass > OneVsOne {
		return nil, bad(fmt.Errorf("unknown %v; use ByLoss, OneVsRest or OneVsOne", m.Multiclass))
	}
	b, err := m.Grid.bind(g)
	if err != nil {
		return nil, bad(err)
	}
	b.code = m.Multiclass.Encoding(code, b.path.Loss)
	targets, _, err := columns(y, b.code, b.path.Loss, false)
	if err != nil {
		return nil, bad(err)
	}
	ruled := false
	for _, o := range b.others {
		for i, v := range b.path.Grid() {
			c := b.candidate(o, v)
			p := c.problem(&mkl.Problem{Grams: g, Y: targets})
			if i > 0 { // everything else is the same along the path
				if err := p.Loss.Validate(targets); err != nil {
					return nil, bad(err)
				}
			} else if err := p.Validate(); err != nil {
				return nil, bad(err)
			}
			if !c.Loss.Traits().Linear && how.Folds == LeaveOneOut && b.size() > 1 {
				return nil, bad(fmt.Errorf("%v has no leave-one-out: choose its constants by folds", c.Loss))
			}
			if c.Rule != nil {
				ruled = true
			} else if _, err := m.solver().Requirements(p); err != nil {
				return nil, bad(err)
			}
		}
	}
	if ruled && m.Solver != nil {
		return nil, bad(errors.New("want a solver or rules, not both"))
	}
	return b, nil
}
