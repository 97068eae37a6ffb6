package loss

import (
	"cmp"
	"math"
	"slices"
)

// kink is a bias b at which risk_i(y_i − f_i − b) of boxQP becomes positive or 0 for a point i. There the slope of the
// sum of all risks grows by slopeChange; for quadratic risks, its derivative changes by ±slopeChange.
type kink struct {
	position, slopeChange float64
	isRising              bool    // the risk rises from 0 as b grows past the kink; if false, it has fallen to 0
	fallingChangeAfter    float64 // the sum of slopeChange over all later kinks that are not isRising
}

// optimalBias returns the b that minimizes Σ_i risk_i(y_i − f_i − b), or the middle of the interval of minimizers. The
// sum is convex in b. optimalBias sorts its kinks in O(n log n) and finds the one at which the slope changes its sign.
func (q *boxQP) optimalBias() float64 {
	kinks := q.kinks[:0]
	for i, f := range q.f {
		e, hi, lo := q.y[i]-f, q.hi[i], -q.lo[i]
		if q.hasRidge {
			hi, lo = 1/q.r[i], 1/q.r[i]
			if q.hi[i] == 0 {
				hi = 0
			} else {
				lo = 0
			}
		}
		if hi > 0 {
			kinks = append(kinks, kink{position: e - q.epsilon, slopeChange: hi})
		}
		if lo > 0 {
			kinks = append(kinks, kink{position: e + q.epsilon, slopeChange: lo, isRising: true})
		}
	}
	q.kinks = kinks
	slices.SortFunc(kinks, func(a, b kink) int { return cmp.Compare(a.position, b.position) })
	if q.hasRidge {
		return quadraticRiskBias(kinks)
	}
	// The slope at b is risingSum − fallingSum: the sum of slopeChange over the kinks left of b that are isRising,
	// minus the sum over the kinks right of b that are not. Each sum has only positive terms from one side of b, so
	// that large weights on the other side cause no rounding error.
	risingSum, fallingSum := 0.0, 0.0
	for i := len(kinks) - 1; i >= 0; i-- {
		if kinks[i].fallingChangeAfter = fallingSum; !kinks[i].isRising {
			fallingSum += kinks[i].slopeChange
		}
	}
	for i, x := range kinks {
		if x.isRising {
			risingSum += x.slopeChange
		}
		slope := risingSum - x.fallingChangeAfter
		switch {
		case math.Abs(slope) <= 1e-12*(risingSum+x.fallingChangeAfter) && i+1 < len(kinks):
			return x.position + (kinks[i+1].position-x.position)/2
		case slope > 0:
			return x.position
		}
	}
	return kinks[len(kinks)-1].position
}

// quadraticRiskBias returns the b at which the slope of a sum of quadratic risks is 0, given their kinks in ascending
// order. The slope is Σ slopeChange·(b − position) over the isRising kinks left of b and the others right of b.
func quadraticRiskBias(kinks []kink) float64 {
	reference := kinks[len(kinks)/2].position // differences from a middle kink lose fewer digits
	s, m := 0.0, 0.0                          // the slope at b is s(b − reference) − m
	for _, x := range kinks {
		if !x.isRising {
			s += x.slopeChange
			m += x.slopeChange * (x.position - reference)
		}
	}
	for i, x := range kinks {
		// the left side is the slope at b = x.position; s and m hold in the interval that ends there
		if s*(x.position-reference)-m >= 0 {
			if s > 0 {
				b := reference + m/s
				if i > 0 {
					b = max(b, kinks[i-1].position)
				}
				return min(b, x.position)
			}
			if i > 0 {
				return kinks[i-1].position + (x.position-kinks[i-1].position)/2
			}
			return x.position
		}
		if x.isRising {
			s += x.slopeChange
			m += x.slopeChange * (x.position - reference)
		} else {
			s -= x.slopeChange
			m -= x.slopeChange * (x.position - reference)
		}
	}
	if s > 0 {
		return max(reference+m/s, kinks[len(kinks)-1].position)
	}
	return kinks[len(kinks)-1].position
}
