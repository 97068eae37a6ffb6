package mkl_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

var ctx = context.Background()

// must returns v and panics on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// pointAt returns the point θ of p, whose inner problem is solved to the relative gap tol.
func pointAt(p *mkl.Problem, theta []float64, tol float64) *mkl.Point {
	pt := p.NewPoint()
	copy(pt.Theta, theta)
	if err := pt.Evaluate(nil, tol); err != nil {
		panic(err)
	}
	return pt
}

// two is min over ‖θ‖₂ ≤ 1 for K_1 = diag(1, 0), K_2 = diag(0, 1), λ = 1, y = (a, b), degree d:
// J = ½(a²/(θ_1^d+1) + b²/(θ_2^d+1)).
func two(d int, a, b float64) *mkl.Problem {
	l := kernel.List{
		kernel.Precomputed{Name: "first", N: 2, Data: []float64{1, 0, 0, 0}},
		kernel.Precomputed{Name: "second", N: 2, Data: []float64{0, 0, 0, 1}},
	}
	return &mkl.Problem{Grams: kernel.Sum{Kernels: l, Degree: d}.Bind(points.AllIndices(2)),
		Set:  set.Ball{Q: 2, Radius: 1},
		Loss: loss.Squared{Lambda: 1}, Y: []float64{a, b}}
}

func TestByHand(t *testing.T) {
	// a = b: by symmetry θ = (1, 1)/√2, J = 1/(1 + 2^{-d/2}) · a²
	for d := 1; d <= 2; d++ {
		for _, s := range []mkl.Solver{mkl.SPG{}, mkl.PGD{}, mkl.PGD{Rule: mkl.ShrinkOnLonger},
			mkl.PGD{Rule: mkl.ShrinkOnIncrease}} {
			r := must(mkl.Solve(ctx, two(d, 2, 2), s, nil))
			want := 4 / (1 + math.Pow(2, -float64(d)/2))
			if r.Status != mkl.Certified || math.Abs(r.F-want) > 1e-6*want || r.ThetaLabels[1] != "second" {
				t.Errorf("d=%d: %v, θ = %v, want F = %g", d, r, r.Theta, want)
			}
		}
	}
	// d = 2: J = ½(a²/(t_1+1) + b²/(t_2+1)) on t_1+t_2 ≤ 1 is at (1+t_1)/(1+t_2) = a/b: t_1 = (2a−b)/(a+b)
	r := must(mkl.Solve(ctx, two(2, 3, 2), mkl.SPG{}, &mkl.Settings{Gap: 1e-12}))
	if want := math.Sqrt(4. / 5); math.Abs(r.Theta[0]-want) > 1e-6 {
		t.Errorf("θ = %v, want θ_1 = %g", r.Theta, want)
	}
}

// TestHiddenConvexity tests K_1 = K_2∘-orthogonal kernels and a start with θ_2 = 0: PGD never leaves
// θ_2 = 0, a stationary point that is no minimum, and nothing says that it is one.
func TestHiddenConvexity(t *testing.T) {
	p := two(2, 1, 3)
	r := must(mkl.Solve(ctx, p, mkl.PGD{}, &mkl.Settings{Theta: []float64{1, 0}, Iterations: 200}))
	if r.Theta[1] != 0 || r.Status == mkl.Certified || r.RelativeGap() < 0.1 {
		t.Errorf("a saddle point, θ = %v, is called %v", r.Theta, r)
	}
	if r, _ := mkl.Solve(ctx, p, mkl.PGD{}, nil); r.Status != mkl.Certified {
		t.Errorf("from inside: %v", r)
	}
}

// TestCycles tests that η = 0 of IIA cycles for rank-one kernels and a small λ (multipliers reach −2), η = ½ does not.
func TestCycles(t *testing.T) {
	x, y := mkltest.RandomPoints(12, 5, 1)
	p := &mkl.Problem{Grams: kernel.Features{}.Bind(x),
		Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: 1e-5},
		Y: y}
	if _, err := mkl.Solve(ctx, p, mkl.IIA{Eta: 0.2}, nil); err == nil || !strings.Contains(err.Error(), "η > 0.333") {
		t.Errorf("η = 0.2 without AllowCycling: %v", err)
	}
	loose := &mkl.Settings{Gap: 1e-9, Iterations: 300}
	bad := must(mkl.Solve(ctx, p, mkl.IIA{AllowCycling: true}, loose))
	good := must(mkl.Solve(ctx, p, mkl.IIA{}, loose))
	if bad.Status != mkl.IterationLimit || good.Status != mkl.Certified {
		t.Errorf("η = 0: %v\nη = ½: %v", bad, good)
	}
}

func TestRefuses(t *testing.T) {
	good := func() *mkl.Problem {
		x, y := mkltest.RandomPoints(10, 2, 1)
		return &mkl.Problem{Grams: kernel.Features{}.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: y}
	}
	for _, c := range []struct {
		spoil func(p *mkl.Problem) *mkl.Settings
		want  string
	}{
		{func(p *mkl.Problem) *mkl.Settings { p.Grams = nil; return nil }, "no Grams"},
		{func(p *mkl.Problem) *mkl.Settings { p.Y = p.Y[1:]; return nil }, "got 9 targets for 10 points"},
		{func(p *mkl.Problem) *mkl.Settings { p.Y[3] = math.NaN(); return nil }, "target 4 is NaN"},
		{func(p *mkl.Problem) *mkl.Settings { p.Loss = loss.Squared{}; return nil }, "λ = 0"},
		{func(p *mkl.Problem) *mkl.Settings { p.Set = set.Ball{Q: 0.5, Radius: 1}; return nil }, "q"},
		{func(p *mkl.Problem) *mkl.Settings { p.Reg = reg.Ridge{Beta: -1}; return nil }, "-1"},
		{func(p *mkl.Problem) *mkl.Settings { return &mkl.Settings{Gap: -1} }, "Gap = -1"},
		{func(p *mkl.Problem) *mkl.Settings { return &mkl.Settings{InnerGap: math.NaN()} }, "InnerGap = NaN"},
		{func(p *mkl.Problem) *mkl.Settings { return &mkl.Settings{Theta: []float64{1}} },
			"the starting θ: got 1 weights for 2 parameters"},
		{func(p *mkl.Problem) *mkl.Settings { return &mkl.Settings{Theta: []float64{1, math.Inf(1)}} }, "θ[1] = +Inf"},
		{func(p *mkl.Problem) *mkl.Settings {
			x, _ := mkltest.RandomPoints(10, 2, 1)
			x.Data[5] = math.NaN()
			p.Grams = kernel.Features{}.Bind(x)
			return nil
		}, "row 3, column 2"},
	} {
		p := good()
		s := c.spoil(p)
		r, err := mkl.Solve(ctx, p, mkl.SPG{}, s)
		if err == nil || r != nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %q, want one line with %q", err, c.want)
		}
	}
	if err := (*mkl.Problem)(nil).Validate(); err == nil {
		t.Error("no problem is valid")
	}
}

// TestDegenerate tests that constant, duplicate, zero and rank-deficient kernels, y = 0 and n = 1 have answers.
func TestDegenerate(t *testing.T) {
	x, y := mkltest.RandomPoints(12, 3, 2)
	zero := points.Rows{N: 12, D: 3, Data: make([]float64, 36)}
	same := x.Slice([]int{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}).(points.Rows)
	for name, c := range map[string]struct {
		x points.Rows
		y []float64
	}{"zero features": {zero, y}, "equal points": {same, y}, "y = 0": {x,
		make([]float64, 12)}, "one point": {x.Slice([]int{4}).(points.Rows), y[4:5]}} {
		for d := 1; d <= 4; d++ {
			for _, s := range []set.Set{set.Simplex{}, set.Ball{Q: 2, Radius: 1}, set.Ball{Q: 4, Radius: 3}} {
				p := &mkl.Problem{Grams: kernel.Features{Degree: d, Constant: true}.Bind(c.x), Set: s,
					Loss: loss.Squared{Lambda: 0.3}, Y: c.y}
				r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
				if err != nil {
					t.Errorf("%s, d=%d: %v", name, d, err)
					continue
				}
				if math.IsNaN(r.F) || r.Kind == mkl.Global && r.Status != mkl.Certified {
					t.Errorf("%s, d=%d, %T: %v, θ = %v", name, d, s, r, r.Theta)
				}
			}
		}
	}
}

func TestRules(t *testing.T) {
	x, y := mkltest.RandomPoints(20, 3, 6)
	p := &mkl.Problem{Grams: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}, kernel.RBF{Gamma: 0.1}}.Bind(x),
		Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.5}, Y: y}
	best := must(mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-9}))
	r := must(mkl.EvaluateRule(t.Context(), p, mkl.Uniform{}, 0))
	if r.Status != mkl.EvaluatedOnly || r.F < best.F*(1-1e-9) || r.Lower > best.F*(1+1e-9) ||
		math.Abs(floats.Sum(r.Theta)-1) > 1e-12 {
		t.Errorf("uniform weights: %v", r)
	}
	for _, theta := range [][]float64{nil, {1, 0}, {1, 0, 0, 0}, {1, math.NaN(), 0}, {math.Inf(1), 0, 0}} {
		if r, err := mkl.EvaluateRule(t.Context(), p, given{theta}, 0); err == nil {
			t.Errorf("a rule returned %v for 3 kernels, EvaluateRule returned %v without an error", theta, r)
		}
	}
	p.Y = p.Y[1:]
	if _, err := mkl.EvaluateRule(t.Context(), p, mkl.Uniform{}, 0); err == nil {
		t.Error("EvaluateRule of an invalid problem")
	}
}

// given is a rule that returns the weights that it holds.
type given struct{ theta []float64 }

func (given) String() string { return "given weights" }
func (r given) Weights(context.Context, *mkl.Problem) ([]float64, error) {
	return r.theta, nil
}

// TestStopDuringLineSearch tests that a context that ends inside a step stops the run before the next
// evaluation, with the best so far.
func TestStopDuringLineSearch(t *testing.T) {
	x, y := mkltest.RandomPoints(30, 4, 3)
	p := &mkl.Problem{Grams: kernel.Features{Degree: 3}.Bind(x), Set: set.Ball{Q: 1, Radius: 2},
		Loss: loss.Squared{Lambda: 0.1}, Y: y}
	c, cancel := context.WithCancel(ctx)
	defer cancel()
	seen := 0
	r, err := mkl.Solve(c, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-14, Watch: func(it *mkl.Iterate) bool {
		if seen = it.K; seen == 2 {
			cancel()
		}
		return false
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Status != mkl.Stopped || len(r.Trace) != 3 || r.Theta == nil || !strings.Contains(r.String(), "stopped") {
		t.Errorf("%v after %d rows", r, len(r.Trace))
	}
	if err := r.Status.Err(); err == nil {
		t.Error("a stopped run has no Err")
	}
}

// failing is a loss that fails at the second evaluation.
type failing struct {
	loss.Squared
	left *int
}

var errLoss = errors.New("broken")

func (f failing) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	if *f.left--; *f.left < 0 {
		return errLoss
	}
	return f.Squared.Solve(ctx, s, g, y, tol)
}

func TestErrorsInside(t *testing.T) {
	for left := range 3 {
		x, y := mkltest.RandomPoints(10, 2, 1)
		p := &mkl.Problem{Grams: kernel.Features{}.Bind(x), Set: set.Simplex{},
			Loss: failing{loss.Squared{Lambda: 1}, &left}, Y: y}
		if _, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-15}); !errors.Is(err, errLoss) {
			t.Errorf("after %d evaluations: %v, want the loss's error", left, err)
		}
	}
}

// half is a family whose gradients are half of what they are.
type half struct{ kernel.Grams }

func (h half) Degree() int      { return 1 }
func (h half) New() kernel.Gram { return halfGram{h.Grams.New()} }

type halfGram struct{ kernel.Gram }

func (h halfGram) Gradient(dst, w []float64) {
	h.Gram.Gradient(dst, w)
	floats.Scale(0.5, dst)
}

// TestContradiction tests that a wrong gradient makes bounds that contradict each other; it is not certified.
func TestContradiction(t *testing.T) {
	x, y := mkltest.RandomPoints(30, 3, 3)
	g := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}.Bind(x)
	p := &mkl.Problem{Grams: half{g}, Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.5}, Y: y}
	if r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil); !errors.Is(err, mkl.ErrContradiction) {
		t.Errorf("%v, %v; want the contradiction named", r, err)
	}
}

// TestMagnitudes tests that Validate names a target or a λ that is not 0 and is outside 1e-100 to 1e100, and takes the
// others.
func TestMagnitudes(t *testing.T) {
	for _, c := range []struct {
		target, lambda float64
		want           string
	}{
		{1e100, 1, ""}, {-1e-100, 1, ""}, {0, 1e100, ""}, {1, 1e-100, ""},
		{1.1e100, 1, "Y[1] = 1.1e+100"}, {-1.1e100, 1, "Y[1]"}, {9e-101, 1, "Y[1]"}, {math.Inf(1), 1, "Y[1]"},
		{1, 1.1e100, "λ = 1.1e+100"}, {1, 9e-101, "λ = 9e-101"},
	} {
		p := two(1, 3, c.target)
		p.Loss = loss.Squared{Lambda: c.lambda}
		err := p.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("target %g, λ = %g: %v, the error should contain %q", c.target, c.lambda, err, c.want)
		}
	}
}

// TestNilArguments tests that a nil problem, solver, rule or context is an error.
func TestNilArguments(t *testing.T) {
	var none context.Context
	p := two(1, 3, 2)
	_, errSolver := mkl.Solve(ctx, p, nil, nil)
	_, errContext := mkl.Solve(none, p, mkl.SPG{}, nil)
	_, errProblem := mkl.Solve(ctx, nil, mkl.SPG{}, nil)
	_, errRule := mkl.EvaluateRule(ctx, p, nil, 0)
	_, errRuleContext := mkl.EvaluateRule(none, p, mkl.Uniform{}, 0)
	_, errPoint := p.EvaluateAt(none, []float64{1, 0}, []float64{1, 0})
	for name, err := range map[string]error{"solver": errSolver, "context": errContext, "problem": errProblem,
		"rule": errRule, "context of a rule": errRuleContext, "context of a point": errPoint} {
		if err == nil {
			t.Errorf("a nil %s is no error", name)
		}
	}
}
