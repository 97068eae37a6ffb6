package kernel

import (
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"
)

// recomputer computes base matrices on prepared points again each time that they are needed, some of the entries at a time.
type recomputer struct {
	kernels   List
	x         points.Points
	once      sync.Once
	groups    []quantity
	exponents []int      // making.times of each kernel
	lock      sync.Mutex // held while a foreign kernel computes
}

// quantity is a matrix t(x_i,x_j) and the kernels that are functions of it, or one kernel that is not a function of t.
type quantity struct {
	plans    []powerPlan
	t        pairwise
	x, moved design // the columns of t, and the same minus center; nil if the kernel is not a function of t
	center   []float64
	norms    []float64 // of moved
}

// groupByQuantity returns the indices k with wanted(k). Kernels that are functions of the same quantity are in one group.
func (list List) groupByQuantity(wanted func(k int) bool) (groups [][]int) {
	for k, f := range list {
		if !wanted(k) {
			continue
		}
		g, ok := asPairwise(f)
		same := func(of []int) bool { return ok && hasSameQuantity(g, list[of[0]]) }
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i] = append(groups[i], k)
		} else {
			groups = append(groups, []int{k})
		}
	}
	return groups
}

func anyKernel(int) bool { return true }

func (r *recomputer) quantityGroups() []quantity {
	r.once.Do(func() {
		r.exponents = make([]int, len(r.kernels))
		for _, of := range r.kernels.groupByQuantity(anyKernel) {
			q := quantity{plans: r.kernels.powerPlans(of)}
			if g, ok := asPairwise(r.kernels[of[0]]); ok {
				t, columns := g.pairwise()
				q.t, q.x = t, designOf(mustVectors(r.x, columns))
				if t == squaredDistance {
					q.center = q.x.center()
					q.moved = q.x.minus(q.center)
					q.norms = q.moved.norms()
				}
			}
			for _, m := range q.plans {
				r.exponents[m.k] = m.exponent
			}
			r.groups = append(r.groups, q)
		}
	})
	return r.groups
}

// fillTile stores t(x_i,x_j), or the kernel if it is not a function of t, in dst, (hi−lo)×(to−from), for lo ≤ i < hi and
// from ≤ j < to. Only entries with i ≤ j are valid.
func (r *recomputer) fillTile(q *quantity, dst []float64, lo, hi, from, to int, s *scratch) {
	width := to - from
	switch {
	case q.x == nil:
		k := r.kernels[q.plans[0].k]
		if isForeign(k) {
			r.lock.Lock()
			defer r.lock.Unlock()
		}
		k.Cross(mat.NewDense(hi-lo, width, dst), pointRange(r.x, lo, hi), pointRange(r.x, from, to))
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

// computeCross stores in p the base kernels between new points z (prepared) and the points of r, l×n each. It leaves out a
// kernel if θ_k = 0 or l = 0.
func (r *recomputer) computeCross(p *crossPart, z points.Points, theta []float64) {
	l, n := z.Len(), r.x.Len()
	if l == 0 {
		return
	}
	groups := r.quantityGroups()
	for i := range groups {
		q := &groups[i]
		filled := false
		heldFirst := -1
		for _, m := range q.plans {
			switch {
			case theta[m.k] == 0:
				continue
			case q.x == nil:
				r.kernels[m.k].Cross(mat.NewDense(l, n, p.block(m.k, l*n)), z, r.x)
				continue
			case !filled:
				q.computeCross(sized(&p.values, l*n), r, z, &p.scratch)
				filled = true
			}
			k := r.kernels[m.first].(pairwiseKernel)
			dst := p.block(m.k, l*n)
			if len(m.powers) == 0 {
				k.apply(dst, p.values)
				continue
			}
			if heldFirst != m.first {
				k.apply(sized(&p.first, l*n), p.values)
				heldFirst = m.first
			}
			src := p.first
			for _, e := range m.powers {
				raiseTo(dst, src, e)
				src = dst
			}
		}
	}
}

// computeCross stores t(z_i, x_j) in dst, l×n, where x are the points of r.
func (q *quantity) computeCross(dst []float64, r *recomputer, z points.Points, s *scratch) {
	k := r.kernels[q.plans[0].k]
	_, columns := k.(pairwiseKernel).pairwise()
	v := mustVectors(z, columns)
	isSparse := points.Is[points.Sparse](v)
	if _, sparse := q.x.(*sparseDesign); sparse != isSparse || q.t != squaredDistance {
		a, b := designPair(k, z, r.x, columns)
		q.t.computeCross(dst, r.x.Len(), a, b, s)
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

// visitTile calls visit for each kernel k with wanted(k). a has the entries of rows lo … hi−1 and columns from … to−1, with
// from = lo or from ≥ hi. Entries of a below the diagonal are undefined. visit may read a only before it returns, and
// must not modify a, because tile computes other kernels from it. Diagonal entries of kernels of distances are exact.
func (r *recomputer) visitTile(lo, hi, from, to int, wanted func(k int) bool, s *tileScratch, visit func(k int, a []float64)) {
	size := (hi - lo) * (to - from)
	values := sized(&s.values, size)
	for _, q := range r.quantityGroups() {
		filled, heldFirst, path := false, -1, []int(nil) // state of values, of s.first and of s.power
		for _, m := range q.plans {
			if !wanted(m.k) {
				continue
			}
			if !filled {
				r.fillTile(&q, values, lo, hi, from, to, &s.scratch)
				filled = true
			}
			src, done := values, 0
			if q.x != nil && heldFirst != m.first {
				f, _ := asPairwise(r.kernels[m.first])
				f.apply(sized(&s.first, size), values)
				heldFirst, path = m.first, nil
			}
			if q.x != nil {
				src = s.first
			}
			if l := len(path); l > 0 && l < len(m.powers) && slices.Equal(path, m.powers[:l]) {
				src, done = s.power, l
			}
			for _, p := range m.powers[done:] {
				raiseTo(sized(&s.power, size), src, p)
				src = s.power
			}
			path = m.powers
			visit(m.k, src)
		}
	}
}

// pointRange returns points lo … hi−1 of x.
func pointRange(x points.Points, lo, hi int) points.Points {
	rows := make([]int, hi-lo)
	for i := range rows {
		rows[i] = lo + i
	}
	return x.Slice(rows)
}

// bandLimits returns the limits of the rows in band t. There are tiles(n, band) bands.
func bandLimits(n, t int) (lo, hi int) { return t * bandRows, min(n, (t+1)*bandRows) }

func (g *fittedSum) isStored(k int) bool { return g.k[k] != nil }

// hasUnstored reports whether some base matrices are not stored.
func (g *fittedSum) hasUnstored() bool {
	return slices.ContainsFunc(g.k, func(a []float64) bool { return a == nil })
}

// visitUnstored calls visit with rows lo … hi−1, packed, of each fitted base matrix k that is not stored and has wanted(k).
func (g *fittedSum) visitUnstored(lo, hi int, wanted func(k int) bool, visit func(k int, a []float64)) {
	s := tileScratches.Get().(*tileScratch)
	defer tileScratches.Put(s)
	n := g.x.Len()
	packed := sized(&s.packed, tri(n, hi)-tri(n, lo))
	fit := func(k int, a []float64) {
		g.fits[k].apply(a, n, lo, hi)
		visit(k, a)
	}
	made := func(k int) bool { return !g.isStored(k) && wanted(k) }
	if g.rows != nil {
		for k, a := range g.base.k {
			if a != nil && made(k) {
				fit(k, packedRows(packed, a, g.base.x.Len(), g.rows, lo, hi))
			}
		}
	}
	g.sliceRecomputer().visitTile(lo, hi, lo, n, func(k int) bool { return made(k) && (g.rows == nil || g.base.k[k] == nil) }, s,
		func(k int, a []float64) { fit(k, packBand(packed, a, n, lo, hi)) })
}

// sliceRecomputer returns the remade that computes base matrices on the points of g.
func (g *fittedSum) sliceRecomputer() *recomputer {
	if g.rows == nil {
		return &g.base.recomputer
	}
	g.making.Do(func() { g.recomputed = &recomputer{kernels: g.f.Kernels, x: g.base.x.Slice(g.rows)} })
	return g.recomputed
}

// visitBands calls visit with rows lo … hi−1 of every base matrix, packed. If all matrices are stored, it calls visit
// once, with all rows.
func (g *fittedSum) visitBands(on linalg.Bound, visit func(lo, hi int, a [][]float64)) {
	m, n := g.Dims()
	missing := 0
	for k := range m {
		if !g.isStored(k) {
			missing++
		}
	}
	if missing == 0 {
		visit(0, n, g.k)
		return
	}
	rows := min(max(1, (1<<22)/(missing*n)), bandRows)
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
			g.visitUnstored(lo, hi, func(k int) bool { return k*count/m == t }, func(k int, rows []float64) {
				a[k] = append(a[k][:0:cap(a[k])], rows...)
			})
		}), min(m, 8))
		visit(lo, hi, a)
	}
}

// unfittedMatrix returns base matrix k, packed, before centering and normalization.
func (g *fittedSum) unfittedMatrix(k int) []float64 {
	n := g.x.Len()
	a := make([]float64, tri(n, n))
	s := tileScratches.Get().(*tileScratch)
	defer tileScratches.Put(s)
	for t := range tileCount(n, bandRows) {
		lo, hi := bandLimits(n, t)
		g.sliceRecomputer().visitTile(lo, hi, lo, n, func(j int) bool { return j == k }, s,
			func(_ int, tile []float64) { packBand(a[tri(n, lo):tri(n, hi)], tile, n, lo, hi) })
	}
	return a
}
