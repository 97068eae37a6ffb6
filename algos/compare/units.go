package compare

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mklnb/mkl/algos/points"
)

// Shard returns part i of n of the splits of s, counted from 0: the splits i, i+n, i+2n, …
func (s *Study) Shard(i, n int) (splits []int, err error) {
	if n < 1 {
		return nil, fmt.Errorf("compare: %d shards; use at least 1", n)
	}
	if i < 0 || i >= n {
		return nil, fmt.Errorf("compare: shard %d of %d; shard numbers are 0 … %d", i, n, n-1)
	}
	for ; i < len(s.Splits); i += n {
		splits = append(splits, i)
	}
	return splits, nil
}

// Run runs all methods on all splits of s and returns the table. If ctx ends early, this is not an error: the table
// then has the results that are finished, and Stopped is set. progress may be nil.
func (s *Study) Run(ctx context.Context, progress func(Progress)) (*Table, error) {
	if s == nil {
		return nil, errors.New("compare: the study is nil")
	}
	return s.RunSplits(ctx, points.AllIndices(len(s.Splits)), progress)
}

// RunSplits is like Run, but runs only the splits with the given indices, from 0. Stopped is set if s has other splits.
// If shards have stored all results in one folder, or in folders whose files were copied together, Run computes
// nothing, and its table equals the table of a study that was never divided, except for the times in seconds.
func (s *Study) RunSplits(ctx context.Context, splits []int, progress func(Progress)) (*Table, error) {
	r, err := s.runSession(ctx, splits, false, progress)
	if err != nil {
		return nil, err
	}
	t := r.currentTable()
	t.Seconds = time.Since(r.startTime).Seconds()
	return t, nil
}

// StoredTable returns the table of the results in the store of s, and the splits with at least one missing result. It
// computes nothing.
func (s *Study) StoredTable(ctx context.Context) (t *Table, left []int, err error) {
	if s == nil {
		return nil, nil, errors.New("compare: the study is nil")
	}
	r, err := s.runSession(ctx, points.AllIndices(len(s.Splits)), true, nil)
	if err != nil {
		return nil, nil, err
	}
	for i, incomplete := range r.isIncomplete {
		if incomplete {
			left = append(left, i)
		}
	}
	return r.currentTable(), left, ctx.Err()
}

// errAbsent is the error of a task in a read-only session if its result is not in the store.
var errAbsent = errors.New("compare: not in the store")

// runSession runs splits of s and returns the session with their results. If readOnly is set, it only reads their
// results from the store.
func (s *Study) runSession(ctx context.Context, splits []int, readOnly bool, progress func(Progress)) (*Session,
	error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	r, err := s.openSession(true, progress)
	if err != nil {
		return nil, err
	}
	for _, i := range splits {
		if i < 0 || i >= len(s.Splits) {
			return nil, fmt.Errorf("compare: there is no split %d; splits are numbered from 0, and the study has %d", i,
				len(s.Splits))
		}
	}
	if err := r.store.writeFailure(); readOnly && err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	r.isReadOnly = readOnly
	return r, r.runSplits(ctx, splits)
}
