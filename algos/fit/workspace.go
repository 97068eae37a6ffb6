package fit

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// unlimited computes every task at once.
type unlimited struct{}

func (unlimited) Announce(int)      {}
func (unlimited) Run(t *Task) error { return t.Compute() }

// Open returns a workspace for methods on d, after it has validated them. If tasks is nil, each task is computed at
// once.
func Open(d *data.Dataset, methods []Method, s Settings, tasks TaskRunner) (*Workspace, error) {
	if tasks == nil {
		tasks = unlimited{}
	}
	w := &Workspace{Settings: s, Data: d, Methods: slices.Clone(methods), tasks: tasks}
	for _, m := range methods {
		if b, ok := m.Fitter.(Best); ok {
			for _, c := range b.Candidates {
				if w.MethodIndex(c.Name) < 0 {
					w.Methods = append(w.Methods, c)
				}
			}
		}
	}
	if err := w.bindMethods(); err != nil {
		return nil, err
	}
	var err error
	if w.Selection, err = s.Selection.withMetricForLosses(w.grids, w.Methods); err != nil {
		return nil, err
	}
	for i, m := range w.Methods {
		if search, ok := m.Fitter.(Search); ok {
			w.Methods[i].Fitter = search.withDefaults()
		}
	}
	return w, nil
}

// bindMethods validates the data, the settings and the methods, and makes the grid of each method.
func (w *Workspace) bindMethods() error {
	switch {
	case w.Data == nil:
		return errors.New("fit: there is no data; pass a dataset")
	case len(w.Methods) == 0:
		return errors.New("fit: there are no methods; give one")
	case w.Landmarks < 0:
		return fmt.Errorf("fit: Landmarks is %d; use a positive number, or 0 for all points", w.Landmarks)
	}
	if err := w.Data.Validate(); err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	if len(w.Data.Y) == 0 {
		return fmt.Errorf("fit: %s has no labels; set Dataset.Y", w.Data.Name)
	}
	if err := w.Selection.validate(w.Data.Classes != nil); err != nil {
		return err
	}
	w.grids = make([]*grid, len(w.Methods))
	gramsByMethod := map[int]kernel.Grams{} // kernel matrices of each family, by the index of its first method
	encoding := model.TargetEncoding{Classes: len(w.Data.Classes), Targets: len(w.Data.Targets())}
	for i := range w.Methods {
		m := w.Methods[i]
		switch {
		case m.Name == "" || w.MethodIndex(m.Name) != i:
			return fmt.Errorf("fit: method %d has the name %q; give each method a unique, nonempty name", i+1, m.Name)
		case m.Fitter == nil:
			return fmt.Errorf("fit: method %q has no Fitter; set Method.Fitter", m.Name)
		}
		if b, ok := m.Fitter.(Best); ok {
			if len(b.Candidates) == 0 {
				return fmt.Errorf("fit: the Candidates of method %q are empty; give at least one Search", m.Name)
			}
			for _, c := range b.Candidates {
				if _, ok := c.Fitter.(Search); !ok {
					return fmt.Errorf("fit: method %q has the candidate %q, which is not a Search; use a fit.Search",
						m.Name, c.Name)
				}
				// A Fitter that holds a function does not equal itself.
				if o := w.Methods[w.MethodIndex(c.Name)]; reflect.DeepEqual(c, c) && !reflect.DeepEqual(c, o) {
					return fmt.Errorf("fit: method %q has the candidate %q, but another method has this name; give "+
						"each a name of its own", m.Name, c.Name)
				}
			}
			continue
		}
		search, ok := m.Fitter.(Search)
		if !ok {
			continue
		}
		if search.Family == nil {
			return fmt.Errorf("fit: method %q has no family; set Search.Family", m.Name)
		}
		firstIndex := slices.IndexFunc(w.Methods[:i], func(o Method) bool {
			return o.Search().Family != nil && reflect.DeepEqual(o.Search().Family, search.Family)
		})
		if firstIndex < 0 { // a new family; one that holds a NaN or a function equals no other
			firstIndex = i
			gramsByMethod[i] = search.Family.Bind(w.Data.X)
		}
		var err error
		if w.grids[i], err = m.newGrid(gramsByMethod[firstIndex], w.Data, encoding); err != nil {
			return err
		}
		earlierMethod, hyperparameter := w.grids[i].path.NearMethod, w.grids[i].path.HyperparameterName()
		if earlierMethod == "" {
			continue
		}
		if j := w.MethodIndex(earlierMethod); j < 0 || j >= i {
			return fmt.Errorf("fit: method %q searches %s near the value of %q, which is not an earlier method; name "+
				"an earlier method in Path.NearMethod", m.Name, hyperparameter, earlierMethod)
		} else if earlier := w.grids[j].path.HyperparameterName(); hyperparameter != earlier {
			return fmt.Errorf("fit: method %q searches %s near the %s of %q; both losses need the same hyperparameter",
				m.Name, hyperparameter, earlier, earlierMethod)
		}
	}
	for i, g := range w.grids {
		_, isBest := w.Methods[i].Fitter.(Best)
		if g == nil && !isBest && w.PointWeights() != nil {
			return fmt.Errorf("fit: the method %q is a Fitter of another package, which is scored without weights of "+
				"points, but the losses of other methods have weights; compare it with methods without weights",
				w.Methods[i].Name)
		}
		if g != nil && !slices.Equal(loss.PointWeights(g.path.Loss), w.PointWeights()) {
			return fmt.Errorf("fit: the loss of the method %q has other weights of points than that of an earlier "+
				"method; use the same, because scores use these weights too", w.Methods[i].Name)
		}
	}
	return nil
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

// withMetricForLosses returns a copy of s with a metric for the losses of the methods: if By is empty and all losses
// define a score (loss.Scored), By is set to MeanLoss. It returns an error if By does not suit the losses, or if only
// some of them define a score. grids has one grid for each of methods.
func (s Selection) withMetricForLosses(grids []*grid, methods []Method) (Selection, error) {
	// a method whose loss has a score; the first one without; a method whose Fitter is of another package
	scoredMethodIndex, unscoredMethodIndex, foreignIndex := -1, -1, -1
	for i, g := range grids {
		if g == nil {
			if _, isBest := methods[i].Fitter.(Best); !isBest {
				foreignIndex = i
			}
			continue
		}
		if _, ok := g.path.Loss.(loss.Scored); ok {
			scoredMethodIndex = i
		} else if unscoredMethodIndex < 0 {
			unscoredMethodIndex = i
		}
	}
	switch {
	case scoredMethodIndex >= 0 && s.By == model.RMSE:
		return s, fmt.Errorf("fit: method %q: %v defines a score, and so cannot be chosen by %q; leave "+
			"Selection.By empty", methods[scoredMethodIndex].Name, grids[scoredMethodIndex].path, s.By)
	case unscoredMethodIndex >= 0 && s.By == model.MeanLoss:
		return s, fmt.Errorf("fit: method %q: %v defines no score (loss.Scored); leave Selection.By empty",
			methods[unscoredMethodIndex].Name, grids[unscoredMethodIndex].path)
	case scoredMethodIndex >= 0 && unscoredMethodIndex >= 0 && s.By == "":
		return s, fmt.Errorf("fit: the loss of method %q defines a score (loss.Scored), and the loss of %q "+
			"does not; compare them in two studies", methods[scoredMethodIndex].Name, methods[unscoredMethodIndex].Name)
	case scoredMethodIndex >= 0 && foreignIndex >= 0:
		return s, fmt.Errorf("fit: method %q is a Fitter of another package, whose predictions have no mean loss, but "+
			"%q is compared by it; compare them in two studies", methods[foreignIndex].Name,
			methods[scoredMethodIndex].Name)
	case scoredMethodIndex >= 0 && s.By == "":
		s.By = model.MeanLoss
	}
	return s, nil
}

// PointWeights returns the weights that the loss gives to the points of the data; nil if all are 1.
func (w *Workspace) PointWeights() []float64 {
	for _, g := range w.grids {
		if g != nil {
			return loss.PointWeights(g.path.Loss)
		}
	}
	return nil
}

// Path returns the path of losses of a method; an empty one if the method is not a Search.
func (w *Workspace) Path(methodIndex int) Path {
	if g := w.grids[methodIndex]; g != nil {
		return g.path
	}
	return Path{}
}

// Candidates returns the candidates of a method, all combinations of sets, regularizers and rules, without losses. It
// is nil if the method is not a Search.
func (w *Workspace) Candidates(methodIndex int) []Candidate {
	if g := w.grids[methodIndex]; g != nil {
		return g.candidates
	}
	return nil
}

// evaluateFold returns the errors of a method on one fold: one cell for each candidate of b at each of pathValues, the
// hyperparameter values. taskName is shown in the progress.
func (w *Workspace) evaluateFold(ctx context.Context, taskName string, methodIndex int, split Split, b *grid,
	pathValues []float64) (cells []GridCell, err error) {
	m := w.Methods[methodIndex]
	err = w.tasks.Run(&Task{Name: taskName, Kind: "fold", Method: methodIndex, Candidates: b.candidates,
		Values: pathValues, Split: split, Result: &cells,
		IsComplete: func() bool {
			hasNoValues := func(c GridCell) bool { return c.FailedFolds == 0 && c.Residuals == nil }
			return len(cells) == len(b.candidates)*len(pathValues) &&
				(w.Selection.By != model.LogLoss || !slices.ContainsFunc(cells, hasNoValues))
		},
		Compute: func() (err error) {
			if cells, err = w.newFold(b, split).evaluateGrid(ctx, m.Search(), b, pathValues); err != nil {
				return fmt.Errorf("fit: method %q: %w", m.Name, err)
			}
			return nil
		}})
	return cells, err
}

// CellCount returns the number of candidates of a method times the number of hyperparameter values, without extensions.
// It is 0 if the method is not a Search.
func (w *Workspace) CellCount(methodIndex int) int {
	if g := w.grids[methodIndex]; g != nil {
		return g.cellCount()
	}
	return 0
}
