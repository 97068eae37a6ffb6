package loss

import (
	"context"
	"math"
	"slices"
)

const (
	// The number of iterations between two checks of the gap and the context is at most a quarter of the iterations so
	// far, but within these limits.
	minInterval, maxInterval = 8, 64
	shrinkInterval           = 500 // iterations between two attempts to deactivate points
)

// selectActive makes a point active if it belongs to a violating pair: a pair i, j such that D grows if w_i grows and
// w_j falls by the same amount. It copies the values of the active points from the slices of all points.
func (q *box) selectActive() {
	q.before = append(q.before[:0], q.active...)
	q.active = q.active[:0]
	maxRight, minLeft := math.Inf(-1), math.Inf(1) // the largest slope to the right, the smallest to the left
	for i := range q.w {
		u, l := q.slopeOffsets(i)
		maxRight, minLeft = max(maxRight, q.v[i]+u), min(minLeft, q.v[i]+l)
	}
	for i := range q.w {
		if u, l := q.slopeOffsets(i); q.v[i]+u >= minLeft || q.v[i]+l <= maxRight {
			q.active = append(q.active, i)
		}
	}
	n := len(q.active)
	for _, x := range []*[]float64{&q.aw, &q.av, &q.ar, &q.alo, &q.ahi, &q.up, &q.low, &q.adiag} {
		*x = resize(*x, n)
	}
	for p, i := range q.active {
		q.aw[p], q.av[p], q.ar[p], q.alo[p], q.ahi[p] = q.w[i], q.v[i], q.r[i], q.lo[i], q.hi[i]
		q.up[p], q.low[p] = q.slopeOffsets(i)
		q.adiag[p] = q.k.At(i, i) + q.r[i]
	}
	if !slices.Equal(q.active, q.before) {
		q.fillSquare()
	}
}

// slopeOffsets returns two numbers: v_i + up is the slope of D to the right of w_i, v_i + low the slope to the left. up
// is −∞ if w_i is at its upper bound; low is +∞ if w_i is at its lower bound.
func (q *box) slopeOffsets(i int) (up, low float64) {
	return slopeOffsets(q.w[i], q.lo[i], q.hi[i], q.eps)
}

// slopeOffsets returns the offsets for one point with coefficient w and bounds lo and hi.
func slopeOffsets(w, lo, hi, eps float64) (up, low float64) {
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

// shrinkActive deactivates the points that belong to no violating pair, if they are more than a quarter of the active
// points. maxRight is the largest slope of D to the right, minLeft the smallest slope to the left.
func (q *box) shrinkActive(maxRight, minLeft float64) {
	before := len(q.active)
	q.keptIndices = q.keptIndices[:0]
	for p, v := range q.av {
		if v+q.up[p] >= minLeft || v+q.low[p] <= maxRight {
			q.keptIndices = append(q.keptIndices, p)
		}
	}
	n := len(q.keptIndices)
	if before-n <= before/4 {
		return
	}
	q.storeActive()
	for to, p := range q.keptIndices {
		q.active[to] = q.active[p]
	}
	q.active = q.active[:n]
	for _, x := range [...]*[]float64{&q.aw, &q.av, &q.ar, &q.alo, &q.ahi, &q.up, &q.low, &q.adiag} {
		for to, p := range q.keptIndices {
			(*x)[to] = (*x)[p]
		}
		*x = (*x)[:n]
	}
	q.compactSquare(q.keptIndices, before)
}

// optimizePairs maximizes D over the active points and stores their w. It ends if the gap of the active points is at
// most relativeGap times the primal value. It is sequential minimal optimization with working set selection WSS 2 of
// Fan, Chen and Lin (2005). Point i has the largest slope g_i to the right. Point j, with the slope g_j to the left,
// maximizes the gain of moving w_i up and w_j down by the same amount,
//
//	(g_i − g_j)²/(2η),   η = K_ii + K_jj − 2K_ij + r_i + r_j.
//
// It deactivates points at a bound that cannot be in a violating pair. When these iterations have taken as long as a
// Newton step on the free points, it takes Newton steps.
//
// R.-E. Fan, P.-H. Chen, C.-J. Lin, Working set selection using second order information for training
// SVM, JMLR 6, 2005.
func (q *box) optimizePairs(ctx context.Context, relativeGap float64) {
	defer q.storeActive()
	if len(q.active) < 2 {
		return
	}
	minEta := 1e-14 * q.maxDiag // lower limit of η
	if minEta == 0 {            // K = 0: steps end at the bounds
		minEta = 1e-300
	}
	i, slope := q.steepestPoint()
	iter, shrunkAt := 0, 0 // iterations of this call, and their number at the last attempt to deactivate points
	nextCheck, lastCheck, lastGap := 0, 0, 0.0
	for ; q.iters < q.maxIters; q.iters++ {
		if i < 0 {
			return
		}
		if iter == nextCheck {
			minLeft := q.minLeftSlope()
			gap := q.activeGap(slope + (minLeft-slope)/2)
			goal := relativeGap * math.Abs(q.dual+gap)
			if gap <= goal || slope <= minLeft || ctx.Err() != nil {
				return
			}
			longest := float64(min(max(iter/4, minInterval), maxInterval))
			nextCheck += int(min(max(remainingIterations(iter-lastCheck, lastGap, gap, goal), minInterval), longest))
			lastCheck, lastGap = iter, gap
			if iter-shrunkAt >= shrinkInterval || iter == 0 && q.iters > 0 {
				shrunkAt = iter
				q.shrinkActive(slope, minLeft)
				i, slope = q.steepestPoint()
			}
			if q.interior.isDue(q) {
				q.interior.isWanted = true
				return
			}
			if q.newton.isDue(q) {
				q.newton.takeSteps(q, relativeGap)
				i, slope = q.steepestPoint()
				if i < 0 {
					return
				}
			}
		}
		iter++
		ki := q.kernelRow(i)
		j, slopeDiff := q.bestPartner(i, slope, minEta, ki)
		if j < 0 {
			return
		}
		kj := q.kernelRow(j)
		t := q.stepPair(i, j, slopeDiff, max(q.adiag[i]+q.adiag[j]-2*ki[j], minEta))
		if t == 0 {
			return // the step is below rounding
		}
		i, slope = q.updateSlopes(t, ki, kj)
	}
}

// stepPair moves w_i up and w_j down by the step t that maximizes the gain of the pair within the bounds. It returns t,
// or 0 if the step is below rounding. slopeDiff is g_i − g_j.
func (q *box) stepPair(i, j int, slopeDiff, eta float64) (t float64) {
	upper, lower := q.ahi[i], q.alo[j] // w_i and w_j stop at a bound or, if ε > 0, at the kink 0
	if q.eps > 0 && q.aw[i] < 0 {
		upper = 0
	}
	if q.eps > 0 && q.aw[j] > 0 {
		lower = 0
	}
	a, b := upper-q.aw[i], q.aw[j]-lower
	t = min(slopeDiff/eta, a, b)
	wi, wj := q.aw[i]+t, q.aw[j]-t
	if t == a {
		wi = upper
	}
	if t == b {
		wj = lower
	}
	if wi == q.aw[i] && wj == q.aw[j] {
		return 0
	}
	q.dual += t * (slopeDiff - t*eta/2)
	q.aw[i], q.aw[j] = wi, wj
	q.av[i] -= q.ar[i] * t
	q.av[j] += q.ar[j] * t
	q.updateSlopeOffsets(i)
	q.updateSlopeOffsets(j)
	return t
}

// remainingIterations returns the number of iterations that bring the gap to the goal if it continues to shrink at the
// rate of the last iterations, in which it shrank from lastGap to gap. It returns +Inf if the gap did not shrink.
func remainingIterations(iterations int, lastGap, gap, goal float64) float64 {
	shrunk := math.Log(lastGap / gap)
	if !(shrunk > 0) || !(goal > 0) {
		return math.Inf(1)
	}
	return float64(iterations) * math.Log(gap/goal) / shrunk
}

// storeActive copies the w of the active points to q.w.
func (q *box) storeActive() {
	for p, i := range q.active {
		q.w[i] = q.aw[p]
	}
}

// updateSlopeOffsets updates up[p] and low[p], the offsets of the right and left slope of D at active point p, after
// its w changed.
func (q *box) updateSlopeOffsets(p int) {
	q.up[p], q.low[p] = slopeOffsets(q.aw[p], q.alo[p], q.ahi[p], q.eps)
}

// steepestPoint returns the active point with the largest slope of D to the right, and that slope. It returns −1 if
// every point is at its upper bound.
func (q *box) steepestPoint() (p int, slope float64) {
	at, best := -1, math.Inf(-1)
	for p, v := range q.av {
		if x := v + q.up[p]; x > best {
			at, best = p, x
		}
	}
	return at, best
}

// minLeftSlope returns the smallest slope of D to the left of an active point.
func (q *box) minLeftSlope() float64 {
	b := math.Inf(1)
	for p, v := range q.av {
		b = min(b, v+q.low[p])
	}
	return b
}

// updateSlopes adds −t(k_i − k_j) to v, after w_i has grown and w_j has fallen by t. k_i and k_j are rows of K. It
// returns the result of steepestPoint.
func (q *box) updateSlopes(t float64, ki, kj []float64) (int, float64) {
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

// bestPartner returns the active point j with the largest gain of the pair i, j, and the slope of i to the right minus
// the slope of j to the left. It returns −1 if there is no violating pair with i. slope is the slope of i to the right,
// minEta the lower limit of η, and ki the row of K of point i.
func (q *box) bestPartner(i int, slope, minEta float64, ki []float64) (j int, slopeDiff float64) {
	v := q.av
	ki, low, diag := ki[:len(v)], q.low[:len(v)], q.adiag[:len(v)]
	at, num, den, diff, di := -1, 0.0, 1.0, 0.0, diag[i]
	for p, x := range v {
		// d = max(slope − x − low, 0): the sign bit of the difference clears all its bits, without a branch, which
		// would be taken half of the time
		diffBits := int64(math.Float64bits(slope - (x + low[p])))
		d := math.Float64frombits(uint64(diffBits &^ (diffBits >> 63)))
		eta := di + diag[p] - 2*ki[p]
		if eta < minEta {
			eta = minEta
		}
		if d2 := d * d; d2*den > num*eta && p != i {
			at, num, den, diff = p, d2, eta, d
		}
	}
	return at, diff
}

// activeGap returns the sum of the terms of P − D of the active points (see box) at the bias b.
func (q *box) activeGap(b float64) float64 {
	gap := 0.0
	for p, v := range q.av {
		w, i := q.aw[p], q.active[p]
		x := v + q.ar[p]*w - b
		gap += q.risk(i, x) - w*x + q.eps*math.Abs(w) + q.ar[p]*w*w/2
	}
	return gap
}
