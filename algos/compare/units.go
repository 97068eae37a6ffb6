package compare

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Unit is a part of a study that runs on its own: a split with all methods, by its number from 0, or Choice. It can run
// in any process, on any machine that has the study, its data and a store. The store holds its results under keys of
// everything that they depend on. So a unit that runs twice reads its stored results, and stores are merged by copying
// their files.
type Unit int

// Choice is the unit of a study that chooses its hyperparameters once (Selection.Once): it computes the errors of the
// folds. Every split needs it. A split that does not find all of these errors in the store computes the missing ones.
const Choice Unit = -1

// String returns "choice", or "split 1" for Unit 0.
func (u Unit) String() string {
	if u == Choice {
		return "choice"
	}
	return fmt.Sprintf("split %d", int(u)+1)
}

// Units returns all units of s. Choice comes first, if s has that unit.
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

// Run returns the table of s. The end of ctx is not an error: the table then has the results that were finished and is
// marked as stopped. progress may be nil.
func (s *Study) Run(ctx context.Context, progress func(Progress)) (*Table, error) {
	if s == nil {
		return nil, errors.New("compare: no data")
	}
	return s.RunUnits(ctx, s.Units(), progress)
}

// RunUnits is like Run for some of the units. The table has their splits, and is marked as stopped if s has other
// splits. If shards have put all results into one store, or into stores that were copied together, Run computes
// nothing. Its table then equals the table of a study that was never divided, except for the seconds.
func (s *Study) RunUnits(ctx context.Context, units []Unit, progress func(Progress)) (*Table, error) {
	r, err := s.run(ctx, units, false, progress)
	if err != nil {
		return nil, err
	}
	t := r.table()
	t.Seconds = time.Since(r.began).Seconds()
	return t, nil
}

// StoredTable returns the table of the results in the store of s, and the units with at least one missing result. It
// computes nothing.
func (s *Study) StoredTable(ctx context.Context) (t *Table, left []Unit, err error) {
	if s == nil {
		return nil, nil, errors.New("compare: no data")
	}
	r, err := s.run(ctx, s.Units(), true, nil)
	if err != nil {
		return nil, nil, err
	}
	return r.table(), r.left(s.Units()), ctx.Err()
}

// Pending returns the units with at least one result missing in the store of s. It computes nothing.
func (s *Study) Pending(ctx context.Context, units []Unit) ([]Unit, error) {
	r, err := s.run(ctx, units, true, nil)
	if err != nil {
		return nil, err
	}
	return r.left(units), ctx.Err()
}

// errAbsent is the error of a run that only reads, for a task whose result is not in the store.
var errAbsent = errors.New("compare: not in the store")

// left returns the units of the run with at least one missing result.
func (r *Session) left(units []Unit) (left []Unit) {
	for i, u := range units {
		if r.absent[i] {
			left = append(left, u)
		}
	}
	return left
}

// run runs units of s. If reads is set, it only reads their results from the store.
func (s *Study) run(ctx context.Context, units []Unit, reads bool, progress func(Progress)) (*Session, error) {
	if err := checkContext(ctx); err != nil {
		return nil, err
	}
	r, err := s.start(true, progress)
	if err != nil {
		return nil, err
	}
	for _, u := range units {
		if u != Choice && (u < 0 || int(u) >= len(s.Splits)) || u == Choice && !s.Selection.Once {
			return nil, fmt.Errorf("compare: no %v: there are %d splits, and a choice where it is made once", u,
				len(s.Splits))
		}
	}
	if err := r.kept.lost(); reads && err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	r.reads = reads
	return r, r.work(ctx, units)
}
