package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// mostValues is how many values of kernels, mn²/2 of m kernels of n points, a pass may make unasked: of the order of a
// nanosecond each on one core, so that 100,000 points and 17 kernels still have their proof.
var mostValues = 1e11

// claim is a model of landmarks as a point of the problem of all points, whose matrices there is no room for.
type claim struct {
	*mkl.Problem           // the landmarks first, with the kernels as they were fitted to these
	theta, w     []float64 // w is 0 but for the landmarks, n·c of c columns
	landmarks    int
	pass         time.Duration // what one over all points takes, once it is known
	note         string        // of the model: what was learned
	// model is that of a result of the problem, whose shares of views are l's
	model func(l *Learned, r *mkl.Result) *model.Model
}

// claim is the model of θ and the dual coefficients w of f's landmarks, learned on p with c. Where θ is a rule's, Θ is
// θ alone.
func (f *fold) claim(d *data.Dataset, p *mkl.Problem, c candidate, theta, w []float64) (*claim, error) {
	freezable, ok := p.Grams.(kernel.Freezable)
	if _, given := f.x.(kernel.Places); !ok || given {
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
	order := slices.Clone(f.landmarks)
	for _, i := range f.split.Train {
		if !slices.Contains(f.landmarks, i) {
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
		landmarks: len(f.landmarks), model: func(l *Learned, r *mkl.Result) *model.Model {
			if l.Views = viewShares(d.Views, family, r.Kernel); l.Views != nil {
				r.Labels = viewLabels(d.Views, family, r.Labels)
			}
			return whole.model(d, family, r, r.W, offsets)
		}}, nil
}

func (c *claim) points() int {
	_, n := c.Grams.Dims()
	return n
}

// values are the values of kernels that a pass over all points makes, and passes how many such passes the proof takes.
func (c *claim) values() (values, passes float64) {
	m, n := c.Grams.Dims()
	share := float64(c.landmarks) / float64(n)
	return float64(m) * float64(n) * float64(n) / 2, 1 + share*(2-share)
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
	values, passes := c.values()
	cost, budget := time.Duration(passes*values), time.Duration(o.seconds*float64(time.Second)) // ns
	until, within := time.Now().Add(budget), ctx
	if values > mostValues {
		if !o.given["WithBudget"] {
			l.Unproved = fmt.Sprintf("the proof takes %.2g values of kernels, about %.2g s of one core "+
				"(WithBudget gives it the time)", passes*values, cost.Seconds())
			return
		}
		var cancel context.CancelFunc
		within, cancel = context.WithDeadline(ctx, until)
		defer cancel()
	}
	o.doing(fmt.Sprintf("a pass over all %d points, which proves how good the model is", c.points()),
		cost/time.Duration(runtime.GOMAXPROCS(0)))
	began := time.Now()
	proof, err := c.CertifyAt(within, c.theta, c.w)
	if c.pass = time.Duration(float64(time.Since(began)) / passes); err != nil {
		l.Unproved = why(ctx, within, err)
		return
	}
	if l.Proof = &proof; o.given["WithBudget"] {
		if said := o.solve(ctx, c, l, until); said != "" {
			l.Warnings = append(l.Warnings, "WithBudget: "+said)
		}
	}
}

// why says what kept a proof from its end.
func why(ctx, within context.Context, err error) string {
	switch {
	case ctx.Err() != nil:
		return "it was stopped"
	case within.Err() != nil:
		return "the seconds of WithBudget were over before its proof"
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
	return fmt.Sprintf("F, what learning minimises, is over all %d points proved to be %s its minimum %s.", l.Points,
		above(l.Proof.Upper+l.Proof.Lift, l.Proof.Lower), than)
}

// loose says what a bound of a model of landmarks is not of, and what brings it down; "" where it is below 1 %.
func (l *Learned) loose() string {
	if l.Landmarks == 0 || l.Proof == nil || l.Proof.Upper+l.Proof.Lift <= 1.01*l.Proof.Lower {
		return ""
	}
	return " That is of F, not of the error on new points, which may be small all the same; " +
		"WithBudget solves for all points."
}

// above says in words how far up is above low at most.
func above(up, low float64) string {
	digits := func(v float64) float64 { // two, rounded up
		if !(v > 0) {
			return 0
		}
		unit := math.Pow(10, math.Floor(math.Log10(v))-1)
		return math.Ceil(v/unit*(1-1e-12)) * unit
	}
	switch {
	case !(low > 0):
		return fmt.Sprintf("at most %.2g above", digits(up-low))
	case up >= 2*low:
		return fmt.Sprintf("at most %.4g times", digits(up/low))
	}
	return fmt.Sprintf("at most %.4g %% above", digits(100*(up/low-1)))
}
