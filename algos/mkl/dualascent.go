package mkl

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// DualAscent minimizes F = J + r with a quadratic r by maximizing the dual φ, which is then smooth. D(α) is the part of
// the dual objective of J without K, A its domain, and w the dual coefficients of α. With r = a‖θ−c‖² + k,
//
//	φ(α) = D(α) + min_{θ∈Θ} −½wᵀK(θ)w + r(θ) ≤ min F,   attained at θ(α) = P_Θ(c + v/4a), v_k = wᵀK_kw,
//	∇_w φ = ∇D − K(θ(α))w.
//
// This is the method of Luss and d'Aspremont for one indefinite similarity matrix S, with K(α) = (S + wwᵀ/4ρ)₊. It also
// solves problem (4) of Kundu et al. with r = ρΣ_i‖K−S_i‖² (L3). An ascent is a Newton step on φ, with K(θ(α)) for
// the curvature of J, and a multiple μ of I for the curvature that the change of θ(α) adds,
//
//	w' = argmax_A  D(w) − ½wᵀK(θ(α))w − ½μ‖w − w(α)‖²,
//
// which is a support vector machine with K + μI. μ is multiplied by 4 if φ rises by less than 0.3 of the rise that this
// model predicts, and divided by 3 if by at least 0.9 of it. A change dw of w moves θ by at most ‖w‖‖dw‖/2a·√2. The
// curvature of φ that this adds is at most ‖w‖²/a. A larger μ is not needed, and a tenth of this usually is enough.
//
// If r is not quadratic but has a quadratic upper bound that touches it (reg.Majorized, such as ρ‖K−S‖, L2), each step
// of a run replaces r once by this bound at the last θ, so that F does not grow. The lower bound of min F is then the
// minimum over Θ of the tangent of F ("cut" in Problem.Certify). If θ tends to S itself, where ‖K−S‖ has its kink, the
// curvature of the quadratic bounds tends to infinity; use ADMM.
//
// For several matrices K_i under a block norm (loss.BlockNorm), φ is a jointly concave function of w and of the weights
// c_i of the matrices, and K_i enters only through u_i = √c_i w. An ascent moves w and c by the Prox of loss.BlockNorm,
// whose proximal term is ½μ times the sum of the squared changes of the u_i.
//
// The solver needs a family linear in θ and a loss with a proximal step. Θ need not be bounded. A step of a run makes
// at most five ascents and one evaluation of F. An ascent costs a projection: an eigendecomposition if θ is a matrix.
//
// References:
//   - R. Luss and A. d'Aspremont, Support vector machine classification with indefinite kernels, Math. Program.
//     Comput. 1 (2009), (5) to (8).
type DualAscent struct{}

var _ Solver = DualAscent{}

func (DualAscent) String() string { return "DualAscent" }

// Requirements requires a regularizer that is quadratic or has quadratic upper bounds that touch it.
func (s DualAscent) Requirements(p *Problem) (Requirements, error) {
	m, _ := p.Grams.Dims()
	ok := p.Reg != nil && p.Reg.Validate(m) == nil
	if ok {
		q, _ := p.majorizeRegularizer(make([]float64, m))
		ok = q != nil
	}
	return Requirements{}, unsuitedError(s,
		require(isLinearFamily(p), "a kernel family linear in θ"),
		require(ok, "a quadratic regularizer, or one with quadratic upper bounds "+
			"(reg.DistancePenalty, except with reg.OneNorm)"),
		require(p.hasLossWithProximalStep(), "a loss with a proximal step"))
}

// lossAtFixedBlockWeights returns p.Loss or, if p.Loss is a loss.BlockNorm, the Loss in it.
func (p *Problem) lossAtFixedBlockWeights() loss.Loss {
	if b, ok := p.Loss.(loss.BlockNorm); ok {
		return b.Loss
	}
	return p.Loss
}

// hasLossWithProximalStep reports whether the loss at fixed block weights is loss.Proximal, with one column of targets.
func (p *Problem) hasLossWithProximalStep() bool {
	_, ok := p.lossAtFixedBlockWeights().(loss.Proximal)
	return ok && p.columnCount() == 1
}

func (DualAscent) Start(p *Problem) Stepper {
	_, isExact := p.regularizerAsQuadratics()
	return &dualAscent{isRegQuadratic: isExact}
}

// dualAscent is the state of one run of DualAscent, whose comment defines the dual function φ. Between calls, the θ of
// current minimizes −½wᵀK(θ)w + r(θ) over Θ for the w of current.
type dualAscent struct {
	isRegQuadratic              bool       // the regularizer r is quadratic
	majorizer                   quadratics // the regularizer r, or its quadratic upper bound at the last θ
	mu                          float64    // μ in the term −½μ‖w − w₀‖² of a proximal step from w₀; 0 at first
	proxTol                     float64    // relative duality gap to which a proximal step is solved
	lengthOfLastStepWithoutGain float64    // length of the last step that raised φ by less than its rounding error
	current, trial              *dualPoint // the last accepted dual variables; those that an ascent tries
}

// maxAscents is the largest number of ascent steps on the dual function between two evaluations of F.
const maxAscents = 5

// smallestTol is the smallest relative duality gap to which a proximal step is solved.
const smallestTol = 1e-13

// dualPoint holds the dual variables: w and, under loss.BlockNorm, the weights c_i of the matrices K_i. Its Point
// belongs to the problem without the block norm and with the fixed matrix weights c_i. The F of that problem is nowhere
// above the F with the block norm. Therefore its lower bounds are also lower bounds of the minimum with the block norm.
type dualPoint struct {
	*Point
	blockWeights []float64 // the weights c_i of loss.BlockNorm; nil for other losses
	dualValue    float64   // the value of the dual function φ
}

func (pt *dualPoint) setBlockWeights() {
	if pt.blockWeights != nil {
		pt.Gram.(kernel.Blocked).SetBlockWeights(pt.blockWeights)
	}
}

func (pt *dualPoint) setDualVariables(w, blockWeights []float64) {
	pt.W = append(pt.W[:0], w...)
	pt.blockWeights = append(pt.blockWeights[:0], blockWeights...)
}

// largestBlockWeight returns the largest block weight c_i, or 1 without a block norm.
func (pt *dualPoint) largestBlockWeight() float64 {
	if pt.blockWeights == nil {
		return 1
	}
	return floats.Max(pt.blockWeights)
}

// dualDistance returns the Euclidean distance between the w or, with block weights c, all vectors √c_i w of two points.
func (pt *dualPoint) dualDistance(other *dualPoint) float64 {
	if pt.blockWeights == nil {
		return floats.Distance(pt.W, other.W, 2)
	}
	squaredSum := 0.0
	for i, c := range pt.blockWeights {
		a, b := math.Sqrt(c), math.Sqrt(other.blockWeights[i])
		for j, w := range pt.W {
			d := a*w - b*other.W[j]
			squaredSum += d * d
		}
	}
	return math.Sqrt(squaredSum)
}

func (d *dualAscent) Step(it *Iterate) error {
	isFirst := d.current == nil
	if isFirst || !d.isRegQuadratic {
		d.majorizer, _ = it.p.majorizeRegularizer(it.Theta)
	}
	if isFirst {
		d.createDualPoints(it)
		d.proxTol = 1e-4
	}
	d.proxTol, d.lengthOfLastStepWithoutGain = math.Max(math.Min(d.proxTol, it.Gap()/100), smallestTol), math.Inf(1)
	if isFirst || !d.isRegQuadratic {
		d.evaluateDualFunction(d.current)
	}
	hasDualIncreased := false
	for range maxAscents {
		hasMoved, err := d.ascend(it)
		if err != nil {
			return err
		}
		hasDualIncreased = hasDualIncreased || hasMoved
		if !hasMoved {
			break
		}
	}
	d.current.setBlockWeights()
	d.current.evaluateDual(d.current.W)
	if err := it.tightenLowerAt(d.current.Point); err != nil {
		return err
	}
	oldGap := it.BestUpper - it.Lower
	copy(it.TrialPoint().Theta, d.current.Theta)
	if err := it.EvaluateAndAcceptTrial(); err != nil {
		return err
	}
	if !hasDualIncreased && !(it.Upper()-it.Lower < oldGap) {
		return ErrStalled
	}
	return nil
}

// createDualPoints creates current and trial, and copies the dual variables of the iterate to current.
func (d *dualAscent) createDualPoints(it *Iterate) {
	d.current, d.trial = newDualPoint(it), newDualPoint(it)
	d.current.setDualVariables(it.W, it.BlockWeights)
	d.current.capBlockWeights()
}

// capBlockWeights limits the weight c_i of each matrix K_i to at most 100 times the value that all have if they are
// equal. If wᵀK_iw = 0, which can happen at first, the optimal c_i has no bound. With a huge c_i, the change of u_i =
// √c_i w in a step is smaller than its rounding error.
func (pt *dualPoint) capBlockWeights() {
	inverseSum, m := 0.0, float64(len(pt.blockWeights))
	for i, c := range pt.blockWeights {
		pt.blockWeights[i] = min(c, 100*m)
		inverseSum += 1 / pt.blockWeights[i]
	}
	if inverseSum > 1 {
		floats.Scale(inverseSum*(1+1e-15), pt.blockWeights)
	}
}

// newDualPoint returns a dual point for the θ of the iterate, with the loss for fixed block weights.
func newDualPoint(it *Iterate) *dualPoint {
	p := *it.p
	p.Loss = p.lossAtFixedBlockWeights()
	pt := p.newPoint(it.ctx, Requirements{}, it.Threads)
	copy(pt.Theta, it.Theta)
	pt.Gram.SetTheta(pt.Theta)
	return &dualPoint{Point: pt}
}

// minimizeOverTheta sets θ of pt and its Gram to the minimizer of −½wᵀK(θ)w + q(θ) over Θ for the w of pt, and returns
// the minimum. q is the regularizer or its quadratic upper bound.
func (d *dualAscent) minimizeOverTheta(pt *dualPoint) (minimum float64) {
	pt.setBlockWeights()
	pt.discardResults()
	minimum = pt.p.minimizeLinearPlusQuadratics(pt.Theta, pt.GradJ(), 1, d.majorizer)
	pt.Gram.SetTheta(pt.Theta)
	pt.setBlockWeights()
	return minimum
}

// evaluateDualFunction sets pt.dualValue to φ at pt.W, and θ of pt and its Gram to the minimizer over Θ in φ.
func (d *dualAscent) evaluateDualFunction(pt *dualPoint) {
	minimum := d.minimizeOverTheta(pt)
	pt.evaluateDual(pt.W)
	pt.dualValue = minimum + pt.LinearTerm - pt.QuadraticTerm/2
}

// ascend makes one ascent step on the dual function from current. It reports whether current has moved.
func (d *dualAscent) ascend(it *Iterate) (moved bool, err error) {
	squaredNorm := floats.Dot(d.current.W, d.current.W) * d.current.largestBlockWeight()
	smallestCurvature := math.Inf(1) // the smallest factor A_i of the quadratics A_i‖θ_i−C_i‖² + K_i
	for _, q := range d.majorizer {
		smallestCurvature = min(smallestCurvature, q.A)
	}
	largestMu := squaredNorm / smallestCurvature * d.addedCurvatureFactor(d.current)
	if !(largestMu > 0) {
		largestMu = d.largestDiagonalOfK(d.current) * 1e-6
	}
	if d.mu == 0 {
		d.mu = largestMu / 10
	}
	for range 60 {
		d.trial.setDualVariables(d.current.W, d.current.blockWeights)
		if err := d.takeProximalStep(it); err != nil {
			return false, err
		}
		trialGram := d.trial.Gram
		d.trial.Gram = d.current.Gram
		d.trial.setBlockWeights()
		d.trial.evaluateDual(d.trial.W) // the model of φ at the new w, without −½μ‖w − w(α)‖²
		d.trial.Gram = trialGram
		modelGain := d.trial.Dual() - d.current.Dual()
		stepLength := d.trial.dualDistance(d.current)
		predictedGain := modelGain - d.mu*stepLength*stepLength/2
		if !(predictedGain > 1e-13*math.Abs(d.current.dualValue)) {
			// The predicted gain is below the rounding error of the dual function. Go on as long as the steps in w
			// become shorter, because a small change of w can change θ and F much.
			if d.proxTol > smallestTol {
				d.proxTol = math.Max(d.proxTol/100, smallestTol)
				continue
			}
			if !(stepLength < 0.7*d.lengthOfLastStepWithoutGain) {
				return false, nil
			}
			d.lengthOfLastStepWithoutGain = stepLength
			d.evaluateDualFunction(d.trial)
			d.current, d.trial = d.trial, d.current
			return true, nil
		}
		d.evaluateDualFunction(d.trial)
		switch gain := d.trial.dualValue - d.current.dualValue; {
		case gain >= 0.9*predictedGain:
			d.mu /= 3
		case gain >= 0.3*predictedGain:
		default:
			d.mu *= 4
			continue
		}
		d.current, d.trial = d.trial, d.current
		return true, nil
	}
	return false, nil
}

// takeProximalStep replaces w and the block weights c_i of trial by the proximal step with K of current. Before the
// call, trial has the w and the c_i of current.
func (d *dualAscent) takeProximalStep(it *Iterate) error {
	g := d.current.Gram
	defer d.current.setBlockWeights()
	if b, ok := it.p.Loss.(loss.BlockNorm); ok {
		return b.Prox(it.ctx, d.trial.W, d.trial.blockWeights, g, it.p.Y, 1/d.mu, d.proxTol)
	}
	return it.p.Loss.(loss.Proximal).Prox(it.ctx, d.trial.W, g, it.p.Y, 1/d.mu, d.proxTol)
}

// addedCurvatureFactor returns f, where f‖w‖²/a estimates the largest curvature of φ that the change of θ adds, for r =
// a‖θ−c‖² + k. f is the square of d/(b‖θ‖_∞), with the largest diagonal entry d of K(θ) and the largest block weight b.
// d/(b‖θ‖_∞) estimates the largest ratio of |wᵀK_kw| to |w_iw_j|; this ratio is 1 if θ is the kernel matrix itself.
func (d *dualAscent) addedCurvatureFactor(pt *dualPoint) float64 {
	t := floats.Norm(pt.Theta, math.Inf(1))
	if t == 0 {
		return 1
	}
	s := d.largestDiagonalOfK(pt) / (t * pt.largestBlockWeight())
	return s * s
}

// largestDiagonalOfK returns the largest diagonal entry of K, but at least a tiny positive number.
func (d *dualAscent) largestDiagonalOfK(pt *dualPoint) float64 {
	diag := make([]float64, len(pt.p.Y))
	pt.Gram.K().Diagonal(diag)
	return math.Max(floats.Max(diag), math.SmallestNonzeroFloat64*1e20)
}
