package mkl_test

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data/datasets"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestRoundingOfF tests unnormalized kernels of breast-wisconsin, whose rounding errors have the order of F for a small
// λ. No bound may be false or cross the other, and nothing contradicts.
func TestRoundingOfF(t *testing.T) {
	d := must(datasets.Load("breast-wisconsin"))
	f := kernel.List{kernel.Linear{}, kernel.Polynomial{Degree: 2, Offset: 1}, kernel.Polynomial{Degree: 3, Offset: 1}}
	p := &mkl.Problem{Grams: f.Bind(d.X), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1e-3}, Y: d.Y}
	r, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Iterations: 200})
	const best = 13380.98589 // F(0, 0, 1) by exact arithmetic
	if err != nil || !(r.Gap() > 0) || r.Status == mkl.Certified && !(r.RelativeGap() <= 1e-6) ||
		r.Lower > best*(1+1e-9) {
		t.Errorf("%v, %v, lower %.10g", r, err, r.Lower)
	}
}

// TestOutside tests that radial scaling leaves the orthant, and that a result outside Θ has no bounds.
func TestOutside(t *testing.T) {
	x := points.NewRows([][]float64{{1, 0}, {0, 1}, {1, 1}})
	ball := set.Ball{Q: 2, Radius: 3, Center: []float64{1, 1}}
	p := &mkl.Problem{Grams: kernel.Features{}.Bind(x),
		Set: ball, Reg: reg.Ridge{Beta: 1}, Loss: loss.Squared{Lambda: 1},
		Y: []float64{1, 2, 3}}
	for _, rule := range []mkl.StepRule{mkl.Armijo, mkl.Constant, mkl.ShrinkOnLonger, mkl.ShrinkOnIncrease} {
		t.Run(rule.String(), func(t *testing.T) {
			r := must(mkl.Solve(ctx, p, mkl.PGD{Rule: rule, ScaleToSphere: true}, nil))
			if !ball.Contains(r.Theta) && (!r.Infeasible || !math.IsInf(r.Gap(), 1) || !r.Status.IsUnfinished()) {
				t.Errorf("θ = %v is outside: %v", r.Theta, r)
			}
		})
	}
	tiny := set.Ball{Q: 2, Radius: 1e-9, Center: []float64{1, 1}}
	p = &mkl.Problem{Grams: p.Grams, Set: tiny, Loss: p.Loss, Y: p.Y}
	for _, theta := range [][]float64{{1 + 1.5e-9, 1}, {1 + 1e-9, 1 + 1e-9}} {
		r := must(mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Theta: theta}))
		if d := tiny.Norm(r.Theta); d > 1e-9*(1+1e-6) {
			t.Errorf("from %v to %v, %g from the center of a ball of radius 1e-9: %v", theta, r.Theta, d, r)
		}
	}
	r := must(mkl.EvaluateRule(t.Context(), p, outsideRule{}, 0))
	if !r.Infeasible || !math.IsInf(r.Gap(), 1) {
		t.Errorf("a rule's θ outside Θ: %v", r)
	}
}

// outsideRule chooses a θ that no ball about 1 holds.
type outsideRule struct{}

func (outsideRule) String() string { return "outside" }
func (outsideRule) Weights(_ context.Context, _ *mkl.Problem) ([]float64, error) {
	return []float64{50, 50}, nil
}

// TestAbove tests that a text about a gap rounds it up.
func TestAbove(t *testing.T) {
	for r, want := range map[[2]float64]string{{3, 3}: "at most 0 % above", {0, 0}: "at most 0 above",
		{1.00123, 1}: "at most 0.13 % above", {112, 100}: "at most 12 % above", {1.995, 1}: "at most 100 % above",
		{2, 1}: "at most 2 times", {2.01, 1}: "at most 2.1 times", {1234, 1}: "at most 1300 times",
		{0.234, 0}: "at most 0.24 above"} {
		c := mkl.Certificate{Kind: mkl.Global, By: "a", Upper: r[0] - 0.25, ShiftError: 0.25, Lower: r[1]}
		if got := c.BoundText(); got != want {
			t.Errorf("%v above: %q, want %q", c, got, want)
		}
	}
	if got := (mkl.Certificate{}).String(); got != "no certificate" {
		t.Errorf("the certificate that comes with an error prints %q", got)
	}
}

// ownSet is a user's set: whether θ is in it, its projection says, generously.
type ownSet struct{ set.Set }

func (s ownSet) Contains(theta []float64) bool {
	p := make([]float64, len(theta))
	s.Project(p, theta)
	return floats.Distance(p, theta, 2) <= 1e-11*floats.Norm(theta, 2)
}

// TestGapOfRoundedTheta tests that at a θ that is in Θ to rounding only, F may be below min F; no gap is negative for
// that.
func TestGapOfRoundedTheta(t *testing.T) {
	n, inside, crossed := 6, 0, 0
	x := points.Rows{N: n, D: 2, Data: []float64{1, 0, 2, 1, -1, 3, 0, 2, 1, 1, -2, 1}}
	y := []float64{1, -2, 0.5, 1, 3, -1}
	for _, theta := range []set.Set{set.Simplex{}, ownSet{set.Simplex{}}, set.Ball{Q: 2, Radius: 1},
		ownSet{set.Ball{Q: 2, Radius: 1}}} {
		p := &mkl.Problem{Grams: kernel.Features{}.Bind(x), Set: theta, Loss: loss.Squared{Lambda: 1}, Y: y}
		best := must(mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Gap: 1e-13}))
		for e := -16.0; e < -9; e += 0.1 {
			start := []float64{best.Theta[0] * (1 + math.Pow(10, e)), best.Theta[1] * (1 + math.Pow(10, e))}
			if !theta.Contains(start) {
				continue
			}
			inside++
			r := must(mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Theta: start, Gap: 1e-3, Iterations: 3}))
			pt := pointAt(p, start, 1e-10)
			own := must(p.Certify(pt, true))
			for _, c := range []mkl.Certificate{r.Certificate, own} {
				if c.Gap() == 0 {
					crossed++
				}
				if c.Gap() < 0 || c.Rounding < 0 || strings.Contains(c.String(), "≤ -") {
					t.Errorf("%v, θ too large by 1e%.1f: %v, %+v", theta, e, c, c)
				}
			}
		}
	}
	if inside < 20 || crossed == 0 {
		t.Errorf("%d cases, %d with bounds that cross: the test has none", inside, crossed)
	}
}

// TestFarForm tests that the trust-region dual of dual coefficients near 1e-88, whose forms have squares that vanish,
// is below F.
func TestFarForm(t *testing.T) {
	x := points.NewRows([][]float64{{1, 2, 3}, {2, 1, -1}, {3, -1, 1}, {1, 1, 2}})
	lower := func(s float64) float64 {
		p := &mkl.Problem{Grams: kernel.Features{Degree: 2}.Bind(x), Set: set.Ball{Q: 2, Radius: 1,
			Center: []float64{0.14, 0.05, 0.76}},
			Loss: loss.Squared{Lambda: 0.125}, Y: []float64{s, -s, s, -2 * s}}
		r := must(mkl.EvaluateRule(ctx, p, mkl.Uniform{}, 0))
		return r.Lower / s / s
	}
	if one, small := lower(1), lower(0x1p-294); !(math.Abs(small-one) <= 1e-9*one) {
		t.Errorf("Lower = %g, with targets times 2^-294 %g of their squares", one, small)
	}
}

// TestFewFeatures tests that of many points with few features no n×n matrix is made, not for a certificate either.
func TestFewFeatures(t *testing.T) {
	x, y := mkltest.RandomPoints(3000, 5, 1)
	p := &mkl.Problem{Grams: kernel.Features{}.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1e-3}, Y: y}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 3000*3000*8/2 {
		t.Errorf("%d bytes allocated, half of an n×n matrix or more: %v", used, r)
	}
}

// TestNearlyIndefinite tests that a base matrix may miss being positive semidefinite by ¾λ by the bound of its
// rounding, and not by a Cholesky factor of K + ½λI: that proves enough.
func TestNearlyIndefinite(t *testing.T) {
	near := func(e float64) kernel.Kernel {
		return kernel.Precomputed{N: 2, Data: []float64{1, 1 + e, 1 + e, 1}}
	}
	p := &mkl.Problem{Grams: kernel.List{near(3e-12), near(2e-12)}.Bind(points.AllIndices(2)), Set: set.Simplex{},
		Loss: loss.Squared{Lambda: 1e-11}, Y: []float64{1, -1}}
	r := must(mkl.Solve(ctx, p, mkl.SPG{}, nil))
	if math.IsInf(r.Upper, 1) || r.Kind != mkl.Global {
		t.Errorf("%v", r)
	}
}

// TestNothingGlobal tests that an argument that gives no bound does not make a certificate global, and a run whose
// residual is as small as asked ends as stationary.
func TestNothingGlobal(t *testing.T) {
	x, y := mkltest.RandomPoints(20, 3, 5)
	p := &mkl.Problem{Grams: kernel.Features{}.Bind(x), Set: set.Orthant{}, Reg: slant{[]float64{0.3, 0.3, 0.3}},
		Loss: loss.Squared{Lambda: 0.5}, Y: y}
	r := must(mkl.Solve(ctx, p, mkl.SPG{}, nil))
	if r.Kind == mkl.Global && math.IsInf(r.Lower, -1) || r.Kind == mkl.FirstOrder && r.Status != mkl.Stationary {
		t.Errorf("%v, lower %g", r, r.Lower)
	}
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

// TestHingeBias tests that of points far from the origin, where the bias is large, Lower is at most the primal value of
// w and the bias, and Upper at least the dual value of w with Σw = 0, both in rational numbers.
func TestHingeBias(t *testing.T) {
	const n, d = 12, 2
	count := 0
	for seed := range 400 {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		far := math.Pow(10, 1+4*rng.Float64())
		c := []float64{1, 16, 0.25, 1024}[rng.IntN(4)]
		var x, y []float64
		for i := range n {
			y = append(y, float64(1-2*(i%2)))
			for range d {
				x = append(x, math.Round((far+rng.NormFloat64()+0.5*y[i])*256)/256)
			}
		}
		p := &mkl.Problem{Grams: kernel.List{kernel.Linear{}}.Bind(points.Rows{N: n, D: d, Data: x}),
			Set:  set.Simplex{},
			Loss: loss.Hinge{C: c}, Y: y}
		pt := p.NewPoint()
		pt.Theta[0] = 1
		if err := pt.Evaluate(nil, 1e-15); err != nil {
			continue
		}
		w, sum, free := make([]*big.Rat, n), new(big.Rat), -1
		for i, v := range pt.W {
			w[i] = rat(v)
			if sum.Add(sum, w[i]); math.Abs(v) > 1e-6*c && math.Abs(v) < (1-1e-6)*c {
				free = i
			}
		}
		if free < 0 {
			continue
		}
		w[free].Sub(w[free], sum)
		linear, quadratic, violation := new(big.Rat), new(big.Rat), new(big.Rat)
		for i := range n {
			f := new(big.Rat)
			for j := range n {
				k := rat(pt.Gram.K().At(i, j))
				f.Add(f, k.Mul(k, w[j]))
			}
			quadratic.Add(quadratic, new(big.Rat).Mul(w[i], f))
			linear.Add(linear, new(big.Rat).Mul(rat(y[i]), w[i]))
			f.Add(f, rat(pt.Bias)).Mul(f, rat(y[i]))
			if f.Sub(rat(1), f); f.Sign() > 0 {
				violation.Add(violation, f.Mul(f, rat(c)))
			}
		}
		quadratic.Mul(quadratic, big.NewRat(1, 2))
		primal, _ := new(big.Rat).Add(quadratic, violation).Float64()
		dual, _ := linear.Sub(linear, quadratic).Float64()
		if primal-dual > 1e-9*primal {
			continue
		}
		count++
		if cert, err := p.Certify(pt, true); err != nil || cert.Lower > primal || cert.Upper < dual {
			t.Errorf("seed %d, %g from the origin, C=%g: F from %.17g to %.17g; %+v, %v", seed, far, c, dual, primal,
				cert, err)
		}
	}
	if count < 100 {
		t.Errorf("%d problems judged, want 100 or more", count)
	}
}

// near is a user's own kernel: that of a matrix, with its shift.
type near struct{ of kernel.Precomputed }

func (k near) String() string                           { return "near" }
func (k near) Check(x points.Points) error              { return k.of.Check(x) }
func (k near) Cross(dst *mat.Dense, z, x points.Points) { k.of.Cross(dst, z, x) }
func (k near) DiagonalShift() float64                   { return k.of.DiagonalShift() }

// TestProductShift tests that a matrix of ones with c = 1 + 9e-11 at (1, 2) has an eigenvalue near −6e-11, which
// Validate accepts, and wᵀKw < 0 for w = (C/2, C/2, −C), y = +, +, −. In any product of the matrix, the stored K is
// positive semidefinite, and no Upper is below the dual value of that w.
func TestProductShift(t *testing.T) {
	ones := kernel.Precomputed{N: 3, Data: []float64{1, 1, 1, 1, 1, 1 + 9e-11, 1, 1 + 9e-11, 1}}
	if err := ones.Validate(); err != nil {
		t.Fatal(err)
	}
	product := func(e int, kernels ...kernel.Kernel) kernel.Family {
		return kernel.Monomials{Kernels: kernels, Free: [][]int{slices.Repeat([]int{e}, len(kernels))}}
	}
	for name, family := range map[string]kernel.Family{
		"alone":             kernel.List{ones},
		"product":           product(1, ones),
		"user's own":        kernel.List{near{ones}},
		"product of user's": product(1, near{ones}),
		"power":             product(3, ones),
		"two factors":       product(1, near{ones}, ones),
	} {
		for _, c := range []float64{1e5, 1e6, 1e9} {
			y, w := []float64{1, 1, -1}, []float64{c / 2, c / 2, -c}
			p := &mkl.Problem{Grams: family.Bind(points.AllIndices(3)), Set: set.Simplex{}, Loss: loss.Hinge{C: c},
				Y: y}
			g := p.Grams.New()
			g.SetTheta([]float64{1})
			if low := mat.Inner(mat.NewVecDense(3, w), g.K(), mat.NewVecDense(3, w)); low < -1e-10*c*c*1e-3 {
				t.Errorf("%s, C = %g: wᵀKw = %g of the stored K, which is to be positive semidefinite", name, c, low)
			}
			r, err := mkl.Solve(ctx, p, mkl.Level{}, &mkl.Settings{Start: &mkl.Result{Theta: []float64{1}, W: w}})
			if err != nil {
				t.Errorf("%s, C = %g: %v", name, c, err)
				continue
			}
			if _, err := mkl.Solve(ctx, p, mkl.Level{}, nil); err != nil {
				t.Errorf("%s, C = %g, without a start: %v", name, c, err)
			}
			v := mat.NewVecDense(3, w)
			if f := 2*c - mat.Inner(v, g.K(), v)/2; r.Upper < f*(1-1e-12) {
				t.Errorf("%s, C = %g: F ≥ %.10g, %v with Upper = %.10g", name, c, f, r, r.Upper)
			}
		}
	}
}

// TestShiftedSquares tests base matrices that miss being positive semidefinite, degree 2, with starts at which
// the tangent of hidden convexity is steep: no lower bound is above an F that is known exactly, and no
// certificate is of less than what is left.
func TestShiftedSquares(t *testing.T) {
	y := []float64{1, 2, -1, -2}
	n, yy := 4, 10.0
	for _, neg := range []float64{0.7e-10, 1e-13, 3e-15, 0} {
		k1, ones := make([]float64, n*n), make([]float64, n*n)
		for i := range n {
			for j := range n {
				ones[i*n+j] = 1
				k1[i*n+j] = -y[i]*y[j]/yy - neg*y[i]*y[j]/yy
				if i == j {
					k1[i*n+j] += 1
				}
			}
		}
		lambda := 1.0
		p := &mkl.Problem{
			Grams: kernel.Sum{Kernels: kernel.List{kernel.Precomputed{N: n, Data: k1},
				kernel.Precomputed{N: n, Data: ones}}, Degree: 2}.Bind(points.AllIndices(n)),
			Set: set.Ball{Q: 2.000001, Radius: 1}, Loss: loss.Squared{Lambda: lambda}, Y: y}
		e := newExact(&draw{p: p, base: [][]float64{k1, ones}, degree: 2, lambda: lambda})
		exact, _ := e.at(bigs([]float64{1, 0}))
		other, _ := exact.Float64()
		for _, t1 := range []float64{1e-9, 5e-10, 2e-10, 1e-10, 5e-11, 1e-12, 1e-13, 1e-15} {
			r, err := mkl.Solve(t.Context(), p, mkl.SPG{}, &mkl.Settings{Theta: []float64{t1, 1}})
			if err != nil {
				t.Errorf("%g from %g: %v", neg, t1, err)
				continue
			}
			if r.Lower > other {
				t.Errorf("%g from %g: lower bound %.15g above F(1, 0) = %.15g: %v", neg, t1, r.Lower, other, r)
			}
			pt := p.NewPoint()
			pt.Theta[0], pt.Theta[1] = t1, 1
			if err := pt.Evaluate(nil, 0); err != nil {
				t.Fatal(err)
			}
			c, _ := p.Certify(pt, true)
			if c.Lower > other {
				t.Errorf("%g at (%g, 1): lower bound %.15g above F(1, 0) = %.15g: %v", neg, t1, c.Lower, other, c)
			}
		}
	}
}
