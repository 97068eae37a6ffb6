package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// Study is a comparison of methods on the same splits of one dataset. It is plain data; Run leaves
// it as it is.
type Study struct {
	Data      *data.Dataset
	Methods   []Method
	Splits    []Split
	Selection Selection
	// CentreTargets takes the mean of the training targets away before learning and adds it to
	// predictions: the constant term that a squared loss without bias lacks.
	CentreTargets bool
	Baseline      string // the method that others are compared with; if empty, the first
	Seed          uint64 // of the folds
	Workers       int    // tasks at a time; if 0, runtime.GOMAXPROCS(0)
	// Store is a folder that keeps finished tasks; "" keeps nothing. See Task files in store.go.
	Store string
}

// Progress says how far a run is. Callbacks come one at a time.
type Progress struct {
	Done, Total int
	Stored      int    // of Done, how many a Store had
	Task        string // the one just finished
	Elapsed     time.Duration
	Left        time.Duration // of the time left, a guess: by the tasks computed so far; 0 at first
}

// Validate says what is wrong with s, before any work but that of binding the families to the
// points.
func (s *Study) Validate() error {
	_, err := s.bind()
	return err
}

// bind checks s and returns the Grams of each method, the same for the same family.
func (s *Study) bind() ([]kernel.Grams, error) {
	switch {
	case s == nil || s.Data == nil:
		return nil, errors.New("study: no data")
	case len(s.Methods) == 0:
		return nil, errors.New("study: no methods")
	case len(s.Splits) == 0:
		return nil, errors.New("study: no splits; Halves, Holdout and KFold make them")
	case s.Workers < 0:
		return nil, fmt.Errorf("study: %d workers, want 1 or more, or 0 for as many as processors", s.Workers)
	}
	if err := s.Data.Validate(); err != nil {
		return nil, fmt.Errorf("study: %w", err)
	}
	if len(s.Data.Y) == 0 {
		return nil, fmt.Errorf("study: %s has no labels to learn from", s.Data.Name)
	}
	if err := s.Selection.validate(s.Data.Classes != nil); err != nil {
		return nil, err
	}
	for i, p := range s.Splits {
		if err := p.check(i, len(s.Data.Y)); err != nil {
			return nil, err
		}
	}
	all := make([]kernel.Grams, len(s.Methods))
	byKey := map[string]kernel.Grams{}
	for i := range s.Methods {
		m := &s.Methods[i]
		if m.Family == nil {
			return nil, fmt.Errorf("study: method %q has no family", m.Name)
		}
		if m.Name == "" || s.index(m.Name) != i {
			return nil, fmt.Errorf("study: method %d is called %q, want a name of its own", i+1, m.Name)
		}
		if m.Near != "" {
			if j := s.index(m.Near); j < 0 || j >= i {
				return nil, fmt.Errorf("study: method %q takes λ near that of %q, want the name of a method before it", m.Name, m.Near)
			}
		}
		key, err := familyKey(m.Family)
		if err != nil {
			if s.Store != "" {
				return nil, fmt.Errorf("study: method %q cannot be stored: %w", m.Name, err)
			}
			key = fmt.Sprint("method ", i)
		}
		if byKey[key] == nil {
			byKey[key] = m.Family.On(s.Data.X)
		}
		all[i] = byKey[key]
		if err := m.validate(all[i], s.Data.Y); err != nil {
			return nil, err
		}
	}
	if s.Baseline != "" && s.index(s.Baseline) < 0 {
		return nil, fmt.Errorf("study: the baseline %q is not a method", s.Baseline)
	}
	return all, nil
}

func (s *Study) index(name string) int {
	return slices.IndexFunc(s.Methods, func(m Method) bool { return m.Name == name })
}

// Run returns the table of s. The end of ctx is not an error: the table then has what was finished
// and is marked as stopped. progress may be nil.
func (s *Study) Run(ctx context.Context, progress func(Progress)) (*Table, error) {
	t0 := time.Now()
	grams, err := s.bind()
	if err != nil {
		return nil, err
	}
	r := &run{Study: s, y: s.Data.Y, classes: s.Data.Classes != nil, grams: grams}
	if s.Store != "" {
		if r.store, err = openStore(s); err != nil {
			return nil, err
		}
	}
	if err := r.plan(); err != nil {
		return nil, err
	}
	if err := r.work(ctx, s.Workers, progress); err != nil {
		return nil, err
	}
	t := r.table()
	t.Seconds = time.Since(t0).Seconds()
	return t, nil
}

// task is a part of a study that is computed, and kept, by itself.
type task struct {
	name string
	do   func(ctx context.Context) (stored bool, err error)
	// needs are numbers of earlier tasks; they have ended before do is called.
	needs []int
	done  chan struct{}
	ok    bool
}

// choice is a method's cross-validation on some points: all of them, or a training part.
type choice struct {
	tasks  []int    // numbers of its folds' tasks
	folds  [][]Cell // by fold
	cells  []Cell   // of all folds together, once settled
	alts   []alternative
	once   sync.Once
	lambda float64
	alt    int
	edge   bool
	err    error
}

// run is one Run.
type run struct {
	*Study
	y       []float64 // targets of Data
	classes bool      // they are ±1
	always  bool      // cross-validate where there is nothing to choose, too
	grams   []kernel.Grams
	store   *store
	tasks   []*task
	results [][]*Run // by method and split; nil if not finished
}

// plan lists the tasks, needed ones before those that need them.
func (r *run) plan() error {
	r.results = make([][]*Run, len(r.Methods))
	for i := range r.results {
		r.results[i] = make([]*Run, len(r.Splits))
	}
	if r.Selection.Once {
		all := make([]int, len(r.y))
		for i := range all {
			all[i] = i
		}
		chosen, err := r.planChoices(all, r.Seed, "")
		if err != nil {
			return err
		}
		for s := range r.Splits {
			for m := range r.Methods {
				r.planFinal(m, s, chosen[m])
			}
		}
		return nil
	}
	for s, split := range r.Splits {
		chosen, err := r.planChoices(split.Train, r.Seed+uint64(s)+1, fmt.Sprintf("split %d, ", s+1))
		if err != nil {
			return err
		}
		for m := range r.Methods {
			r.planFinal(m, s, chosen[m])
		}
	}
	return nil
}

// planChoices plans the cross-validation of every method on the given points.
func (r *run) planChoices(rows []int, seed uint64, where string) ([]*choice, error) {
	y := make([]float64, len(rows))
	for i, row := range rows {
		y[i] = r.y[row]
	}
	chosen := make([]*choice, len(r.Methods))
	for i := range r.Methods {
		m := &r.Methods[i]
		c := &choice{alts: m.alternatives(r.grams[i])}
		chosen[i] = c
		var center *choice
		if m.Near != "" {
			center = chosen[r.index(m.Near)]
		}
		if len(c.alts) == 1 && len(m.lambdas()) == 1 && !r.always {
			c.lambda = m.lambdas()[0]
			c.once.Do(func() {})
			continue
		}
		folds, err := r.Selection.splits(y, seed)
		if err != nil {
			return nil, fmt.Errorf("study: selection %sof %d points: %w", where, len(rows), err)
		}
		c.folds = make([][]Cell, len(folds))
		for k, f := range folds {
			f = Split{Train: at(rows, f.Train), Test: at(rows, f.Test)}
			t := &task{name: fmt.Sprintf("%s: %sfold %d of %d", m.Name, where, k+1, len(folds))}
			if center != nil {
				t.needs = center.tasks
			}
			t.do = func(ctx context.Context) (stored bool, err error) {
				c.folds[k], stored, err = r.tryFold(ctx, i, f, c, center)
				return stored, err
			}
			c.tasks = append(c.tasks, r.add(t))
		}
	}
	return chosen, nil
}

func at(rows, i []int) []int {
	if len(i) == 0 {
		return nil
	}
	a := make([]int, len(i))
	for k, v := range i {
		a[k] = rows[v]
	}
	return a
}

func (r *run) add(t *task) int {
	t.done = make(chan struct{})
	r.tasks = append(r.tasks, t)
	return len(r.tasks) - 1
}

// grid is what method i tries where center, which may be nil, is the choice of the method it is
// near to.
func (r *run) grid(i int, center *choice) ([]float64, error) {
	m := &r.Methods[i]
	if center == nil {
		return near(m.lambdas(), 0, 0), nil
	}
	if err := r.settle(r.index(m.Near), center); err != nil {
		return nil, err
	}
	l := near(m.lambdas(), center.lambda, m.Within)
	if len(l) == 0 {
		return nil, fmt.Errorf("study: method %q has no λ within %g decades of %.4g, that of %q", m.Name, m.Within, center.lambda, m.Near)
	}
	return l, nil
}

// tryFold computes the errors of method i's grid on one fold.
func (r *run) tryFold(ctx context.Context, i int, f Split, c, center *choice) (cells []Cell, stored bool, err error) {
	m := &r.Methods[i]
	lambdas, err := r.grid(i, center)
	if err != nil {
		return nil, false, err
	}
	key := r.store.key("fold", r.Study, m, c.alts, lambdas, f)
	if r.store.get(key, &cells) && len(cells) == len(lambdas)*len(c.alts) {
		return cells, true, nil
	}
	w := fold{grams: r.grams[i], y: r.y, split: f, centre: r.CentreTargets, classes: r.classes}
	if cells, err = w.tried(ctx, m, c.alts, lambdas); err != nil {
		return nil, false, fmt.Errorf("study: method %q: %w", m.Name, err)
	}
	return cells, false, r.store.put(key, cells)
}

// settle makes the choice of method i, once its folds have ended.
func (r *run) settle(i int, c *choice) error {
	c.once.Do(func() {
		var sum []Cell
		for _, cells := range c.folds {
			sum = merge(sum, cells)
		}
		b := best(sum, r.Selection.By)
		if b < 0 {
			c.err = fmt.Errorf("study: method %q: K(θ) + λI was not positive definite anywhere on the grid", r.Methods[i].Name)
			return
		}
		n := len(sum) / len(c.alts) // λs
		c.cells = sum
		c.alt, c.lambda = b/n, sum[b].Lambda
		c.edge = n > 1 && (b%n == 0 || b%n == n-1)
	})
	return c.err
}

// planFinal plans the fit of method i on a training part with the constants chosen, and its score.
func (r *run) planFinal(i, s int, c *choice) {
	m := &r.Methods[i]
	t := &task{name: fmt.Sprintf("%s: split %d of %d", m.Name, s+1, len(r.Splits)), needs: c.tasks}
	t.do = func(ctx context.Context) (bool, error) {
		if err := r.settle(i, c); err != nil {
			return false, err
		}
		alts, lambdas := c.alts[c.alt:c.alt+1], []float64{c.lambda}
		key := r.store.key("split", r.Study, m, alts, lambdas, r.Splits[s])
		res := &Run{}
		stored := r.store.get(key, res)
		if !stored {
			t0 := time.Now()
			w := fold{grams: r.grams[i], y: r.y, split: r.Splits[s], centre: r.CentreTargets, classes: r.classes}
			if err := w.final(ctx, m, alts, lambdas, res); err != nil {
				return false, fmt.Errorf("study: method %q on split %d: %w", m.Name, s+1, err)
			}
			res.Lambda, res.Choice, res.Radius = c.lambda, alts[0].Label, alts[0].Radius
			res.Seconds = time.Since(t0).Seconds()
			if err := r.store.put(key, res); err != nil {
				return false, err
			}
		}
		res.Split, res.Edge = s, c.edge
		r.results[i][s] = res
		return stored, nil
	}
	r.add(t)
}

// final fits at the only place of the grid and scores the points tested on.
func (f *fold) final(ctx context.Context, m *Method, alts []alternative, lambdas []float64, res *Run) error {
	p, mean, err := f.problem()
	if err != nil {
		return err
	}
	out, y := make([]float64, len(f.split.Test)), make([]float64, len(f.split.Test))
	for i, r := range f.split.Test {
		y[i] = f.y[r]
	}
	return walk(ctx, p, m.solver(), alts, lambdas, mkl.Settings{Gap: m.gap(), Iterations: m.iterations()}, func(a *answer) error {
		if a.failed() {
			return fmt.Errorf("K(θ) + λI is not positive definite at λ = %g", lambdas[0])
		}
		newPredictor(f.grams.(kernel.Sliced).Block(f.split.Test, f.split.Train), len(out), len(p.Y)).predict(out, a, mean)
		for i, v := range out {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("the prediction for point %d is %g", f.split.Test[i]+1, v)
			}
		}
		res.Score = model.Measure(out, y, f.classes)
		res.Theta = slices.Clone(a.theta)
		res.Status, res.Kind, res.Gap = a.status, a.kind, a.gap
		return nil
	})
}

// work runs the tasks in order on so many workers, each with the linear algebra on its own thread,
// also where there is one worker. A task that fails ends those after it; those
// before it are finished, so that the error returned, of the first that failed, is always the same.
func (r *run) work(ctx context.Context, workers int, progress func(Progress)) error {
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	defer linalg.Single()()
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
	for range min(workers, len(r.tasks)) {
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
