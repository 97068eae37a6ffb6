package learn

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/mkl"
)

// maxPassValues is the largest number of kernel values, mn²/2 for m kernels of n points, that a pass may compute. It
// allows a proof for 100,000 points and 17 kernels. valueTime is the time for one value on one core with AVX2, in
// nanoseconds. It was 0.65 for 8 Gaussians of doubling γ, 0.72 for these with 8 Laplacians of doubling γ and a linear
// kernel, and 1.3 for 8 unrelated Gaussians (n = 20,000, 10 features). A pass has at most passThreads threads.
const (
	maxPassValues = 1e11
	valueTime     = 0.8
	passThreads   = 8
)

// proveBound stores in l.Proof a bound on how far F of the model c, which was fitted to landmarks, is from the minimum
// over all points. If the pass would compute more than maxPassValues values, or if there is no proof, it stores the
// reason in l.Unproved.
func (o *fitting) proveBound(ctx context.Context, c *compare.Whole, l *Learned) {
	m, n := c.Grams.Dims()
	values, share := float64(m)*float64(n)*float64(n)/2, float64(l.Landmarks)/float64(n)
	passes := 1 + share*(2-share) // over all points: one for the function of the landmarks, the rest for its residuals
	cost := time.Duration(passes * values * valueTime)
	if values > maxPassValues {
		l.Unproved = fmt.Sprintf("the proof takes about %v of one core", cost.Round(time.Second))
		return
	}
	o.reportWork(fmt.Sprintf("a pass over all %d points, which proves how good the model is", n),
		cost/time.Duration(min(runtime.GOMAXPROCS(0), passThreads)))
	proof, err := c.CertifyAt(ctx, c.Theta, c.W)
	switch {
	case proof.Kind == mkl.Global:
		l.Proof = &proof
	case ctx.Err() != nil:
		l.Unproved = "it was stopped"
	default:
		l.Unproved = err.Error()
	}
}
