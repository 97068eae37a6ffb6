package mkl

import (
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// LBFGS is limited-memory BFGS on θ ≥ 0. A step goes toward the minimizer of a quadratic model over θ ≥ 0,
//
//	d = argmin ⟨∇F,d⟩ + ½dᵀBd  over  θ + d ≥ 0,   θ⁺ = θ + ηd,
//
// where B is the BFGS matrix of the last ten pairs s = θ_{j+1} − θ_j, z = ∇F(θ_{j+1}) − ∇F(θ_j), made from B₀ = I/σ. σ
// is ‖s‖/‖z‖ of the newest pair, the geometric mean of the two lengths of Barzilai and Borwein. The usual choice,
// sᵀz/zᵀz, is the smaller of the two, and its steps are too short by half on products of Gaussians. η = 1 is tried
// first. Then η is the minimizer of the cubic that has the values and slopes of F at 0 and at the last η, until F
// decreases by at least 1e-4η|⟨∇F,d⟩|. In the first step σ is such that −σ∇F changes the coordinate with the largest
// |∂F/∂θ_k| by the mean of θ. A pair without positive curvature (sᵀz ≤ 1e-12‖s‖‖z‖) is not stored.
//
// LBFGS accepts any family, loss and regularizer with a differentiable F on θ ≥ 0. If F has stationary points that are
// not minima, it may end at one of them. For products of Gaussians it takes fewer evaluations than the other solvers of
// this package. Besides an evaluation, a step costs a few Cholesky factorizations of parts of B, of at most m³/3
// operations each. The solver stores about 2m² numbers.
//
// References:
//   - R. Byrd, P. Lu, J. Nocedal and C. Zhu, A limited memory algorithm for bound constrained optimization, SIAM J.
//     Sci. Comput. 16 (1995): the model, which the paper does not minimize to the end.
//   - J. Nocedal and S. Wright, Numerical optimization, 2nd ed. 2006, Procedure 7.6 (B), (3.59) (the cubic).
//   - Y.-H. Dai, M. Al-Baali and X. Yang, A positive Barzilai–Borwein-like stepsize and an extension for
//     symmetric linear systems, 2015: σ.
type LBFGS struct{}

var _ Solver = LBFGS{}

func (LBFGS) String() string { return "L-BFGS" }

// Requirements requires θ ≥ 0 and a differentiable F; see QuasiNewton.
func (s LBFGS) Requirements(p *Problem) (Requirements, error) {
	return Requirements{ProjectsStart: true, MaxInnerGap: 1e-9, ParameterMatrices: 2}, unsuitedError(s,
		requireOrthant(p),
		requireDifferentiable(p))
}

func (LBFGS) Start(p *Problem) Stepper {
	m, _ := p.Grams.Dims()
	return &lbfgs{hessianModel: mat.NewSymDense(m, nil), direction: make([]float64, m)}
}

const maxPairs = 10

type lbfgs struct {
	pairs        []curvaturePair // the last steps, which define the Hessian approximation B
	hessianModel *mat.SymDense   // B, the approximation of the Hessian of F
	direction    []float64       // d, from θ to the minimizer of the quadratic model of F
}

// curvaturePair holds s = θ_{j+1} − θ_j and z = ∇F(θ_{j+1}) − ∇F(θ_j) of a step.
type curvaturePair struct{ s, z []float64 }

func (s *lbfgs) Step(it *Iterate) error {
	for {
		s.computeHessianModel(it)
		ok := s.computeDirection(it)
		var err error
		if ok {
			ok, err = s.searchLine(it)
		}
		switch {
		case err != nil:
			return err
		case ok:
			s.storeCurvaturePair(it)
			it.AcceptTrial()
			return nil
		case len(s.pairs) == 0:
			return ErrStalled
		}
		s.pairs = nil // without pairs, B is a multiple of I, and the next direction is along −∇F
	}
}

// computeHessianModel computes B = I/σ + Σ (zzᵀ/sᵀz − (Bs)(Bs)ᵀ/sᵀBs), σ = initialStepLength, over the stored steps s
// and gradient differences z. B in each term is the sum of the terms before it.
func (s *lbfgs) computeHessianModel(it *Iterate) {
	initialStepLength := firstStepLengthOnOrthant(it.Point)
	if n := len(s.pairs); n > 0 {
		initialStepLength = floats.Norm(s.pairs[n-1].s, 2) / floats.Norm(s.pairs[n-1].z, 2)
	}
	s.hessianModel.Zero()
	for k := range s.direction {
		s.hessianModel.SetSym(k, k, 1/initialStepLength)
	}
	bs := make([]float64, len(s.direction))
	for _, p := range s.pairs {
		linalg.SymMulVec(bs, s.hessianModel, p.s)
		sbs := floats.Dot(p.s, bs)
		s.hessianModel.SymRankOne(s.hessianModel, 1/floats.Dot(p.s, p.z), mat.NewVecDense(len(bs), p.z))
		s.hessianModel.SymRankOne(s.hessianModel, -1/sbs, mat.NewVecDense(len(bs), bs))
	}
}

// computeDirection stores d = x − θ in s.direction, where x ≥ 0 minimizes the model ½xᵀBx − ⟨Bθ − ∇F, x⟩ of F with the
// Hessian approximation B. It returns false if rounding made B indefinite.
func (s *lbfgs) computeDirection(it *Iterate) (ok bool) {
	b, x := make([]float64, len(s.direction)), slices.Clone(it.Theta)
	linalg.SymMulVec(b, s.hessianModel, it.Theta)
	floats.Sub(b, it.Grad())
	if !minimizeNonnegative(x, s.hessianModel, b) {
		return false
	}
	floats.SubTo(s.direction, x, it.Theta)
	return true
}

// searchLine tries step lengths η along d. It reports whether the last trial decreases F enough.
func (s *lbfgs) searchLine(it *Iterate) (accepted bool, err error) {
	g, t := it.Grad(), it.TrialPoint()
	return it.searchLine(it.F(), 1, 30, func(eta float64) (slope float64) {
		for k, d := range s.direction {
			t.Theta[k] = max(0, it.Theta[k]+eta*d)
		}
		return it.slopeAlongStep(g)
	}, func(eta, slope float64, isPSD bool) float64 {
		if !isPSD {
			return eta / 10
		}
		endSlope := it.slopeAlongStep(t.Grad())
		d1 := slope + endSlope - 3*(t.F()-it.F()) // d₁ and d₂ of (3.59) in Nocedal and Wright
		d2 := math.Sqrt(d1*d1 - slope*endSlope)
		shrinkFactor := 1 - (endSlope+d2-d1)/(endSlope-slope+2*d2)
		if math.IsNaN(shrinkFactor) { // F is not finite, or its cubic interpolation has no minimum
			shrinkFactor = 0.1
		}
		return eta * min(max(shrinkFactor, 0.1), 0.7)
	})
}

// storeCurvaturePair stores the changes s of θ and z of ∇F from the current point to the trial, unless F has no
// positive curvature along s. Above maxPairs it drops the oldest pair.
func (s *lbfgs) storeCurvaturePair(it *Iterate) {
	t, m := it.TrialPoint(), len(s.direction)
	p := curvaturePair{s: make([]float64, m), z: make([]float64, m)}
	floats.SubTo(p.s, t.Theta, it.Theta)
	floats.SubTo(p.z, t.Grad(), it.Grad())
	if !(floats.Dot(p.s, p.z) > 1e-12*floats.Norm(p.s, 2)*floats.Norm(p.z, 2)) {
		return
	}
	if s.pairs = append(s.pairs, p); len(s.pairs) > maxPairs {
		s.pairs = s.pairs[1:]
	}
}
