package study

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// answer is a method's answer at one place of its grid.
type answer struct {
	alt    int // number of the alternative
	lambda int // number of λ, in descending order
	theta  []float64
	w      []float64
	bias   float64
	status mkl.Status
	kind   mkl.Kind
	gap    float64    // relative; of the residual where kind is FirstOrder
	point  *mkl.Point // of a rule; nil of a solver
}

// failed is an answer where K(θ) + λI had no Cholesky factor.
func (a *answer) failed() bool { return a.w == nil }

// walk solves p with every set and rule of alts and every λ of the descending lambdas, each from
// the weights of the one before: along λ, and from the first λ of a ball to that of the next. The
// weights of a smaller ball are scaled to the radius of the next. visit sees every answer, which is
// valid until it returns.
func walk(ctx context.Context, p *mkl.Problem, solver mkl.Solver, alts []alternative, lambdas []float64, settings mkl.Settings, visit func(*answer) error) error {
	var first []float64 // θ of the first λ of the alternative before
	var radius float64
	var ruled ruledWalk
	for i, a := range alts {
		theta := scaled(first, radius, a)
		for j, l := range lambdas {
			if err := ctx.Err(); err != nil {
				return err
			}
			q := a.problem(p, l)
			var (
				ans *answer
				err error
			)
			if a.Rule != nil {
				ans, err = ruled.at(q, a.Rule)
			} else {
				settings.Theta = theta
				ans, err = solved(ctx, q, solver, settings)
			}
			if errors.Is(err, loss.ErrNotPSD) {
				ans, err = &answer{}, nil
			}
			if err != nil {
				return err
			}
			if ans.status == mkl.Stopped {
				return context.Cause(ctx)
			}
			ans.alt, ans.lambda = i, j
			if err := visit(ans); err != nil {
				return err
			}
			if a.Rule == nil && !ans.failed() {
				theta = ans.theta
				if j == 0 {
					first, radius = theta, a.Radius
				}
			}
		}
	}
	return nil
}

// scaled moves θ of a ball of radius r to where it is in the ball of a, about the same centre:
// μ₀ + (Λ/r)(θ − μ₀). Of other sets, θ as it is.
func scaled(theta []float64, r float64, a alternative) []float64 {
	b, ok := a.Set.(set.Ball)
	if theta == nil || !ok || r == 0 {
		return theta
	}
	t := slices.Clone(theta)
	for k := range t {
		c := 0.0
		if b.Center != nil {
			c = b.Center[k]
		}
		t[k] = c + b.Radius/r*(t[k]-c)
	}
	return t
}

func solved(ctx context.Context, p *mkl.Problem, s mkl.Solver, settings mkl.Settings) (*answer, error) {
	r, err := mkl.Solve(ctx, p, s, &settings)
	if err != nil {
		return nil, err
	}
	a := &answer{theta: r.Theta, w: r.W, bias: r.Bias, status: r.Status, kind: r.Kind, gap: math.Max(r.RelativeGap(), 0)}
	if r.Kind == mkl.FirstOrder {
		a.gap = 0
		if r.Residual > 0 {
			a.gap = r.Residual / math.Abs(r.Upper)
		}
	}
	return a, nil
}

// ruledWalk keeps the Gram of the last θ: along λ a fixed θ needs no other.
type ruledWalk struct{ last *mkl.Point }

func (r *ruledWalk) at(q *mkl.Problem, rule mkl.Rule) (*answer, error) {
	theta, err := rule.Weigh(q)
	if err != nil {
		return nil, fmt.Errorf("study: %v: %w", rule, err)
	}
	pt := q.NewPoint()
	copy(pt.Theta, theta)
	same := false
	if r.last != nil {
		same = slices.Equal(theta, r.last.Theta)
		pt.Gram, pt.Solution = r.last.Gram, r.last.Solution // with their storage
	}
	r.last = pt
	if same {
		err = pt.Inner(nil, innerTol)
	} else {
		err = pt.Evaluate(nil, innerTol)
	}
	if err != nil {
		r.last = nil
		return nil, err
	}
	return &answer{theta: theta, w: pt.W, bias: pt.Bias, status: mkl.EvaluatedOnly, point: pt}, nil
}

// innerTol is the relative gap of the inner problem at the θ of a rule.
const innerTol = 1e-8

// predictor is f on some points, of any θ and w on others.
type predictor struct {
	cross kernel.Cross
	k     *mat.Dense
	theta []float64 // that k is of
}

func newPredictor(c kernel.Cross, l, n int) *predictor {
	return &predictor{cross: c, k: mat.NewDense(l, n, nil)}
}

// predict stores Σ_i w_i k_θ(z, x_i) + b + offset in dst.
func (p *predictor) predict(dst []float64, a *answer, offset float64) {
	if p.theta == nil || !slices.Equal(p.theta, a.theta) {
		p.cross.Gram(p.k, a.theta)
		p.theta = append(p.theta[:0], a.theta...)
	}
	for i := range dst {
		dst[i] = floats.Dot(p.k.RawRowView(i), a.w) + a.bias + offset
	}
}
