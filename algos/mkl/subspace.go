package mkl

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/linalg"
)

// Subspace solves problems of more points than an n×n matrix has room for, and proves it of all points. It restricts
// the primal and sweeps the dual:
//
//	upper   min_θ min_{f = Σ_k f_k}  ½ Σ_k ‖f_k‖²_{K_k}/θ_k + (1/2λ) Σ_i (y_i − f(x_i))²,   f_k ∈ V_k,
//	        is at least min F, whatever the subspaces V_k: at first spanned by k_k(·, z), z of r landmarks
//	lower   α = (y − f)/λ is feasible: one pass over the entries gives all K_kα, and with them the bound by duality
//	step    K_kα joins V_k, k = 1, …, m, and the restricted problem is solved again
//
// The restricted problem is solved exactly, by Newton's method in θ on coordinates of V_1, …, V_m, R of them: R³/3 for
// each of a few steps. A step costs these, nR for each new coordinate, and one pass; the first one nr(d + R) and nR²/2.
// Memory is that of nR numbers. Features of a landmark kernel whose part in K is below a tenth of λ are left out.
//
// Landmarks alone prove little: at n = 20,000 a gap of .5 to .9. The passes close it, late ones by a factor that falls
// with n/λ: about 20 for n/λ = 2,000, 4.5 for 20,000 and 2.7 for 100,000.
//
// The squared loss with one column of targets, no regulariser, θ ≥ 0, and a kernel.Sum of degree 1
// that is not centred.
type Subspace struct {
	// Landmarks is r. If 0, it is a two-hundredth of the points, at least 250 and at most 500.
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

// Uses asks for what the restricted problem and the passes rest on.
func (s Subspace) Uses(p *Problem) (Use, error) {
	_, err := p.Swept()
	what := "base matrices that can be swept"
	if err != nil {
		what = fmt.Sprintf("%s: %v", what, err)
	}
	is := p.Loss.Traits()
	return Use{Swept: true}, unsuited(s,
		need(s.Landmarks >= 0, "1 landmark or more, or 0 for the default"),
		need(is.Linear && is.Columns <= 1, "the squared loss, with one column of targets"),
		need(p.Reg == nil && p.Set.Traits().Nonnegative, "no regulariser, and θ ≥ 0"),
		need(err == nil, what))
}

// Start returns one run.
func (s Subspace) Start(p *Problem) Stepper {
	_, n := p.Grams.Dims()
	r := s.Landmarks
	if r == 0 {
		r = min(max(n/200, 250), 500)
	}
	rng := rand.New(rand.NewPCG(s.Seed, 31))
	return &subspace{p: p, g: p.Grams.(*swept), landmarks: rng.Perm(n)[:min(r, n)]}
}

// subspace is one run.
type subspace struct {
	p         *Problem
	g         *swept
	landmarks []int
	v         *spaces
	of        *restricted
}

// Step solves the restricted problem, of the images of the current point too, and sweeps its α.
func (s *subspace) Step(it *Iterate) error {
	lambda := s.p.Loss.Traits().Ridge
	if s.v == nil {
		v, err := newSpaces(it.ctx, s.g, s.landmarks, lambda, linalg.Bound(it.Threads))
		if err != nil {
			return err
		}
		s.v, s.of = v, &restricted{v: v, lambda: lambda, set: s.p.Set, theta: append([]float64(nil), it.Theta...)}
		s.of.factor.Threads = it.Threads
	} else if gram := it.Gram.(*sweptGram); s.v.enrich(it.W, gram.images) == 0 {
		return ErrStalled
	}
	if err := s.of.solve(it.ctx, s.p.Y, it.Tol); err != nil {
		return err
	}
	spare, f := it.Spare(), s.of.values()
	copy(spare.Theta, s.of.theta)
	spare.Gram.At(spare.Theta)
	w := make([]float64, len(f))
	for i, y := range s.p.Y {
		w[i] = (y - f[i]) / lambda
	}
	if err := spare.Gram.(*sweptGram).look(it.ctx, w); err != nil {
		return err
	}
	it.Evals++
	spare.Judge(w)
	s.improve(spare, f)
	it.Accept()
	return nil
}

// improve takes the value of f, which is in the space of K(θ), for the primal value of the point where it proves more.
func (s *subspace) improve(pt *Point, f []float64) {
	lambda := s.p.Loss.Traits().Ridge
	norm, normError := s.of.norm()
	off := s.of.errors()
	n := float64(len(f))
	errs, most := 0.0, 0.0
	for i, y := range s.p.Y {
		r, d := math.Abs(y-f[i]), off[i]+linalg.Epsilon*(math.Abs(y)+math.Abs(f[i]))
		errs += r * r
		most += 2*r*d + d*d
	}
	errsError := most + (n+8)*linalg.Epsilon*errs
	primal := norm/2 + errs/(2*lambda)
	rounding := normError/2 + errsError/(2*lambda) + 8*linalg.Epsilon*primal
	if !(primal+rounding < pt.Primal+pt.Rounding.Primal) {
		return
	}
	pt.Primal, pt.Rounding.Primal = primal, rounding
	// of K(θ) − δI the value is at most that of λ − δ in place of λ: see loss.Squared
	_, _, lift := pt.Gram.(*sweptGram).Accuracy()
	if pt.Lift = math.Inf(1); lift < lambda {
		pt.Lift = (errs + errsError) / (2 * lambda) * (lift / (lambda - lift)) * (1 + 16*linalg.Epsilon)
	}
}

// root is √max(v, 0).
func root(v float64) float64 { return math.Sqrt(math.Max(v, 0)) }
