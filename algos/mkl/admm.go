package mkl

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/reg"

	"gonum.org/v1/gonum/floats"
)

// ADMM minimizes F = J + r by the alternating direction method of multipliers, which splits J and r:
//
//	θ' = argmin_Θ J(θ) + ½σ‖θ − z + u‖²,  z' = argmin r(z) + ‖z − θ' − u‖²·½σ,  u' = u + θ' − z',
//
// for r with a proximal step (reg.Proximal), such as L1, which has many kinks and does not suit DualAscent. The first
// problem has the form that DualAscent solves. ADMM makes at most five steps of DualAscent on it, from the last dual
// variables α of the loss. W = σu' is a subgradient of r at z'. With the dual coefficients w of α this gives
//
//	min F ≥ D(α) + r(z') − ⟨W,z'⟩ + min_Θ ⟨W − ½v, ·⟩,   v_k = wᵀK_kw,
//
// for every α. σ grows if the distance of θ from z stays large, and falls if z still moves (residual balancing). A step
// of a run makes ten iterations, of two to six projections onto Θ each, and one evaluation of F.
//
// The solver needs a family linear in θ, a bounded set, and a loss with a proximal step or a block norm of such a loss
// (loss.BlockNorm: EMKL and REKL of Kundu et al.).
//
// References:
//   - S. Boyd, N. Parikh, E. Chu, B. Peleato and J. Eckstein, Distributed optimization and statistical learning via
//     the alternating direction method of multipliers, Found. Trends Mach. Learn. 3 (2011), 3.1.1, 3.4.1 and 3.4.3.
type ADMM struct{}

var _ Solver = ADMM{}

func (ADMM) String() string { return "ADMM" }

// Requirements requires a regularizer with a proximal step.
func (s ADMM) Requirements(p *Problem) (Requirements, error) {
	m, _ := p.Grams.Dims()
	r, ok := p.Reg.(reg.Proximal)
	if ok = ok && p.Reg.Validate(m) == nil; ok {
		_, ok = r.Prox(make([]float64, m), make([]float64, m), make([]float64, m), 1)
	}
	return Requirements{ProjectsStart: true}, unsuitedError(s,
		require(isLinearFamily(p), "a kernel family linear in θ"),
		require(ok, "a regularizer with a proximal step, such as reg.DistancePenalty, "+
			"with reg.TwoNorm only for one target"),
		require(p.hasBoundedSet(), "a bounded set"),
		require(p.hasLossWithProximalStep(), "a loss with a proximal step"))
}

func (ADMM) Start(p *Problem) Stepper { return &admm{reg: p.Reg.(reg.Proximal)} }

type admm struct {
	reg            reg.Proximal
	thetaSolver    dualAscent // minimizes J(θ) + ½σ‖θ − z + W/σ‖² over Θ for the fields σ, z and W
	penalty        float64    // σ, the weight of the quadratic penalty
	z, multipliers []float64  // the copy z of θ in r(z), and the multipliers W of the constraint θ = z
	regValue       float64    // r(z)

	penaltyChanges, stepsWithoutProgress int // numbers of changes of σ and of successive steps without a better bound
}

// iterationsPerStep is the number of iterations of ADMM in one step of a run, between two evaluations of F. An
// iteration makes at most maxAscents ascents of the dual function. It ends earlier if an ascent raises the dual
// function by less than a tenth of the rise in the first ascent.
const iterationsPerStep = 10

// overRelaxation is the factor of over-relaxation: the proximal step from θ' and z uses 1.6θ' − 0.6z in place of θ'.
const overRelaxation = 1.6

func (s *admm) Step(it *Iterate) error {
	m := len(it.Theta)
	if s.z == nil {
		s.z, s.multipliers = append(s.z, it.Theta...), make([]float64, m)
		s.regValue = it.p.Reg.Value(s.multipliers, s.z) // stores a subgradient of r at z in multipliers
		gradNorm := floats.Norm(s.multipliers, 2)
		if gradNorm == 0 { // r has its minimum at the start of the run
			gradNorm = math.Max(floats.Norm(it.GradJ(), 2), math.SmallestNonzeroFloat64*1e20)
		}
		s.penalty = gradNorm / math.Max(floats.Norm(s.z, 2), math.SmallestNonzeroFloat64*1e20)
		s.thetaSolver.createDualPoints(it)
	}
	thetaSolver, penaltyCenter := &s.thetaSolver, make([]float64, m)
	oldBestUpper, oldLower := it.BestUpper, it.Lower
	for i := range iterationsPerStep {
		floats.AddScaledTo(penaltyCenter, s.z, -1/s.penalty, s.multipliers)
		thetaSolver.majorizer = quadratics{{A: s.penalty / 2, C: penaltyCenter}}
		thetaSolver.proxTol = math.Max(math.Min(1e-5, it.Gap()/1e3), smallestTol)
		thetaSolver.lengthOfLastStepWithoutGain = math.Inf(1)
		thetaSolver.evaluateDualFunction(thetaSolver.current)
		firstDualGain := 0.0
		for j := range maxAscents {
			oldValue := thetaSolver.current.dualValue
			if hasDualMoved, err := thetaSolver.ascend(it); err != nil {
				return err
			} else if !hasDualMoved {
				break
			}
			gain := thetaSolver.current.dualValue - oldValue
			if j == 0 {
				firstDualGain = gain
			} else if gain < firstDualGain/10 {
				break
			}
		}
		proxInput, oldZ := make([]float64, m), slices.Clone(s.z)
		for k, v := range thetaSolver.current.Theta {
			proxInput[k] = overRelaxation*v + (1-overRelaxation)*s.z[k] + s.multipliers[k]/s.penalty
		}
		s.regValue, _ = s.reg.Prox(s.z, s.multipliers, proxInput, 1/s.penalty)
		if i == iterationsPerStep-1 {
			break
		}
		s.balanceResiduals(floats.Distance(thetaSolver.current.Theta, s.z, 2), floats.Distance(s.z, oldZ, 2))
	}
	thetaSolver.current.setBlockWeights()
	b := thetaSolver.current.cutAt(s.z, s.multipliers, s.regValue)
	if err := it.tightenLower("a cut", &b, it.p.Set.Minimize(nil, b.grad)); err != nil {
		return err
	}
	copy(it.TrialPoint().Theta, thetaSolver.current.Theta)
	if _, err := it.EvaluateTrial(); err != nil {
		return err
	}
	it.AcceptTrial()
	hasSmallerUpper := it.Upper() < oldBestUpper-1e-15*math.Abs(oldBestUpper)
	if s.stepsWithoutProgress++; hasSmallerUpper || it.Lower > oldLower+1e-15*math.Abs(oldLower) {
		s.stepsWithoutProgress = 0
	}
	if s.stepsWithoutProgress > 20 {
		return ErrStalled
	}
	return nil
}

// balanceResiduals changes the penalty σ if one of two residuals is much larger than the other one. primalResidual is
// the distance of θ from its copy z, and dualResidual the distance by which z moved in this iteration. Later changes
// are smaller, because convergence is certain only if σ tends to a limit.
func (s *admm) balanceResiduals(primalResidual, dualResidual float64) {
	residualRatio := primalResidual * floats.Norm(s.multipliers, 2) / (s.penalty * dualResidual *
		math.Max(floats.Norm(s.z, 2), math.SmallestNonzeroFloat64*1e20))
	if !(residualRatio > 0) || math.IsInf(residualRatio, 1) || residualRatio > 0.2 && residualRatio < 5 {
		return
	}
	factor := 1.5
	if residualRatio > 100 || residualRatio < 0.01 {
		factor = 4
	}
	factor = math.Pow(factor, 1/(1+float64(s.penaltyChanges)/30))
	if s.penaltyChanges++; residualRatio < 1 {
		factor = 1 / factor
	}
	s.penalty *= factor
	s.thetaSolver.mu /= factor
}
