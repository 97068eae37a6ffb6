package mkl

import (
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// FrankWolfe minimizes F over a bounded Θ by linear minimization, without projections:
//
//	s_k     = argmin_{s ∈ Θ} ⟨∇F(θ_k), s⟩
//	θ_{k+1} = θ_k + η_k (s_k − θ_k),  η_k = 2/(k+2).
//
// The family must be linear in θ, so that F is convex. For k ≥ 1, F(θ_k) − min F ≤ 2C/(k+2), where C is the curvature
// constant of F on Θ,
//
//	C = sup {2/η² (F(θ + η(s−θ)) − F(θ) − η⟨∇F(θ), s−θ⟩) : θ, s ∈ Θ, 0 < η ≤ 1}.
//
// A step costs one evaluation of F. s_k is known from the certificate. If θ is a matrix in a set.Spectraplex, then
// s_k = vvᵀ. A family with kernel.Grams.MixRankOne, such as tessellated kernels, then updates K by a step of rank one.
// Inner solves to a tenth of the gap are accurate enough. For an accurate θ, SPG or Level takes far fewer evaluations.
//
// Reference: M. Jaggi, Revisiting Frank–Wolfe: projection-free sparse convex optimization, ICML 2013, Algorithm 1 and
// Theorem 1.
type FrankWolfe struct {
	// Exact chooses η by an exact line search for F'(η) = 0 on [0, 1], by secants (Illinois) in a bracket that begins
	// at 1.5 times the last η. It accepts η if |F'(η)| ≤ Slope·|F'(0)| and F has decreased. F' alone is not enough,
	// because it may jump to a value near 0 at a kink of F. A step costs 2 to 4 warm evaluations.
	Exact bool
	// Slope is the fraction of |F'(0)| at which an Exact line search ends. If 0, it is 0.1.
	Slope float64
	// Force also accepts a loss that is not strictly concave. F then has kinks at θ with a singular K(θ). With kinks, C
	// is infinite, and the iterates need not approach a minimizer.
	Force bool
}

var _ Solver = FrankWolfe{}

func (f FrankWolfe) String() string {
	var o []string
	if f.Exact {
		o = append(o, "exact")
	}
	if f.Slope != 0 {
		o = append(o, fmt.Sprintf("slope=%g", f.Slope))
	}
	if f.Force {
		o = append(o, "forced")
	}
	if o == nil {
		return "FrankWolfe"
	}
	return "FrankWolfe(" + strings.Join(o, ", ") + ")"
}

// Requirements asks for the minimizing vertex at each point. It requires a family linear in θ and a bounded set.
func (f FrankWolfe) Requirements(p *Problem) (Requirements, error) {
	u := Requirements{Enter: true, Vertex: true, RankOne: p.rankOne(), Inner: 1e-1}
	if f.Exact { // the line search compares values of F, and computes F' from w
		u.Inner = 1e-4
	}
	return u, unsuited(f,
		need(f.Slope >= 0 && f.Slope < 1, "a slope from 0 to 1"),
		need(isLinear(p), "a family linear in θ"),
		need(p.bounded(), "a bounded set"),
		need(f.Force || p.Differentiable(), smoothLoss))
}

// rankOne reports whether the vertices of Θ are matrices vvᵀ.
func (p *Problem) rankOne() bool {
	rows, cols := p.Grams.Shape()
	return p.Set.Traits().Spectraplex() && rows > 0 && rows == cols
}

// bounded reports whether Θ is bounded.
func (p *Problem) bounded() bool {
	m, _ := p.Grams.Dims()
	e := make([]float64, m)
	floats.AddConst(1, e)
	return !math.IsInf(set.SupportAbs(p.Set, e), 1)
}

// Start returns the state of one run.
func (f FrankWolfe) Start(p *Problem) Stepper {
	run := &frankWolfe{FrankWolfe: f, last: 1}
	if !p.rankOne() {
		m, _ := p.Grams.Dims()
		run.d = make([]float64, m)
	}
	return run
}

// frankWolfe is the state of one run.
type frankWolfe struct {
	FrankWolfe
	d    []float64 // s − θ; nil if the direction is vvᵀ − θ
	v    []float64
	last float64 // first η of the next Exact line search
}

func (f *frankWolfe) Step(it *Iterate) error {
	o := it.Oracle() // already computed for the certificate
	if f.v = o.V; f.v == nil {
		floats.SubTo(f.d, o.S, it.Theta)
	}
	if f.Exact {
		return f.exact(it)
	}
	if err := f.try(it, 2/float64(it.K+2)); err != nil {
		return err
	}
	it.Accept()
	return nil
}

// try evaluates F at θ + ηd.
func (f *frankWolfe) try(it *Iterate, eta float64) error {
	if f.v != nil {
		_, err := it.TryTowards(f.v, eta)
		return err
	}
	t := it.Trial().Theta
	floats.AddScaledTo(t, it.Theta, eta, f.d)
	if !it.p.Set.Contains(t) { // because of the rounding of many steps
		it.p.Set.Project(t, t)
	}
	_, err := it.Try()
	return err
}

// slope returns ⟨∇F, d⟩ at pt, where d is the direction from the current point.
func (f *frankWolfe) slope(it *Iterate, pt *Point) float64 {
	if f.v == nil {
		return floats.Dot(pt.Grad(), f.d)
	}
	g, q := pt.Grad(), len(f.v)
	s := -floats.Dot(g, it.Theta)
	for i, a := range f.v {
		s += a * floats.Dot(g[i*q:(i+1)*q], f.v)
	}
	return s
}

// exact accepts an η at which F' is near 0 and F has decreased. If the bracket closes about a kink, it accepts the best
// η that it tried.
func (f *frankWolfe) exact(it *Iterate) error {
	d0 := f.slope(it, it.Point)
	if !(d0 < 0) {
		return ErrStalled
	}
	if f.v != nil {
		it.forget()
	}
	tol := f.Slope
	if tol == 0 {
		tol = 0.1
	}
	lo, flo, hi, fhi := 0.0, d0, 0.0, 0.0 // the bracket, with the slopes at its ends
	best, bestF, at := 0.0, it.F(), 0.0   // the best η and its F; at is η of the trial
	look := func(eta float64) (done bool, slope float64, err error) {
		if err = f.try(it, eta); err != nil {
			return false, 0, err
		}
		at, slope = eta, f.slope(it, it.Trial())
		falls := it.Trial().F() <= it.F()+armijo*eta*d0
		if falls && it.Trial().F() < bestF {
			best, bestF = eta, it.Trial().F()
		}
		return falls && (math.Abs(slope) <= tol*-d0 || eta == 1 && slope <= 0), slope, nil
	}
	accept := func() error {
		f.last = math.Max(1.5*at, 1e-4)
		it.Accept()
		return nil
	}
	for eta := math.Min(1, f.last); ; eta = math.Min(1, 4*eta) {
		done, slope, err := look(eta)
		if err != nil {
			return err
		}
		if done {
			return accept()
		}
		if hi, fhi = eta, slope; slope > 0 || eta == 1 {
			break
		}
		lo, flo = eta, slope
	}
	most, margin := 60, 1e-3 // for a small tol
	if tol >= 1e-3 {
		most, margin = 12, 0.1
	}
	for range most {
		if hi-lo <= 1e-12*hi || !(fhi > 0) {
			break
		}
		eta := (lo*fhi - hi*flo) / (fhi - flo)
		eta = math.Min(math.Max(eta, lo+margin*(hi-lo)), hi-margin*(hi-lo))
		done, slope, err := look(eta)
		if err != nil {
			return err
		}
		if done {
			return accept()
		}
		if slope < 0 {
			lo, flo, fhi = eta, slope, fhi/2
		} else {
			hi, fhi, flo = eta, slope, flo/2
		}
	}
	if best == 0 {
		return ErrStalled
	}
	if at != best {
		if err := f.try(it, best); err != nil {
			return err
		}
		at = best
	}
	return accept()
}
