package mkl

import (
	"fmt"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// Subspace solves problems of more points than an n×n matrix has room for, and proves it of all points, by column
// generation: a restricted problem gives an upper bound and dual coefficients, a pass over the entries of the base
// matrices their lower bound and what enlarges the restricted problem. Of the squared loss:
//
//	upper   min_θ min_{f = Σ_k f_k}  ½ Σ_k ‖f_k‖²_{K_k}/θ_k + (1/2λ) Σ_i (y_i − f(x_i))²,   f_k ∈ V_k,
//	        is at least min F, whatever the subspaces V_k: at first spanned by k_k(·, z), z of r landmarks (Nyström)
//	lower   α = (y − f)/λ is feasible: one pass gives all K_kα, and with them the bound by duality
//	step    K_kα joins V_k, k = 1, …, m, as in a Krylov method, and the restricted problem is solved again
//
// Of the squared hinge loss there is a bias b, and α_i = (1 − y_i(f(x_i) + b))₊/λ, which is feasible as b is best. Of
// several columns of targets each has its f and its α; all their K_kα take one pass, and join the same V_k.
//
// The restricted problem is solved exactly, by Newton's method in θ on coordinates of V_1, …, V_m, R of them: R³/3 for
// each of a few steps; of the squared hinge loss by Newton's method within each, on the points that violate the margin,
// R²/2 for each that comes or goes and R³/3. A step costs these, nR for each new coordinate, and one pass; the first
// nr(d + R) and nR²/2. Features of a landmark kernel whose part in K is below a tenth of λ are left out. Bytes tells
// the memory, nR numbers and some.
//
// Landmarks alone prove little: at n = 20,000 a gap of .5 to .9. The passes close it, late ones by a factor that falls
// with n/λ: about 20 for n/λ = 2,000, 4.5 for 20,000 and 2.7 for 100,000. Landmarks drawn by ridge
// leverage scores instead of uniformly left the gap after five passes at 1.00, .66 and 1.00 of what it was in three
// draws (n = 5,000, λ = 1, 250 landmarks, scores from a uniform sample).
//
// A coordinate is made of earlier ones, so that the allowance for its rounding about doubles with each pass. After some
// thirty the gap then rests between 10⁻³ and 10⁻⁵ of F or even grows, until K(θ)w proves more (n = 1,000, λ = 0.01), or
// until no K_kα has anything new: the status is then IllConditioned, of a gap of 2·10⁻⁴ (n = 500, λ = 10⁻³, 50
// landmarks). More landmarks, which need fewer passes, are the way out, or a larger λ.
//
// Settings.Start gives θ to begin with, along a path of λ too. The spaces are made anew: they take nR numbers, which a
// Result does not hold.
//
// Upper is the value of the restricted f = Σ_kθ_kK_kv_k, whose v_k differ. A model of the Result has the one w = α for
// all kernels: it predicts by K(θ)w, whose value is above Upper by a few gaps. Certify of (θ, w) tells it.
//
// The squared loss, or the squared hinge loss without weights, of one column or several without missing targets, no
// regularizer, θ ≥ 0, and a kernel.Sum of degree 1 that is not centered.
//
// References:
//   - A. Demiriz, K. P. Bennett, J. Shawe-Taylor, Linear programming boosting via column generation, Machine Learning
//     46 (2002), section 4.
//   - Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, 2003, chapters 5 and 6.
type Subspace struct {
	// Landmarks is r. If 0, it is a two-hundredth of the points, at least 250 and at most 500. All points at most; the
	// first step takes m of their r×r eigenproblems and R³/3, which for thousands is hours.
	Landmarks int
	// Seed draws the landmarks.
	Seed uint64
}

var _ Solver = Subspace{}

func (s Subspace) String() string {
	if s.Landmarks == 0 {
		return "Subspace"
	}
	return fmt.Sprintf("Subspace(landmarks=%d)", s.Landmarks)
}

// Requirements asks for what the restricted problem and the passes rest on.
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

// ridge returns λ of a squared loss, or of a squared hinge loss without weights, on any number of columns.
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

// landmarks is how many there are of n points.
func (s Subspace) landmarks(n int) int {
	if s.Landmarks == 0 {
		return min(max(n/200, 250), 500, n)
	}
	return min(s.Landmarks, n)
}

// Bytes is how much memory a run of some 16 passes takes at most, where landmarks drop no feature.
func (s Subspace) Bytes(p *Problem) float64 {
	kernels, points := p.Grams.Dims()
	m, n, c, r := float64(kernels), float64(points), float64(p.columns()), float64(s.landmarks(points))
	coordinates, squares := m*(r+room*c), 6.0 // gram, what is factorized, its factor, and growth
	if _, hinge, _ := ridge(p.Loss); hinge {
		squares = 4 + 2*c
	}
	images := m * n * c
	sums := images * max(8, min(32, n/512, (1<<23)/images)) // of the threads of a pass: see kernel.Sweep
	// values of the coordinates that landmarks have, diagonals of each kernel, and what each column has
	all := n * (m*r + 3*m + 32*c)
	// in the first step rows of a kernel at landmarks, and what kernel.Cross keeps, 128 MB, and makes of them
	first := n*r + min((m+1)*n*r, 1<<25)
	// in passes the α's, K_kα and coordinates made of them, D_kw and the images of two points
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

// Step solves the restricted problem, which the images of the current point have enlarged, and makes a pass for its α.
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
