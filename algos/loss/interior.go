package loss

import (
	"context"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// interior is the primal–dual interior-point method of Mehrotra for K ≈ ΦΦᵀ of low rank r. An iteration takes n r²
// operations. It replaces sequential minimal optimization (smo.go) if that takes longer.
//
// w_i is a sum of one or two signed pieces, w_i = Σ s x with s = ±1 and 0 ≤ x ≤ c: one piece for hi_i > 0 (s = 1, c =
// hi_i), one for lo_i < 0 (s = −1, c = −lo_i). With w = Sx, the problem of box is
//
//	min ½‖ΦᵀSx‖² + ½ Σ ρx² + qᵀx   over   Σ s x = 0,  0 ≤ x ≤ c,
//
// where q = ε − s y_i, and ρ = r_i plus the diagonal entry i of K − ΦΦᵀ. The multipliers are z for x ≥ 0, v for x ≤ c,
// and b for the sum. With g, minus the residual of the derivative in x, h = ΦᵀSx and D = z/x + v/(c − x) + ρ, a step
// solves
//
//	([I 0; 0 0] + PᵀWP) [dh; db] = PᵀS(g/D) + [0; Σ s x],   P = [Φ 1],  W_i = Σ 1/D over the pieces of i.
//
// References:
//   - S. Mehrotra, On the implementation of a primal–dual interior point method, SIAM J. Optim. 2, 1992.
//   - M. C. Ferris, T. S. Munson, Interior-point methods for massive support vector machines, SIAM J.
//     Optim. 13, 2002.
type interior struct {
	isWanted bool      // optimizePairs ended so that this method runs next
	isDone   bool      // the method ran or cannot run
	rank     int       // r; 0 if K was not factorized
	points   []int     // the points that factorizePivoted factorizes
	p        mat.Dense // P, n×(r+1)
	residual []float64 // diagonal of K − ΦΦᵀ

	scale    float64 // size of the gradient: max |y_i| + ε
	b        float64 // the multiplier of the sum
	sum      float64 // Σ s x
	products float64 // the number of products xz and (c−x)v
	mu       float64 // their mean

	m          mat.SymDense // the matrix of a step
	scaled     []float64    // √W P
	chol       linalg.Cholesky
	piece      []piece
	h, dh, rhs []float64 // of length r+1: h, its direction, right-hand side
	f, df      []float64 // of length n: Φh, its direction
	weight, pt []float64 // of length n: W, scratch storage
}

// piece is a summand s·x of w_i. The letters are defined at interior.
type piece struct {
	i                  int
	s, c, q, r         float64 // r is ρ
	x, z, v            float64
	d, g, dx, dz, dv   float64
	crossedZ, crossedV float64 // second-order terms dx·dz and dx·dv of the predictor
}

const (
	maxRank       = 64
	probePoints   = 2 * maxRank // number of points of the first test of the rank
	maxIterations = 60
)

// isDue reports whether K has low rank and the iterations so far have taken as long as the method will take. It returns
// true at most once in a solve.
func (o *interior) isDue(q *box) bool {
	if n := len(q.w); o.isDone || o.rank == 0 && (q.iters < n || !o.isFactorizationDue(q) || !o.factorizeLowRank(q)) {
		return false
	}
	r := float64(o.rank + 1)
	o.isDone = float64(q.iters)*float64(2*len(q.active)+100) >= 10*float64(len(q.w))*(r*r/3+60)
	return o.isDone
}

// willTakeOver reports whether the method will run later in this solve if m points are free. It does if m is more than
// twice the rank of K: Newton steps then meet bounds all the time.
func (o *interior) willTakeOver(q *box, m int) bool {
	return m >= 50 && !o.isDone && (o.rank > 0 || o.isFactorizationDue(q) && o.factorizeLowRank(q)) && m > 2*o.rank
}

// isFactorizationDue reports whether the iterations so far have taken as long as the first factorization in
// factorizeLowRank takes at most.
func (o *interior) isFactorizationDue(q *box) bool {
	n := len(q.w)
	if n > 3*probePoints {
		n = probePoints
	}
	return float64(q.iters)*float64(2*len(q.active)+100) >= maxRank*maxRank/2*float64(n)
}

// factorizeLowRank computes Φ with K ≈ ΦΦᵀ in n r² operations, and reports whether the rank r is at most maxRank and
// n/4. If there are many points, it first tests probePoints of them.
func (o *interior) factorizeLowRank(q *box) bool {
	limit := min(maxRank, len(q.w)/4)
	o.isDone = true // reset below if the rank is low
	if o.points = o.points[:0]; len(q.w) > 3*probePoints {
		for i := range probePoints {
			o.points = append(o.points, i*len(q.w)/probePoints)
		}
		if !o.factorizePivoted(q, min(limit, probePoints/2)) {
			o.rank = 0
			return false
		}
	}
	o.points = o.points[:0]
	for i := range q.w {
		o.points = append(o.points, i)
	}
	if !o.factorizePivoted(q, limit) {
		o.rank = 0
		return false
	}
	// make o.p = [Φ 1] with Φ of o.rank columns, and clear the columns after it
	p := o.p.RawMatrix()
	for i := range q.w {
		row := p.Data[i*p.Stride : (i+1)*p.Stride]
		row[o.rank] = 1
		clear(row[o.rank+1:])
	}
	o.isDone = o.rank == 0
	return !o.isDone
}

// factorizePivoted computes the pivoted Cholesky factorization K ≈ ΦΦᵀ on o.points. It reports whether a rank of at
// most limit suffices: the diagonal of K − ΦΦᵀ is then at most 1e-9 times the mean of the diagonal of K.
func (o *interior) factorizePivoted(q *box, limit int) bool {
	o.p.Reset()
	o.p.ReuseAs(len(o.points), limit+1)
	p := o.p.RawMatrix()
	o.residual = resize(o.residual, len(o.points))
	trace := 0.0
	for a, i := range o.points {
		o.residual[a] = q.k.At(i, i)
		trace += o.residual[a]
	}
	for o.rank = 0; ; o.rank++ {
		at := floats.MaxIdx(o.residual)
		if o.residual[at] <= 1e-9*trace/float64(len(o.points)) { // solve adds o.residual to r
			return true
		}
		if o.rank == limit {
			return false
		}
		root, j := math.Sqrt(o.residual[at]), o.points[at]
		row := p.Data[at*p.Stride : at*p.Stride+o.rank]
		for a, i := range o.points {
			to := p.Data[a*p.Stride : a*p.Stride+o.rank+1]
			to[o.rank] = (q.k.At(min(i, j), max(i, j)) - floats.Dot(to[:o.rank], row)) / root
			o.residual[a] = max(o.residual[a]-to[o.rank]*to[o.rank], 0)
		}
		o.residual[at] = 0
	}
}

// solve replaces q.w by the maximizer of D with a relative accuracy of about 1e-9. It sets values that are nearly at a
// bound to the bound. If the iteration does not converge, q.w is unchanged.
func (o *interior) solve(ctx context.Context, q *box) {
	o.setUp(q)
	for range maxIterations {
		if ctx.Err() != nil {
			return
		}
		q.iters++
		isConverged, isFinite := o.updateResiduals()
		if isConverged {
			o.storeSolution(q)
		}
		if isConverged || !isFinite || !o.factorizeStep(q.threads) || o.takeStep() < 1e-6 {
			return
		}
	}
}

// setUp sets the pieces of q and their start.
func (o *interior) setUp(q *box) {
	n := len(q.w)
	_, size := o.p.Dims()
	o.piece, o.scale, o.b = o.piece[:0], 0, 0
	for i, y := range q.y {
		o.scale = max(o.scale, math.Abs(y)+q.eps)
		for _, e := range [2]struct{ s, c float64 }{{1, q.hi[i]}, {-1, -q.lo[i]}} {
			if e.c > 0 {
				o.piece = append(o.piece, piece{i: i, s: e.s, c: e.c, q: q.eps - e.s*y, r: q.r[i] + o.residual[i]})
			}
		}
	}
	for k := range o.piece {
		e := &o.piece[k]
		e.x, e.z, e.v = e.c/2, o.scale, o.scale
		if q.hasRidge {
			e.x, e.v = o.scale/(e.r+q.maxDiag), 0
		}
	}
	o.products = float64(len(o.piece))
	if !q.hasRidge {
		o.products *= 2
	}
	for _, x := range [...]*[]float64{&o.h, &o.dh, &o.rhs} {
		*x = resize(*x, size)
	}
	for _, x := range [...]*[]float64{&o.f, &o.df, &o.weight, &o.pt} {
		*x = resize(*x, n)
	}
	o.scaled = resize(o.scaled, n*size)
}

// updateResiduals computes the residuals of the optimality conditions and the mean product mu. It reports whether the
// conditions hold to the accuracy of the method, and whether all numbers are finite.
func (o *interior) updateResiduals() (isConverged, isFinite bool) {
	clear(o.pt)
	sumX, value := 0.0, 0.0
	o.sum, o.mu = 0, 0
	for k := range o.piece {
		e := &o.piece[k]
		o.pt[e.i] += e.s * e.x
		o.sum += e.s * e.x
		sumX += e.x
		o.mu += e.x * e.z
		if e.v > 0 {
			o.mu += (e.c - e.x) * e.v
		}
		value += e.q*e.x + e.r*e.x*e.x/2
	}
	linalg.MulVec(o.h, true, &o.p, o.pt)
	o.h[o.rank] = 0 // it was Σ s x, which is not part of Φᵀw
	linalg.MulVec(o.f, false, &o.p, o.h)
	value += floats.Dot(o.h, o.h) / 2
	maxResidual := 0.0
	for k := range o.piece {
		e := &o.piece[k]
		e.g = -(e.q + e.r*e.x + e.s*(o.f[e.i]+o.b) - e.z + e.v)
		maxResidual = max(maxResidual, math.Abs(e.g))
	}
	isConverged = o.mu <= 1e-10*math.Abs(value) && maxResidual <= 1e-8*o.scale && math.Abs(o.sum) <= 1e-9*sumX
	isFinite = !math.IsNaN(o.mu) && !math.IsNaN(value)
	o.mu /= o.products
	return isConverged && isFinite, isFinite
}

// factorizeStep factorizes the matrix of a step. It reports whether the matrix is positive definite.
func (o *interior) factorizeStep(threads int) bool {
	clear(o.weight)
	for k := range o.piece {
		e := &o.piece[k]
		e.d = e.z/e.x + e.r
		if e.v > 0 {
			e.d += e.v / (e.c - e.x)
		}
		o.weight[e.i] += 1 / e.d
	}
	p, size := o.p.RawMatrix(), len(o.h)
	for i, w := range o.weight {
		floats.ScaleTo(o.scaled[i*size:(i+1)*size], math.Sqrt(w), p.Data[i*size:(i+1)*size])
	}
	o.m.Reset()
	o.m.ReuseAsSym(size)
	m := o.m.RawSymmetric()
	linalg.ThreadLimit(threads).Syrk(true, size, len(o.weight), 1, o.scaled, size, 0, m.Data, m.Stride)
	for k := range size {
		if k != o.rank {
			m.Data[k*m.Stride+k]++
		}
	}
	o.chol.Threads = threads
	return o.chol.Factorize(&o.m, 0)
}

// takeStep takes the step of the predictor and the corrector. It returns the step length.
func (o *interior) takeStep() (length float64) {
	for k := range o.piece {
		e := &o.piece[k]
		e.crossedZ, e.crossedV = 0, 0
	}
	o.solveDirection(0, o.sum)
	length = o.maxStep(1)
	predicted := 0.0 // sum of the products after the predictor step
	for k := range o.piece {
		e := &o.piece[k]
		predicted += (e.x + length*e.dx) * (e.z + length*e.dz)
		if e.v > 0 {
			predicted += (e.c - e.x - length*e.dx) * (e.v + length*e.dv)
		}
		e.crossedZ, e.crossedV = e.dx*e.dz, e.dx*e.dv
	}
	sigma := predicted / o.products / o.mu
	db := o.solveDirection(sigma*sigma*sigma*o.mu, o.sum)
	length = o.maxStep(0.995)
	for k := range o.piece {
		e := &o.piece[k]
		e.x += length * e.dx
		e.z += length * e.dz
		if e.v > 0 {
			e.v += length * e.dv
		}
	}
	o.b += length * db
	return length
}

// storeSolution stores w = Sx in q.w. It sets values that are nearly at a bound to the bound.
func (o *interior) storeSolution(q *box) {
	mean := 0.0
	for _, e := range o.piece {
		mean += e.x / float64(len(o.piece))
	}
	clear(q.w)
	for _, e := range o.piece {
		room := e.c
		if q.hasRidge {
			room = mean
		}
		switch {
		case e.x*o.scale < e.z*room:
		case e.v > 0 && (e.c-e.x)*o.scale < e.v*room:
			q.w[e.i] += e.s * e.c
		default:
			q.w[e.i] += e.s * e.x
		}
	}
}

// solveDirection computes the directions dx, dz, dv of each piece towards xz = (c−x)v = target, and returns db. sum is
// Σ s x.
func (o *interior) solveDirection(target, sum float64) float64 {
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

// maxStep returns the largest step length, at most 1, with which no variable goes more than the given fraction of the
// way to its bound.
func (o *interior) maxStep(fraction float64) float64 {
	length := 1.0
	for k := range o.piece {
		e := &o.piece[k]
		if e.dx < 0 {
			length = min(length, -fraction*e.x/e.dx)
		}
		if e.dz < 0 {
			length = min(length, -fraction*e.z/e.dz)
		}
		if e.v > 0 {
			if e.dx > 0 {
				length = min(length, fraction*(e.c-e.x)/e.dx)
			}
			if e.dv < 0 {
				length = min(length, -fraction*e.v/e.dv)
			}
		}
	}
	return length
}
