package loss

import (
	"context"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// interior is the primal–dual interior-point method of Mehrotra for K = ΦΦᵀ of low rank r. It serves problems on which
// pairs of points take longer than its n r² operations per iteration. Each w_i is a signed sum of one or two pieces
// with 0 ≤ x ≤ c:
//
//	min ½‖ΦᵀSx‖² + ½ Σ ρx² + qᵀx,   Σ s x = 0,
//
// with the multipliers z for x ≥ 0, v for x ≤ c, and b for the sum. With D = z/x + v/(c − x) + ρ, a step solves
//
//	([I 0; 0 0] + PᵀWP) [dh; db] = PᵀS(g/D) + [0; Σ s x],   P = [Φ 1],  W_i = Σ 1/D over the pieces of i.
//
// References:
//   - S. Mehrotra, On the implementation of a primal–dual interior point method, SIAM J. Optim. 2, 1992.
//   - M. C. Ferris, T. S. Munson, Interior-point methods for massive support vector machines, SIAM J.
//     Optim. 13, 2002.
type interior struct {
	wanted bool // set by run: the method replaces the pairs, once
	done   bool // the method ran or cannot run
	rank   int
	part   []int
	p      mat.Dense // n×(r+1)
	rest   []float64 // diagonal of K − ΦΦᵀ

	m                 mat.SymDense
	scaled            []float64
	chol              linalg.Cholesky
	piece             []piece
	h, dh, rhs        []float64 // r+1
	f, df, weight, pt []float64 // n
}

// piece is a part s·x of w_i.
type piece struct {
	i                  int
	s, c, q, r         float64
	x, z, v            float64
	d, g, dx, dz, dv   float64
	crossedZ, crossedV float64
}

const (
	mostRank = 64
	probe    = 2 * mostRank // points
	centred  = 60           // maximum number of iterations
)

// due reports whether K has low rank and the pairs have taken as long as the method will take.
func (o *interior) due(q *box) bool {
	if n := len(q.w); o.done || o.rank == 0 && (q.spent < n || !o.worth(q) || !o.low(q)) {
		return false
	}
	r := float64(o.rank + 1)
	o.done = float64(q.spent)*float64(2*len(q.act)+100) >= 10*float64(len(q.w))*(r*r/3+60)
	return o.done
}

// suits reports whether the method will take over if m points are free. A Newton step on more than rank K free points
// meets bounds all the time.
func (o *interior) suits(q *box, m int) bool {
	return m >= 50 && !o.done && (o.rank > 0 || o.worth(q) && o.low(q)) && m > 2*o.rank
}

// worth reports whether the pairs have taken as long as low may take.
func (o *interior) worth(q *box) bool {
	n := len(q.w)
	if n > 3*probe {
		n = probe
	}
	return float64(q.spent)*float64(2*len(q.act)+100) >= mostRank*mostRank/2*float64(n)
}

// low factorizes K = ΦΦᵀ with n r² operations, and reports whether the rank is low. If there are many points, it first
// tests a part of them.
func (o *interior) low(q *box) bool {
	most := min(mostRank, len(q.w)/4)
	o.done = true // reset below if the rank is low
	if o.part = o.part[:0]; len(q.w) > 3*probe {
		for i := range probe {
			o.part = append(o.part, i*len(q.w)/probe)
		}
		if !o.pivoted(q, min(most, probe/2)) {
			o.rank = 0
			return false
		}
	}
	o.part = o.part[:0]
	for i := range q.w {
		o.part = append(o.part, i)
	}
	if !o.pivoted(q, most) {
		o.rank = 0
		return false
	}
	// p = [Φ 1]; columns beyond rank + 1 are cleared
	p := o.p.RawMatrix()
	for i := range q.w {
		row := p.Data[i*p.Stride : (i+1)*p.Stride]
		row[o.rank] = 1
		clear(row[o.rank+1:])
	}
	o.done = o.rank == 0
	return !o.done
}

// pivoted computes the pivoted Cholesky factorization of K on the points of part. It reports whether a rank of at most
// most is sufficient.
func (o *interior) pivoted(q *box, most int) bool {
	o.p.Reset()
	o.p.ReuseAs(len(o.part), most+1)
	p := o.p.RawMatrix()
	o.rest = resize(o.rest, len(o.part))
	trace := 0.0
	for a, i := range o.part {
		o.rest[a] = q.entry(i, i)
		trace += o.rest[a]
	}
	for o.rank = 0; ; o.rank++ {
		at := floats.MaxIdx(o.rest)
		if o.rest[at] <= 1e-9*trace/float64(len(o.part)) { // solve adds the rest of the diagonal to r
			return true
		}
		if o.rank == most {
			return false
		}
		root, j := math.Sqrt(o.rest[at]), o.part[at]
		row := p.Data[at*p.Stride : at*p.Stride+o.rank]
		for a, i := range o.part {
			to := p.Data[a*p.Stride : a*p.Stride+o.rank+1]
			to[o.rank] = (q.entry(min(i, j), max(i, j)) - floats.Dot(to[:o.rank], row)) / root
			o.rest[a] = max(o.rest[a]-to[o.rank]*to[o.rank], 0)
		}
		o.rest[at] = 0
	}
}

// solve replaces q.w by the maximizer to about 1e-9. It moves values that are nearly at a bound to the bound. It
// reports whether it replaced q.w.
func (o *interior) solve(ctx context.Context, q *box) bool {
	n := len(q.w)
	_, size := o.p.Dims()
	o.piece = o.piece[:0]
	scale := 0.0
	for i, y := range q.y {
		scale = max(scale, math.Abs(y)+q.eps)
		for _, e := range [2]struct{ s, c float64 }{{1, q.hi[i]}, {-1, -q.lo[i]}} {
			if e.c > 0 {
				o.piece = append(o.piece, piece{i: i, s: e.s, c: e.c, q: q.eps - e.s*y, r: q.r[i] + o.rest[i]})
			}
		}
	}
	for k := range o.piece {
		e := &o.piece[k]
		e.x, e.z, e.v = e.c/2, scale, scale
		if q.ridged {
			e.x, e.v = scale/(e.r+q.top), 0
		}
	}
	for _, x := range [...]*[]float64{&o.h, &o.dh, &o.rhs} {
		*x = resize(*x, size)
	}
	for _, x := range [...]*[]float64{&o.f, &o.df, &o.weight, &o.pt} {
		*x = resize(*x, n)
	}
	o.scaled = resize(o.scaled, n*size)
	b, pairs := 0.0, float64(len(o.piece))
	if !q.ridged {
		pairs *= 2
	}
	ok := false
	for range centred {
		if ctx.Err() != nil {
			break
		}
		q.spent++
		// residuals
		clear(o.pt)
		sum, mu, size1, value := 0.0, 0.0, 0.0, 0.0
		for k := range o.piece {
			e := &o.piece[k]
			o.pt[e.i] += e.s * e.x
			sum += e.s * e.x
			size1 += e.x
			mu += e.x * e.z
			if e.v > 0 {
				mu += (e.c - e.x) * e.v
			}
			value += e.q*e.x + e.r*e.x*e.x/2
		}
		linalg.MulVec(o.h, true, &o.p, o.pt)
		o.h[o.rank] = 0 // it was Σ s x, which is not part of Φᵀw
		linalg.MulVec(o.f, false, &o.p, o.h)
		value += floats.Dot(o.h, o.h) / 2
		off := 0.0
		for k := range o.piece {
			e := &o.piece[k]
			e.g = -(e.q + e.r*e.x + e.s*(o.f[e.i]+b) - e.z + e.v)
			off = max(off, math.Abs(e.g))
		}
		if math.IsNaN(mu) || math.IsNaN(value) {
			break
		}
		if mu <= 1e-10*math.Abs(value) && off <= 1e-8*scale && math.Abs(sum) <= 1e-9*size1 {
			ok = true
			break
		}
		mu /= pairs
		// the matrix
		clear(o.weight)
		for k := range o.piece {
			e := &o.piece[k]
			e.d = e.z/e.x + e.r
			if e.v > 0 {
				e.d += e.v / (e.c - e.x)
			}
			o.weight[e.i] += 1 / e.d
		}
		p := o.p.RawMatrix()
		for i, w := range o.weight {
			floats.ScaleTo(o.scaled[i*size:(i+1)*size], math.Sqrt(w), p.Data[i*size:(i+1)*size])
		}
		o.m.Reset()
		o.m.ReuseAsSym(size)
		m := o.m.RawSymmetric()
		linalg.Bound(q.threads).Syrk(true, size, n, 1, o.scaled, size, 0, m.Data, m.Stride)
		for k := range size {
			if k != o.rank {
				m.Data[k*m.Stride+k]++
			}
		}
		o.chol.Threads = q.threads
		if !o.chol.Factorize(&o.m, 0) {
			break
		}
		// predictor, then corrector
		for k := range o.piece {
			e := &o.piece[k]
			e.crossedZ, e.crossedV = 0, 0
		}
		o.step(0, sum)
		far := o.reach(1)
		next := 0.0
		for k := range o.piece {
			e := &o.piece[k]
			next += (e.x + far*e.dx) * (e.z + far*e.dz)
			if e.v > 0 {
				next += (e.c - e.x - far*e.dx) * (e.v + far*e.dv)
			}
			e.crossedZ, e.crossedV = e.dx*e.dz, e.dx*e.dv
		}
		sigma := next / pairs / mu
		db := o.step(sigma*sigma*sigma*mu, sum)
		far = o.reach(0.995)
		for k := range o.piece {
			e := &o.piece[k]
			e.x += far * e.dx
			e.z += far * e.dz
			if e.v > 0 {
				e.v += far * e.dv
			}
		}
		b += far * db
		if far < 1e-6 {
			break
		}
	}
	if !ok {
		return false
	}
	mean := 0.0
	for _, e := range o.piece {
		mean += e.x / float64(len(o.piece))
	}
	clear(q.w)
	for _, e := range o.piece {
		room := e.c
		if q.ridged {
			room = mean
		}
		switch {
		case e.x*scale < e.z*room:
		case e.v > 0 && (e.c-e.x)*scale < e.v*room:
			q.w[e.i] += e.s * e.c
		default:
			q.w[e.i] += e.s * e.x
		}
	}
	return true
}

// step computes the direction towards x∘z = (c−x)∘v = target and returns db. The g of each piece is minus the residual
// of the derivative.
func (o *interior) step(target, sum float64) float64 {
	clear(o.pt)
	rhs := func(e *piece) float64 {
		g := e.g + target/e.x - e.z - e.crossedZ/e.x
		if e.v > 0 {
			g -= target/(e.c-e.x) - e.v + e.crossedV/(e.c-e.x)
		}
		return g
	}
	for k := range o.piece {
		e := &o.piece[k]
		o.pt[e.i] += e.s * rhs(e) / e.d
	}
	linalg.MulVec(o.rhs, true, &o.p, o.pt)
	o.rhs[o.rank] += sum
	o.chol.SolveVec(o.dh, o.rhs)
	linalg.MulVec(o.df, false, &o.p, o.dh) // Φdh + db
	for k := range o.piece {
		e := &o.piece[k]
		e.dx = (rhs(e) - e.s*o.df[e.i]) / e.d
		e.dz = target/e.x - e.z - e.z*e.dx/e.x - e.crossedZ/e.x
		if e.v > 0 {
			t := e.c - e.x
			e.dv = target/t - e.v + e.v*e.dx/t + e.crossedV/t
		}
	}
	return o.dh[o.rank]
}

// reach returns the largest step, at most 1, that goes at most the fraction part of the way to a bound.
func (o *interior) reach(part float64) float64 {
	far := 1.0
	for k := range o.piece {
		e := &o.piece[k]
		if e.dx < 0 {
			far = min(far, -part*e.x/e.dx)
		}
		if e.dz < 0 {
			far = min(far, -part*e.z/e.dz)
		}
		if e.v > 0 {
			if e.dx > 0 {
				far = min(far, part*(e.c-e.x)/e.dx)
			}
			if e.dv < 0 {
				far = min(far, -part*e.v/e.dv)
			}
		}
	}
	return far
}
