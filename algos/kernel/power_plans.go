package kernel

import (
	"cmp"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/internal/elementwise"
	"github.com/mklnb/mkl/algos/linalg"
)

// Kernels exp(−γ_k t) of the same quantity t are powers of one kernel exp(−γt) if their γ_k are integer multiples of γ.
// A multiplication takes a tenth of the time of an exponential. If an exponential has a relative error of 1.5ε, its
// power p, computed by multiplications in any order, has a relative error of at most 2pε.

// maxPower is the largest p for which a kernel is computed as the power p of another kernel. It is so small that the
// relative rounding error 2pε (ε = 2⁻⁵²) has the order of magnitude of the other errors of a base matrix.
const maxPower = 128

// kernelPlan describes how the values of kernel k are computed: as a power of the values of another kernel, or from t,
// the inner product or distance of two points. The plan never changes, so that the values have the same bits each time.
type kernelPlan struct {
	k                int
	baseKernelIndex  int   // kernel k is a power of the kernel with this index; it is k if kernel k is computed from t
	successivePowers []int // the values are raised to these powers, one after the other
	exponent         int   // the product of successivePowers, 1 if there are none
}

// planKernels returns how each of the given kernels is computed. All are functions of one inner product or distance t.
// Kernels that are powers of the same kernel are consecutive; that kernel is first.
func (list List) planKernels(kernelIndices []int) (plans []kernelPlan) {
	gammaOf := func(k int) float64 { // γ if kernel k is exp(−γt) of a distance t, otherwise 0
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
		best, fewestMultiplications := kernelPlan{k: k, baseKernelIndex: k, exponent: 1}, math.MaxInt
		for _, m := range plans {
			if gammaOf(k) == 0 || gammaOf(k) > maxPower*gammaOf(m.k) {
				continue
			}
			p := int(math.Round(gammaOf(k) / gammaOf(m.k)))
			gammaOfPower := float64(m.exponent*p) * gammaOf(m.baseKernelIndex)
			c, ok := elementwise.MultiplicationCount(p)
			if ok && c < fewestMultiplications && m.exponent*p <= maxPower && math.Abs(gammaOf(k)-gammaOfPower) <=
				4*linalg.Epsilon*gammaOf(k) {
				best, fewestMultiplications = kernelPlan{k, m.baseKernelIndex, append(slices.Clone(m.successivePowers),
					p), m.exponent * p}, c
			}
		}
		plans = append(plans, best)
	}
	slices.SortStableFunc(plans, func(a, b kernelPlan) int { return cmp.Compare(a.baseKernelIndex, b.baseKernelIndex) })
	return plans
}
