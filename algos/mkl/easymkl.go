package mkl

import (
	"context"
	"fmt"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// EasyMKL chooses weights proportional to squared distances. For two distributions γ, one on each class, θ_k is
// proportional to the squared distance of their means in the feature space of base kernel k. γ are the two
// distributions that the sum of all base kernels separates least, with a penalty Λ‖γ‖²:
//
//	γ = argmin (1−Λ) γᵀY(Σ_kK_k)Yγ + Λ‖γ‖²  over γ ≥ 0, Σ_{y_i=1} γ_i = Σ_{y_i=−1} γ_i = 1,
//	θ_k ∝ γᵀYK_kYγ,
//
// for labels ±1, with Y = diag y. Up to a factor, γ is the α of a support vector machine with squared hinge loss and λ
// = Λ/(1−Λ) on ΣK_k. It is computed to a relative gap of 1e-6. The rule costs one such machine and a gradient. θ is
// scaled as in Alignment; in the paper, Σθ = 1.
//
// References:
//   - F. Aiolli and M. Donini, EasyMKL: a scalable multiple kernel learning algorithm, Neurocomputing
//     169 (2015), eq. (5) and Algorithm 1.
type EasyMKL struct {
	// Lambda is Λ, from 0 (the margin alone) to 1 (the distance of the class means). If Lambda is 0, it is 0.1; the
	// margin alone is the limit of small Λ.
	Lambda float64
}

func (r EasyMKL) String() string {
	if r.Lambda == 0 {
		return "EasyMKL"
	}
	return fmt.Sprintf("EasyMKL(Λ=%g)", r.Lambda)
}

// Weights returns θ. It requires a family linear in θ and one column of labels ±1.
func (r EasyMKL) Weights(ctx context.Context, p *Problem) ([]float64, error) {
	lambda := r.Lambda
	if lambda == 0 {
		lambda = 0.1
	}
	if !(lambda > 0 && lambda <= 1) {
		return nil, fmt.Errorf("Λ = %g; use a number from 0 to 1", r.Lambda)
	}
	if !isLinearFamily(p) || p.columnCount() != 1 {
		return nil, fmt.Errorf("%w: it needs a family linear in θ and labels ±1", ErrUnsuited)
	}
	if err := (loss.SquaredHinge{Lambda: 1}).Validate(p.Y); err != nil {
		return nil, err
	}
	pt := p.newPoint(ctx, Requirements{}, 0)
	defer pt.release()
	gram, theta := pt.Gram, pt.Theta
	floats.AddConst(1, theta)
	gram.At(theta)
	s := loss.Solution{}
	if lambda < 1 {
		err := loss.SquaredHinge{Lambda: lambda / (1 - lambda)}.Solve(ctx, &s, gram, p.Y, 1e-6)
		if err != nil {
			return nil, err
		}
	} else {
		count := map[float64]float64{}
		for _, v := range p.Y {
			count[v]++
		}
		for _, v := range p.Y {
			s.W = append(s.W, v/count[v])
		}
	}
	weights := make([]float64, len(theta))
	gram.Gradient(weights, s.W)
	for k, v := range weights {
		weights[k] = max(0, v)
	}
	return p.scaleOntoSet(weights)
}
