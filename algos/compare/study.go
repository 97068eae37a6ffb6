package compare

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// Study is a comparison of methods on the same splits of one dataset. It is plain data. Run does not change it.
//
// If there are several targets (data.Dataset.ExtraTargets), each method learns one θ for all of them, which minimizes
// the sum of their losses. Each target is divided by its standard deviation in the training part. Hyperparameters, such
// as ε of loss.EpsilonInsensitive, and cross-validation errors (Cell) are in these units. Scores are in the units of
// the data.
type Study struct {
	Data      *data.Dataset
	Methods   []Method
	Splits    []Split
	Selection Selection
	// CenterTargets subtracts the mean of the training targets before learning and adds it to the predictions. Set it
	// for the squared loss, which has no bias and so no other constant term. It has no effect on a loss that is not
	// Linear (loss.Traits).
	CenterTargets bool
	Baseline      string // the method that the others are compared with; if empty, the first
	Seed          uint64 // for the folds; folds inside a training part depend only on it and on that part
	Workers       int    // tasks at a time; if 0, runtime.GOMAXPROCS(0)
	// Landmarks, if not 0, is the largest number of points for whose training the full kernel matrix is computed. It
	// applies if the loss is squared and the family does not represent K(θ) by few features (HasFewFeatures). If the
	// training part has more points, this number of points, the landmarks, is drawn at random. The weights are learned
	// on the landmarks only. Then the dual coefficients of the landmarks are fitted to all training points, with the
	// chosen λ.
	//
	// The weights are learned on p landmarks of n points with λp/n: the errors of p points then have the same influence
	// as the errors of n points have with λ. Narrow kernels get less weight than on all n points.
	Landmarks int
	// Store is a folder that holds the results of finished tasks. Many processes may share it. If Store is "", nothing
	// is stored. If the type of a family, loss, set, regularizer, rule or solver is not registered (package registry),
	// nothing is stored either, and a note of the table gives the reason.
	Store string
}

// Progress is the progress of a run. Callbacks come one at a time.
type Progress struct {
	Done, Total int
	Stored      int    // how many of Done were read from a Store
	StoreError  error  // the reason if some results could not be stored; nil without a Store
	Task        string // the task that has just finished
	Elapsed     time.Duration
	Left        time.Duration // an estimate of the time left, from the tasks computed so far; 0 at first
	Doing       string        // name of a step after the tasks, such as a pass over all points; Left is then its time
	// Table returns the table of the results that are finished at the time of the call. It may be called at any time.
	// It is nil if the work makes no table.
	Table func() *Table
}

// bindMethods validates s and, if checkSplits is set, that s has splits. It returns the grid of each method. Methods
// with equal families share the Grams.
func (s *Study) bindMethods(checkSplits bool) ([]*grid, error) {
	switch {
	case s == nil || s.Data == nil:
		return nil, errors.New("compare: the study has no data; set Study.Data")
	case len(s.Methods) == 0:
		return nil, errors.New("compare: the study has no methods; add one to Study.Methods")
	case checkSplits && len(s.Splits) == 0:
		return nil, errors.New("compare: the study has no splits; make them by Halves, Holdout or KFold")
	case s.Landmarks < 0:
		return nil, fmt.Errorf("compare: %d landmarks; use a positive number, or 0 for all points", s.Landmarks)
	case s.Workers < 0:
		return nil, fmt.Errorf("compare: %d workers; use at least 1, or 0 for the number of processors", s.Workers)
	}
	if err := s.Data.Validate(); err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	if len(s.Data.Y) == 0 {
		return nil, fmt.Errorf("compare: %s has no labels; set Dataset.Y", s.Data.Name)
	}
	for i, p := range s.Splits {
		if err := p.Validate(i, len(s.Data.Y)); err != nil {
			return nil, err
		}
	}
	if err := s.Selection.validate(s.Data.Classes != nil); err != nil {
		return nil, err
	}
	grids := make([]*grid, len(s.Methods))
	bound := map[int]kernel.Grams{} // by the index of the first method of a family
	encoding := model.TargetEncoding{Classes: len(s.Data.Classes), Targets: len(s.Data.Targets())}
	for i := range s.Methods {
		m := &s.Methods[i]
		switch {
		case m.Name == "" || s.MethodIndex(m.Name) != i:
			return nil, fmt.Errorf("compare: method %d has the name %q; give each method a unique name", i+1, m.Name)
		case m.Alternatives != nil:
			if len(m.Alternatives) == 0 {
				return nil, fmt.Errorf("compare: method %q selects among no methods; name at least one in Alternatives",
					m.Name)
			}
			for _, name := range m.Alternatives {
				if j := s.MethodIndex(name); j < 0 || j >= i || s.Methods[j].Alternatives != nil {
					return nil, fmt.Errorf("compare: method %q selects among %q; name earlier methods that "+
						"do not select among others themselves", m.Name, m.Alternatives)
				}
			}
			grids[i] = grids[s.MethodIndex(m.Alternatives[0])]
			continue
		case m.Family == nil:
			return nil, fmt.Errorf("compare: method %q has no family; set Method.Family", m.Name)
		}
		first := slices.IndexFunc(s.Methods[:i], func(o Method) bool { return reflect.DeepEqual(o.Family, m.Family) })
		if first < 0 { // no earlier family is equal; a family with a NaN or a function in it never is
			first = i
			bound[i] = m.Family.Bind(s.Data.X)
		}
		var err error
		if grids[i], err = m.validate(bound[first], s.Data, encoding); err != nil {
			return nil, err
		}
		nearMethod, hyperparameter := grids[i].path.NearMethod, grids[i].path.Hyperparameter()
		if nearMethod == "" {
			continue
		}
		if j := s.MethodIndex(nearMethod); j < 0 || j >= i {
			return nil, fmt.Errorf("compare: method %q searches %s near the value of %q, which is not "+
				"an earlier method; name an earlier method in Path.NearMethod",
				m.Name, hyperparameter, nearMethod)
		} else if other := grids[j].path.Hyperparameter(); hyperparameter != other {
			return nil, fmt.Errorf("compare: method %q searches %s near the %s of %q; both losses need the "+
				"same hyperparameter",
				m.Name, hyperparameter, other, nearMethod)
		}
	}
	if s.Baseline != "" && s.MethodIndex(s.Baseline) < 0 {
		return nil, fmt.Errorf("compare: the baseline %q is not a method; use the name of one", s.Baseline)
	}
	return grids, nil
}

// MethodIndex returns the index of the method with a name; −1 if there is none.
func (s *Study) MethodIndex(name string) int {
	return slices.IndexFunc(s.Methods, func(m Method) bool { return m.Name == name })
}
