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

	"github.com/mklnb/mkl/algos/points"
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
func (a Alignment) Pairs(ctx context.Context, x points.Sequences, w Work) (*mat.SymDense, error) {
	s, err := a.all(ctx, x, nil, w)
	if err != nil {
		return nil, err
	}
	return mat.NewSymDense(len(x), s), nil
}

// Cross returns the scores of new sequences z (rows) with x, len(z)×len(x): what Kernel.Cross takes.
func (a Alignment) Cross(ctx context.Context, z, x points.Sequences, w Work) (*mat.Dense, error) {
	if len(z) == 0 {
		return nil, fmt.Errorf("similarity: no new sequences")
	}
	s, err := a.all(ctx, x, z, w)
	if err != nil {
		return nil, err
	}
	return mat.NewDense(len(z), len(x), s), nil
}

// pairs are the pairs to align: of z (rows) with x (columns), both in the order of their lengths.
type pairs struct {
	*scorer
	x, z         [][]byte
	placeX       []int // of each of x before it was ordered
	placeZ       []int
	same         bool // z is x: column i and those after it are computed of row i
	store        *store.Store
	key          string    // of all parts in the store
	scores       []float64 // len(z)×len(x), in the order given
	parts        []part
	mu           sync.Mutex // of what follows
	next         int        // part
	err          error
	progress     Progress
	began        time.Time
	progressFunc func(Progress)
}

// part are the rows first to last−1 of the scores, in the order of lengths.
type part struct {
	first, last int
	cells       int64
}

// all returns the scores of z with x, len(z)×len(x) row-major; with z nil those of all pairs of x, both triangles.
func (a Alignment) all(ctx context.Context, x, z points.Sequences, w Work) ([]float64, error) {
	if err := a.Validate(); err != nil {
		return nil, err
	}
	if len(x) == 0 {
		return nil, fmt.Errorf("similarity: no sequences, want at least one")
	}
	if w.Threads < 0 {
		return nil, fmt.Errorf("similarity: %d threads, want 1 or more, or 0 for as many as processors", w.Threads)
	}
	r := &pairs{scorer: a.scorer(), same: z == nil, progressFunc: w.Progress, began: time.Now()}
	var err error
	if r.x, r.placeX, err = r.sorted(x, "sequence"); err != nil {
		return nil, err
	}
	if r.z, r.placeZ = r.x, r.placeX; !r.same {
		if r.z, r.placeZ, err = r.sorted(z, "new sequence"); err != nil {
			return nil, err
		}
	}
	r.scores = make([]float64, len(r.z)*len(r.x))
	r.divide()
	if w.Store != "" {
		if r.store, err = store.Open(w.Store); err == nil {
			t := r.Table
			r.key, err = store.Key("alignments", t.Letters, t.Scores, r.Open, r.Extend, fmt.Sprint(r.Global),
				[]string(x), []string(z))
		}
		if err != nil {
			return nil, fmt.Errorf("similarity: %w", err)
		}
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
	if p := r.progress; p.Done < p.Total && ctx.Err() != nil {
		return nil, fmt.Errorf("similarity: stopped after %.0f of %.0f million cells: %w", float64(p.Done)/1e6,
			float64(p.Total)/1e6, ctx.Err())
	}
	if a.Normalize {
		r.normalize()
	}
	return r.scores, nil
}

// sorted are the codes of texts by length, and the places that they had.
func (r *pairs) sorted(texts points.Sequences, what string) (codes [][]byte, place []int, err error) {
	place = make([]int, len(texts))
	for i := range place {
		place[i] = i
	}
	slices.SortStableFunc(place, func(a, b int) int { return cmp.Compare(len(texts[a]), len(texts[b])) })
	codes = make([][]byte, len(texts))
	for k, i := range place {
		if codes[k], err = r.encode(texts[i]); err != nil {
			return nil, nil, fmt.Errorf("similarity: %s %d: %w", what, i+1, err)
		}
	}
	return codes, place, nil
}

// from is the first column that row i is computed of.
func (r *pairs) from(i int) int {
	if r.same {
		return i
	}
	return 0
}

// divide makes parts of whole rows.
func (r *pairs) divide() {
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

// work takes parts until there is none left, one has failed or ctx ends.
func (r *pairs) work(ctx context.Context) {
	l := &lanes{scorer: r.scorer}
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.err == nil && r.next < len(r.parts) && ctx.Err() == nil {
		p := r.parts[r.next]
		r.next++
		r.mu.Unlock()
		stored, err := r.part(ctx, l, p)
		r.mu.Lock()
		if err != nil {
			if ctx.Err() == nil {
				r.err = err
			}
			return
		}
		g := &r.progress
		if g.Done += p.cells; stored {
			g.Stored += p.cells
		}
		g.Elapsed = time.Since(r.began)
		if computed := g.Done - g.Stored; computed > 0 {
			g.Left = time.Duration(float64(g.Elapsed) / float64(computed) * float64(g.Total-g.Done))
		}
		if r.progressFunc != nil {
			r.progressFunc(*g)
		}
	}
}

// part computes a part, or reads it.
func (r *pairs) part(ctx context.Context, l *lanes, p part) (stored bool, err error) {
	var scores []int32 // row after row
	want := 0
	for i := p.first; i < p.last; i++ {
		want += len(r.x) - r.from(i)
	}
	key := fmt.Sprintf("align-%s-%d-%d", r.key, p.first, p.last)
	if stored = r.store.Get(key, &scores) && len(scores) == want; !stored {
		scores = make([]int32, want)
		rest := scores
		for i := p.first; i < p.last; i++ {
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			ys := r.x[r.from(i):]
			l.scores(rest[:len(ys)], r.z[i], ys)
			rest = rest[len(ys):]
		}
		if err := r.store.Put(key, scores); err != nil {
			return false, fmt.Errorf("similarity: %w", err)
		}
	}
	n := len(r.x)
	for i := p.first; i < p.last; i++ {
		for j := r.from(i); j < n; j++ {
			a, b, v := r.placeZ[i], r.placeX[j], float64(scores[0])
			scores = scores[1:]
			r.scores[a*n+b] = v
			if r.same {
				r.scores[b*n+a] = v
			}
		}
	}
	return stored, nil
}

// normalize divides the scores by those of the sequences with themselves, see normal.
func (r *pairs) normalize() {
	own := func(codes [][]byte, place []int) []int {
		v := make([]int, len(codes))
		for k, c := range codes {
			v[place[k]] = r.plain(c, c)
		}
		return v
	}
	x := own(r.x, r.placeX)
	z := x
	if !r.same {
		z = own(r.z, r.placeZ)
	}
	for i := range z {
		for j := range x {
			s := &r.scores[i*len(x)+j]
			*s = normal(*s, z[i], x[j])
		}
	}
}
