package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
)

// leastProof is how long a proof may take however quick the learning was.
const leastProof = 10 * time.Second

// claim is a model of landmarks as a point of the problem of all points, whose matrices there is no room for.
type claim struct {
	*mkl.Problem           // the landmarks first, with the kernels as they were fitted to these
	theta, w     []float64 // w is 0 but for the landmarks, n·c of c columns
	landmarks    int
	pass         time.Duration // what one over all points takes, once it is known
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

// certify is what is proved of θ and w, without the second pass where that is not wanted.
func (c *claim) certify(ctx context.Context, wanted func() bool) (mkl.Certificate, error) {
	share := float64(c.landmarks) / float64(c.points()) // of the points
	began := time.Now()
	return c.CertifyAt(ctx, c.theta, c.w, func() bool {
		c.pass = time.Duration(float64(time.Since(began)) / (share * (2 - share)))
		return wanted()
	})
}

// prove says in l how far F of its model is from the minimum over all points, if that takes no longer than the limit.
func (c *claim) prove(ctx context.Context, l *Learned, limit time.Duration) {
	proof, err := c.certify(ctx, func() bool { return c.pass <= limit })
	switch {
	case err != nil:
		l.Unproved = why(ctx, err)
	case c.pass > limit:
		l.Unproved = fmt.Sprintf("a pass over all points takes about %.2g s (WithBudget gives it the time)",
			c.pass.Seconds())
	default:
		l.Proof = &proof
	}
}

// why says what kept a proof from its end.
func why(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		return "the proof was stopped"
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
	return fmt.Sprintf("F over all %d points is proved to be %s its minimum %s.", l.Points,
		above((l.Proof.Upper+l.Proof.Lift)/l.Proof.Lower), than)
}

// above says in words that one number is at most r ≥ 1 times another.
func above(r float64) string {
	digits := func(v float64) float64 { // two, rounded up
		unit := math.Pow(10, math.Floor(math.Log10(v))-1)
		return math.Ceil(v/unit*(1-1e-12)) * unit
	}
	switch {
	case !(r > 0) || math.IsInf(r, 1): // a lower bound of 0
		return "no less than"
	case r >= 2:
		return fmt.Sprintf("at most %.4g times", digits(r))
	}
	return fmt.Sprintf("at most %.4g %% above", digits(max(100*(r-1), 1e-9)))
}
