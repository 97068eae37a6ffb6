package loss

import (
	"context"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
)

const (
	// Iterations between two checks of the gap and the context: at most a quarter of those so far, within these limits.
	minInterval, maxInterval = 8, 64
	shrinkInterval           = 500 // iterations between two attempts to deactivate points
)

// selectActivePoints makes a point active if it belongs to a violating pair: a pair i, j such that the dual objective D
// grows if w_i grows and w_j falls by the same amount. It copies the values of active points to shorter slices.
func (q *boxQP) selectActivePoints() {
	q.oldActivePoints = append(q.oldActivePoints[:0], q.activePoints...)
	q.activePoints = q.activePoints[:0]
	maxSlopeIfRaised, minSlopeIfLowered := math.Inf(-1), math.Inf(1)
	for i, w := range q.w {
		offsetIfRaised, offsetIfLowered := computeSlopeOffsets(w, q.lo[i], q.hi[i], q.epsilon)
		maxSlopeIfRaised = max(maxSlopeIfRaised, q.slopes[i]+offsetIfRaised)
		minSlopeIfLowered = min(minSlopeIfLowered, q.slopes[i]+offsetIfLowered)
	}
	for i, w := range q.w {
		offsetIfRaised, offsetIfLowered := computeSlopeOffsets(w, q.lo[i], q.hi[i], q.epsilon)
		if q.slopes[i]+offsetIfRaised >= minSlopeIfLowered || q.slopes[i]+offsetIfLowered <= maxSlopeIfRaised {
			q.activePoints = append(q.activePoints, i)
		}
	}
	n := len(q.activePoints)
	for _, x := range []*[]float64{&q.activeW, &q.activeSlopes, &q.activeRidge, &q.activeLower, &q.activeUpper,
		&q.slopeOffsetsIfRaised, &q.slopeOffsetsIfLowered, &q.activeDiagonal} {
		*x = linalg.Resize(*x, n)
	}
	for p, i := range q.activePoints {
		q.activeW[p], q.activeSlopes[p], q.activeRidge[p] = q.w[i], q.slopes[i], q.r[i]
		q.activeLower[p], q.activeUpper[p] = q.lo[i], q.hi[i]
		q.updateSlopeOffsets(p)
		q.activeDiagonal[p] = q.k.At(i, i) + q.r[i]
	}
	if !slices.Equal(q.activePoints, q.oldActivePoints) {
		q.fillActiveK()
	}
}

// computeSlopeOffsets returns the slope of −ε|w|, a part of D, if w is raised (−∞ at hi) and if it falls (+∞ at lo).
func computeSlopeOffsets(w, lo, hi, epsilon float64) (offsetIfRaised, offsetIfLowered float64) {
	offsetIfRaised, offsetIfLowered = -epsilon, epsilon
	if w < 0 {
		offsetIfRaised = epsilon
	}
	if w > 0 {
		offsetIfLowered = -epsilon
	}
	if w >= hi {
		offsetIfRaised = math.Inf(-1)
	}
	if w <= lo {
		offsetIfLowered = math.Inf(1)
	}
	return offsetIfRaised, offsetIfLowered
}

// deactivatePoints deactivates the points that belong to no violating pair, if they are more than a quarter of the
// active points. maxSlopeIfRaised is the largest right derivative of D in an active w_i, minSlopeIfLowered the smallest
// left derivative in an active w_j. A pair i, j is violating if the right one in w_i exceeds the left one in w_j.
func (q *boxQP) deactivatePoints(maxSlopeIfRaised, minSlopeIfLowered float64) {
	oldCount := len(q.activePoints)
	q.keptIndices = q.keptIndices[:0]
	for p, v := range q.activeSlopes {
		if v+q.slopeOffsetsIfRaised[p] >= minSlopeIfLowered || v+q.slopeOffsetsIfLowered[p] <= maxSlopeIfRaised {
			q.keptIndices = append(q.keptIndices, p)
		}
	}
	n := len(q.keptIndices)
	if oldCount-n <= oldCount/4 {
		return
	}
	q.copyActiveWToAllPoints()
	for to, p := range q.keptIndices {
		q.activePoints[to] = q.activePoints[p]
	}
	q.activePoints = q.activePoints[:n]
	for _, x := range [...]*[]float64{&q.activeW, &q.activeSlopes, &q.activeRidge, &q.activeLower, &q.activeUpper,
		&q.slopeOffsetsIfRaised, &q.slopeOffsetsIfLowered, &q.activeDiagonal} {
		for to, p := range q.keptIndices {
			(*x)[to] = (*x)[p]
		}
		*x = (*x)[:n]
	}
	q.compactActiveK(q.keptIndices, oldCount)
}

// optimizePairs maximizes the dual objective D over the active points and stores their w. It ends if the gap of the
// active points is at most relativeGap times the primal value. The method is sequential minimal optimization with
// working set selection WSS 2 of Fan, Chen and Lin (2005). Point i has the largest slope g_i of D if w_i grows. Point
// j, with the slope g_j if w_j falls, maximizes the gain of moving w_i up and w_j down by the same amount,
//
//	(g_i − g_j)²/(2η),   η = K_ii + K_jj − 2K_ij + r_i + r_j with the ridges r.
//
// optimizePairs deactivates points at a bound that cannot be in a violating pair. When its iterations have taken as
// long as a Newton step on the free points, it takes Newton steps.
//
// R.-E. Fan, P.-H. Chen, C.-J. Lin, Working set selection using second order information for training SVM, JMLR 2005.
func (q *boxQP) optimizePairs(ctx context.Context, relativeGap float64) {
	defer q.copyActiveWToAllPoints()
	if len(q.activePoints) < 2 {
		return
	}
	minCurvature := 1e-14 * q.maxDiagonal // lower limit of the curvature η of a pair
	if minCurvature == 0 {                // K = 0: without curvature, only bounds end a step
		minCurvature = 1e-300
	}
	i, slope := q.findSteepestPoint()
	iteration, lastShrinkIteration := 0, 0 // iterations in this call, and before the last attempt to deactivate points
	nextCheck, lastCheckAt, lastGap := 0, 0, 0.0
	for ; q.iterations < q.iterationLimit; q.iterations++ {
		if i < 0 {
			return
		}
		if iteration == nextCheck {
			minSlopeIfLowered := q.minSlopeIfLowered()
			gap := q.computeGapOfActivePoints(slope + (minSlopeIfLowered-slope)/2)
			targetGap := relativeGap * math.Abs(q.dualValue+gap)
			if gap <= targetGap || slope <= minSlopeIfLowered || ctx.Err() != nil {
				return
			}
			maxCheckInterval := float64(min(max(iteration/4, minInterval), maxInterval))
			nextCheck += int(min(max(remainingIterations(iteration-lastCheckAt, lastGap, gap, targetGap), minInterval),
				maxCheckInterval))
			lastCheckAt, lastGap = iteration, gap
			if iteration-lastShrinkIteration >= shrinkInterval || iteration == 0 && q.iterations > 0 {
				lastShrinkIteration = iteration
				q.deactivatePoints(slope, minSlopeIfLowered)
				i, slope = q.findSteepestPoint()
			}
			if q.interior.shouldRun(q) {
				q.interior.takesOverNext = true
				return
			}
			if q.newton.shouldStep(q) {
				q.newton.takeSteps(q, relativeGap)
				i, slope = q.findSteepestPoint()
				if i < 0 {
					return
				}
			}
		}
		iteration++
		ki := q.kernelRow(i)
		j, slopeDiff := q.findBestPartner(i, slope, minCurvature, ki)
		if j < 0 {
			return
		}
		kj := q.kernelRow(j)
		t := q.movePair(i, j, slopeDiff, max(q.activeDiagonal[i]+q.activeDiagonal[j]-2*ki[j], minCurvature))
		if t == 0 {
			return // the step is below rounding
		}
		i, slope = q.updateSlopesAndFindSteepest(t, ki, kj)
	}
}

// movePair moves w_i up and w_j down by the step that maximizes the gain of the pair within the bounds. It returns the
// step, or 0 if it is below rounding. slopeDiff is the slope of D along the step, and curvature how fast it falls.
func (q *boxQP) movePair(i, j int, slopeDiff, curvature float64) (step float64) {
	upper, lower := q.activeUpper[i], q.activeLower[j] // a w stops at its bound or, if ε > 0, at the kink of ε|w| in 0
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
	q.activeSlopes[i] -= q.activeRidge[i] * step
	q.activeSlopes[j] += q.activeRidge[j] * step
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

func (q *boxQP) copyActiveWToAllPoints() {
	for p, i := range q.activePoints {
		q.w[i] = q.activeW[p]
	}
}

func (q *boxQP) updateSlopeOffsets(activeIndex int) {
	p := activeIndex
	q.slopeOffsetsIfRaised[p], q.slopeOffsetsIfLowered[p] = computeSlopeOffsets(q.activeW[p], q.activeLower[p],
		q.activeUpper[p], q.epsilon)
}

// findSteepestPoint returns the active point with the largest slope of the dual objective D if its w grows, and that
// slope. It returns −1 if every point is at its upper bound.
func (q *boxQP) findSteepestPoint() (activeIndex int, slope float64) {
	steepestIndex, steepestSlope := -1, math.Inf(-1)
	for p, v := range q.activeSlopes {
		if x := v + q.slopeOffsetsIfRaised[p]; x > steepestSlope {
			steepestIndex, steepestSlope = p, x
		}
	}
	return steepestIndex, steepestSlope
}

// minSlopeIfLowered returns the smallest left derivative of the dual objective D in the w_i of an active point.
func (q *boxQP) minSlopeIfLowered() float64 {
	b := math.Inf(1)
	for p, v := range q.activeSlopes {
		b = min(b, v+q.slopeOffsetsIfLowered[p])
	}
	return b
}

// updateSlopesAndFindSteepest subtracts step·(rowI − rowJ), with two rows of K, from the slopes of D, after w_i has
// grown and w_j has fallen by step. It returns the active point with the largest slope if its w grows, and that slope.
func (q *boxQP) updateSlopesAndFindSteepest(step float64, rowI, rowJ []float64) (activeIndex int, slope float64) {
	v := q.activeSlopes
	rowI, rowJ, up := rowI[:len(v)], rowJ[:len(v)], q.slopeOffsetsIfRaised[:len(v)]
	steepestIndex, steepestSlope := -1, math.Inf(-1)
	for p, x := range v {
		x -= step * (rowI[p] - rowJ[p])
		v[p] = x
		if x += up[p]; x > steepestSlope {
			steepestIndex, steepestSlope = p, x
		}
	}
	return steepestIndex, steepestSlope
}

// findBestPartner returns the active point j for which a step of the pair (i, j) increases D most, and slopeDiff:
// slope, the right derivative of D in w_i, minus the left derivative in w_j. It returns −1 if there is no violating
// pair with i. minCurvature is the lower limit of the curvature of a pair, and rowI the row of K of point i.
func (q *boxQP) findBestPartner(i int, slope, minCurvature float64, rowI []float64) (j int, slopeDiff float64) {
	v := q.activeSlopes
	rowI, offsetsIfLowered, diagonal := rowI[:len(v)], q.slopeOffsetsIfLowered[:len(v)], q.activeDiagonal[:len(v)]
	bestIndex, bestNum, bestDen, bestSlopeDiff, diagonalI := -1, 0.0, 1.0, 0.0, diagonal[i]
	for p, x := range v {
		// d = max(slope − x − lowerOffsets[p], 0) without a branch, which would be mispredicted half of the time:
		// the sign bit of a negative difference clears all bits of the difference
		diffBits := int64(math.Float64bits(slope - (x + offsetsIfLowered[p])))
		d := math.Float64frombits(uint64(diffBits &^ (diffBits >> 63)))
		curvature := diagonalI + diagonal[p] - 2*rowI[p]
		if curvature < minCurvature {
			curvature = minCurvature
		}
		if d2 := d * d; d2*bestDen > bestNum*curvature && p != i {
			bestIndex, bestNum, bestDen, bestSlopeDiff = p, d2, curvature, d
		}
	}
	return bestIndex, bestSlopeDiff
}

// computeGapOfActivePoints returns the part of the duality gap that the active points contribute at this bias.
func (q *boxQP) computeGapOfActivePoints(bias float64) float64 {
	gapSum := 0.0
	for p, v := range q.activeSlopes {
		w, i := q.activeW[p], q.activePoints[p]
		x := v + q.activeRidge[p]*w - bias
		gapSum += q.riskAt(i, x) - w*x + q.epsilon*math.Abs(w) + q.activeRidge[p]*w*w/2
	}
	return gapSum
}
