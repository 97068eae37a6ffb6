package compare

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// answer is the result at one place of a grid.
type answer struct {
	Candidate
	*mkl.Result
	problem *mkl.Problem
	other   int        // index of the candidate in grid.others
	at      int        // index of the value on the path
	point   *mkl.Point // for a rule; nil for a solver
}

// failed reports whether the inner problem had no solution: K(θ) + λI has no Cholesky factor.
func (a *answer) failed() bool { return a.W == nil }

// walk solves p with every candidate of b at the given values of its path. Each solve starts from θ and w of the
// previous value on the path. The first value of a candidate starts from the first value of the previous candidate. If
// the radius of the ball changes between the two, the weights are scaled to the new radius. An answer is valid until
// the next one.
func walk(ctx context.Context, p *mkl.Problem, b *grid, values []float64, solver mkl.Solver,
	settings mkl.Settings) iter.Seq2[*answer, error] {
	return func(yield func(*answer, error) bool) {
		var first *mkl.Result // at the first value, for the previous candidate
		var before Candidate
		var ruled ruledPath
		for i, o := range b.others {
			warm := scaled(first, before.Set, o.Set)
			for j, v := range values {
				c := b.candidate(o, v)
				q := c.problem(p)
				settings.Start = warm
				a := &answer{Candidate: c, problem: q, other: i, at: j}
				err := ctx.Err()
				switch {
				case err != nil:
				case c.Rule != nil:
					a.Result, err = ruled.at(ctx, q, c.Rule, settings.Threads)
					a.point = ruled.last
				default:
					a.Result, err = lowest(ctx, q, solver, settings, b.starts)
				}
				if errors.Is(err, loss.ErrNotPSD) {
					a.Result, err = &mkl.Result{}, nil
				}
				if err == nil && a.Status == mkl.Stopped {
					err = context.Cause(ctx)
				}
				if err != nil {
					yield(nil, err)
					return
				}
				if !yield(a, nil) {
					return
				}
				if c.Rule == nil && !a.failed() {
					warm = &mkl.Result{Theta: a.Theta, W: a.W, Block: a.Block}
					if j == 0 {
						first, before = warm, c
					}
				}
			}
		}
	}
}

// scaled maps θ from a ball of radius r to a ball of radius Λ about the same center,
//
//	μ₀ + (Λ/r)(θ − μ₀),
//
// projected to θ ≥ 0, where K(θ) is positive semidefinite. Between other sets θ does not change.
func scaled(r *mkl.Result, from, to set.Set) *mkl.Result {
	if r == nil || from == nil || to == nil {
		return r
	}
	a, b := from.Traits().Ball, to.Traits().Ball
	if a == nil || b == nil {
		return r
	}
	t := slices.Clone(r.Theta)
	for k := range t {
		c := 0.0
		if b.Center != nil {
			c = b.Center[k]
		}
		t[k] = c + b.Radius/a.Radius*(t[k]-c)
	}
	if slices.ContainsFunc(t, func(v float64) bool { return v < 0 }) {
		to.Project(t, t)
	}
	return &mkl.Result{Theta: t, W: r.W, Block: r.Block}
}

// ruledPath holds the Gram of the last θ and its w. Along a path θ often stays the same, and then the Gram is reused.
type ruledPath struct{ last *mkl.Point }

func (r *ruledPath) at(ctx context.Context, q *mkl.Problem, rule mkl.Rule, threads int) (*mkl.Result, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	theta, err := rule.Weights(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("compare: %v: %w", rule, err)
	}
	pt := q.NewPoint()
	copy(pt.Theta, theta)
	pt.Threads = threads
	pt.SetContext(ctx)
	same := false
	if r.last != nil {
		same = slices.Equal(theta, r.last.Theta)
		pt.Gram, pt.Solution = r.last.Gram, r.last.Solution // reuses their storage, and starts from w
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
	res := &mkl.Result{Theta: theta, Block: pt.Block, Kernel: theta, W: pt.W, Bias: pt.Bias, Biases: pt.Biases,
		Status: mkl.EvaluatedOnly}
	if b, ok := pt.Gram.(kernel.Blocked); ok && len(pt.Block) > 0 {
		res.Kernel = make([]float64, len(theta))
		b.Scaled(res.Kernel, theta)
	}
	if pt.Inexact() != nil {
		res.Status = mkl.InnerLimit
	}
	return res, nil
}

// biases returns the biases of all columns; it has one entry if there is one column.
func biases(r *mkl.Result) []float64 {
	if r.Biases != nil {
		return r.Biases
	}
	return []float64{r.Bias}
}

// innerTol is the relative gap of the inner problem at a θ that is not optimized: the θ of a rule, of leave-one-out or
// of a possible start.
const innerTol = 1e-8

// leaveOneOut stores f₋ᵢ(x_i) of each column in dst. If a column has no target for the point, it stores f(x_i).
//
// θ is not learned again without point i. The same holds for everything that a family fits to its points without the
// targets: scales, centers and normalization. With as many folds as points, all of these are fitted again.
func (a *answer) leaveOneOut(ctx context.Context, dst, offsets []float64) error {
	p, pt := a.problem, a.point
	if pt == nil {
		pt = p.NewPoint()
		pt.Threads = 1
		pt.SetContext(ctx)
		copy(pt.Theta, a.Theta)
		if err := pt.Evaluate(nil, innerTol); err != nil {
			return err
		}
	}
	if !pt.LeaveOneOut(dst) {
		return fmt.Errorf("compare: no residuals of leave-one-out from %v", p.Loss)
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

// predictor computes f at some points from any θ and w on other points.
type predictor struct {
	cross kernel.Cross
	k     *mat.Dense
	theta []float64 // the θ at which k was computed
}

func newPredictor(c kernel.Cross, l, n int) *predictor {
	return &predictor{cross: c, k: mat.NewDense(l, n, nil)}
}

// predict stores Σ_i w_i k_θ(z, x_i) + b + offset of each column in dst.
func (p *predictor) predict(dst []float64, r *mkl.Result, offsets []float64) {
	if p.theta == nil || !slices.Equal(p.theta, r.Kernel) {
		p.cross.Gram(p.k, r.Kernel)
		p.theta = append(p.theta[:0], r.Kernel...)
	}
	l, n := p.k.Dims()
	bias := biases(r)
	for j, offset := range offsets {
		w := r.W[j*n : (j+1)*n]
		for i := range l {
			dst[j*l+i] = floats.Dot(p.k.RawRowView(i), w) + bias[j] + offset
		}
	}
}

// lowest solves p. If no global minimum is certified, the result depends on the start. starts holds θ of the folds on
// which the hyperparameters of p were chosen. If F at one of them is below the result, lowest also solves p from the
// start with the smallest F, and returns the result with the smaller F.
func lowest(ctx context.Context, p *mkl.Problem, s mkl.Solver, settings mkl.Settings,
	starts [][]float64) (*mkl.Result, error) {
	r, err := mkl.Solve(ctx, p, s, &settings)
	if err != nil || r.Kind != mkl.FirstOrder || r.Status == mkl.Stopped {
		return r, err
	}
	least := r.F
	var from []float64
	for _, theta := range starts {
		pt := p.NewPoint()
		pt.Threads = settings.Threads
		pt.SetContext(ctx)
		copy(pt.Theta, theta)
		if err := pt.Evaluate(nil, innerTol); ctx.Err() != nil {
			return nil, err
		} else if err != nil { // θ does not suit these points
			continue
		}
		if f := pt.F(); f < least {
			least, from = f, theta
		}
	}
	if from == nil {
		return r, nil
	}
	settings.Start = &mkl.Result{Theta: from}
	warm, err := mkl.Solve(ctx, p, s, &settings)
	if ctx.Err() == nil && (err != nil || !(warm.F < r.F)) {
		return r, nil
	}
	return warm, err
}
