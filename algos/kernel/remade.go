package kernel

import (
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// remade computes base matrices on prepared points again each time that they are needed, some of the entries at a time.
type remade struct {
	kernels List
	x       points.Points
	once    sync.Once
	groups  []quantity
	times   []int      // making.times of each kernel
	lock    sync.Mutex // held while a foreign kernel computes
}

// quantity is a matrix t(x_i,x_j) and the kernels that are functions of it, or one kernel that is not a function of t.
type quantity struct {
	of       []making
	t        pairwise
	x, moved design // the columns of t, and the same minus center; nil if the kernel is not a function of t
	center   []float64
	norms    []float64 // of moved
}

// grouped returns the indices k with wanted(k). Kernels that are functions of the same quantity are in one group.
func (list List) grouped(wanted func(k int) bool) (groups [][]int) {
	for k, f := range list {
		if !wanted(k) {
			continue
		}
		g, ok := pairs(f)
		same := func(of []int) bool { return ok && samePairwise(g, list[of[0]]) }
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i] = append(groups[i], k)
		} else {
			groups = append(groups, []int{k})
		}
	}
	return groups
}

func every(int) bool { return true }

func (r *remade) quantities() []quantity {
	r.once.Do(func() {
		r.times = make([]int, len(r.kernels))
		for _, of := range r.kernels.grouped(every) {
			q := quantity{of: r.kernels.makings(of)}
			if g, ok := pairs(r.kernels[of[0]]); ok {
				t, columns := g.pairwise()
				q.t, q.x = t, designOf(mustVectors(r.x, columns))
				if t == squaredDistance {
					q.center = q.x.centre()
					q.moved = q.x.minus(q.center)
					q.norms = q.moved.norms()
				}
			}
			for _, m := range q.of {
				r.times[m.k] = m.times
			}
			r.groups = append(r.groups, q)
		}
	})
	return r.groups
}

// fill stores t(x_i,x_j), or the kernel if it is not a function of t, in dst, (hi−lo)×(to−from), for lo ≤ i < hi and
// from ≤ j < to. Only entries with i ≤ j are valid.
func (r *remade) fill(q *quantity, dst []float64, lo, hi, from, to int, s *scratch) {
	width := to - from
	switch {
	case q.x == nil:
		k := r.kernels[q.of[0].k]
		if foreign(k) {
			r.lock.Lock()
			defer r.lock.Unlock()
		}
		k.Cross(mat.NewDense(hi-lo, width, dst), part(r.x, lo, hi), part(r.x, from, to))
	case q.t == innerProduct:
		q.x.rows(from, to).cross(dst, width, q.x.rows(lo, hi), nil, s)
	case q.t == squaredDistance:
		q.moved.rows(from, to).cross(dst, width, q.moved.rows(lo, hi), nil, s)
		for i := lo; i < hi; i++ {
			j := max(from, i)
			r := dst[(i-lo)*width+j-from : (i-lo+1)*width]
			if j == i {
				r[0], r, j = 0, r[1:], j+1
			}
			toDistances(r, q.norms[i], q.norms[j:to], func(l int) float64 { return q.x.squaredDistance(q.x, i, j+l) })
		}
	case q.t == absoluteDistance:
		q.x.rows(from, to).absoluteDistances(dst, width, q.x.rows(lo, hi), s)
	}
}

// between stores in p the base kernels between new points z (prepared) and the points of r, l×n each. It leaves out a
// kernel if θ_k = 0 or l = 0.
func (r *remade) between(p *crossPart, z points.Points, theta []float64) {
	l, n := z.Len(), r.x.Len()
	if l == 0 {
		return
	}
	groups := r.quantities()
	for i := range groups {
		q := &groups[i]
		filled := false
		held := -1
		for _, m := range q.of {
			switch {
			case theta[m.k] == 0:
				continue
			case q.x == nil:
				r.kernels[m.k].Cross(mat.NewDense(l, n, p.block(m.k, l*n)), z, r.x)
				continue
			case !filled:
				q.cross(sized(&p.values, l*n), r, z, &p.scratch)
				filled = true
			}
			k := r.kernels[m.first].(pairwiseKernel)
			dst := p.block(m.k, l*n)
			if len(m.path) == 0 {
				k.apply(dst, p.values)
				continue
			}
			if held != m.first {
				k.apply(sized(&p.first, l*n), p.values)
				held = m.first
			}
			src := p.first
			for _, e := range m.path {
				raised(dst, src, e)
				src = dst
			}
		}
	}
}

// cross stores t(z_i, x_j) in dst, l×n, where x are the points of r.
func (q *quantity) cross(dst []float64, r *remade, z points.Points, s *scratch) {
	k := r.kernels[q.of[0].k]
	_, columns := k.(pairwiseKernel).pairwise()
	v := mustVectors(z, columns)
	isSparse := points.Is[points.Sparse](v)
	if _, sparse := q.x.(*sparseDesign); sparse != isSparse || q.t != squaredDistance {
		a, b := pairOf(k, z, r.x, columns)
		q.t.between(dst, r.x.Len(), a, b, s)
		return
	}
	a := designOf(v)
	_, l := a.size()
	n, d := q.x.size()
	if l != d {
		panic(fmt.Sprintf("kernel: %v between points of %d and of %d features", k, l, d))
	}
	squaredDistances(dst, n, a, q.x, q.center, q.moved, q.norms, s)
}

// tileScratch is the working storage of tile, and storage for the packed rows of a tile.
type tileScratch struct {
	scratch
	values, first, power, packed []float64
}

var tileScratches = sync.Pool{New: func() any { return &tileScratch{scratch: scratch{on: linalg.Bound(1)}} }}

// tile calls visit for each kernel k with wanted(k). a has the entries of rows lo … hi−1 and columns from … to−1, with
// from = lo or from ≥ hi. Entries of a below the diagonal are undefined. visit may read a only before it returns, and
// must not modify a, because tile computes other kernels from it. Diagonal entries of kernels of distances are exact.
func (r *remade) tile(lo, hi, from, to int, wanted func(k int) bool, s *tileScratch, visit func(k int, a []float64)) {
	size := (hi - lo) * (to - from)
	values := sized(&s.values, size)
	for _, q := range r.quantities() {
		filled, held, path := false, -1, []int(nil) // state of values, of s.first and of s.power
		for _, m := range q.of {
			if !wanted(m.k) {
				continue
			}
			if !filled {
				r.fill(&q, values, lo, hi, from, to, &s.scratch)
				filled = true
			}
			src, done := values, 0
			if q.x != nil && held != m.first {
				f, _ := pairs(r.kernels[m.first])
				f.apply(sized(&s.first, size), values)
				held, path = m.first, nil
			}
			if q.x != nil {
				src = s.first
			}
			if l := len(path); l > 0 && l < len(m.path) && slices.Equal(path, m.path[:l]) {
				src, done = s.power, l
			}
			for _, p := range m.path[done:] {
				raised(sized(&s.power, size), src, p)
				src = s.power
			}
			path = m.path
			visit(m.k, src)
		}
	}
}

// part returns points lo … hi−1 of x.
func part(x points.Points, lo, hi int) points.Points {
	rows := make([]int, hi-lo)
	for i := range rows {
		rows[i] = lo + i
	}
	return x.Slice(rows)
}

// bandOf returns the limits of the rows in band t. There are tiles(n, band) bands.
func bandOf(n, t int) (lo, hi int) { return t * band, min(n, (t+1)*band) }

func (g *fittedSum) stored(k int) bool { return g.k[k] != nil }

// streamed reports whether some base matrices are not stored.
func (g *fittedSum) streamed() bool {
	return slices.ContainsFunc(g.k, func(a []float64) bool { return a == nil })
}

// remake calls visit with rows lo … hi−1, packed, of each fitted base matrix k that is not stored and has wanted(k).
func (g *fittedSum) remake(lo, hi int, wanted func(k int) bool, visit func(k int, a []float64)) {
	s := tileScratches.Get().(*tileScratch)
	defer tileScratches.Put(s)
	n := g.x.Len()
	packed := sized(&s.packed, tri(n, hi)-tri(n, lo))
	fit := func(k int, a []float64) {
		g.fits[k].apply(a, n, lo, hi)
		visit(k, a)
	}
	made := func(k int) bool { return !g.stored(k) && wanted(k) }
	if g.rows != nil {
		for k, a := range g.base.k {
			if a != nil && made(k) {
				fit(k, packedRows(packed, a, g.base.x.Len(), g.rows, lo, hi))
			}
		}
	}
	g.maker().tile(lo, hi, lo, n, func(k int) bool { return made(k) && (g.rows == nil || g.base.k[k] == nil) }, s,
		func(k int, a []float64) { fit(k, packBand(packed, a, n, lo, hi)) })
}

// maker returns the remade that computes base matrices on the points of g.
func (g *fittedSum) maker() *remade {
	if g.rows == nil {
		return &g.base.remade
	}
	g.making.Do(func() { g.made = &remade{kernels: g.f.Kernels, x: g.base.x.Slice(g.rows)} })
	return g.made
}

// inBands calls visit with rows lo … hi−1 of every base matrix, packed. If all matrices are stored, it calls visit
// once, with all rows.
func (g *fittedSum) inBands(on linalg.Bound, visit func(lo, hi int, a [][]float64)) {
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
		on.Run(linalg.TileFunc(func(t int) { // tile t has a part of the kernels
			count := min(m, 8)
			g.remake(lo, hi, func(k int) bool { return k*count/m == t }, func(k int, rows []float64) {
				a[k] = append(a[k][:0:cap(a[k])], rows...)
			})
		}), min(m, 8))
		visit(lo, hi, a)
	}
}

// whole returns base matrix k, packed, before centering and normalization.
func (g *fittedSum) whole(k int) []float64 {
	n := g.x.Len()
	a := make([]float64, tri(n, n))
	s := tileScratches.Get().(*tileScratch)
	defer tileScratches.Put(s)
	for t := range tiles(n, band) {
		lo, hi := bandOf(n, t)
		g.maker().tile(lo, hi, lo, n, func(j int) bool { return j == k }, s,
			func(_ int, tile []float64) { packBand(a[tri(n, lo):tri(n, hi)], tile, n, lo, hi) })
	}
	return a
}
