package loss

import (
	"cmp"
	"math"
	"slices"
)

// kink is a value of b at which the slope of Σ risk_i, or the derivative of the slope, changes.
type kink struct {
	at, by float64
	on     bool // a risk becomes positive here as b grows; if false, a risk becomes 0
	rest   float64
}

// bias returns the b that minimizes Σ_i risk_i(y_i − f_i − b), or the middle of the interval of minimizers. The sum is
// convex in b, and bias follows its slope over the sorted kinks in O(n log n).
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
			k = append(k, kink{at: e - q.eps, by: hi})
		}
		if lo > 0 {
			k = append(k, kink{at: e + q.eps, by: lo, on: true})
		}
	}
	q.kinks = k
	if q.ridged {
		slices.SortFunc(k, func(a, b kink) int { return cmp.Compare(a.at, b.at) })
		return parabolas(k)
	}
	// The slope left of all kinks is −Σ hi. on is the sum over the kinks passed, rest the sum over the others. Large
	// weights far away cause no rounding in either.
	k, on, rest := kinksNear(k)
	slices.SortFunc(k, func(a, b kink) int { return cmp.Compare(a.at, b.at) })
	for i := len(k) - 1; i >= 0; i-- {
		if k[i].rest = rest; !k[i].on {
			rest += k[i].by
		}
	}
	for i, x := range k {
		if x.on {
			on += x.by
		}
		slope, rest := on-x.rest, x.rest
		switch {
		case math.Abs(slope) <= 1e-12*(on+rest) && i+1 < len(k):
			return x.at + (k[i+1].at-x.at)/2
		case slope > 0:
			return x.at
		}
	}
	return k[len(k)-1].at
}

// kinksNear returns a range of kinks in which the slope changes its sign, and the contributions of the other kinks to
// on and rest. It is Hoare's quickselect, O(n).
func kinksNear(k []kink) (part []kink, on, rest float64) {
	for len(k) > 32 {
		a, b, c := k[0].at, k[len(k)/2].at, k[len(k)-1].at
		pivot := max(min(a, b), min(max(a, b), c))
		less, more := 0, len(k) // k[:less] are below, k[more:] above
		var off, add [3]float64 // sums below, at and above the pivot
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
			if x.on {
				add[side] += x.by
			} else {
				off[side] += x.by
			}
		}
		sure := 1e-9 * (on + rest + add[0] + add[1] + add[2] + off[0] + off[1] + off[2])
		switch {
		case less > 0 && on+add[0]-(rest+off[1]+off[2]) > sure:
			k, rest = k[:less], rest+off[1]+off[2]
		case more < len(k) && on+add[0]+add[1]-(rest+off[2]) < -sure:
			k, on = k[more:], on+add[0]+add[1]
		default:
			return k, on, rest
		}
	}
	return k, on, rest
}

// parabolas returns the root in b of Σ by·(b − at), over the kinks with on left of b and the others right of b.
func parabolas(k []kink) float64 {
	base := k[len(k)/2].at // sums of differences from it keep their digits
	s, m := 0.0, 0.0       // slope is s(b − base) − m
	for _, x := range k {
		if !x.on {
			s += x.by
			m += x.by * (x.at - base)
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
		if x.on {
			s += x.by
			m += x.by * (x.at - base)
		} else {
			s -= x.by
			m -= x.by * (x.at - base)
		}
	}
	if s > 0 {
		return max(base+m/s, k[len(k)-1].at)
	}
	return k[len(k)-1].at
}
