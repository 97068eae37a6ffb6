package kernel

import (
	"cmp"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
)

// Kernels exp(−γ_k t) of the same quantity t are powers of one kernel exp(−γt) if their γ_k are integer multiples of γ.
// A multiplication takes a tenth of the time of an exponential. If an exponential has a relative error of 1.5ε, its
// power p, computed by multiplications in any order, has a relative error of at most 2pε.

// maxPower is the largest power p that a powerPlan uses. It is so small that 2pε has the same order of magnitude as the
// other rounding errors of a base matrix.
const maxPower = 128

// kernelPower describes how the values of kernel k are computed: as a power of the values of kernel baseKernel, or from
// the quantity t. The plan never changes, so that the values have the same bits each time.
type kernelPower struct {
	k                int
	baseIndex  int   // index of the kernel of which k is a power, or of k itself
	successivePowers []int // baseKernel is raised to each of these powers, one after the other; empty if k is computed from t
	exponent         int   // the product of powers
}

// kernelPowers returns the powerPlan of each of the given kernels, which are functions of the same quantity t. Kernels
// that are powers of the same base kernel are consecutive, the base kernel first.
func (list List) kernelPowers(kernelIndices []int) (powers []kernelPower) {
	gammaOf := func(k int) float64 { // γ of exp(−γt), 0 for other kernels
		switch e := list[k].(type) {
		case RBF:
			return e.Gamma
		case Laplacian:
			return e.Gamma
		}
		return 0
	}
	kernelIndices = slices.Clone(kernelIndices)
	slices.SortStableFunc(kernelIndices, func(a, b int) int { return cmp.Compare(gammaOf(a), gammaOf(b)) })
	for _, k := range kernelIndices {
		best, fewestMultiplications := kernelPower{k: k, baseIndex: k, exponent: 1}, math.MaxInt
		for _, m := range powers {
			if gammaOf(k) == 0 || gammaOf(k) > maxPower*gammaOf(m.k) {
				continue
			}
			p := int(math.Round(gammaOf(k) / gammaOf(m.k)))
			gammaOfPower := float64(m.exponent*p) * gammaOf(m.baseIndex)
			c, ok := elementwise.MultiplicationCount(p)
			if ok && c < fewestMultiplications && m.exponent*p <= maxPower && math.Abs(gammaOf(k)-gammaOfPower) <=
				4*linalg.Epsilon*gammaOf(k) {
				best, fewestMultiplications = kernelPower{k, m.baseIndex, append(slices.Clone(m.successivePowers),
					p), m.exponent * p}, c
			}
		}
		powers = append(powers, best)
	}
	slices.SortStableFunc(powers, func(a, b kernelPower) int { return cmp.Compare(a.baseIndex, b.baseIndex) })
	return powers
}
