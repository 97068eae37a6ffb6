package study

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/mkl"
)

// leaveOneOut stores f₋ᵢ(x_i) in dst, of each column; of a column without a target for the point, f(x_i).
//
// θ stays that of all points, and so does what a family fits to them without looking at targets: scales,
// centres and normalisation are not fitted again without point i. With as many folds as points they are.
func leaveOneOut(ctx context.Context, dst []float64, p *mkl.Problem, a *answer, offsets []float64) error {
	pt := a.point
	if pt == nil {
		pt = p.NewPoint()
		pt.Threads = 1
		pt.SetContext(ctx)
		copy(pt.Theta, a.theta)
		if err := pt.Evaluate(nil, innerTol); err != nil {
			return err
		}
	}
	if !pt.LeaveOneOut(dst) {
		return fmt.Errorf("study: no residuals of leave-one-out from %v", p.Loss)
	}
	n := len(dst) / len(offsets)
	for k, r := range dst {
		i, j := k%n, k/n
		if !math.IsNaN(p.Y[k]) {
			dst[k] = p.Y[k] - r + offsets[j]
			continue
		}
		dst[k] = offsets[j]
		for l, w := range pt.W[j*n : (j+1)*n] {
			dst[k] += w * pt.Gram.K().At(i, l)
		}
	}
	return nil
}
