package loss

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// BlockNorm is a loss on several matrices K_1, …, K_m at once, under a block norm of their functions:
//
//	J(K_1, …, K_m) = max_{α∈A} D(α) − ½ (Σ_i √(wᵀK_iw))²
//	               = min_{f_1…f_m, b} ½ max_i ‖f_i‖²_{K_i} + the errors of Σ_i f_i + b.
//
// With γ_i = √q_i / Σ_j √q_j, q_i = wᵀK_iw, the square is min { Σ_i q_i/γ_i : γ ≥ 0, Σγ = 1 }: the problem of Of
// on K = Σ_i K_i/γ_i, jointly concave in α and γ. It is (10) of Kundu et al., where Of is Hinge. No matrix is
// left out, as the maximum does not gain from a f_i that is smaller than the others.
//
// The Gram is a Blocked, whose weights c_i = 1/γ_i Solve and Judge leave as in Solution.Block. J is concave in each
// √q_i: it has no derivative in K_i where q_i = 0, and its gradient −½c_iwwᵀ grows without bound towards there.
//
// References:
//   - A. Kundu, V. Tankasali, C. Bhattacharyya and A. Ben-Tal, Efficient algorithms for learning kernels from
//     multiple similarity matrices with general convex loss functions, NIPS 2010, (10).
//   - J. Saketha Nath et al., On the algorithmics and applications of a mixed-norm based kernel learning formulation,
//     NIPS 2009.
type BlockNorm struct {
	Of Loss // of one target for each point, with wᵀKw as the only use of K
}

var _ Sliced = BlockNorm{}

// leastShare bounds γ_i from below, so that K_i/γ_i stays finite where q_i = 0.
const leastShare = 1e-8

// String names the loss.
func (l BlockNorm) String() string {
	if s, ok := l.Of.(fmt.Stringer); ok {
		return s.String() + ", block norm"
	}
	return fmt.Sprintf("%T, block norm", l.Of)
}

// Validate asks for a loss of one column, and asks that.
func (l BlockNorm) Validate(y []float64) error {
	switch l.Of.(type) {
	case nil:
		return errors.New("loss: block norm of no loss, want Of")
	case Several:
		return fmt.Errorf("loss: block norm of %v, want a loss of one column", l.Of)
	case BlockNorm:
		return errors.New("loss: block norm of a block norm")
	}
	return l.Of.Validate(y)
}

// Solve turns to and fro: Of on Σ_i c_iK_i, then the best c for its w, with Anderson's extrapolation of log γ by
// one step, which takes 4 to 6 turns to 1e-9 where plain turns take 12. It starts at the c of s.Block. Each turn costs
// what Of takes and two products with the matrices.
func (l BlockNorm) Solve(ctx context.Context, s *Solution, g Gram, y []float64, tol float64) error {
	b, ok := g.(Blocked)
	if !ok {
		return fmt.Errorf("loss: block norm of a %T, want a Gram of several matrices (kernel.Blocked)", g)
	}
	m := b.Blocks()
	c := slices.Clone(s.Block)
	if len(c) != m {
		c = make([]float64, m)
		for i := range c {
			c[i] = 1
		}
	}
	shares(c)
	var (
		q             = make([]float64, m)
		x, image      = make([]float64, m), make([]float64, m) // log γ of a turn, and of the best γ for its w
		before, moved = make([]float64, m), make([]float64, m) // image of the turn before, and by how much it was moved

		best, stalled, iters = math.Inf(1), 0, 0

		w, weights []float64 // of the best gap
	)
	const most = 1000
	for turn := 1; ; turn++ {
		b.Weigh(c)
		err := l.Of.Solve(ctx, s, g, y, max(tol/8, min(best/50, 1e-2)))
		iters += s.Iters
		inner, inexact := err.(*Inexact)
		if err != nil && !inexact {
			return err
		}
		b.Forms(q, s.W)
		l.prove(s, c, q)
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
				l.Judge(s, g, y)
				s.Iters = iters
			}
			e := &Inexact{Gap: s.Gap(), Want: tol, Iterations: turn == most, Cause: ctx.Err()}
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
		balance(c, q)
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
		shares(c)
		copy(before, image)
	}
}

// prove makes the solution s of Of on Σ c_iK_i one of the block norm. With f_i = c_iK_iw, ‖f_i‖² = c_i²q_i; and
// Σ_i c_iq_i ≥ (Σ_i √q_i)², so that the dual value is a bound.
func (l BlockNorm) prove(s *Solution, c, q []float64) {
	top := 0.0
	for i, v := range q {
		top = max(top, c[i]*c[i]*v)
	}
	// the errors of q_i, times c_i², are at most max c_i times those of wᵀKw, which are of the same n² terms
	s.Primal += (top - s.WKW) / 2
	s.Rounding.Primal += (1 + slices.Max(c)) * s.Rounding.WKW
}

// balance stores the best c for forms q, 1/c_i in proportion to √q_i; all alike where q = 0.
func balance(c, q []float64) {
	zero := !(floats.Max(q) > 0)
	for i, v := range q {
		if zero {
			v = 1
		}
		c[i] = 1 / math.Sqrt(max(v, math.SmallestNonzeroFloat64))
	}
	shares(c)
}

// shares makes Σ 1/c_i ≤ 1, each 1/c_i at least leastShare.
func shares(c []float64) {
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

// Judge fills s with what s.W proves, with the best weights for it or those of s.Block, where they prove more.
func (l BlockNorm) Judge(s *Solution, g Gram, y []float64) {
	b := g.(Blocked)
	q, c := make([]float64, b.Blocks()), make([]float64, b.Blocks())
	b.Forms(q, s.W)
	given := s.Block
	judge := func() {
		b.Weigh(c)
		l.Of.Judge(s, g, y)
		l.prove(s, c, q)
	}
	balance(c, q)
	judge()
	if len(given) == len(c) {
		other := slices.Clone(c)
		gap := s.Gap()
		copy(c, given)
		shares(c)
		if judge(); !(s.Gap() < gap) {
			copy(c, other)
			judge()
		}
	}
	s.Block, s.Factor = c, nil
}

// Slice is that of Of.
func (l BlockNorm) Slice(rows []int) Loss {
	if s, ok := l.Of.(Sliced); ok {
		l.Of = s.Slice(rows)
	}
	return l
}
