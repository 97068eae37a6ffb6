package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/loss"
)

// quantileShift returns, for each of c columns, the number that moves the predictions out of held-out points to the
// quantile of l. It returns nil if l does not estimate a quantile. Missing targets (NaN) do not count.
func quantileShift(l loss.Loss, out, targets, weights []float64, c int) []float64 {
	p, ok := l.(loss.Pinball)
	if !ok {
		return nil
	}
	n, shift := len(out)/c, make([]float64, c)
	for j := range shift {
		var all []residual
		for i := j * n; i < (j+1)*n; i++ {
			if !math.IsNaN(targets[i]) {
				all = append(all, residual{targets[i] - out[i], weights[i-j*n]})
			}
		}
		shift[j] = quantileOf(all, p.Tau)
	}
	return shift
}

type residual struct{ value, weight float64 }

// quantileOf returns the value x for which a new residual is at most x with probability τ, if it is exchangeable with
// the n given ones: with weights of 1, the order statistic τ(n+1), interpolated. It returns 0 for no residuals.
func quantileOf(all []residual, tau float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.SortFunc(all, func(a, b residual) int { return cmp.Compare(a.value, b.value) })
	total := 0.0
	for _, r := range all {
		total += r.weight
	}
	rank, below := tau*(total+total/float64(len(all))), 0.0 // below: the weight up to and including a residual
	for i, r := range all {
		if before := below; rank <= before+r.weight {
			if i == 0 {
				return r.value
			}
			return all[i-1].value + (rank-before)/r.weight*(r.value-all[i-1].value)
		}
		below += r.weight
	}
	return all[len(all)-1].value
}
