package mkl

import (
	"cmp"
	"errors"
	"math"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// armijoConstant is c in the condition of sufficient decrease, F(θ⁺) ≤ F(θ) + c⟨∇F(θ), θ⁺−θ⟩, for a step from θ to θ⁺.
const armijoConstant = 1e-4

// hasSufficientDecrease reports whether F at the trial θ⁺ is at most referenceF + c·slope, c = 1e-4. slope < 0 is
// ⟨∇F(θ), θ⁺−θ⟩ at the current point θ. If |F(θ⁺) − F(θ)| is at most the largest of 1e-10|F(θ)| and the duality gaps to
// which J was solved at the two points, the computed values of F are too inexact for this comparison. Then ⟨∇F(θ⁺),
// θ⁺−θ⟩ ≤ (1−2c)|slope| suffices (the approximate Wolfe condition).
//
// Reference: W. Hager and H. Zhang, SIAM J. Optim. 16 (2005), eq. (4.1).
func (it *Iterate) hasSufficientDecrease(referenceF, slope float64) bool {
	t := it.TrialPoint()
	if math.IsNaN(t.F()) {
		return false
	}
	if t.F() <= referenceF+armijoConstant*slope {
		return true
	}
	if math.Abs(t.F()-it.F()) > max(1e-10*math.Abs(it.F()), t.Primal-t.Dual(), it.Primal-it.Dual()) {
		return false
	}
	return it.slopeAlongStep(t.Grad()) <= (2*armijoConstant-1)*slope
}

// searchLine tries shorter and shorter steps until F decreases enough compared with referenceF, and reports whether the
// last trial does. storeTrial stores the trial for the step length η, which is eta at first, and returns the slope
// ⟨∇F(θ), θ⁺−θ⟩. The search ends if the slope is not negative. shrink returns the next η after a trial at which F does
// not decrease enough or, if isPSD is false, K(θ⁺) is not positive semidefinite.
func (it *Iterate) searchLine(referenceF, eta float64, maxTrials int, storeTrial func(eta float64) (slope float64),
	shrink func(eta, slope float64, isPSD bool) float64) (accepted bool, err error) {
	for range maxTrials {
		slope := storeTrial(eta)
		if !(slope < 0) {
			return false, nil
		}
		_, err := it.EvaluateTrial()
		isPSD := err == nil
		if !isPSD && (it.ctx.Err() != nil || !errors.Is(err, loss.ErrNotPSD)) {
			return false, err
		}
		if isPSD && it.hasSufficientDecrease(referenceF, slope) {
			return true, nil
		}
		eta = shrink(eta, slope, isPSD)
	}
	return false, nil
}

// halve is the shrink function of searchLine that halves η.
func halve(eta, _ float64, _ bool) float64 { return eta / 2 }

// maxHalvings is the number of trials of a search that halves η: the last η is above 1e-10 times the first.
const maxHalvings = 34

// acceptOrStall accepts the trial if a search found it. Otherwise it returns the error of the search, or ErrStalled.
func (it *Iterate) acceptOrStall(accepted bool, err error) error {
	if accepted {
		it.AcceptTrial()
		return nil
	}
	return cmp.Or(err, ErrStalled)
}

// slopeAlongStep returns ⟨g, θ⁺−θ⟩, where θ is the current point and θ⁺ the trial.
func (it *Iterate) slopeAlongStep(g []float64) (slope float64) {
	t := it.TrialPoint().Theta
	for k, v := range g {
		slope += v * (t[k] - it.Theta[k])
	}
	return slope
}

// barzilaiBorwein computes the step length of Barzilai and Borwein, sᵀs/sᵀz with s = θ − θ₋, z = ∇F(θ) − ∇F(θ₋). θ₋ is
// the point at the previous call of nextStepLength; the fields hold θ₋ and ∇F(θ₋).
type barzilaiBorwein struct{ lastTheta, lastGrad []float64 }

// nextStepLength returns sᵀs/sᵀz for the changes s of θ and z of ∇F since the last call, and stores the current point
// for the next call. It returns 0 in the first call, and if sᵀz ≤ 0, because F then has no positive curvature along s.
func (s *barzilaiBorwein) nextStepLength(it *Iterate) float64 {
	g, stepLength := it.Grad(), 0.0
	if s.lastTheta != nil {
		ss, sz := 0.0, 0.0
		for i := range g {
			d := it.Theta[i] - s.lastTheta[i]
			ss += d * d
			sz += d * (g[i] - s.lastGrad[i])
		}
		if sz > 0 {
			stepLength = ss / sz
		}
	}
	s.lastTheta, s.lastGrad = append(s.lastTheta[:0], it.Theta...), append(s.lastGrad[:0], g...)
	return stepLength
}

// firstStepLength returns η for the first step of a run, before any curvature of F is known: ‖η∇F‖ = max(‖θ‖, 1e-3).
func firstStepLength(it *Iterate) float64 {
	n := floats.Norm(it.Grad(), 2)
	if n == 0 {
		return 1
	}
	return math.Max(floats.Norm(it.Theta, 2), 1e-3) / n
}

// firstStepLengthOnOrthant returns a step length η on θ ≥ 0 for the first step of a run, before any curvature of F is
// known. The step −η∇F changes the coordinate with the largest |∂F/∂θ_k| at pt by the mean of θ. Coordinates that
// cannot move, with θ_k = 0 and ∂F/∂θ_k ≥ 0, do not count.
func firstStepLengthOnOrthant(pt *Point) float64 {
	meanTheta, largestSlope := 0.0, 0.0
	for k, g := range pt.Grad() {
		if meanTheta += pt.Theta[k]; pt.Theta[k] > 0 || g < 0 {
			largestSlope = max(largestSlope, math.Abs(g))
		}
	}
	if meanTheta /= float64(len(pt.Theta)); meanTheta == 0 {
		meanTheta = 1
	}
	if largestSlope == 0 {
		return 1
	}
	return meanTheta / largestSlope
}
