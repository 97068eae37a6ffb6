package mkl

import (
	"fmt"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// Subspace solves problems whose n×n matrix does not fit into memory, and certifies the result on all n points. It is a
// column generation method. A restricted problem gives an upper bound of min F and dual coefficients α. A pass over the
// entries of the base matrices gives the lower bound that α proves, and functions that enlarge the restricted problem:
//
//	upper   min_θ min_{f = Σ_k f_k}  ½ Σ_k ‖f_k‖²_{K_k}/θ_k + (1/2λ) Σ_i (y_i − f(x_i))²,   f_k ∈ V_k,
//	        is at least min F, whatever the subspaces V_k; k_k(·, z) of r landmarks z span the first V_k (Nyström)
//	lower   α = (y − f)/λ is feasible: one pass gives all K_kα, and with them the bound by duality
//	step    K_kα joins V_k, k = 1, …, m, as in a Krylov method, and the restricted problem is solved again
//
// With several columns of targets each column has its own f and α. One pass gives the K_kα of all columns, and all of
// them join V_k.
//
// Newton's method in θ solves the restricted problem exactly. R is the sum of the dimensions of V_1, …, V_m. A solve
// takes a few steps of R³/3 operations each. A step of Subspace costs such a solve, nR operations for each new
// dimension of a V_k, and one pass. With points of d features, the first step costs nr(d + R) and nR²/2. Landmark
// functions that contribute less than a tenth of λ to K are omitted. A run stores nR numbers and some more.
//
// Landmarks alone prove little. The passes close the gap: late passes divide it by a factor that is smaller for larger
// n/λ.
//
// Each new basis function of V_k is computed from earlier ones, so that the bound of its rounding error about doubles
// with each pass. After about thirty passes the gap therefore stays between 10⁻³ and 10⁻⁵ of F or even grows, until
// the function K(θ)w gives a smaller upper bound than f, or until no K_kα lies outside V_k by more than rounding. The
// status is then IllConditioned. The remedies are more landmarks, which need fewer passes, or a larger λ.
//
// Settings.Start provides the first θ, for example from the solution for another λ. Every run computes its spaces V_k
// again, because their nR numbers are not part of a Result.
//
// Upper is the objective of the restricted f = Σ_kθ_kK_kv_k, in which each kernel has its own v_k. A model that is made
// from the Result has one w = α for all kernels. It predicts with K(θ)w, whose objective exceeds Upper by a few gaps.
// EvaluateAt at (θ, w) and Certify bound that objective.
//
// Subspace needs the squared loss; one or several columns without missing targets; no regularizer; θ ≥ 0; and a
// kernel.Sum of degree 1 that is not centered.
//
// References:
//   - A. Demiriz, K. P. Bennett, J. Shawe-Taylor, Linear programming boosting via column generation, Machine Learning
//     46 (2002), section 4.
//   - Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, 2003, chapters 5 and 6.
type Subspace struct {
	// Landmarks is r. If 0, it is n/200, but at least 250 and at most 500. It is never more than n. The first step
	// solves m eigenproblems of size r×r and costs R³/3, which for thousands of landmarks takes hours.
	Landmarks int
}

var _ Solver = Subspace{}

func (s Subspace) String() string {
	if s.Landmarks == 0 {
		return "Subspace"
	}
	return fmt.Sprintf("Subspace(landmarks=%d)", s.Landmarks)
}

// Requirements requires the problems that the comment of Subspace names.
func (s Subspace) Requirements(p *Problem) (Requirements, error) {
	_, err := p.Grams.Sweep()
	sweepRequirement := "base matrices that can be swept"
	if err != nil {
		sweepRequirement = fmt.Sprintf("%s: %v", sweepRequirement, err)
	}
	_, hasSquaredLoss := ridgeLambda(p.Loss)
	return Requirements{MatrixFree: true}, unsuitedError(s,
		require(s.Landmarks >= 0, "1 landmark or more, or 0 for the default"),
		require(hasSquaredLoss, "the squared loss; if an n×n matrix fits into memory, SPG suits other losses without "+
			"kinks, and Level those with kinks"),
		require(!floats.HasNaN(p.Y), "every target in every column"),
		require(p.Reg == nil && p.Set.Traits().Nonnegative, "no regularizer, and θ ≥ 0"),
		require(err == nil, sweepRequirement))
}

// ridgeLambda returns λ of a squared loss, for any number of columns of targets. ok is false for other losses.
func ridgeLambda(l loss.Loss) (lambda float64, ok bool) {
	if c, several := l.(loss.Columns); several {
		l = c.Loss
	}
	s, ok := l.(loss.Squared)
	return s.Lambda, ok
}

// landmarkCount returns the number of landmarks for n points.
func (s Subspace) landmarkCount(n int) int {
	if s.Landmarks == 0 {
		return min(max(n/200, 250), 500, n)
	}
	return min(s.Landmarks, n)
}

func (s Subspace) Start(p *Problem) Stepper {
	_, n := p.Grams.Dims()
	rng := rand.New(rand.NewPCG(0, 31))
	return &subspace{p: p, landmarks: rng.Perm(n)[:s.landmarkCount(n)]}
}

type subspace struct {
	p         *Problem
	landmarks []int       // indices of the landmark points
	problem   *restricted // nil before the first step
}

// Step adds the images K_kα of the current point to the spaces V_k, solves the restricted problem, and makes a pass for
// its α.
func (s *subspace) Step(it *Iterate) error {
	if s.problem == nil {
		lambda, _ := ridgeLambda(s.p.Loss)
		v, err := newSpaces(it.ctx, s.p.Grams.(*matrixFree), s.landmarks, s.p.columnCount(), lambda,
			linalg.Bound(it.Threads))
		if err != nil {
			return err
		}
		s.problem = newRestricted(s.p, v, it.Theta)
	} else if images, err := it.Gram.(*matrixFreeGram).computeImages(it.ctx, it.W); err != nil {
		return err
	} else if s.problem.v.addImages(it.W, images) == 0 {
		return ErrStalled
	}
	if err := s.problem.solve(it.ctx, it.Tol); err != nil {
		return err
	}
	trial := it.Trial()
	copy(trial.Theta, s.problem.theta)
	trial.Gram.At(trial.Theta)
	var w []float64
	for _, c := range s.problem.columns {
		s.problem.computeResiduals(c)
		for _, r := range c.residuals {
			w = append(w, r/s.problem.lambda)
		}
	}
	if _, err := trial.Gram.(*matrixFreeGram).computeImages(it.ctx, w); err != nil {
		return err
	}
	it.Evals++
	trial.evaluateDual(w)
	s.problem.improvePrimal(trial)
	it.Accept()
	return nil
}
