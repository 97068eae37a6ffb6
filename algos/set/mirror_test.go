package set_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/set/settest"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// TestMirror: the step minimizes ⟨g,θ⟩ + ψ(θ) on Θ; bounds and rates are those of their definitions.
func TestMirror(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	entropy := func(x []float64) (v float64) {
		for _, l := range x {
			if l > 0 {
				v += l * math.Log(l)
			}
		}
		return v
	}
	for _, c := range []struct {
		set.Mirror
		values func(theta []float64) []float64
	}{
		{set.Simplex{Sum: 3}, func(theta []float64) []float64 { return theta }},
		{set.Spectraplex{Trace: 3}, func(theta []float64) []float64 {
			l, _ := linalg.Bound(0).Eigen(mat.NewSymDense(4, append([]float64(nil), theta...)), false)
			return l
		}},
	} {
		for _, size := range []float64{1e-3, 1, 30} {
			g, x, o := make([]float64, 16), make([]float64, 16), make([]float64, 16)
			for k := range g {
				g[k] = size * rng.NormFloat64()
			}
			settest.Symmetric(g)
			of := func(theta []float64) float64 { return floats.Dot(g, theta) + entropy(c.values(theta)) }
			least := c.Mirror.Mirror(x, g)
			if want := c.Minimize(nil, g); math.Abs(least-want) > 1e-12*size {
				t.Errorf("%T: Mirror says that the least ⟨g,θ⟩ is %g, Minimize %g", c.Mirror, least, want)
			}
			if !c.Contains(x) {
				t.Errorf("%T: a step outside", c.Mirror)
			}
			at := of(x)
			for range 50 {
				for k := range o {
					o[k] = x[k] + 0.1*rng.NormFloat64()
				}
				settest.Symmetric(o)
				c.Project(o, o)
				if v := of(o); v < at-1e-9*(1+math.Abs(at)) {
					t.Errorf("%T: %g at another point, %g at the step", c.Mirror, v, at)
				}
			}
			l := append([]float64(nil), c.values(g)...)
			want := math.Sqrt(2*math.Log(float64(len(l)))) / ((floats.Max(l) - floats.Min(l)) / 2)
			if r, m := c.StepScale(g); math.Abs(r-want) > 1e-12*want || math.Abs(m-least) > 1e-12*size {
				t.Errorf("%T: rate %g and least %g, want %g and %g", c.Mirror, r, m, want, least)
			}
			c.Mirror.Mirror(g, g)
			if !floats.Equal(g, x) {
				t.Errorf("%T: another step in place", c.Mirror)
			}
		}
	}
}
