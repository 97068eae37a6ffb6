package loss

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// boxQP is the maximization problem in w that the losses with a bias b share:
//
//	D(w) = yᵀw − ε‖w‖₁ − ½ Σ r_i w_i² − ½ wᵀKw   over   Σ w_i = 0,  lo ≤ w ≤ hi,
//
// with lo ≤ 0 ≤ hi. r_i ≥ 0 is the ridge of point i. Unlike the D of the package comment, this D includes −½wᵀKw. The
// primal problem is min_b P(w, b) = ½wᵀKw + Σ_i risk_i(y_i − (Kw)_i − b) with
//
//	risk_i(x) = hi_i (x − ε)₊ − lo_i (−x − ε)₊        for r_i = 0
//	risk_i(x) = x₊²/(2r_i)                            for r_i > 0, lo_i = 0, hi_i = +∞
//	risk_i(x) = x₋²/(2r_i)                            for r_i > 0, lo_i = −∞, hi_i = 0
//
// With f = Kw and Σw = 0, the gap P − D is a sum of one term ≥ 0 for each point:
//
//	P(w, b) − D(w) = Σ_i risk_i(x_i) − w_i x_i + ε|w_i| + ½ r_i w_i²,   x = y − f − b.
//
// The solver changes w only at the active points. A point is inactive while its w_i is at a bound and no step could
// gain from moving it. The solver uses sequential minimal optimization, and Newton steps on the free points, those
// with w_i strictly between its bounds. If K has low rank and many points stay free, an interior-point method follows.
type boxQP struct {
	y, lo, hi, r []float64
	epsilon      float64 // ε
	hasRidge     bool    // true if every ridge r_i > 0, false if every r_i = 0
	threads      int

	w, slopes, f []float64 // f = Kw; slopes = y − f − r∘w, the gradient of D without its term −ε‖w‖₁
	kinks        []kink    // scratch storage of optimalBias

	k             *mat.SymDense // K, of which the solver reads the upper triangle
	maxDiagonal   float64       // the largest K_ii plus ridge r_i
	activeK       []float64     // K of the active points, row by row
	storesActiveK bool          // false if activeK would need too much memory (maxStored)

	// activePoints lists the points whose w the solver changes, ascending. The slices active… and slopeOffsets… hold
	// one value for each of them. activeSlopes plus an offset is the slope of D if w is raised or if it is lowered.
	activePoints                                []int
	oldActivePoints                             []int     // the active points before the last change
	keptIndices                                 []int     // scratch storage of deactivatePoints
	rowBuffer, previousRowBuffer                []float64 // storage of two rows of K, if activeK is not stored
	activeW, activeSlopes, activeRidge          []float64 // w, slopes and ridges r of the active points
	activeLower, activeUpper                    []float64 // bounds lo and hi of w of the active points
	slopeOffsetsIfRaised, slopeOffsetsIfLowered []float64 // slopes of −ε|w|; ∓∞ at a bound
	activeDiagonal                              []float64 // K_ii + r_i of the active points
	dualValue                                   float64   // D(w), updated in each step
	iterations                                  int       // iterations of all methods so far
	iterationLimit                              int
	newton                                      newtonSteps
	interior                                    interiorPoint
}

// boxQPPool stores finished problems, whose storage later problems reuse.
var boxQPPool = sync.Pool{New: func() any { return new(boxQP) }}

// newBoxQP returns a problem of n points without ridges (r = 0) and with ε = 0. The caller sets the bounds lo and hi.
func newBoxQP(n int) *boxQP {
	q := boxQPPool.Get().(*boxQP)
	q.lo, q.hi, q.r = linalg.Resize(q.lo, n), linalg.Resize(q.hi, n), linalg.Resize(q.r, n)
	q.epsilon, q.hasRidge = 0, false
	clear(q.r)
	return q
}

func (q *boxQP) release() {
	q.y, q.w, q.k, q.newton.chol.Done = nil, nil, nil, nil
	boxQPPool.Put(q)
}

// riskAt returns risk_i(x), the penalty of the residual x = y_i − f_i − b of point i.
func (q *boxQP) riskAt(i int, residual float64) float64 {
	if q.hasRidge {
		if (residual > 0) == (q.hi[i] > 0) {
			return residual * residual / (2 * q.r[i])
		}
		return 0
	}
	switch {
	case residual > q.epsilon:
		return q.hi[i] * (residual - q.epsilon)
	case residual < -q.epsilon:
		return q.lo[i] * (residual + q.epsilon)
	}
	return 0
}

// solve maximizes D(w) to the relative gap tol, fills s and releases q. It starts from s.W, or from 0 if len(s.W) ≠ n.
func (q *boxQP) solve(ctx context.Context, s *Solution, k *kernel.Matrix, y []float64, tol float64) error {
	defer q.release()
	n := len(y)
	q.y, q.threads, q.iterations = y, s.Threads, 0
	q.iterationLimit = 20000 + 500*n
	q.k, q.activePoints, q.maxDiagonal = k.Dense(), q.activePoints[:0], 0
	for i := range n {
		q.maxDiagonal = max(q.maxDiagonal, q.k.At(i, i)+q.r[i])
	}
	if len(s.W) != n {
		s.W = linalg.Resize(s.W, n)
		clear(s.W)
	} else {
		q.projectOntoFeasibleSet(s.W)
	}
	q.w, q.slopes, q.f = s.W, linalg.Resize(q.slopes, n), linalg.Resize(q.f, n)
	s.Factor, s.BlockWeights = nil, nil
	// the next round aims at a relative gap of roundTargetFactor·tol; stalledRounds counts rounds since the gap halved
	gapFactorOfRound, bestGap, stalledRounds := 0.9, math.Inf(1), 0
	q.newton.prepareForSolve(ctx)
	q.interior.isDone, q.interior.takesOverNext, q.interior.rank = false, false, 0
	for {
		q.makeSumZero()
		if floats.Norm(q.w, math.Inf(1)) > 0 {
			k.MulVec(q.f, q.w)
		} else {
			clear(q.f)
		}
		for i := range q.slopes {
			q.slopes[i] = y[i] - q.f[i] - q.r[i]*q.w[i]
		}
		s.kw = append(s.kw[:0], q.f...)
		q.computePrimalAndDual(s)
		gap := s.Gap()
		if gap <= tol {
			break
		}
		if stalledRounds++; gap < bestGap/2 {
			bestGap, stalledRounds = gap, 0
		}
		if ctx.Err() != nil || q.iterations >= q.iterationLimit || stalledRounds > 6 {
			q.setRoundingBound(s, k, nil)
			s.Iters = q.iterations
			isOutOfIterations := ctx.Err() == nil && q.iterations >= q.iterationLimit
			return &Inexact{Gap: gap, TargetGap: tol, IterationLimitReached: isOutOfIterations, Cause: ctx.Err()}
		}
		q.dualValue = s.Dual()
		q.selectActivePoints()
		q.optimizePairs(ctx, gapFactorOfRound*tol)
		if q.interior.takesOverNext {
			q.interior.takesOverNext = false
			q.interior.solve(ctx, q)
		}
		gapFactorOfRound = max(gapFactorOfRound/4, 1e-3)
	}
	s.Iters = q.iterations
	q.setRoundingBound(s, k, nil)
	if s.WKW < -s.Rounding.WKW {
		return fmt.Errorf("%w: wᵀKw = %.3g", ErrNotPSD, s.WKW)
	}
	return nil
}

// evaluate stores in s the bounds of the optimal value J that s.W proves. If kw is nil, it computes Kw. Otherwise kw is
// Kw with a relative error of at most linalg.Epsilon in each number. evaluate returns the storage of q to the pool.
func (q *boxQP) evaluate(s *Solution, k *kernel.Matrix, y, kw []float64) {
	defer q.release()
	q.y, q.w, q.f = y, s.W, linalg.Resize(q.f, len(y))
	if kw != nil {
		copy(q.f, kw)
	} else {
		k.MulVec(q.f, q.w)
	}
	s.kw = append(s.kw[:0], q.f...)
	s.Factor, s.BlockWeights = nil, nil
	if kw == nil {
		s.Iters = 0
	}
	q.computePrimalAndDual(s)
	q.setRoundingBound(s, k, kw)
}

// computePrimalAndDual computes the bias of s and the terms of its primal and dual value from w and f = Kw.
func (q *boxQP) computePrimalAndDual(s *Solution) {
	s.Bias = q.optimalBias()
	s.LinearTerm, s.QuadraticTerm, s.WKW, s.Primal = 0, 0, 0, 0
	for i, w := range q.w {
		s.LinearTerm += q.y[i]*w - q.epsilon*math.Abs(w)
		s.QuadraticTerm += q.r[i] * w * w
		s.WKW += w * q.f[i]
		s.Primal += q.riskAt(i, q.y[i]-q.f[i]-s.Bias)
	}
	s.Primal += s.WKW / 2
}
