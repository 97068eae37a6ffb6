package mkl

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/floats"
)

// TestLBFGSModel: B of random pairs maps the newest s to its z, and d is the minimizer of the model over θ + d ≥ 0: its
// slope is 0 where θ + d > 0, and not negative elsewhere.
func TestLBFGSModel(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	vector := func(m int, of func() float64) []float64 {
		v := make([]float64, m)
		for k := range v {
			v[k] = of()
		}
		return v
	}
	bounded, moved := 0, 0
	for range 200 {
		m, n := 1+r.IntN(30), r.IntN(8)
		s := LBFGS{}.Start(&Problem{Grams: kernel.Gaussians{}.On(points.Rows{N: 2, D: m,
			Data: make([]float64, 2*m)})}).(*lbfgs)
		h := vector(m, func() float64 { return math.Exp(2 * r.NormFloat64()) }) // z = (h + 11ᵀ)s, so sᵀz > 0
		for range n {
			p := pair{s: vector(m, r.NormFloat64)}
			p.z = vector(m, func() float64 { return floats.Sum(p.s) })
			for k := range p.z {
				p.z[k] += h[k] * p.s[k]
			}
			s.pairs = append(s.pairs, p)
		}
		pt := &Point{p: &Problem{}, Theta: vector(m, func() float64 { return max(0, r.NormFloat64()) })}
		pt.gradJ = vector(m, r.NormFloat64)
		it := &Iterate{Point: pt}
		s.computeMatrix(it)
		b := make([]float64, m)
		if n > 0 {
			last := s.pairs[n-1]
			if linalg.SymMulVec(b, s.matrix, last.s); floats.Distance(b, last.z, 2) > 1e-8*floats.Norm(last.z, 2) {
				t.Fatalf("m = %d, %d pairs: Bs is %g from z", m, n, floats.Distance(b, last.z, 2))
			}
		}
		if !s.computeDirection(it) {
			t.Fatalf("m = %d, %d pairs: no direction", m, n)
		}
		linalg.SymMulVec(b, s.matrix, s.d)
		floats.Add(b, it.Grad())
		for k, slope := range b {
			switch at := it.Theta[k] + s.d[k]; {
			case at < 0:
				t.Fatalf("θ + d has the coordinate %g", at)
			case at == 0:
				bounded++
			default:
				moved++
				slope = -math.Abs(slope)
			}
			if !(slope >= -1e-5*floats.Norm(it.Grad(), 2)) {
				t.Errorf("m = %d, %d pairs, coordinate %g: slope %g of the model", m, n, it.Theta[k]+s.d[k], b[k])
			}
		}
	}
	if bounded < 100 || moved < 100 {
		t.Errorf("%d coordinates at a bound and %d not, want 100 of each", bounded, moved)
	}
}
