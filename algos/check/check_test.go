package check_test

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

const features = 4

// problem is kernel ridge regression with λ on 30 random points of 4 features.
func problem(f kernel.Family, s set.Set, lambda float64) *mkl.Problem {
	x, y := mkltest.Points(30, features, 3)
	return &mkl.Problem{Grams: f.On(x), Set: s, Loss: loss.Squared{Lambda: lambda}, Y: y}
}

// degree is the features' kernel of degree d: one parameter a feature.
func degree(d int) kernel.Family { return kernel.Features{Degree: d} }

// ball is a 2-norm ball about 1.
var ball = set.Ball{Q: 2, Radius: 0.8, Center: []float64{1, 1, 1, 1}}

// problems are those whose derivatives are right.
func problems() map[string]*mkl.Problem {
	all := map[string]*mkl.Problem{
		"simplex": problem(degree(2), set.Simplex{}, 0.5),
		"sum": problem(kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 0.3}, kernel.Linear{}}, Degree: 2},
			set.Simplex{}, 0.5),
	}
	for d := 1; d <= 3; d++ {
		all[fmt.Sprintf("degree %d", d)] = problem(degree(d), ball, 0.5)
	}
	ridge := problem(degree(2), set.Orthant{}, 0.5)
	ridge.Reg = reg.Ridge{Beta: 3}
	all["regularised"] = ridge
	return all
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
	kernel.Curved
	along, second func(dst []float64)
}

func (m curvedMutants) New() kernel.Gram {
	g := m.Grams.New()
	return curvedMutant{g, g.(kernel.Curved), m.along, m.second}
}

func (m curvedMutant) Along(dst, u, w []float64) {
	m.Curved.Along(dst, u, w)
	m.along(dst)
}

func (m curvedMutant) Second(dst, u, w []float64) {
	m.Curved.Second(dst, u, w)
	m.second(dst)
}

// The mistakes one makes.
func right([]float64)        {}
func double(dst []float64)   { floats.Scale(2, dst) }
func negate(dst []float64)   { floats.Scale(-1, dst) }
func oneWrong(dst []float64) { dst[1] *= 5 }

var mistakes = map[string]func([]float64){"factor 2": double, "sign": negate, "one coordinate": oneWrong}

const seeds = 5

func TestGradient(t *testing.T) {
	for name, p := range problems() {
		for seed := range uint64(seeds) {
			r, err := check.Gradient(p, seed)
			if err != nil || !r.Right() || math.Abs(r.Slope-2) > 0.1 {
				t.Errorf("%s, seed %d: %v, %v, want slope 2", name, seed, r, err)
			}
			for _, hv := range r.Curve {
				if !(hv[0] > 0 && hv[1] > 0) {
					t.Errorf("%s, seed %d: %v on the curve, want both > 0 for log axes", name, seed, hv)
				}
			}
		}
		for what, mistake := range mistakes {
			wrong := *p
			wrong.Grams = mutants{p.Grams, mistake}
			for seed := range uint64(seeds) {
				r, err := check.Gradient(&wrong, seed)
				if err != nil || r.Right() {
					t.Errorf("%s, %s, seed %d: %v, %v, want it wrong", name, what, seed, r, err)
				}
			}
		}
	}
}

func TestGradientOfReg(t *testing.T) {
	p := problem(degree(2), ball, 0.5)
	for seed := range uint64(seeds) {
		p.Reg = slanted{gradient: 2}
		if r, err := check.Gradient(p, seed); err != nil || !r.Right() {
			t.Errorf("seed %d: %v, %v, want it right", seed, r, err)
		}
		p.Reg = slanted{gradient: 1}
		if r, err := check.Gradient(p, seed); err != nil || r.Right() {
			t.Errorf("seed %d: %v, %v, want it wrong", seed, r, err)
		}
	}
}

// slanted is r = ‖θ‖², whose gradient is said to be gradient·θ.
type slanted struct{ gradient float64 }

func (slanted) Validate(int) error    { return nil }
func (s slanted) Slice([]int) reg.Reg { return s }
func (s slanted) Value(grad, theta []float64) float64 {
	if grad != nil {
		floats.AddScaled(grad, s.gradient, theta)
	}
	return floats.Dot(theta, theta)
}

func TestHessian(t *testing.T) {
	for name, p := range problems() {
		for seed := range uint64(seeds) {
			r, err := check.Hessian(p, seed)
			if err != nil || !r.Right() || math.Abs(r.Slope-3) > 0.2 {
				t.Errorf("%s, seed %d: %v, %v, want slope 3", name, seed, r, err)
			}
		}
	}
	// Second derivatives of K are 0 for degree 1.
	for _, d := range []int{2, 3} {
		p := problem(degree(d), ball, 0.5)
		for what, mistake := range mistakes {
			for part, m := range map[string]curvedMutants{"along": {p.Grams, mistake, right},
				"second": {p.Grams, right, mistake}} {
				if part == "along" && what == "one coordinate" {
					continue // of n points, it may not matter
				}
				wrong := *p
				wrong.Grams = m
				for seed := range uint64(seeds) {
					r, err := check.Hessian(&wrong, seed)
					if err != nil || r.Right() {
						t.Errorf("degree %d, %s of %s, seed %d: %v, %v, want it wrong", d, what, part, seed, r, err)
					}
					if r, err := check.Gradient(&wrong, seed); err != nil || !r.Right() {
						t.Errorf("degree %d, %s of %s, seed %d: %v, %v, the gradient is right", d, what, part, seed, r,
							err)
					}
				}
			}
		}
	}
}

func TestTaylorReport(t *testing.T) {
	p := problem(degree(2), ball, 0.5)
	a, err := check.Gradient(p, 7)
	if err != nil || !strings.Contains(a.String(), "order 1 falls like h^2.0") {
		t.Errorf("%v, %v, want order and power", a, err)
	}
	if b, _ := check.Gradient(p, 7); !reflect.DeepEqual(a, b) {
		t.Error("two probes of the same seed differ")
	}
	p.Grams = mutants{p.Grams, double}
	if r, err := check.Gradient(p, 7); err != nil || !strings.Contains(r.String(), "would like h^2") {
		t.Errorf("%v, %v, want the power that was expected", r, err)
	}
}

// TestTaylorRefuses: what cannot be probed is an error, not a slope.
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

const pairs = 40

// TestChords: F of a linear family is convex; of degree 2 and a large λ it is nearly −½wᵀK(θ)w with w = y/λ,
// which is concave.
func TestChords(t *testing.T) {
	concave := problem(degree(1), ball, 0.5)
	concave.Reg = bowl{-10}
	convex := problem(degree(1), ball, 0.5)
	convex.Reg = bowl{10}
	for name, c := range map[string]struct {
		p    *mkl.Problem
		want bool
	}{
		"degree 1":               {problem(degree(1), ball, 0.5), false},
		"degree 1 on a simplex":  {problem(degree(1), set.Simplex{}, 0.01), false},
		"degree 1, convex r":     {convex, false},
		"degree 1, concave r":    {concave, true},
		"degree 2, large λ":      {problem(degree(2), ball, 1000), true},
		"degree 2, on a simplex": {problem(degree(2), set.Simplex{}, 1000), true},
	} {
		for seed := range uint64(seeds) {
			r, err := check.Chords(c.p, pairs, seed)
			if err != nil || r.Refuted() != c.want || r.Pairs != pairs {
				t.Errorf("%s, seed %d: %v, %v, want refuted %v after %d chords", name, seed, r, err, c.want, pairs)
			}
			if r.Refuted() {
				witness(t, c.p, r, func(a, b float64) float64 { return (a + b) / 2 })
			}
		}
	}
}

// bowl is r = a‖θ‖².
type bowl struct{ a float64 }

func (b bowl) Slice([]int) reg.Reg { return b }
func (bowl) Validate(int) error    { return nil }
func (b bowl) Value(grad, theta []float64) float64 {
	if grad != nil {
		floats.AddScaled(grad, 2*b.a, theta)
	}
	return b.a * floats.Dot(theta, theta)
}

// witness recomputes the violation at the pair that is shown, of points of Θ.
func witness(t *testing.T, p *mkl.Problem, r check.Convexity, midpoint func(a, b float64) float64) {
	t.Helper()
	at := func(theta []float64) float64 {
		pt := p.NewPoint()
		copy(pt.Theta, theta)
		if err := pt.Evaluate(nil, 1e-12); err != nil {
			t.Fatal(err)
		}
		return pt.F()
	}
	m, moved := make([]float64, len(r.A)), make([]float64, len(r.A))
	for k := range m {
		m[k] = midpoint(r.A[k], r.B[k])
	}
	f := at(m)
	if got := (f - (at(r.A)+at(r.B))/2) / math.Abs(f); math.Abs(got-r.Worst) > 1e-10 {
		t.Errorf("the pair violates convexity by %g, the report says %g", got, r.Worst)
	}
	for _, theta := range [][]float64{r.A, r.B} {
		p.Set.Project(moved, theta)
		if d := floats.Distance(moved, theta, 2); d > 1e-12 {
			t.Errorf("%v is %g outside Θ", theta, d)
		}
	}
}

// TestHiddenChords: F is convex in t = (θ−μ₀)^q where the degree is at most q, though not in θ.
func TestHiddenChords(t *testing.T) {
	about := func(q float64, center []float64) set.Ball { return set.Ball{Q: q, Radius: 0.8, Center: center} }
	for name, c := range map[string]struct {
		p    *mkl.Problem
		want bool
	}{
		"degree 2, q = 2":           {problem(degree(2), about(2, nil), 1000), false},
		"degree 2, q = 2, about μ₀": {problem(degree(2), ball, 1000), false},
		"degree 3, q = 3":           {problem(degree(3), about(3, nil), 1000), false},
		"degree 2, q = 1":           {problem(degree(2), about(1, nil), 1000), true},
		"degree 3, q = 2":           {problem(degree(3), about(2, nil), 1000), true},
	} {
		q := c.p.Set.(set.Ball).Q
		for seed := range uint64(seeds) {
			r, err := check.HiddenChords(c.p, pairs, seed)
			if err != nil || r.Refuted() != c.want {
				t.Errorf("%s, seed %d: %v, %v, want refuted %v", name, seed, r, err, c.want)
			}
			if r.Refuted() {
				witness(t, c.p, r, func(a, b float64) float64 {
					return math.Pow((math.Pow(a, q)+math.Pow(b, q))/2,
						1/q)
				})
			}
			if straight, err := check.Chords(c.p, pairs, seed); err != nil || !straight.Refuted() {
				t.Errorf("%s, seed %d: in θ %v, %v, want it refuted", name, seed, straight, err)
			}
		}
	}
}

// TestConvexityReport: what is not refuted is not called convex.
func TestConvexityReport(t *testing.T) {
	a, err := check.Chords(problem(degree(1), ball, 0.5), 3, 1)
	if err != nil || !strings.Contains(a.String(), "does not prove") || !strings.Contains(a.String(), "3 chords") {
		t.Errorf("%v, %v, want that nothing is proved by 3 chords", a, err)
	}
	if b, _ := check.Chords(problem(degree(1), ball, 0.5), 3, 1); !reflect.DeepEqual(a, b) {
		t.Error("two probes of the same seed differ")
	}
	if r, err := check.Chords(problem(degree(2), ball, 1000), 20, 1); err != nil ||
		!strings.Contains(r.String(), "not convex") {
		t.Errorf("%v, %v, want it to say not convex", r, err)
	}
}

// TestChordsRefuse: bad questions are errors.
func TestChordsRefuse(t *testing.T) {
	p := problem(degree(2), ball, 1)
	box, simplex, none := *p, *p, *p
	box.Set, simplex.Set, none.Set = set.Ball{Q: math.Inf(1), Radius: 1}, set.Simplex{}, nil
	for _, c := range []struct {
		name, want string
		probe      func(*mkl.Problem, int, uint64) (check.Convexity, error)
		p          *mkl.Problem
		pairs      int
	}{
		{"no pairs", "0 pairs", check.Chords, p, 0},
		{"no pairs", "0 pairs", check.HiddenChords, p, 0},
		{"no set", "no Set", check.Chords, &none, 1},
		{"no set", "no Set", check.HiddenChords, &none, 1},
		{"a box", "+Inf", check.HiddenChords, &box, 1},
		{"a simplex", "set.Simplex", check.HiddenChords, &simplex, 1},
	} {
		if r, err := c.probe(c.p, c.pairs, 1); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v, want an error that says %q", c.name, r, err, c.want)
		}
	}
}

// TestWorst: more chords of the same seed begin with the fewer, so the worst can only grow.
func TestWorst(t *testing.T) {
	p, last := problem(degree(2), ball, 1000), 0.0
	for n := 1; n <= 20; n++ {
		r, err := check.Chords(p, n, 1)
		if err != nil || r.Worst < last {
			t.Errorf("%d chords: %g, %v, want at least %g as with one less", n, r.Worst, err, last)
		}
		last = r.Worst
	}
}
