package loss

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"

	"gonum.org/v1/gonum/floats"
)

// BlockNorm is a loss on several kernel matrices K_1, …, K_m. It fits one function f_i for each matrix and penalizes
// the largest of their norms:
//
//	J(K_1, …, K_m) = max_{α∈A} D(α) − ½ (Σ_i √q_i)²,   q_i = wᵀK_iw,
//	               = min_{f_1…f_m, b} ½ max_i ‖f_i‖²_{K_i} + Σ_j risk_j(Σ_i f_i(x_j) + b).
//
// Loss defines D, A, w(α) and risk_j (see the package comment). J is the J of Loss for the matrix Σ_i c_iK_i with
// the best weights c, because (Σ_i √q_i)² = min { Σ_i c_iq_i : c > 0, Σ_i 1/c_i = 1 }, with the minimum at the shares
// 1/c_i = √q_i / Σ_j √q_j. The maximization is jointly concave in α and in the shares. With Hinge, J is (10) of Kundu
// et al. The solution uses every matrix: only the largest norm is penalized, so that no other f_i needs to be small.
//
// The Gram must be a kernel.Blocked. Solve and Evaluate set the weights of the Gram to the c in Solution.BlockWeights.
// J has no derivative in K_i at q_i = 0: its gradient −½c_iwwᵀ grows without bound as q_i tends to 0.
//
// References:
//   - A. Kundu, V. Tankasali, C. Bhattacharyya and A. Ben-Tal, Efficient algorithms for learning kernels from
//     multiple similarity matrices with general convex loss functions, NIPS 2010, (10).
//   - J. Saketha Nath et al., On the algorithmics and applications of a mixed-norm based kernel learning formulation,
//     NIPS 2009.
type BlockNorm struct {
	Loss Loss // a loss with one column of targets, whose dual objective depends on K only by wᵀKw
}

var _ Loss = BlockNorm{}

const needsBlocks = "loss: BlockNorm needs a Gram of several matrices (kernel.Blocked); got %T"

// minShare is a lower bound of the share 1/c_i of matrix i, so that its weight c_i stays finite if wᵀK_iw = 0.
const minShare = 1e-8

func (l BlockNorm) String() string { return fmt.Sprintf("%v, block norm", l.Loss) }

// Validate requires a valid loss with one column that is not a BlockNorm.
func (l BlockNorm) Validate(y []float64) error {
	switch l.Loss.(type) {
	case nil:
		return errors.New("loss: BlockNorm has no Loss; set one")
	case BlockNorm:
		return errors.New("loss: the Loss of BlockNorm is a BlockNorm; do not nest BlockNorm")
	}
	if l.Loss.Traits().Columns > 1 {
		return fmt.Errorf("loss: the Loss of BlockNorm has several columns: %v; use a loss with one column", l.Loss)
	}
	return l.Loss.Validate(y)
}

// Traits returns the zero value, because J is not differentiable in K_i if wᵀK_iw = 0.
func (BlockNorm) Traits() Traits { return Traits{} }

// PointWeights returns the weights of Loss.
func (l BlockNorm) PointWeights() []float64 { return PointWeights(l.Loss) }

// Solve alternates: it solves Loss on Σ_i c_iK_i, then computes the best weights c of the matrices for the resulting w.
// Anderson acceleration of log c needs 4 to 6 iterations, not 12, for a gap of 1e-9. Solve starts at s.BlockWeights. An
// iteration costs one solve of Loss and two products with the matrices.
func (l BlockNorm) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	b, ok := g.(kernel.Blocked)
	if !ok {
		return fmt.Errorf(needsBlocks, g)
	}
	m := len(b.BlockStarts()) - 1
	c := slices.Clone(s.BlockWeights)
	if len(c) != m {
		c = slices.Repeat([]float64{1}, m)
	}
	normalizeWeights(c)
	var (
		q             = make([]float64, m)
		logShares     = make([]float64, m) // log of the shares 1/c_i of the matrices
		bestLogShares = make([]float64, m) // log of the shares that are best for the w of this iteration

		// bestLogShares and bestLogShares − logShares of the previous iteration
		lastBestLogShares, lastChange = make([]float64, m), make([]float64, m)

		bestGap           = math.Inf(1)
		bestW, bestC      []float64 // w and weights c of the iteration with the smallest gap
		stalledIterations int       // iterations since the gap last halved
		lossIterations    int       // total iterations of the solves of Loss
	)
	const maxAlternations = 1000
	for iteration := 1; ; iteration++ {
		b.SetBlockWeights(c)
		err := l.Loss.Solve(ctx, s, g, y, max(tol/8, min(bestGap/50, 1e-2)))
		lossIterations += s.Iters
		innerInexact, isInexact := err.(*Inexact)
		if err != nil && !isInexact {
			return err
		}
		b.BlockQuadraticForms(q, s.W)
		l.convertToBlockNorm(s, g, c, q)
		s.BlockWeights, s.Factor, s.Iters = slices.Clone(c), nil, lossIterations
		gap := s.Gap()
		if gap <= tol {
			return nil
		}
		if stalledIterations++; gap < bestGap/2 {
			stalledIterations = 0
		}
		if ctx.Err() != nil || iteration == maxAlternations || stalledIterations > 20 {
			if gap > bestGap {
				s.W, s.BlockWeights = append(s.W[:0], bestW...), bestC
				l.Evaluate(s, g, y, nil)
				s.Iters = lossIterations
			}
			reachedLimit := iteration == maxAlternations || isInexact && innerInexact.IterationLimitReached
			return &Inexact{Gap: s.Gap(), TargetGap: tol, IterationLimitReached: reachedLimit, Cause: ctx.Err()}
		}
		isBetter := gap < bestGap
		if isBetter {
			bestGap, bestW, bestC = gap, append(bestW[:0], s.W...), append(bestC[:0], c...)
		}
		for i, v := range c {
			logShares[i] = -math.Log(v)
		}
		minimizeWeightedSum(c, q)
		for i, v := range c {
			bestLogShares[i] = -math.Log(v)
		}
		beta := 0.0
		if iteration > 1 && isBetter {
			beta = computeAndersonFactor(logShares, bestLogShares, lastChange)
		}
		for i := range c {
			c[i] = math.Exp(beta*(bestLogShares[i]-lastBestLogShares[i]) - bestLogShares[i])
			lastChange[i] = bestLogShares[i] - logShares[i]
		}
		normalizeWeights(c)
		copy(lastBestLogShares, bestLogShares)
	}
}

// computeAndersonFactor returns the factor β of Anderson acceleration with one previous iteration: it minimizes ‖f −
// β(f − lastChange)‖ for f = bestLogShares − logShares, limited to −3 ≤ β ≤ ½. lastChange is the previous f.
func computeAndersonFactor(logShares, bestLogShares, lastChange []float64) float64 {
	num, den := 0.0, 0.0
	for i, v := range bestLogShares {
		f := v - logShares[i]
		num, den = num+f*(f-lastChange[i]), den+(f-lastChange[i])*(f-lastChange[i])
	}
	if den == 0 {
		return 0
	}
	return clip(num/den, -3, 0.5)
}

// convertToBlockNorm turns the solution s of Loss on K = Σ_i c_iK_i into a solution of the block norm. weights are the
// c_i, and quadraticForms the q_i = wᵀK_iw for w = s.W. The dual value with (Σ_i √q_i)² stays a lower bound, because
// Σ_i c_iq_i ≥ (Σ_i √q_i)². In the primal value, the largest ‖f_i‖² = c_i²q_i of f_i = c_iK_iw replaces wᵀKw.
//
// ShiftError covers a diagonal shift ℓ_iI in each K_i. Without the shifts, the prediction at point j falls by ℓw_j, ℓ =
// Σ_i c_iℓ_i. In the ShiftError of Loss, ½wᵀKw then falls by ½ℓ‖w‖². The largest ½‖f_i‖², which replaces it, may
// not fall. Therefore convertToBlockNorm adds ½ℓ‖w‖² to ShiftError.
func (l BlockNorm) convertToBlockNorm(s *Solution, g Gram, weights, quadraticForms []float64) {
	_, _, addedShift, _ := g.K().ErrorBounds()
	s.ShiftError += addedShift / 2 * floats.Dot(s.W, s.W)
	maxSquaredNorm := 0.0
	for i, v := range quadraticForms {
		maxSquaredNorm = max(maxSquaredNorm, weights[i]*weights[i]*v)
	}
	// the error of c_i²q_i is at most max c times that of c_iq_i, a summand of wᵀKw, whose bound covers all summands
	s.Primal += (maxSquaredNorm - s.WKW) / 2
	s.Rounding.Primal += (1 + slices.Max(weights)) * s.Rounding.WKW
}

// minimizeWeightedSum stores the weights c that minimize Σ_i c_iq_i subject to Σ_i 1/c_i ≤ 1, for q =
// quadraticForms: 1/c_i is proportional to √q_i. If q = 0, all weights are equal.
func minimizeWeightedSum(weights, quadraticForms []float64) {
	allZero := !(floats.Max(quadraticForms) > 0)
	for i, v := range quadraticForms {
		if allZero {
			v = 1
		}
		weights[i] = 1 / math.Sqrt(max(v, math.SmallestNonzeroFloat64))
	}
	normalizeWeights(weights)
}

// normalizeWeights scales the weights c to Σ_i 1/c_i ≤ 1. It first raises each 1/c_i to at least minShare of their sum.
func normalizeWeights(weights []float64) {
	sumOfInverses := 0.0
	for i, v := range weights {
		weights[i] = 1 / v
		sumOfInverses += weights[i]
	}
	clippedSum := 0.0
	for i, v := range weights {
		weights[i] = max(v/sumOfInverses, minShare)
		clippedSum += weights[i]
	}
	for i, v := range weights {
		weights[i] = clippedSum / v * (1 + 1e-15)
	}
}

// Evaluate stores in s the bounds of the optimal value J that s.W proves. It tries two vectors c of weights of the
// matrices: the c that is best for s.W, and s.BlockWeights. It takes the c with the smaller gap. It ignores its last
// argument.
func (l BlockNorm) Evaluate(s *Solution, g Gram, y, _ []float64) {
	b := g.(kernel.Blocked)
	m := len(b.BlockStarts()) - 1
	q, c := make([]float64, m), make([]float64, m)
	b.BlockQuadraticForms(q, s.W)
	givenWeights := s.BlockWeights
	evaluateAtWeights := func() {
		b.SetBlockWeights(c)
		l.Loss.Evaluate(s, g, y, nil)
		l.convertToBlockNorm(s, g, c, q)
	}
	minimizeWeightedSum(c, q)
	evaluateAtWeights()
	if len(givenWeights) == len(c) {
		bestWeights := slices.Clone(c)
		gap := s.Gap()
		copy(c, givenWeights)
		normalizeWeights(c)
		if evaluateAtWeights(); !(s.Gap() < gap) {
			copy(c, bestWeights)
			evaluateAtWeights()
		}
	}
	s.BlockWeights, s.Factor = c, nil
}

// Slice returns the loss for the points with the given rows.
func (l BlockNorm) Slice(rows []int) Loss {
	if l.Loss != nil { // a nil Loss must not panic here; Validate rejects it
		l.Loss = l.Loss.Slice(rows)
	}
	return l
}

// Prox replaces feasible dual coefficients w and the weights c of the matrices K_i by approximately the w', c' > 0 that
// maximize
//
//	D(w') − ½ Σ_i u_iᵀK_iu_i − Σ_i ‖u_i − √c_i w‖²/2τ,   u_i = √c'_i w',   Σ_i 1/c'_i ≤ 1.
//
// D is the dual objective of Loss without its kernel term, as in J of BlockNorm, and τ is stepLength. Loss must be
// Proximal. In the variables u_i, this is a proximal step of length τ. Prox alternates up to 10 times: for fixed c', it
// takes a proximal step of Loss from a multiple of w, to the relative gap tol; for fixed w', it computes the best c'.
// Neither step lowers the value. Prox leaves the Gram with the weights c'.
func (l BlockNorm) Prox(ctx context.Context, w, c []float64, g Gram, y []float64, stepLength, tol float64) error {
	proximal, ok := l.Loss.(Proximal)
	if !ok {
		return fmt.Errorf("loss: the loss %T has no proximal step; use Hinge", l.Loss)
	}
	b, ok := g.(kernel.Blocked)
	if !ok {
		return fmt.Errorf(needsBlocks, g)
	}
	const maxAlternations = 10
	m := len(c)
	startW, startRootWeights := slices.Clone(w), make([]float64, m) // w and the roots of the weights c at the start
	q, quadraticCoefs, linearCoefs := make([]float64, m), make([]float64, m), make([]float64, m)
	for i, v := range c {
		startRootWeights[i] = math.Sqrt(v)
	}
	for range maxAlternations {
		weightSum, sumOfRootProducts := 0.0, 0.0 // Σ c'_i and Σ √(c'_ic_i), c' the weights now, c at the start
		for i, v := range c {
			weightSum += v
			sumOfRootProducts += math.Sqrt(v) * startRootWeights[i]
		}
		floats.ScaleTo(w, sumOfRootProducts/weightSum, startW)
		b.SetBlockWeights(c)
		if err := proximal.Prox(ctx, w, g, y, stepLength/weightSum, tol); err != nil {
			return err
		}
		b.BlockQuadraticForms(q, w)
		ww, dotWStartW := floats.Dot(w, w), floats.Dot(w, startW)
		for i := range q {
			quadraticCoefs[i], linearCoefs[i] = max(q[i], 0)+ww/stepLength, startRootWeights[i]*dotWStartW/stepLength
		}
		passChange, totalChange := 0.0, 0.0 // largest change of a log c_i in this pass, and since the start
		if ww > 0 {
			for i, s := range maximizeOverScales(quadraticCoefs, linearCoefs) {
				passChange = max(passChange, math.Abs(math.Log(s*s/c[i])))
				c[i] = s * s
				totalChange = max(totalChange, math.Abs(2*math.Log(s/startRootWeights[i])))
			}
		}
		if !(passChange > 0.02*totalChange) {
			break
		}
	}
	b.SetBlockWeights(c)
	return nil
}

// maximizeOverScales returns the s > 0 that maximizes Σ_i b_is_i − ½a_is_i² for linear = b and quadratic = a > 0,
// subject to Σ_i s_i⁻² ≤ 1. If s_i = b_i/a_i is feasible, it is the maximizer. Otherwise a_is_i⁴ − b_is_i³ = 2λ, with
// the multiplier λ for which Σ_i s_i⁻² = 1. Bisection finds λ. Newton's method finds each s_i; it starts above the
// root, where a_is_i⁴ − b_is_i³ is convex. Every s_i⁻² is at least minShare.
func maximizeOverScales(quadratic, linear []float64) (scales []float64) {
	s := make([]float64, len(quadratic))
	inverseSquareSumAt := func(lambda float64) (sum float64) {
		for i, v := range quadratic {
			unconstrained := max(linear[i], 0) / v
			x := unconstrained + math.Sqrt(math.Sqrt(2*lambda/v))
			for range 60 {
				newX := x - ((v*x-linear[i])*x*x*x-2*lambda)/((4*v*x-3*linear[i])*x*x)
				if !(newX < x) {
					break
				}
				x = newX
			}
			s[i] = min(max(x, unconstrained), 1/math.Sqrt(minShare))
			sum += 1 / (s[i] * s[i])
		}
		return sum
	}
	if inverseSquareSumAt(0) <= 1 {
		return s
	}
	lambdaLow, lambdaHigh := 0.0, 0.0
	m := float64(len(quadratic))
	for i, v := range quadratic { // at λ = lambdaHigh each of the m scales is ≥ √m: Σ s_i⁻² ≤ 1
		lambdaHigh = max(lambdaHigh, m*m*v/2-m*math.Sqrt(m)*min(linear[i], 0)/2)
	}
	for range 200 {
		lambdaMid := lambdaLow + (lambdaHigh-lambdaLow)/2
		if lambdaMid <= lambdaLow || lambdaMid >= lambdaHigh {
			break
		}
		if inverseSquareSumAt(lambdaMid) > 1 {
			lambdaLow = lambdaMid
		} else {
			lambdaHigh = lambdaMid
		}
	}
	inverseSquareSumAt(lambdaHigh)
	return s
}
