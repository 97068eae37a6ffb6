package reg_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/reg/regtest"
	"github.com/mklnb/mkl/algos/testenv"

	"gonum.org/v1/gonum/floats"
)

func near(d reg.Distance, rho float64, m, targets int) reg.DistancePenalty {
	rng := rand.New(rand.NewPCG(uint64(m), 3))
	r := reg.DistancePenalty{Rho: rho, Distance: d}
	for range targets {
		s := make([]float64, m)
		for k := range s {
			s[k] = rng.NormFloat64()
		}
		r.Targets = append(r.Targets, s)
	}
	return r
}

func TestNear(t *testing.T) {
	for _, d := range []reg.Distance{reg.SquaredNorm, reg.TwoNorm, reg.OneNorm} {
		for _, targets := range []int{1, 3} {
			for _, m := range []int{1, 4, 9} {
				if d == reg.TwoNorm && m == 1 {
					continue // |x|, whose kinks TestReg meets
				}
				regtest.TestReg(t, near(d, 0.7, m, targets), m)
			}
		}
	}
}

// TestNearValues compares with values by hand. At a target, the value and the subgradient are 0.
func TestNearValues(t *testing.T) {
	s, x := []float64{1, -2, 0, 2}, []float64{1, 1, 4, 2}
	for d, want := range map[reg.Distance][]float64{reg.OneNorm: {7, 0, 1, 1, 0}, reg.TwoNorm: {5, 0, 0.6, 0.8, 0},
		reg.SquaredNorm: {25, 0, 6, 8, 0}} {
		r := reg.DistancePenalty{Rho: 2, Distance: d, Targets: [][]float64{s}}
		g := make([]float64, 4)
		got := append([]float64{r.Value(g, x)}, g...)
		if floats.Scale(0.5, got); !floats.EqualApprox(got, want, 1e-15) {
			t.Errorf("%v: value and subgradient %v, want %v", d, got, want)
		}
		clear(g)
		if v := r.Value(g, s); v != 0 || floats.Norm(g, 2) != 0 {
			t.Errorf("%v at its target: %g, %v", d, v, g)
		}
		r.Targets[0] = []float64{1e140, -1e140, 0, 1e140}
		if v := r.Value(g, x); math.IsInf(v, 0) || math.IsNaN(v) {
			t.Errorf("%v of 1e140: %g", d, v)
		}
	}
}

// TestNearProx tests that Prox gives a subgradient g at z, and z + tg = x.
func TestNearProx(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 5))
	for _, d := range []reg.Distance{reg.SquaredNorm, reg.TwoNorm, reg.OneNorm} {
		for _, targets := range []int{1, 2, 3} {
			r := near(d, 0.3, 6, targets)
			x, z, g, o := make([]float64, 6), make([]float64, 6), make([]float64, 6), make([]float64, 6)
			for i := range 80 {
				step := []float64{1e-3, 0.2, 1, 30}[i%4]
				for k := range x {
					x[k] = 2 * rng.NormFloat64()
				}
				v, ok := r.Prox(z, g, x, step)
				if ok != (d != reg.TwoNorm || targets == 1) {
					t.Fatalf("%v of %d targets: ok = %v", d, targets, ok)
				}
				if !ok {
					continue
				}
				floats.AddScaledTo(o, z, step, g)
				if e := floats.Distance(o, x, 2); v != r.Value(nil, z) || e > 1e-12*(floats.Norm(x, 2)+step) {
					t.Errorf("%v: r(z) = %g, want %g; z + t·g is %g from x", d, v, r.Value(nil, z), e)
				}
				for range 10 {
					for k := range o {
						o[k] = z[k] + rng.NormFloat64()*math.Pow(10, -float64(rng.IntN(5)))
					}
					tangent := v + floats.Dot(g, o) - floats.Dot(g, z)
					if w := r.Value(nil, o); w < tangent-1e-12*(v+math.Abs(tangent)) {
						t.Errorf("%v of %d targets: r = %g below the tangent at z, %g", d, targets, w, tangent)
					}
				}
			}
		}
	}
}

// TestProxKink tests that Prox of L1 gives a subgradient also if the step is below the rounding of x.
func TestProxKink(t *testing.T) {
	z, grad := make([]float64, 1), make([]float64, 1)
	for _, targets := range [][][]float64{{{1e6}}, {{1e6}, {1e6}, {1e6 + 1}}, {{1e6}, {1e6 - 1}}} {
		r := reg.DistancePenalty{Rho: 0.3, Distance: reg.OneNorm, Targets: targets}
		for x := 1e6; x < 1e6*(1+1e-14); x = math.Nextafter(x, math.Inf(1)) {
			for _, step := range []float64{1e-8, 1e-10, 1e-12} {
				r.Prox(z, grad, []float64{x}, step)
				low, high := 0.0, 0.0 // the subgradients of Σ|z − s_i|
				for _, s := range targets {
					low, high = low+float64(cmp.Compare(z[0], s[0])), high+float64(cmp.Compare(z[0], s[0]))
					if z[0] == s[0] {
						low, high = low-1, high+1
					}
				}
				if g := grad[0] / r.Rho; g < low-1e-12 || g > high+1e-12 {
					t.Errorf("%v, x = %.17g, t = %g: slope %gρ at %.17g, want %g to %g", targets, x, step, g, z[0], low,
						high)
				}
			}
		}
	}
}

func TestRidge(t *testing.T) {
	for _, beta := range []float64{1, 0.3, 1e-9, 1e9} {
		for _, m := range []int{1, 2, 15} {
			regtest.TestReg(t, reg.Ridge{Beta: beta}, m)
		}
	}
}

func TestRidgeLengths(t *testing.T) {
	got := testenv.Panic(func() { reg.Ridge{Beta: 1}.Value(make([]float64, 2), make([]float64, 3)) })
	if got != "reg: the slices have different lengths" {
		t.Errorf("the panic for unequal lengths is %v", got)
	}
}

func ExampleRidge() {
	r := reg.Ridge{Beta: 0.5}
	grad := make([]float64, 2)
	fmt.Println(r.Value(grad, []float64{3, 4}), grad)
	fmt.Println(reg.Ridge{}.Validate(2))
	// Output:
	// 12.5 [3 4]
	// reg: ridge has β = 0; use a finite number > 0, or a nil Reg for no regularizer
}

func TestLasso(t *testing.T) {
	for _, m := range []int{1, 2, 15} {
		regtest.TestReg(t, reg.Lasso{Beta: 0.5}, m)
	}
}

func TestValidate(t *testing.T) {
	nan := math.NaN()
	ridge := func(beta float64) reg.Reg { return reg.Ridge{Beta: beta} }
	for _, c := range []struct {
		r    reg.Reg
		m    int
		want string // "" for valid
	}{
		{ridge(1e-300), 3, ""}, {ridge(0), 3, "β = 0"}, {ridge(nan), 3, "β = NaN"}, {ridge(1), 0, "at least 1"},
		{reg.Lasso{Beta: -1}, 3, "-1"},
		{reg.Separable{}, 2, "reg: "}, {reg.Separable{Parts: []reg.Reg{nil}}, 2, "reg: "},
		{reg.Separable{Parts: []reg.Reg{ridge(0)}}, 2, "β = 0"},
		{reg.Separable{Parts: []reg.Reg{ridge(1), ridge(1)}}, 3, "reg: "},
		{near(reg.OneNorm, 1, 4, 1), 4, ""}, {near(reg.OneNorm, 0, 4, 1), 4, "ρ = 0"},
		{near(reg.OneNorm, nan, 4, 1), 4, "ρ = NaN"},
		{near(7, 1, 4, 1), 4, "Distance(7)"}, {near(-1, 1, 4, 1), 4, "Distance(-1)"},
		{near(reg.OneNorm, 1, 4, 0), 4, "has no targets"},
		{near(reg.OneNorm, 1, 5, 1), 4, "target 1 has 5 numbers, but there are 4 parameters"},
		{reg.DistancePenalty{Rho: 1, Targets: [][]float64{{0, 0, nan, 0}}}, 4, "row 2, column 1 is NaN"},
		{reg.DistancePenalty{Rho: 1, Targets: [][]float64{{0, 1e300, 0, 0}}}, 4, "row 1, column 2 is 1e+300"},
	} {
		err := c.r.Validate(c.m)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%+v of %d: %v, want valid", c.r, c.m, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%+v of %d: %v, want an error with %q", c.r, c.m, err, c.want)
		}
	}
}

func TestSeparable(t *testing.T) {
	regtest.TestReg(t, reg.Separable{Parts: []reg.Reg{reg.Ridge{Beta: 1}, reg.Ridge{Beta: 1}, reg.Ridge{Beta: 1}}}, 12)
	regtest.TestReg(t, reg.Separable{Parts: []reg.Reg{reg.Ridge{Beta: 1}, reg.Ridge{Beta: 2}}}, 6)
	regtest.TestReg(t, reg.Separable{Parts: []reg.Reg{reg.Lasso{Beta: 0.3}, reg.Ridge{Beta: 2}}}, 6)
}
