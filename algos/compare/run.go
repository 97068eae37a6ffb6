package compare

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mklnb/mkl/algos/points"
)

// Session is one Run of a study, or a choice of hyperparameters on all its points.
type Session struct {
	*Study
	all    []float64 // targets of Data as they are learned; several targets column after column
	always bool      // cross-validate even if there is nothing to choose
	grids  []*grid   // one for each method
	kept   *tasks
	reads  bool   // computes nothing; a result that is not in the store is errAbsent
	absent []bool // units with a missing result

	once    []*Chosen // the choices of all splits, if hyperparameters are chosen once
	counted bool      // choices no longer add to the progress

	found   sync.Mutex // guards results
	results [][]*Run   // by method and split; nil if not finished

	free chan struct{} // has room for one more task while a worker is free

	mu       sync.Mutex // guards progress
	progress Progress
	report   func(Progress) // may be nil
	began    time.Time
}

// newRun returns a run without results.
func newRun(s *Study, grids []*grid, report func(Progress)) *Session {
	return &Session{Study: s, grids: grids, all: s.Data.TransformedY(), report: report, began: time.Now(),
		free: make(chan struct{}, Workers(s.Workers))}
}

// Workers returns the number of tasks that run at a time.
func Workers(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// start returns a run of s with its store.
func (s *Study) start(splits bool, report func(Progress)) (*Session, error) {
	grids, err := s.bind(splits)
	if err != nil {
		return nil, err
	}
	chosen := *s
	if chosen.Selection, err = s.Selection.forLosses(grids, s.Methods); err != nil {
		return nil, err
	}
	r := newRun(&chosen, grids, report)
	if s.Store != "" {
		r.kept, err = openTasks(s, grids)
	}
	return r, err
}

// work runs units and returns the error of the first unit that fails. Units start in order, a few at a time. After one
// has failed, no other unit starts. If ctx ends, the results of the finished tasks remain. A run that only reads skips
// results that its store does not have.
func (r *Session) work(ctx context.Context, units []Unit) error {
	r.results = make([][]*Run, len(r.Methods))
	for m := range r.results {
		r.results[m] = make([]*Run, len(r.Splits))
	}
	r.absent = make([]bool, len(units))
	for _, u := range units { // reports an invalid unit before any work
		if _, err := r.choicesOf(u); err != nil {
			return err
		}
		for _, m := range r.Methods {
			if u != Choice && m.Among == nil {
				r.progress.Total++
			}
		}
	}
	r.counted = true
	var wg sync.WaitGroup
	var failed atomic.Bool
	errs := make([]error, len(units))
	turn := make(chan struct{}, min(cap(r.free), 2+cap(r.free)/4)) // enough to keep the workers busy
	for i, u := range units {
		if turn <- struct{}{}; failed.Load() || ctx.Err() != nil {
			break
		}
		wg.Go(func() {
			chosen, err := r.choicesOf(u) // made again: storing the folds of many splits takes much memory
			if err == nil {
				err = r.unit(ctx, u, chosen)
			}
			switch {
			case errors.Is(err, errAbsent):
				r.absent[i] = true
			case err != nil:
				errs[i] = err
				failed.Store(true)
			}
			<-turn
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return cmp.Or(errs...)
}

// choicesOf returns the choices of every method that a unit needs; the same ones for all units if the choice is made
// once.
func (r *Session) choicesOf(u Unit) (chosen []*Chosen, err error) {
	if u != Choice && !r.Selection.Once {
		split := r.Splits[u]
		return r.choices(split.Train, split.Seed(r.Seed), fmt.Sprintf("split %d, ", u+1))
	}
	if r.once == nil {
		r.once, err = r.choices(points.AllIndices(len(r.Data.Y)), r.Seed, "")
	}
	return r.once, err
}

// unit makes the choice of every method and, if the unit is a split, runs every method on it.
func (r *Session) unit(ctx context.Context, u Unit, chosen []*Chosen) error {
	if u == Choice {
		return r.each(chosen, func(c *Chosen) error { return c.settle(ctx) })
	}
	return r.split(ctx, int(u), chosen)
}

// split runs every method on one split.
func (r *Session) split(ctx context.Context, s int, chosen []*Chosen) error {
	err := r.each(chosen, func(c *Chosen) error {
		if err := c.settle(ctx); err != nil || c.among != nil {
			return err
		}
		return r.final(ctx, s, c)
	})
	if err != nil {
		return err
	}
	for i, c := range chosen {
		if c.among != nil {
			won := *r.results[c.among[c.won].method][s]
			won.Label = strings.TrimSpace(r.Methods[i].Among[c.won] + " " + won.Label)
			r.put(i, s, &won)
		}
	}
	return nil
}

// put sets the result of a method on a split.
func (r *Session) put(method, split int, res *Run) {
	r.found.Lock()
	defer r.found.Unlock()
	r.results[method][split] = res
}

// each calls do for all choices concurrently, and returns the error of the first method that has one.
func (r *Session) each(chosen []*Chosen, do func(*Chosen) error) error {
	var wg sync.WaitGroup
	errs := make([]error, len(chosen))
	for i, c := range chosen {
		wg.Go(func() { errs[i] = do(c) })
	}
	wg.Wait()
	return cmp.Or(errs...)
}

// tryFold computes the errors of a method on one fold, on a part of its grid at some values of its path.
func (r *Session) tryFold(ctx context.Context, task string, method int, f Split, b *grid,
	values []float64) (cells []Cell, err error) {
	r.free <- struct{}{}
	defer func() { <-r.free }()
	key, err := r.kept.key("fold", method, b, values, f)
	if err != nil {
		return nil, err
	}
	stored := r.kept.get(key, &cells) && len(cells) == len(b.others)*len(values) // a result of another size was forged
	if !stored && r.reads {
		return nil, errAbsent
	}
	if !stored {
		m := &r.Methods[method]
		if cells, err = r.on(b, f).tried(ctx, m, b, values); err != nil {
			return nil, fmt.Errorf("compare: method %q: %w", m.Name, err)
		}
		if err := r.kept.put(key, cells); err != nil {
			return nil, err
		}
	}
	r.finished(task, stored)
	return cells, nil
}

// final fits a method to the training part of split s with the chosen hyperparameters, and scores it.
func (r *Session) final(ctx context.Context, s int, c *Chosen) error {
	r.free <- struct{}{}
	defer func() { <-r.free }()
	m, b, res := &r.Methods[c.method], c.chosen(), &Run{}
	split := r.Splits[s]
	var seed uint64
	var draws []any
	if r.Landmarks > 0 { // landmarks are drawn
		seed = split.Seed(r.Seed)
		draws = []any{fmt.Sprint(seed)}
	}
	if b.starts != nil {
		draws = append(draws, b.starts)
	}
	if b.shift != nil {
		draws = append(draws, b.shift)
	}
	key, err := r.kept.key("split", c.method, b, []float64{c.value}, split, draws...)
	if err != nil {
		return err
	}
	stored := r.kept.get(key, res)
	if !stored && r.reads {
		return errAbsent
	}
	if !stored {
		began := time.Now()
		f, err := r.fold(b, split, seed)
		if err == nil {
			err = f.final(ctx, m, b, c.value, res)
		}
		if err != nil {
			return fmt.Errorf("compare: method %q on split %d: %w", m.Name, s+1, err)
		}
		res.Seconds = time.Since(began).Seconds()
		if err := r.kept.put(key, res); err != nil {
			return err
		}
	}
	res.Split, res.Edge, res.Label = s, c.edge, b.others[0].Label // the key does not include names of views
	r.put(c.method, s, res)
	r.finished(fmt.Sprintf("%s: split %d of %d", m.Name, s+1, len(r.Splits)), stored)
	return nil
}

// finished counts and reports a task, if it has a name.
func (r *Session) finished(task string, stored bool) {
	if task == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	p := &r.progress
	p.Done++
	if stored {
		p.Stored++
	}
	p.Task, p.Elapsed, p.Left, p.NotKept = task, time.Since(r.began), 0, r.kept.lost()
	if computed := p.Done - p.Stored; computed > 0 {
		p.Left = time.Duration(float64(p.Elapsed) / float64(computed) * float64(p.Total-p.Done))
	}
	if r.results != nil { // not for a choice only
		p.Table = r.table
	}
	if r.report != nil {
		r.report(*p)
	}
}
