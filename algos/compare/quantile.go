package compare

import (
	"cmp"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/loss"
)

// quantileShifts returns Cell.Shift for the predictions out at held-out points: for each target column, the τ quantile
// of the residuals target − prediction, for the τ of the loss l. It returns nil if l is not loss.Pinball. It
// ignores missing targets (NaN).
func quantileShifts(l loss.Loss, out, targets, weights []float64, columnCount int) []float64 {
	p, ok := l.(loss.Pinball)
	if !ok {
		return nil
	}
	n, shift := len(out)/columnCount, make([]float64, columnCount)
	for j := range shift {
		var all []residual
		for i := j * n; i < (j+1)*n; i++ {
			if !math.IsNaN(targets[i]) {
				all = append(all, residual{targets[i] - out[i], weights[i-j*n]})
			}
		}
		shift[j] = residualQuantile(all, p.Tau)
	}
	return shift
}

// residual is target − prediction at a point, with the weight of the point in the loss.
type residual struct{ value, weight float64 }

// residualQuantile returns a number x such that a new residual is at most x with probability τ, if it is exchangeable
// with the given residuals. If all n weights are equal, x is the order statistic of rank τ(n+1), interpolated between
// neighbors. x is at least the smallest and at most the largest residual. It is 0 if there are none.
func residualQuantile(all []residual, tau float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.SortFunc(all, func(a, b residual) int { return cmp.Compare(a.value, b.value) })
	total := 0.0
	for _, r := range all {
		total += r.weight
	}
	rank, below := tau*(total+total/float64(len(all))), 0.0 // below: sum of the weights of the smaller residuals
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
