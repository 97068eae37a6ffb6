package mkl

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// FrankWolfe minimises F over a bounded Θ with its linear minimisation alone:
//
//	s_k     = argmin_{s ∈ Θ} ⟨∇F(θ_k), s⟩
//	θ_{k+1} = θ_k + η_k (s_k − θ_k),  η_k = 2/(k+2).
//
// Convex F only: a family linear in θ. F(θ_k) − min F ≤ 2C/(k+2) for k ≥ 1, C the curvature constant
// of F on Θ,
//
//	C = sup {2/η² (F(θ + η(s−θ)) − F(θ) − η⟨∇F(θ), s−θ⟩) : θ, s ∈ Θ, 0 < η ≤ 1}.
//
// A step costs one evaluation and no projection; the certificate has made the oracle call. It needs
// inner solves no better than a tenth of the gap. Where an accurate θ is wanted, SPG, or Pairwise on a
// simplex, takes far fewer evaluations.
//
// References:
//   - M. Jaggi, Revisiting Frank–Wolfe: projection-free sparse convex optimization, ICML 2013,
//     Algorithm 1 and Theorem 1.
//   - S. Lacoste-Julien and M. Jaggi, On the global linear convergence of Frank–Wolfe optimization
//     variants, NIPS 2015, Algorithm 2 (Pairwise).
//   - F. Pedregosa, G. Negiar, A. Askari and M. Jaggi, Linearly convergent Frank–Wolfe with
//     backtracking line-search, AISTATS 2020, Algorithm 2 (Search).
type FrankWolfe struct {
	// Shift replaces 2/(k+2) by 2/(k+2+Shift): smaller first steps. If Shift is 0, it is not used.
	Shift int
	// Search chooses η by backtracking, so that F decreases at every step: the first of the lengths
	// min(1, g/L‖d‖²), L ∈ {0.9L₋, 1.8L₋, …}, with F(θ+ηd) ≤ F − ηg + ½η²L‖d‖² for d = s−θ,
	// g = −⟨∇F,d⟩.
	Search bool
	// Pairwise, on a set.Simplex, moves weight to the vertex with the least ∂F/∂θ_k from the one
	// with the largest that has weight: d = s − v. It implies Search. The gap then falls linearly,
	// where F is strongly convex.
	Pairwise bool
	// Force runs it with a loss that is not loss.Strict too. Where K(θ) is singular F then has
	// kinks, C is infinite and the iterates need not approach a minimiser.
	Force bool
}

var _ Solver = FrankWolfe{}

func (f FrankWolfe) String() string {
	var o []string
	if f.Shift != 0 {
		o = append(o, fmt.Sprintf("shift=%d", f.Shift))
	}
	switch {
	case f.Pairwise:
		o = append(o, "pairwise")
	case f.Search:
		o = append(o, "search")
	}
	if f.Force {
		o = append(o, "forced")
	}
	if o == nil {
		return "FrankWolfe"
	}
	return "FrankWolfe(" + strings.Join(o, ", ") + ")"
}

// Uses asks for the minimising vertex at each point, of a family linear in θ on a bounded set.
func (f FrankWolfe) Uses(p *Problem) (Use, error) {
	_, simplex := p.Set.(set.Simplex)
	u := Use{Vertex: true}
	if !f.Search && !f.Pairwise {
		u.Inner = 1e-1
	}
	return u, unsuited(f,
		need(f.Shift >= 0, "a shift of 0 or more"),
		need(f.Shift == 0 || !f.Search && !f.Pairwise, "a shift or a line search, not both"),
		need(linear(p), "a family linear in θ"),
		need(p.bounded(), "a bounded set"),
		need(!f.Pairwise || simplex, "a simplex for pairwise steps"),
		need(f.Force || p.Differentiable(), smoothLoss))
}

// bounded reports whether Θ is.
func (p *Problem) bounded() bool {
	m, _ := p.Grams.Dims()
	e := make([]float64, m)
	floats.AddConst(1, e)
	return !math.IsInf(set.SupportAbs(p.Set, e), 1)
}

// Start returns one run.
func (f FrankWolfe) Start(p *Problem) Stepper {
	m, _ := p.Grams.Dims()
	return &frankWolfe{FrankWolfe: f, d: make([]float64, m)}
}

// frankWolfe is one run.
type frankWolfe struct {
	FrankWolfe
	d     []float64 // direction
	most  float64   // largest η
	curve float64   // L
	sum   float64   // of a simplex
	from  int       // the vertex that loses weight
}

func (f *frankWolfe) Step(it *Iterate) error {
	if entered, err := enter(it); entered {
		return err
	}
	s := it.Oracle().S // s_k: the certificate has made the call
	floats.SubTo(f.d, s, it.Theta)
	switch {
	case f.Pairwise:
		f.pair(it, s)
		return f.search(it)
	case f.Search:
		f.most = 1
		return f.search(it)
	}
	if err := f.try(it, 2/float64(it.K+2+f.Shift)); err != nil {
		return err
	}
	it.Accept()
	return nil
}

// pair makes d the direction from the worst vertex with weight to s.
func (f *frankWolfe) pair(it *Iterate, s []float64) {
	g := it.Grad()
	f.from, f.sum = -1, floats.Sum(s)
	for k, v := range it.Theta {
		if v > 0 && (f.from < 0 || g[k] > g[f.from]) {
			f.from = k
		}
	}
	copy(f.d, s)
	f.d[f.from] -= f.sum
	f.most = it.Theta[f.from] / f.sum
}

// try evaluates θ + ηd.
func (f *frankWolfe) try(it *Iterate, eta float64) error {
	t := it.Spare().Theta
	floats.AddScaledTo(t, it.Theta, eta, f.d)
	if f.Pairwise {
		if eta == f.most {
			t[f.from] = 0
		}
		floats.Scale(f.sum/floats.Sum(t), t)
	} else if !set.Contains(it.p.Set, t) { // the rounding of many steps
		it.p.Set.Project(t, t)
	}
	_, err := it.Try()
	return err
}

// search accepts the first length that decreases F as a parabola of curvature L‖d‖² says.
func (f *frankWolfe) search(it *Iterate) error {
	g, d2 := -floats.Dot(it.Grad(), f.d), floats.Dot(f.d, f.d)
	if !(g > 0) {
		return ErrStalled
	}
	if f.curve *= 0.9; f.curve == 0 {
		f.curve = g / d2 // a full step
	}
	for range 100 {
		eta := math.Min(f.most, g/(f.curve*d2))
		err := f.try(it, eta)
		if err != nil && (it.ctx.Err() != nil || !errors.Is(err, loss.ErrNotPSD)) {
			return err
		}
		if err == nil && (it.Spare().F() <= it.F()-eta*g+eta*eta*f.curve*d2/2 ||
			math.Abs(it.Spare().F()-it.F()) <= 1e-10*math.Abs(it.F()) && sufficient(it, it.F(), -eta*g)) {
			it.Accept()
			return nil
		}
		f.curve *= 2
	}
	return ErrStalled
}
