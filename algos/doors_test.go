package algos_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/loss/losstest"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// The files doors_*_test.go are a library of its own on the exported doors of algos: a loss with an
// iterative solver, sets of matrices, a regulariser, families of matrices and of blocks, and two
// solvers. The tests below solve with them.

var ctx = context.Background()

// ridge is ½yᵀ(K+λI)⁻¹y, by one factorisation.
func ridge(k *mat.SymDense, y []float64, lambda float64) float64 {
	var s loss.Solution
	if err := (loss.Squared{Lambda: lambda}).Solve(ctx, &s, losstest.Gram{Sym: k}, y, 0); err != nil {
		panic(err)
	}
	return s.Dual()
}

// goldenSection minimises a convex f on [0, 1] to about 1e-8 of the interval.
func goldenSection(f func(t float64) float64) float64 {
	lo, hi, r := 0.0, 1.0, (math.Sqrt(5)-1)/2
	a, b := hi-r*(hi-lo), lo+r*(hi-lo)
	fa, fb := f(a), f(b)
	for range 38 {
		if fa < fb {
			hi, b, fb = b, a, fa
			a = hi - r*(hi-lo)
			fa = f(a)
		} else {
			lo, a, fa = a, b, fb
			b = lo + r*(hi-lo)
			fb = f(b)
		}
	}
	return min(fa, fb)
}

// door is a problem made of the parts of these files, its minimum by another road, to a relative
// error of off, and the solvers that are to certify 1e-3.
type door struct {
	mkltest.Case
	minimum, off float64
	solvers      []mkl.Solver
}

// doors are small: a few seconds for all of them.
func doors() []door {
	var all []door
	add := func(name string, p *mkl.Problem, minimum, off float64, solvers ...mkl.Solver) {
		c := mkltest.Case{Name: name, Problem: p, Global: true, Minimum: minimum}
		if off > 1e-9 {
			c.Minimum = math.NaN() // not known as sharply as a bracket is
		}
		all = append(all, door{c, minimum, off, solvers})
	}
	x, y := mkltest.Points(16, 3, 3)

	// sup of wᵀKw over the spectraplex is c‖w‖²: closed form J = ½‖y‖²/(λ+c)
	small := y[:8]
	add("K itself, spectraplex", &mkl.Problem{Grams: itself{8}.On(kernel.AllPlaces(8)), Set: spectraplex{3}, Loss: loss.Squared{Lambda: 0.5}, Y: small},
		floats.Dot(small, small)/2/(0.5+3), 0, frankWolfe{}, frankWolfe{Shift: 3}, entropic{}, mkl.SPG{})

	// sup over P of wᵀΦPΦᵀw is c‖Φᵀw‖²: closed form, plain ridge regression with cΦΦᵀ
	g := bilinear{}.On(x).(*matrixGrams)
	var k mat.SymDense
	k.ScaleSym(2, g.features())
	add("bilinear, spectraplex", &mkl.Problem{Grams: g, Set: spectraplex{2}, Loss: loss.Squared{Lambda: 0.5}, Y: y},
		ridge(&k, y, 0.5), 0, frankWolfe{}, entropic{}, mkl.SPG{})

	// the same for the hinge loss: a plain support vector machine with cΦΦᵀ, by projected gradient
	lx, ly := labelled(16, 2, 1)
	lg := bilinear{}.On(lx).(*matrixGrams)
	var lk mat.SymDense
	lk.ScaleSym(0.5, lg.features())
	h := hinge{C: 0.2}
	add("bilinear, spectraplex, hinge", &mkl.Problem{Grams: lg, Set: spectraplex{0.5}, Loss: h, Y: ly},
		h.slowly(&lk, ly, 4000), 1e-3, frankWolfe{})

	// hinge on a simplex of two: golden section over the one free weight
	two := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 2}}, Normalize: kernel.MeanDiagonal}.On(lx)
	p := &mkl.Problem{Grams: two, Set: set.Simplex{}, Loss: hinge{C: 3}, Y: ly}
	pt := p.NewPoint()
	add("two kernels, simplex, hinge", p, goldenSection(func(t float64) float64 {
		pt.Theta[0], pt.Theta[1] = t, 1-t
		if err := pt.Evaluate(nil, 1e-7); err != nil {
			panic(err)
		}
		return pt.Dual()
	}), 1e-6, frankWolfe{})

	// a block norm of two kernels on a simplex: sup of (√(θ_1q_1) + √(θ_2q_2))² is q_1 + q_2, so the
	// closed form is plain ridge regression with K_1 + K_2
	f := kernel.Blocks{Of: []kernel.Family{kernel.List{kernel.RBF{Gamma: 0.3}}, kernel.List{kernel.RBF{Gamma: 1}}}}
	p = &mkl.Problem{Grams: f.On(x), Set: set.Simplex{}, Loss: loss.BlockNorm{Of: loss.Squared{Lambda: 0.5}}, Y: y}
	at := f.On(x).New()
	at.At([]float64{1, 1})
	add("two blocks, simplex", p, ridge(at.K(), y, 0.5), 0, frankWolfe{}, mkl.SPG{Force: true})

	// {K ⪰ 0} near an indefinite S: gradient ascent in α of the dual, the inner minimum over K in
	// closed form, K = P₊(S + ααᵀ/4ρ)
	r := rand.New(rand.NewPCG(6, 6))
	s := make([]float64, 36)
	for i := range s {
		s[i] = r.NormFloat64()
	}
	for i := range 6 {
		s[7*i] += 2
		for j := range i {
			s[6*i+j] = s[6*j+i]
		}
	}
	near := proximity{Rho: 0.3, S: s}
	add("cone, near a matrix", &mkl.Problem{Grams: itself{6}.On(kernel.AllPlaces(6)), Set: cone{1}, Reg: near, Loss: loss.Squared{Lambda: 0.5}, Y: y[:6]},
		nearest(near, 0.5, y[:6], 4000), 1e-6, mkl.SPG{}, mkl.PGD{})
	return all
}

// nearest is max_α yᵀα − ½λ‖α‖² + min_{K⪰0} (−½αᵀKα + ρ‖K−S‖²), by gradient ascent.
func nearest(r proximity, lambda float64, y []float64, steps int) (value float64) {
	n := len(y)
	a, k, grad := make([]float64, n), make([]float64, n*n), make([]float64, n)
	for range steps {
		for i := range n {
			for j := range n {
				k[i*n+j] = r.S[i*n+j] + a[i]*a[j]/(4*r.Rho)
			}
		}
		cone{1}.Project(k, k)
		value = floats.Dot(y, a) - lambda/2*floats.Dot(a, a) + r.Value(nil, k)
		for i := range n {
			ka := floats.Dot(k[i*n:(i+1)*n], a)
			value -= a[i] * ka / 2
			grad[i] = y[i] - lambda*a[i] - ka
		}
		floats.AddScaled(a, 0.03, grad)
	}
	return value
}

// TestDoors: every solver certifies 1e-3 on every problem, and its bracket holds the minimum of
// the other road.
func TestDoors(t *testing.T) {
	for _, d := range doors() {
		for _, s := range d.solvers {
			r, err := mkl.Solve(ctx, d.Problem, s, &mkl.Settings{Gap: 1e-3, Iterations: 20000})
			if err != nil {
				t.Errorf("%s, %v: %v", d.Name, s, err)
				continue
			}
			want := d.minimum
			t.Logf("%s: minimum %.8g, %v", d.Name, want, r)
			if r.Status != mkl.Certified || r.Kind != mkl.Global || !(r.RelativeGap() <= 1e-3) {
				t.Errorf("%s: %v, want a certificate of 1e-3", d.Name, r)
			}
			if off := (d.off + 1e-12) * want; r.Lower > want+off || r.F < want-off {
				t.Errorf("%s: the bracket [%.10g, %.10g] does not hold the minimum %.10g", d.Name, r.Lower, r.F, want)
			}
			if r.Rows == 0 && len(r.Labels) != len(r.Theta) || r.Rows*r.Cols != 0 && r.Labels != nil {
				t.Errorf("%s: %d labels and %d×%d", d.Name, len(r.Labels), r.Rows, r.Cols)
			}
		}
	}
}

// TestDoorSolvers runs the conformance suite on the test's own solvers.
func TestDoorSolvers(t *testing.T) {
	for _, s := range []mkl.Solver{frankWolfe{}, frankWolfe{Shift: 2}, entropic{}} {
		var cases []mkltest.Case
		for _, d := range doors() {
			if _, err := s.Uses(d.Problem); err == nil && (!testing.Short() || len(cases) == 0) {
				cases = append(cases, d.Case)
			}
		}
		mkltest.TestSolver(t, s, mkltest.Options{Cases: cases, Gap: 1e-3, Iterations: 2000, Warm: -1, Inner: 1e-9})
	}
}

// TestOracleHandedOver: an entropic run decomposes each gradient once; the certificate takes it over
// and asks the set at the start alone.
func TestOracleHandedOver(t *testing.T) {
	x, y := mkltest.Points(16, 3, 3)
	p := &mkl.Problem{Grams: bilinear{}.On(x), Set: spectraplex{2}, Loss: loss.Squared{Lambda: 0.5}, Y: y}
	before := oracles.Load()
	r, err := mkl.Solve(ctx, p, entropic{}, &mkl.Settings{Gap: 1e-4})
	if err != nil {
		t.Fatal(err)
	}
	if n := oracles.Load() - before; n != 1 || len(r.Trace) < 4 || r.Status != mkl.Certified {
		t.Errorf("%d calls of Minimize in %d steps, want 1: %v", n, len(r.Trace)-1, r)
	}
	// what is handed over is right
	for it, err := range mkl.Steps(ctx, p, entropic{}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if want := p.Set.Minimize(nil, it.Grad()); math.Abs(it.Oracle().Min-want) > 1e-12*math.Abs(want) {
			t.Errorf("step %d: the oracle's minimum %g, want %g", it.K, it.Oracle().Min, want)
		}
		if it.K == 5 {
			break
		}
	}
}

// TestPredictsWithBlocks: Result.Kernel holds the weights of the blocks: with it the family predicts
// at the fixed points Σ_i f_i there, f = Kw.
func TestPredictsWithBlocks(t *testing.T) {
	for _, d := range doors() {
		if d.Name != "two blocks, simplex" {
			continue
		}
		r, err := mkl.Solve(ctx, d.Problem, frankWolfe{}, &mkl.Settings{Gap: 1e-5, Iterations: 20000})
		if err != nil {
			t.Fatal(err)
		}
		n := len(d.Y)
		x, _ := mkltest.Points(16, 3, 3)
		k := mat.NewDense(n, n, nil)
		d.Grams.Cross(x).Gram(k, r.Kernel)
		sum := 1/r.Block[0] + 1/r.Block[1]
		for i, y := range d.Y { // at the optimum y − Kw = λw
			if f := floats.Dot(k.RawRowView(i), r.W); math.Abs(y-f-0.5*r.W[i]) > 1e-2 {
				t.Errorf("point %d: y − f = %g, λw = %g", i, y-f, 0.5*r.W[i])
			}
		}
		if math.Abs(sum-1) > 1e-9 || r.Kernel[0] == r.Theta[0] {
			t.Errorf("Σ 1/c = %g, want 1; θ = %v, Kernel = %v", sum, r.Theta, r.Kernel)
		}
	}
}

// TestOutside: a run started outside Θ ends with a certified answer or an honest status, never with a
// contradiction or a best point outside.
func TestOutside(t *testing.T) {
	x, y := mkltest.Points(16, 3, 3)
	lx, ly := labelled(16, 2, 5)
	three := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}}
	far := make([]float64, 16) // indefinite, and far too large
	for i := range 4 {
		far[5*i] = 50
		for j := range i {
			far[4*i+j], far[4*j+i] = 100, 100
		}
	}
	eye := make([]float64, 16)
	for i := range 4 {
		eye[5*i] = 100
	}
	solvers := []mkl.Solver{frankWolfe{}, frankWolfe{Shift: 3}, mkl.SPG{}, mkl.PGD{}, mkl.PGD{Rule: mkl.ShrinkOnIncrease}, entropic{}}
	certified := 0
	for name, c := range map[string]struct {
		p     *mkl.Problem
		start []float64
	}{
		"simplex":            {&mkl.Problem{Grams: three.On(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.5}, Y: y}, []float64{10, 10, 10}},
		"simplex, hinge":     {&mkl.Problem{Grams: three.On(lx), Set: set.Simplex{}, Loss: hinge{C: 1}, Y: ly}, []float64{10, 10, 10}},
		"ball":               {&mkl.Problem{Grams: three.On(x), Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: 0.5}, Y: y}, []float64{1e6, 1e6, 1e6}},
		"1-norm ball":        {&mkl.Problem{Grams: three.On(x), Set: set.Ball{Q: 1, Radius: 1, Center: []float64{1, 1, 1}}, Loss: loss.Squared{Lambda: 0.5}, Y: y}, []float64{0, 0, 1e3}},
		"spectraplex":        {&mkl.Problem{Grams: bilinear{}.On(x), Set: spectraplex{2}, Loss: loss.Squared{Lambda: 0.5}, Y: y}, eye},
		"spectraplex, hinge": {&mkl.Problem{Grams: bilinear{}.On(lx), Set: spectraplex{2}, Loss: hinge{C: 1}, Y: ly}, eye[:9]},
		"indefinite, hinge":  {&mkl.Problem{Grams: itself{4}.On(kernel.AllPlaces(4)), Set: spectraplex{2}, Loss: hinge{C: 1}, Y: []float64{1, -1, 1, -1}}, far},
		"indefinite":         {&mkl.Problem{Grams: itself{4}.On(kernel.AllPlaces(4)), Set: spectraplex{2}, Loss: loss.Squared{Lambda: 0.5}, Y: y[:4]}, far},
	} {
		for _, s := range solvers {
			if _, err := s.Uses(c.p); err != nil {
				continue
			}
			inside, err := mkl.Solve(ctx, c.p, s, &mkl.Settings{Gap: 1e-3, Iterations: 2000})
			if err != nil {
				t.Fatal(err)
			}
			for _, gap := range []float64{1e-2, 1e-3} {
				r, err := mkl.Solve(ctx, c.p, s, &mkl.Settings{Gap: gap, Iterations: 2000, Theta: c.start})
				if err != nil {
					t.Errorf("%s, %v: %v", name, s, err)
					continue
				}
				honest(t, name, c.p, r)
				if r.Status == mkl.Certified {
					certified++
					if r.Outside || r.F < inside.Lower || r.Lower > inside.F {
						t.Errorf("%s: [%.10g, %.10g], from Start [%.10g, %.10g]", name, r.Lower, r.F, inside.Lower, inside.F)
					}
				}
			}
		}
	}
	if certified < 20 {
		t.Errorf("%d runs were certified, want most of 40", certified)
	}
	t.Logf("%d runs certified", certified)
}

// honest checks what a result says of itself, whatever its status.
func honest(t *testing.T, name string, p *mkl.Problem, r *mkl.Result) {
	t.Helper()
	if r.Outside == p.Set.Contains(r.Theta) {
		t.Errorf("%s: Outside is %v of θ = %v: %v", name, r.Outside, r.Theta, r)
	}
	if r.Outside && (!r.Status.Early() || !math.IsInf(r.Gap(), 1)) {
		t.Errorf("%s: θ is outside, and yet %v", name, r)
	}
	if r.Lower > r.F && !r.Outside {
		t.Errorf("%s: lower bound %g above F = %g", name, r.Lower, r.F)
	}
	if r.Status == mkl.Certified && !(r.Relative() <= 1e-2) {
		t.Errorf("%s: certified with a gap of %g", name, r.Relative())
	}
}

// TestLeavesTheSet: a variant whose steps leave Θ, as with γ < 0 or γ > 1, visits points with an F below
// the minimum; none of them is ever best.
func TestLeavesTheSet(t *testing.T) {
	x, y := mkltest.Points(16, 3, 3)
	g := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}}, Normalize: kernel.MeanDiagonal}.On(x)
	// λ is so large that K(θ) + λI is positive definite there too
	for _, s := range []set.Set{set.Simplex{}, set.Ball{Q: 2, Radius: 1}} {
		p := &mkl.Problem{Grams: g, Set: s, Loss: loss.Squared{Lambda: 50}, Y: y}
		want, err := mkl.Solve(ctx, p, mkl.SPG{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := mkl.Solve(ctx, p, leaving{}, &mkl.Settings{Iterations: 60, Gap: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		honest(t, fmt.Sprint(s), p, r)
		below := 0
		for _, row := range r.Trace {
			if row.F < want.Lower {
				if below++; !math.IsInf(row.Upper, 1) {
					t.Errorf("step %d: F = %g below the minimum %g has an upper bound %g", row.Iter, row.F, want.F, row.Upper)
				}
			}
		}
		if below == 0 || r.Outside || r.F < want.Lower {
			t.Errorf("%T: %d points below the minimum, Outside %v, F = %g, minimum %g", s, below, r.Outside, r.F, want.F)
		}
		// with a small λ a step leads to where K(θ) + λI is not positive definite: a stall, the best kept
		steep := *p
		steep.Loss = loss.Squared{Lambda: 0.1}
		r, err = mkl.Solve(ctx, &steep, leaving{}, &mkl.Settings{Iterations: 60, Gap: 1e-9})
		if err != nil || r.Status != mkl.Stalled || r.Outside {
			t.Errorf("%T, small λ: %v, %v; want a stall and the best inside", s, r, err)
		}
	}
}

// leaving is Frank–Wolfe with γ = −1, 3, ½ in turn.
type leaving struct{ frankWolfe }

func (l leaving) Start(*mkl.Problem) mkl.Stepper { return l }

func (l leaving) Step(it *mkl.Iterate) error {
	s, t := it.Oracle().S, it.Spare()
	gamma := []float64{-1, 3, 0.5, 1}[it.K%4]
	for k := range t.Theta {
		t.Theta[k] = it.Theta[k] + gamma*(s[k]-it.Theta[k])
	}
	if _, err := it.Try(); err != nil {
		return err
	}
	it.Accept()
	return nil
}

// TestKinks: with the hinge loss F has kinks where K(θ) is singular. SPG refuses it; forced, it ends
// with an honest status; Frank–Wolfe certifies 1e-3.
func TestKinks(t *testing.T) {
	x, y := labelled(20, 3, 7)
	for name, p := range map[string]*mkl.Problem{
		"simplex":     {Grams: kernel.Features{}.On(x), Set: set.Simplex{}, Loss: hinge{C: 1}, Y: y},
		"spectraplex": {Grams: bilinear{}.On(x), Set: spectraplex{1}, Loss: hinge{C: 1}, Y: y},
	} {
		for _, s := range []mkl.Solver{mkl.SPG{}, mkl.PGD{}} {
			if _, err := mkl.Solve(ctx, p, s, nil); err == nil || !strings.Contains(err.Error(), "Force") {
				t.Errorf("%s: %v on the hinge loss: %v, want a refusal that names Force", name, s, err)
			}
		}
		cfg := &mkl.Settings{Gap: 1e-3, Iterations: 20000}
		fw, err := mkl.Solve(ctx, p, frankWolfe{}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if fw.Status != mkl.Certified {
			t.Errorf("%s: %v", name, fw)
		}
		for _, s := range []mkl.Solver{mkl.SPG{Force: true}, mkl.PGD{Force: true}} {
			r, err := mkl.Solve(ctx, p, s, cfg)
			if err != nil {
				t.Errorf("%s, %v: %v", name, s, err)
				continue
			}
			honest(t, name, p, r)
			if r.F < fw.Lower || r.Lower > fw.F {
				t.Errorf("%s, %v: [%g, %g], Frank–Wolfe [%g, %g]", name, s, r.Lower, r.F, fw.Lower, fw.F)
			}
			t.Logf("%s: %v", name, r)
		}
	}
}

// TestInnerLimit: an inner solver that runs out of iterations leaves the best point and a bracket
// that is true.
func TestInnerLimit(t *testing.T) {
	x, y := labelled(20, 3, 7)
	g := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.5}}.On(x)
	exact, err := mkl.Solve(ctx, &mkl.Problem{Grams: g, Set: set.Simplex{}, Loss: hinge{C: 1}, Y: y}, frankWolfe{}, &mkl.Settings{Gap: 1e-4, Iterations: 20000})
	if err != nil {
		t.Fatal(err)
	}
	limits := 0
	for _, most := range []int{1, 2, 5, 20, 100} {
		for _, s := range []mkl.Solver{frankWolfe{}, mkl.SPG{Force: true}, mkl.PGD{Force: true}} {
			p := &mkl.Problem{Grams: g, Set: set.Simplex{}, Loss: hinge{C: 1, Most: most}, Y: y}
			r, err := mkl.Solve(ctx, p, s, &mkl.Settings{Gap: 1e-3, Iterations: 300})
			if err != nil {
				t.Errorf("%v, %d steps: %v", s, most, err)
				continue
			}
			name := fmt.Sprintf("%d steps", most)
			if s == (frankWolfe{}) && most <= 5 && (r.Status != mkl.InnerLimit || len(r.Trace) > 100) {
				t.Errorf("%s: %v, want the limit of the inner solver after a few steps that prove nothing", name, r)
			}
			honest(t, name, p, r)
			if r.Theta == nil || r.F < exact.Lower || r.Lower > exact.F {
				t.Errorf("%s: θ = %v, [%g, %g], exact [%g, %g]", name, r.Theta, r.Lower, r.F, exact.Lower, exact.F)
			}
			best := math.Inf(1)
			for _, row := range r.Trace {
				best = min(best, row.Upper)
			}
			if r.Upper != best {
				t.Errorf("%s: upper bound %g is not the best of the run, %g", name, r.Upper, best)
			}
			if r.Status == mkl.InnerLimit {
				limits++
			}
		}
	}
	if limits == 0 {
		t.Error("no run ended by the limit of the inner solver")
	}
}

// TestStoppedInside: a context that ends while the loss solves, the first time too, stops the run
// with the best so far and a bracket that is true.
func TestStoppedInside(t *testing.T) {
	x, y := labelled(20, 3, 7)
	g := kernel.Features{}.On(x)
	exact, err := mkl.Solve(ctx, &mkl.Problem{Grams: g, Set: set.Simplex{}, Loss: hinge{C: 1}, Y: y}, frankWolfe{}, &mkl.Settings{Gap: 1e-4, Iterations: 20000})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{1, 2, 3} {
		for _, s := range []mkl.Solver{frankWolfe{}, mkl.SPG{Force: true}} {
			c, cancel := context.WithCancel(ctx)
			p := &mkl.Problem{Grams: g, Set: set.Simplex{}, Loss: &ending{hinge: hinge{C: 1}, left: at, end: cancel}, Y: y}
			r, err := mkl.Solve(c, p, s, &mkl.Settings{Gap: 1e-9})
			cancel()
			if err != nil {
				t.Errorf("stopped in solve %d: %v", at, err)
				continue
			}
			honest(t, "stopped", p, r)
			if r.Status != mkl.Stopped || r.F < exact.Lower || r.Lower > exact.F {
				t.Errorf("stopped in solve %d: %v, [%g, %g], exact [%g, %g]", at, r, r.Lower, r.F, exact.Lower, exact.F)
			}
		}
	}
}

// ending ends a context in its solve number left.
type ending struct {
	hinge
	left int
	end  func()
}

func (e *ending) Solve(ctx context.Context, s *loss.Solution, g loss.Gram, y []float64, tol float64) error {
	if e.left--; e.left == 0 {
		e.end()
	}
	return e.hinge.Solve(ctx, s, g, y, tol)
}

// TestWatchStops: a run ends as Stopped when Watch says so, with what it has.
func TestWatchStops(t *testing.T) {
	for _, d := range doors() {
		for _, s := range d.solvers[:1] {
			r, err := mkl.Solve(ctx, d.Problem, s, &mkl.Settings{Gap: 1e-14, Watch: func(it *mkl.Iterate) bool { return it.K == 1 }})
			if err != nil {
				t.Fatal(err)
			}
			honest(t, d.Name, d.Problem, r)
			if r.Status == mkl.Stopped && len(r.Trace) != 2 || r.Status != mkl.Stopped && len(r.Trace) > 2 {
				t.Errorf("%s: %v after %d rows, want stopped after 2", d.Name, r, len(r.Trace))
			}
		}
	}
}

// TestThreadsReach: Settings.Threads bounds family and loss of that run alone.
func TestThreadsReach(t *testing.T) {
	x, y := mkltest.Points(16, 3, 3)
	g := bilinear{}.On(x).(*matrixGrams)
	p := &mkl.Problem{Grams: g, Set: spectraplex{2}, Loss: loss.Squared{Lambda: 0.5}, Y: y}
	for _, threads := range []int{0, 1, 3} {
		seen := 0
		_, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Threads: threads, Watch: func(it *mkl.Iterate) bool {
			for _, pt := range []*mkl.Point{it.Point, it.Spare()} {
				seen++
				if got := pt.Gram.(*matrixGram).g.bound; got != threads || pt.Threads != threads {
					t.Errorf("the family has %d threads, the loss %d, want %d", got, pt.Threads, threads)
				}
			}
			return false
		}})
		if err != nil || seen == 0 {
			t.Errorf("%v, %d iterates", err, seen)
		}
	}
	if g.bound != 0 {
		t.Errorf("the problem itself is bound to %d threads", g.bound)
	}
	if _, err := mkl.Solve(ctx, p, mkl.SPG{}, &mkl.Settings{Threads: -1}); err == nil {
		t.Error("−1 threads are accepted")
	}
}

// TestManyParameters: with m = n² parameters a run asks no label, and a step allocates at most a
// handful of θ: its vertex, and what bounds the rounding of the gradient and of the oracle.
func TestManyParameters(t *testing.T) {
	const n, m = 200, 200 * 200
	r := rand.New(rand.NewPCG(1, 2))
	y := make([]float64, n)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	p := &mkl.Problem{Grams: itself{n}.On(kernel.AllPlaces(n)), Set: spectraplex{5}, Loss: loss.Squared{Lambda: 0.5}, Y: y}
	before := labels.Load()
	var mem [2]runtime.MemStats
	const steps = 2
	for it, err := range mkl.Steps(ctx, p, frankWolfe{Shift: 5}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		if it.K == 1 {
			runtime.ReadMemStats(&mem[0])
		}
		if it.K == 1+steps {
			runtime.ReadMemStats(&mem[1])
			break
		}
	}
	copies := float64(mem[1].TotalAlloc-mem[0].TotalAlloc) / steps / (8 * m)
	t.Logf("%.2f copies of θ a step (%v)", copies, linalg.Backend())
	if copies > 6 {
		t.Errorf("a step allocates %.1f copies of θ, want at most 6", copies)
	}
	res, err := mkl.Solve(ctx, p, frankWolfe{}, &mkl.Settings{Iterations: 1})
	if err != nil {
		t.Fatal(err)
	}
	if asked := labels.Load() - before; asked != 0 || res.Rows != n || res.Cols != n || res.Labels != nil {
		t.Errorf("%d labels were asked for; the result is %d×%d with %d labels", asked, res.Rows, res.Cols, len(res.Labels))
	}
}
