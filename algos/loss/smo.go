package loss

import (
	"context"
	"math"
)

const (
	maxInterval    = 64  // largest number of iterations between two checks of the gap and the context
	minInterval    = 8   // smallest number; in between, a quarter of the iterations so far
	shrinkInterval = 500 // iterations between two attempts to deactivate points
)

// activate selects the active points: all except those at a bound that belong to no violating pair.
func (q *box) activate() {
	q.was = append(q.was[:0], q.act...)
	q.act = q.act[:0]
	top, bottom := math.Inf(-1), math.Inf(1)
	for i := range q.w {
		u, l := q.slopes(i)
		top, bottom = max(top, q.v[i]+u), min(bottom, q.v[i]+l)
	}
	for i := range q.w {
		if u, l := q.slopes(i); q.v[i]+u >= bottom || q.v[i]+l <= top {
			q.act = append(q.act, i)
		}
	}
	n := len(q.act)
	for _, x := range []*[]float64{&q.aw, &q.av, &q.ar, &q.alo, &q.ahi, &q.up, &q.low, &q.adiag} {
		*x = resize(*x, n)
	}
	for p, i := range q.act {
		q.aw[p], q.av[p], q.ar[p], q.alo[p], q.ahi[p] = q.w[i], q.v[i], q.r[i], q.lo[i], q.hi[i]
		q.up[p], q.low[p] = q.slopes(i)
		q.adiag[p] = q.entry(i, i) + q.r[i]
	}
	q.retain()
}

// retain keeps the stored rows of the points that are still active. If a point became active, it discards all rows.
func (q *box) retain() {
	q.from = q.from[:0]
	p := 0
	for _, i := range q.act {
		for p < len(q.was) && q.was[p] < i {
			p++
		}
		if p == len(q.was) || q.was[p] != i {
			q.forget()
			return
		}
		q.from = append(q.from, p)
	}
	q.address()
	if len(q.act) < len(q.was) {
		q.rows.retainRows(q.from)
	}
}

// slopes returns the numbers that, added to v, give the slopes of D to the right and to the left of w_i.
func (q *box) slopes(i int) (up, low float64) { return slopes(q.w[i], q.lo[i], q.hi[i], q.eps) }

func slopes(w, lo, hi, eps float64) (up, low float64) {
	up, low = -eps, eps
	if w < 0 {
		up = eps
	}
	if w > 0 {
		low = -eps
	}
	if w >= hi {
		up = math.Inf(-1)
	}
	if w <= lo {
		low = math.Inf(1)
	}
	return up, low
}

// narrow deactivates the points that belong to no violating pair.
func (q *box) narrow(top, bottom float64) {
	n := 0
	q.was = append(q.was[:0], q.act...)
	for p, i := range q.act {
		q.w[i] = q.aw[p]
		if q.av[p]+q.up[p] >= bottom || q.av[p]+q.low[p] <= top {
			q.act[n] = i
			for _, x := range [...][]float64{q.aw, q.av, q.ar, q.alo, q.ahi, q.up, q.low, q.adiag} {
				x[n] = x[p]
			}
			n++
		}
	}
	q.cut(n)
	q.retain()
}

func (q *box) cut(n int) {
	q.act = q.act[:n]
	for _, x := range [...]*[]float64{&q.aw, &q.av, &q.ar, &q.alo, &q.ahi, &q.up, &q.low, &q.adiag} {
		*x = (*x)[:n]
	}
}

// run maximizes over the active points until their estimate of the gap is at most aim times the primal value, and
// stores their w. It is sequential minimal optimization with working set selection WSS 2 of Fan, Chen and Lin (2005): i
// has the largest slope, and j maximizes the gain of the pair
//
//	(g_i − g_j)²/(2η),   η = K_ii + K_jj − 2K_ij + r_i + r_j.
//
// Points at a bound that cannot be in a violating pair are deactivated. A Newton step on the free points follows
// whenever the pairs have cost as much as such a step.
//
// R.-E. Fan, P.-H. Chen, C.-J. Lin, Working set selection using second order information for training
// SVM, JMLR 6, 2005.
func (q *box) run(ctx context.Context, aim float64) {
	defer q.scatter()
	if len(q.act) < 2 {
		return
	}
	floor := 1e-14 * q.top // of η
	if floor == 0 {        // K = 0: steps end at the box
		floor = 1e-300
	}
	i, best := q.first()
	since, narrowed := 0, 0
	next, seen, before := 0, 0, 0.0 // iterations of the next and of the last check, and the gap at the last check
	for ; q.spent < q.limit; q.spent++ {
		if i < 0 {
			return
		}
		if since == next {
			bottom := q.bottom()
			gap := q.dualGap(best + (bottom-best)/2)
			goal := aim * math.Abs(q.dual+gap)
			if gap <= goal || best <= bottom || ctx.Err() != nil {
				return
			}
			longest := float64(min(max(since/4, minInterval), maxInterval))
			next += int(min(max(estimateIterations(since-seen, before, gap, goal), minInterval), longest))
			seen, before = since, gap
			if since-narrowed >= shrinkInterval || since == 0 && q.spent > 0 {
				narrowed = since
				if q.countInactive(best, bottom) > len(q.act)/4 {
					q.narrow(best, bottom)
					i, best = q.first()
				}
			}
			if q.interior.due(q) {
				q.interior.wanted = true
				return
			}
			if q.newton.due(q) {
				if !q.newton.step(q, aim) {
					return
				}
				i, best = q.first()
				if i < 0 {
					return
				}
			}
		}
		since++
		ki := q.row(i)
		j, worst := q.second(i, best, floor, ki)
		if j < 0 {
			return
		}
		kj := q.row(j)
		eta := max(q.adiag[i]+q.adiag[j]-2*ki[j], floor)
		t := worst / eta
		end, start := q.ahi[i], q.alo[j]
		if q.eps > 0 && q.aw[i] < 0 {
			end = 0
		}
		if q.eps > 0 && q.aw[j] > 0 {
			start = 0
		}
		a, b := end-q.aw[i], q.aw[j]-start
		wi, wj := q.aw[i]+t, q.aw[j]-t
		if t >= min(a, b) {
			t = min(a, b)
			wi, wj = q.aw[i]+t, q.aw[j]-t
			if a <= b {
				wi = end
			}
			if b <= a {
				wj = start
			}
		}
		if wi == q.aw[i] && wj == q.aw[j] {
			return // the step is below rounding
		}
		q.dual += t * (worst - t*eta/2)
		q.aw[i], q.aw[j] = wi, wj
		q.av[i] -= q.ar[i] * t
		q.av[j] += q.ar[j] * t
		q.mark(i)
		q.mark(j)
		i, best = q.move(t, ki, kj)
	}
}

// estimateIterations returns how many more iterations bring the gap to the goal, if it continues to shrink at the rate
// of the last iterations, from before to gap. It returns +Inf if the gap does not shrink.
func estimateIterations(iterations int, before, gap, goal float64) float64 {
	shrunk := math.Log(before / gap)
	if !(shrunk > 0) || !(goal > 0) {
		return math.Inf(1)
	}
	return float64(iterations) * math.Log(gap/goal) / shrunk
}

func (q *box) scatter() {
	for p, i := range q.act {
		q.w[i] = q.aw[p]
	}
}

func (q *box) mark(p int) {
	q.up[p], q.low[p] = slopes(q.aw[p], q.alo[p], q.ahi[p], q.eps)
}

// first returns the active point with the largest slope to the right.
func (q *box) first() (int, float64) {
	at, best := -1, math.Inf(-1)
	for p, v := range q.av {
		if x := v + q.up[p]; x > best {
			at, best = p, x
		}
	}
	return at, best
}

// bottom returns the smallest slope to the left.
func (q *box) bottom() float64 {
	b := math.Inf(1)
	for p, v := range q.av {
		b = min(b, v+q.low[p])
	}
	return b
}

// move adds −t(k_i − k_j) to v and returns the result of first.
func (q *box) move(t float64, ki, kj []float64) (int, float64) {
	v := q.av
	ki, kj, up := ki[:len(v)], kj[:len(v)], q.up[:len(v)]
	at, best := -1, math.Inf(-1)
	for p, x := range v {
		x -= t * (ki[p] - kj[p])
		v[p] = x
		if x += up[p]; x > best {
			at, best = p, x
		}
	}
	return at, best
}

// second returns the partner of i with the largest gain, and the difference of their slopes.
func (q *box) second(i int, best, floor float64, ki []float64) (int, float64) {
	v := q.av
	ki, low, diag := ki[:len(v)], q.low[:len(v)], q.adiag[:len(v)]
	at, num, den, diff, di := -1, 0.0, 1.0, 0.0, diag[i]
	for p, x := range v {
		// (best − x − low)₊, without a branch that would be taken half of the time
		bits := int64(math.Float64bits(best - (x + low[p])))
		d := math.Float64frombits(uint64(bits &^ (bits >> 63)))
		eta := di + diag[p] - 2*ki[p]
		if eta < floor {
			eta = floor
		}
		if d2 := d * d; d2*den > num*eta && p != i {
			at, num, den, diff = p, d2, eta, d
		}
	}
	return at, diff
}

// dualGap returns the gap of the active points with bias b.
func (q *box) dualGap(b float64) float64 {
	gap := 0.0
	for p, v := range q.av {
		w, i := q.aw[p], q.act[p]
		x := v + q.ar[p]*w - b
		gap += q.risk(i, x) - w*x + q.eps*math.Abs(w) + q.ar[p]*w*w/2
	}
	return gap
}

// countInactive returns the number of active points that cannot be in a violating pair.
func (q *box) countInactive(top, bottom float64) (n int) {
	for p, v := range q.av {
		if v+q.up[p] < bottom && v+q.low[p] > top {
			n++
		}
	}
	return n
}
