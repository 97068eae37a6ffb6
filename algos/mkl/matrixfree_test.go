package mkl

import (
	"context"
	"errors"
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
	grams := list.Bind(x)
	g := newMatrixFree(grams, must(grams.(kernel.Swept).Sweep()))
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
	gram.SetTheta(theta)
	kw, diag := make([]float64, n), make([]float64, n)
	if err := gram.computeKernelProducts(t.Context(), w); err != nil {
		t.Fatal(err)
	}
	gram.storeProduct(kw, w)
	gram.storeDiagonal(diag)
	e, _, lift := gram.ErrorBounds()
	shifts := g.diagonalShifts
	want := theta[0]*shifts[0] + theta[1]*shifts[1]
	if !(shifts[0] > 0 && shifts[1] > 0 && lift >= want && lift <= want*(1+1e-12)) {
		t.Errorf("lift %g of %g, want %g", lift, shifts, want)
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
	forms, bounds := make([]float64, 2), make([]float64, 2)
	gram.Gradient(forms, w)
	gram.GradientErrorBound(bounds, w)
	for k := range forms {
		form, size := wide(-forms[k]), 0.0
		for i, v := range w {
			form.Add(form, wide(0).Mul(wide(v), images[k][i]))
			size += math.Sqrt(g.diagonals[k][i]) * math.Abs(v)
		}
		if off, _ := form.Float64(); !(math.Abs(off) <= bounds[k]) {
			t.Errorf("form %d is off by %g, bound %g", k, off, bounds[k])
		}
		if !(bounds[k] >= (g.sweep.ErrorFactor()+sumBlock*linalg.Epsilon)*size*size) {
			t.Errorf("bound %d, %g, is without the error of images", k, bounds[k])
		}
	}
}

// TestMend tests w with Σw ≠ 0 in each column: the bound of the error of ∇J covers the feasible w, whose largest
// coordinate differs by that, as K_ii varies.
func TestMend(t *testing.T) {
	x := points.NewRows([][]float64{{1, 0}, {900, 3}, {-1, 2}, {2, 1}, {0, 1}, {1, 1}})
	f := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}}}
	p := &Problem{Grams: f.Bind(x), Set: set.Simplex{}, Loss: loss.Repeat(loss.SquaredHinge{Lambda: 1}, 2),
		Y: []float64{1, 1, -1, -1, -1, -1, -1, 1, 1, 1, -1, -1}}
	const off = 1e-9
	w := []float64{1, 2 + off, -1, -1, -0.5, -0.5, -1, 3 - off, 1, 1, -2, -2}
	meant := []float64{1, 2, -1, -1, -0.5, -0.5, -1, 3, 1, 1, -2, -2}
	got := must(p.EvaluateAt(t.Context(), []float64{0.5, 0.5}, w))
	want := must(p.EvaluateAt(t.Context(), []float64{0.5, 0.5}, meant))
	e, eWant := got.gradientErrorBounds(), want.gradientErrorBounds()
	for k, g := range got.GradJ() {
		if d := math.Abs(g - want.GradJ()[k]); !(d <= e[k]+eWant[k]) || !(e[k] <= 100*(d+eWant[k])) {
			t.Errorf("∇J_%d is off by %g, bound %g", k, d, e[k])
		}
	}
}

// TestInfeasible tests that a w beyond its bounds, or with Σw ≠ 0, proves no bound of min F above 0.
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
			c, err := p.Certify(must(p.EvaluateAt(t.Context(), r.Theta, w)), true)
			_, hinge := l.(loss.SquaredHinge)
			feasible := what == "nothing" || hinge && what == "ten times as much" // which has no upper bounds
			if err != nil || !(c.Upper >= r.Lower && c.Lower <= r.Upper) || c.Lower > 0 != feasible {
				t.Errorf("%v, %s: [%g, %g] %v, F is %g", l, what, c.Lower, c.Upper, err, r.F)
			}
		}
	}
}

// TestCertifyAt tests that the bounds of any function are those that full matrices give for its value and for the α of
// its residuals, to rounding, also where w is 0 but for the first points; what it is not for is refused.
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
		got := must(p.CertifyAt(t.Context(), theta, w))
		pt := must(p.EvaluateAt(t.Context(), theta, w))
		upper, alpha := pt.Upper(), make([]float64, n)
		for i := range alpha {
			alpha[i] = y[i]
			for j, v := range w {
				alpha[i] -= pt.Gram.K().At(i, j) * v
			}
			alpha[i] /= 0.5
		}
		want := must(p.Certify(must(p.EvaluateAt(t.Context(), theta, alpha)), false))
		if near := 1e-9 * upper; !(math.Abs(got.Upper-upper) < near && math.Abs(got.Lower-want.Lower) < near) {
			t.Errorf("%d coefficients: [%g, %g], dense [%g, %g]", first, got.Lower, got.Upper, want.Lower, upper)
		}
	}
	for last := range 2 { // the pass for α fails, and the pass for f
		q := *p
		q.Grams = failingPasses{p.Grams, new(last)}
		c, err := q.CertifyAt(t.Context(), theta, w)
		if !errors.Is(err, errPass) || (c.Kind == Global && c.Lower <= c.Upper) != (last == 1) {
			t.Errorf("%d passes, then none: %+v, %v", last, c, err)
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

var errPass = errors.New("the pass failed")

// failingPasses are Grams whose passes fail after the first ones.
type failingPasses struct {
	kernel.Grams
	left *int
}

func (g failingPasses) Sweep() (kernel.Sweep, error) {
	s, err := g.Grams.(kernel.Swept).Sweep()
	return failingSweep{s, g.left}, err
}

type failingSweep struct {
	kernel.Sweep
	left *int
}

func (s failingSweep) Products(ctx context.Context, dst [][]float64, w []float64) error {
	if *s.left--; *s.left < 0 {
		return errPass
	}
	return s.Sweep.Products(ctx, dst, w)
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

// normal are n points of d normal features.
func normal(rng *rand.Rand, n, d int) points.Rows {
	x := points.Rows{N: n, D: d, Data: make([]float64, n*d)}
	for i := range x.Data {
		x.Data[i] = rng.NormFloat64()
	}
	return x
}

// must is for what cannot fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func wide(v float64) *big.Float { return new(big.Float).SetPrec(512).SetFloat64(v) }

// sweptColumns returns the columns of the base matrices that the sweep makes: entry [j][k][i] is K_k,ij.
func sweptColumns(g *matrixFree) [][][]float64 {
	m, n := g.Dims()
	columns, unit := make([][][]float64, n), make([]float64, n)
	for j := range unit {
		unit[j], columns[j] = 1, zeroMatrix(m, n)
		if err := g.sweep.Products(context.Background(), columns[j], unit); err != nil {
			panic(err)
		}
		unit[j] = 0
	}
	return columns
}
