package check_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/check"
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

const features = 4

// problem is kernel ridge regression with λ on 30 random points of 4 features.
func problem(f kernel.Family, s set.Set, lambda float64) *mkl.Problem {
	x, y := mkltest.RandomPoints(30, features, 3)
	return &mkl.Problem{Grams: f.Bind(x), Set: s, Loss: loss.Squared{Lambda: lambda}, Y: y}
}

// degree is the features' kernel of degree d: one parameter a feature.
func degree(d int) kernel.Family { return kernel.Features{Degree: d} }

// ball is a 2-norm ball about 1.
var ball = set.Ball{Q: 2, Radius: 0.8, Center: []float64{1, 1, 1, 1}}

// problems returns problems whose derivatives are right.
func problems() map[string]*mkl.Problem {
	ridge := problem(degree(2), set.Orthant{}, 0.5)
	ridge.Reg = reg.Ridge{Beta: 3}
	return map[string]*mkl.Problem{
		"simplex": problem(degree(2), set.Simplex{}, 0.5), "regularized": ridge,
		"degree 1": problem(degree(1), ball, 0.5), "degree 3": problem(degree(3), ball, 0.5),
		"sum": problem(kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 0.3}, kernel.Linear{}}, Degree: 2},
			set.Simplex{}, 0.5),
	}
}

// mutants are Grams with a wrong gradient; they lack second derivatives.
type mutants struct {
	kernel.Grams
	gradient func(dst []float64)
}

type mutant struct {
	kernel.Gram
	gradient func(dst []float64)
}

func (m mutants) New() kernel.Gram { return mutant{m.Grams.New(), m.gradient} }

func (m mutant) Gradient(dst, w []float64) {
	m.Gram.Gradient(dst, w)
	m.gradient(dst)
}

// curvedMutants are Grams with wrong second derivatives.
type curvedMutants struct {
	kernel.Grams
	along, second func(dst []float64)
}

type curvedMutant struct {
	kernel.Gram
	kernel.SecondOrder
	along, second func(dst []float64)
}

func (m curvedMutants) New() kernel.Gram {
	g := m.Grams.New()
	return curvedMutant{g, g.(kernel.SecondOrder), m.along, m.second}
}

func (m curvedMutant) MulDirectionalDerivative(dst, u, w []float64) {
	m.SecondOrder.MulDirectionalDerivative(dst, u, w)
	m.along(dst)
}

func (m curvedMutant) HessianVectorProduct(dst, u, w []float64) {
	m.SecondOrder.HessianVectorProduct(dst, u, w)
	m.second(dst)
}

// The mistakes one makes.
func right([]float64)        {}
func double(dst []float64)   { floats.Scale(2, dst) }
func negate(dst []float64)   { floats.Scale(-1, dst) }
func oneWrong(dst []float64) { dst[1] *= 5 }

var mistakes = map[string]func([]float64){"factor 2": double, "sign": negate, "one coordinate": oneWrong}

// seeds is the number of directions in which each problem is checked.
const seeds = 3

// expectOrder checks derivatives by check for all seeds. isRight says whether their order must hold.
func expectOrder(t *testing.T, name string, check func(*mkl.Problem, uint64) (check.Taylor, error), p *mkl.Problem,
	isRight bool) {
	t.Helper()
	for seed := range uint64(seeds) {
		r, err := check(p, seed)
		if err != nil || r.OrderHolds() != isRight || isRight && math.Abs(r.Slope-float64(r.Order+1)) > 0.2 {
			t.Errorf("%s, seed %d: %v, %v; the derivatives are right: %t", name, seed, r, err, isRight)
		}
	}
}

func TestGradient(t *testing.T) {
	for name, p := range problems() {
		expectOrder(t, name, check.Gradient, p, true)
		for what, mistake := range mistakes {
			wrong := *p
			wrong.Grams = mutants{p.Grams, mistake}
			expectOrder(t, name+", "+what, check.Gradient, &wrong, false)
		}
	}
}

func TestGradientOfReg(t *testing.T) {
	p := problem(degree(2), ball, 0.5)
	for gradient, isRight := range map[float64]bool{2: true, 1: false} {
		p.Reg = slanted{gradient}
		expectOrder(t, fmt.Sprint(p.Reg), check.Gradient, p, isRight)
	}
}

// slanted is r = ‖θ‖², whose gradient is said to be gradient·θ.
type slanted struct{ gradient float64 }

func (slanted) Validate(int) error { return nil }
func (s slanted) Value(grad, theta []float64) float64 {
	if grad != nil {
		floats.AddScaled(grad, s.gradient, theta)
	}
	return floats.Dot(theta, theta)
}

func TestHessian(t *testing.T) {
	for name, p := range problems() {
		expectOrder(t, name, check.Hessian, p, true)
	}
	p := problem(degree(2), ball, 0.5)
	for what, mistake := range mistakes {
		for part, m := range map[string]curvedMutants{"along": {p.Grams, mistake, right},
			"second": {p.Grams, right, mistake}} {
			if part == "along" && what == "one coordinate" {
				continue // of n points, it may not matter
			}
			wrong := *p
			wrong.Grams = m
			expectOrder(t, what+" of "+part, check.Hessian, &wrong, false)
			expectOrder(t, "gradient, "+what+" of "+part, check.Gradient, &wrong, true)
		}
	}
}

func TestTaylorReport(t *testing.T) {
	p := problem(degree(2), ball, 0.5)
	for want, mistake := range map[string]func([]float64){"order 1 falls like h^2.0": right,
		"would give h^2": double} {
		wrong := *p
		wrong.Grams = mutants{p.Grams, mistake}
		a, err := check.Gradient(&wrong, 7)
		b, _ := check.Gradient(&wrong, 7)
		if err != nil || !strings.Contains(a.String(), want) || a != b {
			t.Errorf("%v, then %v, %v, want %q", a, b, err, want)
		}
	}
}

// TestTaylorRefuses tests that a function that cannot be probed is an error.
func TestTaylorRefuses(t *testing.T) {
	flat := problem(degree(2), ball, 0.5)
	clear(flat.Y)
	bare := problem(degree(2), ball, 0.5)
	bare.Grams = mutants{bare.Grams, right}
	for _, c := range []struct {
		name, want string
		probe      func(*mkl.Problem, uint64) (check.Taylor, error)
		p          *mkl.Problem
	}{
		{"F = 0", "too flat", check.Gradient, flat},
		{"a family without second derivatives", "no second derivatives", check.Hessian, bare},
		{"no set", "no Set", check.Gradient, &mkl.Problem{Grams: bare.Grams, Loss: bare.Loss, Y: bare.Y}},
	} {
		if r, err := c.probe(c.p, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v, want an error that says %q", c.name, r, err, c.want)
		}
	}
}

// small is K = (μ₁K₁ + μ₂K₂)^{∘2} of given 2×2 matrices about μ₀ = ½.
func small(y []float64, lambda float64, k ...[]float64) *mkl.Problem {
	var l kernel.List
	center := make([]float64, len(k))
	for i, data := range k {
		l = append(l, kernel.Precomputed{N: 2, Data: data})
		center[i] = 0.5
	}
	return &mkl.Problem{Grams: kernel.Sum{Kernels: l, Degree: 2}.Bind(points.AllIndices(2)),
		Set:  set.Ball{Q: 2, Radius: 0.1, Center: center},
		Loss: loss.Squared{Lambda: lambda}, Y: y}
}

// TestCurvature tests that for degree 2, J is not convex for two positive definite 2×2 matrices, however small λ. The
// numbers are differences of F = 2J in the direction (1,−1), computed independently.
func TestCurvature(t *testing.T) {
	k1, k2 := []float64{1.8, 0.6, 0.6, 1.003125}, []float64{0.2, 0.4, 0.4, 0.996875}
	for lambda, want := range map[float64]float64{0.1: 3.55, 1e-3: -4.52, 1e-9: -4.59} {
		h, err := check.HessianMatrix(small([]float64{4, 21}, lambda, k1, k2), []float64{0.5, 0.5})
		if err != nil {
			t.Fatal(err)
		}
		u := mat.NewVecDense(2, []float64{1, -1})
		if got := 2 * mat.Inner(u, h, u); math.Abs(got-want) > 0.006 {
			t.Errorf("λ = %g: (1,−1)∇²F(1,−1) = %g, want %g", lambda, got, want)
		}
	}
	if _, err := check.HessianMatrix(small([]float64{4, 21}, 1, k1, k2), []float64{1}); err == nil {
		t.Error("one weight for two kernels is no error")
	}
}
