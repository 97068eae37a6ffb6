package regtest

import (
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/testenv"
)

// fake is a regularizer of one function.
type fake struct {
	value     func(grad, theta []float64) float64
	quadratic func(m int) (reg.Quadratic, bool)
}

func (f *fake) Validate(int) error                  { return nil }
func (f *fake) Value(grad, theta []float64) float64 { return f.value(grad, theta) }

// fakeQuadratic says that it is one.
type fakeQuadratic struct{ *fake }

func (f fakeQuadratic) Majorize(theta []float64) (reg.Quadratic, bool) {
	return f.quadratic(len(theta))
}

// TestBroken breaks one promise at a time.
func TestBroken(t *testing.T) {
	right := reg.Ridge{Beta: 0.5}
	for _, c := range []struct {
		name, want string
		reg        reg.Reg
	}{
		{"nothing", "", &fake{value: right.Value}},
		{"a wrong factor in the gradient", "slope", &fake{value: func(grad, theta []float64) float64 {
			for k := range grad {
				grad[k] += theta[k] / 2
			}
			return right.Value(nil, theta)
		}}},
		{"a gradient stored, not added", "does not add", &fake{value: func(grad, theta []float64) float64 {
			clear(grad)
			return right.Value(grad, theta)
		}}},
		{"a concave function", "not convex",
			&fake{value: func(grad, theta []float64) float64 { return reg.Ridge{Beta: -1}.Value(grad, theta) }}},
		{"θ modified", "modifies θ", &fake{value: func(grad, theta []float64) float64 {
			v := right.Value(grad, theta)
			theta[0]++
			return v
		}}},
		{"NaN", "finite", &fake{value: func(grad, theta []float64) float64 { return math.NaN() }}},
		{"a value that depends on grad", "with grad", &fake{value: func(grad, theta []float64) float64 {
			return right.Value(grad, theta) + float64(len(grad))
		}}},
		{"the form of another", "A‖θ−C‖²",
			fakeQuadratic{&fake{value: right.Value, quadratic: func(m int) (reg.Quadratic, bool) {
				return reg.Quadratic{A: 1, C: make([]float64, m)}, true
			}}}},
		{"a center of another length", "length 0",
			fakeQuadratic{&fake{value: right.Value, quadratic: func(m int) (reg.Quadratic, bool) {
				return reg.Quadratic{A: 0.5}, true
			}}}},
		{"not of that form, and it says so", "",
			fakeQuadratic{&fake{value: right.Value, quadratic: func(m int) (reg.Quadratic, bool) {
				return reg.Quadratic{}, false
			}}}},
	} {
		failures := testenv.Failures(t, func(r testing.TB) { TestReg(r, c.reg, 3) })
		all := strings.Join(failures, "\n")
		switch {
		case c.want == "" && all != "":
			t.Errorf("%s: %s", c.name, all)
		case !strings.Contains(all, c.want):
			t.Errorf("%s: not noticed by %q in %d failures: %.300s", c.name, c.want, len(failures), all)
		}
	}
	failures := testenv.Failures(t, func(r testing.TB) { TestReg(r, reg.Ridge{}, 3) })
	if len(failures) != 1 || !strings.Contains(failures[0], "β = 0") {
		t.Errorf("failures %q, want one that names β = 0", failures)
	}
}
