package set_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/set/settest"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestMirror: the step minimizes ⟨g,θ⟩ + ψ(θ) on Θ. Its bound and its scale follow their definitions.
func TestMirror(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	eigenvalues := func(theta []float64) []float64 {
		l, _ := linalg.ThreadLimit(0).Eigen(mat.NewSymDense(4, slices.Clone(theta)), false)
		return l
	}
	for _, s := range []set.Mirror{set.Simplex{Sum: 3}, set.Spectraplex{Trace: 3}} {
		values := slices.Clone[[]float64]
		if s.Traits().Semidefinite {
			values = eigenvalues
		}
		for _, size := range []float64{1e-3, 1, 30} {
			g, x, o := make([]float64, 16), make([]float64, 16), make([]float64, 16)
			for k := range g {
				g[k] = size * rng.NormFloat64()
			}
			settest.Symmetrize(g)
			objective := func(theta []float64) float64 {
				v := floats.Dot(g, theta)
				for _, l := range values(theta) {
					if l > 0 {
						v += l * math.Log(l)
					}
				}
				return v
			}
			least := s.Mirror(x, g)
			if want := s.Minimize(nil, g); math.Abs(least-want) > 1e-12*size || !s.Contains(x) {
				t.Errorf("%T: Mirror returns the minimum %g, Minimize %g; the step is %v", s, least, want, x)
			}
			at := objective(x)
			for range 50 {
				for k := range o {
					o[k] = x[k] + 0.1*rng.NormFloat64()
				}
				settest.Symmetrize(o)
				s.Project(o, o)
				if v := objective(o); v < at-1e-9*(1+math.Abs(at)) {
					t.Errorf("%T: %g at another point, %g at the step", s, v, at)
				}
			}
			l := values(g)
			want := math.Sqrt(2*math.Log(float64(len(l)))) / ((floats.Max(l) - floats.Min(l)) / 2)
			if scale, m := s.StepScale(g); math.Abs(scale-want) > 1e-12*want || math.Abs(m-least) > 1e-12*size {
				t.Errorf("%T: scale %g and minimum %g, want %g and %g", s, scale, m, want, least)
			}
			if s.Mirror(g, g); !floats.Equal(g, x) {
				t.Errorf("%T: another step in place", s)
			}
		}
	}
}
