package mkl

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// TestSweptGram holds K(θ)w, the forms wᵀK_kw and the sizes that bounds are made of to 512 bits, K_k the columns that
// the sweep makes, and what K(θ) is lifted by to the lifts.
func TestSweptGram(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	const n = 520 // beyond a part, and a strip
	x, w, theta := normal(rng, n, 2), normal(rng, n, 1).Data, []float64{0.3, 1.7}
	floats.Scale(3, x.Data)
	list := kernel.List{kernel.RBF{Gamma: 0.1}, kernel.Polynomial{Degree: 2, Offset: 1}}
	p := must((&Problem{Grams: list.Bind(x), Set: set.Simplex{}}).MatrixFree())
	g := p.Grams.(*matrixFree)
	images := [][]*big.Float{make([]*big.Float, n), make([]*big.Float, n)} // K_kw
	for j, column := range sweptColumns(g) {
		for k, entries := range column {
			for i, v := range entries {
				if j == 0 {
					images[k][i] = wide(0)
				}
				images[k][i].Add(images[k][i], wide(0).Mul(wide(v), wide(w[j])))
			}
		}
	}
	gram := g.New().(*matrixFreeGram)
	gram.At(theta)
	kw, diag := make([]float64, n), make([]float64, n)
	gram.multiply(kw, w)
	gram.diagonal(diag)
	e, _, lift := gram.Bounds()
	if want := theta[0]*g.shifts[0] + theta[1]*g.shifts[1]; !(g.shifts[0] > 0 && g.shifts[1] > 0 && lift >= want &&
		lift <= want*(1+1e-12)) {
		t.Errorf("lift %g of %g, want %g", lift, g.shifts, want)
	}
	size := 0.0
	for i, v := range w {
		size += math.Sqrt(diag[i]) * math.Abs(v)
	}
	for i, got := range kw {
		d := wide(-got)
		for k, s := range theta {
			d.Add(d, wide(0).Mul(wide(s), images[k][i]))
		}
		if off, _ := d.Float64(); !(math.Abs(off) <= e*math.Sqrt(diag[i])*size) {
			t.Errorf("K(θ)w: %d is off by %g, bound %g", i, off, e*math.Sqrt(diag[i])*size)
		}
	}
	forms, bounds, sizes := make([]float64, 2), make([]float64, 2), g.diagonalNorms(w)
	gram.Gradient(forms, w)
	gram.GradientError(bounds, w)
	for k := range forms {
		form, sum := wide(-forms[k]), wide(0)
		for i, v := range w {
			form.Add(form, wide(0).Mul(wide(v), images[k][i]))
			sum.Add(sum, wide(0).Mul(wide(0).Sqrt(wide(g.diagonals[k][i])), wide(math.Abs(v))))
		}
		if off, _ := form.Float64(); !(math.Abs(off) <= bounds[k]) {
			t.Errorf("form %d is off by %g, bound %g", k, off, bounds[k])
		}
		if sum.Cmp(wide(sizes[k])) > 0 || !(bounds[k] >= (g.sweep.Error()+sumBlock*linalg.Epsilon)*sizes[k]*sizes[k]) {
			t.Errorf("size %d is %g, less than %v, or the bound %g without the error of images", k, sizes[k], sum,
				bounds[k])
		}
	}
}

// TestMend: of w with Σw ≠ 0 in each column, the bound of the error of ∇J covers the w meant, whose largest coordinate
// differs by that, as K_ii varies; by matrices and by sweeps.
func TestMend(t *testing.T) {
	x := points.NewRows([][]float64{{1, 0}, {900, 3}, {-1, 2}, {2, 1}, {0, 1}, {1, 1}})
	f := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}}}
	p := &Problem{Grams: f.Bind(x), Set: set.Simplex{}, Loss: loss.Repeat(loss.SquaredHinge{Lambda: 1}, 2),
		Y: []float64{1, 1, -1, -1, -1, -1, -1, 1, 1, 1, -1, -1}}
	q := must(p.MatrixFree())
	const off = 1e-9
	w := []float64{1, 2 + off, -1, -1, -0.5, -0.5, -1, 3 - off, 1, 1, -2, -2}
	meant := []float64{1, 2, -1, -1, -0.5, -0.5, -1, 3, 1, 1, -2, -2}
	for _, p := range []*Problem{p, q} {
		at := func(w []float64) *Point {
			pt, err := p.EvaluateAt(t.Context(), []float64{0.5, 0.5}, w)
			if err != nil {
				t.Fatal(err)
			}
			return pt
		}
		got, want := at(w), at(meant)
		e, eWant := got.gradError(), want.gradError()
		for k, g := range got.GradJ() {
			if d := math.Abs(g - want.GradJ()[k]); !(d <= e[k]+eWant[k]) || !(e[k] <= 100*(d+eWant[k])) {
				t.Errorf("swept %v: ∇J_%d is off by %g, bound %g", p == q, k, d, e[k])
			}
		}
	}
}

// TestInfeasible: of a w beyond its bounds, or with Σw ≠ 0, no bound of min F above 0 is proved, by matrices and by
// sweeps.
func TestInfeasible(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	const n = 30
	x, y := normal(rng, n, 1), make([]float64, n)
	for i := range y {
		y[i] = math.Copysign(1, x.Data[i]+rng.NormFloat64())
	}
	list := kernel.List{kernel.RBF{Gamma: 1}, kernel.Linear{}}
	for _, l := range []loss.Loss{loss.Hinge{C: 1}, loss.SquaredHinge{Lambda: 1},
		loss.EpsilonInsensitive{C: 1, Epsilon: 0.1}} {
		p := &Problem{Grams: list.Bind(x), Set: set.Simplex{}, Loss: l, Y: y}
		r := must(Solve(t.Context(), p, Level{}, &Settings{Gap: 1e-6}))
		for what, change := range map[string]func(w []float64){
			"nothing":           func([]float64) {},
			"ten times as much": func(w []float64) { floats.Scale(10, w) },
			"other signs":       func(w []float64) { floats.Scale(-1, w) },
			"Σw = 0.01":         func(w []float64) { w[slices.Index(y, 1)] += 0.01 },
		} {
			w := slices.Clone(r.W)
			change(w)
			for _, p := range []*Problem{p, must(p.MatrixFree())} {
				c, err := p.Certify(must(p.EvaluateAt(t.Context(), r.Theta, w)), true)
				_, hinge := l.(loss.SquaredHinge)
				feasible := what == "nothing" || hinge && what == "ten times as much" // which has no upper bounds
				if err != nil || !(c.Upper >= r.Lower && c.Lower <= r.Upper) || c.Lower > 0 != feasible {
					t.Errorf("%v, %s: [%g, %g] %v, F is %g", l, what, c.Lower, c.Upper, err, r.F)
				}
			}
		}
	}
}

// TestOutside: of a θ < 0 nothing is claimed, and the lower bound is that of w, by matrices and by sweeps.
func TestOutside(t *testing.T) {
	x := normal(rand.New(rand.NewPCG(3, 9)), 20, 2)
	list := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}}
	p := &Problem{Grams: list.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.1}, Y: x.Data[:20]}
	r := must(Solve(t.Context(), p, SPG{}, nil))
	for _, q := range []*Problem{p, must(p.MatrixFree())} {
		c, err := q.Certify(must(q.EvaluateAt(t.Context(), []float64{-1, 2}, r.W)), false)
		if err != nil || !c.Infeasible || !(c.Rounding >= 0 && c.ShiftError >= 0) ||
			!(math.Abs(c.Lower-r.Lower) < 1e-6*r.F) {
			t.Errorf("swept %v: %+v, %v, want the lower bound %g", q != p, c, err, r.Lower)
		}
	}
}

// TestCertifyAt: what is proved of any function is what the dense road gives for its value and for the α of its
// residuals, to rounding, also where w is 0 but for the first points; what it is not for is refused.
func TestCertifyAt(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	const n = 200
	x, y, w := points.Rows{N: n, D: 2, Data: make([]float64, 2*n)}, make([]float64, n), make([]float64, n)
	for i := range n {
		x.Row(i)[0], x.Row(i)[1] = rng.NormFloat64(), rng.NormFloat64()
		y[i] = math.Sin(2*x.Row(i)[0]) + 0.1*rng.NormFloat64()
	}
	list := kernel.List{kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}}
	p := &Problem{Grams: list.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.5}, Y: y}
	theta := []float64{0.3, 0.7}
	for _, first := range []int{0, 3, n} {
		for i := range w {
			if w[i] = 0; i < first {
				w[i] = rng.NormFloat64() / 10
			}
		}
		got, err := p.CertifyAt(context.Background(), theta, w)
		if err != nil {
			t.Fatal(err)
		}
		pt, err := p.EvaluateAt(t.Context(), theta, w)
		if err != nil {
			t.Fatal(err)
		}
		upper, alpha := pt.Upper(), make([]float64, n)
		for i := range alpha {
			alpha[i] = y[i]
			for j, v := range w {
				alpha[i] -= pt.Gram.K().At(i, j) * v
			}
			alpha[i] /= 0.5
		}
		if pt, err = p.EvaluateAt(t.Context(), theta, alpha); err != nil {
			t.Fatal(err)
		}
		want, err := p.Certify(pt, false)
		if err != nil {
			t.Fatal(err)
		}
		if near := 1e-9 * upper; !(math.Abs(got.Upper-upper) < near && math.Abs(got.Lower-want.Lower) < near) {
			t.Errorf("%d coefficients: [%g, %g], dense [%g, %g]", first, got.Lower, got.Upper, want.Lower, upper)
		}
	}
	for want, bad := range map[string][2][]float64{
		"1 weights for 2 parameters": {{1}, w}, "3 dual coefficients for 200 targets": {theta, w[:3]},
		"NaN": {theta, append(slices.Clone(w[1:]), math.NaN())},
		"Inf": {theta, append(slices.Clone(w[1:]), math.Inf(1))}, "outside Θ": {{-1, 2}, w},
	} {
		if _, err := p.CertifyAt(t.Context(), bad[0], bad[1]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not refused: %v", want, err)
		}
	}
	hinge := *p
	hinge.Loss = loss.SquaredHinge{Lambda: 1}
	for i, v := range y {
		y[i] = math.Copysign(1, v)
	}
	if _, err := hinge.CertifyAt(context.Background(), theta, w); err == nil {
		t.Error("a loss whose α is not that of residuals is not refused")
	}
}

// TestNoRoom: where half of K(θ) has no room in memory, a run and a certificate are refused before any work.
func TestNoRoom(t *testing.T) {
	const n = 1_000_000
	p := &Problem{Grams: kernel.List{kernel.RBF{Gamma: 1}}.Bind(points.Rows{Data: make([]float64, n), N: n, D: 1}),
		Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: make([]float64, n)}
	_, run := Solve(context.Background(), p, SPG{}, nil)
	_, judged := p.EvaluateAt(context.Background(), []float64{1}, make([]float64, n))
	for _, err := range []error{run, judged} {
		if err == nil || !strings.Contains(err.Error(), "1000000 points need 8e+03 GB") ||
			!strings.Contains(err.Error(), "Subspace") {
			t.Error(err)
		}
	}
}

// TestNothingToClaim asks for an error of a Θ with θ < 0, of which K(θ) may be indefinite.
func TestNothingToClaim(t *testing.T) {
	x := points.NewRows([][]float64{{0}, {1}, {2}})
	narrow, wide := kernel.RBF{Gamma: 100}, kernel.RBF{Gamma: 1e-6}
	p := &Problem{Grams: kernel.List{narrow, wide, wide, narrow}.Bind(x), Set: set.Spectraplex{Trace: 1},
		Loss: loss.Squared{Lambda: 0.1}, Y: []float64{1, 1, 1}}
	if c, err := p.CertifyAt(context.Background(), []float64{0.5, -0.5, -0.5, 0.5}, make([]float64, 3)); err == nil {
		t.Errorf("[%g, %g] of an indefinite K(θ)", c.Lower, c.Upper)
	}
	const reason = "use a set of θ ≥ 0"
	if _, err := p.EvaluateAt(context.Background(), []float64{0.5, -0.5, -0.5, 0.5}, make([]float64, 3)); err == nil ||
		!strings.Contains(err.Error(), reason) {
		t.Errorf("EvaluateAt of vectors θ on a set of matrices: %v", err)
	}
	p.Set = set.Product{Factor: set.Spectraplex{Trace: 1}, Count: 4}
	if err := p.Validate(); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("vectors θ on a product of sets of matrices: %v", err)
	}
}
