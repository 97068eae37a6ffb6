package loss

import (
	"cmp"
	"math"
	"slices"
)

// kink is a value of b at which one risk_i(y_i − f_i − b), a convex function of b, becomes positive or becomes 0. The
// slope of Σ_i risk_i grows there by change; for quadratic risks, the derivative of the slope changes by ±change.
type kink struct {
	at, change float64
	rises      bool    // the risk becomes positive as b grows past the kink; if false, it becomes 0
	falling    float64 // the sum of change over the kinks after this one whose risk becomes 0
}

// bias returns the b that minimizes Σ_i risk_i(y_i − f_i − b), or the middle of the interval of minimizers. The sum is
// convex in b. bias sorts its kinks in O(n log n) and finds the one at which the slope changes its sign.
func (q *box) bias() float64 {
	k := q.kinks[:0]
	for i, f := range q.f {
		e, hi, lo := q.y[i]-f, q.hi[i], -q.lo[i]
		if q.ridged {
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
	if q.ridged {
		slices.SortFunc(k, func(a, b kink) int { return cmp.Compare(a.at, b.at) })
		return ridgedBias(k)
	}
	// At b, the slope is rising − falling: the changes of the rising kinks left of b, minus the changes of the falling
	// kinks right of b. Both are sums of positive numbers on one side of b, so that large weights on the other side
	// cause no rounding error.
	k, rising, falling := kinksAroundRoot(k)
	slices.SortFunc(k, func(a, b kink) int { return cmp.Compare(a.at, b.at) })
	for i := len(k) - 1; i >= 0; i-- {
		if k[i].falling = falling; !k[i].rises {
			falling += k[i].change
		}
	}
	for i, x := range k {
		if x.rises {
			rising += x.change
		}
		slope := rising - x.falling
		switch {
		case math.Abs(slope) <= 1e-12*(rising+x.falling) && i+1 < len(k):
			return x.at + (k[i+1].at-x.at)/2
		case slope > 0:
			return x.at
		}
	}
	return k[len(k)-1].at
}

// kinksAroundRoot returns the kinks among which the slope changes its sign: at most 32, unless equal values or rounding
// prevent a further division. rising and falling are the sums of the changes of the other kinks: rising kinks to the
// left, falling kinks to the right. It is Hoare's quickselect and takes O(n) operations.
func kinksAroundRoot(k []kink) (near []kink, rising, falling float64) {
	for len(k) > 32 {
		a, b, c := k[0].at, k[len(k)/2].at, k[len(k)-1].at
		pivot := max(min(a, b), min(max(a, b), c))
		less, more := 0, len(k)   // k[:less] are below, k[more:] above
		var fall, rise [3]float64 // changes of the falling and rising kinks below, at and above the pivot
		for i := 0; i < more; {
			x, side := k[i], 1
			switch {
			case x.at < pivot:
				side = 0
				k[i], k[less] = k[less], x
				less++
				i++
			case x.at > pivot:
				side = 2
				more--
				k[i], k[more] = k[more], x
			default:
				i++
			}
			if x.rises {
				rise[side] += x.change
			} else {
				fall[side] += x.change
			}
		}
		tolerance := 1e-9 * (rising + falling + rise[0] + rise[1] + rise[2] + fall[0] + fall[1] + fall[2])
		switch {
		case less > 0 && rising+rise[0]-(falling+fall[1]+fall[2]) > tolerance:
			k, falling = k[:less], falling+fall[1]+fall[2]
		case more < len(k) && rising+rise[0]+rise[1]-(falling+fall[2]) < -tolerance:
			k, rising = k[more:], rising+rise[0]+rise[1]
		default:
			return k, rising, falling
		}
	}
	return k, rising, falling
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
