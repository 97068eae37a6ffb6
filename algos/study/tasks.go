package study

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// task is a part of a study that is computed, and kept, by itself.
type task struct {
	name string
	do   func(ctx context.Context) (stored bool, err error)
	// needs are numbers of earlier tasks; they have ended before do is called.
	needs []int
	done  chan struct{}
	ok    bool
}

// run is one Run.
type run struct {
	*Study
	y       []float64 // targets of Data, of several the first
	all     []float64 // of all of them, column after column
	group   []string  // of its points; nil where they have none
	always  bool      // cross-validate where there is nothing to choose, too
	grids   []*grid
	kept    *tasks
	tasks   []*task
	results [][]*Run // by method and split; nil if not finished
	finals  [][]int  // by split and method: numbers of the tasks
}

// plan lists the tasks, needed ones before those that need them.
func (r *run) plan() error {
	r.results = make([][]*Run, len(r.Methods))
	for i := range r.results {
		r.results[i] = make([]*Run, len(r.Splits))
	}
	var chosen []*choice
	var err error
	if r.Selection.Once {
		if chosen, err = r.planChoices(upTo(len(r.y)), r.Seed, ""); err != nil {
			return err
		}
	}
	for s := range r.Splits {
		split := r.Splits[s].hash()
		if !r.Selection.Once {
			if chosen, err = r.planChoices(split.Train, split.seed(r.Seed), fmt.Sprintf("split %d, ", s+1)); err != nil {
				return err
			}
		}
		r.finals = append(r.finals, make([]int, len(r.Methods)))
		for m := range r.Methods {
			r.planFinal(m, s, split, chosen[m])
		}
	}
	return nil
}

// planChoices plans the choice of every method's constants on the given points.
func (r *run) planChoices(rows []int, seed uint64, where string) ([]*choice, error) {
	y := make([]float64, len(rows))
	for i, row := range rows {
		y[i] = r.y[row]
	}
	var group []string
	if r.group != nil {
		group = make([]string, len(rows))
		for i, row := range rows {
			group[i] = r.group[row]
		}
	}
	chosen := make([]*choice, len(r.Methods))
	var sample []int // of y
	if n := r.Selection.Points; n > 0 && n < len(rows) {
		var err error
		if sample, err = draw(y, n, seed); err == nil && group != nil {
			sample = drawWithin(y, group, n, seed)
		}
		if err != nil {
			return nil, fmt.Errorf("study: selection %son %d of %d points: %w", where, n, len(rows), err)
		}
		rows, y, group = at(rows, sample), at(y, sample), at(group, sample)
	}
	made := map[Selection][]hashed{} // folds, which methods that choose alike share
	for i := range r.Methods {
		m := &r.Methods[i]
		c := &choice{r: r, method: i, grid: r.grids[i], value: r.grids[i].path.values()[0]}
		chosen[i] = c
		for _, name := range m.Among {
			a := chosen[r.index(name)]
			c.among, c.tasks = append(c.among, a), append(c.tasks, a.tasks...)
		}
		if c.among != nil {
			continue
		}
		if c.grid.path.Beside != "" {
			c.near = chosen[r.index(c.grid.path.Beside)]
		}
		if c.grid.size() == 1 && !r.always && !r.compared(m.Name) {
			continue
		}
		how := m.selection(r.Selection)
		if made[how] == nil {
			folds, err := how.splits(y, group, seed)
			if err != nil {
				return nil, fmt.Errorf("study: selection %sof %d points: %w", where, len(rows), err)
			}
			for _, f := range folds {
				made[how] = append(made[how], Split{Train: at(rows, f.Train), Test: at(rows, f.Test)}.hash())
			}
		}
		c.folds = made[how]
		c.cells = make([][]Cell, len(c.folds))
		for k, f := range c.folds {
			t := &task{name: fmt.Sprintf("%s: %sfold %d of %d", m.Name, where, k+1, len(c.folds))}
			if c.near != nil {
				t.needs = c.near.tasks
			}
			t.do = func(ctx context.Context) (stored bool, err error) {
				values, err := c.start(ctx)
				if err == nil {
					c.cells[k], stored, err = r.tryFold(ctx, i, f, c.grid.part(c.grid.first...), values)
				}
				return stored, err
			}
			c.tasks = append(c.tasks, r.add(t))
		}
	}
	return chosen, nil
}

// at is those of the rows at some places, nil of none.
func at[T any](rows []T, places []int) []T {
	if rows == nil {
		return nil
	}
	var a []T
	for _, i := range places {
		a = append(a, rows[i])
	}
	return a
}

// draw returns count of the places of targets y, ascending, by class.
func draw(y []float64, count int, seed uint64) ([]int, error) {
	s, err := Holdout(y, float64(count)/float64(len(y)), 1, seed)
	if err != nil {
		return nil, err
	}
	return s[0].Test, nil
}

// drawWhole returns about count of the places of targets y, ascending, by class; of several groups whole
// ones, at least one of them, and all but one at most: what is held out for a test is of groups unseen.
func drawWhole(y []float64, group []string, count int, seed uint64) ([]int, error) {
	n := distinct(group)
	if n < 2 {
		return draw(y, count, seed)
	}
	share := float64(count) / float64(len(y))
	share = min(max(share, 1/float64(n)), float64(n-1)/float64(n))
	s, err := Holdout(y, share, 1, seed, ByGroup(group))
	if err != nil {
		return nil, err
	}
	return s[0].Test, nil
}

// distinct is the number of different groups.
func distinct(group []string) int {
	seen := make(map[string]bool)
	for _, g := range group {
		seen[g] = true
	}
	return len(seen)
}

// drawWithin returns count of the places of targets y, ascending: at random one of each group and of each
// label, while there is room and labels are fewer than mostLabels, and of the rest, ordered by group and
// label, a systematic sample, so that each has its share, rounded up or down.
func drawWithin(y []float64, group []string, count int, seed uint64) []int {
	rng := rand.New(rand.NewPCG(seed, 1<<33))
	label := slices.Compact(slices.Sorted(slices.Values(y)))
	classes := len(label) < mostLabels
	groups, labels := make(map[string]bool), make(map[float64]bool)
	var sample, rest []int
	for _, i := range rng.Perm(len(y)) {
		if len(sample) < count && (!groups[group[i]] || classes && !labels[y[i]]) {
			sample = append(sample, i)
			groups[group[i]], labels[y[i]] = true, true
		} else {
			rest = append(rest, i)
		}
	}
	slices.SortStableFunc(rest, func(a, b int) int {
		if c := strings.Compare(group[a], group[b]); c != 0 || !classes {
			return c
		}
		return cmp.Compare(y[a], y[b])
	})
	if more := count - len(sample); more > 0 {
		u := rng.IntN(len(rest))
		for k := range more {
			sample = append(sample, rest[(u+k*len(rest))/more])
		}
	}
	slices.Sort(sample)
	return sample
}

// compared says whether a later method is the best among others, of which this is one.
func (r *run) compared(name string) bool {
	return slices.ContainsFunc(r.Methods, func(m Method) bool { return slices.Contains(m.Among, name) })
}

// workers is how many tasks run at a time.
func (r *run) workers() int {
	if r.Workers > 0 {
		return r.Workers
	}
	return runtime.GOMAXPROCS(0)
}

func (r *run) add(t *task) int {
	t.done = make(chan struct{})
	r.tasks = append(r.tasks, t)
	return len(r.tasks) - 1
}

// tryFold computes the errors of method i's grid at some values of its path on one fold.
func (r *run) tryFold(ctx context.Context, i int, f hashed, b *grid, values []float64) (cells []Cell, stored bool, err error) {
	m := &r.Methods[i]
	stored, err = r.kept.kept("fold", i, b, values, f, &cells, func() error {
		w := r.on(b, f.Split)
		if cells, err = w.tried(ctx, m, b, values); err != nil {
			return fmt.Errorf("study: method %q: %w", m.Name, err)
		}
		return nil
	})
	return cells, stored, err
}

// planFinal plans the fit of method i on the training part of split s with the constants chosen, and its score.
func (r *run) planFinal(i, s int, split hashed, c *choice) {
	m := &r.Methods[i]
	t := &task{name: fmt.Sprintf("%s: split %d of %d", m.Name, s+1, len(r.Splits)), needs: slices.Clone(c.tasks)}
	for _, a := range c.among {
		t.needs = append(t.needs, r.finals[s][a.method])
	}
	t.do = func(ctx context.Context) (bool, error) {
		if err := c.settle(ctx); err != nil {
			return false, err
		}
		if c.among != nil {
			won := *r.results[c.among[c.won].method][s]
			won.Label = strings.TrimSpace(m.Among[c.won] + " " + won.Label)
			r.results[i][s] = &won
			return true, nil
		}
		b := c.chosen()
		res := &Run{}
		seed := split.seed(r.Seed)
		var draws []any
		if r.Landmarks > 0 { // they and the points held out are drawn
			draws = []any{fmt.Sprint(seed), r.group}
		}
		if b.starts != nil {
			draws = append(draws, b.starts)
		}
		stored, err := r.kept.kept("split", i, b, []float64{c.value}, split, res, func() error {
			t0 := time.Now()
			w, err := r.fold(b, split.Split, seed)
			if err == nil {
				err = w.final(ctx, m, b, c.value, res)
			}
			if err != nil {
				return fmt.Errorf("study: method %q on split %d: %w", m.Name, s+1, err)
			}
			res.Seconds = time.Since(t0).Seconds()
			return nil
		}, draws...)
		if err != nil {
			return false, err
		}
		res.Split, res.Edge = s, c.edge
		r.results[i][s] = res
		return stored, nil
	}
	r.finals[s][i] = r.add(t)
}

// work runs the tasks in order on so many workers. A task that fails ends those after it; those before
// it are finished, so that the error returned, of the first that failed, is always the same.
func (r *run) work(ctx context.Context, progress func(Progress)) error {
	var (
		mu     sync.Mutex
		wg     sync.WaitGroup
		next   int
		t0     = time.Now()
		p      = Progress{Total: len(r.tasks)}
		failed = len(r.tasks)
		reason error
	)
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if next >= failed || ctx.Err() != nil {
			return -1
		}
		next++
		return next - 1
	}
	for range min(r.workers(), len(r.tasks)) {
		wg.Go(func() {
			for i := take(); i >= 0; i = take() {
				t := r.tasks[i]
				ready := true
				for _, n := range t.needs { // taken before this one, so under way or ended
					<-r.tasks[n].done
					ready = ready && r.tasks[n].ok
				}
				var stored bool
				var err error
				if ready {
					stored, err = t.do(ctx)
				}
				mu.Lock()
				switch {
				case !ready:
				case err == nil:
					t.ok = true
					p.Done++
					if stored {
						p.Stored++
					}
					p.Task, p.Elapsed, p.Left = t.name, time.Since(t0), 0
					if c := p.Done - p.Stored; c > 0 {
						p.Left = time.Duration(float64(p.Elapsed) / float64(c) * float64(p.Total-p.Done))
					}
					if progress != nil {
						progress(p)
					}
				case ctx.Err() != nil: // stopped
				case i < failed:
					failed, reason = i, err
				}
				mu.Unlock()
				close(t.done)
			}
		})
	}
	wg.Wait()
	return reason
}
