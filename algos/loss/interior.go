package loss

import (
	"context"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// interiorPoint is the primal–dual interior-point method of Mehrotra for K ≈ ΦΦᵀ of low rank r. An iteration takes n r²
// operations. It replaces sequential minimal optimization (smo.go) if that takes longer.
//
// w_i is a sum of one or two signed pieces, w_i = Σ s x with s = ±1 and 0 ≤ x ≤ c: one piece for hi_i > 0 (s = 1, c =
// hi_i), one for lo_i < 0 (s = −1, c = −lo_i). With w = Sx, the problem of boxQP is
//
//	min ½‖ΦᵀSx‖² + ½ Σ ρx² + qᵀx   over   Σ s x = 0,  0 ≤ x ≤ c,
//
// where q = ε − s y_i, and ρ = r_i plus the diagonal entry i of K − ΦΦᵀ. The multipliers are z for x ≥ 0, v for x ≤ c,
// and b for the sum. With the negative residual g of the derivative in x, h = ΦᵀSx and D = z/x + v/(c − x) + ρ, a step
// solves
//
//	([I 0; 0 0] + PᵀWP) [dh; db] = PᵀS(g/D) + [0; Σ s x],   P = [Φ 1],  W_i = Σ 1/D over the pieces of i.
//
// References:
//   - S. Mehrotra, On the implementation of a primal–dual interior point method, SIAM J. Optim. 2, 1992.
//   - M. C. Ferris, T. S. Munson, Interior-point methods for massive support vector machines, SIAM J.
//     Optim. 13, 2002.
type interiorPoint struct {
	runsNext         bool      // optimizePairs has ended so that the interior-point method runs next
	isDone           bool      // the interior-point method ran or cannot run
	rank             int       // number r of columns of Φ; 0 if K was not factorized
	factorizedPoints []int     // the points that factorizePivoted factorizes
	p                mat.Dense // P, n×(r+1)
	residualDiagonal []float64 // diagonal of K − ΦΦᵀ

	gradientScale float64 // size of the gradient: max |y_i| + ε
	b             float64 // the multiplier of the constraint on Σw
	signedSum     float64 // Σ s x over all pieces
	productCount  float64 // the number of products xz and (c−x)v of all pieces
	mu            float64 // the mean of the products xz and (c−x)v

	stepMatrix         mat.SymDense // the matrix [I 0; 0 0] + PᵀWP of a step
	weightedP          []float64    // √W P
	chol               linalg.Cholesky
	pieces             []signedPiece
	h, dh, rhs         []float64 // of length r+1: h, the change of h in a step, right-hand side of a step
	f, df              []float64 // of length n: f = Φh, and df = Φdh + db of a step
	weights, pointSums []float64 // of length n: the W_i of interiorPoint; scratch storage
}

// signedPiece is a summand s·x of w_i. The letters are defined at interiorPoint.
type signedPiece struct {
	i                      int
	s, c, q, r             float64 // r is ρ of interiorPoint
	x, z, v                float64
	d, g, dx, dz, dv       float64
	crossTermZ, crossTermV float64 // second-order terms dx·dz and dx·dv of the predictor
}

const (
	maxRank       = 64
	probePoints   = 2 * maxRank // number of points in a first test whether the rank is low
	maxIterations = 60
)

// shouldRun reports whether K has low rank and the iterations so far have taken as long as the method will take. It
// returns true at most once in a solve.
func (o *interiorPoint) shouldRun(q *boxQP) bool {
	if n := len(q.w); o.isDone || o.rank == 0 && (q.iterations < n || !o.shouldFactorize(q) || !o.factorizeLowRank(q)) {
		return false
	}
	r := float64(o.rank + 1)
	o.isDone = float64(q.iterations)*float64(2*len(q.activePoints)+100) >= 10*float64(len(q.w))*(r*r/3+60)
	return o.isDone
}

// willTakeOver reports whether this method will replace Newton steps later in this solve, if freeCount coefficients are
// between their bounds: freeCount is more than twice the rank of K, so that almost every Newton step ends at a bound.
func (o *interiorPoint) willTakeOver(q *boxQP, freeCount int) bool {
	return freeCount >= 50 && !o.isDone && (o.rank > 0 || o.shouldFactorize(q) && o.factorizeLowRank(q)) &&
		freeCount > 2*o.rank
}

// shouldFactorize reports whether the iterations so far have taken at least as long as the first factorization in
// factorizeLowRank can take.
func (o *interiorPoint) shouldFactorize(q *boxQP) bool {
	n := len(q.w)
	if n > 3*probePoints {
		n = probePoints
	}
	return float64(q.iterations)*float64(2*len(q.activePoints)+100) >= maxRank*maxRank/2*float64(n)
}

// factorizeLowRank computes Φ with K ≈ ΦΦᵀ in n r² operations, and reports whether the rank r is at most maxRank and
// n/4. If there are many points, it first tests whether the matrix of probePoints of them has a low rank.
func (o *interiorPoint) factorizeLowRank(q *boxQP) (isLowRank bool) {
	rankLimit := min(maxRank, len(q.w)/4)
	o.isDone = true // set to false below if the rank is low
	if o.factorizedPoints = o.factorizedPoints[:0]; len(q.w) > 3*probePoints {
		for i := range probePoints {
			o.factorizedPoints = append(o.factorizedPoints, i*len(q.w)/probePoints)
		}
		if !o.factorizePivoted(q, min(rankLimit, probePoints/2)) {
			o.rank = 0
			return false
		}
	}
	o.factorizedPoints = o.factorizedPoints[:0]
	for i := range q.w {
		o.factorizedPoints = append(o.factorizedPoints, i)
	}
	if !o.factorizePivoted(q, rankLimit) {
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

// factorizePivoted computes the pivoted Cholesky factorization K ≈ ΦΦᵀ on o.factorizedPoints. It reports whether a rank
// of at most rankLimit suffices: the diagonal of K − ΦΦᵀ is then at most 1e-9 times the mean of the diagonal of K.
func (o *interiorPoint) factorizePivoted(q *boxQP, rankLimit int) (isLowRank bool) {
	o.p.Reset()
	o.p.ReuseAs(len(o.factorizedPoints), rankLimit+1)
	p := o.p.RawMatrix()
	o.residualDiagonal = resize(o.residualDiagonal, len(o.factorizedPoints))
	trace := 0.0
	for a, i := range o.factorizedPoints {
		o.residualDiagonal[a] = q.k.At(i, i)
		trace += o.residualDiagonal[a]
	}
	for o.rank = 0; ; o.rank++ {
		pivot := floats.MaxIdx(o.residualDiagonal)
		if o.residualDiagonal[pivot] <= 1e-9*trace/float64(len(o.factorizedPoints)) { // residualDiagonal goes into ρ
			return true
		}
		if o.rank == rankLimit {
			return false
		}
		pivotRoot, j := math.Sqrt(o.residualDiagonal[pivot]), o.factorizedPoints[pivot]
		pivotRow := p.Data[pivot*p.Stride : pivot*p.Stride+o.rank]
		for a, i := range o.factorizedPoints {
			currentRow := p.Data[a*p.Stride : a*p.Stride+o.rank+1]
			currentRow[o.rank] = (q.k.At(min(i, j), max(i, j)) - floats.Dot(currentRow[:o.rank], pivotRow)) / pivotRoot
			o.residualDiagonal[a] = max(o.residualDiagonal[a]-currentRow[o.rank]*currentRow[o.rank], 0)
		}
		o.residualDiagonal[pivot] = 0
	}
}

// solve replaces q.w by the maximizer of D with a relative accuracy of about 1e-9. It sets values that are nearly at a
// bound to the bound. If the iteration does not converge, q.w is unchanged.
func (o *interiorPoint) solve(ctx context.Context, q *boxQP) {
	o.initializePieces(q)
	for range maxIterations {
		if ctx.Err() != nil {
			return
		}
		q.iterations++
		isConverged, isFinite := o.updateResiduals()
		if isConverged {
			o.storeSolution(q)
		}
		if isConverged || !isFinite || !o.factorizeStepMatrix(q.threads) || o.takeStep() < 1e-6 {
			return
		}
	}
}

// initializePieces sets o.pieces for the problem q, with starting values.
func (o *interiorPoint) initializePieces(q *boxQP) {
	n := len(q.w)
	_, width := o.p.Dims()
	o.pieces, o.gradientScale, o.b = o.pieces[:0], 0, 0
	for i, y := range q.y {
		o.gradientScale = max(o.gradientScale, math.Abs(y)+q.epsilon)
		for _, e := range [2]struct{ s, c float64 }{{1, q.hi[i]}, {-1, -q.lo[i]}} {
			if e.c > 0 {
				o.pieces = append(o.pieces, signedPiece{i: i, s: e.s, c: e.c, q: q.epsilon - e.s*y, r: q.r[i] +
					o.residualDiagonal[i]})
			}
		}
	}
	for k := range o.pieces {
		e := &o.pieces[k]
		e.x, e.z, e.v = e.c/2, o.gradientScale, o.gradientScale
		if q.hasRidge {
			e.x, e.v = o.gradientScale/(e.r+q.maxDiagonal), 0
		}
	}
	o.productCount = float64(len(o.pieces))
	if !q.hasRidge {
		o.productCount *= 2
	}
	for _, x := range [...]*[]float64{&o.h, &o.dh, &o.rhs} {
		*x = resize(*x, width)
	}
	for _, x := range [...]*[]float64{&o.f, &o.df, &o.weights, &o.pointSums} {
		*x = resize(*x, n)
	}
	o.weightedP = resize(o.weightedP, n*width)
}

// updateResiduals computes the residuals of the optimality conditions, and mu, the mean of the products xz and (c−x)v.
// It reports whether the conditions hold to the accuracy of the method, and whether all numbers are finite.
func (o *interiorPoint) updateResiduals() (isConverged, isFinite bool) {
	clear(o.pointSums)
	sumX, objective := 0.0, 0.0
	o.signedSum, o.mu = 0, 0
	for k := range o.pieces {
		e := &o.pieces[k]
		o.pointSums[e.i] += e.s * e.x
		o.signedSum += e.s * e.x
		sumX += e.x
		o.mu += e.x * e.z
		if e.v > 0 {
			o.mu += (e.c - e.x) * e.v
		}
		objective += e.q*e.x + e.r*e.x*e.x/2
	}
	linalg.MulVec(o.h, true, &o.p, o.pointSums)
	o.h[o.rank] = 0 // MulVec stored Σ s x there, for the last column of P, all ones
	linalg.MulVec(o.f, false, &o.p, o.h)
	objective += floats.Dot(o.h, o.h) / 2
	maxResidual := 0.0
	for k := range o.pieces {
		e := &o.pieces[k]
		e.g = -(e.q + e.r*e.x + e.s*(o.f[e.i]+o.b) - e.z + e.v)
		maxResidual = max(maxResidual, math.Abs(e.g))
	}
	isConverged = o.mu <= 1e-10*math.Abs(objective) && maxResidual <= 1e-8*o.gradientScale &&
		math.Abs(o.signedSum) <= 1e-9*sumX
	isFinite = !math.IsNaN(o.mu) && !math.IsNaN(objective)
	o.mu /= o.productCount
	return isConverged && isFinite, isFinite
}

// factorizeStepMatrix factorizes the matrix of a step, which interiorPoint states.
func (o *interiorPoint) factorizeStepMatrix(threads int) (isPositiveDefinite bool) {
	clear(o.weights)
	for k := range o.pieces {
		e := &o.pieces[k]
		e.d = e.z/e.x + e.r
		if e.v > 0 {
			e.d += e.v / (e.c - e.x)
		}
		o.weights[e.i] += 1 / e.d
	}
	p, width := o.p.RawMatrix(), len(o.h)
	for i, w := range o.weights {
		floats.ScaleTo(o.weightedP[i*width:(i+1)*width], math.Sqrt(w), p.Data[i*width:(i+1)*width])
	}
	o.stepMatrix.Reset()
	o.stepMatrix.ReuseAsSym(width)
	m := o.stepMatrix.RawSymmetric()
	linalg.ThreadLimit(threads).Syrk(true, width, len(o.weights), 1, o.weightedP, width, 0, m.Data, m.Stride)
	for k := range width {
		if k != o.rank {
			m.Data[k*m.Stride+k]++
		}
	}
	o.chol.Threads = threads
	return o.chol.Factorize(&o.stepMatrix, 0)
}

// takeStep takes one step of Mehrotra's method, a predictor and then a corrector. It returns the step length.
func (o *interiorPoint) takeStep() (stepLength float64) {
	for k := range o.pieces {
		e := &o.pieces[k]
		e.crossTermZ, e.crossTermV = 0, 0
	}
	o.solveDirection(0, o.signedSum)
	stepLength = o.maxStepLength(1)
	predictedSum := 0.0 // sum of the products xz and (c−x)v after the predictor step
	for k := range o.pieces {
		e := &o.pieces[k]
		predictedSum += (e.x + stepLength*e.dx) * (e.z + stepLength*e.dz)
		if e.v > 0 {
			predictedSum += (e.c - e.x - stepLength*e.dx) * (e.v + stepLength*e.dv)
		}
		e.crossTermZ, e.crossTermV = e.dx*e.dz, e.dx*e.dv
	}
	centering := predictedSum / o.productCount / o.mu
	db := o.solveDirection(centering*centering*centering*o.mu, o.signedSum)
	stepLength = o.maxStepLength(0.995)
	for k := range o.pieces {
		e := &o.pieces[k]
		e.x += stepLength * e.dx
		e.z += stepLength * e.dz
		if e.v > 0 {
			e.v += stepLength * e.dv
		}
	}
	o.b += stepLength * db
	return stepLength
}

// storeSolution stores w = Sx in q.w. It sets values that are nearly at a bound to the bound.
func (o *interiorPoint) storeSolution(q *boxQP) {
	meanX := 0.0
	for _, e := range o.pieces {
		meanX += e.x / float64(len(o.pieces))
	}
	clear(q.w)
	for _, e := range o.pieces {
		xScale := e.c
		if q.hasRidge {
			xScale = meanX
		}
		switch {
		case e.x*o.gradientScale < e.z*xScale:
		case e.v > 0 && (e.c-e.x)*o.gradientScale < e.v*xScale:
			q.w[e.i] += e.s * e.c
		default:
			q.w[e.i] += e.s * e.x
		}
	}
}

// solveDirection computes the step dx, dz, dv of each piece toward xz = (c−x)v = targetProduct, and the step db of b.
func (o *interiorPoint) solveDirection(targetProduct, signedSum float64) (db float64) {
	clear(o.pointSums)
	rightSideOf := func(e *signedPiece) float64 {
		g := e.g + targetProduct/e.x - e.z - e.crossTermZ/e.x
		if e.v > 0 {
			g -= targetProduct/(e.c-e.x) - e.v + e.crossTermV/(e.c-e.x)
		}
		return g
	}
	for k := range o.pieces {
		e := &o.pieces[k]
		o.pointSums[e.i] += e.s * rightSideOf(e) / e.d
	}
	linalg.MulVec(o.rhs, true, &o.p, o.pointSums)
	o.rhs[o.rank] += signedSum
	o.chol.SolveVec(o.dh, o.rhs)
	linalg.MulVec(o.df, false, &o.p, o.dh) // df = Φdh + db
	for k := range o.pieces {
		e := &o.pieces[k]
		e.dx = (rightSideOf(e) - e.s*o.df[e.i]) / e.d
		e.dz = targetProduct/e.x - e.z - e.z*e.dx/e.x - e.crossTermZ/e.x
		if e.v > 0 {
			t := e.c - e.x
			e.dv = targetProduct/t - e.v + e.v*e.dx/t + e.crossTermV/t
		}
	}
	return o.dh[o.rank]
}

// maxStepLength returns the largest step length, at most 1, with which no variable goes more than the given fraction of
// the way to its bound.
func (o *interiorPoint) maxStepLength(fraction float64) float64 {
	length := 1.0
	for k := range o.pieces {
		e := &o.pieces[k]
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
