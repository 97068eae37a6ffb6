package loss

import (
	"context"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// newtonSteps takes Newton steps in the w of the free points F and keeps the other w fixed. A point is free if its w is
// strictly between its bounds and not at the kink of ε|w|. With the gradient g of the dual objective D, a step d solves
//
//	max gᵀd − ½ dᵀHd,  Σd = 0,   H = K_FF + diag r + δI,
//
// where K_FF has the rows and columns of F, and r are the ridges. δ is of the order of rounding, so that a singular
// K_FF has a Cholesky factor; the step is then a step of the proximal point method.
//
// If w + d violates a bound, let t < 1 be the largest number with w + td within the bounds. newtonSteps projects w + d,
// w + d/2, … onto the bounds and takes the first projection with a larger D than w + td, or w + td if there is none.
type newtonSteps struct {
	freeIndices          []int        // the free points, as indices into the slices of active points of boxQP
	h                    mat.SymDense // H − δI: the rows and columns of K + diag(r) of the free points
	chol                 linalg.Cholesky
	g, d                 []float64 // gradient of the dual objective D in the w of the free points; step
	hInvOnes             []float64 // H⁻¹ times the vector of ones, with H = h + δI of the step
	hd                   []float64 // the last product of h with a vector
	startW               []float64 // w before the step
	trialStep            []float64 // scratch storage
	lo, hi               []float64 // ends of the interval of each w on which D is smooth
	iterationsAtLastStep int       // boxQP.iterations when the last step was taken
	waitFactor           float64   // least time between two steps, as a multiple of the cost of a step
}

func (o *newtonSteps) prepareForSolve(ctx context.Context) {
	o.iterationsAtLastStep, o.waitFactor = 0, 1
	if o.chol.Done = ctx.Done(); o.chol.Done == nil {
		o.chol.Done = never // with a nil Done, Cholesky would divide its work differently and change last bits
	}
}

var never = make(chan struct{})

func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// findSmoothInterval returns the ends of the interval around the w of an active point on which the dual objective D is
// smooth, and reports whether the point is free, that is, whether w is strictly inside.
func (q *boxQP) findSmoothInterval(activeIndex int) (lo, hi float64, isFree bool) {
	w := q.activeW[activeIndex]
	lo, hi = q.activeLower[activeIndex], q.activeUpper[activeIndex]
	if q.epsilon > 0 {
		if w > 0 {
			lo = 0
		} else {
			hi = 0
		}
	}
	return lo, hi, w > lo && w < hi
}

// shouldStep reports whether to take Newton steps now: the iterations since the last Newton step have taken at least
// waitFactor times as long as a step takes, and the interior-point method will not take over. Times
// are estimated in passes over one active point. An iteration makes two passes over all active points. A multiplication
// in the factorization of a step takes a tenth of a pass.
func (o *newtonSteps) shouldStep(q *boxQP) bool {
	freeCount := 0
	for p := range q.activeW {
		if _, _, ok := q.findSmoothInterval(p); ok {
			freeCount++
		}
	}
	if freeCount < 2 {
		return false
	}
	f, n := float64(freeCount), float64(len(q.activePoints))
	stepCost := f*f*f/30 + 4*f*f + f*n/2
	return float64(q.iterations-o.iterationsAtLastStep)*(2*n+100) > o.waitFactor*stepCost &&
		!q.interior.willReplaceNewton(q, freeCount)
}

// takeSteps takes up to 10 Newton steps. It ends after a step that no bound shortened, after a step without gain, or if
// the context ends. waitFactor delays the next steps: takeSteps halves it if the steps gained more than 1 % of
// relativeGap·D, the gap at which the solver stops, and multiplies it by 4 otherwise.
func (o *newtonSteps) takeSteps(q *boxQP, relativeGap float64) {
	totalGain := 0.0
	for range 10 {
		gain, isLast := o.takeStep(q)
		totalGain += gain
		if isLast || gain == 0 || isClosed(o.chol.Done) {
			break
		}
	}
	o.iterationsAtLastStep = q.iterations
	q.iterations++
	q.dualValue += totalGain
	if totalGain > 0.01*relativeGap*math.Abs(q.dualValue) {
		o.waitFactor = max(o.waitFactor/2, 0.25)
	} else {
		o.waitFactor = min(o.waitFactor*4, 16)
	}
}

// takeStep takes one step and returns the gain of the dual objective D. isLast is true if no bound shortened the step
// or if no step was possible, so that another step would gain nothing.
func (o *newtonSteps) takeStep(q *boxQP) (gain float64, isLast bool) {
	o.freeIndices = o.freeIndices[:0]
	for p := range q.activeW {
		if _, _, ok := q.findSmoothInterval(p); ok {
			o.freeIndices = append(o.freeIndices, p)
		}
	}
	m := len(o.freeIndices)
	if m < 2 {
		return 0, true
	}
	for _, x := range [...]*[]float64{&o.g, &o.d, &o.hInvOnes, &o.hd, &o.startW, &o.trialStep, &o.lo, &o.hi} {
		*x = linalg.Resize(*x, m)
	}
	o.h.Reset()
	o.h.ReuseAsSym(m)
	h := o.h.RawSymmetric()
	for a, p := range o.freeIndices {
		kRow, hessianRow := q.rowOfUpperTriangle(p), h.Data[a*h.Stride:]
		for b := a; b < m; b++ {
			hessianRow[b] = kRow[q.activePoints[o.freeIndices[b]]]
		}
		hessianRow[a] += q.activeRidge[p]
		o.startW[a] = q.activeW[p]
		o.lo[a], o.hi[a], _ = q.findSmoothInterval(p)
		o.g[a] = q.activeSlopes[p] + q.slopeOffsetsIfRaised[p]
	}
	o.chol.Threads = q.threads
	ok := false
	for diagonalShift := 1e-14 * q.maxDiagonal * float64(m); !ok; diagonalShift *= 100 {
		if diagonalShift > q.maxDiagonal || !(diagonalShift > 0) || isClosed(o.chol.Done) {
			return 0, true
		}
		ok = o.chol.Factorize(&o.h, diagonalShift)
	}
	o.computeDirection()
	slope, curvature := floats.Dot(o.g, o.d), o.curvatureAlong(o.d)
	if !(slope > 0) {
		return 0, true
	}
	t := 1.0 // the step length that increases D most
	if curvature > 0 {
		t = slope / curvature
	}
	maxStepLength, blockingIndex := t, -1 // the largest step length within the bounds, and the point that limits it
	for a, d := range o.d {
		lengthToBound := math.Inf(1)
		switch {
		case d > 0:
			lengthToBound = (o.hi[a] - o.startW[a]) / d
		case d < 0:
			lengthToBound = (o.lo[a] - o.startW[a]) / d
		}
		if lengthToBound < maxStepLength {
			maxStepLength, blockingIndex = lengthToBound, a
		}
	}
	gain = maxStepLength * (slope - maxStepLength*curvature/2)
	if blockingIndex < 0 {
		floats.Scale(maxStepLength, o.d)
		o.applyStep(q, -1)
		return max(gain, 0), true
	}
	// try the projections of the step, and of the step halved up to three times, onto the bounds and Σd = 0
	for s, n := t, 0; n < 4 && s > maxStepLength; s, n = s/2, n+1 {
		for a, d := range o.d {
			o.trialStep[a] = o.startW[a] + s*d
		}
		projectOntoBoxWithSum(o.trialStep, o.lo, o.hi, floats.Sum(o.startW))
		floats.Sub(o.trialStep, o.startW)
		if gainOfProjection := floats.Dot(o.g, o.trialStep) - o.curvatureAlong(o.trialStep)/2; gainOfProjection > gain {
			copy(o.d, o.trialStep)
			o.applyStep(q, -1)
			return gainOfProjection, false
		}
	}
	floats.Scale(maxStepLength, o.d)
	o.applyStep(q, blockingIndex)
	return max(gain, 0), false
}

// computeDirection stores in o.d the maximizer of gᵀd − ½ dᵀHd, the quadratic model of D at w, subject to Σd = 0.
func (o *newtonSteps) computeDirection() {
	for a := range o.hInvOnes {
		o.hInvOnes[a] = 1
	}
	o.chol.SolveVec(o.hInvOnes, o.hInvOnes)
	sumHInvOnes := floats.Sum(o.hInvOnes)
	gradientMean := floats.Sum(o.g) / float64(len(o.g))
	for a, g := range o.g {
		o.d[a] = g - gradientMean
	}
	o.chol.SolveVec(o.d, o.d)
	floats.AddScaled(o.d, -floats.Sum(o.d)/sumHInvOnes, o.hInvOnes)
	// iterative refinement with h corrects the error of δI in H = h + δI, and rounding; trialStep holds the residual
	for range 2 {
		o.curvatureAlong(o.d)
		for a, g := range o.g {
			o.trialStep[a] = g - gradientMean - o.hd[a]
		}
		residualMean := floats.Sum(o.trialStep) / float64(len(o.trialStep))
		for a := range o.trialStep {
			o.trialStep[a] -= residualMean
		}
		o.chol.SolveVec(o.trialStep, o.trialStep)
		floats.AddScaled(o.trialStep, -floats.Sum(o.trialStep)/sumHInvOnes, o.hInvOnes)
		if !(floats.Norm(o.trialStep, 2) < 0.5*floats.Norm(o.d, 2)) {
			break
		}
		floats.Add(o.d, o.trialStep)
	}
	meanStep := floats.Sum(o.d) / float64(len(o.d)) // 0 up to rounding, because Σd = 0
	for a := range o.d {
		o.d[a] -= meanStep
	}
}

// curvatureAlong returns xᵀhx and stores hx in o.hd, for the matrix h of o.
func (o *newtonSteps) curvatureAlong(x []float64) float64 {
	linalg.SymMulVec(o.hd, &o.h, x)
	return floats.Dot(x, o.hd)
}

// applyStep adds o.d to the w of the free points and updates the slopes of the active points. blockingIndex is the
// position in freeIndices of the point that the step moves exactly to its bound, or −1.
func (o *newtonSteps) applyStep(q *boxQP, blockingIndex int) {
	for a, p := range o.freeIndices {
		d := o.d[a]
		w := clip(o.startW[a]+d, o.lo[a], o.hi[a])
		if a == blockingIndex {
			w = o.hi[a]
			if d < 0 {
				w = o.lo[a]
			}
		}
		d = w - o.startW[a]
		if d == 0 {
			continue
		}
		q.activeW[p] = w
		linalg.Axpy(-d, q.kernelRow(p), q.activeSlopes)
		q.activeSlopes[p] -= q.activeRidge[p] * d
		q.updateSlopeOffsets(p)
	}
}
