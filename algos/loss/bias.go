package loss

import (
	"cmp"
	"math"
	"slices"
)

// kink is a bias b at which the risk of a point, a function of y_i − f_i − b, becomes positive or 0. There the slope of
// the sum of all risks grows by slopeChange. For quadratic risks, the derivative of the slope changes by ±slopeChange.
type kink struct {
	bias, slopeChange float64
	isRiskRising      bool    // the risk is 0 below the kink and rises above it; if false, it falls to 0 at the kink
	laterFallingSlope float64 // the sum of slopeChange over the falling risks with a kink of larger bias
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
			kinks = append(kinks, kink{bias: e - q.epsilon, slopeChange: hi})
		}
		if lo > 0 {
			kinks = append(kinks, kink{bias: e + q.epsilon, slopeChange: lo, isRiskRising: true})
		}
	}
	q.kinks = kinks
	slices.SortFunc(kinks, func(a, b kink) int { return cmp.Compare(a.bias, b.bias) })
	if q.hasRidge {
		return minimizeQuadraticRisks(kinks)
	}
	// The slope at b is risingSlope − fallingSlope: the sum of slopeChange over the kinks left of b whose risk rises,
	// minus the sum over the kinks right of b whose risk falls. Each sum has only positive terms from one side of b, so
	// that large weights on the other side cause no rounding error.
	risingSlope, fallingSlope := 0.0, 0.0
	for i := len(kinks) - 1; i >= 0; i-- {
		if kinks[i].laterFallingSlope = fallingSlope; !kinks[i].isRiskRising {
			fallingSlope += kinks[i].slopeChange
		}
	}
	for i, x := range kinks {
		if x.isRiskRising {
			risingSlope += x.slopeChange
		}
		slope := risingSlope - x.laterFallingSlope
		switch {
		case math.Abs(slope) <= 1e-12*(risingSlope+x.laterFallingSlope) && i+1 < len(kinks):
			return x.bias + (kinks[i+1].bias-x.bias)/2
		case slope > 0:
			return x.bias
		}
	}
	return kinks[len(kinks)-1].bias
}

// minimizeQuadraticRisks returns the bias b that minimizes a sum of quadratic risks with these ascending kinks: the sum
// of slopeChange·(b − kink) over the rising risks left of b and the falling risks right of b is 0.
func minimizeQuadraticRisks(kinks []kink) float64 {
	referenceBias := kinks[len(kinks)/2].bias // sums of differences from a middle kink lose fewer digits
	s, m := 0.0, 0.0                          // the slope of the sum of risks at b is s(b − referenceBias) − m
	for _, x := range kinks {
		if !x.isRiskRising {
			s += x.slopeChange
			m += x.slopeChange * (x.bias - referenceBias)
		}
	}
	for i, x := range kinks {
		// the slope of the sum of risks at b = x.bias is s(b − referenceBias) − m
		if s*(x.bias-referenceBias)-m >= 0 {
			if s > 0 {
				b := referenceBias + m/s
				if i > 0 {
					b = max(b, kinks[i-1].bias)
				}
				return min(b, x.bias)
			}
			if i > 0 {
				return kinks[i-1].bias + (x.bias-kinks[i-1].bias)/2
			}
			return x.bias
		}
		if x.isRiskRising {
			s += x.slopeChange
			m += x.slopeChange * (x.bias - referenceBias)
		} else {
			s -= x.slopeChange
			m -= x.slopeChange * (x.bias - referenceBias)
		}
	}
	if s > 0 {
		return max(referenceBias+m/s, kinks[len(kinks)-1].bias)
	}
	return kinks[len(kinks)-1].bias
}
