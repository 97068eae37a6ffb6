package mkl

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// EasyMKL chooses weights proportional to squared distances. For two distributions γ, one on each class, θ_k is
// proportional to the squared distance of their means in the feature space of base kernel k. γ are the two
// distributions that the sum of all base kernels separates least, with the penalty 0.1‖γ‖²:
//
//	γ = argmin 0.9 γᵀY(Σ_kK_k)Yγ + 0.1‖γ‖²  over γ ≥ 0, Σ_{y_i=1} γ_i = Σ_{y_i=−1} γ_i = 1,
//	θ_k ∝ γᵀYK_kYγ,
//
// for labels ±1, with Y = diag y. Up to a factor, γ is the α of a support vector machine with squared hinge loss and λ
// = 0.1/0.9 on ΣK_k. It is computed to a relative gap of 1e-6. The rule costs one such machine and a gradient. θ is
// scaled to Σθ = Λ on a simplex and to ‖θ‖_q = Λ on a ball about 0. For other sets it is scaled to Euclidean norm 1 and
// projected onto Θ. In the paper, Σθ = 1.
//
// References:
//   - F. Aiolli and M. Donini, EasyMKL: a scalable multiple kernel learning algorithm, Neurocomputing
//     169 (2015), eq. (5) and Algorithm 1.
type EasyMKL struct{}

func (EasyMKL) String() string { return "EasyMKL" }

// Weights returns θ. It requires a family linear in θ and one column of labels ±1.
func (EasyMKL) Weights(ctx context.Context, p *Problem) ([]float64, error) {
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
	if err := (loss.SquaredHinge{Lambda: 0.1 / 0.9}).Solve(ctx, &s, gram, p.Y, 1e-6); err != nil {
		return nil, err
	}
	weights := make([]float64, len(theta))
	gram.Gradient(weights, s.W)
	for k, v := range weights {
		weights[k] = max(0, v)
	}
	if largest := floats.Max(weights); !(largest > 0) || math.IsInf(largest, 1) {
		return nil, fmt.Errorf("every weight would be 0: no base kernel has to do with the targets")
	}
	q, radius := p.normBall()
	if q == 0 {
		q, radius = 2, 1
	}
	scaleToNorm(weights, q, radius)
	p.Set.Project(weights, weights)
	return weights, nil
}
