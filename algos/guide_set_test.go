package algos_test

import (
	"errors"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/set/settest"
)

// limits is Θ = {θ : Low ≤ θ_k ≤ High}, 0 ≤ Low < High < ∞.
type limits struct{ Low, High float64 }

func init() { registry.Register(limits{}) } // files of studies can hold it

func (s limits) Validate(m int) error {
	if m < 1 || !(0 <= s.Low && s.Low < s.High && s.High <= math.MaxFloat64) {
		return errors.New("limits: want parameters, and 0 ≤ Low < High, finite")
	}
	return nil
}

func (s limits) Start(dst []float64) {
	for k := range dst {
		dst[k] = (s.Low + s.High) / 2
	}
}

func (s limits) Project(dst, x []float64) {
	for k, v := range x {
		dst[k] = min(max(v, s.Low), s.High)
	}
}

func (s limits) Minimize(dst, g []float64) (least float64) {
	for k, v := range g {
		best := s.Low
		if v < 0 {
			best = s.High
		}
		if dst != nil {
			dst[k] = best
		}
		least += v * best
	}
	return least
}

func (s limits) Contains(theta []float64) bool {
	for _, v := range theta {
		if !(s.Low <= v && v <= s.High) { // so that NaN is refused
			return false
		}
	}
	return true
}

// Traits claim what solvers and bounds may use: θ ≥ 0, and nothing else.
func (s limits) Traits() set.Traits { return set.Traits{Nonnegative: true} }

func TestGuideSet(t *testing.T) {
	for _, m := range []int{1, 2, 7} {
		settest.TestSet(t, limits{0.1, 2}, m)
	}
	x, y := mkltest.RandomPoints(20, 3, 1)
	g := kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 1}}.Bind(x)
	for _, s := range []mkl.Solver{mkl.SPG{}, mkl.FrankWolfe{}} {
		certified(t, &mkl.Problem{Grams: g, Set: limits{0.1, 2}, Loss: loss.Squared{Lambda: 1}, Y: y}, s)
	}
}
