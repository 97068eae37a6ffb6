package fit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/mklnb/mkl/algos/internal/argument"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// Settings are the settings that all methods of a comparison share.
type Settings struct {
	Selection Selection
	// If CenterTargets is true, the mean of the training targets is subtracted before learning and added to the
	// predictions. It has no effect on a loss that does not report NeedsCentering (loss.Traits); the squared loss does.
	CenterTargets bool
	// Landmarks, if not 0, limits kernel matrices if the loss is squared and the kernels have many features
	// (HasFewerFeaturesThanPoints is false). From a training part with more points, this number of points, the
	// landmarks, is drawn at random. The weights θ are learned on the landmarks only. Then the dual coefficients of the
	// landmarks are fitted to all training points, with the chosen λ.
	//
	// With p landmarks among n training points, θ is learned with λp/n instead of λ, because the errors of p points are
	// summed instead of n. Narrow kernels get less weight than they would on all n points.
	Landmarks int
	// GroupsHoldDuplicates states that the groups of the data only keep equal points together (GroupDuplicates).
	// Points, and not groups, are then the units that quantiles and prediction intervals count.
	GroupsHoldDuplicates bool
	Seed                 uint64 // draws folds; the folds inside a training part depend only on Seed and on that part
}

// Workspace chooses hyperparameters and fits methods on any points of one dataset. Methods with equal families share
// their base matrices. To fit a model, call Fit or, for some of the points, PrepareChoices, then Choose of each choice,
// then FitRows.
type Workspace struct {
	Settings
	Data    *data.Dataset
	Methods []Method // the given methods, then the candidates of a Best that are not among them

	grids []*grid // one for each method
	tasks Tasks
}

// Task is one unit of work. Its result depends only on the data, the settings and the method, and on the Kind, the
// candidates, the values, the split and the inputs.
type Task struct {
	Name       string // for the progress; "" if the task is not counted
	Kind       string // "fold" or "split"
	Method     int    // index of the method
	Candidates []Candidate
	Values     []float64 // values of the hyperparameter
	Split      Split
	Inputs     []any
	Result     any         // pointer to the result
	IsComplete func() bool // reports whether Result, read from a store, has every part; nil: always
	Compute    func() error
}

// Tasks runs tasks. It may limit how many run at a time, and may read results from a store.
type Tasks interface {
	Announce(count int) // states that so many more tasks follow
	Run(t *Task) error
}

// unlimited computes every task at once.
type unlimited struct{}

func (unlimited) Announce(int)      {}
func (unlimited) Run(t *Task) error { return t.Compute() }

// Open returns a workspace for methods on d, after it has validated them. If tasks is nil, each task is computed at
// once.
func Open(d *data.Dataset, methods []Method, s Settings, tasks Tasks) (*Workspace, error) {
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
		if g != nil && !slices.Equal(loss.PointWeights(g.path.Loss), w.PointWeights()) {
			return fmt.Errorf("fit: the loss of the method %q has other weights of points than that of an earlier "+
				"method; use the same, because scores use these weights too", w.Methods[i].Name)
		}
	}
	return nil
}

// MethodIndex returns the index of the method with a name; −1 if there is none.
func (w *Workspace) MethodIndex(name string) int {
	return slices.IndexFunc(w.Methods, func(m Method) bool { return m.Name == name })
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

// Choose makes the choices concurrently.
func Choose(ctx context.Context, choices []*Choice) error {
	if err := argument.CheckContext(ctx, "fit"); err != nil {
		return err
	}
	return ForEach(choices, func(c *Choice) error { return c.Choose(ctx) })
}

// ForEach calls do for all choices concurrently. It returns the first error, in the order of choices.
func ForEach(choices []*Choice, do func(*Choice) error) error {
	var wg sync.WaitGroup
	errs := make([]error, len(choices))
	for i, c := range choices {
		wg.Go(func() { errs[i] = do(c) })
	}
	wg.Wait()
	return cmp.Or(errs...)
}

// evaluateFold returns the errors of a method on one fold: one cell for each candidate of b at each of pathValues, the
// hyperparameter values. taskName is shown in the progress.
func (w *Workspace) evaluateFold(ctx context.Context, taskName string, methodIndex int, split Split, b *grid,
	pathValues []float64) (cells []GridCell, err error) {
	m := w.Methods[methodIndex]
	err = w.tasks.Run(&Task{Name: taskName, Kind: "fold", Method: methodIndex, Candidates: b.candidates,
		Values: pathValues, Split: split, Result: &cells,
		IsComplete: func() bool { return len(cells) == len(b.candidates)*len(pathValues) },
		Compute: func() (err error) {
			if cells, err = w.newFold(b, split).evaluateGrid(ctx, m.Search(), b, pathValues); err != nil {
				return fmt.Errorf("fit: method %q: %w", m.Name, err)
			}
			return nil
		}})
	return cells, err
}

// SplitTask returns the task that fits the method with the chosen hyperparameters to the training part of a split. Its
// Name, Result and Compute are not set.
func (c *Choice) SplitTask(split Split, seed uint64) *Task {
	if c.isForeign() {
		return &Task{Kind: "split", Method: c.methodIndex, Split: split}
	}
	b := c.chosenGrid()
	return &Task{Kind: "split", Method: c.methodIndex, Candidates: b.candidates, Values: []float64{c.chosenValue},
		Split: split, Inputs: []any{fmt.Sprint(seed), b.startThetas, b.quantileShift}}
}

// CellCount returns the number of candidates of a method times the number of hyperparameter values, without extensions.
// It is 0 if the method is not a Search.
func (w *Workspace) CellCount(methodIndex int) int {
	if g := w.grids[methodIndex]; g != nil {
		return g.cellCount()
	}
	return 0
}
