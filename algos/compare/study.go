package compare

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// Study is a comparison of methods on the same splits of one dataset. It is plain data. Run does not change it.
//
// If there are several targets (data.Dataset.ExtraTargets), each method learns one θ for all of them, which minimizes
// the sum of their losses. Each target is divided by its standard deviation in the training part. Hyperparameters, such
// as ε of loss.EpsilonInsensitive, and cross-validation errors (GridCell) are in these units. Scores are in the units
// of the data.
type Study struct {
	Data      *data.Dataset
	Methods   []Method
	Splits    []Split
	Selection Selection
	// If CenterTargets is true, the mean of the training targets is subtracted before learning and added to the
	// predictions. It has no effect on a loss that does not report NeedsCentering (loss.Traits); the squared loss does.
	CenterTargets bool
	Baseline      string // name of the method with which the others are compared; if empty, the first one
	Seed          uint64 // draws folds; the folds inside a training part depend only on Seed and on that part
	Workers       int    // number of concurrent tasks; if 0, runtime.GOMAXPROCS(0)
	// Landmarks, if not 0, limits kernel matrices if the loss is squared and the kernels have many features
	// (HasFewerFeaturesThanPoints is false). From a training part with more points, this number of points, the
	// landmarks, is drawn at random. The weights θ are learned on the landmarks only. Then the dual coefficients of the
	// landmarks are fitted to all training points, with the chosen λ.
	//
	// With p landmarks among n training points, θ is learned with λp/n instead of λ, because the errors of p points are
	// summed instead of n. Narrow kernels get less weight than they would on all n points.
	Landmarks int
	// GroupsHoldDuplicates states that the groups of Data only keep equal points together (GroupDuplicates). Points,
	// and not groups, are then the units that quantiles and prediction intervals count.
	GroupsHoldDuplicates bool
	// StoreFolder is a folder that holds the results of finished tasks. Many processes may share it. If StoreFolder is
	// "", nothing is stored. Nothing is stored either if the type of a family, loss, set, regularizer, rule or solver
	// is not registered (package registry). A note of the table then gives the reason.
	StoreFolder string
}

// Progress is the progress of a run. A callback is never called concurrently with itself.
type Progress struct {
	Done, Total int
	Stored      int    // number of tasks, among Done, that were read from Study.StoreFolder
	StoreError  error  // why some results could not be stored, or nil
	TaskName    string // name of the task that has just finished
	Elapsed     time.Duration
	Left        time.Duration // estimated remaining time, from the tasks computed so far; 0 at first
	FinalStep   string        // text on the work after the last task, "" before; Left is then the time of this work
	// Table, if not nil, returns the table of the results that are finished at the time of the call.
	Table func() *Table
}

// newGrids validates s and returns the grid of each method. Methods with equal families share their Grams. If
// checkSplits is set, s must have splits.
func (s *Study) newGrids(checkSplits bool) ([]*grid, error) {
	switch {
	case s == nil || s.Data == nil:
		return nil, errors.New("compare: the study has no data; set Study.Data")
	case len(s.Methods) == 0:
		return nil, errors.New("compare: the study has no methods; add one to Study.Methods")
	case checkSplits && len(s.Splits) == 0:
		return nil, errors.New("compare: the study has no splits; make them by Halves, Holdout or KFold")
	case s.Landmarks < 0:
		return nil, fmt.Errorf("compare: Landmarks is %d; use a positive number, or 0 for all points", s.Landmarks)
	case s.Workers < 0:
		return nil, fmt.Errorf("compare: Workers is %d; use at least 1, or 0 for the number of processors", s.Workers)
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
	gramsByMethod := map[int]kernel.Grams{} // kernel matrices of each family, by the index of its first method
	encoding := model.TargetEncoding{Classes: len(s.Data.Classes), Targets: len(s.Data.Targets())}
	for i := range s.Methods {
		m := &s.Methods[i]
		switch {
		case m.Name == "" || s.MethodIndex(m.Name) != i:
			return nil, fmt.Errorf("compare: method %d has the name %q; give each method a unique, nonempty name", i+1,
				m.Name)
		case m.Alternatives != nil:
			if len(m.Alternatives) == 0 {
				return nil, fmt.Errorf("compare: the Alternatives of method %q are empty; name at least one method",
					m.Name)
			}
			for _, name := range m.Alternatives {
				if j := s.MethodIndex(name); j < 0 || j >= i || s.Methods[j].Alternatives != nil {
					return nil, fmt.Errorf("compare: the Alternatives of method %q are %q; name earlier methods "+
						"without Alternatives", m.Name, m.Alternatives)
				}
			}
			grids[i] = grids[s.MethodIndex(m.Alternatives[0])]
			continue
		case m.Family == nil:
			return nil, fmt.Errorf("compare: method %q has no family; set Method.Family", m.Name)
		}
		firstIndex := slices.IndexFunc(s.Methods[:i], func(o Method) bool {
			return reflect.DeepEqual(o.Family, m.Family)
		})
		if firstIndex < 0 { // a new family; one that holds a NaN or a function equals no other
			firstIndex = i
			gramsByMethod[i] = m.Family.Bind(s.Data.X)
		}
		var err error
		if grids[i], err = m.newGrid(gramsByMethod[firstIndex], s.Data, encoding); err != nil {
			return nil, err
		}
		earlierMethod, hyperparameter := grids[i].path.NearMethod, grids[i].path.HyperparameterName()
		if earlierMethod == "" {
			continue
		}
		if j := s.MethodIndex(earlierMethod); j < 0 || j >= i {
			return nil, fmt.Errorf("compare: method %q searches %s near the value of %q, which is not "+
				"an earlier method; name an earlier method in Path.NearMethod",
				m.Name, hyperparameter, earlierMethod)
		} else if earlierHyperparameter := grids[j].path.HyperparameterName(); hyperparameter != earlierHyperparameter {
			return nil, fmt.Errorf("compare: method %q searches %s near the %s of %q; both losses need the "+
				"same hyperparameter",
				m.Name, hyperparameter, earlierHyperparameter, earlierMethod)
		}
	}
	for i, g := range grids {
		if !slices.Equal(loss.PointWeights(g.path.Loss), loss.PointWeights(grids[0].path.Loss)) {
			return nil, fmt.Errorf("compare: the losses of the methods %q and %q have different weights of points; "+
				"use the same, because scores use these weights too", s.Methods[0].Name, s.Methods[i].Name)
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
