package compare

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/data"
)

// Study is a comparison of methods on the same splits of one dataset. It is plain data. Run does not change it.
//
// If there are several targets (data.Dataset.ExtraTargets), each method learns one θ for all of them, which minimizes
// the sum of their losses. Each target is divided by its standard deviation in the training part. Hyperparameters, such
// as ε of loss.EpsilonInsensitive, and cross-validation errors (GridCell) are in these units. Scores are in the units
// of the data.
type Study struct {
	fit.Settings
	Data    *data.Dataset
	Methods []fit.Method
	Splits  []fit.Split
	// SplitNumbers are the numbers of Splits in errors, if these are some of the splits of a larger study. If nil, they
	// are 1, 2, ….
	SplitNumbers []int
	Baseline     string // name of the method with which the others are compared; if empty, the first one
	Workers      int    // number of concurrent tasks; if 0, runtime.GOMAXPROCS(0)
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

// validate returns an error if s has no data, or if its splits or its baseline are invalid. If checkSplits is set, s
// must have splits.
func (s *Study) validate(checkSplits bool) error {
	switch {
	case s == nil || s.Data == nil:
		return errors.New("compare: the study has no data; set Study.Data")
	case checkSplits && len(s.Splits) == 0:
		return errors.New("compare: the study has no splits; make them by fit.Halves, fit.Holdout or fit.KFold")
	case s.Workers < 0:
		return fmt.Errorf("compare: Workers is %d; use at least 1, or 0 for the number of processors", s.Workers)
	case s.Baseline != "" && s.MethodIndex(s.Baseline) < 0:
		return fmt.Errorf("compare: the baseline %q is not a method; use the name of one", s.Baseline)
	case s.SplitNumbers != nil && len(s.SplitNumbers) != len(s.Splits):
		return fmt.Errorf("compare: SplitNumbers has %d numbers for %d splits; give one for each", len(s.SplitNumbers),
			len(s.Splits))
	}
	for i, p := range s.Splits {
		if err := p.Validate(s.splitNumber(i)-1, len(s.Data.Y)); err != nil {
			return err
		}
	}
	return nil
}

// splitNumber returns the number of a split in errors.
func (s *Study) splitNumber(splitIndex int) int {
	if s.SplitNumbers != nil {
		return s.SplitNumbers[splitIndex]
	}
	return splitIndex + 1
}

// MethodIndex returns the index of the method with a name; −1 if there is none.
func (s *Study) MethodIndex(name string) int {
	return slices.IndexFunc(s.Methods, func(m fit.Method) bool { return m.Name == name })
}
