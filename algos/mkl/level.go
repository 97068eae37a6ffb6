package mkl

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Level is the level bundle method, for an F with kinks. The hinge loss, for example, gives F kinks at θ with a
// singular K(θ). Every point at which the loss is solved gives a cut ℓ_i, and the method stores the cuts:
//
//	ℓ_i(θ) = F(θ_i) + ⟨∇F(θ_i), θ−θ_i⟩ ≤ F(θ),   M_k = max_{i≤k} ℓ_i,
//	θ_{k+1} = the point of {θ ∈ Θ : M_k(θ) ≤ L + κ(U−L)} nearest to θ_k,  κ = ½,
//
// where U is the best value so far and L the best lower bound. The level is L + κ(U−L). If no θ ∈ Θ has M_k(θ) ≤ the
// level, there are λ ≥ 0, Σλ = 1, with min_Θ Σλ_iℓ_i above the level. With the dual coefficients w_i of θ_i, the mean
// w̄ = Σλ_iw_i is feasible because the feasible w are a convex set. The lower bound that w̄ proves is at least that
// minimum, and replaces L. The bound of a single w_i may stay below min F if θ_i is at a kink.
//
// F must be convex: Level needs a family linear in θ and a bounded set. U−L ≤ ε after O((D·Λ/ε)²) steps for any number
// of kernels, where D is the diameter of Θ and Λ a bound of ‖∇F‖. In practice the gap falls linearly. A step costs one
// evaluation, and about ten Newton steps for the nearest point. With m kernels and k cuts, a Newton step on a simplex
// costs mk² operations, which is cheap even for hundreds of kernels. On other sets it costs m projections onto Θ and
// m²k operations, which is little compared with the evaluation if m is less than the number of points.
//
// References:
//   - C. Lemaréchal, A. Nemirovskii and Y. Nesterov, New variants of bundle methods, Math. Program. 69
//     (1995), section 2.2.
//   - Z. Xu, R. Jin, I. King and M. Lyu, An extended level method for efficient multiple kernel
//     learning, NIPS 2008, Algorithm 1.
type Level struct{}

var _ Solver = Level{}

func (Level) String() string { return "Level" }

// Requirements requires a convex F on a bounded set.
func (s Level) Requirements(p *Problem) (Requirements, error) {
	projectionDerivatives := 0 // of a simplex, no m×m matrix is stored
	if !p.Set.Traits().IsSimplex() {
		projectionDerivatives = 1
	}
	r := Requirements{ProjectsStart: true, MaxInnerGap: 1e-3, ParameterMatrices: projectionDerivatives}
	return r, unsuitedError(s,
		require(isLinearFamily(p), "a kernel family linear in θ"),
		require(p.hasBoundedSet(), "a bounded set"))
}

func (Level) Start(p *Problem) Stepper { return &level{meanDualPoint: Point{p: p}} }

// kappa is κ: the level is L + κ(U−L), between the lower bound L of min F and the smallest upper bound U.
const kappa = 0.5

type level struct {
	cuts          []linearization
	mu            []float64    // multipliers μ_i of the cuts in the last search for the nearest point
	meanDualPoint Point        // its w is the mean w̄ of the w of the cuts; it proves a lower bound of min F
	search        nearestPoint // the search for the point nearest to θ at which no cut exceeds the level
}

// linearization is a cut ℓ(θ) = valueAtZero + ⟨g,θ⟩. w are the dual coefficients of the point at which it was made.
type linearization struct {
	valueAtZero float64
	g, w        []float64
}

func (s *level) Step(it *Iterate) error {
	if lossGap := it.Primal - it.Dual(); it.inexact == nil && lossGap > 0.2*(it.BestUpper-it.Lower) &&
		lossGap > it.Tol*math.Abs(it.Primal) {
		// Primal − Dual at this θ is a large part of the gap of the run: solve the loss here again, to Tol
		copy(it.TrialPoint().Theta, it.Theta)
		return it.EvaluateAndAcceptTrial()
	}
	s.addCut(it)
	t := it.TrialPoint().Theta
	for range 20 { // each pass raises the lower bound or finds the next point
		upper := math.Min(it.BestUpper, it.Primal+it.R)
		gap := upper - it.Lower
		if !(gap > 0) || math.IsInf(gap, 1) {
			return ErrStalled
		}
		levelValue := it.Lower + kappa*gap
		s.search = nearestPoint{set: it.p.Set, center: it.Theta, cuts: s.cuts, level: levelValue}
		s.mu = s.search.findNearestPoint(t, 0.1*(1-kappa)*gap)
		if !(s.search.lowerBound > it.Lower+0.1*(levelValue-it.Lower)) {
			break
		}
		oldLower := it.Lower
		if err := s.raiseLowerBound(it); err != nil {
			return err
		}
		if s.search.hasNearestPoint || !(it.Lower > oldLower+0.05*(levelValue-oldLower)) {
			break
		}
	}
	if floats.Equal(t, it.Theta) {
		return ErrStalled
	}
	return it.EvaluateAndAcceptTrial()
}

// enoughCuts limits the storage: with this many cuts, a new one replaces the oldest cut with multiplier 0, if any.
const enoughCuts = 100

// addCut stores the cut at the current θ, the tangent of F there.
func (s *level) addCut(it *Iterate) {
	if i := slices.Index(s.mu, 0); i >= 0 && len(s.cuts) >= enoughCuts {
		s.cuts, s.mu = slices.Delete(s.cuts, i, i+1), slices.Delete(s.mu, i, i+1)
	}
	g := append([]float64(nil), it.Grad()...)
	s.cuts = append(s.cuts, linearization{it.F() - floats.Dot(g, it.Theta), g, append([]float64(nil), it.W...)})
	s.mu = append(s.mu, 0)
}

// raiseLowerBound gives the driver w̄ = Σλ_iw_i, which may prove a larger lower bound. w_i are the dual coefficients of
// cut i, and λ_i ≥ 0 the weights of the cuts in the search, with the sum 1.
func (s *level) raiseLowerBound(it *Iterate) error {
	w := make([]float64, len(it.W))
	for i, l := range s.search.cutWeights {
		floats.AddScaled(w, l*(1-0x1p-50), s.cuts[i].w) // Σλ ≤ 1 despite rounding: sw is feasible for s ≤ 1
	}
	pt := &s.meanDualPoint
	pt.Gram, pt.Theta, pt.Threads = it.Gram, append(pt.Theta[:0], it.Theta...), it.Threads
	pt.evaluateDual(w)
	return it.tightenLowerAt(pt)
}

// nearestPoint is a search for the point nearest to a center c in the part of Θ where no cut ℓ_i, of gradient g_i, is
// above the level l. P_Θ is the projection onto Θ. The search maximizes the dual
//
//	max_{μ≥0} q(μ),  q(μ) = min_{θ∈Θ} ½‖θ−c‖² + Σμ_i(ℓ_i(θ) − l),  θ(μ) = P_Θ(c − Σμ_ig_i),
//
// whose gradient is h_i = ℓ_i(θ(μ)) − l, and whose Hessian is −GP'Gᵀ, with the matrix G of the rows g_i and the
// derivative P' of the projection (semi-smooth Newton). Except on simplexes, P' is computed by finite differences.
type nearestPoint struct {
	hasNearestPoint bool      // no cut exceeds the level at the returned point by more than the slack
	cutWeights      []float64 // the weights λ of the cuts in lowerBound; their sum is 1
	lowerBound      float64   // the largest lower bound min_Θ Σλ_iℓ_i of min F so far

	set          set.Set
	center       []float64       // c, the θ of the current point
	cuts         []linearization // the affine functions ℓ_i ≤ F
	level        float64         // l, between the bounds of min F
	meanGradient []float64       // gradient Σλ_ig_i of the mean cut, length m
}

// maxNewtonSteps is the largest number of Newton steps of one search for the nearest point. If a search needs more, the
// point that it returns is in Θ, but cuts may exceed the level there.
const maxNewtonSteps = 50

// findNearestPoint stores in theta the point of Θ nearest to the center at which no cut ℓ_i exceeds the level, and
// returns the multipliers μ of the cuts. It ends if no ℓ_i(θ) exceeds the level by more than slack, or if a mean of the
// cuts is above the level on all of Θ, so that no such point exists.
func (s *nearestPoint) findNearestPoint(theta []float64, slack float64) (mu []float64) {
	n, m := len(s.cuts), len(theta)
	s.hasNearestPoint, s.lowerBound, s.meanGradient = false, math.Inf(-1), make([]float64, m)
	s.cutWeights = make([]float64, n)
	mu = make([]float64, n)
	cutExcess, newMu, newCutExcess := make([]float64, n), make([]float64, n), make([]float64, n)
	muStep, newTheta := make([]float64, n), make([]float64, m)
	dualValue, identityWeight := s.dualValueAndGradient(mu, theta, cutExcess), 0.0 // theta is now the projected center
	for range maxNewtonSteps {
		if s.hasNearestPoint = floats.Max(cutExcess) <= slack; s.hasNearestPoint {
			break
		}
		ok := s.storeNewtonMultipliers(newMu, mu, theta, cutExcess, identityWeight)
		if s.raiseLowerBound(newMu); s.lowerBound >= s.level {
			break
		}
		floats.SubTo(muStep, newMu, mu)
		slope, newDualValue := floats.Dot(cutExcess, muStep), s.dualValueAndGradient(newMu, newTheta, newCutExcess)
		if !(ok && slope > 0 && newDualValue >= dualValue+1e-4*slope) {
			if identityWeight == 1 {
				break
			}
			identityWeight = math.Min(1, math.Max(10*identityWeight, 1e-3))
			continue
		}
		if identityWeight /= 10; identityWeight < 1e-4 {
			identityWeight = 0
		}
		dualValue = newDualValue
		copy(mu, newMu)
		copy(cutExcess, newCutExcess)
		copy(theta, newTheta)
	}
	s.raiseLowerBound(mu)
	return mu
}

// storeUnprojectedPoint stores in dst the center minus Σμ_ig_i, the gradients of the cuts times the multipliers mu.
func (s *nearestPoint) storeUnprojectedPoint(dst, mu []float64) {
	copy(dst, s.center)
	for i, u := range mu {
		if u != 0 {
			floats.AddScaled(dst, -u, s.cuts[i].g)
		}
	}
}

// dualValueAndGradient returns q(μ) = min_{θ∈Θ} ½‖θ−center‖² + Σμ_i(ℓ_i(θ) − level) for the multipliers μ of the cuts
// ℓ_i. It stores ∇q(μ) in dualGradient, and the minimizing θ in theta.
func (s *nearestPoint) dualValueAndGradient(mu, theta, dualGradient []float64) float64 {
	s.storeUnprojectedPoint(theta, mu)
	s.set.Project(theta, theta)
	d := floats.Distance(theta, s.center, 2)
	for i, c := range s.cuts {
		dualGradient[i] = c.valueAtZero + floats.Dot(c.g, theta) - s.level
	}
	return d*d/2 + floats.Dot(mu, dualGradient)
}

// raiseLowerBound computes min_Θ Σλ_iℓ_i for λ = μ/Σμ, a lower bound of min F, because each cut has ℓ_i ≤ F. If this
// minimum exceeds lowerBound, it replaces lowerBound, and λ replaces cutWeights.
func (s *nearestPoint) raiseLowerBound(multipliers []float64) {
	muSum, meanCutAtZero := floats.Sum(multipliers), 0.0
	if !(muSum > 0) || math.IsInf(muSum, 1) {
		return
	}
	clear(s.meanGradient)
	for i, u := range multipliers {
		floats.AddScaled(s.meanGradient, u/muSum, s.cuts[i].g)
		meanCutAtZero += u / muSum * s.cuts[i].valueAtZero
	}
	if v := meanCutAtZero + s.set.Minimize(nil, s.meanGradient); v > s.lowerBound {
		s.lowerBound = v
		floats.ScaleTo(s.cutWeights, 1/muSum, multipliers)
	}
}

// storeNewtonMultipliers stores in newMu ≥ 0 the maximizer of the quadratic model of the dual function q at mu. theta
// is θ(μ) and dualGradient is ∇q(μ). The model uses (1−τ)P' + τI in place of the derivative P' of the projection onto
// Θ, τ = identityWeight. For τ = 1 the model is nowhere above q, because P' ⪯ I. At kinks isModelConcave may be false.
func (s *nearestPoint) storeNewtonMultipliers(newMu, mu, theta, dualGradient []float64,
	identityWeight float64) (isModelConcave bool) {
	n, m := len(mu), len(theta)
	g, gp, gram := make([]float64, n*m), make([]float64, n*m), make([]float64, n*n)
	trace := 0.0
	for i, c := range s.cuts {
		copy(g[i*m:], c.g)
		trace += floats.Dot(c.g, c.g)
	}
	if t := s.set.Traits(); t.IsSimplex() {
		simplex := set.Simplex{Sum: t.Sum}
		for i, c := range s.cuts {
			row := gp[i*m : (i+1)*m]
			simplex.ProjectionDerivative(row, theta, c.g)
			for k, v := range c.g {
				row[k] = (1-identityWeight)*row[k] + identityWeight*v
			}
		}
	} else {
		s.multiplyCutGradientsByProjectionDerivative(gp, g, mu, theta, identityWeight)
	}
	linalg.ThreadLimit(0).Gemm(false, true, n, n, m, 1, gp, m, g, m, 0, gram, n)
	q := mat.NewSymDense(n, nil)
	for i := range n {
		for k := i; k < n; k++ {
			q.SetSym(i, k, (gram[i*n+k]+gram[k*n+i])/2)
		}
		q.SetSym(i, i, q.At(i, i)+1e-13*trace) // makes q definite if gradients of cuts are parallel
	}
	b := make([]float64, n)
	linalg.SymMulVec(b, q, mu)
	floats.Add(b, dualGradient)
	copy(newMu, mu)
	return minimizeNonnegative(newMu, q, b)
}

// multiplyCutGradientsByProjectionDerivative stores G((1−τ)P' + τI) in dst for τ = identityWeight. g holds the rows of
// G, the gradients of the cuts. P', the derivative of the projection, is computed by finite differences, m projections.
func (s *nearestPoint) multiplyCutGradientsByProjectionDerivative(dst, g, mu, theta []float64, identityWeight float64) {
	n, m := len(mu), len(theta)
	p, v := make([]float64, m*m), make([]float64, m)
	s.storeUnprojectedPoint(v, mu)
	stepSize := 1e-6 * floats.Norm(theta, 2)
	for k, old := range v {
		row := p[k*m : (k+1)*m]
		if identityWeight < 1 {
			v[k] += stepSize
			s.set.Project(row, v)
			floats.Sub(row, theta)
			floats.Scale((1-identityWeight)/(v[k]-old), row)
			v[k] = old
		}
		row[k] += identityWeight
	}
	linalg.ThreadLimit(0).Gemm(false, false, n, m, m, 1, g, m, p, m, 0, dst, m)
}

// minimizeNonnegative stores the minimizer of ½xᵀQx − bᵀx over x ≥ 0 in x, which holds the start, by the active set
// method of Lawson and Hanson (Solving least squares problems, 1974, chapter 23), if Q is positive definite.
func minimizeNonnegative(x []float64, q *mat.SymDense, b []float64) (isPositiveDefinite bool) {
	n := len(x)
	isFree, qx := make([]bool, n), make([]float64, n)
	for i, v := range x {
		isFree[i] = v > 0
	}
	var c linalg.Cholesky
	scaleB := floats.Norm(b, math.Inf(1))
	for range 5 * n {
		for {
			var freeIndices []int
			for i, f := range isFree {
				if f {
					freeIndices = append(freeIndices, i)
				}
			}
			if len(freeIndices) == 0 {
				break
			}
			freeMatrix, y := mat.NewSymDense(len(freeIndices), nil), make([]float64, len(freeIndices))
			for i, k := range freeIndices {
				y[i] = b[k]
				for j := i; j < len(freeIndices); j++ {
					freeMatrix.SetSym(i, j, q.At(k, freeIndices[j]))
				}
			}
			if !c.Factorize(freeMatrix, 0) {
				return false
			}
			c.SolveVec(y, y)
			stepLength, leavingIndex := 1.0, -1 // the longest step with x ≥ 0 from x toward y; the entry set to 0 there
			for i, k := range freeIndices {
				if r := x[k] / (x[k] - y[i]); y[i] <= 0 && r <= stepLength {
					stepLength, leavingIndex = r, k
				}
			}
			for i, k := range freeIndices {
				x[k] += stepLength * (y[i] - x[k])
			}
			if leavingIndex < 0 {
				break
			}
			x[leavingIndex], isFree[leavingIndex] = 0, false
		}
		linalg.SymMulVec(qx, q, x)
		enteringIndex, largestSlope := -1, 1e-12*scaleB
		for i, f := range isFree {
			if v := b[i] - qx[i]; !f && v > largestSlope {
				enteringIndex, largestSlope = i, v
			}
		}
		if enteringIndex < 0 {
			return true
		}
		isFree[enteringIndex] = true
	}
	return true
}
