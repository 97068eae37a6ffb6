// Package losstest checks that a loss fulfills the contract of loss.Loss: the bounds in a Solution, its Factor, and the
// results that Traits allows. It logs the number of its checks. A test of a loss is one line:
//
//	losstest.TestLoss(t, l, losstest.Options{Inputs: losstest.RandomInputs(1, false),
//		MakeFeasible: func(w, y []float64) {}})
package losstest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// DenseGram returns ΦΦᵀ as a dense matrix.
func DenseGram(phi *mat.Dense) loss.Gram { return kernel.DenseMatrix(outerProduct(phi)) }

// LowRankGram returns ΦΦᵀ as a matrix that provides its factor Φ (kernel.Form.LowRankFactor).
func LowRankGram(phi *mat.Dense) loss.Gram {
	k := outerProduct(phi)
	return kernel.NewMatrix(k.SymmetricDim(), kernel.Form{Dense: func() *mat.SymDense { return k },
		LowRankFactor: func() *mat.Dense { return phi }})
}

func outerProduct(phi *mat.Dense) *mat.SymDense {
	var k mat.SymDense
	k.SymOuterK(1, phi)
	return &k
}

// Input is a training problem: K = ΦΦᵀ with Φ of n×r, and n targets.
type Input struct {
	Phi *mat.Dense
	Y   []float64
}

// ClipToBounds returns an Options.MakeFeasible for a loss with Σw = 0 and bounds of w_i that depend on y_i. It clips
// w_i to the bounds lo ≤ 0 ≤ hi, and then scales the positive or the negative w_i so that Σw = 0.
func ClipToBounds(bounds func(y float64) (lo, hi float64)) (makeFeasible func(w, y []float64)) {
	return func(w, y []float64) {
		positiveSum, negativeSum := 0.0, 0.0
		for i, v := range w {
			lo, hi := bounds(y[i])
			w[i] = min(max(v, lo), hi)
			positiveSum, negativeSum = positiveSum+max(w[i], 0), negativeSum-min(w[i], 0)
		}
		for i, v := range w {
			if smallerSum := min(positiveSum, negativeSum); v > 0 {
				w[i] *= smallerSum / positiveSum
			} else if v < 0 {
				w[i] *= smallerSum / negativeSum
			}
		}
	}
}

// RandomInputs returns random problems whose K has full rank, is rank-deficient, has equal rows, is 0 or is badly
// scaled, and one whose targets are about 1e-4. If asLabels is true, the targets are 1 and −1, with both classes
// present if n > 1. The first problem has n = 1: a loss that needs both classes takes RandomInputs(seed, true)[1:].
func RandomInputs(seed uint64, asLabels bool) (in []Input) {
	r := rand.New(rand.NewPCG(seed, 1))
	for _, c := range []struct {
		n, r                      int
		featureScale, targetScale float64
		hasEqualRows              bool
	}{{1, 1, 1, 1, false}, {7, 9, 1, 1, false}, {12, 3, 1, 1, false}, {10, 4, 1, 1, true}, {9, 2, 0, 1, false},
		{11, 5, 5, 1, false}, {11, 5, 1e-3, 1, false}, {8, 3, 1, 1e-4, false}} {
		phi, y := mat.NewDense(c.n, c.r, nil), make([]float64, c.n)
		for i := range y {
			for j := range c.r {
				phi.Set(i, j, c.featureScale*r.NormFloat64())
			}
			if y[i] = c.targetScale * r.NormFloat64(); asLabels {
				y[i] = float64(1 - 2*(i%2))
			}
		}
		if c.hasEqualRows {
			phi.SetRow(1, phi.RawRowView(0))
			phi.SetRow(2, phi.RawRowView(0))
		}
		in = append(in, Input{phi, y})
	}
	return in
}

// Options holds the problems of TestLoss and the functions that it needs.
type Options struct {
	// Inputs are the problems, at least one, for example those of RandomInputs.
	Inputs []Input
	// MakeFeasible replaces w by a feasible vector, and leaves a feasible w unchanged. The field must not be nil. If
	// every w is feasible, use a function that does nothing.
	MakeFeasible func(w, y []float64)
	// Grams holds functions that return ΦΦᵀ as a Gram. Every check runs with each of them. nil means DenseGram and
	// LowRankGram. BlockNorm needs functions that return a kernel.Blocked.
	Grams []func(phi *mat.Dense) loss.Gram
}

// TestLoss checks that l fulfills the contract of loss.Loss.
func TestLoss(t testing.TB, l loss.Loss, o Options) {
	t.Helper()
	if len(o.Inputs) == 0 {
		t.Fatal("losstest: Options.Inputs is empty; use losstest.RandomInputs")
	}
	if o.Grams == nil {
		o.Grams = []func(*mat.Dense) loss.Gram{DenseGram, LowRankGram}
	}
	c := &checker{TB: t, loss: l, makeFeasible: o.MakeFeasible, rng: rand.New(rand.NewPCG(3, 4))}
	for i, in := range o.Inputs {
		c.inputIndex, c.phi, c.y = i, in.Phi, in.Y
		if err := l.Validate(in.Y); err != nil {
			t.Fatalf("%v, input %d: %v", l, i, err)
		}
		for _, bind := range o.Grams {
			c.g = bind(in.Phi)
			c.checkSolve()
			c.checkTraits()
			for range 20 {
				c.checkEvaluate()
			}
			c.checkLossSlice(bind)
			c.checkFactor()
		}
		c.checkCanceled(o.Grams[0](in.Phi))
		c.checkCentering()
	}
	c.check("a Solve in several steps reads its context (ctx.Err or ctx.Done)", c.readsContext ||
		l.Traits().LinearInTargets)
	for _, bad := range [][]float64{nil, {math.NaN(), 1}, {1, math.Inf(1)}} {
		c.check(fmt.Sprintf("Validate rejects the targets %v", bad), l.Validate(bad) != nil)
	}
	if a, ok := l.(loss.Tunable); ok {
		name, value := a.Parameter()
		doubledName, doubledValue, _ := loss.ParameterOf(a.WithParameter(2 * value))
		_, oldValue := a.Parameter()
		c.check("WithParameter returns a copy with the new value and leaves the loss unchanged", doubledName == name &&
			doubledValue == 2*value && oldValue == value)
	}
	t.Logf("%v: %d checks", l, c.checkCount)
}

// tol is the relative gap of the solves.
const tol = 1e-8

type checker struct {
	testing.TB
	loss         loss.Loss
	makeFeasible func(w, y []float64)
	rng          *rand.Rand
	checkCount   int

	// the problem under test: its index in the inputs, its features Φ, Gram and targets
	inputIndex int
	phi        *mat.Dense
	g          loss.Gram
	y          []float64
	s          loss.Solution
	solutionW  []float64 // dual coefficients w of the first solve
	bestDual   float64   // dual value of solutionW: no feasible w has a larger one

	readsContext bool // a Solve asked whether its context has ended
}

// check counts one check and reports an error if ok is false.
func (c *checker) check(description string, ok bool) {
	c.Helper()
	c.checkCount++
	if !ok {
		c.Errorf("%v, input %d: the check failed: %s", c.loss, c.inputIndex, description)
	}
}

// checkNear checks that |got − want| ≤ tol·max(1, |want|).
func (c *checker) checkNear(description string, got, want, tol float64) {
	c.Helper()
	c.check(fmt.Sprintf("%s: got %.12g, want %.12g", description, got, want),
		math.Abs(got-want) <= tol*math.Max(1, math.Abs(want)))
}

func (c *checker) solve(s *loss.Solution, tol float64) {
	c.Helper()
	if err := c.loss.Solve(c.Context(), s, c.g, c.y, tol); err != nil {
		c.Fatalf("%v, input %d: Solve: %v", c.loss, c.inputIndex, err)
	}
}

func (c *checker) evaluateAt(w, kw []float64) loss.Solution {
	s := loss.Solution{W: w}
	c.loss.Evaluate(&s, c.g, c.y, kw)
	return s
}

// isFeasible reports whether w is feasible, up to 1e-8 of its size.
func (c *checker) isFeasible(w []float64) bool {
	feasibleW := slices.Clone(w)
	c.makeFeasible(feasibleW, c.y)
	return floats.Distance(feasibleW, w, math.Inf(1)) <= 1e-8*math.Max(1, floats.Norm(feasibleW, math.Inf(1)))
}

// checkSolve checks Solve, and stores its solution, the dual coefficients and the dual value in s, solutionW, bestDual.
func (c *checker) checkSolve() {
	n := len(c.y)
	c.s = loss.Solution{}
	c.solve(&c.s, tol)
	s := &c.s
	c.bestDual, c.solutionW = s.Dual(), slices.Clone(s.W)
	r := s.Rounding
	roundingError := math.Max(1e-12*math.Max(1, math.Abs(c.bestDual)), r.Primal+r.LinearTerm+r.QuadraticTerm/2+r.WKW/2)
	c.check("primal value ≥ dual value, up to the rounding errors that the loss states",
		s.Primal >= c.bestDual-roundingError)
	kw := make([]float64, n)
	c.g.K().MulVec(kw, c.solutionW) // after Solve, because Solve of a BlockNorm sets the weights of K
	c.checkNear("WKW", s.WKW, floats.Dot(c.solutionW, kw), 1e-8)
	slack := 1e-12 * c.evaluateAt(make([]float64, n), nil).Primal // bound on the rounding error of the optimal value
	c.check("the requested gap is reached", s.Gap() <= tol || s.Primal-c.bestDual <= slack)
	c.check("w is feasible", c.isFeasible(c.solutionW))
	// solve again: from the solution, from a start far away that is infeasible, and from 0, with the storage of s
	for _, start := range [][]float64{nil, c.randomStep(c.solutionW, 100), make([]float64, n)} {
		copy(s.W, start)
		c.solve(s, tol)
		c.checkNear("dual value of a second solve", s.Dual(), c.bestDual, 10*tol)
	}
}

// randomStep returns w plus normal numbers of standard deviation size·(1 + |w_i|).
func (c *checker) randomStep(w []float64, size float64) []float64 {
	moved := make([]float64, len(w))
	for i, v := range w {
		moved[i] = v + size*c.rng.NormFloat64()*(1+math.Abs(v))
	}
	return moved
}

// checkEvaluate checks Evaluate at a random feasible w and at an infeasible one.
func (c *checker) checkEvaluate() {
	w := c.randomStep(c.solutionW, 1)
	c.makeFeasible(w, c.y)
	f := c.evaluateAt(w, nil)
	slack := 1e-7 * math.Max(1, c.bestDual)
	c.check("dual value of a random α ≤ optimum ≤ primal value of this α", f.Dual() <= c.bestDual+slack &&
		f.Primal >= c.bestDual-slack)
	if _, hasBlocks := c.g.(interface{ SetBlockWeights(c []float64) }); !hasBlocks {
		kw := make([]float64, len(w))
		c.g.K().MulVec(kw, w)
		withKw := c.evaluateAt(slices.Clone(w), kw)
		c.checkNear("primal value of Evaluate with Kw", withKw.Primal, f.Primal, 1e-8)
		c.checkNear("dual value of Evaluate with Kw", withKw.Dual(), f.Dual(), 1e-8)
	}
	infeasibleSolution := c.evaluateAt(c.randomStep(w, 100), nil)
	c.check("dual value of an infeasible w ≤ optimum",
		infeasibleSolution.Dual() <= c.bestDual+slack+infeasibleSolution.Rounding.LinearTerm)
	// the terms of the dual objective D satisfy D(sα) ≥ s·LinearTerm − ½s²·QuadraticTerm. If QuadraticTerm ≠ 0, D(sα)
	// must be quadratic in s, so that both sides are equal.
	scaledW := slices.Clone(w)
	floats.Scale(0.3, scaledW)
	h := c.evaluateAt(scaledW, nil)
	if f.QuadraticTerm != 0 {
		c.checkNear("Solution.LinearTerm at 0.3 times the dual solution", h.LinearTerm, 0.3*f.LinearTerm, 1e-9)
		c.checkNear("Solution.QuadraticTerm at 0.3 times the dual solution", h.QuadraticTerm, 0.09*f.QuadraticTerm,
			1e-9)
	}
	c.check("D(0.3α) ≥ 0.3·LinearTerm − 0.045·QuadraticTerm, with LinearTerm and QuadraticTerm at α",
		h.LinearTerm-h.QuadraticTerm/2 >=
			0.3*f.LinearTerm-0.045*f.QuadraticTerm-1e-9*(math.Abs(f.LinearTerm)+f.QuadraticTerm))
	// halfway between two points, a strictly concave D is above the mean of its two values, unless rounding hides it
	if c.loss.Traits().StrictlyConcave && floats.Distance(c.solutionW, w, 2) > 1e-6*floats.Norm(w, 2) {
		floats.AddTo(scaledW, w, c.solutionW)
		floats.Scale(0.5, scaledW)
		solutionAtOptimum, solutionHalfway := c.evaluateAt(slices.Clone(c.solutionW), nil), c.evaluateAt(scaledW, nil)
		a, b, m := solutionAtOptimum.LinearTerm-solutionAtOptimum.QuadraticTerm/2, f.LinearTerm-f.QuadraticTerm/2,
			solutionHalfway.LinearTerm-solutionHalfway.QuadraticTerm/2
		c.check("the dual objective is strictly concave, as Traits states",
			m > (a+b)/2+1e-14*(math.Abs(a)+math.Abs(b)))
	}
}

// checkLossSlice checks Slice on the same points in another order, and that slicing twice equals one Slice.
func (c *checker) checkLossSlice(newGram func(*mat.Dense) loss.Gram) {
	p := c.rng.Perm(len(c.y))
	phi, y := mat.DenseCopyOf(c.phi), make([]float64, len(c.y))
	for to, from := range p {
		phi.SetRow(to, c.phi.RawRowView(from))
		y[to] = c.y[from]
	}
	var s loss.Solution
	if err := c.loss.Slice(p).Solve(c.Context(), &s, newGram(phi), y, tol); err != nil {
		c.Fatal(err)
	}
	c.checkNear("dual value after Slice permuted the points", s.Dual(), c.bestDual, 10*tol)
	c.check("Slice of a Slice equals the Slice of the same points", reflect.DeepEqual(c.loss.Slice(p).Slice([]int{0}),
		c.loss.Slice(p[:1])))
}

// checkTraits checks what the Traits state about a solution, which c.s holds.
func (c *checker) checkTraits() {
	t := c.loss.Traits()
	c.check("Traits.Smooth implies StrictlyConcave", !t.Smooth || t.StrictlyConcave)
	c.check("Traits.LinearInTargets implies Smooth", !t.LinearInTargets || t.Smooth)
	c.check("Traits.Smooth requires that Solve sets Solution.Factor", !t.Smooth || c.s.Factor != nil)
	if t.LinearInTargets && t.Columns <= 1 {
		residual, weights := make([]float64, len(c.y)), loss.PointWeights(c.loss)
		c.g.K().MulVec(residual, c.s.W)
		for i, w := range c.s.W {
			if weights != nil {
				w /= weights[i]
			}
			residual[i] += t.Ridge * w
		}
		c.check("Traits.LinearInTargets, Ridge and the weights of points state (K + Ridge·V⁻¹)w = y",
			floats.Distance(residual, c.y, 2) <= 1e-6*floats.Norm(c.y, 2))
	}
}

// checkFactor compares the Factor R of a Smooth loss with differences: if K changes by εuuᵀ, w changes by −εR(uuᵀw).
func (c *checker) checkFactor() {
	if !c.loss.Traits().Smooth {
		return
	}
	if c.solve(&c.s, 1e-12); c.s.Factor == nil {
		return // checkTraits has reported it
	}
	const h = 1e-5
	u, expected := c.randomStep(make([]float64, len(c.y)), 1), make([]float64, len(c.y))
	floats.AddScaled(expected, floats.Dot(u, c.s.W), u)
	c.s.Factor.MulVec(expected, expected)
	var w [2]loss.Solution
	for i, step := range []float64{h, -h} {
		var d mat.SymDense
		d.SymRankOne(c.g.K().Dense(), step, mat.NewVecDense(len(u), u))
		if c.loss.Solve(c.Context(), &w[i], kernel.DenseMatrix(&d), c.y, 1e-12) != nil {
			return // K − h·uuᵀ is not positive definite: the check does not apply
		}
	}
	for i, v := range expected {
		c.checkNear("derivative of w in K, by Factor and by finite differences", (w[1].W[i]-w[0].W[i])/(2*h), v,
			1e-4*math.Max(1, floats.Norm(expected, math.Inf(1))))
	}
}

// checkCentering compares Traits.NeedsCentering with Evaluate at K = I, where predictions are f = w. If the same
// constant is added to targets and predictions, the sum of the risks must not change; if it is added to the targets
// alone, the sum changes unless the loss has a bias.
func (c *checker) checkCentering() {
	n, w := len(c.y), c.randomStep(make([]float64, len(c.y)), 1)
	shiftedW, shiftedY := slices.Clone(w), slices.Clone(c.y)
	floats.AddConst(3, shiftedW)
	floats.AddConst(3, shiftedY)
	_, hasBlocks := c.g.(interface{ SetBlockWeights(c []float64) })
	if hasBlocks || c.loss.Traits().Columns > 1 || c.loss.Validate(shiftedY) != nil {
		return
	}
	identity := DenseGram(mat.DenseCopyOf(mat.NewDiagDense(n, slices.Repeat([]float64{1}, n))))
	risk := func(w, y []float64) float64 {
		s := loss.Solution{W: slices.Clone(w)}
		c.loss.Evaluate(&s, identity, y, nil)
		return s.Primal - floats.Dot(w, w)/2
	}
	isEqual := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }
	before, needsCentering := risk(w, c.y), c.loss.Traits().NeedsCentering
	dependsOnDifference, hasBias := isEqual(before, risk(shiftedW, shiftedY)), isEqual(before, risk(w, shiftedY))
	c.check(fmt.Sprintf("Traits.NeedsCentering is %v, but the risk depends on y − f only: %v, and the loss has a "+
		"bias: %v", needsCentering, dependsOnDifference, hasBias), needsCentering == (dependsOnDifference && !hasBias))
}

// checkCanceled checks that a canceled Solve from an infeasible start returns a feasible w, and an error unless it
// solved the problem.
func (c *checker) checkCanceled(g loss.Gram) {
	canceledContext, cancel := context.WithCancel(c.Context())
	cancel()
	s := loss.Solution{W: c.randomStep(make([]float64, len(c.y)), 100)}
	err := c.loss.Solve(watchedContext{canceledContext, &c.readsContext}, &s, g, c.y, 1e-12)
	var inexact *loss.Inexact
	c.check("a canceled Solve returns an *Inexact with the cause", err == nil ||
		errors.As(err, &inexact) && errors.Is(err, context.Canceled))
	c.check("a canceled Solve that returns nil has reached the requested gap", err != nil || s.Gap() <= tol ||
		s.Primal-s.Dual() <= 1e-12*c.evaluateAt(make([]float64, len(c.y)), nil).Primal)
	c.check("a canceled Solve returns a feasible w", len(s.W) == len(c.y) && c.isFeasible(s.W))
}

// watchedContext is a context that sets isRead when it is asked whether it has ended.
type watchedContext struct {
	context.Context
	isRead *bool
}

func (c watchedContext) Err() error {
	*c.isRead = true
	return c.Context.Err()
}

func (c watchedContext) Done() <-chan struct{} {
	*c.isRead = true
	return c.Context.Done()
}
