package reg_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/reg/regtest"
)

func TestRidge(t *testing.T) {
	for _, beta := range []float64{1, 0.3, 1e-9, 1e9} {
		for _, m := range []int{1, 2, 15} {
			regtest.TestReg(t, reg.Ridge{Beta: beta}, m)
		}
	}
}

func TestRidgeLengths(t *testing.T) {
	defer func() {
		if recover() != "reg: lengths differ" {
			t.Error("unequal lengths do not panic with the package's message")
		}
	}()
	reg.Ridge{Beta: 1}.Value(make([]float64, 2), make([]float64, 3))
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

func TestElasticAndGroups(t *testing.T) {
	for _, r := range []reg.Reg{reg.ElasticNet{L1: 1}, reg.ElasticNet{L2: 0.3}, reg.ElasticNet{L1: 2, L2: 0.5},
		reg.ElasticNet{L1: 0.1, L2: 3}} {
		for _, m := range []int{1, 2, 15} {
			regtest.TestReg(t, r, m)
		}
	}
	regtest.TestReg(t, reg.Groups{Index: []int{0, 1, 1, 2, 0}, Beta: 2}, 5)
	regtest.TestReg(t, reg.Groups{Index: []int{0, 1, 1, 2, 0}, Beta: 0.5, Q: 4}, 5)
}

// TestBalance: no other point is better, and where f_k = 0 the weight is 0.
func TestBalance(t *testing.T) {
	f := []float64{3, 0, 1e-6, 40, 0.7}
	of := []int{0, 0, 1, 2, 2}
	for _, r := range []reg.Reg{reg.Ridge{Beta: 0.7}, reg.ElasticNet{L1: 1}, reg.ElasticNet{L1: 1, L2: 0.2},
		reg.ElasticNet{L1: 1e-3, L2: 5}, reg.Groups{Index: of, Beta: 2}, reg.Groups{Index: of, Beta: 0.3, Q: 1.5}} {
		theta := make([]float64, len(f))
		r.(reg.WeightMinimizer).MinimizeWeights(theta, f)
		value := func(x []float64) float64 {
			v := r.Value(nil, x)
			for k, a := range f {
				if a > 0 {
					v += a / (2 * x[k])
				}
			}
			return v
		}
		best := value(theta)
		if theta[1] != 0 {
			t.Errorf("%+v: weight %g where f = 0", r, theta[1])
		}
		for k := range theta {
			for _, h := range []float64{0.99, 1.01, 0.5, 2} {
				x := append([]float64(nil), theta...)
				if x[k] *= h; value(x) < best*(1-1e-12) {
					t.Errorf("%+v: %.15g with %g times weight %d, %.15g without", r, value(x), h, k, best)
				}
			}
		}
	}
}

// TestPolar: ⟨v,θ⟩ ≤ t·r(θ), attained.
func TestPolar(t *testing.T) {
	v := []float64{3, -1, 2, 0.5, 1}
	for _, c := range []struct {
		r  reg.Reg
		at []float64 // where it is attained
	}{
		{reg.ElasticNet{L1: 2}, []float64{1, 0, 0, 0, 0}},
		{reg.ElasticNet{L1: 2, L2: 3}, []float64{1e-13, 0, 0, 0, 0}}, // in the limit
		{reg.Groups{Index: []int{0, 0, 1, 2, 2}, Beta: 2}, []float64{1, 0, 0, 0, 0}},
		{reg.Groups{Index: []int{1, 0, 0, 0, 0}, Beta: 1, Q: 3}, []float64{1, 0, 0, 0, 0}},
		{reg.Groups{Index: []int{0, 1, 0, 2, 2}, Beta: 1}, []float64{3, 0, 2, 0, 0}},
	} {
		p, ok := c.r.(reg.Gauge).Polar(v)
		inner := 0.0
		for k, x := range c.at {
			inner += x * v[k]
		}
		if !ok || math.Abs(inner-p*c.r.Value(nil, c.at)) > 1e-11*inner {
			t.Errorf("%+v: polar %g, but ⟨v,θ⟩/r = %g", c.r, p, inner/c.r.Value(nil, c.at))
		}
	}
	if _, ok := (reg.ElasticNet{L2: 1}).Polar(v); ok {
		t.Error("a square bounds linear functions")
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
		{ridge(1), 3, ""}, {ridge(1e-300), 3, ""}, {ridge(0), 3, "β = 0"}, {ridge(-2), 3, "β = -2"},
		{ridge(nan), 3, "β = NaN"}, {ridge(math.Inf(1)), 3, "β = +Inf"}, {ridge(1), 0, "at least 1"},
		{reg.ElasticNet{}, 3, "L1 = L2 = 0"}, {reg.ElasticNet{L1: -1}, 3, "-1"},
		{reg.ElasticNet{L2: nan}, 3, "NaN"},
		{reg.Groups{Index: []int{0, 0, 1}}, 3, "β = 0"},
		{reg.Groups{Index: []int{0, 1}, Beta: 1}, 3, "Index for 2 weights, but there are 3 parameters"},
		{reg.Groups{Index: []int{0, 1, 7}, Beta: 1}, 3, "weight 3 is in group 7"},
		{reg.Groups{Index: []int{0, 1, 1}, Beta: 1, Q: 1}, 3, "q = 1"},
		{reg.Separable{}, 2, "reg: "}, {reg.Separable{Parts: []reg.Reg{nil}}, 2, "reg: "},
		{reg.Separable{Parts: []reg.Reg{ridge(0)}}, 2, "β = 0"},
		{reg.Separable{Parts: []reg.Reg{ridge(1), ridge(1)}}, 3, "reg: "},
		{near(reg.L1, 1, 4, 1), 4, ""}, {near(reg.L1, 0, 4, 1), 4, "ρ = 0"}, {near(reg.L1, nan, 4, 1), 4, "ρ = NaN"},
		{near(7, 1, 4, 1), 4, "Distance(7)"}, {near(-1, 1, 4, 1), 4, "Distance(-1)"},
		{near(reg.L1, 1, 4, 0), 4, "has no targets"},
		{near(reg.L1, 1, 5, 1), 4, "target 1 has 5 numbers, but there are 4 parameters"},
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
	regtest.TestReg(t, reg.Separable{Parts: []reg.Reg{reg.ElasticNet{L1: 0.3}, reg.Ridge{Beta: 2}}}, 6)
}
