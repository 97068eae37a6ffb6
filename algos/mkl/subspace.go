package mkl

import (
	"fmt"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// Subspace solves problems with more points than an n×n matrix has room for, and proves the result for all points. It
// is a column generation method. A restricted problem gives an upper bound and dual coefficients. A pass over the
// entries of the base matrices gives the lower bound of these coefficients and the functions that enlarge the
// restricted problem. For the squared loss:
//
//	upper   min_θ min_{f = Σ_k f_k}  ½ Σ_k ‖f_k‖²_{K_k}/θ_k + (1/2λ) Σ_i (y_i − f(x_i))²,   f_k ∈ V_k,
//	        is at least min F, whatever the subspaces V_k; k_k(·, z) of r landmarks z span the first V_k (Nyström)
//	lower   α = (y − f)/λ is feasible: one pass gives all K_kα, and with them the bound by duality
//	step    K_kα joins V_k, k = 1, …, m, as in a Krylov method, and the restricted problem is solved again
//
// With the squared hinge loss f has a bias b, and α_i = (1 − y_i(f(x_i) + b))₊/λ, which is feasible because b is
// optimal. With several columns of targets each column has its f and its α. One pass gives the K_kα of all columns, and
// they join the same V_k.
//
// Newton's method in θ solves the restricted problem exactly, on R coordinates of V_1, …, V_m in total. It takes a few
// steps of R³/3 each. With the squared hinge loss each of these steps contains Newton's method on the points that
// violate the margin, which costs R²/2 for each point that joins or leaves them, and R³/3. A step of Subspace costs
// this, nR for each new coordinate, and one pass. The first step costs nr(d + R) and nR²/2. Features of a landmark
// kernel that contribute less than a tenth of λ to K are omitted. Bytes returns the memory: nR numbers and some more.
//
// Landmarks alone prove little: at n = 20,000 a gap of .5 to .9. The passes close the gap. Late passes reduce it by a
// factor that falls with n/λ: about 20 for n/λ = 2,000, 4.5 for 20,000 and 2.7 for 100,000. Landmarks drawn by ridge
// leverage scores left the gap after five passes at 1.00, .66 and 1.00 of the gap with uniform landmarks, in three
// draws (n = 5,000, λ = 1, 250 landmarks, scores from a uniform sample).
//
// A coordinate is made of earlier ones, so the allowance for its rounding about doubles with each pass. After about
// thirty passes the gap therefore stays between 10⁻³ and 10⁻⁵ of F or even grows. This lasts until K(θ)w proves more
// (n = 1,000, λ = 0.01), or until no K_kα adds anything new. The status is then IllConditioned, with a gap of 2·10⁻⁴
// (n = 500, λ = 10⁻³, 50 landmarks). The remedies are more landmarks, which need fewer passes, or a larger λ.
//
// Settings.Start provides the first θ, also along a path of λ. The spaces are computed again: they take nR numbers,
// which a Result does not hold.
//
// Upper is the value of the restricted f = Σ_kθ_kK_kv_k, in which each kernel has a different v_k. A model of the
// Result has one w = α for all kernels. It predicts with K(θ)w, whose value exceeds Upper by a few gaps. EvaluateAt and
// Certify at (θ, w) bound that value.
//
// Subspace needs the squared loss, or the squared hinge loss without weights; one or several columns without missing
// targets; no regularizer; θ ≥ 0; and a kernel.Sum of degree 1 that is not centered.
//
// References:
//   - A. Demiriz, K. P. Bennett, J. Shawe-Taylor, Linear programming boosting via column generation, Machine Learning
//     46 (2002), section 4.
//   - Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, 2003, chapters 5 and 6.
type Subspace struct {
	// Landmarks is r. If 0, it is n/200, but at least 250 and at most 500. It is never more than n. The first step
	// solves m eigenproblems of size r×r and costs R³/3, which for thousands of landmarks takes hours.
	Landmarks int
	// Seed determines the random landmarks.
	Seed uint64
}

var _ Solver = Subspace{}

func (s Subspace) String() string {
	if s.Landmarks == 0 {
		return "Subspace"
	}
	return fmt.Sprintf("Subspace(landmarks=%d)", s.Landmarks)
}

// Requirements asks for the conditions of the restricted problem and of the passes.
func (s Subspace) Requirements(p *Problem) (Requirements, error) {
	_, err := p.sweep()
	what := "base matrices that can be swept"
	if err != nil {
		what = fmt.Sprintf("%s: %v", what, err)
	}
	_, _, ridged := ridge(p.Loss)
	loss := "the squared loss, or the squared hinge loss without weights; of points that an n×n matrix has room for " +
		"SPG takes others without kinks, Level those with"
	return Requirements{MatrixFree: true}, unsuited(s,
		need(s.Landmarks >= 0, "1 landmark or more, or 0 for the default"),
		need(ridged, loss),
		need(!floats.HasNaN(p.Y), "every target in every column"),
		need(p.Reg == nil && p.Set.Traits().Nonnegative, "no regularizer, and θ ≥ 0"),
		need(err == nil, what))
}

// ridge returns λ of a squared loss, or of a squared hinge loss without weights, on any number of columns. ok is false
// for other losses.
func ridge(l loss.Loss) (lambda float64, hinge, ok bool) {
	if c, several := l.(loss.Columns); several {
		l = c.Loss
	}
	switch l := l.(type) {
	case loss.Squared:
		return l.Lambda, false, true
	case loss.SquaredHinge:
		one := func(v float64) bool { return v == 0 || v == 1 }
		return l.Lambda, true, one(l.Positive) && one(l.Negative) && l.Weights == nil
	}
	return 0, false, false
}

// landmarks returns the number of landmarks for n points.
func (s Subspace) landmarks(n int) int {
	if s.Landmarks == 0 {
		return min(max(n/200, 250), 500, n)
	}
	return min(s.Landmarks, n)
}

// Bytes returns the largest number of bytes of memory that a run of about 16 passes takes. It assumes that no landmark
// feature is omitted.
func (s Subspace) Bytes(p *Problem) float64 {
	kernels, points := p.Grams.Dims()
	m, n, c, r := float64(kernels), float64(points), float64(p.columns()), float64(s.landmarks(points))
	coordinates, squares := m*(r+room*c), 6.0 // Gram matrix, the matrix to factorize, its factor, and growth
	if _, hinge, _ := ridge(p.Loss); hinge {
		squares = 4 + 2*c
	}
	images := m * n * c
	sums := images * max(8, min(32, n/512, (1<<23)/images)) // of the threads in a pass: see kernel.Sweep
	// values of the landmark coordinates, diagonals of each kernel, and the vectors of each column
	all := n * (m*r + 3*m + 32*c)
	// in the first step: rows of a kernel at landmarks, 128 MB that kernel.Cross stores, and its results from them
	first := n*r + min((m+1)*n*r, 1<<25)
	// in passes: all α and K_kα, the coordinates made of them, D_kw, and the images of two Points
	passes := n*room*c*(m+1) + 4*images + sums + squares*coordinates*coordinates
	return 8 * (all + max(first, passes))
}

// Start returns one run.
func (s Subspace) Start(p *Problem) Stepper {
	_, n := p.Grams.Dims()
	rng := rand.New(rand.NewPCG(s.Seed, 31))
	return &subspace{p: p, landmarks: rng.Perm(n)[:s.landmarks(n)]}
}

// subspace is one run.
type subspace struct {
	p         *Problem
	landmarks []int
	of        *restricted
}

// Step enlarges the restricted problem by the images of the current point, solves it, and makes a pass for its α.
func (s *subspace) Step(it *Iterate) error {
	if s.of == nil {
		lambda, _, _ := ridge(s.p.Loss)
		v, err := newSpaces(it.ctx, s.p.Grams.(*matrixFree), s.landmarks, s.p.columns(), lambda,
			linalg.Bound(it.Threads))
		if err != nil {
			return err
		}
		s.of = newRestricted(s.p, v, it.Theta)
	} else if images, err := it.Gram.(*matrixFreeGram).look(it.ctx, it.W); err != nil {
		return err
	} else if s.of.v.enrich(it.W, images) == 0 {
		return ErrStalled
	}
	if err := s.of.solve(it.ctx, it.Tol); err != nil {
		return err
	}
	trial := it.Trial()
	copy(trial.Theta, s.of.theta)
	trial.Gram.At(trial.Theta)
	var w []float64
	for _, c := range s.of.columns {
		s.of.move(c, c.u, s.of.times(c.u))
		for _, r := range c.rest {
			w = append(w, r/s.of.lambda)
		}
	}
	if _, err := trial.Gram.(*matrixFreeGram).look(it.ctx, w); err != nil {
		return err
	}
	it.Evals++
	trial.judge(w)
	s.of.improve(trial)
	it.Accept()
	return nil
}
