package compare

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/registry"
)

// SingleKernel is the rule that gives base kernel k the largest weight in Θ, θ = argmin_Θ −θ_k; if θ_k is unbounded,
// θ_k = 1 and all other weights are 0. It does not depend on targets.
type SingleKernel struct {
	Kernel int // k, from 0
}

func (o SingleKernel) String() string { return fmt.Sprintf("only kernel %d", o.Kernel+1) }

// Weights returns this θ. The other weights need not be 0: on a ball about a center that is not 0, they are the
// weights of the center.
func (o SingleKernel) Weights(_ context.Context, p *mkl.Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	if o.Kernel < 0 || o.Kernel >= m {
		return nil, fmt.Errorf("compare: there is no kernel %d; kernels are numbered from 0, and there are %d",
			o.Kernel, m)
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
// training points. Charts show it as a line for comparison with the other methods.
const ConstantBaseline = "constant baseline"

// FixedWeights is the rule that uses the given weights, and 0 for weights beyond the length of Theta. If all weights
// are 0, the prediction is the mean of the training targets or, for classes, the most frequent class of the training
// points. This is the constant baseline.
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
