package loss

import (
	"context"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// newton maximizes over the free points and keeps the others fixed. A point is free if it is strictly between its
// bounds and not at the kink of |w|:
//
//	max gᵀd − ½ dᵀHd,  Σd = 0,   H = K_FF + diag r + δI.
//
// δ is of the order of rounding, so that a singular K_FF has a factor. The step is then a step of the proximal point
// method. If the maximizer is outside the box, newton tries the projections of the step and of its repeated halves. It
// takes the first one that gains more than the longest part of the step inside the box. If there is none, it takes that
// part.
type newton struct {
	free       []int // indices among the active points
	h          mat.SymDense
	chol       linalg.Cholesky
	g, d, ones []float64
	hd, at, to []float64
	lo, hi     []float64
	last       int     // value of spent at the last step
	patience   float64 // time before a step, in units of its cost
}

func (o *newton) reset(ctx context.Context) {
	o.last, o.patience = 0, 1
	if o.chol.Done = ctx.Done(); o.chol.Done == nil {
		o.chol.Done = never // the result has the same bits for every context
	}
}

var never = make(chan struct{})

func stopped(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// inside reports whether active point p is free, and returns the ends of the interval around it on which D is smooth.
func (q *box) inside(p int) (lo, hi float64, ok bool) {
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

// due reports whether the pairs have taken at least patience times as long as a step. A pair costs two passes over the
// active points. A step costs a factorization, in which a multiplication takes a tenth of the time that a pass needs
// for one point.
func (o *newton) due(q *box) bool {
	m := 0
	for p := range q.aw {
		if _, _, ok := q.inside(p); ok {
			m++
		}
	}
	if m < 2 {
		return false
	}
	f, n := float64(m), float64(len(q.act))
	cost := f*f*f/30 + 4*f*f + f*n/2
	return float64(q.spent-o.last)*(2*n+100) > o.patience*cost && !q.interior.suits(q, m)
}

// step takes up to 10 Newton steps and adapts patience to their gain. It ends after a whole step, after a step without
// gain, or if the context ends. It returns true.
func (o *newton) step(q *box, aim float64) bool {
	gained := 0.0
	for range 10 {
		gain, whole := o.once(q)
		gained += gain
		if whole || gain == 0 || stopped(o.chol.Done) {
			break
		}
	}
	o.last = q.spent
	q.spent++
	q.dual += gained
	if gained > 0.01*aim*math.Abs(q.dual) {
		o.patience = max(o.patience/2, 0.25)
	} else {
		o.patience = min(o.patience*4, 16)
	}
	return true
}

// once takes one step. It returns the gain, and reports whether the step ended inside the box or no step was possible.
func (o *newton) once(q *box) (gain float64, whole bool) {
	o.free = o.free[:0]
	for p := range q.aw {
		if _, _, ok := q.inside(p); ok {
			o.free = append(o.free, p)
		}
	}
	m := len(o.free)
	if m < 2 {
		return 0, true
	}
	for _, x := range [...]*[]float64{&o.g, &o.d, &o.ones, &o.hd, &o.at, &o.to, &o.lo, &o.hi} {
		*x = resize(*x, m)
	}
	o.h.Reset()
	o.h.ReuseAsSym(m)
	h := o.h.RawSymmetric()
	for a, p := range o.free {
		line, to := q.line(p), h.Data[a*h.Stride:]
		for b := a; b < m; b++ {
			to[b] = line[q.cols[o.free[b]]]
		}
		to[a] += q.ar[p]
		o.at[a] = q.aw[p]
		o.lo[a], o.hi[a], _ = q.inside(p)
		o.g[a] = q.av[p] + q.up[p]
	}
	o.chol.Threads = q.threads
	ok := false
	for shift := 1e-14 * q.top * float64(m); !ok; shift *= 100 {
		if shift > q.top || !(shift > 0) || stopped(o.chol.Done) {
			return 0, true
		}
		ok = o.chol.Factorize(&o.h, shift)
	}
	o.direction()
	gd, dhd := floats.Dot(o.g, o.d), o.form(o.d)
	if !(gd > 0) {
		return 0, true
	}
	t := 1.0 // the step length with the largest gain
	if dhd > 0 {
		t = gd / dhd
	}
	long, block := t, -1
	for a, d := range o.d {
		room := math.Inf(1)
		switch {
		case d > 0:
			room = (o.hi[a] - o.at[a]) / d
		case d < 0:
			room = (o.lo[a] - o.at[a]) / d
		}
		if room < long {
			long, block = room, a
		}
	}
	gain = long * (gd - long*dhd/2)
	if block < 0 {
		floats.Scale(long, o.d)
		o.take(q, -1)
		return max(gain, 0), true
	}
	// try the projections of the step and of its halves
	best := gain
	for s, n := t, 0; n < 4 && s > long; s, n = s/2, n+1 {
		for a, d := range o.d {
			o.to[a] = o.at[a] + s*d
		}
		project(o.to, o.lo, o.hi, floats.Sum(o.at))
		floats.Sub(o.to, o.at)
		if now := floats.Dot(o.g, o.to) - o.form(o.to)/2; now > best {
			best = now
			copy(o.d, o.to)
			o.take(q, -1)
			return best, false
		}
	}
	floats.Scale(long, o.d)
	o.take(q, block)
	return max(gain, 0), false
}

// direction stores the maximizer in d.
func (o *newton) direction() {
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
	// iterative refinement corrects the errors of the shift and of rounding
	for range 2 {
		o.form(o.d)
		for a, g := range o.g {
			o.to[a] = g - mean - o.hd[a]
		}
		rest := floats.Sum(o.to) / float64(len(o.to))
		for a := range o.to {
			o.to[a] -= rest
		}
		o.chol.SolveVec(o.to, o.to)
		floats.AddScaled(o.to, -floats.Sum(o.to)/sum, o.ones)
		if !(floats.Norm(o.to, 2) < 0.5*floats.Norm(o.d, 2)) {
			break
		}
		floats.Add(o.d, o.to)
	}
	lost := floats.Sum(o.d) / float64(len(o.d))
	for a := range o.d {
		o.d[a] -= lost
	}
}

// form returns xᵀHx and stores Hx in hd.
func (o *newton) form(x []float64) float64 {
	linalg.SymMulVec(o.hd, &o.h, x)
	return floats.Dot(x, o.hd)
}

// take moves the free points by d. block is the point that reaches its bound, or −1.
func (o *newton) take(q *box, block int) {
	for a, p := range o.free {
		d := o.d[a]
		w := clip(o.at[a]+d, o.lo[a], o.hi[a])
		if a == block {
			w = o.hi[a]
			if d < 0 {
				w = o.lo[a]
			}
		}
		d = w - o.at[a]
		if d == 0 {
			continue
		}
		q.aw[p] = w
		linalg.Axpy(-d, q.row(p), q.av)
		q.av[p] -= q.ar[p] * d
		q.mark(p)
	}
}
