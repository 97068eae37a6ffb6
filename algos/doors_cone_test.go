package algos_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/reg/regtest"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/set/settest"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// cone is Θ = {K ⪰ 0}, θ = vec K with both triangles. It is not bounded.
type cone struct {
	At float64 // a run starts at At·I
}

var (
	_ set.Set      = cone{}
	_ set.Residual = cone{}
)

func (c cone) Traits() set.Traits { return set.Traits{Matrices: true, Cone: true} }

func init() { registry.Register(cone{}); registry.Register(proximity{}) }

// rounded is what an eigenvalue 0 of a matrix with these may be computed as.
func rounded(values []float64) float64 {
	return 1e-12 * max(math.Abs(values[0]), math.Abs(values[len(values)-1]))
}

func (c cone) Validate(m int) error {
	if !(c.At > 0) {
		return fmt.Errorf("cone with a start of %g·I, want > 0", c.At)
	}
	if q := order(m); q < 1 || q*q != m {
		return fmt.Errorf("cone of %d parameters, want a square", m)
	}
	return nil
}

func (c cone) Start(dst []float64) { spectraplex{c.At * float64(order(len(dst)))}.Start(dst) }

// Project cuts off the negative eigenvalues.
func (c cone) Project(dst, x []float64) {
	a := symmetric(x)
	values, v := linalg.Eigen(a, true)
	if values[0] >= 0 {
		for i := range dst {
			dst[i] = a.At(i/len(values), i%len(values))
		}
		return
	}
	for i := range values {
		values[i] = max(0, values[i])
	}
	compose(dst, values, v)
}

// Minimize is 0, at 0, where G ⪰ 0 to rounding, else −∞.
func (c cone) Minimize(dst, g []float64) float64 {
	if dst != nil {
		clear(dst)
	}
	if values, _ := linalg.Eigen(symmetric(g), false); values[0] < -rounded(values) {
		return math.Inf(-1)
	}
	return 0
}

func (c cone) Contains(theta []float64) bool {
	q := order(len(theta))
	values, _ := linalg.Eigen(symmetric(theta), false)
	tol := rounded(values)
	for i := range q {
		for j := range i {
			if !(math.Abs(theta[i*q+j]-theta[j*q+i]) <= tol) {
				return false
			}
		}
	}
	return values[0] >= -tol
}

// Residual is |⟨G,K⟩| + λ·tr K with λ = max(0, −λ_min(G)): K is optimal iff G ⪰ 0 and ⟨G,K⟩ = 0. The
// trace is taken as at least that of a start.
func (c cone) Residual(theta, g []float64) float64 {
	values, _ := linalg.Eigen(symmetric(g), false)
	return math.Abs(floats.Dot(g, theta)) + max(0, -values[0])*max(mat.Trace(symmetric(theta)), c.At*float64(len(values)))
}

// Spread is +∞ unless e = 0: the cone is not bounded.
func (c cone) Spread(e []float64) float64 {
	if floats.Norm(e, 1) > 0 {
		return math.Inf(1)
	}
	return 0
}

// proximity is r(K) = ρ‖K − S‖²: near a matrix of similarities S, which need not be positive
// semidefinite.
//
// References:
//   - R. Luss and A. d'Aspremont, Support vector machine classification with indefinite kernels,
//     Math. Program. Comput. 1 (2009), eq. (4).
type proximity struct {
	Rho float64
	S   []float64 // m
}

var _ reg.Majorized = proximity{}

func (p proximity) Validate(m int) error {
	if !(p.Rho > 0) || len(p.S) != m {
		return fmt.Errorf("proximity with ρ = %g to %d numbers, want ρ > 0 and %d", p.Rho, len(p.S), m)
	}
	return nil
}

func (p proximity) Value(grad, theta []float64) float64 {
	ss := 0.0
	for i, v := range theta {
		d := v - p.S[i]
		ss += d * d
		if grad != nil {
			grad[i] += 2 * p.Rho * d
		}
	}
	return p.Rho * ss
}

func (p proximity) Majorize([]float64) (reg.Quadratic, bool) {
	return reg.Quadratic{A: p.Rho, C: p.S, Exact: true}, true
}

func (p proximity) Slice([]int) reg.Reg { return p }

func TestCone(t *testing.T) {
	for _, q := range []int{1, 2, 5} {
		settest.TestSet(t, cone{1}, q*q, settest.Options{
			// relative: the cone knows no length
			Outside: func(theta []float64) float64 {
				values, _ := linalg.Eigen(symmetric(theta), false)
				return max(0, -values[0]-1e-13*values[len(values)-1])
			},
			Sample: psd,
		})
	}
}

func TestProximity(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	s := make([]float64, 9)
	for i := range s {
		s[i] = r.NormFloat64()
	}
	settest.Symmetric(s)
	regtest.TestReg(t, proximity{Rho: 0.7, S: s}, 9)
}
