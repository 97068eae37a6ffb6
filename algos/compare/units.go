package compare

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Unit is a part of a study that runs independently: the number of a split, from 0, which runs with all methods, or
// Choice. It can run in any process, on any machine that has the study, its data and a store. The store keeps each
// result in a file whose name is a hash of everything that the result depends on. So a unit that runs twice reads its
// stored results, and stores are merged by copying their files.
type Unit int

// Choice is a unit of studies that choose hyperparameters once (Selection.Once): it computes the cross-validation
// errors on all folds. Every split needs them. A split computes those that it does not find in the store.
const Choice Unit = -1

// String returns "choice", or "split 1" for Unit 0.
func (u Unit) String() string {
	if u == Choice {
		return "choice"
	}
	return fmt.Sprintf("split %d", int(u)+1)
}

// Units returns all units of s: Choice, if Selection.Once is set, then the splits.
func (s *Study) Units() []Unit {
	var units []Unit
	if s.Selection.Once {
		units = append(units, Choice)
	}
	for i := range s.Splits {
		units = append(units, Unit(i))
	}
	return units
}

// Shard returns part i of n of the units, counted from 0: units i, i+n, i+2n, …
func Shard(units []Unit, i, n int) ([]Unit, error) {
	if n < 1 {
		return nil, fmt.Errorf("compare: %d shards; use at least 1", n)
	}
	if i < 0 || i >= n {
		return nil, fmt.Errorf("compare: shard %d of %d; shard numbers are 0 … %d", i, n, n-1)
	}
	var part []Unit
	for ; i < len(units); i += n {
		part = append(part, units[i])
	}
	return part, nil
}

// Run runs all methods on all splits of s and returns the table. If ctx ends early, this is not an error: the table
// then has the results that are finished, and Stopped is set. progress may be nil.
func (s *Study) Run(ctx context.Context, progress func(Progress)) (*Table, error) {
	if s == nil {
		return nil, errors.New("compare: no data")
	}
	return s.RunUnits(ctx, s.Units(), progress)
}

// RunUnits is like Run, but runs only the given units. The table has the results of their splits; Stopped is set if s
// has other splits. If shards have stored all results in one folder, or in folders whose files were copied together,
// Run computes nothing, and its table equals the table of a study that was never divided, except for the times in
// seconds.
func (s *Study) RunUnits(ctx context.Context, units []Unit, progress func(Progress)) (*Table, error) {
	r, err := s.runSession(ctx, units, false, progress)
	if err != nil {
		return nil, err
	}
	t := r.currentTable()
	t.Seconds = time.Since(r.startTime).Seconds()
	return t, nil
}

// StoredTable returns the table of the results in the store of s, and the units with at least one missing result. It
// computes nothing.
func (s *Study) StoredTable(ctx context.Context) (t *Table, left []Unit, err error) {
	if s == nil {
		return nil, nil, errors.New("compare: no data")
	}
	r, err := s.runSession(ctx, s.Units(), true, nil)
	if err != nil {
		return nil, nil, err
	}
	return r.currentTable(), r.incompleteUnits(s.Units()), ctx.Err()
}

// Pending returns the units that lack at least one result in the store of s. It computes nothing.
func (s *Study) Pending(ctx context.Context, units []Unit) ([]Unit, error) {
	r, err := s.runSession(ctx, units, true, nil)
	if err != nil {
		return nil, err
	}
	return r.incompleteUnits(units), ctx.Err()
}

// errAbsent is the error of a task in a readOnly session if its result is not in the store.
var errAbsent = errors.New("compare: not in the store")

// incompleteUnits returns the units with at least one missing result. units are the units of the run.
func (r *Session) incompleteUnits(units []Unit) (left []Unit) {
	for i, u := range units {
		if r.incomplete[i] {
			left = append(left, u)
		}
	}
	return left
}

// runSession runs units of s and returns the session with their results. If readOnly is set, it only reads their
// results from the store.
func (s *Study) runSession(ctx context.Context, units []Unit, readOnly bool, progress func(Progress)) (*Session,
	error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	r, err := s.openSession(true, progress)
	if err != nil {
		return nil, err
	}
	for _, u := range units {
		if u != Choice && (u < 0 || int(u) >= len(s.Splits)) || u == Choice && !s.Selection.Once {
			return nil, fmt.Errorf("compare: no %v; the study has %d splits, and a choice only with Selection.Once", u,
				len(s.Splits))
		}
	}
	if err := r.store.writeFailure(); readOnly && err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	r.readOnly = readOnly
	return r, r.runUnits(ctx, units)
}
