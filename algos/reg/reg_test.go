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
		if recover() != "reg: the slices have different lengths" {
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
