package learn

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// mostValues is how many values of kernels, mn²/2 of m kernels of n points, a pass may make unasked, so that 100,000
// points and 17 kernels still have their proof. valueTime is what one takes of one core, in nanoseconds, with AVX2:
// 0.65 of 8 Gaussians of doubling γ, 0.72 of these with 8 such Laplacians and a linear kernel, 1.3 of 8 unrelated
// Gaussians (n = 20,000, 10 features). So long a pass has passThreads threads at most, a shorter one more.
var mostValues = 1e11

const (
	valueTime   = 0.8
	passThreads = 8
)

// claim is a model of landmarks whose distance from the optimum of all points is to be proved.
type claim struct {
	*compare.Whole
	views []data.View
	pass  time.Duration // of one pass over all points, once it is known
	note  string        // of the model: what was learned
}

// model returns the model of a result of the problem of all points, and sets the shares of the views in l.
func (c *claim) model(l *Learned, r *mkl.Result) *model.Model {
	if l.Views = viewShares(c.views, c.Family, r.Kernel); l.Views != nil {
		r.Labels = compare.ViewLabels(c.views, c.Family, r.Labels)
	}
	return c.Model(r)
}

// prove says in l how far F of its model is from the minimum over all points, where that takes no more than mostValues
// or a budget is given, and within that solves for all points.
func (o *options) prove(ctx context.Context, c *claim, l *Learned) {
	m, n := c.Grams.Dims()
	values, share := float64(m)*float64(n)*float64(n)/2, float64(l.Landmarks)/float64(n)
	passes := 1 + share*(2-share) // over all points, one for the function of the landmarks and one for its residuals
	cost := time.Duration(passes * values * valueTime)
	budget := time.Duration(o.seconds * float64(time.Second))
	until, within := time.Now().Add(budget), ctx
	seconds := fmt.Sprintf("the proof takes about %s of one core, WithBudget has to give as much", viz.Duration(cost))
	if values > mostValues {
		if !o.given["WithBudget"] {
			l.Unproved = seconds
			return
		}
		var cancel context.CancelFunc
		within, cancel = context.WithDeadline(ctx, until)
		defer cancel()
	}
	o.doing(fmt.Sprintf("a pass over all %d points, which proves how good the model is", n),
		cost/time.Duration(min(runtime.GOMAXPROCS(0), passThreads)))
	began := time.Now()
	proof, err := c.CertifyAt(within, c.Theta, c.W)
	if c.pass = time.Duration(float64(time.Since(began)) / passes); proof.Kind != mkl.Global {
		if l.Unproved = why(ctx, err); ctx.Err() == nil && within.Err() != nil {
			l.Unproved = seconds
		}
		return
	}
	if l.Proof = &proof; o.given["WithBudget"] { // an error is of the second pass, which may prove more
		if said := o.solve(ctx, c, l, until); said != "" {
			l.Warnings = append(l.Warnings, "WithBudget: "+said)
		}
	}
}

// why says what kept a proof from its end.
func why(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return "it was stopped"
	}
	return err.Error()
}

// OptimalityNote says how far F of the model may be above the minimum over all points, or why that is not known; ""
// where Result is of all points and says it.
func (l *Learned) OptimalityNote() string {
	switch {
	case l.Model == nil, l.Proof == nil && l.Unproved == "":
		return ""
	case l.Proof == nil:
		return fmt.Sprintf("How far F over all %d points is above its minimum is not known: %s.", l.Points, l.Unproved)
	}
	than := "over all weights and functions"
	if l.Method != LearnedName && !strings.HasPrefix(l.Method, LearnedName+" ") {
		than = "over all functions, with these weights"
	}
	s := fmt.Sprintf("Proved of the optimisation: F, which learning minimises, is over all %d points %s its "+
		"minimum %s.", l.Points, l.Proof.BoundText(), than)
	if l.Landmarks > 0 && l.Proof.Upper+l.Proof.ShiftError > 1.01*l.Proof.Lower {
		s += " The error on new points is another matter; WithBudget lowers the bound."
	}
	return s
}
