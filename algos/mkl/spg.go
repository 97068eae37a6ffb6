package mkl

import "gonum.org/v1/gonum/floats"

// SPG is the spectral projected gradient method, the default if F is differentiable:
//
//	d_k     = P_Θ(θ_k − η_k ∇F(θ_k)) − θ_k,   η_k the Barzilai–Borwein length
//	θ_{k+1} = θ_k + t d_k,   t ∈ {1, ½, ¼, …} the first with
//	F(θ_{k+1}) ≤ max of the last five values + 1e-4 t ⟨∇F(θ_k), d_k⟩.
//
// It takes any family, loss, set and regularizer with a differentiable F. If F has stationary points that are not
// minima, SPG finds only a stationary point. Only a global certificate, reported as the status Certified, proves a
// minimum. A step costs one projection of θ and usually one evaluation of F. The first step projects a start outside Θ.
// For K(θ) of degree 2 and r = β‖θ‖² with a small β, θ = 0 is stationary but not a minimum, and SPG leaves it.
//
// References:
//   - E. Birgin, J. Martínez and M. Raydan, SIAM J. Optim. 10 (2000), Algorithm 2.2 (SPG2).
type SPG struct {
	// AllowNonsmooth accepts also a loss whose dual is not strictly concave (loss.Traits.StrictlyConcave). At θ with a
	// singular K(θ), F then has kinks, at which the line search may stall; use Level for such F.
	AllowNonsmooth bool
}

var _ Solver = SPG{}

func (s SPG) String() string {
	if s.AllowNonsmooth {
		return "SPG(forced)"
	}
	return "SPG"
}

// Requirements requires a differentiable F. It requests that a run starts in Θ.
func (s SPG) Requirements(p *Problem) (Requirements, error) {
	return Requirements{ProjectsStart: true}, unsuitedError(s,
		require(s.AllowNonsmooth || p.IsDifferentiable(), smoothLossRequirement))
}

func (SPG) Start(*Problem) Stepper { return &spg{} }

// pastValues is the number of past values of F with whose maximum the line search compares F.
const pastValues = 5

type spg struct {
	pastF      []float64 // last values of F
	lengthRule barzilaiBorwein
	stepLength float64   // η_k
	direction  []float64 // d_k
}

func (s *spg) Step(it *Iterate) error {
	if hasEscaped, err := leaveZeroTheta(it); hasEscaped {
		return err
	}
	g, t := it.Grad(), it.TrialPoint()
	if s.direction == nil {
		s.direction, s.stepLength = make([]float64, len(g)), firstStepLength(it)
	}
	switch eta := s.lengthRule.nextStepLength(it); {
	case eta > 0:
		s.stepLength = eta
	case len(s.pastF) > 0:
		s.stepLength *= 10 // F has no positive curvature along the last step: try a longer one
	}
	if s.pastF = append(s.pastF, it.F()); len(s.pastF) > pastValues {
		s.pastF = s.pastF[1:]
	}
	floats.AddScaledTo(s.direction, it.Theta, -s.stepLength, g)
	it.p.Set.Project(s.direction, s.direction)
	floats.Sub(s.direction, it.Theta)
	slope := floats.Dot(g, s.direction)
	return it.acceptOrStall(it.searchLine(floats.Max(s.pastF), 1, maxHalvings, func(eta float64) float64 {
		floats.AddScaledTo(t.Theta, it.Theta, eta, s.direction)
		return eta * slope
	}, halve))
}
