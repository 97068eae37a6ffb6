package compare

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Unit is a part of a study that is run by itself, in any process and on any machine that has the study, its data and a
// store: a split with all methods, by its number from 0, or Choice. Its results are in the store under keys of what
// they depend on: a unit run twice finds what is there, and stores are merged by copying their files.
type Unit int

// Choice is the unit of a study whose constants are chosen once (Selection.Once): the errors of its folds. Every split
// needs it. One that does not find it in the store makes it, of what is missing there.
const Choice Unit = -1

// String is "choice", or "split 1" of Unit 0.
func (u Unit) String() string {
	if u == Choice {
		return "choice"
	}
	return fmt.Sprintf("split %d", int(u)+1)
}

// Units are all units of s, before anything runs: Choice first, where there is one.
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

// Shard is the part i of n, from 0, of units: i, i+n, i+2n, …
func Shard(units []Unit, i, n int) ([]Unit, error) {
	if n < 1 {
		return nil, fmt.Errorf("compare: %d shards, want 1 or more", n)
	}
	if i < 0 || i >= n {
		return nil, fmt.Errorf("compare: shard %d of %d, want one of 0 … %d", i, n, n-1)
	}
	var part []Unit
	for ; i < len(units); i += n {
		part = append(part, units[i])
	}
	return part, nil
}

// Run returns the table of s. The end of ctx is not an error: the table then has what was finished
// and is marked as stopped. progress may be nil.
func (s *Study) Run(ctx context.Context, progress func(Progress)) (*Table, error) {
	if s == nil {
		return nil, errors.New("compare: no data")
	}
	return s.RunUnits(ctx, s.Units(), progress)
}

// RunUnits is Run of some of the units: the table has their splits, and is marked as stopped where there are others.
// Shards that have put their results into one store, or into stores that were copied together, leave Run nothing to
// compute: its table is that of a study that was never cut, but for seconds.
func (s *Study) RunUnits(ctx context.Context, units []Unit, progress func(Progress)) (*Table, error) {
	r, err := s.run(ctx, units, false, progress)
	if err != nil {
		return nil, err
	}
	t := r.table()
	t.Seconds = time.Since(r.began).Seconds()
	return t, nil
}

// StoredTable returns the table of what the store of s has, and the units of which something is not there. It computes
// nothing.
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

// Pending are those of units of which the store of s has not all. It computes nothing.
func (s *Study) Pending(ctx context.Context, units []Unit) ([]Unit, error) {
	r, err := s.run(ctx, units, true, nil)
	if err != nil {
		return nil, err
	}
	return r.left(units), ctx.Err()
}

// errAbsent is what a run that only reads finds of a task that is not in the store.
var errAbsent = errors.New("compare: not in the store")

// left are those of the units that were run of which something is absent.
func (r *Session) left(units []Unit) (left []Unit) {
	for i, u := range units {
		if r.absent[i] {
			left = append(left, u)
		}
	}
	return left
}

// run runs units of s, or reads what its store has of them.
func (s *Study) run(ctx context.Context, units []Unit, reads bool, progress func(Progress)) (*Session, error) {
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
