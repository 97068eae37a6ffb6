package check

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/mkl"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Constants are the constants of Proposition 2.3 of C. Li, L. Venturi and R. Xu, for K(μ) = S_μ∘S_μ, S_μ = Σ_k μ_kK_k,
// over the ball M = {μ ≥ 0, ‖μ−μ₀‖ ≤ Λ}:
//
//	B = max_u λ_max(S_u∘S_u)   C = max_{u,μ} ‖S_μ∘S_u‖²   D = min_u λ_min(S_u∘S_u)   ‖u‖ = 1
//	E = max_μ λ_max(S_μ∘S_μ)   H = max_{u,μ} ‖(S_μ∘S_u)⁻¹‖²
//
// (E is printed with u in the place of μ, and H is called F in the paper's appendix.) If D > 0, J is concave
// for λ ≥ 4C/D; J is convex for λ ≤ 4/(HB) − E, and so for λ ≤ E log(4/(EHB)), which is less.
//
// Of one kernel that is so. Of two or more it says nothing: see Vacuous.
type Constants struct {
	Parameters int
	// B, C and E are NaN with two parameters or more, where nothing rests on them; D is an upper bound there
	B, C, D, E, H       float64
	ConcaveFrom         float64 // 4C/D, +Inf if D ≤ 0: no λ
	ConvexUpTo, Sharper float64 // E log(4/(EHB)) and 4/(HB) − E; no λ where that is ≤ 0, −Inf if H is not finite
	Witness, Singular   []float64
	SingularLeast       float64
}

// Vacuous reports whether the conditions hold for no λ. With two parameters or more that is always so:
//
//   - D ≤ 0. Take u orthogonal to ([K_k]_11)_k: S_u∘S_u has a 0 on its diagonal. Witness is such a u.
//   - H = +∞. S_μ∘S_u changes its sign with u, and the unit vectors u and −u are joined by unit
//     vectors; on the way an eigenvalue is 0. Singular is such a u for the ball's start, and
//     SingularLeast the smallest eigenvalue there in units of the largest.
func (c Constants) Vacuous() bool { return !(c.ConcaveFrom < math.Inf(1)) && !(c.Sharper > 0) }

func (c Constants) String() string {
	if c.Parameters > 1 {
		return fmt.Sprintf("vacuous with %d parameters: D ≤ %.3g (u = %.3g), H = +∞ (an eigenvalue of S_μ∘S_u is "+
			"%.1g of the largest at u = %.3g)", c.Parameters, c.D, c.Witness, c.SingularLeast, c.Singular)
	}
	convex := fmt.Sprintf("convex for λ ≤ %.3g", c.Sharper)
	if !(c.Sharper > 0) {
		convex = "convex for no λ > 0 by it"
	}
	return fmt.Sprintf("B = %.4g, C = %.4g, D = %.4g, E = %.4g, H = %.4g: concave for λ ≥ %.3g, %s", c.B, c.C, c.D,
		c.E, c.H, c.ConcaveFrom, convex)
}

// Proposition computes the constants for a family of degree 2 on a ball.
func Proposition(p *mkl.Problem) (Constants, error) {
	c := Constants{B: math.NaN(), C: math.NaN(), E: math.NaN(), ConcaveFrom: math.Inf(1), ConvexUpTo: math.Inf(-1),
		Sharper: math.Inf(-1)}
	if err := p.Validate(); err != nil {
		return c, err
	}
	ball := p.Set.Traits().Ball
	if ball == nil || p.Degree() != 2 {
		return c, fmt.Errorf("check: Proposition 2.3 is about degree 2 on a ball, not degree %d on %T", p.Degree(),
			p.Set)
	}
	m, n := p.Grams.Dims()
	c.Parameters = m
	gram := p.Grams.New()
	at := func(theta ...float64) *mat.SymDense {
		gram.At(theta)
		k := mat.NewSymDense(n, nil)
		k.CopySym(gram.K())
		return k
	}
	if m == 1 {
		values, _ := linalg.Eigen(at(1), false)
		center := 0.0
		if ball.Center != nil {
			center = ball.Center[0]
		}
		low, high := max(0, center-ball.Radius), center+ball.Radius
		c.B, c.D = values[n-1], values[0]
		c.C, c.E, c.H = high*high*c.B*c.B, high*high*c.B, 1/(low*low*c.D*c.D)
		if c.D > 0 {
			c.ConcaveFrom = 4 * c.C / c.D
			c.ConvexUpTo, c.Sharper = c.E*math.Log(4/(c.E*c.H*c.B)), 4/(c.H*c.B)-c.E
		}
		return c, nil
	}
	c.H = math.Inf(1)
	unit := func(k int) []float64 { u := make([]float64, m); u[k] = 1; return u }
	a, b := math.Sqrt(at(unit(0)...).At(0, 0)), math.Sqrt(at(unit(1)...).At(0, 0))
	c.Witness = make([]float64, m)
	if c.Witness[0], c.Witness[1] = b, -a; a == 0 && b == 0 {
		c.Witness[0] = 1
	}
	floats.Scale(1/floats.Norm(c.Witness, 2), c.Witness)
	values, _ := linalg.Eigen(at(c.Witness...), false)
	c.D = values[0]

	mu := make([]float64, m)
	p.Set.Start(mu)
	mixed := func(u []float64) []float64 { // eigenvalues of S_μ∘S_u = (K(μ+u) − K(μ−u))/4
		sum, diff := make([]float64, m), make([]float64, m)
		floats.AddTo(sum, mu, u)
		floats.SubTo(diff, mu, u)
		k, l := at(sum...), at(diff...)
		for i := range n {
			for j := i; j < n; j++ {
				k.SetSym(i, j, (k.At(i, j)-l.At(i, j))/4)
			}
		}
		values, _ := linalg.Eigen(k, false)
		return values
	}
	lo, hi := 0.0, 1.0 // of the half circle from e_1 through e_2 to −e_1, half turns
	path := func(t float64) []float64 {
		u := make([]float64, m)
		u[0], u[1] = math.Cos(math.Pi*t), math.Sin(math.Pi*t)
		return u
	}
	for range 60 {
		t := (lo + hi) / 2
		if v := mixed(path(t)); v[0] > 1e-14*v[n-1] {
			lo = t
		} else {
			hi = t
		}
	}
	c.Singular = path(hi)
	values = mixed(c.Singular)
	c.SingularLeast = math.Inf(1)
	for _, v := range values {
		c.SingularLeast = min(c.SingularLeast, math.Abs(v)/max(math.Abs(values[0]), math.Abs(values[n-1])))
	}
	return c, nil
}
