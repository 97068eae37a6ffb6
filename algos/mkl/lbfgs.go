package mkl

import (
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/loss"

	"gonum.org/v1/gonum/floats"
)

// LBFGS is limited-memory BFGS on θ ≥ 0, with projected steps. Coordinates that are 0 and want to stay
// there (∂F_k > 0) are held; on the others
//
//	d = −H ∇F,   θ(η) = max(0, θ + ηd),
//
// H the inverse Hessian of the last pairs s = θ_{j+1} − θ_j, z = ∇F(θ_{j+1}) − ∇F(θ_j), restricted to the
// coordinates that may move. η = 1 is tried first, then the minimiser of the parabola through what was
// seen, until F decreases by 1e-4⟨∇F, θ(η)−θ⟩. The first step moves the coordinate with the largest slope by
// the mean of θ. A pair without curvature (sᵀz ≤ 0) is not kept.
//
// Any family, loss and regulariser with a differentiable F on θ ≥ 0; stationary points only where F has
// others than minima. It takes the fewest evaluations of the solvers here for products of Gaussians,
// with about 10m numbers of memory.
//
// References:
//   - D. Bertsekas, Projected Newton methods for optimization problems with simple constraints, SIAM J.
//     Control Optim. 20 (1982), Proposition 1: why the held coordinates are left out of H.
//   - R. Byrd, P. Lu, J. Nocedal and C. Zhu, A limited memory algorithm for bound constrained
//     optimization, SIAM J. Sci. Comput. 16 (1995), which this one is simpler than.
type LBFGS struct {
	// Store is how many pairs are kept. If Store is 0, it is 10.
	Store int
	// Force runs it with a loss that is not loss.Strict and a polynomial family too; see SPG.
	Force bool
}

var _ Solver = LBFGS{}

func (s LBFGS) String() string {
	name := "L-BFGS"
	if s.Store != 0 {
		name += fmt.Sprintf("(store=%d)", s.Store)
	}
	if s.Force {
		name += ", forced"
	}
	return name
}

// Uses asks for θ ≥ 0 and a differentiable F; see QuasiNewton.
func (s LBFGS) Uses(p *Problem) (Use, error) {
	return Use{Inner: 1e-9}, unsuited(s,
		need(s.Store >= 0, "a store of 1 pair or more, or 0 for 10"),
		needCone(p),
		needSlopes(p, s.Force))
}

// Start returns one run.
func (s LBFGS) Start(p *Problem) Stepper {
	m, _ := p.Grams.Dims()
	if s.Store == 0 {
		s.Store = 10
	}
	return &lbfgs{LBFGS: s, d: make([]float64, m), free: make([]bool, m)}
}

// lbfgs is one run.
type lbfgs struct {
	LBFGS
	s, z [][]float64
	d    []float64
	free []bool
}

func (s *lbfgs) Step(it *Iterate) error {
	if entered, err := enter(it); entered {
		return err
	}
	for {
		s.direction(it)
		ok, err := s.search(it)
		switch {
		case err != nil:
			return err
		case ok:
			s.keep(it)
			it.Accept()
			return nil
		case len(s.s) == 0:
			return ErrStalled
		}
		s.s, s.z = nil, nil // along the gradient once more
	}
}

// inner is ⟨a,b⟩ over the coordinates that may move.
func (s *lbfgs) inner(a, b []float64) float64 {
	t := 0.0
	for k, f := range s.free {
		if f {
			t += a[k] * b[k]
		}
	}
	return t
}

// direction fills d by the two loops of L-BFGS.
func (s *lbfgs) direction(it *Iterate) {
	g := it.Grad()
	for k, v := range g {
		s.free[k] = it.Theta[k] > 0 || v < 0
		s.d[k] = 0
		if s.free[k] {
			s.d[k] = -v
		}
	}
	var (
		use     []int // of the pairs, those with curvature in the free coordinates
		rho, by []float64
		scale   = unit(it)
	)
	for i := len(s.s) - 1; i >= 0; i-- {
		sz, zz := s.inner(s.s[i], s.z[i]), s.inner(s.z[i], s.z[i])
		if !(sz > 1e-10*zz*scale) || zz == 0 {
			continue
		}
		if len(use) == 0 {
			scale = sz / zz
		}
		a := s.inner(s.s[i], s.d) / sz
		floats.AddScaled(s.d, -a, s.z[i])
		use, rho, by = append(use, i), append(rho, 1/sz), append(by, a)
	}
	floats.Scale(scale, s.d)
	for j := len(use) - 1; j >= 0; j-- {
		i := use[j]
		floats.AddScaled(s.d, by[j]-rho[j]*s.inner(s.z[i], s.d), s.s[i])
	}
	for k, f := range s.free {
		if !f {
			s.d[k] = 0
		}
	}
}

// search looks for a decrease along the projected direction.
func (s *lbfgs) search(it *Iterate) (bool, error) {
	g, t := it.Grad(), it.Spare()
	if !(floats.Dot(g, s.d) < 0) {
		return false, nil
	}
	for eta, count := 1.0, 0; count < 30; count++ {
		slope := 0.0
		for k, d := range s.d {
			t.Theta[k] = max(0, it.Theta[k]+eta*d)
			slope += g[k] * (t.Theta[k] - it.Theta[k])
		}
		if !(slope < 0) {
			eta /= 2
			continue
		}
		if _, err := it.Try(); err != nil {
			if it.ctx.Err() != nil || !errors.Is(err, loss.ErrNotPSD) {
				return false, err
			}
			eta /= 10
			continue
		}
		if sufficient(it, it.F(), slope) {
			return true, nil
		}
		shorter := 0.1 // the parabola through F, its slope, and F at the trial
		if rise := t.F() - it.F() - slope; rise > 0 {
			shorter = min(max(-slope/(2*rise), 0.1), 0.5)
		}
		eta *= shorter
	}
	return false, nil
}

// keep adds the pair of the step from it to the spare.
func (s *lbfgs) keep(it *Iterate) {
	t := it.Spare()
	d, z := make([]float64, len(s.d)), make([]float64, len(s.d))
	floats.SubTo(d, t.Theta, it.Theta)
	floats.SubTo(z, t.Grad(), it.Grad())
	if !(floats.Dot(d, z) > 1e-12*math.Sqrt(floats.Dot(d, d)*floats.Dot(z, z))) {
		return
	}
	if s.s, s.z = append(s.s, d), append(s.z, z); len(s.s) > s.Store {
		s.s, s.z = s.s[1:], s.z[1:]
	}
}
