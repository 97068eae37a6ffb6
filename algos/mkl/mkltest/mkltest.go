// Package mkltest tests that a solver keeps its promises on every kind of problem that it says
// it suits. It counts its checks and fails on zero.
package mkltest

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// Live is how many numbers of 8 bytes a solve keeps at most between its steps, beside what there was before it. Work
// space that is pooled, and which anybody may use, is not counted.
func MaxLive(t *testing.T, p *mkl.Problem, s mkl.Solver, settings mkl.Settings) float64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.GC() // pools too
	runtime.ReadMemStats(&before)
	most := before.HeapAlloc
	settings.Watch = func(*mkl.Iterate) bool {
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&after)
		most = max(most, after.HeapAlloc)
		return false
	}
	if _, err := mkl.Solve(context.Background(), p, s, &settings); err != nil {
		t.Fatal(err)
	}
	return float64(most-before.HeapAlloc) / 8
}

// Case is a named problem with what is known of it.
type Case struct {
	Name string
	*mkl.Problem
	// Global says that a certificate proves the minimum to be global.
	Global bool
	// Minimum is min F by another road; NaN where it is not known.
	Minimum float64
}

// Options say how much a solver promises. The zero value is what a fast one does.
type Options struct {
	Cases      []Case  // if nil, Cases()
	Gap        float64 // relative, to be reached on every case; if 0, 1e-7
	Iterations int     // within so many steps; if 0, 3000
	// Warm is how many steps, at most, the way from the solution to 100·Gap takes; if 0, 3.
	// −1 promises nothing, as of methods whose steps do not depend on the start.
	Warm int
	// Inner is the relative gap to which inner problems are solved again for comparison; if 0, 1e-12.
	Inner float64
	// Draw stores a random θ near one of Θ, which is then projected; if nil, normal in each
	// coordinate.
	Draw func(dst, theta []float64, r *rand.Rand)
}

func (o Options) fill() Options {
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
	if o.Inner == 0 {
		o.Inner = 1e-12
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

// Points are n random points of d features and targets that depend on the first two, not linearly.
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

// bases are base kernels of several kinds.
func bases() kernel.List {
	return kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}, kernel.Laplacian{Gamma: 0.5},
		kernel.Polynomial{Degree: 2, Gamma: 0.5, Offset: 1}}
}

// Families are the families of Cases by name: degrees 1 to 4, sums and features.
func Families() map[string]kernel.Family {
	f := map[string]kernel.Family{}
	for d := 1; d <= 4; d++ {
		f[fmt.Sprintf("sum d=%d", d)] = kernel.Sum{Kernels: bases(), Degree: d, Normalize: kernel.MeanDiagonal}
		f[fmt.Sprintf("features d=%d", d)] = kernel.Features{Degree: d, Constant: d > 1}
	}
	return f
}

// Cases are problems of every kind that the package solves with the squared loss: degrees 1 to 4,
// balls of several norms and centres, the simplex, the orthant with a ridge.
func Cases() []Case {
	x, y := Points(26, 4, 7)
	var cs []Case
	for name, f := range Families() {
		g := f.On(x)
		m, _ := g.Dims()
		ones := make([]float64, m)
		floats.AddConst(1, ones)
		d := g.Degree()
		add := func(what string, s set.Set, r reg.Reg, global bool) {
			for _, lambda := range []float64{0.1, 5} {
				cs = append(cs, Case{fmt.Sprintf("%s, %s, λ=%g", name, what, lambda),
					&mkl.Problem{Grams: g, Set: s, Reg: r, Loss: loss.Squared{Lambda: lambda}, Y: y}, global,
					math.NaN()})
			}
		}
		for _, q := range []float64{1, 1.5, 2, 3, 4, math.Inf(1)} {
			add(fmt.Sprintf("%g-norm ball about 1", q), set.Ball{Q: q, Radius: 2, Center: ones}, nil, float64(d) <= q)
		}
		add("2-norm ball about 0", set.Ball{Q: 2, Radius: 1}, nil, d <= 2)
		add("simplex", set.Simplex{}, nil, d == 1)
		add("orthant, ridge", set.Orthant{At: 0.3}, reg.Ridge{Beta: 0.2}, d <= 2)
	}
	slices.SortFunc(cs, func(a, b Case) int {
		switch {
		case a.Name < b.Name:
			return -1
		case a.Name > b.Name:
			return 1
		}
		return 0
	})
	return cs
}

// TestSolver runs s on every case that it suits.
func TestSolver(t *testing.T, s mkl.Solver, o Options) {
	t.Helper()
	o = o.fill()
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

func testCase(t *testing.T, s mkl.Solver, c Case, o Options) (checks int) {
	ctx := context.Background()
	yes := func(ok bool, format string, args ...any) {
		t.Helper()
		checks++
		if !ok {
			t.Errorf(format, args...)
		}
	}
	near := func(what string, got, want, tol float64) {
		t.Helper()
		yes(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want)), "%s = %.12g, want %.12g", what, got, want)
	}
	cfg := &mkl.Settings{Gap: o.Gap, Iterations: o.Iterations}
	solve := func(p *mkl.Problem, cfg *mkl.Settings) *mkl.Result {
		t.Helper()
		r, err := mkl.Solve(ctx, p, s, cfg)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := solve(c.Problem, cfg)

	// how it ended, and what is proved
	if c.Global {
		yes(r.Status == mkl.Certified && r.Kind == mkl.Global, "%v, want certified", r)
		yes(r.RelativeGap() <= o.Gap && r.Gap() >= 0, "relative gap %g", r.RelativeGap())
		if !math.IsNaN(c.Minimum) {
			yes(r.Lower <= c.Minimum && c.Minimum <= r.Upper,
				"the bracket [%.12g, %.12g] does not hold the minimum %.12g", r.Lower, r.Upper, c.Minimum)
		}
	} else {
		yes(r.Status == mkl.Stationary && r.Kind == mkl.FirstOrder, "%v, want stationary, first order", r)
		yes(math.IsInf(r.Lower, -1), "a lower bound %g without a global certificate", r.Lower)
	}

	// θ ∈ Θ
	p := make([]float64, len(r.Theta))
	c.Set.Project(p, r.Theta)
	yes(c.Set.Contains(r.Theta) && !r.Infeasible, "θ = %v is %g outside Θ", r.Theta, floats.Distance(p, r.Theta, 2))

	// F at Result.Theta, and the certificate, recomputed from the Result alone
	pt := c.NewPoint()
	copy(pt.Theta, r.Theta)
	pt.Gram.At(pt.Theta)
	pt.W, pt.Block = slices.Clone(r.W), slices.Clone(r.Block)
	c.Loss.Evaluate(&pt.Solution, pt.Gram, c.Y, nil)
	rv := 0.0
	if c.Reg != nil {
		rv = c.Reg.Value(nil, r.Theta)
	}
	pt.R = rv
	if upper := r.Certificate.Upper; len(r.Block) == 0 {
		near("upper bound recomputed", pt.Upper(), upper, 1e-9)
	} else { // better weights than those at which the inner solver ended may prove more
		yes(pt.Upper() <= upper+1e-9*math.Max(1, math.Abs(upper)) && pt.Upper() >= r.Lower,
			"upper bound recomputed = %.12g, want at most %.12g and at least %.12g", pt.Upper(), upper, r.Lower)
	}
	yes(r.F <= r.Upper && r.F >= r.Lower-r.Rounding, "F = %.15g is not within its bounds [%.15g, %.15g]", r.F,
		r.Lower, r.Upper)
	exact := c.NewPoint()
	copy(exact.Theta, r.Theta)
	if err := exact.Evaluate(nil, o.Inner); err != nil {
		t.Fatal(err)
	}
	near("F recomputed from θ", exact.F(), r.F, math.Max(1e-9, o.Gap))
	if c.Global {
		// the newest bound need not be the best one: it may be less sharp, never sharper than the minimum
		cert, err := c.Certify(exact, true)
		yes(err == nil && cert.Lower <= r.Certificate.Upper*(1+1e-9), "a lower bound %g above F = %g, %v", cert.Lower,
			r.F, err)
	} else { // at the same w: that of another solve to the same gap is another
		cert, _ := c.Certify(pt, true)
		near("residual recomputed", cert.Residual, r.Residual, 1e-9)
	}

	// no feasible θ is better than the lower bound
	rng := rand.New(rand.NewPCG(1, 9))
	trial := c.NewPoint()
	for range 10 {
		o.Draw(trial.Theta, r.Theta, rng)
		c.Set.Project(trial.Theta, trial.Theta)
		if err := trial.Evaluate(nil, o.Inner); err != nil {
			t.Fatal(err)
		}
		yes(trial.Upper() >= r.Lower-1e-9*math.Abs(r.F), "F = %.12g at a random θ, below the bound %.12g",
			trial.Upper(), r.Lower)
		if !c.Global && floats.Distance(trial.Theta, r.Theta, 2) < 1e-3 {
			yes(trial.Upper() >= r.F-1e-6*math.Abs(r.F), "a neighbour is better: %.12g < %.12g", trial.Upper(), r.F)
		}
	}

	// twice the same, bit for bit
	q := solve(c.Problem, cfg)
	yes(slices.Equal(q.Theta, r.Theta) && slices.Equal(q.W, r.W) && q.F == r.F && len(q.Trace) == len(r.Trace),
		"a second run differs: θ = %v and %v", q.Theta, r.Theta)

	// the trace
	lower := math.Inf(-1)
	for i, row := range r.Trace {
		yes(row.Iter == i && row.Evals >= i && row.Lower >= lower && row.Upper >= row.F-1e-9*math.Abs(row.F),
			"trace row %d: %+v", i, row)
		lower = row.Lower
	}
	yes(len(r.Labels) == len(r.Theta) || r.Labels == nil && r.Rows*r.Cols == len(r.Theta),
		"%d labels and a %d×%d matrix for %d parameters", len(r.Labels), r.Rows, r.Cols, len(r.Theta))

	// warm from the result: no more than a step or two
	if o.Warm >= 0 {
		w := solve(c.Problem, &mkl.Settings{Gap: 100 * o.Gap, Iterations: o.Iterations, Start: r})
		yes(len(w.Trace) <= o.Warm+1, "%d steps from the solution", len(w.Trace)-1)
	}

	// from outside Θ: a certified answer or an honest status, never a θ outside that claims to be good
	far := make([]float64, len(r.Theta))
	for k := range far {
		far[k] = 10 * (1 + math.Abs(r.Theta[k]))
	}
	out := solve(c.Problem, &mkl.Settings{Gap: o.Gap, Iterations: o.Iterations, Theta: far})
	yes(out.Infeasible != c.Set.Contains(out.Theta), "from outside: Infeasible is %v of θ = %v",
		out.Infeasible, out.Theta)
	yes(!out.Infeasible || out.Status.Unfinished() && math.IsInf(out.Gap(), 1), "from outside: %v", out)
	if c.Global && !out.Infeasible {
		yes(out.Upper >= r.Lower && out.Lower <= r.Upper, "from outside: [%.12g, %.12g], from Start [%.12g, %.12g]",
			out.Lower, out.Upper, r.Lower, r.Upper)
	}

	// stopped: the best so far, and it says so
	done, cancel := context.WithCancel(ctx)
	cancel()
	stopped, err := mkl.Solve(done, c.Problem, s, cfg)
	if err != nil {
		t.Fatal(err)
	}
	yes(stopped.Theta != nil && (stopped.Status == mkl.Stopped || len(r.Trace) == 1), "stopped at once: %v", stopped)

	// bounded
	if len(r.Trace) > 2 {
		b := solve(c.Problem, &mkl.Settings{Gap: 1e-12, Iterations: 1})
		yes(b.Status == mkl.IterationLimit && len(b.Trace) == 2 && b.Status.Err() != nil, "one step: %v", b)
	}

	// y ↦ −y changes nothing, y ↦ 2y with β ↦ 4β multiplies F by 4
	neg := *c.Problem
	neg.Y = make([]float64, len(c.Y))
	floats.AddScaled(neg.Y, -1, c.Y)
	near("F for −y", solve(&neg, cfg).F, r.F, math.Max(1e-6, 2*o.Gap))
	return checks
}

// TestInvariance checks what permuting and duplicating base kernels does, for solvers of families
// linear in θ.
func TestInvariance(t *testing.T, s mkl.Solver) {
	t.Helper()
	x, y := Points(24, 3, 5)
	ctx, cfg := context.Background(), &mkl.Settings{Gap: 1e-9, Iterations: 5000}
	checks := 0
	solve := func(l kernel.List, θ set.Set) *mkl.Result {
		t.Helper()
		p := &mkl.Problem{Grams: kernel.Sum{Kernels: l, Normalize: kernel.MeanDiagonal}.On(x), Set: θ,
			Loss: loss.Squared{Lambda: 0.5}, Y: y}
		if _, err := s.Requirements(p); err != nil {
			t.Skipf("mkltest: %v", err)
		}
		r, err := mkl.Solve(ctx, p, s, cfg)
		if err != nil {
			t.Fatal(err)
		}
		checks++
		return r
	}
	l := bases()
	ball := set.Ball{Q: 2, Radius: 1}
	r := solve(l, ball)
	perm := []int{3, 0, 4, 2, 1}
	pl := make(kernel.List, len(l))
	for i, k := range perm {
		pl[i] = l[k]
	}
	pr := solve(pl, ball)
	for i, k := range perm {
		if math.Abs(pr.Theta[i]-r.Theta[k]) > 1e-4 {
			t.Errorf("permuted base kernels: θ = %v, want %v permuted by %v", pr.Theta, r.Theta, perm)
		}
	}
	// a kernel given twice cannot help on the 1-norm, and one kernel is plain ridge regression
	one := kernel.List{l[1]}
	single, double := solve(one, ball), solve(kernel.List{l[1], l[1]}, set.Ball{Q: 2, Radius: 1 / math.Sqrt2})
	if math.Abs(single.F-double.F) > 1e-8*single.F {
		t.Errorf("the same kernel twice, radius 1/√2: F = %.12g, once, radius 1: %.12g", double.F, single.F)
	}
	if math.Abs(single.Theta[0]-1) > 1e-9 {
		t.Errorf("one kernel: θ = %v, want 1", single.Theta)
	}
	if checks == 0 {
		t.Fatal("mkltest: no checks")
	}
}
