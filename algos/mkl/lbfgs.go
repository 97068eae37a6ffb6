package mkl

import (
	"math"

	"gonum.org/v1/gonum/floats"
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
// this package. It uses memory for about 30m numbers. In addition to an evaluation, a step costs about a hundred
// products of B with a vector, of 40m operations each.
//
// References:
//   - R. Byrd, P. Lu, J. Nocedal and C. Zhu, A limited memory algorithm for bound constrained optimization, SIAM J.
//     Sci. Comput. 16 (1995): the model, which the paper does not minimize to the end.
//   - J. Nocedal and S. Wright, Numerical optimization, 2nd ed. 2006, Procedure 7.6 (B), (3.59) (the cubic).
//   - D. Bertsekas, Projected Newton methods for optimization problems with simple constraints, SIAM J.
//     Control Optim. 20 (1982): the method that minimizes the model.
//   - Y.-H. Dai, M. Al-Baali and X. Yang, A positive Barzilai–Borwein-like stepsize and an extension for
//     symmetric linear systems, 2015: σ.
type LBFGS struct{}

var _ Solver = LBFGS{}

func (LBFGS) String() string { return "L-BFGS" }

// Requirements requires θ ≥ 0 and a differentiable F; see QuasiNewton.
func (s LBFGS) Requirements(p *Problem) (Requirements, error) {
	return Requirements{Enter: true, Inner: 1e-9}, unsuitedError(s,
		requireOrthant(p),
		requireDifferentiable(p))
}

// Start returns the state of one run.
func (LBFGS) Start(p *Problem) Stepper {
	m, _ := p.Grams.Dims()
	r := &lbfgs{free: make([]bool, m)}
	for _, v := range []*[]float64{&r.d, &r.slope, &r.newton, &r.trial, &r.product} {
		*v = make([]float64, m)
	}
	return r
}

// maxPairs is the largest number of stored pairs.
const maxPairs = 10

// lbfgs is the state of one run.
type lbfgs struct {
	pairs  []pair    // the last steps, which define B
	sigma  float64   // σ of B₀ = I/σ
	d      []float64 // minimizer of the model
	free   []bool    // coordinates that may move: all except those at 0 with a slope ≥ 0
	slope  []float64 // gradient of the model
	newton []float64 // Newton direction of the model over the free coordinates

	trial, product []float64 // work space: a trial d, and B times it
}

// pair holds s and z of a step, and Bs with the matrix B of the pairs before it.
type pair struct {
	s, z, bs []float64
	sz, sbs  float64 // sᵀz, sᵀBs
}

func (s *lbfgs) Step(it *Iterate) error {
	for {
		s.updateMatrix(it)
		s.computeDirection(it)
		ok, err := s.searchLine(it)
		switch {
		case err != nil:
			return err
		case ok:
			s.storePair(it)
			it.Accept()
			return nil
		case len(s.pairs) == 0:
			return ErrStalled
		}
		s.pairs = nil // no pairs: B = I/σ, so that the next direction is along −∇F
	}
}

// updateMatrix computes σ and, for each stored pair, Bs with the B of the pairs before it. These numbers define B.
func (s *lbfgs) updateMatrix(it *Iterate) {
	n := len(s.pairs)
	if n == 0 {
		s.sigma = firstOrthantLength(it.Point)
		return
	}
	s.sigma = floats.Norm(s.pairs[n-1].s, 2) / floats.Norm(s.pairs[n-1].z, 2)
	for i := range s.pairs {
		p := &s.pairs[i]
		s.multiplyB(p.bs, p.s, i)
		p.sbs = floats.Dot(p.s, p.bs)
	}
}

// multiplyB stores Bv in dst, where B is the matrix of the first n pairs: I/σ + Σ (zzᵀ/sᵀz − (Bs)(Bs)ᵀ/sᵀBs).
func (s *lbfgs) multiplyB(dst, v []float64, n int) {
	floats.ScaleTo(dst, 1/s.sigma, v)
	for _, p := range s.pairs[:n] {
		floats.AddScaled(dst, floats.Dot(p.z, v)/p.sz, p.z)
		floats.AddScaled(dst, -floats.Dot(p.bs, v)/p.sbs, p.bs)
	}
}

// computeDirection stores the minimizer of the model in d. It makes projected Newton steps from 0. Each step follows
// the Newton direction of the free coordinates, bends at the bounds, and is halved until the model decreases enough.
func (s *lbfgs) computeDirection(it *Iterate) {
	g, n := it.Grad(), len(s.pairs)
	clear(s.d)
	copy(s.slope, g)
	value, first := 0.0, 0.0
	for range 100 {
		norm := 0.0
		for k, v := range s.slope {
			if s.free[k] = it.Theta[k]+s.d[k] > 0 || v < 0; s.free[k] {
				norm += v * v
			}
		}
		if first = max(first, norm); norm <= 1e-12*first {
			return
		}
		s.solveNewton()
		moved := false
		for t := 1.0; t > 1e-8 && !moved; t /= 2 {
			predicted := 0.0
			for k, v := range s.newton {
				s.trial[k] = max(-it.Theta[k], s.d[k]+t*v)
				predicted += s.slope[k] * (s.trial[k] - s.d[k])
			}
			s.multiplyB(s.product, s.trial, n)
			v := floats.Dot(g, s.trial) + floats.Dot(s.trial, s.product)/2
			if moved = predicted < 0 && v <= value+armijoConstant*predicted; moved {
				value = v
				copy(s.d, s.trial)
				floats.AddTo(s.slope, g, s.product)
			}
		}
		if !moved {
			return
		}
	}
}

// solveNewton stores in newton the Newton direction of the model for the free coordinates, and 0 for the others. With
// the index set I of the free coordinates it solves B_II newton_I = −slope_I. It uses conjugate gradients, which end
// after at most 2n+1 products up to rounding, because B − I/σ has rank at most 2n.
func (s *lbfgs) solveNewton() {
	m, n := len(s.d), len(s.pairs)
	clear(s.newton)
	r, d, bd := make([]float64, m), make([]float64, m), s.product
	for k, f := range s.free {
		if f {
			r[k] = -s.slope[k]
		}
	}
	copy(d, r)
	rr := floats.Dot(r, r)
	first := rr
	for count := 0; count < min(m, 4*n+1) && rr > 1e-20*first; count++ {
		s.multiplyB(bd, d, n)
		for k, f := range s.free {
			if !f {
				bd[k] = 0
			}
		}
		c := floats.Dot(d, bd)
		if !(c > 0) {
			return
		}
		floats.AddScaled(s.newton, rr/c, d)
		floats.AddScaled(r, -rr/c, bd)
		oldRR := rr
		rr = floats.Dot(r, r)
		floats.Scale(rr/oldRR, d)
		floats.Add(d, r)
	}
}

// searchLine tries step lengths η along d. It reports whether the last trial decreases F enough.
func (s *lbfgs) searchLine(it *Iterate) (bool, error) {
	g, t := it.Grad(), it.Trial()
	for eta, count := 1.0, 0; count < 30; count++ {
		for k, d := range s.d {
			t.Theta[k] = max(0, it.Theta[k]+eta*d)
		}
		slope := it.slopeAlongStep(g)
		if !(slope < 0) {
			return false, nil
		}
		if _, err := it.Try(); err != nil {
			if !it.isNotPSD(err) {
				return false, err
			}
			eta /= 10
			continue
		}
		if it.hasSufficientDecrease(it.F(), slope) {
			return true, nil
		}
		endSlope := it.slopeAlongStep(t.Grad())
		cubicA := slope + endSlope - 3*(t.F()-it.F())
		cubicB := math.Sqrt(cubicA*cubicA - slope*endSlope)
		shrink := 1 - (endSlope+cubicB-cubicA)/(endSlope-slope+2*cubicB)
		if math.IsNaN(shrink) { // F is not finite, or the cubic has no minimum
			shrink = 0.1
		}
		eta *= min(max(shrink, 0.1), 0.7)
	}
	return false, nil
}

// storePair stores the pair s, z of the step from the current point to the trial, unless the pair has no positive
// curvature. Above maxPairs it drops the oldest pair.
func (s *lbfgs) storePair(it *Iterate) {
	t, m := it.Trial(), len(s.d)
	p := pair{s: make([]float64, m), z: make([]float64, m), bs: make([]float64, m)}
	floats.SubTo(p.s, t.Theta, it.Theta)
	floats.SubTo(p.z, t.Grad(), it.Grad())
	if p.sz = floats.Dot(p.s, p.z); !(p.sz > 1e-12*floats.Norm(p.s, 2)*floats.Norm(p.z, 2)) {
		return
	}
	if s.pairs = append(s.pairs, p); len(s.pairs) > maxPairs {
		s.pairs = s.pairs[1:]
	}
}
