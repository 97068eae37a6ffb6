package kernel

import (
	"cmp"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
)

// Kernels exp(−γ_k t) of the same t whose γ_k are whole multiples of one γ are powers of one exponential, and a
// product takes a tenth of the time of an exponential. Of an exponential that is off by 1.5ε of itself, and of
// rounded products, a power p is off by at most 2pε of itself, however it is multiplied.

// mostPower bounds p, so that 2pε stays of the order of what else a base matrix is rounded by.
const mostPower = 128

// making is how kernel k = f(t) is made, always in the same way, so that it has the same bits each time.
type making struct {
	k     int
	first int   // the kernel whose f(t) it is a power of, or k itself
	path  []int // the powers that lead there, one after the other; none for f(t)
	times int   // their product
}

// makings are those of kernels of the same t: those of one first kernel together, that one first.
func (list List) makings(of []int) (all []making) {
	rate := func(k int) float64 { // γ of exp(−γt), else 0
		switch e := list[k].(type) {
		case RBF:
			return e.Gamma
		case Laplacian:
			return e.Gamma
		}
		return 0
	}
	of = slices.Clone(of)
	slices.SortStableFunc(of, func(a, b int) int { return cmp.Compare(rate(a), rate(b)) })
	for _, k := range of {
		best, least := making{k: k, first: k, times: 1}, math.MaxInt
		for _, m := range all {
			if rate(k) == 0 || rate(k) > mostPower*rate(m.k) {
				continue
			}
			p := int(math.Round(rate(k) / rate(m.k)))
			whole := float64(m.times*p) * rate(m.first)
			if c, ok := multiplications(p); ok && c < least && m.times*p <= mostPower &&
				math.Abs(rate(k)-whole) <= 4*linalg.Epsilon*rate(k) {
				best, least = making{k, m.first, append(slices.Clone(m.path), p), m.times * p}, c
			}
		}
		all = append(all, best)
	}
	slices.SortStableFunc(all, func(a, b making) int { return cmp.Compare(a.first, b.first) })
	return all
}

// multiplications is how many raised takes for a power, if it has that power.
func multiplications(p int) (count int, ok bool) {
	for _, f := range [...]struct{ p, count int }{{5, 3}, {4, 2}, {3, 2}, {2, 1}} {
		for ; p%f.p == 0; p /= f.p {
			count += f.count
		}
	}
	return count, p == 1
}

// raised stores src^p entrywise for p = 2^a·3^b·5^c; dst may be src.
func raised(dst, src []float64, p int) {
	dst = dst[:len(src)]
	if p == 1 {
		copy(dst, src)
		return
	}
	for _, f := range [...]int{5, 4, 3, 2} {
		for ; p%f == 0; p /= f {
			power(dst, src, f)
			src = dst
		}
	}
}
