package loss

import (
	"cmp"
	"math"
	"slices"
)

// kink is a value of b at which one risk_i(y_i − f_i − b), a convex function of b, becomes positive or becomes 0. The
// slope of Σ_i risk_i grows there by change; for quadratic risks, the derivative of the slope changes by ±change.
type kink struct {
	at, change   float64
	rises        bool    // the risk becomes positive as b grows past the kink; if false, it becomes 0
	fallingAfter float64 // the sum of change over the kinks after this one whose risk becomes 0
}

// bias returns the b that minimizes Σ_i risk_i(y_i − f_i − b), or the middle of the interval of minimizers. The sum is
// convex in b. bias sorts its kinks in O(n log n) and finds the one at which the slope changes its sign.
func (q *box) bias() float64 {
	k := q.kinks[:0]
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
			k = append(k, kink{at: e - q.eps, change: hi})
		}
		if lo > 0 {
			k = append(k, kink{at: e + q.eps, change: lo, rises: true})
		}
	}
	q.kinks = k
	slices.SortFunc(k, func(a, b kink) int { return cmp.Compare(a.at, b.at) })
	if q.hasRidge {
		return ridgedBias(k)
	}
	// At b, the slope is rising − falling: the changes of the rising kinks left of b, minus the changes of the falling
	// kinks right of b. Both are sums of positive numbers on one side of b, so that large weights on the other side
	// cause no rounding error.
	rising, falling := 0.0, 0.0
	for i := len(k) - 1; i >= 0; i-- {
		if k[i].fallingAfter = falling; !k[i].rises {
			falling += k[i].change
		}
	}
	for i, x := range k {
		if x.rises {
			rising += x.change
		}
		slope := rising - x.fallingAfter
		switch {
		case math.Abs(slope) <= 1e-12*(rising+x.fallingAfter) && i+1 < len(k):
			return x.at + (k[i+1].at-x.at)/2
		case slope > 0:
			return x.at
		}
	}
	return k[len(k)-1].at
}

// ridgedBias returns the b at which the slope of a sum of quadratic risks is 0, given their kinks in ascending order.
// The slope is Σ change·(b − at), over the rising kinks left of b and the falling kinks right of b.
func ridgedBias(k []kink) float64 {
	base := k[len(k)/2].at // sums of differences from it keep their digits
	s, m := 0.0, 0.0       // the slope at b is s(b − base) − m
	for _, x := range k {
		if !x.rises {
			s += x.change
			m += x.change * (x.at - base)
		}
	}
	for i, x := range k {
		// the slope at b = x.at: s and m include the changes at the kinks before x
		if s*(x.at-base)-m >= 0 {
			if s > 0 {
				b := base + m/s
				if i > 0 {
					b = max(b, k[i-1].at)
				}
				return min(b, x.at)
			}
			if i > 0 {
				return k[i-1].at + (x.at-k[i-1].at)/2
			}
			return x.at
		}
		if x.rises {
			s += x.change
			m += x.change * (x.at - base)
		} else {
			s -= x.change
			m -= x.change * (x.at - base)
		}
	}
	if s > 0 {
		return max(base+m/s, k[len(k)-1].at)
	}
	return k[len(k)-1].at
}
