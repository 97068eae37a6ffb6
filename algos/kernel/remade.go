package kernel

import (
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// remade makes base matrices on prepared points again and again, some rows at a time: of rows lo … hi−1 the
// columns from the diagonal on, packed.
type remade struct {
	kernels List
	x       Points
	once    sync.Once
	groups  []quantity
	times   []int      // of each kernel, that of its making
	foreign sync.Mutex // a kernel of another package need not be safe for two goroutines
}

// quantity is a matrix t(x_i,x_j), with the kernels that are functions of it.
type quantity struct {
	of       []making
	t        pairwise
	x, moved design // of its columns; less a centre. nil for a single kernel that is no function of t
	norms    []float64
}

func (r *remade) quantities() []quantity {
	r.once.Do(func() {
		done := make([]bool, len(r.kernels))
		r.times = make([]int, len(r.kernels))
		for k, f := range r.kernels {
			if done[k] {
				continue
			}
			q, of := quantity{}, []int{k}
			if g, ok := pairs(f); ok {
				for l := k + 1; l < len(r.kernels); l++ {
					if samePairwise(g, r.kernels[l]) {
						of, done[l] = append(of, l), true
					}
				}
				t, columns := g.pairwise()
				q.t, q.x = t, mustVectors(r.x, columns).design()
				if t == squaredDistance {
					q.moved = q.x.minus(q.x.centre())
					q.norms = q.moved.norms()
				}
			}
			q.of = r.kernels.makings(of)
			for _, m := range q.of {
				r.times[m.k] = m.times
			}
			r.groups = append(r.groups, q)
		}
	})
	return r.groups
}

// fill stores t(x_i,x_j) in dst, (hi−lo)×(to−from), for lo ≤ i < hi and from ≤ j < to, of those with i ≤ j.
func (q *quantity) fill(dst []float64, lo, hi, from, to int, s *scratch) {
	width := to - from
	switch q.t {
	case innerProduct:
		q.x.rows(from, to).cross(dst, width, q.x.rows(lo, hi), nil, s)
	case squaredDistance:
		q.moved.rows(from, to).cross(dst, width, q.moved.rows(lo, hi), nil, s)
		for i := lo; i < hi; i++ {
			j := max(from, i)
			r := dst[(i-lo)*width+j-from : (i-lo+1)*width]
			if j == i {
				r[0], r, j = 0, r[1:], j+1
			}
			toDistances(r, q.norms[i], q.norms[j:to], func(l int) float64 { return q.x.squaredDistance(q.x, i, j+l) })
		}
	case absoluteDistance:
		q.x.rows(from, to).absoluteDistances(dst, width, q.x.rows(lo, hi), s)
	}
}

// rowScratch is what rows works with.
type rowScratch struct {
	scratch
	full, root, packed []float64
}

var rowScratches = sync.Pool{New: func() any { return &rowScratch{scratch: scratch{on: linalg.Bound(1)}} }}

// rows calls visit with rows lo … hi−1 of each kernel that is wanted; a is visit's until it returns.
func (r *remade) rows(lo, hi int, wanted func(k int) bool, s *rowScratch, visit func(k int, a []float64)) {
	n := r.x.Len()
	width, size := n-lo, tri(n, hi)-tri(n, lo)
	full := sized(&s.full, (hi-lo)*width)
	for _, q := range r.quantities() {
		filled, held := false, -1
		values := func(a []float64, k int) { // f(t)
			if !filled {
				r.fill(&q, full, lo, hi, lo, n, s)
				filled = true
			}
			g, _ := pairs(r.kernels[k])
			for i := range hi - lo {
				src, dst := full[i*width+i:(i+1)*width], bandRow(a, n, lo, lo+i)
				if g != nil {
					g.apply(dst, src)
				} else {
					copy(dst, src)
				}
			}
		}
		for i, m := range q.of {
			if !wanted(m.k) {
				continue
			}
			a := sized(&s.packed, size)
			if alone := i+1 == len(q.of) || q.of[i+1].root != m.root; len(m.path) == 0 && alone {
				values(a, m.k)
				visit(m.k, a)
				continue
			}
			root := sized(&s.root, size)
			if held != m.root {
				values(root, m.root)
				held = m.root
			}
			src := root
			for _, p := range m.path {
				raised(a, src, p)
				src = a
			}
			if len(m.path) == 0 {
				copy(a, root)
			}
			visit(m.k, a)
		}
	}
}

// fill is fill of q, or stores the entries of a kernel that is no function of t.
func (r *remade) fill(q *quantity, dst []float64, lo, hi, from, to int, s *rowScratch) {
	if q.x != nil {
		q.fill(dst, lo, hi, from, to, &s.scratch)
		return
	}
	r.foreign.Lock()
	defer r.foreign.Unlock()
	r.kernels[q.of[0].k].Cross(mat.NewDense(hi-lo, to-from, dst), part(r.x, lo, hi), part(r.x, from, to))
}

// part is the points lo … hi−1.
func part(x Points, lo, hi int) Points {
	rows := make([]int, hi-lo)
	for i := range rows {
		rows[i] = lo + i
	}
	return x.Slice(rows)
}

// bandRow is row i of a, which begins with row lo of an upper triangle.
func bandRow(a []float64, n, lo, i int) []float64 {
	b := tri(n, lo)
	return a[tri(n, i)-b : tri(n, i+1)-b]
}

// bands is how many parts of band rows n points have; rows are those of one.
func bands(n int) int                  { return (n + band - 1) / band }
func bandOf(n, t int) (lo, hi int)     { return t * band, min(n, (t+1)*band) }
func (g *fittedSum) stored(k int) bool { return g.k[k] != nil }

// streamed reports whether some are not stored.
func (g *fittedSum) streamed() bool {
	return slices.ContainsFunc(g.k, func(a []float64) bool { return a == nil })
}

// remake calls visit with rows lo … hi−1 of the fitted base matrices that are wanted and not stored.
func (g *fittedSum) remake(lo, hi int, wanted func(k int) bool, visit func(k int, a []float64)) {
	s := rowScratches.Get().(*rowScratch)
	defer rowScratches.Put(s)
	n := g.x.Len()
	fit := func(k int, a []float64) {
		g.fits[k].apply(a, n, lo, hi)
		visit(k, a)
	}
	made := func(k int) bool { return !g.stored(k) && wanted(k) }
	if g.rows != nil {
		for k, a := range g.base.k {
			if a != nil && made(k) {
				fit(k, packedRows(sized(&s.packed, tri(n, hi)-tri(n, lo)), a, g.base.x.Len(), g.rows, lo, hi))
			}
		}
	}
	g.maker().rows(lo, hi, func(k int) bool { return made(k) && (g.rows == nil || g.base.k[k] == nil) }, s, fit)
}

// maker makes base matrices of g's points.
func (g *fittedSum) maker() *remade {
	if g.rows == nil {
		return &g.base.remade
	}
	g.making.Do(func() { g.made = &remade{kernels: g.f.Kernels, x: g.base.x.Slice(g.rows)} })
	return g.made
}

// parts calls visit with rows lo … hi−1 of every base matrix, packed, all rows at once where all are stored.
func (g *fittedSum) parts(on linalg.Bound, visit func(lo, hi int, a [][]float64)) {
	m, n := g.Dims()
	missing := 0
	for k := range m {
		if !g.stored(k) {
			missing++
		}
	}
	if missing == 0 {
		visit(0, n, g.k)
		return
	}
	rows := min(max(1, (1<<22)/(missing*n)), band)
	a := make([][]float64, m)
	for lo := 0; lo < n; lo += rows {
		hi := min(n, lo+rows)
		for k, all := range g.k {
			if all != nil {
				a[k] = all[tri(n, lo):tri(n, hi)]
			}
		}
		on.Run(each(func(t int) { // a part of the kernels each
			count := min(m, 8)
			g.remake(lo, hi, func(k int) bool { return k*count/m == t }, func(k int, rows []float64) {
				a[k] = append(a[k][:0:cap(a[k])], rows...)
			})
		}), min(m, 8))
		visit(lo, hi, a)
	}
}

// whole is base matrix k.
func (g *fittedSum) whole(k int) []float64 {
	n := g.x.Len()
	a := make([]float64, tri(n, n))
	s := rowScratches.Get().(*rowScratch)
	defer rowScratches.Put(s)
	for t := range bands(n) {
		lo, hi := bandOf(n, t)
		g.maker().rows(lo, hi, func(j int) bool { return j == k }, s,
			func(_ int, rows []float64) { copy(a[tri(n, lo):], rows) })
	}
	return a
}
