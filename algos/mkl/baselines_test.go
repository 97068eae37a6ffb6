package mkl_test

import (
	"context"
	"fmt"
	"math/rand/v2"
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
	"gonum.org/v1/gonum/mat"
)

// simplexCases are those of kinked on a simplex, and of the squared loss.
func simplexCases() (cs []mkltest.Case) {
	for _, c := range append(kinked(), mkltest.Cases()...) {
		if _, ok := c.Set.(set.Simplex); ok {
			cs = append(cs, c)
		}
	}
	return cs
}

func TestReducedGradient(t *testing.T) {
	var smooth []mkltest.Case
	for _, c := range simplexCases() {
		if !strings.HasPrefix(c.Name, "features, ") { // kinks: see below
			smooth = append(smooth, c)
		}
	}
	mkltest.TestSolver(t, mkl.ReducedGradient{}, mkltest.Options{Cases: smooth, Gap: 1e-5, Warm: 20})
}

// TestReducedGradientVertices: matrices of rank one, of which the best is often alone, with the slope of r and
// without, and targets that are all 0, which leave r.
func TestReducedGradientVertices(t *testing.T) {
	const n, m = 12, 5
	rng := rand.New(rand.NewPCG(4, 4))
	var columns kernel.List
	for k := range m {
		columns = append(columns, kernel.Linear{Columns: []int{k}})
	}
	for draw := range 40 {
		x, c, y := points.Rows{N: n, D: m, Data: make([]float64, n*m)}, make([]float64, m), make([]float64, n)
		for i := range x.Data {
			x.Data[i] = rng.NormFloat64()
		}
		for i := range y {
			if draw%4 < 3 {
				y[i] = x.Row(i)[0] + 0.3*rng.NormFloat64()
			}
		}
		p := &mkl.Problem{Grams: columns.On(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 0.5}, Y: y}
		if draw%2 == 1 {
			for k := range c {
				c[k] = rng.NormFloat64()
			}
			p.Reg = slant{c}
		}
		r, err := mkl.Solve(context.Background(), p, mkl.ReducedGradient{}, &mkl.Settings{Gap: 1e-5})
		if err != nil || r.Status != mkl.Certified {
			t.Errorf("draw %d: %v, %v", draw, r, err)
		}
	}
}

// TestReducedGradientKinks: where F has kinks a run may stall above the minimum, and then says so.
func TestReducedGradientKinks(t *testing.T) {
	for _, c := range simplexCases() {
		if !strings.HasPrefix(c.Name, "features, ") {
			continue
		}
		r, err := mkl.Solve(context.Background(), c.Problem, mkl.ReducedGradient{}, &mkl.Settings{Gap: 1e-5})
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != mkl.Certified && r.Status != mkl.Stalled || r.RelativeGap() > 0.2 {
			t.Errorf("%s: %v", c.Name, r)
		}
	}
}

func TestClosedForm(t *testing.T) {
	var cs []mkltest.Case
	for _, c := range append(kinked(), mkltest.Cases()...) {
		cs = append(cs, c)
	}
	x, y := mkltest.Points(30, 4, 3)
	g := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1},
		kernel.Laplacian{Gamma: 0.5}}, Normalize: kernel.MeanDiagonal}.On(x)
	for _, r := range []reg.Reg{reg.Ridge{Beta: 0.3}, reg.Lasso{Beta: 1}} {
		cs = append(cs,
			mkltest.Case{Name: fmt.Sprintf("squared, %T%+v", r, r),
				Problem: &mkl.Problem{Grams: g, Set: set.Orthant{At: 0.3}, Reg: r, Loss: loss.Squared{Lambda: 0.5},
					Y: y}, Global: true})
	}
	mkltest.TestSolver(t, mkl.ClosedForm{}, mkltest.Options{Cases: cs, Gap: 1e-2, Warm: -1, Iterations: 2000})
	sharp := cs[:0:0]
	for _, c := range cs {
		if b, ok := c.Set.(set.Ball); ok && b.Q > 1 {
			sharp = append(sharp, c)
		}
	}
	mkltest.TestSolver(t, mkl.ClosedForm{}, mkltest.Options{Cases: sharp, Gap: 1e-6, Warm: 20})
}

// TestEasyMKL: γ by plain gradient descent on the two distributions.
func TestEasyMKL(t *testing.T) {
	ctx := context.Background()
	x, y := mkltest.Points(24, 3, 5)
	list := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 1}}
	p := &mkl.Problem{Grams: list.On(x), Set: set.Simplex{}, Loss: loss.Hinge{C: 1}, Y: signs(y)}
	k := p.Grams.New()
	k.At([]float64{1, 1, 1})
	n := len(y)
	project := func(g []float64) { // each class onto its simplex
		for _, class := range []float64{1, -1} {
			var at []int
			var v []float64
			for i, s := range p.Y {
				if s == class {
					at, v = append(at, i), append(v, g[i])
				}
			}
			set.Simplex{}.Project(v, v)
			for i, j := range at {
				g[j] = v[i]
			}
		}
	}
	gamma, w, kw := make([]float64, n), make([]float64, n), mat.NewVecDense(n, nil)
	project(gamma)
	for range 200000 {
		floats.MulTo(w, gamma, p.Y)
		kw.MulVec(k.K(), mat.NewVecDense(n, w))
		for i := range gamma {
			gamma[i] -= 0.01 * (0.9*p.Y[i]*kw.AtVec(i) + 0.1*gamma[i])
		}
		project(gamma)
	}
	floats.MulTo(w, gamma, p.Y)
	want := make([]float64, 3)
	k.Gradient(want, w)
	floats.Scale(1/floats.Sum(want), want)
	got, err := mkl.EasyMKL{}.Weights(ctx, p)
	if err != nil || !floats.EqualApprox(got, want, 1e-4) {
		t.Errorf("%v (%v), want %v", got, err, want)
	}
	q := *p
	q.Y = y
	if _, err := (mkl.EasyMKL{}).Weights(ctx, &q); err == nil {
		t.Error("targets that are no labels are taken")
	}
}
