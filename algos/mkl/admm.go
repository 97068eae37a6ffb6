package mkl

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// ADMM minimizes F = J + r by the alternating direction method of multipliers, which splits J and r:
//
//	θ' = argmin_Θ J(θ) + ½σ‖θ − z + u‖²,  z' = argmin r(z) + ‖z − θ' − u‖²·½σ,  u' = u + θ' − z',
//
// for r with a proximal step (reg.Proximal), such as L1, which has many kinks and does not suit DualAscent. The first
// problem has the form that DualAscent solves. ADMM makes at most five ascents of DualAscent on it, from the last α. W
// = σu' is a subgradient of r at z'. With the dual coefficients w of α this gives
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
		require(isLinearFamily(p), "a family linear in θ"),
		require(ok, "a regularizer with a proximal step (reg.DistancePenalty; for L2 with one target)"),
		require(p.isBounded(), "a bounded set"),
		require(p.hasProximalLoss(), "a loss with a proximal step"))
}

func (ADMM) Start(p *Problem) Stepper { return &admm{reg: p.Reg.(reg.Proximal)} }

type admm struct {
	reg      reg.Proximal
	ascents  dualAscent // the ascents on J(θ) + ½σ‖θ − z + u‖²
	penalty  float64    // σ, the weight of the quadratic penalty
	z, w     []float64  // z and W = σu of ADMM
	regValue float64    // r(z)

	penaltyChanges, idleSteps int // number of changes of σ; number of successive steps without a better bound
}

// iterationsPerStep is the number of iterations of ADMM in one step of a run, between two evaluations of F. An
// iteration makes at most maxAscents ascents. It ends earlier if an ascent gains less than a tenth of the first gain.
const iterationsPerStep = 10

// overRelaxation is the factor of over-relaxation: the proximal step that gives z' uses 1.6θ' − 0.6z in place of θ'.
const overRelaxation = 1.6

func (s *admm) Step(it *Iterate) error {
	m := len(it.Theta)
	if s.z == nil {
		s.z, s.w = append(s.z, it.Theta...), make([]float64, m)
		s.regValue = it.p.Reg.Value(s.w, s.z)
		gradNorm := floats.Norm(s.w, 2)
		if gradNorm == 0 { // r has its minimum at the start of the run
			gradNorm = math.Max(floats.Norm(it.GradJ(), 2), math.SmallestNonzeroFloat64*1e20)
		}
		s.penalty = gradNorm / math.Max(floats.Norm(s.z, 2), math.SmallestNonzeroFloat64*1e20)
		s.ascents.createPoints(it)
	}
	ascents, center := &s.ascents, make([]float64, m)
	oldBest, oldLower := it.Best, it.Lower
	for i := range iterationsPerStep {
		floats.AddScaledTo(center, s.z, -1/s.penalty, s.w)
		ascents.majorizer = quadratics{{A: s.penalty / 2, C: center}}
		ascents.proxTol, ascents.lastHiddenStep = math.Max(math.Min(1e-5, it.Gap()/1e3), smallestTol), math.Inf(1)
		ascents.evaluateDualFunction(ascents.current)
		firstGain := 0.0
		for j := range maxAscents {
			oldValue := ascents.current.phi
			if hasMoved, err := ascents.ascend(it); err != nil {
				return err
			} else if !hasMoved {
				break
			}
			gain := ascents.current.phi - oldValue
			if j == 0 {
				firstGain = gain
			} else if gain < firstGain/10 {
				break
			}
		}
		proxInput, oldZ := make([]float64, m), slices.Clone(s.z)
		for k, v := range ascents.current.Theta {
			proxInput[k] = overRelaxation*v + (1-overRelaxation)*s.z[k] + s.w[k]/s.penalty
		}
		s.regValue, _ = s.reg.Prox(s.z, s.w, proxInput, 1/s.penalty)
		if i == iterationsPerStep-1 {
			break
		}
		s.balanceResiduals(floats.Distance(ascents.current.Theta, s.z, 2), floats.Distance(s.z, oldZ, 2))
	}
	ascents.current.setBlockWeights()
	it.Lower = math.Max(it.Lower, s.lowerBound())
	copy(it.Trial().Theta, ascents.current.Theta)
	if _, err := it.EvaluateTrial(); err != nil {
		return err
	}
	it.AcceptTrial()
	if s.idleSteps++; it.Upper() < oldBest-1e-15*math.Abs(oldBest) || it.Lower > oldLower+1e-15*math.Abs(oldLower) {
		s.idleSteps = 0
	}
	if s.idleSteps > 20 {
		return ErrStalled
	}
	return nil
}

// balanceResiduals changes σ if one of two residuals is much larger than the other one. primalResidual is the distance
// of θ from z, and dualResidual the distance by which z moved in this iteration. Later changes are smaller, because
// convergence is certain only if σ tends to a limit.
func (s *admm) balanceResiduals(primalResidual, dualResidual float64) {
	residualRatio := primalResidual * floats.Norm(s.w, 2) / (s.penalty * dualResidual * math.Max(floats.Norm(s.z, 2),
		math.SmallestNonzeroFloat64*1e20))
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
	s.ascents.mu /= factor
}

// lowerBound returns the lower bound of min F that the comment of ADMM states, for the current w and W. A bound of its
// rounding error is subtracted.
func (s *admm) lowerBound() float64 {
	pt, m := s.ascents.current, float64(len(s.z))
	r, gradErr := pt.roundingBounds(), pt.gradientErrorBounds()
	absoluteSum := math.Abs(s.regValue) + pt.Linear + pt.Quadratic
	g, e := make([]float64, len(s.z)), make([]float64, len(s.z))
	for k, v := range pt.GradJ() {
		g[k] = v + s.w[k]
		e[k] = gradErr[k] + linalg.RoundingFactor(m+256)*(math.Abs(v)+math.Abs(s.w[k]))
		absoluteSum += math.Abs(s.w[k] * s.z[k])
	}
	roundingErr := r.linear + r.quadratic/2 + set.SupportAbs(pt.p.Set, e) + linalg.RoundingFactor(m+64)*absoluteSum
	return pt.Linear - pt.Quadratic/2 + s.regValue + pt.p.Set.Minimize(nil, g) - floats.Dot(s.w, s.z) - roundingErr
}
