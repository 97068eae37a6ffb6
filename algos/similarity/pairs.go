package similarity

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/store"
)

// Work says how many sequences are aligned: on how many threads, where finished parts are kept, whom to tell. The
// zero value keeps nothing and tells nobody.
type Work struct {
	// Store is a folder that keeps finished parts, each of about 2·10⁸ cells, a fraction of a second on one
	// core: a run that was stopped goes on where it was, one that was finished is read. If it is "", nothing is kept.
	Store   string
	Threads int // at a time; if 0, runtime.GOMAXPROCS(0)
	// Progress is called after every part, one call at a time.
	Progress func(Progress)
}

// Progress says how far a run is, in cells: a pair of sequences has |x||y| of them.
type Progress struct {
	Done, Total int64
	Stored      int64 // of Done, how many the Store had
	Elapsed     time.Duration
	Left        time.Duration // of the time left, a guess: by the cells computed so far; 0 at first
}

// partCells is the least number of cells of a part. Tests change it.
var partCells int64 = 2e8

// Pairs returns the scores of all n(n+1)/2 pairs of x, itself included. Sequences of length 200 take about
// 4·10⁴/10⁹ s a pair and core where the alignment is local. Where ctx ends first, its error is in that of Pairs, and
// what was finished is in the Store.
func (a Alignment) Pairs(ctx context.Context, x kernel.Sequences, w Work) (*mat.SymDense, error) {
	out, err := a.all(ctx, x, nil, w)
	if err != nil {
		return nil, err
	}
	n := len(x)
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			s.SetSym(i, j, float64(out[i*n+j]))
		}
	}
	if a.Normalize {
		own := make([]int, n)
		for i := range own {
			own[i] = int(out[i*n+i])
		}
		for i := range n {
			for j := i; j < n; j++ {
				s.SetSym(i, j, normal(s.At(i, j), own[i], own[j]))
			}
		}
	}
	return s, nil
}

// Cross returns the scores of new sequences z (rows) with x, len(z)×len(x): what Kernel.Cross takes.
func (a Alignment) Cross(ctx context.Context, z, x kernel.Sequences, w Work) (*mat.Dense, error) {
	if len(z) == 0 {
		return nil, fmt.Errorf("similarity: no new sequences")
	}
	out, err := a.all(ctx, x, z, w)
	if err != nil {
		return nil, err
	}
	s := mat.NewDense(len(z), len(x), nil)
	for i := range z {
		for j := range x {
			s.Set(i, j, float64(out[i*len(x)+j]))
		}
	}
	if a.Normalize {
		b := a.scorer()
		own := func(texts []string) []int {
			v := make([]int, len(texts))
			for i, t := range texts {
				c, _ := b.encode(t) // all has judged it
				v[i] = b.plain(c, c)
			}
			return v
		}
		zz, xx := own(z), own(x)
		for i := range z {
			for j := range x {
				s.Set(i, j, normal(s.At(i, j), zz[i], xx[j]))
			}
		}
	}
	return s, nil
}

// part are the rows first to last−1 of the scores, in the order of lengths.
type part struct {
	first, last int
	cells       int64
}

// run is one run of all.
type run struct {
	*scorer
	x, z     [][]byte // in the order of their lengths; z is x where all pairs of x are asked for
	same     bool
	ox, oz   []int // their places
	out      []int32
	store    *store.Store
	key      func(p part) string // nil without a store
	parts    []part
	mu       sync.Mutex // of what follows
	next     int
	err      error
	progress Progress
	begin    time.Time
	told     func(Progress)
}

// all returns the scores of z with x, len(z)×len(x) row-major; with z nil those of all pairs of x, both triangles.
func (a Alignment) all(ctx context.Context, x, z kernel.Sequences, w Work) ([]int32, error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	if len(x) == 0 {
		return nil, fmt.Errorf("similarity: no sequences, want at least one")
	}
	if w.Threads < 0 {
		return nil, fmt.Errorf("similarity: %d threads, want 1 or more, or 0 for as many as processors", w.Threads)
	}
	r := &run{scorer: a.scorer(), same: z == nil, told: w.Progress, begin: time.Now()}
	var err error
	if r.x, r.ox, err = r.sorted(x, "sequence"); err != nil {
		return nil, err
	}
	if r.z, r.oz = r.x, r.ox; !r.same {
		if r.z, r.oz, err = r.sorted(z, "new sequence"); err != nil {
			return nil, err
		}
	}
	r.out = make([]int32, len(r.z)*len(r.x))
	r.divide()
	if w.Store != "" {
		if r.store, err = store.Open(w.Store); err != nil {
			return nil, fmt.Errorf("similarity: %w", err)
		}
		t := r.Table
		whole, err := store.Key("alignments", t.Letters, t.Scores, r.Open, r.Extend, fmt.Sprint(r.Global), []string(x), []string(z))
		if err != nil {
			return nil, fmt.Errorf("similarity: %w", err)
		}
		r.key = func(p part) string { return fmt.Sprintf("align-%s-%d-%d", whole, p.first, p.last) }
	}
	threads := w.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	var wait sync.WaitGroup
	for range min(threads, len(r.parts)) {
		wait.Go(func() { r.work(ctx) })
	}
	wait.Wait()
	if r.err != nil {
		return nil, r.err
	}
	if err := ctx.Err(); err != nil && r.progress.Done < r.progress.Total {
		return nil, fmt.Errorf("similarity: stopped after %.0f of %.0f million cells: %w", float64(r.progress.Done)/1e6, float64(r.progress.Total)/1e6, err)
	}
	return r.out, nil
}

// sorted are the codes of texts by length, and the places that they had.
func (r *run) sorted(texts kernel.Sequences, what string) (codes [][]byte, order []int, err error) {
	order = make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(texts[a]), len(texts[b])) })
	codes = make([][]byte, len(texts))
	for k, i := range order {
		if codes[k], err = r.encode(texts[i]); err != nil {
			return nil, nil, fmt.Errorf("similarity: %s %d: %w", what, i+1, err)
		}
	}
	return codes, order, nil
}

// from is the first column that row i is computed of.
func (r *run) from(i int) int {
	if r.same {
		return i
	}
	return 0
}

// divide makes parts of whole rows.
func (r *run) divide() {
	after := make([]int64, len(r.x)+1) // letters of x from a place on
	for j := len(r.x) - 1; j >= 0; j-- {
		after[j] = after[j+1] + int64(len(r.x[j]))
	}
	p := part{}
	for i, z := range r.z {
		p.cells += int64(len(z)) * after[r.from(i)]
		if p.last = i + 1; p.cells >= partCells || p.last == len(r.z) {
			r.parts = append(r.parts, p)
			r.progress.Total += p.cells
			p = part{first: p.last}
		}
	}
}

// work takes parts until there is none left.
func (r *run) work(ctx context.Context) {
	l := &lanes{scorer: r.scorer}
	for {
		r.mu.Lock()
		if r.err != nil || r.next == len(r.parts) || ctx.Err() != nil {
			r.mu.Unlock()
			return
		}
		p := r.parts[r.next]
		r.next++
		r.mu.Unlock()
		stored, done, err := r.part(ctx, l, p)
		r.mu.Lock()
		if err != nil {
			r.err = err
		} else if done {
			g := &r.progress
			if g.Done += p.cells; stored {
				g.Stored += p.cells
			}
			g.Elapsed = time.Since(r.begin)
			if fresh := g.Done - g.Stored; fresh > 0 {
				g.Left = time.Duration(float64(g.Elapsed) / float64(fresh) * float64(g.Total-g.Done))
			}
			if r.told != nil {
				r.told(*g)
			}
		}
		r.mu.Unlock()
	}
}

// part computes a part, or reads it. Nothing is done where ctx ends within.
func (r *run) part(ctx context.Context, l *lanes, p part) (stored, done bool, err error) {
	var scores []int32 // row after row
	want := 0
	for i := p.first; i < p.last; i++ {
		want += len(r.x) - r.from(i)
	}
	key := ""
	if r.key != nil {
		key = r.key(p)
	}
	if stored = r.store.Get(key, &scores) && len(scores) == want; !stored {
		scores = make([]int32, want)
		at := 0
		for i := p.first; i < p.last; i++ {
			if ctx.Err() != nil {
				return false, false, nil
			}
			ys := r.x[r.from(i):]
			l.scores(scores[at:at+len(ys)], r.z[i], ys)
			at += len(ys)
		}
		if r.store != nil {
			if err := r.store.Put(key, scores); err != nil {
				return false, false, fmt.Errorf("similarity: %w", err)
			}
		}
	}
	at, n := 0, len(r.x)
	for i := p.first; i < p.last; i++ {
		for j := r.from(i); j < n; j++ {
			a, b := r.oz[i], r.ox[j]
			r.out[a*n+b] = scores[at]
			if r.same {
				r.out[b*n+a] = scores[at]
			}
			at++
		}
	}
	return stored, true, nil
}
