package loss

import (
	"context"
	"math"
	"slices"
)

const (
	// The number of iterations between two checks of the gap and the context is at most a quarter of the iterations so
	// far, but never outside these limits.
	minInterval, maxInterval = 8, 64
	shrinkInterval           = 500 // iterations between two attempts to deactivate points
)

// selectActivePoints makes a point active if it belongs to a violating pair: a pair i, j such that D grows if w_i grows
// and w_j falls by the same amount. It copies the values of the active points from the slices of all points.
func (q *boxQP) selectActivePoints() {
	q.oldActivePoints = append(q.oldActivePoints[:0], q.activePoints...)
	q.activePoints = q.activePoints[:0]
	maxRightSlope, minLeftSlope := math.Inf(-1), math.Inf(1) // the largest slope to the right, the smallest to the left
	for i := range q.w {
		u, l := q.slopeOffsets(i)
		maxRightSlope, minLeftSlope = max(maxRightSlope, q.v[i]+u), min(minLeftSlope, q.v[i]+l)
	}
	for i := range q.w {
		if u, l := q.slopeOffsets(i); q.v[i]+u >= minLeftSlope || q.v[i]+l <= maxRightSlope {
			q.activePoints = append(q.activePoints, i)
		}
	}
	n := len(q.activePoints)
	for _, x := range []*[]float64{&q.activeW, &q.activeV, &q.activeR, &q.activeLo, &q.activeHi, &q.rightOffsets,
		&q.leftOffsets, &q.activeDiagonal} {
		*x = resize(*x, n)
	}
	for p, i := range q.activePoints {
		q.activeW[p], q.activeV[p], q.activeR[p], q.activeLo[p], q.activeHi[p] = q.w[i], q.v[i], q.r[i], q.lo[i],
			q.hi[i]
		q.rightOffsets[p], q.leftOffsets[p] = q.slopeOffsets(i)
		q.activeDiagonal[p] = q.k.At(i, i) + q.r[i]
	}
	if !slices.Equal(q.activePoints, q.oldActivePoints) {
		q.fillActiveK()
	}
}

// slopeOffsets returns two numbers: v_i + right is the slope of D to the right of w_i, v_i + left the slope to the
// left. right is −∞ if w_i is at its upper bound; left is +∞ if w_i is at its lower bound.
func (q *boxQP) slopeOffsets(i int) (right, left float64) {
	return slopeOffsets(q.w[i], q.lo[i], q.hi[i], q.epsilon)
}

// slopeOffsets returns the offsets for one point with coefficient w and bounds lo and hi.
func slopeOffsets(w, lo, hi, eps float64) (right, left float64) {
	right, left = -eps, eps
	if w < 0 {
		right = eps
	}
	if w > 0 {
		left = -eps
	}
	if w >= hi {
		right = math.Inf(-1)
	}
	if w <= lo {
		left = math.Inf(1)
	}
	return right, left
}

// deactivatePoints deactivates the points that belong to no violating pair, if they are more than a quarter of the
// active points. maxRightSlope is the largest slope of D to the right, minLeftSlope the smallest slope to the left.
func (q *boxQP) deactivatePoints(maxRightSlope, minLeftSlope float64) {
	oldCount := len(q.activePoints)
	q.keptIndices = q.keptIndices[:0]
	for p, v := range q.activeV {
		if v+q.rightOffsets[p] >= minLeftSlope || v+q.leftOffsets[p] <= maxRightSlope {
			q.keptIndices = append(q.keptIndices, p)
		}
	}
	n := len(q.keptIndices)
	if oldCount-n <= oldCount/4 {
		return
	}
	q.storeActiveW()
	for to, p := range q.keptIndices {
		q.activePoints[to] = q.activePoints[p]
	}
	q.activePoints = q.activePoints[:n]
	for _, x := range [...]*[]float64{&q.activeW, &q.activeV, &q.activeR, &q.activeLo, &q.activeHi, &q.rightOffsets,
		&q.leftOffsets, &q.activeDiagonal} {
		for to, p := range q.keptIndices {
			(*x)[to] = (*x)[p]
		}
		*x = (*x)[:n]
	}
	q.compactActiveK(q.keptIndices, oldCount)
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
func (q *boxQP) optimizePairs(ctx context.Context, relativeGap float64) {
	defer q.storeActiveW()
	if len(q.activePoints) < 2 {
		return
	}
	minCurvature := 1e-14 * q.maxDiagonal // lower limit of η
	if minCurvature == 0 {                // K = 0: steps end at the bounds
		minCurvature = 1e-300
	}
	i, slope := q.steepestPoint()
	iteration, lastShrinkIteration := 0, 0 // iterations of this call: so far, and at the last try to deactivate
	nextCheck, lastCheck, lastGap := 0, 0, 0.0
	for ; q.iterations < q.iterationLimit; q.iterations++ {
		if i < 0 {
			return
		}
		if iteration == nextCheck {
			minLeftSlope := q.minLeftSlope()
			gap := q.activeGapAt(slope + (minLeftSlope-slope)/2)
			targetGap := relativeGap * math.Abs(q.dualValue+gap)
			if gap <= targetGap || slope <= minLeftSlope || ctx.Err() != nil {
				return
			}
			intervalLimit := float64(min(max(iteration/4, minInterval), maxInterval))
			nextCheck += int(min(max(remainingIterations(iteration-lastCheck, lastGap, gap, targetGap), minInterval),
				intervalLimit))
			lastCheck, lastGap = iteration, gap
			if iteration-lastShrinkIteration >= shrinkInterval || iteration == 0 && q.iterations > 0 {
				lastShrinkIteration = iteration
				q.deactivatePoints(slope, minLeftSlope)
				i, slope = q.steepestPoint()
			}
			if q.interior.shouldRun(q) {
				q.interior.runsNext = true
				return
			}
			if q.newton.shouldStep(q) {
				q.newton.takeSteps(q, relativeGap)
				i, slope = q.steepestPoint()
				if i < 0 {
					return
				}
			}
		}
		iteration++
		ki := q.kernelRow(i)
		j, slopeDiff := q.bestPartner(i, slope, minCurvature, ki)
		if j < 0 {
			return
		}
		kj := q.kernelRow(j)
		t := q.movePair(i, j, slopeDiff, max(q.activeDiagonal[i]+q.activeDiagonal[j]-2*ki[j], minCurvature))
		if t == 0 {
			return // the step is below rounding
		}
		i, slope = q.updateSlopes(t, ki, kj)
	}
}

// movePair moves w_i up and w_j down by the step that maximizes the gain of the pair within the bounds. It returns the
// step, or 0 if it is below rounding. slopeDiff is g_i − g_j, and curvature is η: see optimizePairs.
func (q *boxQP) movePair(i, j int, slopeDiff, curvature float64) (step float64) {
	upper, lower := q.activeHi[i], q.activeLo[j] // w_i and w_j stop at a bound or, if ε > 0, at the kink 0
	if q.epsilon > 0 && q.activeW[i] < 0 {
		upper = 0
	}
	if q.epsilon > 0 && q.activeW[j] > 0 {
		lower = 0
	}
	a, b := upper-q.activeW[i], q.activeW[j]-lower
	step = min(slopeDiff/curvature, a, b)
	wi, wj := q.activeW[i]+step, q.activeW[j]-step
	if step == a {
		wi = upper
	}
	if step == b {
		wj = lower
	}
	if wi == q.activeW[i] && wj == q.activeW[j] {
		return 0
	}
	q.dualValue += step * (slopeDiff - step*curvature/2)
	q.activeW[i], q.activeW[j] = wi, wj
	q.activeV[i] -= q.activeR[i] * step
	q.activeV[j] += q.activeR[j] * step
	q.updateSlopeOffsets(i)
	q.updateSlopeOffsets(j)
	return step
}

// remainingIterations returns the number of iterations that bring the gap to targetGap if it continues to shrink at the
// rate of the last iterations, in which it shrank from lastGap to gap. It returns +Inf if the gap did not shrink.
func remainingIterations(iterations int, lastGap, gap, targetGap float64) float64 {
	logShrinkage := math.Log(lastGap / gap)
	if !(logShrinkage > 0) || !(targetGap > 0) {
		return math.Inf(1)
	}
	return float64(iterations) * math.Log(gap/targetGap) / logShrinkage
}

// storeActiveW copies the w of the active points to q.w.
func (q *boxQP) storeActiveW() {
	for p, i := range q.activePoints {
		q.w[i] = q.activeW[p]
	}
}

// updateSlopeOffsets updates the slope offsets of an active point after its w changed.
func (q *boxQP) updateSlopeOffsets(activeIndex int) {
	p := activeIndex
	q.rightOffsets[p], q.leftOffsets[p] = slopeOffsets(q.activeW[p], q.activeLo[p], q.activeHi[p], q.epsilon)
}

// steepestPoint returns the active point with the largest slope of D to the right, and that slope. It returns −1 if
// every point is at its upper bound.
func (q *boxQP) steepestPoint() (activeIndex int, slope float64) {
	steepest, steepestSlope := -1, math.Inf(-1)
	for p, v := range q.activeV {
		if x := v + q.rightOffsets[p]; x > steepestSlope {
			steepest, steepestSlope = p, x
		}
	}
	return steepest, steepestSlope
}

// minLeftSlope returns the smallest slope of D to the left of an active point.
func (q *boxQP) minLeftSlope() float64 {
	b := math.Inf(1)
	for p, v := range q.activeV {
		b = min(b, v+q.leftOffsets[p])
	}
	return b
}

// updateSlopes subtracts step·(rowI − rowJ), with two rows of K, from v, after w_i has grown and w_j has fallen by
// step. It returns the result of steepestPoint.
func (q *boxQP) updateSlopes(step float64, rowI, rowJ []float64) (activeIndex int, slope float64) {
	v := q.activeV
	rowI, rowJ, up := rowI[:len(v)], rowJ[:len(v)], q.rightOffsets[:len(v)]
	steepest, steepestSlope := -1, math.Inf(-1)
	for p, x := range v {
		x -= step * (rowI[p] - rowJ[p])
		v[p] = x
		if x += up[p]; x > steepestSlope {
			steepest, steepestSlope = p, x
		}
	}
	return steepest, steepestSlope
}

// bestPartner returns the active point j with the largest gain of the pair i, j, and the slope of i to the right minus
// the slope of j to the left. It returns −1 if there is no violating pair with i. slope is the slope of i to the right,
// minCurvature the lower limit of η (see optimizePairs), and rowI the row of K of point i.
func (q *boxQP) bestPartner(i int, slope, minCurvature float64, rowI []float64) (j int, slopeDiff float64) {
	v := q.activeV
	rowI, leftOffsets, diagonal := rowI[:len(v)], q.leftOffsets[:len(v)], q.activeDiagonal[:len(v)]
	bestIndex, bestNum, bestDen, bestDiff, diagonalI := -1, 0.0, 1.0, 0.0, diagonal[i]
	for p, x := range v {
		// d = max(slope − x − leftOffsets[p], 0): the sign bit of the difference clears all its bits, without a branch,
		// which would be taken half of the time
		diffBits := int64(math.Float64bits(slope - (x + leftOffsets[p])))
		d := math.Float64frombits(uint64(diffBits &^ (diffBits >> 63)))
		eta := diagonalI + diagonal[p] - 2*rowI[p]
		if eta < minCurvature {
			eta = minCurvature
		}
		if d2 := d * d; d2*bestDen > bestNum*eta && p != i {
			bestIndex, bestNum, bestDen, bestDiff = p, d2, eta, d
		}
	}
	return bestIndex, bestDiff
}

// activeGapAt returns the sum of the terms of P − D of the active points (see boxQP) at this bias.
func (q *boxQP) activeGapAt(bias float64) float64 {
	gapSum := 0.0
	for p, v := range q.activeV {
		w, i := q.activeW[p], q.activePoints[p]
		x := v + q.activeR[p]*w - bias
		gapSum += q.riskAt(i, x) - w*x + q.epsilon*math.Abs(w) + q.activeR[p]*w*w/2
	}
	return gapSum
}
