package compare

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// solution is the result for one candidate of a grid at one value of the loss's hyperparameter.
type solution struct {
	Candidate
	*mkl.Result
	candidateIndex int // index of the candidate in grid.candidates
	valueIndex     int // index of the hyperparameter value
}

// hasFailed reports whether the inner problem had no solution: K(θ) + λI has no Cholesky factor.
func (a *solution) hasFailed() bool { return a.W == nil }

// solveGrid solves p by m with every candidate of b at each of the hyperparameter values, and yields the solutions in
// this order. Each solve starts from θ and w at the previous value. The first value of a candidate starts from the
// solution at the first value of the previous candidate; if the sets Θ of the two are balls of different radii, θ is
// scaled to the new radius. A solution is valid until the next one.
func solveGrid(ctx context.Context, p *mkl.Problem, b *grid, values []float64, m *Method) iter.Seq2[*solution, error] {
	return func(yield func(*solution, error) bool) {
		// Tasks run concurrently, so a solve has one thread.
		settings := mkl.Settings{Gap: m.Gap, Iterations: m.Iterations, Threads: 1}
		var firstResult *mkl.Result // θ and w of the previous candidate at the first value
		var previous Candidate
		var evaluator ruleEvaluator
		for i, o := range b.candidates {
			start := scaleToBall(firstResult, previous.Set, o.Set)
			for j, v := range values {
				c := b.withValue(o, v)
				q := c.applyTo(p)
				settings.Start = start
				a := &solution{Candidate: c, candidateIndex: i, valueIndex: j}
				err := ctx.Err()
				switch {
				case err != nil:
				case c.Rule != nil:
					a.Result, err = evaluator.evaluate(ctx, q, c.Rule, settings.Threads)
				default:
					a.Result, err = solveMultiStart(ctx, q, m.Solver, settings, b.starts)
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
				if c.Rule == nil && !a.hasFailed() {
					start = &mkl.Result{Theta: a.Theta, W: a.W, Block: a.Block}
					if j == 0 {
						firstResult, previous = start, c
					}
				}
			}
		}
	}
}

// scaleToBall makes a start for a solve on newSet from r, the result of a solve on oldSet. If both sets are balls about
// μ₀, of radius ρ (oldSet) and Λ (newSet), the θ of the start is
//
//	μ₀ + (Λ/ρ)(θ − μ₀).
//
// If this has a negative entry, so that K(θ) need not be positive semidefinite, it is projected to newSet. For other
// sets scaleToBall returns r.
func scaleToBall(r *mkl.Result, oldSet, newSet set.Set) *mkl.Result {
	if r == nil || oldSet == nil || newSet == nil {
		return r
	}
	a, b := oldSet.Traits().Ball, newSet.Traits().Ball
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
		newSet.Project(t, t)
	}
	return &mkl.Result{Theta: t, W: r.W, Block: r.Block}
}

// ruleEvaluator evaluates the θ of a rule at successive hyperparameter values. It holds the last point. If θ is the
// same as at the last value, which is common, the kernel matrix is not computed again.
type ruleEvaluator struct{ last *mkl.Point }

// evaluate returns the fit of q with the weights of the rule.
func (r *ruleEvaluator) evaluate(ctx context.Context, q *mkl.Problem, rule mkl.Rule, threads int) (*mkl.Result, error) {
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
	isSameTheta := false
	if r.last != nil {
		isSameTheta = slices.Equal(theta, r.last.Theta)
		pt.Gram, pt.Solution = r.last.Gram, r.last.Solution // reuses the storage, and starts the inner solver from w
	}
	r.last = pt
	if isSameTheta {
		err = pt.Inner(nil, innerTolerance)
	} else {
		err = pt.Evaluate(nil, innerTolerance)
	}
	if err != nil {
		r.last = nil
		return nil, err
	}
	res := &mkl.Result{Theta: theta, Block: pt.Block, Kernel: theta, W: pt.W, Bias: pt.Bias, Biases: pt.Biases,
		Status: mkl.EvaluatedOnly}
	if b, ok := pt.Gram.(kernel.Blocked); ok && len(pt.Block) > 0 {
		res.Kernel = make([]float64, len(theta))
		b.ScaleTheta(res.Kernel, theta)
	}
	if pt.Inexact() != nil {
		res.Status = mkl.InnerLimit
	}
	return res, nil
}

// biasesOf returns the bias of each target column of r.
func biasesOf(r *mkl.Result) []float64 {
	if r.Biases != nil {
		return r.Biases
	}
	return []float64{r.Bias}
}

// innerTolerance is the relative gap to which w is fitted for a θ that is not optimized: the θ of a rule, or of a
// possible start.
const innerTolerance = 1e-8

// predictor computes predictions f(z) at fixed points z from any θ and from dual coefficients w of other fixed points.
// It computes the kernel matrix between them in blocks of rows of at most 2²¹ entries, or of one row. If one block has
// all rows, its base matrices are stored, and the block is computed again only if θ changes.
type predictor struct {
	grams     kernel.Grams
	rows      []int        // of the points z
	base      []int        // of the other points
	cross     kernel.Cross // of the last block
	gram      []float64
	gramTheta []float64 // the θ at which gram was computed
}

// predict stores Σ_i w_i k_θ(z, x_i) + b + offset for each point z in dst: all z for the first target column, then for
// the second, … w and b are the dual coefficients and the bias of the column in r.
func (p *predictor) predict(dst []float64, r *mkl.Result, offsets []float64) {
	n := len(p.base)
	size := min(max((1<<21)/n, 1), len(p.rows))
	if p.gram == nil {
		p.gram = make([]float64, size*n)
	}
	bias := biasesOf(r)
	for from := 0; from < len(p.rows); from += size {
		rows := p.rows[from:min(from+size, len(p.rows))]
		block := mat.NewDense(len(rows), n, p.gram[:len(rows)*n])
		isNew := p.cross == nil || size < len(p.rows)
		if isNew {
			p.cross = p.grams.Block(rows, p.base)
		}
		if isNew || !slices.Equal(p.gramTheta, r.Kernel) {
			p.cross.Gram(block, r.Kernel)
			p.gramTheta = append(p.gramTheta[:0], r.Kernel...)
		}
		for j, offset := range offsets {
			for i := range rows {
				dst[j*len(p.rows)+from+i] = floats.Dot(block.RawRowView(i), r.W[j*n:(j+1)*n]) + bias[j] + offset
			}
		}
	}
}

// solveMultiStart solves p from the usual start. If no global minimum is certified, the result depends on the start, so
// solveMultiStart also evaluates F at starts: the θ of the folds on which the hyperparameters of p were chosen. If F is
// smaller at one of them than in the result, it solves p again from the start with the smallest F. It returns the
// result with the smaller F.
func solveMultiStart(ctx context.Context, p *mkl.Problem, s mkl.Solver, settings mkl.Settings,
	starts [][]float64) (*mkl.Result, error) {
	r, err := mkl.Solve(ctx, p, s, &settings)
	if err != nil || r.Kind != mkl.FirstOrder || r.Status == mkl.Stopped {
		return r, err
	}
	smallestF := r.F
	var bestStart []float64
	for _, theta := range starts {
		pt := p.NewPoint()
		pt.Threads = settings.Threads
		pt.SetContext(ctx)
		copy(pt.Theta, theta)
		if err := pt.Evaluate(nil, innerTolerance); ctx.Err() != nil {
			return nil, err
		} else if err != nil { // θ does not suit these points
			continue
		}
		if f := pt.F(); f < smallestF {
			smallestF, bestStart = f, theta
		}
	}
	if bestStart == nil {
		return r, nil
	}
	settings.Start = &mkl.Result{Theta: bestStart}
	restarted, err := mkl.Solve(ctx, p, s, &settings)
	if ctx.Err() == nil && (err != nil || !(restarted.F < r.F)) {
		return r, nil
	}
	return restarted, err
}
