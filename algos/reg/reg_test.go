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

func TestRidgeValidate(t *testing.T) {
	for _, c := range []struct {
		beta float64
		m    int
		want string
	}{
		{1, 3, ""}, {1e-300, 3, ""},
		{0, 3, "β = 0"}, {-2, 3, "β = -2"}, {math.NaN(), 3, "β = NaN"}, {math.Inf(1), 3, "β = +Inf"},
		{1, 0, "at least 1"},
	} {
		err := reg.Ridge{Beta: c.beta}.Validate(c.m)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("β = %g on %d: %v, want valid", c.beta, c.m, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "reg: ")):
			t.Errorf("β = %g on %d: %v, want an error of reg: with %q", c.beta, c.m, err, c.want)
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
	// reg: ridge with β = 0, want a finite number > 0 (no regulariser at all is nil)
}
