package mkl

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// ADMM minimizes F = J + r by the alternating direction method of multipliers, which splits J and r:
//
//	θ' = argmin_Θ J(θ) + ½σ‖θ − z + u‖²,  z' = argmin r(z) + ‖z − θ' − u‖²·½σ,  u' = u + θ' − z',
//
// for r with a proximal step (reg.Proximal), such as L1, which has many kinks and does not suit DualAscent. The first
// problem is one for DualAscent. ADMM makes only a few of its ascents, at most five, from the last α. W = σu' is a
// subgradient of r at z', so that
//
//	min F ≥ D(α) + r(z') − ⟨W,z'⟩ + min_Θ ⟨W − ½v, ·⟩,   v_k = wᵀK_kw,
//
// for every α. σ grows if θ and z stay apart, and falls if z still moves (residual balancing). A step of a run makes
// ten iterations, of two to six projections onto Θ each, and one evaluation of F.
//
// The solver needs a family linear in θ, a bounded set, and a loss with a proximal step or a block norm of such a loss
// (loss.BlockNorm: EMKL and REKL of Kundu et al.). A run holds five arrays of the length of θ: two θ, z, W and the best
// θ so far.
//
// References:
//   - S. Boyd, N. Parikh, E. Chu, B. Peleato and J. Eckstein, Distributed optimization and statistical learning via
//     the alternating direction method of multipliers, Found. Trends Mach. Learn. 3 (2011), 3.1.1, 3.4.1 and 3.4.3.
type ADMM struct{}

var _ Solver = ADMM{}

func (ADMM) String() string { return "ADMM" }

// Requirements requires a regularizer with a proximal step.
func (s ADMM) Requirements(p *Problem) (Requirements, error) {
	m, _ := p.Grams.Dims()
	r, ok := p.Reg.(reg.Proximal)
	if ok = ok && p.Reg.Validate(m) == nil; ok {
		_, ok = r.Prox(make([]float64, m), make([]float64, m), make([]float64, m), 1)
	}
	return Requirements{Enter: true, OnePoint: true}, unsuited(s,
		need(isLinear(p), "a family linear in θ"),
		need(ok, "a regularizer with a proximal step (reg.DistancePenalty, with L2 one target)"),
		need(p.bounded(), "a bounded set"),
		need(p.proximal(), "a loss with a proximal step"))
}

// Start returns the state of one run.
func (ADMM) Start(p *Problem) Stepper { return &admm{reg: p.Reg.(reg.Proximal)} }

// admm is the state of one run.
type admm struct {
	reg   reg.Proximal
	inner dualAscent
	sigma float64
	z, w  []float64 // z and W = σu
	value float64   // r(z)

	changes, idle int // changes of σ; successive steps without a better bound
}

// splits is the number of iterations between two evaluations of F. An iteration makes at most as many ascents as a step
// of DualAscent. They end with an ascent that gains less than a tenth of the gain of the first.
const splits = 10

// relaxed is the factor of over-relaxation: the step of z uses 1.6θ' − 0.6z in place of θ'.
const relaxed = 1.6

func (s *admm) Step(it *Iterate) error {
	m := len(it.Theta)
	if s.z == nil {
		s.z, s.w = append(s.z, it.Theta...), make([]float64, m)
		s.value = it.p.Reg.Value(s.w, s.z)
		slope := floats.Norm(s.w, 2)
		if slope == 0 { // r has its minimum at the start of the run
			slope = math.Max(floats.Norm(it.GradJ(), 2), math.SmallestNonzeroFloat64*1e20)
		}
		s.sigma = slope / math.Max(floats.Norm(s.z, 2), math.SmallestNonzeroFloat64*1e20)
		s.inner.start(it)
		own := it.p.NewPoint()
		copy(own.Theta, it.Theta)
		own.Gram.At(own.Theta)
		s.inner.try.Theta, s.inner.try.Gram, s.inner.apart = own.Theta, own.Gram, true
	}
	d, centre := &s.inner, make([]float64, m)
	defer func() { d.q = nil }() // do not store the center between steps
	best, low := it.Best, it.Lower
	for i := range splits {
		floats.AddScaledTo(centre, s.z, -1/s.sigma, s.w)
		d.q = quadratics{{A: s.sigma / 2, C: centre}}
		d.tol, d.step = math.Max(math.Min(1e-5, it.Gap()/1e3), finest), math.Inf(1)
		d.evaluate(d.at)
		first := 0.0
		for j := range ascents {
			was := d.at.value
			if rose, err := d.ascend(it); err != nil {
				return err
			} else if !rose {
				break
			}
			gain := d.at.value - was
			if j == 0 {
				first = gain
			} else if gain < first/10 {
				break
			}
		}
		x, before := make([]float64, m), slices.Clone(s.z)
		for k, v := range d.at.Theta {
			x[k] = relaxed*v + (1-relaxed)*s.z[k] + s.w[k]/s.sigma
		}
		s.value, _ = s.reg.Prox(s.z, s.w, x, 1/s.sigma)
		if i == splits-1 {
			break
		}
		s.balance(floats.Distance(d.at.Theta, s.z, 2), floats.Distance(s.z, before, 2))
	}
	d.at.weigh()
	it.Lower = math.Max(it.Lower, s.lower())
	d.at.forget()
	copy(it.Theta, d.at.Theta)
	if _, err := it.Try(); err != nil {
		return err
	}
	it.Accept()
	if s.idle++; it.Upper() < best-1e-15*math.Abs(best) || it.Lower > low+1e-15*math.Abs(low) {
		s.idle = 0
	}
	if s.idle > 20 {
		return ErrStalled
	}
	return nil
}

// balance changes σ if one of two residuals is much larger than the other. They are the distance of θ from z, and the
// distance that z has moved. Later changes are smaller, because convergence is certain only if σ tends to a limit.
func (s *admm) balance(apart, moved float64) {
	ratio := apart * floats.Norm(s.w, 2) / (s.sigma * moved * math.Max(floats.Norm(s.z, 2),
		math.SmallestNonzeroFloat64*1e20))
	if !(ratio > 0) || math.IsInf(ratio, 1) || ratio > 0.2 && ratio < 5 {
		return
	}
	factor := 1.5
	if ratio > 100 || ratio < 0.01 {
		factor = 4
	}
	factor = math.Pow(factor, 1/(1+float64(s.changes)/30))
	if s.changes++; ratio < 1 {
		factor = 1 / factor
	}
	s.sigma *= factor
	s.inner.mu /= factor
}

// lower returns the lower bound of min F that w and W give.
func (s *admm) lower() float64 {
	pt, m := s.inner.at, float64(len(s.z))
	r, lost, size := pt.rounding(), pt.gradError(), math.Abs(s.value)+pt.Linear+pt.Quadratic
	g, e := make([]float64, len(s.z)), make([]float64, len(s.z))
	for k, v := range pt.GradJ() {
		g[k] = v + s.w[k]
		e[k] = lost[k] + linalg.Gamma(m+256)*(math.Abs(v)+math.Abs(s.w[k]))
		size += math.Abs(s.w[k] * s.z[k])
	}
	err := r.lin + r.quad/2 + set.SupportAbs(pt.p.Set, e) + linalg.Gamma(m+64)*size
	return pt.Linear - pt.Quadratic/2 + s.value + pt.p.Set.Minimize(nil, g) - floats.Dot(s.w, s.z) - err
}
