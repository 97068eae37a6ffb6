package loss

import (
	"context"
	"math"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// interiorPoint is the primal–dual interior-point method of Mehrotra for the problem of boxQP if K ≈ ΦΦᵀ has low rank
// r. An iteration takes n r² operations. It replaces sequential minimal optimization if that takes longer.
//
// w_i is a sum of one or two signed variables, w_i = Σ s x with s = ±1 and 0 ≤ x ≤ c: one for hi_i > 0 (s = 1, c =
// hi_i), one for lo_i < 0 (s = −1, c = −lo_i). With w = Sx, the problem of boxQP is
//
//	min ½‖ΦᵀSx‖² + ½ Σ ρx² + qᵀx   over   Σ s x = 0,  0 ≤ x ≤ c,
//
// where q = ε − s y_i, and ρ is the ridge of point i plus the diagonal entry i of K − ΦΦᵀ; ε and y are those of boxQP.
// The multipliers are z for x ≥ 0, v for x ≤ c, and b for the sum. g is minus the derivative of the Lagrangian in x.
// With h = ΦᵀSx and D = z/x + v/(c − x) + ρ, a step solves
//
//	([I 0; 0 0] + PᵀWP) [dh; db] = PᵀS(g/D) + [0; Σ s x],   P = [Φ 1],  W_i = Σ 1/D over the variables of w_i.
//
// References:
//   - S. Mehrotra, On the implementation of a primal–dual interior point method, SIAM J. Optim. 2, 1992.
//   - M. C. Ferris, T. S. Munson, Interior-point methods for massive support vector machines, SIAM J. Optim. 13, 2002.
type interiorPoint struct {
	takesOverNext    bool      // optimizePairs has ended so that the interior-point method takes over
	isDone           bool      // the interior-point method ran or cannot run
	rank             int       // rank r of the factorization K ≈ ΦΦᵀ; 0 if K was not factorized
	factorizedPoints []int     // the points whose rows and columns of K are factorized
	design           mat.Dense // the matrix P = [Φ 1], n×(r+1): the column of ones is for the bias
	residualDiagonal []float64 // diagonal of K − ΦΦᵀ

	gradientScale               float64 // size of the gradient: max |y_i| + ε
	b                           float64 // the multiplier of the constraint on Σw
	sumW                        float64 // Σw, the sum of all signed variables s·x
	complementarityProductCount float64 // number of products xz and (c−x)v, z and v the multipliers of 0 ≤ x ≤ c
	meanComplementarity         float64 // the mean of the products xz and (c−x)v, 0 at the solution

	stepMatrix                 mat.SymDense // [I 0; 0 0] + PᵀWP, P in design, W in pointWeights: matrix of a step
	weightedDesign             []float64    // √W P with the diagonal matrix W of diagonalW
	chol                       linalg.Cholesky
	variables                  []signedVariable
	h, dh, rhs                 []float64 // of length r+1: (Φᵀw, 0), its change, right-hand side of a step
	f, df                      []float64 // of length n: f = Φh, and the change of f + b in a step, Φdh + db
	pointWeights, pointScratch []float64 // of length n: the diagonal of W in stepMatrix; storage for other vectors
}

// signedVariable is one summand s·x of w_i, s = ±1 and 0 ≤ x ≤ c. q and rho are the linear and the quadratic
// coefficient of x in the objective, z and v the multipliers of x ≥ 0 and x ≤ c. d is the curvature in x, and g is
// minus the derivative of the Lagrangian in x. dx, dz and dv are the step.
type signedVariable struct {
	i                          int
	s, c, q, rho               float64
	x, z, v                    float64
	d, g, dx, dz, dv           float64
	secondOrderZ, secondOrderV float64 // dx·dz and dx·dv of the predictor step, for the corrector
}

const (
	maxRank       = 64
	probePoints   = 2 * maxRank // number of points in a first test whether K has low rank
	maxIterations = 60
)

// shouldRun returns true once in a solve: if K has low rank and the iterations so far cost as much as this method will.
func (o *interiorPoint) shouldRun(q *boxQP) bool {
	if n := len(q.w); o.isDone || o.rank == 0 && (q.iterations < n || !o.shouldFactorize(q) || !o.factorizeLowRank(q)) {
		return false
	}
	r := float64(o.rank + 1)
	o.isDone = float64(q.iterations)*float64(2*len(q.activePoints)+100) >= 10*float64(len(q.w))*(r*r/3+60)
	return o.isDone
}

// willReplaceNewton reports whether this method will replace Newton steps later in this solve. It will if freeCount,
// the number of coefficients between their bounds, is more than twice the rank of K: the matrix of a Newton step is
// then singular up to ridges, so that almost every step runs to a bound.
func (o *interiorPoint) willReplaceNewton(q *boxQP, freeCount int) bool {
	return freeCount >= 50 && !o.isDone && (o.rank > 0 || o.shouldFactorize(q) && o.factorizeLowRank(q)) &&
		freeCount > 2*o.rank
}

// shouldFactorize reports whether the iterations have cost as much as a first low-rank factorization of K can cost.
func (o *interiorPoint) shouldFactorize(q *boxQP) bool {
	n := len(q.w)
	if n > 3*probePoints {
		n = probePoints
	}
	return float64(q.iterations)*float64(2*len(q.activePoints)+100) >= maxRank*maxRank/2*float64(n)
}

// factorizeLowRank computes Φ with K ≈ ΦΦᵀ in n r² operations, and reports whether the rank r is at most maxRank and
// n/4. If there are many points, it first tests whether K of a sample of probePoints points has a low rank.
func (o *interiorPoint) factorizeLowRank(q *boxQP) (isLowRank bool) {
	rankLimit := min(maxRank, len(q.w)/4)
	o.isDone = true // set to false below if K has low rank
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
	// complete o.design = [Φ 1], Φ with o.rank columns, and set the columns after the ones to 0
	p := o.design.RawMatrix()
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
	o.design.Reset()
	o.design.ReuseAs(len(o.factorizedPoints), rankLimit+1)
	p := o.design.RawMatrix()
	o.residualDiagonal = linalg.Resize(o.residualDiagonal, len(o.factorizedPoints))
	trace := 0.0
	for a, i := range o.factorizedPoints {
		o.residualDiagonal[a] = q.k.At(i, i)
		trace += o.residualDiagonal[a]
	}
	for o.rank = 0; ; o.rank++ {
		pivot := floats.MaxIdx(o.residualDiagonal)
		if o.residualDiagonal[pivot] <= 1e-9*trace/float64(len(o.factorizedPoints)) {
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
	o.initializeVariables(q)
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

// initializeVariables writes each w_i of the problem q as a sum of terms s·x, s = ±1 and 0 ≤ x ≤ c, and stores these
// terms with starting values in o.variables.
func (o *interiorPoint) initializeVariables(q *boxQP) {
	n := len(q.w)
	_, columnCount := o.design.Dims()
	o.variables, o.gradientScale, o.b = o.variables[:0], 0, 0
	for i, y := range q.y {
		o.gradientScale = max(o.gradientScale, math.Abs(y)+q.epsilon)
		for _, e := range [2]struct{ s, c float64 }{{1, q.hi[i]}, {-1, -q.lo[i]}} {
			if e.c > 0 {
				o.variables = append(o.variables, signedVariable{i: i, s: e.s, c: e.c, q: q.epsilon - e.s*y,
					rho: q.r[i] + o.residualDiagonal[i]})
			}
		}
	}
	for k := range o.variables {
		e := &o.variables[k]
		e.x, e.z, e.v = e.c/2, o.gradientScale, o.gradientScale
		if q.hasRidge {
			e.x, e.v = o.gradientScale/(e.rho+q.maxDiagonal), 0
		}
	}
	o.complementarityProductCount = float64(len(o.variables))
	if !q.hasRidge {
		o.complementarityProductCount *= 2
	}
	for _, x := range [...]*[]float64{&o.h, &o.dh, &o.rhs} {
		*x = linalg.Resize(*x, columnCount)
	}
	for _, x := range [...]*[]float64{&o.f, &o.df, &o.pointWeights, &o.pointScratch} {
		*x = linalg.Resize(*x, n)
	}
	o.weightedDesign = linalg.Resize(o.weightedDesign, n*columnCount)
}

// updateResiduals computes the residuals of the optimality conditions, and meanComplementarity: the mean of xz and
// (c−x)v, where z and v are the multipliers of x ≥ 0 and x ≤ c. It reports whether the conditions hold to the accuracy
// of the method, and whether all numbers are finite.
func (o *interiorPoint) updateResiduals() (isConverged, isFinite bool) {
	clear(o.pointScratch)
	sumX, objective := 0.0, 0.0
	o.sumW, o.meanComplementarity = 0, 0
	for k := range o.variables {
		e := &o.variables[k]
		o.pointScratch[e.i] += e.s * e.x
		o.sumW += e.s * e.x
		sumX += e.x
		o.meanComplementarity += e.x * e.z
		if e.v > 0 {
			o.meanComplementarity += (e.c - e.x) * e.v
		}
		objective += e.q*e.x + e.rho*e.x*e.x/2
	}
	linalg.MulVec(o.h, true, &o.design, o.pointScratch)
	o.h[o.rank] = 0 // MulVec stored Σw here, for the column of ones of P
	linalg.MulVec(o.f, false, &o.design, o.h)
	objective += floats.Dot(o.h, o.h) / 2
	maxResidual := 0.0
	for k := range o.variables {
		e := &o.variables[k]
		e.g = -(e.q + e.rho*e.x + e.s*(o.f[e.i]+o.b) - e.z + e.v)
		maxResidual = max(maxResidual, math.Abs(e.g))
	}
	isConverged = o.meanComplementarity <= 1e-10*math.Abs(objective) && maxResidual <= 1e-8*o.gradientScale &&
		math.Abs(o.sumW) <= 1e-9*sumX
	isFinite = !math.IsNaN(o.meanComplementarity) && !math.IsNaN(objective)
	o.meanComplementarity /= o.complementarityProductCount
	return isConverged && isFinite, isFinite
}

func (o *interiorPoint) factorizeStepMatrix(threads int) (isPositiveDefinite bool) {
	clear(o.pointWeights)
	for k := range o.variables {
		e := &o.variables[k]
		e.d = e.z/e.x + e.rho
		if e.v > 0 {
			e.d += e.v / (e.c - e.x)
		}
		o.pointWeights[e.i] += 1 / e.d
	}
	p, width := o.design.RawMatrix(), len(o.h)
	for i, w := range o.pointWeights {
		floats.ScaleTo(o.weightedDesign[i*width:(i+1)*width], math.Sqrt(w), p.Data[i*width:(i+1)*width])
	}
	o.stepMatrix.Reset()
	o.stepMatrix.ReuseAsSym(width)
	m := o.stepMatrix.RawSymmetric()
	linalg.ThreadLimit(threads).Syrk(true, width, len(o.pointWeights), 1, o.weightedDesign, width, 0, m.Data, m.Stride)
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
	for k := range o.variables {
		e := &o.variables[k]
		e.secondOrderZ, e.secondOrderV = 0, 0
	}
	o.computeStep(0, o.sumW)
	stepLength = o.maxStepLength(1)
	predictedComplementarity := 0.0 // sum of the products xz and (c−x)v of all variables x after the predictor step
	for k := range o.variables {
		e := &o.variables[k]
		predictedComplementarity += (e.x + stepLength*e.dx) * (e.z + stepLength*e.dz)
		if e.v > 0 {
			predictedComplementarity += (e.c - e.x - stepLength*e.dx) * (e.v + stepLength*e.dv)
		}
		e.secondOrderZ, e.secondOrderV = e.dx*e.dz, e.dx*e.dv
	}
	centering := predictedComplementarity / o.complementarityProductCount / o.meanComplementarity
	db := o.computeStep(centering*centering*centering*o.meanComplementarity, o.sumW)
	stepLength = o.maxStepLength(0.995)
	for k := range o.variables {
		e := &o.variables[k]
		e.x += stepLength * e.dx
		e.z += stepLength * e.dz
		if e.v > 0 {
			e.v += stepLength * e.dv
		}
	}
	o.b += stepLength * db
	return stepLength
}

// storeSolution stores the sums w_i of the signed variables s·x in q.w, and a value nearly at a bound as the bound.
func (o *interiorPoint) storeSolution(q *boxQP) {
	meanX := 0.0
	for _, e := range o.variables {
		meanX += e.x / float64(len(o.variables))
	}
	clear(q.w)
	for _, e := range o.variables {
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

// computeStep computes the step dx, dz, dv of each variable x and of the multipliers z and v of 0 ≤ x ≤ c toward xz =
// (c−x)v = targetProduct, and returns the step db of the bias. sumW is the present Σw.
func (o *interiorPoint) computeStep(targetProduct, sumW float64) (db float64) {
	clear(o.pointScratch)
	rightSideOf := func(e *signedVariable) float64 {
		g := e.g + targetProduct/e.x - e.z - e.secondOrderZ/e.x
		if e.v > 0 {
			g -= targetProduct/(e.c-e.x) - e.v + e.secondOrderV/(e.c-e.x)
		}
		return g
	}
	for k := range o.variables {
		e := &o.variables[k]
		o.pointScratch[e.i] += e.s * rightSideOf(e) / e.d
	}
	linalg.MulVec(o.rhs, true, &o.design, o.pointScratch)
	o.rhs[o.rank] += sumW
	o.chol.SolveVec(o.dh, o.rhs)
	linalg.MulVec(o.df, false, &o.design, o.dh) // Φdh + db, the change of the predictions
	for k := range o.variables {
		e := &o.variables[k]
		e.dx = (rightSideOf(e) - e.s*o.df[e.i]) / e.d
		e.dz = targetProduct/e.x - e.z - e.z*e.dx/e.x - e.secondOrderZ/e.x
		if e.v > 0 {
			t := e.c - e.x
			e.dv = targetProduct/t - e.v + e.v*e.dx/t + e.secondOrderV/t
		}
	}
	return o.dh[o.rank]
}

// maxStepLength returns the largest step length ≤ 1 at which no variable passes this fraction of the way to its bound.
func (o *interiorPoint) maxStepLength(fraction float64) float64 {
	length := 1.0
	for k := range o.variables {
		e := &o.variables[k]
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
