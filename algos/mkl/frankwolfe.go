package mkl

import (
	"fmt"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// FrankWolfe minimizes F over a bounded Θ with its linear minimization alone:
//
//	s_k     = argmin_{s ∈ Θ} ⟨∇F(θ_k), s⟩
//	θ_{k+1} = θ_k + η_k (s_k − θ_k),  η_k = 2/(k+2).
//
// Convex F only: a family linear in θ. F(θ_k) − min F ≤ 2C/(k+2) for k ≥ 1, C the curvature constant
// of F on Θ,
//
//	C = sup {2/η² (F(θ + η(s−θ)) − F(θ) − η⟨∇F(θ), s−θ⟩) : θ, s ∈ Θ, 0 < η ≤ 1}.
//
// A step costs one evaluation and no projection; the certificate has made the oracle call. On matrices
// (a set.Spectraplex and a kernel.RankOne, such as tessellated kernels) s_k = vvᵀ, and K follows by a step of
// rank one. It needs inner solves no better than a tenth of the gap. Where an accurate θ is wanted, SPG or Level
// takes far fewer evaluations.
//
// Reference: M. Jaggi, Revisiting Frank–Wolfe: projection-free sparse convex optimization, ICML 2013, Algorithm 1 and
// Theorem 1.
type FrankWolfe struct {
	// Exact chooses η by an exact line search, F'(η) = 0 on [0, 1], by secants (Illinois) in a bracket
	// that begins at 1.5 times the last η. A length is accepted where |F'(η)| ≤ Slope·|F'(0)| and F has
	// fallen: F' alone may jump next to 0 where F has kinks. A step costs 2 to 4 warm evaluations.
	Exact bool
	// Slope is the part of |F'(0)| at which an Exact line search ends. If 0, it is 0.1.
	Slope float64
	// Force runs it with a loss that is not strictly concave too. Where K(θ) is singular F then has
	// kinks, C is infinite and the iterates need not approach a minimizer.
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

// Requirements asks for the minimizing vertex at each point, of a family linear in θ on a bounded set.
func (f FrankWolfe) Requirements(p *Problem) (Requirements, error) {
	u := Requirements{Enter: true, Vertex: true, RankOne: p.rankOne(), Inner: 1e-1}
	if f.Exact { // F is compared, and F' is that of w
		u.Inner = 1e-4
	}
	return u, unsuited(f,
		need(f.Slope >= 0 && f.Slope < 1, "a slope from 0 to 1"),
		need(isLinear(p), "a family linear in θ"),
		need(p.bounded(), "a bounded set"),
		need(f.Force || p.Differentiable(), smoothLoss))
}

// rankOne reports whether vertices of Θ are matrices vvᵀ that the family can step towards.
func (p *Problem) rankOne() bool {
	rows, cols := p.Grams.Shape()
	_, steps := p.Grams.New().(kernel.RankOne)
	return p.Set.Traits().Spectraplex() && rows > 0 && rows == cols && steps
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
	run := &frankWolfe{FrankWolfe: f, last: 1}
	if !p.rankOne() {
		m, _ := p.Grams.Dims()
		run.d = make([]float64, m)
	}
	return run
}

// frankWolfe is one run.
type frankWolfe struct {
	FrankWolfe
	d    []float64 // s − θ; nil where it is vvᵀ − θ
	v    []float64
	last float64 // η of Exact
}

func (f *frankWolfe) Step(it *Iterate) error {
	o := it.Oracle() // the certificate has made the call
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

// try evaluates θ + ηd.
func (f *frankWolfe) try(it *Iterate, eta float64) error {
	if f.v != nil {
		_, err := it.TryTowards(f.v, eta)
		return err
	}
	t := it.Trial().Theta
	floats.AddScaledTo(t, it.Theta, eta, f.d)
	if !it.p.Set.Contains(t) { // the rounding of many steps
		it.p.Set.Project(t, t)
	}
	_, err := it.Try()
	return err
}

// slope is ⟨∇F, d⟩ at pt, d the direction from the current point.
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

// exact accepts a length at which F' is next to 0 and F has fallen; the best one tried where the
// bracket closes about a kink.
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
	best, bestF, at := 0.0, it.F(), 0.0   // and where the trial is
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
	most, margin := 60, 1e-3 // where the slope is to be small
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
