package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/internal/argument"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
)

// runSplits runs all splits and returns the error of the first one, in their order, that fails. Splits start in order,
// a few at a time. After one has failed, no other split starts. If ctx ends, the error is nil, and the results of the
// finished tasks remain. If the session is read-only (isReadOnly), isSplitIncomplete marks the splits without a stored
// result.
func (r *Session) runSplits(ctx context.Context) error {
	r.results = make([][]*Run, len(r.Workspace.Methods))
	for m := range r.results {
		r.results[m] = make([]*Run, len(r.Splits))
	}
	r.isSplitIncomplete = make([]bool, len(r.Splits))
	for i := range r.Splits { // find an invalid split before any work, and count the tasks
		if _, err := r.prepareChoicesForSplit(i); err != nil {
			return err
		}
		for m := range r.Methods {
			if !r.isBest(m) {
				r.progress.Total++
			}
		}
	}
	r.taskTotalIsFinal = true
	var wg sync.WaitGroup
	var failed atomic.Bool
	errs := make([]error, len(r.Splits))
	// These are enough concurrent splits to keep all workers busy.
	splitSlots := make(chan struct{}, min(cap(r.workerSlots), 2+cap(r.workerSlots)/4))
	for i := range r.Splits {
		if splitSlots <- struct{}{}; failed.Load() || ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			choices, err := r.prepareChoicesForSplit(i) // prepared again: those of all splits need too much memory
			if err == nil {
				err = r.runSplit(ctx, i, choices)
			}
			r.store.forget(r.Splits[i])
			switch {
			case errors.Is(err, errAbsent):
				r.isSplitIncomplete[i] = true
			case err != nil:
				errs[i] = err
				failed.Store(true)
			}
			<-splitSlots
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return cmp.Or(errs...)
}

// prepareChoicesForSplit returns the choices of every method for a split: on its training part or, if they are made
// once (Selection.OnAllData), on all points, the same choices for all splits.
func (r *Session) prepareChoicesForSplit(splitIndex int) (choices []*fit.Choice, err error) {
	if !r.Selection.OnAllData {
		split := r.Splits[splitIndex]
		return r.Workspace.PrepareChoices(split.Train, split.Seed(r.Seed), fmt.Sprintf("split %d, ",
			r.splitNumber(splitIndex)))
	}
	if r.sharedChoices == nil {
		r.sharedChoices, err = r.Workspace.PrepareChoices(points.AllIndices(len(r.Data.Y)), r.Seed, "")
	}
	return r.sharedChoices, err
}

// runSplit chooses the hyperparameters of every method on one split, and fits and scores the method there.
func (r *Session) runSplit(ctx context.Context, splitIndex int, choices []*fit.Choice) error {
	err := fit.ForEach(choices, func(c *fit.Choice) error {
		if err := c.Choose(ctx); err != nil || c.MethodIndex() >= len(r.Methods) || r.isBest(c.MethodIndex()) {
			return err
		}
		return r.fitSplit(ctx, splitIndex, c)
	})
	if err != nil {
		return err
	}
	for i := range r.Methods {
		if winner := choices[i].BestAlternative(); r.isBest(i) {
			if winner.MethodIndex() >= len(r.Methods) { // the winner is no method of the study
				if err := r.fitSplit(ctx, splitIndex, winner); err != nil {
					return err
				}
			}
			winnerRun := *r.results[winner.MethodIndex()][splitIndex]
			winnerRun.Label = strings.TrimSpace(winner.Method().Name + " " + winnerRun.Label)
			r.storeRun(i, splitIndex, &winnerRun)
		}
	}
	return nil
}

// fitSplit fits a method to the training part of one split with the chosen hyperparameters, and scores it on the test
// part.
func (r *Session) fitSplit(ctx context.Context, splitIndex int, c *fit.Choice) error {
	split, run := r.Splits[splitIndex], &Run{}
	seed := split.Seed(r.Seed)
	task, candidate := c.SplitTask(split, seed), c.Candidate()
	task.Name = fmt.Sprintf("%s: split %d of %d", c.Method().Name, splitIndex+1, len(r.Splits))
	task.Result, task.Compute = run, func() error {
		fitStart := time.Now()
		f, err := c.FitRows(ctx, split.Train, seed)
		if err == nil {
			run.Score, err = f.Score(split.Test)
		}
		if err != nil {
			return fmt.Errorf("compare: split %d: %w", r.splitNumber(splitIndex), err)
		}
		run.Hyperparameter, run.Value = candidate.Hyperparameter, candidate.Value
		run.Seconds = time.Since(fitStart).Seconds()
		if f.Result == nil { // no weights were learned
			run.Status = mkl.EvaluatedOnly
			return nil
		}
		run.Theta, run.Status = slices.Clone(f.Result.Theta), f.Result.Status
		switch {
		case candidate.Rule != nil:
		case f.Result.Kind == mkl.Global:
			run.Gap = math.Max(f.Result.RelativeGap(), 0)
		case f.Result.Residual > 0:
			run.Gap = f.Result.Residual / math.Abs(f.Result.Upper)
		}
		return nil
	}
	isStored, err := r.runTask(task)
	if err != nil {
		return err
	}
	// The key of a result does not depend on names of views, so the label is not stored.
	run.Split, run.AtPathEnd, run.Label = splitIndex, c.IsValueAtPathEnd(), candidate.Label
	r.storeRun(c.MethodIndex(), splitIndex, run)
	r.FinishTask(task.Name, isStored)
	return nil
}

// Run runs all methods on all splits of s and returns the table. If ctx ends early, this is not an error: the table
// then has the results that are finished, and Stopped is set. progress may be nil.
func (s *Study) Run(ctx context.Context, progress func(Progress)) (*Table, error) {
	r, err := s.runSession(ctx, false, progress)
	if err != nil {
		return nil, err
	}
	t := r.currentTable()
	t.TotalSeconds = time.Since(r.startTime).Seconds()
	return t, nil
}

// StoredTable returns the table of the stored results of s, and the splits that lack a result. It computes nothing.
func (s *Study) StoredTable(ctx context.Context) (t *Table, unfinishedSplits []int, err error) {
	r, err := s.runSession(ctx, true, nil)
	if err != nil {
		return nil, nil, err
	}
	for i, isIncomplete := range r.isSplitIncomplete {
		if isIncomplete {
			unfinishedSplits = append(unfinishedSplits, i)
		}
	}
	return r.currentTable(), unfinishedSplits, ctx.Err()
}

// runSession returns a session with the results of all splits; if readOnly is set, only those that are in the store.
func (s *Study) runSession(ctx context.Context, readOnly bool, progress func(Progress)) (*Session, error) {
	if err := argument.CheckContext(ctx, "compare"); err != nil {
		return nil, err
	}
	r, err := s.openSession(true, progress)
	if err != nil {
		return nil, err
	}
	if err := r.store.getWriteError(); readOnly && err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	r.isReadOnly = readOnly
	return r, r.runSplits(ctx)
}
