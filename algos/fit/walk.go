package fit

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
	pathValueIndex int // index of the hyperparameter value in the list of values given to solveGrid
}

// hasFailed reports whether there is no solution, because K(θ) + λI has no Cholesky factor.
func (a *solution) hasFailed() bool { return a.W == nil }

// solveGrid solves p with the solver of m for every candidate of b at each of the hyperparameter values, and yields the
// solutions in this order. Each solve starts from the solution at the previous value. The first solve of a candidate
// starts from the first solution of the previous candidate; if their sets Θ are balls of different radii, θ is scaled
// to the new radius. A solution is valid until the next one is computed.
func solveGrid(ctx context.Context, p *mkl.Problem, b *grid, values []float64, m Search) iter.Seq2[*solution, error] {
	return func(yield func(*solution, error) bool) {
		// Each solve has one thread, because tasks run concurrently.
		settings := mkl.Settings{Gap: m.Gap, Iterations: m.Iterations, Threads: 1}
		var firstResult *mkl.Result // of the previous candidate at values[0]; the next candidate starts from it
		var previous Candidate
		var evaluator ruleEvaluator
		for i, o := range b.candidates {
			start := scaleStart(firstResult, previous.Set, o.Set)
			for j, v := range values {
				c := b.candidateWithValue(o, v)
				q := c.applyTo(p)
				settings.Start = start
				a := &solution{Candidate: c, candidateIndex: i, pathValueIndex: j}
				err := ctx.Err()
				switch {
				case err != nil:
				case c.Rule != nil:
					a.Result, err = evaluator.evaluate(ctx, q, c.Rule, settings.Threads)
				default:
					a.Result, err = solveMultiStart(ctx, q, m.Solver, settings, b.startThetas)
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
					start = &mkl.Result{Theta: a.Theta, W: a.W, BlockWeights: a.BlockWeights}
					if j == 0 {
						firstResult, previous = start, c
					}
				}
			}
		}
	}
}

// scaleStart returns a start for a solve on newSet, given r, the result of a solve on oldSet. If both sets are balls
// around μ₀, with radius ρ (oldSet) and Λ (newSet), the θ of the start is
//
//	μ₀ + (Λ/ρ)(θ − μ₀).
//
// If an entry is negative, K(θ) may not be positive semidefinite, so this θ is projected to newSet. For sets that are
// not such balls, the start is r.
func scaleStart(r *mkl.Result, oldSet, newSet set.Set) *mkl.Result {
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
	return &mkl.Result{Theta: t, W: r.W, BlockWeights: r.BlockWeights}
}

// ruleEvaluator fits problems with the weights θ that a rule computes, at successive hyperparameter values. If θ does
// not change from one value to the next, the kernel matrix is not computed again.
type ruleEvaluator struct{ lastPoint *mkl.Point }

// evaluate fits q with the weights θ of the rule.
func (r *ruleEvaluator) evaluate(ctx context.Context, q *mkl.Problem, rule mkl.Rule, threads int) (*mkl.Result, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	theta, err := rule.Weights(ctx, q)
	if err != nil {
		return nil, fmt.Errorf("fit: computing the weights θ by the rule %v: %w", rule, err)
	}
	pt := q.NewPoint()
	copy(pt.Theta, theta)
	pt.Threads = threads
	pt.SetContext(ctx)
	isSameTheta := false
	if r.lastPoint != nil {
		isSameTheta = slices.Equal(theta, r.lastPoint.Theta)
		pt.Gram, pt.Solution = r.lastPoint.Gram, r.lastPoint.Solution // reuse the last Gram and solution
	}
	r.lastPoint = pt
	if isSameTheta {
		err = pt.SolveDual(nil, innerTolerance)
	} else {
		err = pt.Evaluate(nil, innerTolerance)
	}
	if err != nil {
		r.lastPoint = nil
		return nil, err
	}
	result := &mkl.Result{Theta: theta, BlockWeights: pt.BlockWeights, PredictionTheta: theta, W: pt.W, Bias: pt.Bias,
		Biases: pt.Biases, Status: mkl.EvaluatedOnly}
	if b, ok := pt.Gram.(kernel.Blocked); ok && len(pt.BlockWeights) > 0 {
		result.PredictionTheta = make([]float64, len(theta))
		b.ScaleThetaByBlockWeights(result.PredictionTheta, theta)
	}
	if pt.Inexact() != nil {
		result.Status = mkl.InnerLimit
	}
	return result, nil
}

// innerTolerance is the relative gap at which the fit of dual coefficients ends, for weights θ that are a start of a
// solve or that a rule computes.
const innerTolerance = 1e-8

// predictor computes predictions from dual coefficients, for any θ. The kernel matrix (predicted points × points with
// dual coefficients) is computed in blocks of rows with at most 2²¹ entries, or of one row. If one block has all rows,
// its base matrices are stored, and the block is computed again only if θ changes.
type predictor struct {
	allGrams           kernel.Grams
	predictedIndices   []int        // indices of the points to predict
	dualIndices        []int        // indices of the points with dual coefficients
	baseMatrices       kernel.Cross // base kernel matrices of the block of rows computed last
	kernelBlock        []float64
	thetaOfKernelBlock []float64 // the θ at which kernelBlock was computed
}

// predict stores the predictions Σ_i w_i k_θ(z, x_i) + b + offset at the points z to predict in dst: all points for the
// first target column, then for the second, … w and b are the dual coefficients and the bias of a column in r; its
// offset is in targetOffsets.
func (p *predictor) predict(dst []float64, r *mkl.Result, targetOffsets []float64) {
	n := len(p.dualIndices)
	blockSize := min(max((1<<21)/n, 1), len(p.predictedIndices))
	if p.kernelBlock == nil {
		p.kernelBlock = make([]float64, blockSize*n)
	}
	biases := biasesOf(r)
	for blockStart := 0; blockStart < len(p.predictedIndices); blockStart += blockSize {
		blockRows := p.predictedIndices[blockStart:min(blockStart+blockSize, len(p.predictedIndices))]
		block := mat.NewDense(len(blockRows), n, p.kernelBlock[:len(blockRows)*n])
		isNewBlock := p.baseMatrices == nil || blockSize < len(p.predictedIndices)
		if isNewBlock {
			p.baseMatrices = p.allGrams.Block(blockRows, p.dualIndices)
		}
		if isNewBlock || !slices.Equal(p.thetaOfKernelBlock, r.PredictionTheta) {
			p.baseMatrices.StoreMatrix(block, r.PredictionTheta)
			p.thetaOfKernelBlock = append(p.thetaOfKernelBlock[:0], r.PredictionTheta...)
		}
		for j, offset := range targetOffsets {
			for i := range blockRows {
				f := floats.Dot(block.RawRowView(i), r.W[j*n:(j+1)*n]) + biases[j]
				dst[j*len(p.predictedIndices)+blockStart+i] = f + offset
			}
		}
	}
}

// solveMultiStart solves p from the start in settings. If no global minimum is certified, the result depends on the
// start, so solveMultiStart also evaluates the objective F at each θ in starts. If F is smaller at one of them than in
// the result, it solves p again from the θ with the smallest F. It returns the result with the smaller F.
func solveMultiStart(ctx context.Context, p *mkl.Problem, s mkl.Solver, settings mkl.Settings,
	starts [][]float64) (*mkl.Result, error) {
	firstResult, err := mkl.Solve(ctx, p, s, &settings)
	if err != nil || firstResult.Kind != mkl.FirstOrder || firstResult.Status == mkl.Stopped {
		return firstResult, err
	}
	smallestF := firstResult.F
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
		return firstResult, nil
	}
	settings.Start = &mkl.Result{Theta: bestStart}
	restartResult, err := mkl.Solve(ctx, p, s, &settings)
	if ctx.Err() == nil && (err != nil || !(restartResult.F < firstResult.F)) {
		return firstResult, nil
	}
	return restartResult, err
}
