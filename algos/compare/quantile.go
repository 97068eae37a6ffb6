package compare

import (
	"slices"

	"github.com/mklnb/mkl/algos/loss"
)

// quantileShifts returns Cell.Shift for the predictions out at held-out points: for each target column, the τ quantile
// of the residuals target − prediction, for the τ of the loss l. It returns nil if l is not loss.Pinball.
func quantileShifts(l loss.Loss, out, targets []float64, columnCount int) []float64 {
	p, ok := l.(loss.Pinball)
	if !ok {
		return nil
	}
	n, shift := len(out)/columnCount, make([]float64, columnCount)
	for j := range shift {
		var all []float64
		for i := j * n; i < (j+1)*n; i++ {
			all = append(all, targets[i]-out[i])
		}
		shift[j] = residualQuantile(all, p.Tau)
	}
	return shift
}

// residualQuantile sorts n residuals and returns a number x such that a new residual is at most x with probability τ,
// if it is exchangeable with the given residuals: the order statistic of rank τ(n+1), interpolated between neighbors,
// but at least the smallest and at most the largest residual. It is 0 if there are none.
func residualQuantile(residuals []float64, tau float64) float64 {
	n := len(residuals)
	if n == 0 {
		return 0
	}
	slices.Sort(residuals)
	rank := max(tau*float64(n+1), 1)
	i := int(rank)
	if i >= n {
		return residuals[n-1]
	}
	return residuals[i-1] + (rank-float64(i))*(residuals[i]-residuals[i-1])
}
