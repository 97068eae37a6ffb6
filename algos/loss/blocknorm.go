package loss

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"

	"gonum.org/v1/gonum/floats"
)

// BlockNorm is a loss on several matrices K_1, …, K_m at once, under a block norm of their functions:
//
//	J(K_1, …, K_m) = max_{α∈A} D(α) − ½ (Σ_i √(wᵀK_iw))²
//	               = min_{f_1…f_m, b} ½ max_i ‖f_i‖²_{K_i} + the errors of Σ_i f_i + b.
//
// With γ_i = √q_i / Σ_j √q_j and q_i = wᵀK_iw, the square is min { Σ_i q_i/γ_i : γ ≥ 0, Σγ = 1 }. This is the problem
// of Loss on K = Σ_i K_i/γ_i, jointly concave in α and γ. With Hinge it is (10) of Kundu et al. Every matrix is used,
// because the maximum does not decrease if one f_i is smaller than the others.
//
// The Gram is a kernel.Blocked, whose weights c_i = 1/γ_i Solve and Evaluate leave as in Solution.Block. J is concave
// in each √q_i: it has no derivative in K_i at q_i = 0, and its gradient −½c_iwwᵀ grows without bound towards there.
//
// References:
//   - A. Kundu, V. Tankasali, C. Bhattacharyya and A. Ben-Tal, Efficient algorithms for learning kernels from
//     multiple similarity matrices with general convex loss functions, NIPS 2010, (10).
//   - J. Saketha Nath et al., On the algorithmics and applications of a mixed-norm based kernel learning formulation,
//     NIPS 2009.
type BlockNorm struct {
	Loss Loss // with one column of targets; K may enter it only through wᵀKw
}

var _ Loss = BlockNorm{}

const unblocked = "loss: BlockNorm needs a Gram of several matrices (kernel.Blocked); got %T"

// leastShare bounds γ_i from below, so that K_i/γ_i stays finite if q_i = 0.
const leastShare = 1e-8

// String returns the name of the loss.
func (l BlockNorm) String() string {
	if s, ok := l.Loss.(fmt.Stringer); ok {
		return s.String() + ", block norm"
	}
	return fmt.Sprintf("%T, block norm", l.Loss)
}

// Validate requires a valid loss with one column that is not a BlockNorm.
func (l BlockNorm) Validate(y []float64) error {
	switch l.Loss.(type) {
	case nil:
		return errors.New("loss: BlockNorm has no Loss; set one")
	case BlockNorm:
		return errors.New("loss: BlockNorm of a BlockNorm; use one of them")
	}
	if l.Loss.Traits().Columns > 1 {
		return fmt.Errorf("loss: BlockNorm of %v; use a loss with one column", l.Loss)
	}
	return l.Loss.Validate(y)
}

// Traits returns the zero value: J has kinks at q_i = 0.
func (BlockNorm) Traits() Traits { return Traits{} }

// Solve alternates: it solves Loss on Σ_i c_iK_i, then computes the best c for the resulting w. One step of Anderson
// acceleration extrapolates log γ: 4 to 6 turns reach 1e-9, instead of 12 without it. Solve starts at the c of s.Block.
// A turn costs one solve of Loss and two products with the matrices.
func (l BlockNorm) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	b, ok := g.(kernel.Blocked)
	if !ok {
		return fmt.Errorf(unblocked, g)
	}
	m := len(b.Blocks()) - 1
	c := slices.Clone(s.Block)
	if len(c) != m {
		c = make([]float64, m)
		for i := range c {
			c[i] = 1
		}
	}
	normalizeWeights(c)
	var (
		q             = make([]float64, m)
		x, image      = make([]float64, m), make([]float64, m) // log γ of a turn, and of the best γ for its w
		before, moved = make([]float64, m), make([]float64, m) // image and image − x of the previous turn

		best, stalled, iters = math.Inf(1), 0, 0

		w, weights []float64 // those with the best gap
	)
	const most = 1000
	for turn := 1; ; turn++ {
		b.Weigh(c)
		err := l.Loss.Solve(ctx, s, g, y, max(tol/8, min(best/50, 1e-2)))
		iters += s.Iters
		inner, inexact := err.(*Inexact)
		if err != nil && !inexact {
			return err
		}
		b.Forms(q, s.W)
		l.prove(s, g, c, q)
		s.Block, s.Factor, s.Iters = slices.Clone(c), nil, iters
		gap := s.Gap()
		if gap <= tol {
			return nil
		}
		if stalled++; gap < best/2 {
			stalled = 0
		}
		if ctx.Err() != nil || turn == most || stalled > 20 {
			if gap > best {
				s.W, s.Block = append(s.W[:0], w...), weights
				l.Evaluate(s, g, y, nil)
				s.Iters = iters
			}
			e := &Inexact{Gap: s.Gap(), Target: tol, Iterations: turn == most, Cause: ctx.Err()}
			if inexact {
				e.Iterations = e.Iterations || inner.Iterations
			}
			return e
		}
		better := gap < best
		if better {
			best, w, weights = gap, append(w[:0], s.W...), append(weights[:0], c...)
		}
		for i, v := range c {
			x[i] = -math.Log(v)
		}
		bestWeights(c, q)
		for i, v := range c {
			image[i] = -math.Log(v)
		}
		beta := 0.0
		if turn > 1 && better {
			num, den := 0.0, 0.0
			for i := range x {
				f := image[i] - x[i]
				num, den = num+f*(f-moved[i]), den+(f-moved[i])*(f-moved[i])
			}
			if den > 0 {
				beta = clip(num/den, -3, 0.5)
			}
		}
		for i := range c {
			c[i] = math.Exp(beta*(image[i]-before[i]) - image[i])
			moved[i] = image[i] - x[i]
		}
		normalizeWeights(c)
		copy(before, image)
	}
}

// prove turns the solution s of Loss on Σ c_iK_i into a solution of the block norm. For f_i = c_iK_iw,
// ‖f_i‖² = c_i²q_i. The dual value is a bound because Σ_i c_iq_i ≥ (Σ_i √q_i)².
//
// The matrices before their diagonal shifts are K_i − δ_iI. If these are positive semidefinite, the norm of
// f_i − c_iδ_iw is at most the norm of f_i, and δw_ja ≤ ½δa² + ½δw_j² for δ = Σ_i c_iδ_i.
func (l BlockNorm) prove(s *Solution, g Gram, c, q []float64) {
	_, _, lift, _ := g.K().Bounds()
	s.ShiftError += lift / 2 * floats.Dot(s.W, s.W)
	top := 0.0
	for i, v := range q {
		top = max(top, c[i]*c[i]*v)
	}
	// the errors of c_i²q_i are at most max c_i times the errors of wᵀKw, which sums the same n² terms
	s.Primal += (top - s.WKW) / 2
	s.Rounding.Primal += (1 + slices.Max(c)) * s.Rounding.WKW
}

// bestWeights stores the best c for the forms q: 1/c_i proportional to √q_i, or equal weights if q = 0.
func bestWeights(c, q []float64) {
	zero := !(floats.Max(q) > 0)
	for i, v := range q {
		if zero {
			v = 1
		}
		c[i] = 1 / math.Sqrt(max(v, math.SmallestNonzeroFloat64))
	}
	normalizeWeights(c)
}

// normalizeWeights scales c to Σ 1/c_i ≤ 1, with each 1/c_i at least leastShare.
func normalizeWeights(c []float64) {
	sum := 0.0
	for i, v := range c {
		c[i] = 1 / v
		sum += c[i]
	}
	total := 0.0
	for i, v := range c {
		c[i] = max(v/sum, leastShare)
		total += c[i]
	}
	for i, v := range c {
		c[i] = total / v * (1 + 1e-15)
	}
}

// Evaluate computes the bounds that s.W proves, with the better of two vectors of weights: the best c for w, and
// s.Block. It does not use kw.
func (l BlockNorm) Evaluate(s *Solution, g Gram, y, _ []float64) {
	b := g.(kernel.Blocked)
	m := len(b.Blocks()) - 1
	q, c := make([]float64, m), make([]float64, m)
	b.Forms(q, s.W)
	given := s.Block
	judge := func() {
		b.Weigh(c)
		l.Loss.Evaluate(s, g, y, nil)
		l.prove(s, g, c, q)
	}
	bestWeights(c, q)
	judge()
	if len(given) == len(c) {
		other := slices.Clone(c)
		gap := s.Gap()
		copy(c, given)
		normalizeWeights(c)
		if judge(); !(s.Gap() < gap) {
			copy(c, other)
			judge()
		}
	}
	s.Block, s.Factor = c, nil
}

// Slice returns the loss for the given rows.
func (l BlockNorm) Slice(rows []int) Loss {
	if l.Loss != nil { // Validate rejects nil
		l.Loss = l.Loss.Slice(rows)
	}
	return l
}

// Prox replaces a feasible w and weights c by about
//
//	argmax_{w',c'}  D(w') − ½ Σ_i u_iᵀK_iu_i − Σ_i ‖u_i − √c_i w‖²/2τ,  u_i = √c'_i w',  Σ_i 1/c'_i ≤ 1,
//
// if Loss is Proximal. K_i enters only through u_i, so τ is the step length of the u_i. Prox alternates: for fixed
// c', a proximal step of Loss about a multiple of w, to the relative gap tol; for fixed w', a root of a sum of m terms.
// No half of a turn lowers the value. A few turns suffice for a solver that checks its progress. Prox leaves the Gram
// with the weights c'.
func (l BlockNorm) Prox(ctx context.Context, w, c []float64, g Gram, y []float64, tau, tol float64) error {
	of, ok := l.Loss.(Proximal)
	if !ok {
		return fmt.Errorf("loss: the loss %T has no proximal step; use Hinge, EpsilonInsensitive or Pinball", l.Loss)
	}
	b, ok := g.(kernel.Blocked)
	if !ok {
		return fmt.Errorf(unblocked, g)
	}
	const turns = 10
	m := len(c)
	w0, root := slices.Clone(w), make([]float64, m) // √c of the center
	q, curve, pull := make([]float64, m), make([]float64, m), make([]float64, m)
	for i, v := range c {
		root[i] = math.Sqrt(v)
	}
	for range turns {
		total, along := 0.0, 0.0
		for i, v := range c {
			total += v
			along += math.Sqrt(v) * root[i]
		}
		floats.ScaleTo(w, along/total, w0)
		b.Weigh(c)
		if err := of.Prox(ctx, w, g, y, tau/total, tol); err != nil {
			return err
		}
		b.Forms(q, w)
		size, inner := floats.Dot(w, w), floats.Dot(w, w0)
		for i := range q {
			curve[i], pull[i] = max(q[i], 0)+size/tau, root[i]*inner/tau
		}
		moved, far := 0.0, 0.0
		if size > 0 {
			for i, s := range roots(curve, pull) {
				moved = max(moved, math.Abs(math.Log(s*s/c[i])))
				c[i] = s * s
				far = max(far, math.Abs(2*math.Log(s/root[i])))
			}
		}
		if !(moved > 0.02*far) {
			break
		}
	}
	b.Weigh(c)
	return nil
}

// roots returns the s > 0 that maximizes Σ_i b_is_i − ½a_is_i², a > 0, subject to Σ_i s_i⁻² ≤ 1. If s_i = b_i/a_i is
// feasible, this is the maximizer. Otherwise a_is_i⁴ − b_is_i³ = 2λ with the λ at which the sum is 1. Bisection finds
// λ, and Newton's method from above finds each s_i, because the left side is convex there. s_i² is at most
// 1/leastShare.
func roots(a, b []float64) []float64 {
	s := make([]float64, len(a))
	at := func(lambda float64) (sum float64) {
		for i, v := range a {
			free := max(b[i], 0) / v
			x := free + math.Sqrt(math.Sqrt(2*lambda/v))
			for range 60 {
				next := x - ((v*x-b[i])*x*x*x-2*lambda)/((4*v*x-3*b[i])*x*x)
				if !(next < x) {
					break
				}
				x = next
			}
			s[i] = min(max(x, free), 1/math.Sqrt(leastShare))
			sum += 1 / (s[i] * s[i])
		}
		return sum
	}
	if at(0) <= 1 {
		return s
	}
	low, high := 0.0, 0.0
	m := float64(len(a))
	for i, v := range a { // s_i ≥ √m
		high = max(high, m*m*v/2-m*math.Sqrt(m)*min(b[i], 0)/2)
	}
	for range 200 {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			break
		}
		if at(mid) > 1 {
			low = mid
		} else {
			high = mid
		}
	}
	at(high)
	return s
}
