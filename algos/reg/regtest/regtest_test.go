package regtest

import (
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/testenv"
)

// broken is ½‖θ‖² with the defect that its name describes.
type broken string

func (b broken) Validate(int) error { return nil }

func (b broken) Value(grad, theta []float64) float64 {
	r := reg.Ridge{Beta: 0.5}
	switch b {
	case "wrong factor in the gradient":
		r.Beta = 0.25
		r.Value(grad, theta)
		return 2 * r.Value(nil, theta)
	case "gradient stored, not added":
		clear(grad)
	case "concave":
		r.Beta = -1
	case "θ modified":
		defer func() { theta[0]++ }()
	case "NaN":
		return math.NaN()
	case "value that depends on grad":
		return r.Value(grad, theta) + float64(len(grad))
	}
	return r.Value(grad, theta)
}

func (b broken) Majorize(theta []float64) (reg.Quadratic, bool) {
	switch b {
	case "another quadratic":
		return reg.Quadratic{A: 1, C: make([]float64, len(theta))}, true
	case "center of another length":
		return reg.Quadratic{A: 0.5}, true
	}
	return reg.Quadratic{}, false
}

// TestBroken checks that the suite finds each defect, by the words of its check.
func TestBroken(t *testing.T) {
	for defect, want := range map[broken]string{
		"": "", "wrong factor in the gradient": "slope", "gradient stored, not added": "does not add",
		"concave": "not convex", "θ modified": "modifies θ", "NaN": "finite", "value that depends on grad": "with grad",
		"another quadratic": "A‖θ−C‖²", "center of another length": "length 0",
	} {
		all := strings.Join(testenv.CollectFailures(t, func(r testing.TB) { TestReg(r, defect, 3) }), "\n")
		if want == "" && all != "" || !strings.Contains(all, want) {
			t.Errorf("%q: not found by %q: %.300s", string(defect), want, all)
		}
	}
	failures := testenv.CollectFailures(t, func(r testing.TB) { TestReg(r, reg.Ridge{}, 3) })
	if len(failures) != 1 || !strings.Contains(failures[0], "β = 0") {
		t.Errorf("failures %q, want one that names β = 0", failures)
	}
}
