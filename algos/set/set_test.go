package set_test

import (
	"fmt"
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

var inf = math.Inf(1)

func ramp(m int, lo, hi float64) []float64 {
	c := make([]float64, m)
	for k := range c {
		c[k] = lo + (hi-lo)*float64((k*7)%m)/float64(m)
	}
	return c
}

func TestOrthant(t *testing.T) {
	for _, s := range []set.Orthant{{}, {At: 0.25}, {At: 1e9}, {At: 1e-9}} {
		for _, m := range []int{1, 2, 7} {
			settest.TestSet(t, s, m)
		}
	}
}

func TestSimplex(t *testing.T) {
	for _, s := range []set.Simplex{{}, {Sum: 3}, {Sum: 1e9}, {Sum: 1e-9}} {
		for _, m := range []int{1, 2, 7, 40} {
			settest.TestSet(t, s, m)
		}
	}
}

func TestPSD(t *testing.T) {
	for _, n := range []int{1, 2, 3, 6} {
		settest.TestSet(t, set.PSD{}, n*n)
	}
}

func TestSpectraplex(t *testing.T) {
	for _, s := range []set.Spectraplex{{}, {Trace: 3}, {Trace: 1e9}, {Trace: 1e-9}} {
		for _, n := range []int{1, 2, 3, 6} {
			settest.TestSet(t, s, n*n)
		}
	}
}

// TestNotSymmetric tests that Project and Minimize use the symmetric part of a matrix. Contains refuses a matrix that
// is not symmetric, and NaN.
func TestNotSymmetric(t *testing.T) {
	x, y, nan := []float64{1, 3, 0, 2}, []float64{1, 1.5, 1.5, 2}, []float64{1, math.NaN(), math.NaN(), 1}
	p, q := make([]float64, 4), make([]float64, 4)
	for _, s := range []set.Set{set.PSD{}, set.Spectraplex{Trace: 3}} {
		s.Project(p, x)
		s.Project(q, y)
		if a, b := s.Minimize(nil, x), s.Minimize(nil, y); !slices.Equal(p, q) || a != b {
			t.Errorf("%T: projections %v and %v, minima %g and %g", s, p, q, a, b)
		}
		for theta, want := range map[*[4]float64]bool{{2, 0.1, 0, 1}: false, {2, 0.1, 0.1, 1}: true,
			{2, 1.5, 1.5, 1}: false, {4, 0, 0, -1}: false} {
			if got := s.Contains(theta[:]); got != want {
				t.Errorf("%T contains %v: %v, want %v", s, *theta, got, want)
			}
		}
		s.Project(p, nan)
		if !math.IsNaN(p[0]) || s.Contains(nan) || !math.IsNaN(s.Minimize(nil, nan)) || s.Validate(5) == nil {
			t.Errorf("%T accepts a matrix with NaN or 5 parameters", s)
		}
	}
	if (set.Spectraplex{Trace: -1}).Validate(4) == nil || (set.Spectraplex{Trace: inf}).Validate(4) == nil {
		t.Error("a spectraplex of trace −1 or +Inf is valid")
	}
}

func TestBall(t *testing.T) {
	for _, q := range []float64{1, 1 + 1e-14, 1.01, 1.5, 2, 3, 300} {
		t.Run(fmt.Sprintf("q=%g", q), func(t *testing.T) {
			for _, m := range []int{1, 2, 9} {
				centers := [][]float64{ramp(m, 0, 1), nil, ramp(m, 0.5, 20)}
				if testing.Short() {
					centers = centers[:1]
				}
				for _, c := range centers {
					ball := set.Ball{Q: q, Radius: 1.5, Center: c}
					settest.TestSet(t, ball, m)
				}
				if m == 9 {
					for _, s := range []float64{1e9, 1e-9} {
						ball := set.Ball{Q: q, Radius: 1.5 * s, Center: ramp(m, 0, s)}
						settest.TestSet(t, ball, m)
					}
				}
			}
		})
	}
}

// TestProduct tests products of simplexes and of spectraplexes, whose projection works part by part.
func TestProduct(t *testing.T) {
	simplex, matrices := set.Product{Factor: set.Simplex{Sum: 3}, Count: 4},
		set.Product{Factor: set.Spectraplex{Trace: 2}, Count: 3}
	settest.TestSet(t, simplex, 20)
	settest.TestSet(t, matrices, 3*4)
	x := ramp(20, -1, 2)
	whole, part, sum := make([]float64, 20), make([]float64, 5), 0.0
	least := simplex.Mirror(whole, x)
	for i := range 4 {
		sum += set.Simplex{Sum: 3}.Mirror(part, x[i*5:(i+1)*5])
		if !slices.Equal(part, whole[i*5:(i+1)*5]) {
			t.Errorf("part %d of the mirror step is %v, want %v", i, whole[i*5:(i+1)*5], part)
		}
	}
	_, minimum := simplex.StepScale(x)
	one, _ := set.Simplex{Sum: 3}.StepScale(x[:5])
	four, _ := simplex.StepScale(slices.Repeat(x[:5], 4)) // equal parts have the scale of one part: √M/√M
	if math.Abs(least-sum) > 1e-12 || math.Abs(minimum-sum) > 1e-12 || math.Abs(four-one) > 1e-12*one {
		t.Errorf("minimum %g and %g, want %g; scale %g, want %g", least, minimum, sum, four, one)
	}
	for _, bad := range []struct {
		s set.Product
		m int
	}{{set.Product{}, 4}, {set.Product{Factor: set.Simplex{}, Count: 3}, 4}, {set.Product{Factor: set.Simplex{}}, 4},
		{set.Product{Factor: set.Spectraplex{}, Count: 2}, 6}} {
		if bad.s.Validate(bad.m) == nil {
			t.Errorf("%+v is valid on %d parameters", bad.s, bad.m)
		}
	}
}

// TestMirror tests that the step minimizes ⟨g,θ⟩ + ψ(θ) on Θ. Its bound and its scale follow their definitions.
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
