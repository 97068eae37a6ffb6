package algos_test

import (
	"errors"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/reg/regtest"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"
)

// smooth keeps weights of neighboring kernels, such as Gaussians in the order of their widths, near each other:
//
//	r(θ) = β Σ_k (θ_{k+1} − θ_k)².
type smooth struct{ Beta float64 }

func init() { registry.Register(smooth{}) } // files of studies can hold it

func (r smooth) Validate(m int) error {
	if m < 2 || !(r.Beta > 0) {
		return errors.New("smooth: want at least two parameters and β > 0")
	}
	return nil
}

// Value adds the gradient to grad.
func (r smooth) Value(grad, theta []float64) (value float64) {
	for k := range len(theta) - 1 {
		d := theta[k+1] - theta[k]
		value += r.Beta * d * d
		if grad != nil {
			grad[k] -= 2 * r.Beta * d
			grad[k+1] += 2 * r.Beta * d
		}
	}
	return value
}

func TestGuideRegularizer(t *testing.T) {
	regtest.TestReg(t, smooth{0.3}, 5)

	x, y := mkltest.RandomPoints(20, 3, 1)
	g := kernel.List{kernel.RBF{Gamma: 0.1}, kernel.RBF{Gamma: 0.3}, kernel.RBF{Gamma: 1}}.Bind(x)
	certified(t, &mkl.Problem{Grams: g, Set: set.Simplex{}, Reg: smooth{0.3}, Loss: loss.Squared{Lambda: 1}, Y: y},
		mkl.SPG{})
}
