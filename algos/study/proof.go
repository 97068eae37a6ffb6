package study

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"
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

// claim is a model of landmarks as a point of the problem of all points, whose matrices there is no room for.
type claim struct {
	*mkl.Problem               // the landmarks first, with the kernels as they were fitted to these
	theta, w     []float64     // w is 0 but for the landmarks, n·c of c columns
	pass         time.Duration // what one over all points takes, once it is known
	note         string        // of the model: what was learned
	// model is that of a result of the problem, whose shares of views are l's
	model func(l *Learned, r *mkl.Result) *model.Model
}

// claim is the model of θ and the dual coefficients w of f's landmarks, learned on p with c. Where θ is a rule's, Θ is
// θ alone.
func (f *fold) claim(d *data.Dataset, p *mkl.Problem, c candidate, theta, w []float64) (*claim, error) {
	freezable, ok := p.Grams.(kernel.Freezable)
	if _, given := f.x.(points.Indices); !ok || given {
		return nil, errors.New("kernels that are given as matrices, or that are fitted to their points")
	}
	family, err := freezable.Freeze()
	if err != nil {
		return nil, err
	}
	if c.Rule != nil {
		family, theta = used(family, theta)
		c.Set = set.Ball{Q: 1, Radius: 1e-12 * slices.Max(theta), Center: theta} // nothing but θ
	}
	order, is := slices.Clone(f.landmarks), make([]bool, f.x.Len())
	for _, i := range order {
		is[i] = true
	}
	for _, i := range f.split.Train {
		if !is[i] {
			order = append(order, i)
		}
	}
	y, offsets, err := columns(f.labels(order), f.code, c.Loss, f.centre)
	if err != nil {
		return nil, err
	}
	n, all := len(order), make([]float64, len(y))
	for j := range offsets {
		copy(all[j*n:], w[j*len(f.landmarks):(j+1)*len(f.landmarks)])
	}
	whole := *f
	whole.landmarks = order
	return &claim{Problem: c.problem(&mkl.Problem{Grams: family.On(f.x.Slice(order)), Y: y}), theta: theta, w: all,
		model: func(l *Learned, r *mkl.Result) *model.Model {
			if l.Views = viewShares(d.Views, family, r.Kernel); l.Views != nil {
				r.Labels = viewLabels(d.Views, family, r.Labels)
			}
			return whole.model(d, family, r, r.W, offsets)
		}}, nil
}

// used is a family, frozen, of the kernels with θ_k > 0 alone, and their θ.
func used(f kernel.Family, theta []float64) (kernel.Family, []float64) {
	sum, ok := f.(kernel.Sum)
	if !ok || !slices.Contains(theta, 0) {
		return f, theta
	}
	some, fit := sum, *sum.Fitted
	some.Kernels, fit.Scale, fit.Top, some.Fitted = nil, nil, nil, &fit
	var rest []float64
	for k, t := range theta {
		if t == 0 {
			continue
		}
		rest, some.Kernels = append(rest, t), append(some.Kernels, sum.Kernels[k])
		if sum.Normalize != kernel.None {
			fit.Scale, fit.Top = append(fit.Scale, sum.Fitted.Scale[k]), append(fit.Top, sum.Fitted.Top[k])
		}
	}
	return some, rest
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
	proof, err := c.CertifyAt(within, c.theta, c.w)
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

// Proved says how far F of the model may be above the minimum over all points, or why that is not known; "" where
// Result is of all points and says it.
func (l *Learned) Proved() string {
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
