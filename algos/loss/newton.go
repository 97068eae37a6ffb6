package loss

import (
	"context"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// newton takes Newton steps in the w of the free points F and keeps the other w fixed. A point is free if its w is
// strictly between its bounds and not at the kink of ε|w|. With the gradient g of D at w, a step d solves
//
//	max gᵀd − ½ dᵀHd,  Σd = 0,   H = K_FF + diag r + δI,
//
// where K_FF has the rows and columns of F. δ is of the order of rounding, so that a singular K_FF has a Cholesky
// factor; the step is then a step of the proximal point method.
//
// If w + d violates a bound, newton projects w + d, w + d/2, … onto the bounds. It takes the first projection that
// gains more than the step td with the largest t at which w + td is within the bounds. If no projection does, it takes
// td.
type newton struct {
	free      []int        // F, as indices into the slices of active points of box
	h         mat.SymDense // K_FF + diag r
	chol      linalg.Cholesky
	g, d      []float64 // gradient of D, step
	ones      []float64 // H⁻¹1
	hd        []float64 // result of quadraticForm
	start     []float64 // w before the step
	trial     []float64 // scratch storage
	lo, hi    []float64 // ends of the intervals on which D is smooth
	lastIters int       // box.iters at the last step
	patience  float64   // time between two steps, as a multiple of the cost of a step
}

// reset prepares o for a new solve that ctx can stop.
func (o *newton) reset(ctx context.Context) {
	o.lastIters, o.patience = 0, 1
	if o.chol.Done = ctx.Done(); o.chol.Done == nil {
		o.chol.Done = never // Cholesky divides its work differently if Done is nil; the last bits would differ
	}
}

// never is a channel that is never closed.
var never = make(chan struct{})

// isClosed reports whether the channel is closed.
func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// smoothInterval returns the ends of the interval around the w of active point p on which D is smooth, and reports
// whether p is free, that is, whether w is strictly inside.
func (q *box) smoothInterval(p int) (lo, hi float64, isFree bool) {
	w := q.aw[p]
	lo, hi = q.alo[p], q.ahi[p]
	if q.eps > 0 {
		if w > 0 {
			lo = 0
		} else {
			hi = 0
		}
	}
	return lo, hi, w > lo && w < hi
}

// isDue reports whether to take Newton steps now: the iterations since the last Newton step have taken at least
// patience times as long as a step takes, and the interior-point method will not take over. An iteration costs two
// passes over the active points. A step costs a factorization, in which a multiplication takes a tenth of the time that
// a pass needs for one point.
func (o *newton) isDue(q *box) bool {
	m := 0
	for p := range q.aw {
		if _, _, ok := q.smoothInterval(p); ok {
			m++
		}
	}
	if m < 2 {
		return false
	}
	f, n := float64(m), float64(len(q.active))
	cost := f*f*f/30 + 4*f*f + f*n/2
	return float64(q.iters-o.lastIters)*(2*n+100) > o.patience*cost && !q.interior.willTakeOver(q, m)
}

// takeSteps takes up to 10 Newton steps. It ends after a step that no bound shortened, after a step without gain, or if
// the context ends. It halves patience if the steps gained more than 1 % of the gap that optimizePairs aims at,
// relativeGap times D, and multiplies it by 4 otherwise.
func (o *newton) takeSteps(q *box, relativeGap float64) {
	gained := 0.0
	for range 10 {
		gain, isLast := o.takeStep(q)
		gained += gain
		if isLast || gain == 0 || isClosed(o.chol.Done) {
			break
		}
	}
	o.lastIters = q.iters
	q.iters++
	q.dual += gained
	if gained > 0.01*relativeGap*math.Abs(q.dual) {
		o.patience = max(o.patience/2, 0.25)
	} else {
		o.patience = min(o.patience*4, 16)
	}
}

// takeStep takes one step and returns the gain in D. isLast is true if no bound shortened the step or if no step was
// possible, so that another step would gain nothing.
func (o *newton) takeStep(q *box) (gain float64, isLast bool) {
	o.free = o.free[:0]
	for p := range q.aw {
		if _, _, ok := q.smoothInterval(p); ok {
			o.free = append(o.free, p)
		}
	}
	m := len(o.free)
	if m < 2 {
		return 0, true
	}
	for _, x := range [...]*[]float64{&o.g, &o.d, &o.ones, &o.hd, &o.start, &o.trial, &o.lo, &o.hi} {
		*x = resize(*x, m)
	}
	o.h.Reset()
	o.h.ReuseAsSym(m)
	h := o.h.RawSymmetric()
	for a, p := range o.free {
		line, to := q.storedRow(p), h.Data[a*h.Stride:]
		for b := a; b < m; b++ {
			to[b] = line[q.active[o.free[b]]]
		}
		to[a] += q.ar[p]
		o.start[a] = q.aw[p]
		o.lo[a], o.hi[a], _ = q.smoothInterval(p)
		o.g[a] = q.av[p] + q.up[p]
	}
	o.chol.Threads = q.threads
	ok := false
	for shift := 1e-14 * q.maxDiag * float64(m); !ok; shift *= 100 {
		if shift > q.maxDiag || !(shift > 0) || isClosed(o.chol.Done) {
			return 0, true
		}
		ok = o.chol.Factorize(&o.h, shift)
	}
	o.computeDirection()
	gd, dhd := floats.Dot(o.g, o.d), o.quadraticForm(o.d)
	if !(gd > 0) {
		return 0, true
	}
	t := 1.0 // the step length with the largest gain
	if dhd > 0 {
		t = gd / dhd
	}
	longest, blocking := t, -1 // the largest step length within the bounds, and the point that limits it
	for a, d := range o.d {
		room := math.Inf(1)
		switch {
		case d > 0:
			room = (o.hi[a] - o.start[a]) / d
		case d < 0:
			room = (o.lo[a] - o.start[a]) / d
		}
		if room < longest {
			longest, blocking = room, a
		}
	}
	gain = longest * (gd - longest*dhd/2)
	if blocking < 0 {
		floats.Scale(longest, o.d)
		o.applyStep(q, -1)
		return max(gain, 0), true
	}
	// try the projections of the step and of its halves
	for s, n := t, 0; n < 4 && s > longest; s, n = s/2, n+1 {
		for a, d := range o.d {
			o.trial[a] = o.start[a] + s*d
		}
		projectOntoBox(o.trial, o.lo, o.hi, floats.Sum(o.start))
		floats.Sub(o.trial, o.start)
		if projectedGain := floats.Dot(o.g, o.trial) - o.quadraticForm(o.trial)/2; projectedGain > gain {
			copy(o.d, o.trial)
			o.applyStep(q, -1)
			return projectedGain, false
		}
	}
	floats.Scale(longest, o.d)
	o.applyStep(q, blocking)
	return max(gain, 0), false
}

// computeDirection stores in o.d the maximizer of gᵀd − ½ dᵀHd subject to Σd = 0: see newton.
func (o *newton) computeDirection() {
	for a := range o.ones {
		o.ones[a] = 1
	}
	o.chol.SolveVec(o.ones, o.ones)
	sum := floats.Sum(o.ones)
	mean := floats.Sum(o.g) / float64(len(o.g))
	for a, g := range o.g {
		o.d[a] = g - mean
	}
	o.chol.SolveVec(o.d, o.d)
	floats.AddScaled(o.d, -floats.Sum(o.d)/sum, o.ones)
	// iterative refinement corrects the error that δ adds to H, and the rounding errors
	for range 2 {
		o.quadraticForm(o.d)
		for a, g := range o.g {
			o.trial[a] = g - mean - o.hd[a]
		}
		residualMean := floats.Sum(o.trial) / float64(len(o.trial))
		for a := range o.trial {
			o.trial[a] -= residualMean
		}
		o.chol.SolveVec(o.trial, o.trial)
		floats.AddScaled(o.trial, -floats.Sum(o.trial)/sum, o.ones)
		if !(floats.Norm(o.trial, 2) < 0.5*floats.Norm(o.d, 2)) {
			break
		}
		floats.Add(o.d, o.trial)
	}
	meanStep := floats.Sum(o.d) / float64(len(o.d)) // 0 up to rounding
	for a := range o.d {
		o.d[a] -= meanStep
	}
}

// quadraticForm returns xᵀhx and stores hx in o.hd, with h = K_FF + diag r.
func (o *newton) quadraticForm(x []float64) float64 {
	linalg.SymMulVec(o.hd, &o.h, x)
	return floats.Dot(x, o.hd)
}

// applyStep adds d to the w of the free points and updates v. blocking is the index in F of the point that the step
// moves exactly to its bound, or −1.
func (o *newton) applyStep(q *box, blocking int) {
	for a, p := range o.free {
		d := o.d[a]
		w := clip(o.start[a]+d, o.lo[a], o.hi[a])
		if a == blocking {
			w = o.hi[a]
			if d < 0 {
				w = o.lo[a]
			}
		}
		d = w - o.start[a]
		if d == 0 {
			continue
		}
		q.aw[p] = w
		linalg.Axpy(-d, q.kernelRow(p), q.av)
		q.av[p] -= q.ar[p] * d
		q.updateSlopeOffsets(p)
	}
}
