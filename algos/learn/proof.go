package learn

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
)

// maxValuesWithoutBudget is the largest number of kernel values, mn²/2 for m kernels of n points, that a pass may
// compute without WithBudget. It allows a proof for 100,000 points and 17 kernels. valueTime is the time for one value
// on one core with AVX2, in nanoseconds. It was 0.65 for 8 Gaussians of doubling γ, 0.72 for these with 8 Laplacians of
// doubling γ and a linear kernel, and 1.3 for 8 unrelated Gaussians (n = 20,000, 10 features). A pass of
// maxValuesWithoutBudget has at most passThreads threads; a shorter pass may have more.
var maxValuesWithoutBudget = 1e11

const (
	valueTime   = 0.8
	passThreads = 8
)

// landmarkModel is a model that was fitted to landmarks. proveBound bounds the distance of its F from the minimum over
// all points.
type landmarkModel struct {
	*compare.Whole
	views []data.View
	pass  time.Duration // time of one pass over all points, once it is known
	note  string        // describes the fitted candidate, for the note of the model
}

// model returns the model for the result r of the problem of all points, and sets the shares of the views in l.
func (c *landmarkModel) model(l *Learned, r *mkl.Result) *model.Model {
	if l.Views = viewShares(c.views, c.Family, r.Kernel); l.Views != nil {
		r.Labels = compare.ViewLabels(c.views, c.Family, r.Labels)
	}
	return c.Model(r)
}

// proveBound stores in l.Proof a bound on how far F of the model is from the minimum over all points. It does so if the
// pass computes at most maxValuesWithoutBudget values or if a budget is given. Within the budget it also solves the
// problem of all points. If there is no proof, it stores the reason in l.Unproved.
func (o *fitting) proveBound(ctx context.Context, c *landmarkModel, l *Learned) {
	m, n := c.Grams.Dims()
	values, share := float64(m)*float64(n)*float64(n)/2, float64(l.Landmarks)/float64(n)
	passes := 1 + share*(2-share) // over all points: one for the function of the landmarks, the rest for its residuals
	cost := time.Duration(passes * values * valueTime)
	budget := time.Duration(o.Budget.Seconds * float64(time.Second))
	until, within := time.Now().Add(budget), ctx
	tooLong := fmt.Sprintf("the proof takes about %v of one core; WithBudget allows more time", roundSeconds(cost))
	if values > maxValuesWithoutBudget {
		if o.Budget == (Budget{}) {
			l.Unproved = tooLong
			return
		}
		var cancel context.CancelFunc
		within, cancel = context.WithDeadline(ctx, until)
		defer cancel()
	}
	o.reportWork(fmt.Sprintf("a pass over all %d points, which proves how good the model is", n),
		cost/time.Duration(min(runtime.GOMAXPROCS(0), passThreads)))
	began := time.Now()
	proof, err := c.CertifyAt(within, c.Theta, c.W)
	if c.pass = time.Duration(float64(time.Since(began)) / passes); proof.Kind != mkl.Global {
		if l.Unproved = stopReason(ctx, err); ctx.Err() == nil && within.Err() != nil {
			l.Unproved = tooLong
		}
		return
	}
	if l.Proof = &proof; o.Budget != (Budget{}) { // an err is then of the second pass: the first has proved a bound
		if message := o.solveAll(ctx, c, l, until); message != "" {
			l.Warnings = append(l.Warnings, "WithBudget: "+message)
		}
	}
}

// roundSeconds returns d in whole seconds, at least one.
func roundSeconds(d time.Duration) time.Duration { return max(d.Round(time.Second), time.Second) }

// stopReason returns the reason why a proof did not finish.
func stopReason(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return "it was stopped"
	}
	return err.Error()
}
