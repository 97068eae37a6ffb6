package mkl_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/mkl/mkltest"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/similarity"

	"gonum.org/v1/gonum/mat"
)

// noisy are n labeled points whose similarities are a Gaussian kernel with symmetric noise of the given size.
func noisy(n int, noise float64, seed uint64) (s *mat.SymDense, y []float64) {
	rng := rand.New(rand.NewPCG(seed, 17))
	x := make([][3]float64, n)
	y = make([]float64, n)
	for i := range x {
		for j := range x[i] {
			x[i][j] = rng.NormFloat64()
		}
		y[i] = 1
		if x[i][0]+x[i][1]*x[i][2]+0.3*rng.NormFloat64() < 0 {
			y[i] = -1
		}
	}
	y[0], y[1] = 1, -1
	s = mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			d := 0.0
			for k := range x[i] {
				d += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k])
			}
			s.SetSym(i, j, math.Exp(-d/3)+noise*rng.NormFloat64())
		}
	}
	return s, y
}

// learned is (4) of Kundu et al. for given similarities, with a trace, or without one where that is 0.
func learned(y []float64, c, rho, trace float64, d reg.Distance, similarities ...*mat.SymDense) *mkl.Problem {
	n := len(y)
	r := reg.DistancePenalty{Rho: rho, Distance: d}
	for _, s := range similarities {
		r.Targets = append(r.Targets, similarity.Vec(s))
	}
	p := &mkl.Problem{Grams: similarity.Learned{N: n}.Bind(points.AllIndices(n)), Set: set.Spectraplex{Trace: trace},
		Reg: r, Loss: loss.Hinge{C: c}, Y: y}
	if trace == 0 {
		p.Set = set.PSD{}
	}
	return p
}

// matrixCases are problems whose θ is a matrix, of a distance.
func matrixCases(d reg.Distance) (cs []mkltest.Case) {
	add := func(name string, p *mkl.Problem) {
		cs = append(cs, mkltest.Case{Name: fmt.Sprintf("%v, %s", d, name), Problem: p, HasGlobalCertificate: true})
	}
	for _, rho := range []float64{0.02, 0.3, 5} {
		s, y := noisy(14, 0.3, 3)
		t, _ := noisy(14, 0.3, 4)
		add(fmt.Sprintf("trace, ρ=%g", rho), learned(y, 1, rho, 14, d, s))
		add(fmt.Sprintf("two, ρ=%g", rho), learned(y, 2, rho, 7, d, s, t))
		if d == reg.SquaredNorm {
			add(fmt.Sprintf("no trace, ρ=%g", rho), learned(y, 1, rho, 0, d, s))
		}
		p := learned(y, 1, rho, 14, d, s) // transductive: 9 points have labels
		p.Grams, p.Y = similarity.Learned{N: 14}.Bind(points.AllIndices(9)), y[:9]
		add(fmt.Sprintf("transductive, ρ=%g", rho), p)
		q := *p
		q.Loss = loss.SquaredHinge{Lambda: 0.5}
		add(fmt.Sprintf("squared hinge, ρ=%g", rho), &q)
	}
	return cs
}

// symmetric draws a matrix near θ.
func symmetric(dst, theta []float64, r *rand.Rand) {
	n := int(math.Sqrt(float64(len(theta))))
	for i := range n {
		for j := range i + 1 {
			v := theta[i*n+j] + 0.3*r.NormFloat64()
			dst[i*n+j], dst[j*n+i] = v, v
		}
	}
}

func TestDualAscent(t *testing.T) {
	mkltest.TestSolver(t, mkl.DualAscent{}, mkltest.Options{Cases: matrixCases(reg.SquaredNorm), Gap: 1e-6,
		Iterations:        100,
		MaxWarmStartSteps: 3, Perturb: symmetric})
	mkltest.TestSolver(t, mkl.DualAscent{}, mkltest.Options{Cases: matrixCases(reg.TwoNorm), Gap: 1e-5, Iterations: 200,
		MaxWarmStartSteps: 10, Perturb: symmetric})
	mkltest.TestSolver(t, mkl.DualAscent{}, mkltest.Options{Cases: vectorCases(), Gap: 1e-6, Iterations: 500,
		MaxWarmStartSteps: 5})
}

// vectorCases weigh kernels, with a quadratic regularizer.
func vectorCases() (cs []mkltest.Case) {
	x, _ := mkltest.RandomPoints(24, 3, 5)
	_, y := noisy(24, 0, 6)
	g := kernel.Sum{Kernels: kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.3}, kernel.RBF{Gamma: 2}},
		Normalize: kernel.MeanDiagonal}.Bind(x)
	for _, beta := range []float64{0.1, 2, 40} {
		for _, s := range []set.Set{set.Simplex{}, set.Orthant{}, set.Ball{Q: 2, Radius: 1}} {
			cs = append(cs, mkltest.Case{Name: fmt.Sprintf("%T, β=%g", s, beta), HasGlobalCertificate: true,
				Problem: &mkl.Problem{Grams: g, Set: s, Reg: reg.Ridge{Beta: beta}, Loss: loss.Hinge{C: 2}, Y: y}})
		}
	}
	return cs
}
