package loss

import (
	"cmp"
	"math"
	"slices"
)

// kink is a value of b where the slope of Σ risk_i, or the slope of that slope, changes.
type kink struct {
	at, by float64
	on     bool // the change is by of a point that begins to pay; else one that ceases
	rest   float64
}

// bias returns the b that minimises Σ_i risk_i(y_i − f_i − b), the middle where there are several. The
// sum is convex in b, so that its slope is followed over the sorted kinks: O(n log n).
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
	slices.SortFunc(k, func(a, b kink) int { return cmp.Compare(a.at, b.at) })
	if q.ridged {
		return parabolas(k)
	}
	// slope left of all kinks is −Σ hi; on is what those passed add to it, rest what those not passed
	// take from it: large weights far away leave no rounding in either
	on, rest := 0.0, 0.0
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

// parabolas returns the root of Σ by·(b − at) over the kinks that are on left of b and off right of it.
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
		// at b = x.at, where all up to it are counted as before
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
