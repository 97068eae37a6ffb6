// Package mkltest is the conformance suite of mkl.Solver: it tests that a solver of your own keeps its contract on
// every kind of problem that its Requirements accept. It checks the results, the certificates, the number of steps, and
// that two runs agree bit for bit. Call it from a test of the solver:
//
//	func TestMySolver(t *testing.T) {
//		mkltest.TestSolver(t, MySolver{}, mkltest.Options{Gap: 1e-4}) // the relative gap to reach on every case
//		mkltest.TestInvariance(t, MySolver{})                         // base kernels permuted, and duplicated
//	}
//
// The suite counts its checks and fails if there are none. Cases returns the problems, and RandomPoints data for more.
package mkltest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// Case is a named problem with known facts about its minimum.
type Case struct {
	Name string
	*mkl.Problem
	// HasGlobalCertificate reports that the problem has a global certificate, not only first-order ones.
	HasGlobalCertificate bool
}

// Options holds the accuracy and the numbers of steps that a solver must achieve. The zero value suits a fast solver.
type Options struct {
	Cases      []Case  // if nil, Cases()
	Gap        float64 // relative gap to reach on every case; if 0, 1e-7
	Iterations int     // largest number of steps to reach Gap; if 0, 3000
	// MaxWarmStartSteps limits the steps to the gap 100·Gap of a run that starts at the solution; 0 means 3. The value
	// −1 omits the check, for methods whose steps do not depend on the start.
	MaxWarmStartSteps int
	// Perturb stores a random vector near theta, a point of Θ, in dst. The test projects it onto Θ. If Perturb is nil,
	// the test adds a normal number of standard deviation 0.1 + |θ_k| to each coordinate.
	Perturb func(dst, theta []float64, r *rand.Rand)
}

// withDefaults returns o with defaults in place of zero values.
func (o Options) withDefaults() Options {
	if o.Cases == nil {
		o.Cases = Cases()
	}
	if o.Gap == 0 {
		o.Gap = 1e-7
	}
	if o.Iterations == 0 {
		o.Iterations = 3000
	}
	if o.MaxWarmStartSteps == 0 {
		o.MaxWarmStartSteps = 3
	}
	if o.Perturb == nil {
		o.Perturb = func(dst, theta []float64, r *rand.Rand) {
			for k, v := range theta {
				dst[k] = v + r.NormFloat64()*(0.1+math.Abs(v))
			}
		}
	}
	return o
}

// RandomPoints returns n random points of d features, and noisy targets, nonlinear in the first two features.
func RandomPoints(n, d int, seed uint64) (x points.Rows, y []float64) {
	r := rand.New(rand.NewPCG(seed, 2))
	x = points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	y = make([]float64, n)
	for i := range y {
		p := x.Row(i)
		y[i] = p[0] + p[0]*p[1] + 0.3*r.NormFloat64()
	}
	return x, y
}

// baseKernels returns base kernels of several types.
func baseKernels() kernel.List {
	return kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}, kernel.Laplacian{Gamma: 0.5},
		kernel.Polynomial{Degree: 2, Gamma: 0.5, Offset: 1}}
}

// Cases returns problems with the squared loss, sorted by name: sums of kernels and features of the degrees 1 to 4,
// balls of several norms and centers, the simplex, and the orthant with a ridge.
func Cases() []Case {
	x, y := RandomPoints(26, 4, 7)
	families := map[string]kernel.Family{}
	for d := 1; d <= 4; d++ {
		families[fmt.Sprintf("sum d=%d", d)] = kernel.Sum{Kernels: baseKernels(), Degree: d,
			Normalize: kernel.MeanDiagonal}
		families[fmt.Sprintf("features d=%d", d)] = kernel.Features{Degree: d, Constant: d > 1}
	}
	var cs []Case
	for name, f := range families {
		g := f.Bind(x)
		m, _ := g.Dims()
		ones, d := slices.Repeat([]float64{1}, m), g.Degree()
		addCases := func(setName string, s set.Set, r reg.Reg, global bool) {
			for _, lambda := range []float64{0.1, 5} {
				cs = append(cs, Case{fmt.Sprintf("%s, %s, λ=%g", name, setName, lambda),
					&mkl.Problem{Grams: g, Set: s, Reg: r, Loss: loss.Squared{Lambda: lambda}, Y: y}, global})
			}
		}
		for _, q := range []float64{1, 1.5, 2, 3, 4} {
			ball := set.Ball{Q: q, Radius: 2, Center: ones}
			addCases(fmt.Sprintf("%g-norm ball about 1", q), ball, nil, float64(d) <= q)
		}
		addCases("2-norm ball about 0", set.Ball{Q: 2, Radius: 1}, nil, d <= 2)
		addCases("simplex", set.Simplex{}, nil, d == 1)
		addCases("orthant, ridge", set.Orthant{At: 0.3}, reg.Ridge{Beta: 0.2}, d <= 2)
	}
	slices.SortFunc(cs, func(a, b Case) int { return strings.Compare(a.Name, b.Name) })
	return cs
}

// TestSolver tests s on every case that its Requirements accept. It fails if they accept none.
func TestSolver(t *testing.T, s mkl.Solver, o Options) {
	t.Helper()
	o = o.withDefaults()
	checkCount, suitedCaseCount := 0, 0
	for _, c := range o.Cases {
		if _, err := s.Requirements(c.Problem); err != nil {
			continue
		}
		suitedCaseCount++
		t.Run(c.Name, func(t *testing.T) { checkCount += testCase(t, s, c, o) })
	}
	if suitedCaseCount == 0 || checkCount == 0 {
		t.Fatalf("mkltest: the solver %v suits none of the test problems", s)
	}
	t.Logf("%v: %d checks on %d problems", s, checkCount, suitedCaseCount)
}

// innerTol is the relative gap to which the inner problem at the θ found is solved again for comparison.
const innerTol = 1e-12

// testCase tests s on one case and returns the number of checks.
func testCase(t *testing.T, s mkl.Solver, c Case, o Options) (checkCount int) {
	ctx := context.Background()
	check := func(ok bool, format string, args ...any) {
		t.Helper()
		checkCount++
		if !ok {
			t.Errorf(format, args...)
		}
	}
	checkNear := func(name string, got, want, tol float64) {
		t.Helper()
		check(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want)), "%s = %.12g, want %.12g", name, got, want)
	}
	settings := &mkl.Settings{Gap: o.Gap, Iterations: o.Iterations}
	solve := func(p *mkl.Problem, settings *mkl.Settings) *mkl.Result {
		t.Helper()
		r, err := mkl.Solve(ctx, p, s, settings)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := solve(c.Problem, settings)

	// the status and the bounds
	if c.HasGlobalCertificate {
		check(r.Status == mkl.Certified && r.Kind == mkl.Global, "%v, want certified and a global certificate", r)
		check(r.RelativeGap() <= o.Gap && r.Gap() >= 0, "relative gap %g, want at most %g", r.RelativeGap(), o.Gap)
	} else {
		check(r.Status == mkl.Stationary && r.Kind == mkl.FirstOrder, "%v, want status stationary and kind first-order",
			r)
		check(math.IsInf(r.Lower, -1), "got the lower bound %g without a global certificate", r.Lower)
	}

	// θ ∈ Θ
	p := make([]float64, len(r.Theta))
	c.Set.Project(p, r.Theta)
	check(c.Set.Contains(r.Theta) && !r.Infeasible, "θ = %v is %g outside Θ", r.Theta, floats.Distance(p, r.Theta, 2))

	// F at Result.Theta, and the certificate, recomputed from the Result alone
	pt := c.NewPoint()
	copy(pt.Theta, r.Theta)
	pt.Gram.SetTheta(pt.Theta)
	pt.W, pt.BlockWeights = slices.Clone(r.W), slices.Clone(r.BlockWeights)
	c.Loss.Evaluate(&pt.Solution, pt.Gram, c.Y, nil)
	if c.Reg != nil {
		pt.R = c.Reg.Value(nil, r.Theta)
	}
	if upper := r.Certificate.Upper; len(r.BlockWeights) == 0 {
		checkNear("recomputed upper bound", pt.Upper(), upper, 1e-9)
	} else { // Evaluate may find better block weights, which lower the upper bound: test only inequalities
		check(pt.Upper() <= upper+1e-9*math.Max(1, math.Abs(upper)) && pt.Upper() >= r.Lower,
			"recomputed upper bound = %.12g, want at most %.12g and at least %.12g", pt.Upper(), upper, r.Lower)
	}
	check(r.F <= r.Upper && r.F >= r.Lower-r.Rounding, "F = %.15g is not within its bounds [%.15g, %.15g]", r.F,
		r.Lower, r.Upper)
	solvedPoint := c.NewPoint()
	copy(solvedPoint.Theta, r.Theta)
	if err := solvedPoint.Evaluate(nil, innerTol); err != nil {
		t.Fatal(err)
	}
	checkNear("objective F solved again at the θ of the result", solvedPoint.F(), r.F, math.Max(1e-9, o.Gap))
	if c.HasGlobalCertificate {
		// this bound may be below r.Lower, the largest lower bound of the run, but not above the minimum
		cert, err := c.Certify(solvedPoint, true)
		check(err == nil && cert.Lower <= r.Certificate.Upper*(1+1e-9),
			"Certify: lower bound %g, want at most %g, the run's upper bound; error %v", cert.Lower, r.Upper, err)
	} else { // use the w of the Result, because Certificate.Residual depends on w
		cert, _ := c.Certify(pt, true)
		checkNear("residual recomputed", cert.Residual, r.Residual, 1e-9)
	}

	// F at random θ ∈ Θ is not below the lower bound
	rng := rand.New(rand.NewPCG(1, 9))
	nearbyPoint := c.NewPoint()
	for range 10 {
		o.Perturb(nearbyPoint.Theta, r.Theta, rng)
		c.Set.Project(nearbyPoint.Theta, nearbyPoint.Theta)
		if err := nearbyPoint.Evaluate(nil, innerTol); err != nil {
			t.Fatal(err)
		}
		check(nearbyPoint.Upper() >= r.Lower-1e-9*math.Abs(r.F),
			"F = %.12g at a random θ is below the lower bound %.12g", nearbyPoint.Upper(), r.Lower)
		if !c.HasGlobalCertificate && floats.Distance(nearbyPoint.Theta, r.Theta, 2) < 1e-3 {
			check(nearbyPoint.Upper() >= r.F-1e-6*math.Abs(r.F), "a neighbor is better: %.12g < %.12g",
				nearbyPoint.Upper(), r.F)
		}
	}

	// a second run gives the same result, bit for bit
	secondResult := solve(c.Problem, settings)
	check(slices.Equal(secondResult.Theta, r.Theta) && slices.Equal(secondResult.W, r.W) && secondResult.F == r.F &&
		len(secondResult.Trace) == len(r.Trace),
		"a second run differs: θ = %v and %v", secondResult.Theta, r.Theta)

	// the trace
	lastLowerBound := math.Inf(-1)
	for i, row := range r.Trace {
		check(row.Iter == i && row.Evals >= i && row.Lower >= lastLowerBound && row.Upper >= row.F-1e-9*math.Abs(row.F),
			"trace row %d: want Iter = row, Evals ≥ Iter, Lower ≥ %g and Upper ≥ F: %+v", i, lastLowerBound, row)
		lastLowerBound = row.Lower
	}
	check(len(r.ThetaLabels) == len(r.Theta) || r.ThetaLabels == nil && r.ThetaRows*r.ThetaCols == len(r.Theta),
		"%d labels and a %d×%d matrix θ; want %d labels or matrix entries",
		len(r.ThetaLabels), r.ThetaRows, r.ThetaCols, len(r.Theta))

	// a run that starts at the result takes at most MaxWarmStartSteps steps
	if o.MaxWarmStartSteps >= 0 {
		warmResult := solve(c.Problem, &mkl.Settings{Gap: 100 * o.Gap, Iterations: o.Iterations, Start: r})
		check(len(warmResult.Trace) <= o.MaxWarmStartSteps+1, "a run from the solution took %d steps, want at most %d",
			len(warmResult.Trace)-1, o.MaxWarmStartSteps)
	}

	// a start outside Θ: the result is in Θ, or it is marked Infeasible and unfinished and has no gap
	outsideTheta := make([]float64, len(r.Theta))
	for k := range outsideTheta {
		outsideTheta[k] = 10 * (1 + math.Abs(r.Theta[k]))
	}
	outsideResult := solve(c.Problem, &mkl.Settings{Gap: o.Gap, Iterations: o.Iterations, Theta: outsideTheta})
	check(outsideResult.Infeasible != c.Set.Contains(outsideResult.Theta),
		"run that starts outside Θ: Infeasible and Set.Contains(θ) are both %v", outsideResult.Infeasible)
	check(!outsideResult.Infeasible || outsideResult.Status.IsUnfinished() && math.IsInf(outsideResult.Gap(), 1),
		"run that starts outside Θ: %v, want an unfinished status and an infinite gap", outsideResult)
	if c.HasGlobalCertificate && !outsideResult.Infeasible {
		check(outsideResult.Upper >= r.Lower && outsideResult.Lower <= r.Upper,
			"run that starts outside Θ: bounds [%.12g, %.12g] contradict [%.12g, %.12g] of the first run",
			outsideResult.Lower, outsideResult.Upper, r.Lower, r.Upper)
	}

	// a context that has ended: the result has the status Stopped and the θ so far
	endedContext, cancel := context.WithCancel(ctx)
	cancel()
	stoppedResult, err := mkl.Solve(endedContext, c.Problem, s, settings)
	if err != nil {
		t.Fatal(err)
	}
	check(stoppedResult.Theta != nil && (stoppedResult.Status == mkl.Stopped || len(r.Trace) == 1),
		"run with an ended context: %v, want status stopped", stoppedResult)

	// a limit of one step
	if len(r.Trace) > 2 {
		limitedResult := solve(c.Problem, &mkl.Settings{Gap: 1e-12, Iterations: 1})
		check(limitedResult.Status == mkl.IterationLimit && len(limitedResult.Trace) == 2 &&
			limitedResult.Status.Err() != nil, "run with 1 step: %v, want status iteration limit", limitedResult)
	}

	// −y in place of y does not change F
	negatedProblem := *c.Problem
	negatedProblem.Y = make([]float64, len(c.Y))
	floats.AddScaled(negatedProblem.Y, -1, c.Y)
	checkNear("F for −y", solve(&negatedProblem, settings).F, r.F, math.Max(1e-6, 2*o.Gap))
	return checkCount
}

// TestInvariance checks the results of s after base kernels are permuted or duplicated, for a family linear in θ. It
// skips the test if the Requirements of s reject the problem.
func TestInvariance(t *testing.T, s mkl.Solver) {
	t.Helper()
	x, y := RandomPoints(24, 3, 5)
	ctx, settings := context.Background(), &mkl.Settings{Gap: 1e-9, Iterations: 5000}
	runCount := 0
	solve := func(kernels kernel.List, ball set.Set) *mkl.Result {
		t.Helper()
		p := &mkl.Problem{Grams: kernel.Sum{Kernels: kernels, Normalize: kernel.MeanDiagonal}.Bind(x), Set: ball,
			Loss: loss.Squared{Lambda: 0.5}, Y: y}
		if _, err := s.Requirements(p); err != nil {
			t.Skipf("mkltest: %v", err)
		}
		r, err := mkl.Solve(ctx, p, s, settings)
		if err != nil {
			t.Fatal(err)
		}
		runCount++
		return r
	}
	l := baseKernels()
	ball := set.Ball{Q: 2, Radius: 1}
	r := solve(l, ball)
	permutation := []int{3, 0, 4, 2, 1}
	permutedKernels := make(kernel.List, len(l))
	for i, k := range permutation {
		permutedKernels[i] = l[k]
	}
	permutedResult := solve(permutedKernels, ball)
	for i, k := range permutation {
		if math.Abs(permutedResult.Theta[i]-r.Theta[k]) > 1e-4 {
			t.Errorf("permuted base kernels: θ = %v, want %v permuted by %v", permutedResult.Theta, r.Theta,
				permutation)
		}
	}
	// the same kernel twice with the 2-norm radius 1/√2 has the same F as once with radius 1; a single kernel has θ = 1
	singleKernel := kernel.List{l[1]}
	singleResult, doubleResult := solve(singleKernel, ball), solve(kernel.List{l[1], l[1]}, set.Ball{Q: 2,
		Radius: 1 / math.Sqrt2})
	if math.Abs(singleResult.F-doubleResult.F) > 1e-8*singleResult.F {
		t.Errorf("the same kernel twice, with radius 1/√2: F = %.12g, want %.12g, F of one kernel with radius 1",
			doubleResult.F, singleResult.F)
	}
	if math.Abs(singleResult.Theta[0]-1) > 1e-9 {
		t.Errorf("one kernel: θ = %v, want 1", singleResult.Theta)
	}
	if runCount == 0 {
		t.Fatal("mkltest: no check ran; the suite needs at least one")
	}
}
