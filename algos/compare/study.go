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

// Study is a comparison of methods on the same splits of one dataset. It is plain data; Run leaves
// it as it is.
//
// Of several targets (data.Dataset.More) each method learns one θ, that of the sum of their losses, each
// target in units of its standard deviation in the training part: constants, such as ε of loss.EpsilonInsensitive,
// and errors on points left out (Cell) are in these units, scores in those of the data.
type Study struct {
	Data      *data.Dataset
	Methods   []Method
	Splits    []Split
	Selection Selection
	// CentreTargets takes the mean of the training targets away before learning and adds it to
	// predictions: the constant term that a squared loss without bias lacks. Targets of losses that
	// are not Linear (loss.Traits) stay as they are.
	CentreTargets bool
	Baseline      string // the method that others are compared with; if empty, the first
	Seed          uint64 // of the folds; those inside a training part depend on it and on that part alone
	Workers       int    // tasks at a time; if 0, runtime.GOMAXPROCS(0)
	// Landmarks, if not 0, is the most points of a training part whose kernel matrix is made where the
	// loss is squared and the family has not few features (a root, kernel.Rooted): of more points, so many are
	// drawn, weights are learned on these, and the dual coefficients of these are fitted to all points, with the λ
	// chosen: one chosen for the coefficients alone, on points left out, was the same in six trials of six (simulated
	// arms, 6,000 and 8,000 points).
	//
	// Weights are learned on p landmarks of n points with λp/n, at which the errors of p points weigh as those of n
	// with λ. They come to those of all points as p comes to n, and not before: ‖θ_p − θ*‖₁ on a simplex of 8 Gaussians
	// of doubling γ, points of Friedman's first problem, λ = 1, in the mean of ten draws (θ* by mkl.Subspace to a gap
	// of 2e-4)
	//
	//	p          250   500   1,000   2,000
	//	n =  2,000 .81   .74    .63     .02
	//	n = 20,000 .35   .34    .36     .33
	//
	// A narrow kernel is nearly the identity: in K it adds to λ, and to λp/n more, so that landmarks give it less
	// weight.
	Landmarks int
	// Store is a folder that keeps finished tasks, which many processes may share; "" keeps nothing. Where the type of
	// a family, loss, set or the like is not registered (package registry), nothing is kept, and a note says so.
	Store string
}

// Progress says how far a run is. Callbacks come one at a time.
type Progress struct {
	Done, Total int
	Stored      int    // of Done, how many a Store had
	NotKept     error  // why a Store does not keep every result; nil where it does
	Task        string // the one just finished
	Elapsed     time.Duration
	Left        time.Duration // of the time left, a guess: by the tasks computed so far; 0 at first
	Doing       string        // what Learn does after its tasks: passes over all points; Left is of that alone
	// Table returns the table of what is finished when it is called, which may be at any time; it is nil where the
	// work makes no table
	Table func() *Table
}

// Validate says what is wrong with s, before any work but that of binding the families to the
// points.
func (s *Study) Validate() error {
	grids, err := s.bind(true)
	if err == nil && s.Store != "" {
		_, err = openTasks(s, grids)
	}
	return err
}

// bind checks s, its splits where they are asked for, and returns the grid of each method, on the same
// Grams for the same family.
func (s *Study) bind(splits bool) ([]*grid, error) {
	switch {
	case s == nil || s.Data == nil:
		return nil, errors.New("compare: no data")
	case len(s.Methods) == 0:
		return nil, errors.New("compare: no methods")
	case splits && len(s.Splits) == 0:
		return nil, errors.New("compare: no splits; Halves, Holdout, KFold and Forward make them")
	case s.Landmarks < 0:
		return nil, fmt.Errorf("compare: %d landmarks, want more than 0, or 0 for all points", s.Landmarks)
	case s.Workers < 0:
		return nil, fmt.Errorf("compare: %d workers, want 1 or more, or 0 for as many as processors", s.Workers)
	}
	if err := s.Data.Validate(); err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	if len(s.Data.Y) == 0 {
		return nil, fmt.Errorf("compare: %s has no labels to learn from", s.Data.Name)
	}
	for i, p := range s.Splits {
		if err := p.Validate(i, len(s.Data.Y)); err != nil {
			return nil, err
		}
	}
	if err := s.Selection.validate(s.Data.Classes != nil); err != nil {
		return nil, err
	}
	all := make([]*grid, len(s.Methods))
	bound := map[int]kernel.Grams{} // by the number of the first method of a family
	code := model.TargetEncoding{Classes: len(s.Data.Classes), Targets: len(s.Data.Targets())}
	for i := range s.Methods {
		m := &s.Methods[i]
		switch {
		case m.Name == "" || s.MethodIndex(m.Name) != i:
			return nil, fmt.Errorf("compare: method %d is called %q, want a name of its own", i+1, m.Name)
		case m.Among != nil:
			if len(m.Among) == 0 {
				return nil, fmt.Errorf("compare: method %q is the best among no others", m.Name)
			}
			for _, name := range m.Among {
				if j := s.MethodIndex(name); j < 0 || j >= i || s.Methods[j].Among != nil {
					return nil, fmt.Errorf("compare: method %q is the best among %q, want names of methods before it "+
						"that are not so themselves", m.Name, m.Among)
				}
			}
			all[i] = all[s.MethodIndex(m.Among[0])]
			continue
		case m.Family == nil:
			return nil, fmt.Errorf("compare: method %q has no family", m.Name)
		}
		first := slices.IndexFunc(s.Methods[:i], func(o Method) bool { return reflect.DeepEqual(o.Family, m.Family) })
		if first < 0 { // this one; so is a NaN or a function, which is equal to nothing
			first = i
			bound[i] = m.Family.On(s.Data.X)
		}
		var err error
		if all[i], err = m.validate(bound[first], s.Data.LearnedY(), code, s.Selection); err != nil {
			return nil, err
		}
		all[i].nameViews(s.Data.Views, m.Family)
		near, constant := all[i].path.Near, all[i].path.Hyperparameter()
		if near == "" {
			continue
		}
		if j := s.MethodIndex(near); j < 0 || j >= i {
			return nil, fmt.Errorf("compare: method %q takes %s near that of %q, want the name of a method before it",
				m.Name, constant, near)
		} else if other := all[j].path.Hyperparameter(); constant != other {
			return nil, fmt.Errorf("compare: method %q takes %s near the %s of %q, want the same constant",
				m.Name, constant, other, near)
		}
	}
	if s.Baseline != "" && s.MethodIndex(s.Baseline) < 0 {
		return nil, fmt.Errorf("compare: the baseline %q is not a method", s.Baseline)
	}
	return all, nil
}

func (s *Study) MethodIndex(name string) int {
	return slices.IndexFunc(s.Methods, func(m Method) bool { return m.Name == name })
}
