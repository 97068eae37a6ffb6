// Package mkltest tests that a solver keeps its contract on every kind of problem that its Requirements accept. It
// counts its checks and fails if there are none.
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
	// Global reports that a global certificate exists for the problem; otherwise certificates are first-order.
	Global bool
}

// Options holds the accuracy and the numbers of steps that a solver must achieve. The zero value suits a fast solver.
type Options struct {
	Cases      []Case  // if nil, Cases()
	Gap        float64 // relative gap to reach on every case; if 0, 1e-7
	Iterations int     // largest number of steps to reach it; if 0, 3000
	// Warm is the largest number of steps to the gap 100·Gap in a run that starts at the solution; if 0, 3. −1 omits
	// the check, for methods whose steps do not depend on the start.
	Warm int
	// Draw stores a random vector near theta, a point of Θ, in dst. The test projects it onto Θ. If nil, Draw adds a
	// normal number of standard deviation 0.1 + |θ_k| to each coordinate.
	Draw func(dst, theta []float64, r *rand.Rand)
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
	if o.Warm == 0 {
		o.Warm = 3
	}
	if o.Draw == nil {
		o.Draw = func(dst, theta []float64, r *rand.Rand) {
			for k, v := range theta {
				dst[k] = v + r.NormFloat64()*(0.1+math.Abs(v))
			}
		}
	}
	return o
}

// Points returns n random points of d features, and targets that are a nonlinear function of the first two features
// plus noise.
func Points(n, d int, seed uint64) (points.Rows, []float64) {
	r := rand.New(rand.NewPCG(seed, 2))
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = r.NormFloat64()
	}
	y := make([]float64, n)
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
	x, y := Points(26, 4, 7)
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
	checks, suited := 0, 0
	for _, c := range o.Cases {
		if _, err := s.Requirements(c.Problem); err != nil {
			continue
		}
		suited++
		t.Run(c.Name, func(t *testing.T) { checks += testCase(t, s, c, o) })
	}
	if suited == 0 || checks == 0 {
		t.Fatalf("mkltest: %v suits none of the cases", s)
	}
	t.Logf("%v: %d checks on %d problems", s, checks, suited)
}

// innerTol is the relative gap to which inner problems are solved again for comparison.
const innerTol = 1e-12

// testCase tests s on one case and returns the number of checks.
func testCase(t *testing.T, s mkl.Solver, c Case, o Options) (checks int) {
	ctx := context.Background()
	check := func(ok bool, format string, args ...any) {
		t.Helper()
		checks++
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
	if c.Global {
		check(r.Status == mkl.Certified && r.Kind == mkl.Global, "%v, want certified", r)
		check(r.RelativeGap() <= o.Gap && r.Gap() >= 0, "relative gap %g", r.RelativeGap())
	} else {
		check(r.Status == mkl.Stationary && r.Kind == mkl.FirstOrder, "%v, want stationary, first order", r)
		check(math.IsInf(r.Lower, -1), "a lower bound %g without a global certificate", r.Lower)
	}

	// θ ∈ Θ
	p := make([]float64, len(r.Theta))
	c.Set.Project(p, r.Theta)
	check(c.Set.Contains(r.Theta) && !r.Infeasible, "θ = %v is %g outside Θ", r.Theta, floats.Distance(p, r.Theta, 2))

	// F at Result.Theta, and the certificate, recomputed from the Result alone
	pt := c.NewPoint()
	copy(pt.Theta, r.Theta)
	pt.Gram.SetTheta(pt.Theta)
	pt.W, pt.Block = slices.Clone(r.W), slices.Clone(r.Block)
	c.Loss.Evaluate(&pt.Solution, pt.Gram, c.Y, nil)
	if c.Reg != nil {
		pt.R = c.Reg.Value(nil, r.Theta)
	}
	if upper := r.Certificate.Upper; len(r.Block) == 0 {
		checkNear("upper bound recomputed", pt.Upper(), upper, 1e-9)
	} else { // Evaluate may find better block weights than the inner solver, and with them a smaller upper bound
		check(pt.Upper() <= upper+1e-9*math.Max(1, math.Abs(upper)) && pt.Upper() >= r.Lower,
			"upper bound recomputed = %.12g, want at most %.12g and at least %.12g", pt.Upper(), upper, r.Lower)
	}
	check(r.F <= r.Upper && r.F >= r.Lower-r.Rounding, "F = %.15g is not within its bounds [%.15g, %.15g]", r.F,
		r.Lower, r.Upper)
	exact := c.NewPoint()
	copy(exact.Theta, r.Theta)
	if err := exact.Evaluate(nil, innerTol); err != nil {
		t.Fatal(err)
	}
	checkNear("F recomputed from θ", exact.F(), r.F, math.Max(1e-9, o.Gap))
	if c.Global {
		// a lower bound from θ alone may be smaller than r.Lower, the largest of the run, but never larger than the
		// minimum
		cert, err := c.Certify(exact, true)
		check(err == nil && cert.Lower <= r.Certificate.Upper*(1+1e-9), "a lower bound %g above F = %g, %v", cert.Lower,
			r.F, err)
	} else { // at the w of the Result, because a new inner solve gives another w and another residual
		cert, _ := c.Certify(pt, true)
		checkNear("residual recomputed", cert.Residual, r.Residual, 1e-9)
	}

	// F at random θ ∈ Θ is not below the lower bound
	rng := rand.New(rand.NewPCG(1, 9))
	trial := c.NewPoint()
	for range 10 {
		o.Draw(trial.Theta, r.Theta, rng)
		c.Set.Project(trial.Theta, trial.Theta)
		if err := trial.Evaluate(nil, innerTol); err != nil {
			t.Fatal(err)
		}
		check(trial.Upper() >= r.Lower-1e-9*math.Abs(r.F), "F = %.12g at a random θ, below the bound %.12g",
			trial.Upper(), r.Lower)
		if !c.Global && floats.Distance(trial.Theta, r.Theta, 2) < 1e-3 {
			check(trial.Upper() >= r.F-1e-6*math.Abs(r.F), "a neighbor is better: %.12g < %.12g", trial.Upper(), r.F)
		}
	}

	// a second run gives the same result, bit for bit
	second := solve(c.Problem, settings)
	check(slices.Equal(second.Theta, r.Theta) && slices.Equal(second.W, r.W) && second.F == r.F &&
		len(second.Trace) == len(r.Trace),
		"a second run differs: θ = %v and %v", second.Theta, r.Theta)

	// the trace
	lower := math.Inf(-1)
	for i, row := range r.Trace {
		check(row.Iter == i && row.Evals >= i && row.Lower >= lower && row.Upper >= row.F-1e-9*math.Abs(row.F),
			"trace row %d: %+v", i, row)
		lower = row.Lower
	}
	check(len(r.Labels) == len(r.Theta) || r.Labels == nil && r.Rows*r.Cols == len(r.Theta),
		"%d labels and a %d×%d matrix for %d parameters", len(r.Labels), r.Rows, r.Cols, len(r.Theta))

	// a run that starts at the result takes at most Warm steps
	if o.Warm >= 0 {
		warmRun := solve(c.Problem, &mkl.Settings{Gap: 100 * o.Gap, Iterations: o.Iterations, Start: r})
		check(len(warmRun.Trace) <= o.Warm+1, "%d steps from the solution", len(warmRun.Trace)-1)
	}

	// a start outside Θ: the result is in Θ, or it is marked Infeasible and unfinished and has no gap
	outside := make([]float64, len(r.Theta))
	for k := range outside {
		outside[k] = 10 * (1 + math.Abs(r.Theta[k]))
	}
	fromOutside := solve(c.Problem, &mkl.Settings{Gap: o.Gap, Iterations: o.Iterations, Theta: outside})
	check(fromOutside.Infeasible != c.Set.Contains(fromOutside.Theta), "from outside: Infeasible is %v of θ = %v",
		fromOutside.Infeasible, fromOutside.Theta)
	check(!fromOutside.Infeasible || fromOutside.Status.Unfinished() && math.IsInf(fromOutside.Gap(), 1),
		"from outside: %v", fromOutside)
	if c.Global && !fromOutside.Infeasible {
		check(fromOutside.Upper >= r.Lower && fromOutside.Lower <= r.Upper,
			"from outside: [%.12g, %.12g], from Start [%.12g, %.12g]",
			fromOutside.Lower, fromOutside.Upper, r.Lower, r.Upper)
	}

	// a context that has ended: the result has the status Stopped and the θ so far
	ended, cancel := context.WithCancel(ctx)
	cancel()
	stopped, err := mkl.Solve(ended, c.Problem, s, settings)
	if err != nil {
		t.Fatal(err)
	}
	check(stopped.Theta != nil && (stopped.Status == mkl.Stopped || len(r.Trace) == 1), "stopped at once: %v", stopped)

	// a limit of one step
	if len(r.Trace) > 2 {
		limited := solve(c.Problem, &mkl.Settings{Gap: 1e-12, Iterations: 1})
		check(limited.Status == mkl.IterationLimit && len(limited.Trace) == 2 && limited.Status.Err() != nil,
			"one step: %v", limited)
	}

	// −y in place of y does not change F
	negated := *c.Problem
	negated.Y = make([]float64, len(c.Y))
	floats.AddScaled(negated.Y, -1, c.Y)
	checkNear("F for −y", solve(&negated, settings).F, r.F, math.Max(1e-6, 2*o.Gap))
	return checks
}

// TestInvariance checks the results of s after base kernels are permuted or duplicated, for a family linear in θ. It
// skips the test if the Requirements of s reject the problem.
func TestInvariance(t *testing.T, s mkl.Solver) {
	t.Helper()
	x, y := Points(24, 3, 5)
	ctx, settings := context.Background(), &mkl.Settings{Gap: 1e-9, Iterations: 5000}
	checks := 0
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
		checks++
		return r
	}
	l := baseKernels()
	ball := set.Ball{Q: 2, Radius: 1}
	r := solve(l, ball)
	perm := []int{3, 0, 4, 2, 1}
	permuted := make(kernel.List, len(l))
	for i, k := range perm {
		permuted[i] = l[k]
	}
	permutedResult := solve(permuted, ball)
	for i, k := range perm {
		if math.Abs(permutedResult.Theta[i]-r.Theta[k]) > 1e-4 {
			t.Errorf("permuted base kernels: θ = %v, want %v permuted by %v", permutedResult.Theta, r.Theta, perm)
		}
	}
	// the same kernel twice with the 2-norm radius 1/√2 has the same F as once with radius 1; a single kernel has θ = 1
	one := kernel.List{l[1]}
	single, double := solve(one, ball), solve(kernel.List{l[1], l[1]}, set.Ball{Q: 2, Radius: 1 / math.Sqrt2})
	if math.Abs(single.F-double.F) > 1e-8*single.F {
		t.Errorf("the same kernel twice, radius 1/√2: F = %.12g, once, radius 1: %.12g", double.F, single.F)
	}
	if math.Abs(single.Theta[0]-1) > 1e-9 {
		t.Errorf("one kernel: θ = %v, want 1", single.Theta)
	}
	if checks == 0 {
		t.Fatal("mkltest: no check ran; the suite needs at least one")
	}
}
