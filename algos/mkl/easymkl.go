package mkl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// EasyMKL chooses weights proportional to squared distances of two classes in the feature spaces of the base kernels:
//
//	γ = argmin (1−Λ)γᵀY(Σ_kK_k)Yγ + Λ‖γ‖²  over γ ≥ 0, Σ_{y_i=1} γ_i = Σ_{y_i=−1} γ_i = 1,
//	θ_k ∝ γᵀYK_kYγ,
//
// for labels ±1, with Y = diag y. Up to a factor, γ is the α of a support vector machine with squared hinge loss and λ
// = Λ/(1−Λ) on ΣK_k. It is computed to a relative gap of 1e-6. With several columns of targets, such as one class
// against the rest, θ is the mean of the weights of the columns. θ is then scaled to the sum of the weights at which
// solvers start on Θ, and projected onto Θ. In the paper, Σθ = 1.
//
// Reference: F. Aiolli and M. Donini, EasyMKL: a scalable multiple kernel learning algorithm, Neurocomputing 169
// (2015), eq. (5) and Algorithm 1.
type EasyMKL struct {
	// Lambda is Λ, 0 < Λ < 1. 0 means 0.1.
	Lambda float64
}

func (r EasyMKL) String() string {
	if r.Lambda == 0 {
		return "EasyMKL"
	}
	return fmt.Sprintf("EasyMKL(Λ=%g)", r.Lambda)
}

// Weights returns θ. It requires a family linear in θ, and two different numbers in each column of targets. They need
// not be ±1, because package compare subtracts the mean of the labels for the squared loss.
func (r EasyMKL) Weights(ctx context.Context, p *Problem) ([]float64, error) {
	if r.Lambda == 0 {
		r.Lambda = 0.1
	}
	if !(r.Lambda > 0 && r.Lambda < 1) {
		return nil, fmt.Errorf("Lambda is %g; use a number between 0 and 1", r.Lambda)
	}
	if !isLinearFamily(p) {
		return nil, fmt.Errorf("%w: it needs a family linear in θ", ErrUnsuited)
	}
	m, n := p.Grams.Dims()
	theta, ones, squaredDistances := make([]float64, m), make([]float64, m), make([]float64, m)
	gram := p.Grams.New()
	defer gram.Release()
	floats.AddConst(1, ones)
	gram.SetTheta(ones)
	for y := range slices.Chunk(p.Y, n) {
		low, high := slices.Min(y), slices.Max(y)
		if low == high || math.IsNaN(low) {
			continue // a class without points
		}
		labels, s := make([]float64, n), loss.Solution{}
		for i, v := range y {
			if v != low && v != high {
				return nil, fmt.Errorf("%w: a column of targets has the numbers %g, %g and %g; use targets of two "+
					"values, or mkl.AlignF{}", ErrUnsuited, low, v, high)
			}
			labels[i] = 1
			if v == low {
				labels[i] = -1
			}
		}
		svm := loss.SquaredHinge{Lambda: r.Lambda / (1 - r.Lambda)}
		if err := svm.Solve(ctx, &s, gram, labels, 1e-6); err != nil {
			return nil, err
		}
		gram.Gradient(squaredDistances, s.W)
		for k, v := range squaredDistances {
			squaredDistances[k] = max(0, v)
		}
		if sum := floats.Sum(squaredDistances); sum > 0 {
			floats.AddScaled(theta, 1/sum, squaredDistances)
		}
	}
	return p.scaleOntoSet(theta)
}
