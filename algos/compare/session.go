package compare

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/mklnb/mkl/algos/fit"

	"gonum.org/v1/gonum/floats"
)

// Session is one execution of a study. It runs splits, or fits methods on any points (fit.Workspace). It runs the tasks
// of its workspace: at most Study.Workers at a time, with results from the store.
type Session struct {
	*Study
	Workspace         *fit.Workspace
	store             *taskStore
	isReadOnly        bool   // the store is only read; a missing result is the error errAbsent
	isSplitIncomplete []bool // for each split, whether some result is missing

	sharedChoices    []*fit.Choice // the choices for all splits if Selection.OnAllData is set
	taskTotalIsFinal bool          // progress.Total already counts all tasks, so Announce adds none

	resultsMutex sync.Mutex // guards results
	results      [][]*Run   // by method and split; an entry is nil if it is not finished

	workerSlots chan struct{} // holds one entry for each running task; its capacity is the number of workers

	progressMutex sync.Mutex // guards progress
	progress      Progress
	report        func(Progress) // may be nil
	startTime     time.Time
}

// WorkerCount returns the number of concurrent tasks: the requested number or, if that is 0, GOMAXPROCS.
func WorkerCount(requested int) int {
	if requested > 0 {
		return requested
	}
	return runtime.GOMAXPROCS(0)
}

// Session returns a session that chooses hyperparameters and fits methods of s on any points of its data. It uses
// StoreFolder and Workers of s, and ignores its splits. progress may be nil.
func (s *Study) Session(progress func(Progress)) (*Session, error) {
	return s.openSession(false, progress)
}

// openSession validates s and returns a session of it with its store. If checkSplits is set, it also validates the
// splits. report may be nil.
func (s *Study) openSession(checkSplits bool, report func(Progress)) (*Session, error) {
	if err := s.validate(checkSplits); err != nil {
		return nil, err
	}
	study := *s
	r := &Session{Study: &study, report: report, startTime: time.Now(),
		workerSlots: make(chan struct{}, WorkerCount(s.Workers))}
	var err error
	if r.Workspace, err = fit.Open(s.Data, s.Methods, s.Settings, r); err != nil {
		return nil, err
	}
	study.Selection = r.Workspace.Selection
	if s.StoreFolder != "" {
		r.store, err = openTaskStore(s, r.Workspace)
	}
	return r, err
}

// Announce adds tasks to the total number of tasks in the progress, unless this total is final.
func (r *Session) Announce(taskCount int) {
	if !r.taskTotalIsFinal {
		r.progress.Total += taskCount
	}
}

// Run reads the result of a task from the store, or computes and stores it.
func (r *Session) Run(t *fit.Task) error {
	isStored, err := r.runTask(t)
	if err == nil {
		r.FinishTask(t.Name, isStored)
	}
	return err
}

// runTask is Run without a report of the progress. It reports whether the result was stored.
func (r *Session) runTask(t *fit.Task) (isStored bool, err error) {
	r.workerSlots <- struct{}{}
	defer func() { <-r.workerSlots }()
	file, key, err := r.store.taskKey(t)
	if err != nil {
		return false, err
	}
	isStored = r.store.readResult(file, key, t.Result) && (t.IsComplete == nil || t.IsComplete())
	if !isStored && r.isReadOnly {
		return false, errAbsent
	}
	if !isStored {
		if err := t.Compute(); err != nil {
			return false, err
		}
		err = r.store.writeResult(file, key, t.Result)
	}
	return isStored, err
}

// StoreError returns the error because of which some results could not be stored, or nil.
func (r *Session) StoreError() error { return r.store.getWriteError() }

// isBest reports whether a method selects one of several methods (fit.Best).
func (r *Session) isBest(methodIndex int) bool {
	_, ok := r.Methods[methodIndex].Fitter.(fit.Best)
	return ok
}

func (r *Session) storeRun(methodIndex, splitIndex int, run *Run) {
	r.resultsMutex.Lock()
	defer r.resultsMutex.Unlock()
	r.results[methodIndex][splitIndex] = run
}

// FinishTask adds a finished task to the progress and reports it. isStored states that its result was read from the
// store. A task without a name is not counted.
func (r *Session) FinishTask(task string, isStored bool) {
	if task == "" {
		return
	}
	r.progressMutex.Lock()
	defer r.progressMutex.Unlock()
	p := &r.progress
	p.Done++
	if isStored {
		p.Stored++
	}
	p.TaskName, p.Elapsed, p.Left, p.StoreError = task, time.Since(r.startTime), 0, r.store.getWriteError()
	if computedTasks := p.Done - p.Stored; computedTasks > 0 {
		p.Left = time.Duration(float64(p.Elapsed) / float64(computedTasks) * float64(p.Total-p.Done))
	}
	if r.results != nil { // nil if the session runs no splits, and so has no table
		p.Table = r.currentTable
	}
	if r.report != nil {
		r.report(*p)
	}
}

// errAbsent is the error of a task in a read-only session whose result is not in the store.
var errAbsent = errors.New("compare: the store lacks some results of the study; run the study first")

// currentTable returns the table of the results that are finished.
func (r *Session) currentTable() *Table {
	t := &Table{Data: r.Data.Name, Points: len(r.Data.Y), Classes: r.Data.Classes, Targets: r.Data.Targets(),
		TargetsAreLogs: r.Data.LogTargets, Splits: len(r.Splits),
		TrainPoints: len(r.Splits[0].Train), TestPoints: len(r.Splits[0].Test), Baseline: r.Baseline,
		By: r.Selection.By, Seed: r.Seed, HasPointWeights: r.Workspace.PointWeights() != nil}
	if t.Baseline == "" {
		t.Baseline = r.Methods[0].Name
	}
	var testRows []int // of all splits, each once
	for _, s := range r.Splits {
		testRows = append(testRows, s.Test...)
	}
	slices.Sort(testRows)
	testRows = slices.Compact(testRows)
	t.TestedCount, t.TestTrainRatio = len(testRows), MeanTestTrainRatio(r.Splits)
	if w := fit.ResidualWeights(r.Data, false, testRows, r.Workspace.PointWeights()); w != nil {
		t.TestedCount = int(floats.Sum(w) + 0.5) // errors at points of one group are dependent
	}
	r.resultsMutex.Lock()
	defer r.resultsMutex.Unlock()
	for i := range r.Methods {
		row := Row{Method: r.Methods[i].Name}
		for _, run := range r.results[i] {
			if run == nil {
				t.Stopped = true
				continue
			}
			row.Runs = append(row.Runs, *run)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = r.tableNotes(t.Rows)
	return t
}

// tableNotes returns the Notes of a table with these rows: how hyperparameters were chosen, which chosen values are at
// an end of a grid, and problems: divided groups, classes of one point, results that were not stored or read.
func (r *Session) tableNotes(rows []Row) (notes []string) {
	hasChoices := false
	for i := range r.Methods {
		hasChoices = hasChoices || r.Workspace.CellCount(i) > 1
	}
	switch {
	case hasChoices && r.Selection.OnAllData:
		notes = append(notes, fmt.Sprintf("Hyperparameters were chosen once by %v on all the data, including the test "+
			"points: the scores are optimistic.", r.Selection))
	case hasChoices:
		notes = append(notes, fmt.Sprintf("Hyperparameters were chosen by %v inside each training part, with "+
			"folds drawn with seed %d.", r.Selection, r.Seed))
	}
	if r.Workspace.PointWeights() != nil {
		notes = append(notes, "Scores and the choice of hyperparameters use the point weights of the loss.")
	}
	if n := CountSplitsWithCutGroups(r.Data.Group, r.Splits); n > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d splits have points of one group in both parts (training and "+
			"test): the scores are optimistic. fit.ByGroup keeps groups whole.", n, len(r.Splits)))
	}
	for i, row := range rows {
		splitCountAtPathEnd := 0
		for _, run := range row.Runs {
			if run.AtPathEnd {
				splitCountAtPathEnd++
			}
		}
		if splitCountAtPathEnd > 0 && !r.isBest(i) {
			notes = append(notes, fmt.Sprintf("%s: the chosen %s is at an end of its grid in %d of %d splits.",
				row.Method, r.Workspace.Path(i).HyperparameterName(), splitCountAtPathEnd, len(row.Runs)))
		}
	}
	notes = append(notes, r.store.failureNotes()...)
	if text := DescribeClassesOfOnePoint(r.Data); text != "" {
		notes = append(notes, text+".")
	}
	return notes
}
