package loss

import (
	"cmp"
	"math"
	"slices"
)

// kink is a value of b at which one risk_i(y_i − f_i − b) of boxQP becomes positive or becomes 0. The slope of Σ_i
// risk_i grows there by slopeChange. For quadratic risks, the derivative of the slope changes by ±slopeChange.
type kink struct {
	position, slopeChange float64
	isRising              bool    // the risk becomes positive as b grows past the kink; if false, it becomes 0
	fallingChangeAfter    float64 // the sum of slopeChange over the kinks after this one whose risk becomes 0
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
	// At b, the slope is risingSum − fallingSum: the slopeChanges of the kinks left of b after which a term rises,
	// minus those of the kinks right of b before which a term falls. Both are sums of positive numbers on one side of
	// b, so that large weights on the other side cause no rounding error.
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
// order. The slope is Σ slopeChange·(b − position), over the rising kinks left of b and the falling kinks right of b.
func quadraticRiskBias(kinks []kink) float64 {
	reference := kinks[len(kinks)/2].position // sums of differences from it lose no digits
	s, m := 0.0, 0.0                          // the slope at b is s(b − reference) − m
	for _, x := range kinks {
		if !x.isRising {
			s += x.slopeChange
			m += x.slopeChange * (x.position - reference)
		}
	}
	for i, x := range kinks {
		// the slope at b = x.position: s and m include the slopeChanges of the kinks before x
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
