package algos_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/kernel/kerneltest"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/mat"
)

// cauchy is k(x, z) = 1/(1 + γ‖x−z‖²), a mixture of Gaussians of all widths and so positive semidefinite.
type cauchy struct{ Gamma float64 }

func init() { registry.Register(cauchy{}) } // files of models can hold it

func (k cauchy) String() string { return fmt.Sprintf("Cauchy(γ=%.4g)", k.Gamma) }

func (k cauchy) Check(x points.Points) error {
	if !(k.Gamma > 0) {
		return fmt.Errorf("cauchy: γ = %g, want a positive number", k.Gamma)
	}
	if points.FeatureCount(x) == 0 {
		return errors.New("cauchy: want points with features")
	}
	return nil
}

func (k cauchy) Cross(dst *mat.Dense, z, x points.Points) {
	d := points.FeatureCount(x)
	u, v := make([]float64, d), make([]float64, d)
	for i := range z.Len() {
		z.StoreFeatures(u, i)
		for j := range x.Len() {
			x.StoreFeatures(v, j)
			square := 0.0
			for c := range u {
				square += (u[c] - v[c]) * (u[c] - v[c])
			}
			dst.Set(i, j, 1/(1+k.Gamma*square))
		}
	}
}

func TestGuideKernel(t *testing.T) {
	x, y := mkltest.RandomPoints(20, 3, 1)
	f := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, cauchy{0.5}}}
	kerneltest.TestFamily(t, f, x)
	certified(t, &mkl.Problem{Grams: f.Bind(x), Set: set.Simplex{}, Loss: loss.Squared{Lambda: 1}, Y: y}, mkl.SPG{})
}
