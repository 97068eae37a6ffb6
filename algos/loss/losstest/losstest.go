// Package losstest checks that a loss fulfills the contract of loss.Loss: the bounds in a Solution, its Factor, and the
// results that Traits allows, such as leave-one-out. It counts its checks and fails if there are none.
package losstest

import (
	"context"
	"errors"
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

// Low returns the Gram ΦΦᵀ that provides Φ (kernel.Form.Root), n×r.
func Low(phi *mat.Dense) loss.Gram {
	n, _ := phi.Dims()
	return kernel.NewMatrix(n, kernel.Form{
		Dense: func() *mat.SymDense { return product(phi) },
		Root:  func() *mat.Dense { return phi },
	})
}

// product returns ΦΦᵀ.
func product(phi *mat.Dense) *mat.SymDense {
	n, _ := phi.Dims()
	k := mat.NewSymDense(n, nil)
	k.SymOuterK(1, phi)
	return k
}

// Pack returns the Gram k that also provides its upper triangle, packed by rows (kernel.Form.Packed).
func Pack(k *mat.SymDense) loss.Gram {
	n := k.SymmetricDim()
	a := make([]float64, 0, n*(n+1)/2)
	for i := range n {
		for j := i; j < n; j++ {
			a = append(a, k.At(i, j))
		}
	}
	return kernel.NewMatrix(n, kernel.Form{
		Dense:  func() *mat.SymDense { return k },
		Packed: func() []float64 { return a },
	})
}

var ctx = context.Background()

// Input is a training problem: K = ΦΦᵀ with Φ of n×r, and n targets.
type Input struct {
	Phi *mat.Dense
	Y   []float64
}

// Inputs returns random problems whose K has full rank, is rank-deficient, has equal rows, is 0 or is badly scaled, and
// one whose targets are about 1e-4. If labels is true, the targets are 1 and −1, with both classes present if n > 1.
func Inputs(seed uint64, labels bool) (in []Input) {
	r := rand.New(rand.NewPCG(seed, 1))
	for _, c := range []struct {
		n, r         int
		scale, small float64
		equal        bool
	}{{1, 1, 1, 1, false}, {7, 9, 1, 1, false}, {12, 3, 1, 1, false}, {10, 4, 1, 1, true}, {9, 2, 0, 1, false},
		{11, 5, 5, 1, false}, {11, 5, 1e-3, 1, false}, {8, 3, 1, 1e-4, false}} {
		phi := mat.NewDense(c.n, c.r, nil)
		y := make([]float64, c.n)
		for i := range c.n {
			for j := range c.r {
				phi.Set(i, j, c.scale*r.NormFloat64())
			}
			y[i] = c.small * r.NormFloat64()
			if labels {
				y[i] = float64(1 - 2*(i%2))
			}
		}
		if c.equal {
			phi.SetRow(1, slices.Clone(phi.RawRowView(0)))
			phi.SetRow(2, slices.Clone(phi.RawRowView(0)))
		}
		in = append(in, Input{phi, y})
	}
	return in
}

// Options selects the problems and the checks of TestLoss.
type Options struct {
	Inputs []Input
	// Feasible replaces w by a feasible vector. It must not change a feasible w.
	Feasible func(w, y []float64)
	// Gram holds functions that return the Gram of ΦΦᵀ. If Gram is nil, they are Dense, Low, and Pack of ΦΦᵀ. BlockNorm
	// needs functions that return a kernel.Blocked.
	Gram []func(phi *mat.Dense) loss.Gram
	// Unique requests the check that two solves give the same α up to 1e-6. Set it if α is unique and Solve is more
	// accurate than the requested gap of 1e-8, which alone only implies 1e-4.
	Unique bool
	// InvalidTargets must be rejected by Validate, as are an empty y, NaN and Inf.
	InvalidTargets [][]float64
}

// TestLoss checks that l fulfills the contract of loss.Loss.
func TestLoss(t testing.TB, l loss.Loss, o Options) {
	t.Helper()
	checks := 0
	r := rand.New(rand.NewPCG(3, 4))
	if o.Gram == nil {
		o.Gram = []func(*mat.Dense) loss.Gram{Dense, Low,
			func(phi *mat.Dense) loss.Gram { return Pack(product(phi)) }}
	}
	for c, in := range o.Inputs {
		phi, y := in.Phi, in.Y
		n := len(y)
		close := func(what string, got, want, tol float64) {
			t.Helper()
			checks++
			if !(math.Abs(got-want) <= tol*math.Max(1, math.Abs(want))) {
				t.Errorf("%v, input %d: %s = %.12g, want %.12g", l, c, what, got, want)
			}
		}
		yes := func(what string, ok bool) {
			t.Helper()
			checks++
			if !ok {
				t.Errorf("%v, input %d: does not hold: %s", l, c, what)
			}
		}
		if err := l.Validate(y); err != nil {
			t.Fatalf("%v, input %d: %v", l, c, err)
		}
		const tol = 1e-8
		for _, bind := range o.Gram {
			g := bind(phi)
			var s loss.Solution
			if err := l.Solve(ctx, &s, g, y, tol); err != nil {
				t.Fatalf("%v, input %d: %v", l, c, err)
			}
			best := s.Dual()
			rounding := math.Max(1e-12*math.Max(1, math.Abs(best)), s.Rounding.Primal+s.Rounding.Linear+
				s.Rounding.Quadratic/2+s.Rounding.WKW/2)
			yes("primal ≥ dual, up to the rounding errors that the loss states", s.Primal >= best-rounding)
			nought := loss.Solution{W: make([]float64, n)}
			l.Evaluate(&nought, bind(phi), y, nil)
			slack := 1e-12 * nought.Primal // the rounding error of J, whose upper bound is nought.Primal
			yes("the requested gap is reached", s.Gap() <= tol || s.Primal-best <= slack)
			w := slices.Clone(s.W)
			k := mat.NewVecDense(n, nil)
			k.MulVec(g.K(), mat.NewVecDense(n, w)) // of a block norm with the c that Solve has set
			close("WKW", s.WKW, mat.Dot(k, mat.NewVecDense(n, w)), 1e-8)
			moved := slices.Clone(w)
			o.Feasible(moved, y)
			for i := range w {
				close("w is feasible", moved[i], w[i], 1e-8)
			}
			// solve again: from the solution, with the storage of the first solve, and from a start that is infeasible
			for _, start := range [][]float64{nil, infeasibleStart(r, n), make([]float64, n)} {
				if start != nil {
					copy(s.W, start)
				}
				if err := l.Solve(ctx, &s, g, y, tol); err != nil {
					t.Fatal(err)
				}
				close("dual of another solve", s.Dual(), best, 10*tol)
				for i := range w {
					if o.Unique {
						close("α of another solve", s.W[i], w[i], 1e-6)
					}
				}
			}
			// a solve to a large gap: its bounds hold
			var loose loss.Solution
			if err := l.Solve(ctx, &loose, g, y, 0.3); err != nil {
				t.Fatal(err)
			}
			yes("a loose solve brackets the optimum", loose.Dual() <= best+1e-7*math.Max(1, best) &&
				loose.Primal >= best-1e-7*math.Max(1, best))
			yes("a loose solve reaches its gap", loose.Gap() <= 0.3 || loose.Primal-loose.Dual() <= slack)
			// any feasible α proves a lower and an upper bound of the optimum
			for range 20 {
				f := loss.Solution{W: make([]float64, n)}
				for i := range f.W {
					f.W[i] = w[i] + r.NormFloat64()*(1+math.Abs(w[i]))
				}
				o.Feasible(f.W, y)
				l.Evaluate(&f, g, y, nil)
				yes("dual of another α ≤ the optimum ≤ its primal", f.Dual() <= best+1e-7*math.Max(1, best) &&
					f.Primal >= best-1e-7*math.Max(1, best))
				if _, blocks := g.(weighable); !blocks {
					k.MulVec(g.K(), mat.NewVecDense(n, f.W))
					withKw := loss.Solution{W: slices.Clone(f.W)}
					l.Evaluate(&withKw, g, y, k.RawVector().Data)
					close("the primal of Evaluate with Kw", withKw.Primal, f.Primal, 1e-8)
					close("the dual of Evaluate with Kw", withKw.Dual(), f.Dual(), 1e-8)
				}
				infeasible := loss.Solution{W: infeasibleStart(r, n)}
				l.Evaluate(&infeasible, g, y, nil)
				yes("dual of a w that need not be feasible ≤ the optimum", infeasible.Dual() <= best+
					1e-7*math.Max(1, best)+infeasible.Rounding.Linear)
				if l.Traits().Strict {
					checks += checkStrict(t, l, g, y, w, f)
				}
				// D(sα) = s·Linear − ½s²Quadratic
				h := loss.Solution{W: slices.Clone(f.W)}
				floats.Scale(0.3, h.W)
				l.Evaluate(&h, g, y, nil)
				close("Linear of 0.3α", h.Linear, 0.3*f.Linear, 1e-9)
				close("Quadratic of 0.3α", h.Quadratic, 0.09*f.Quadratic, 1e-9)
			}
			// the same points in another order, and Slice of Slice
			p := r.Perm(n)
			permuted, part := mat.NewDense(n, phi.RawMatrix().Cols, nil), make([]float64, n)
			for to, from := range p {
				permuted.SetRow(to, phi.RawRowView(from))
				part[to] = y[from]
			}
			var again loss.Solution
			if err := l.Slice(p).Solve(ctx, &again, bind(permuted), part, tol); err != nil {
				t.Fatal(err)
			}
			close("dual of Slice, the points in another order", again.Dual(), best, 10*tol)
			yes("Slice of Slice is Slice", reflect.DeepEqual(l.Slice(p).Slice([]int{0}), l.Slice(p[:1])))
			if l.Traits().Smooth {
				if err := l.Solve(ctx, &s, g, y, 1e-12); err != nil {
					t.Fatal(err)
				}
				checks += checkSensitivity(t, l, &s, g.K().Dense(), y)
				e, d, at := make([]float64, n), make([]float64, n), make([]float64, n)
				s.Factor.Diag(d)
				for i := range n {
					clear(e)
					e[i] = 1
					s.Factor.MulVec(at, e)
					close("diagonal of R", d[i], at[i], 1e-7)
					s.Factor.MulVec(e, e) // in place
					close("R in place", e[i], at[i], 1e-12)
				}
			}
			if l.Traits().Linear && n > 1 {
				got := make([]float64, n)
				s.LeaveOneOut(got)
				for i := range n {
					close("leave-one-out residual", got[i], y[i]-predictWithout(t, l, g.K().Dense(), y, i), 1e-7)
				}
			}
		}
	}
	for _, bad := range append(o.InvalidTargets, nil, []float64{math.NaN(), 1}, []float64{1, math.Inf(1)}) {
		checks++
		if l.Validate(bad) == nil {
			t.Errorf("%v accepts the targets %v", l, bad)
		}
	}
	if a, ok := l.(loss.Tunable); ok {
		name, v := a.Parameter()
		b, ok := a.WithParameter(2 * v).(loss.Tunable)
		checks++
		if ok {
			other, w := b.Parameter()
			ok = other == name && w == 2*v
		}
		if _, same := a.Parameter(); !ok || same != v {
			t.Errorf("%v: WithParameter(%g) is %v, want that %s, and the loss itself as it was", l, 2*v, b, name)
		}
	}
	for i := range o.Inputs { // a stopped solve from an infeasible start returns a feasible w
		done, cancel := context.WithCancel(ctx)
		cancel()
		in := o.Inputs[i]
		s := loss.Solution{W: infeasibleStart(r, len(in.Y))}
		err := l.Solve(done, &s, o.Gram[0](in.Phi), in.Y, 1e-12)
		var inexact *loss.Inexact
		checks++
		if err != nil && !(errors.As(err, &inexact) && errors.Is(err, context.Canceled)) || len(s.W) != len(in.Y) {
			t.Errorf("%v, stopped: %v with %d coefficients, want an *Inexact and a feasible w", l, err, len(s.W))
			continue
		}
		moved := slices.Clone(s.W)
		o.Feasible(moved, in.Y)
		if d := floats.Distance(moved, s.W, math.Inf(1)); !(d <= 1e-8*math.Max(1, floats.Norm(moved, math.Inf(1)))) {
			t.Errorf("%v, input %d, stopped: w is infeasible by %g", l, i, d)
		}
	}
	if checks == 0 {
		t.Fatal("losstest: no checks")
	}
	t.Logf("%v: %d checks", l, checks)
}

// checkStrict checks that D at the midpoint of two feasible w is above the mean of its values at the two. It returns
// the number of checks.
func checkStrict(t testing.TB, l loss.Loss, g loss.Gram, y, w []float64, other loss.Solution) (checks int) {
	t.Helper()
	distance := floats.Distance(w, other.W, 2)
	if !(distance > 1e-6*floats.Norm(other.W, 2)) {
		return 0 // rounding hides the difference
	}
	value := func(w []float64) float64 {
		s := loss.Solution{W: w}
		l.Evaluate(&s, g, y, nil)
		return s.Linear - s.Quadratic/2
	}
	middle := make([]float64, len(w))
	floats.AddTo(middle, w, other.W)
	floats.Scale(0.5, middle)
	a, b := value(slices.Clone(w)), value(other.W)
	if m := value(middle); !(m > (a+b)/2+1e-14*(math.Abs(a)+math.Abs(b))) {
		t.Errorf("%v: Traits claim Strict, but D = %.12g in the middle of two feasible w with D = %.12g and %.12g", l,
			m, a, b)
	}
	return 1
}

// weighable is a Gram with several matrices, whose weights the loss sets.
type weighable interface{ Weigh(c []float64) }

// Dense returns the Gram ΦΦᵀ as a dense matrix.
func Dense(phi *mat.Dense) loss.Gram { return kernel.DenseMatrix(product(phi)) }

// infeasibleStart returns a random vector that is far from every feasible one.
func infeasibleStart(r *rand.Rand, n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 100 * r.NormFloat64()
	}
	return w
}

// checkSensitivity compares the R of s.Factor with finite differences: if K changes by εE, w changes by −εR(Ew). It
// returns the number of checks, which is 0 if K − εE is not positive definite.
func checkSensitivity(t testing.TB, l loss.Loss, s *loss.Solution, k *mat.SymDense, y []float64) (checks int) {
	t.Helper()
	n := len(y)
	r := rand.New(rand.NewPCG(5, 6))
	e := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			e.SetSym(i, j, r.NormFloat64())
		}
	}
	ew := mat.NewVecDense(n, nil)
	ew.MulVec(e, mat.NewVecDense(n, s.W))
	want := make([]float64, n)
	s.Factor.MulVec(want, ew.RawVector().Data)
	const h = 1e-5
	var w [2][]float64
	for i, sign := range []float64{1, -1} {
		var d mat.SymDense
		d.ScaleSym(sign*h, e)
		d.AddSym(&d, k)
		var m loss.Solution
		if err := l.Solve(ctx, &m, kernel.DenseMatrix(&d), y, 1e-12); err != nil {
			return 0 // K − hE is not positive definite: no difference to take
		}
		w[i] = m.W
	}
	for i := range n {
		checks++
		if d := (w[0][i] - w[1][i]) / (2 * h); math.Abs(d+want[i]) > 1e-4*math.Max(1, floats.Norm(want, math.Inf(1))) {
			t.Errorf("%v: response of w[%d] = %g by R, %g by differences", l, i, -want[i], d)
		}
	}
	return checks
}

// predictWithout returns f(x_i) for the f that is fitted to the points other than i.
func predictWithout(t testing.TB, l loss.Loss, k *mat.SymDense, y []float64, i int) float64 {
	t.Helper()
	n := len(y)
	sub, rest := mat.NewSymDense(n-1, nil), []float64(nil)
	at := func(j int) int {
		if j >= i {
			return j + 1
		}
		return j
	}
	for a := range n - 1 {
		rest = append(rest, y[at(a)])
		for b := a; b < n-1; b++ {
			sub.SetSym(a, b, k.At(at(a), at(b)))
		}
	}
	var s loss.Solution
	if err := l.Solve(ctx, &s, kernel.DenseMatrix(sub), rest, 1e-12); err != nil {
		t.Fatal(err)
	}
	f := s.Bias
	for a, w := range s.W {
		f += w * k.At(i, at(a))
	}
	return f
}
