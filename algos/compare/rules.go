package compare

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/registry"
)

// SingleKernel is the rule that gives one base kernel all the weight that Θ allows, argmin_Θ −θ_k, or 1 if that is
// unbounded. It does not depend on targets.
type SingleKernel struct {
	Kernel int // k, from 0
}

func (o SingleKernel) String() string { return fmt.Sprintf("only kernel %d", o.Kernel+1) }

// Weights returns this θ. The other weights keep the part that they have in every θ of the set, as in a ball about a
// center that is not 0.
func (o SingleKernel) Weights(_ context.Context, p *mkl.Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	if o.Kernel < 0 || o.Kernel >= m {
		return nil, fmt.Errorf("compare: kernel number %d of %d, counted from 0", o.Kernel, m)
	}
	theta, g := make([]float64, m), make([]float64, m)
	g[o.Kernel] = -1
	if math.IsInf(p.Set.Minimize(theta, g), -1) {
		clear(theta)
		theta[o.Kernel] = 1
	}
	return theta, nil
}

// ConstantBaseline is the name of the method that predicts a constant: the mean, or the most frequent class of the
// training points. Charts show it as a line to compare the other methods with.
const ConstantBaseline = "constant baseline"

// FixedWeights is the rule that uses the given weights, and 0 for all weights that are not given. With weights of 0, f
// is the mean of the targets only or, for classes, the most frequent class of the training points. This is the constant
// baseline.
type FixedWeights struct{ Theta []float64 }

func (FixedWeights) String() string { return "given weights" }

// Weights returns the given weights.
func (f FixedWeights) Weights(_ context.Context, p *mkl.Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	theta := make([]float64, m)
	copy(theta, f.Theta)
	return theta, nil
}

func init() {
	registry.Register(SingleKernel{})
	registry.Register(FixedWeights{})
}
