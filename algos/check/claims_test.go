package check_test

import (
	"math"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/check"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/mat"
)

// small is K = (μ₁K₁ + μ₂K₂)^{∘2} of given 2×2 matrices about μ₀ = ½.
func small(y []float64, lambda float64, k ...[]float64) *mkl.Problem {
	var l kernel.List
	center := make([]float64, len(k))
	for i, data := range k {
		l = append(l, kernel.Precomputed{N: 2, Data: data})
		center[i] = 0.5
	}
	return &mkl.Problem{Grams: kernel.Sum{Kernels: l, Degree: 2}.On(kernel.AllPlaces(2)),
		Set:  set.Ball{Q: 2, Radius: 0.1, Center: center},
		Loss: loss.Squared{Lambda: lambda}, Y: y}
}

// TestSpectra: of degree 1 ∇²J ⪰ 0; for two positive definite 2×2 matrices and degree 2 it is not, however small λ.
// The numbers are those of differences of F = 2J in the direction (1,−1), computed independently.
func TestSpectra(t *testing.T) {
	k1, k2 := []float64{1.8, 0.6, 0.6, 1.003125}, []float64{0.2, 0.4, 0.4, 0.996875}
	for lambda, want := range map[float64]float64{0.1: 3.55, 1e-3: -4.52, 1e-9: -4.59} {
		h, err := check.Curvature(small([]float64{4, 21}, lambda, k1, k2), []float64{0.5, 0.5})
		if err != nil {
			t.Fatal(err)
		}
		u := mat.NewVecDense(2, []float64{1, -1})
		if got := 2 * mat.Inner(u, h, u); math.Abs(got-want) > 0.006 {
			t.Errorf("λ = %g: (1,−1)∇²F(1,−1) = %g, want %g", lambda, got, want)
		}
	}
	for name, c := range map[string]struct {
		p    *mkl.Problem
		want bool
	}{
		"degree 1":           {problem(degree(1), ball, 0.5), false},
		"degree 2, large λ":  {problem(degree(2), ball, 1000), true},
		"degree 2, tiny λ":   {small([]float64{4, 21}, 1e-9, k1, k2), true},
		"degree 2, diagonal": {small([]float64{1, 2}, 0.1, []float64{1, 0, 0, 2}, []float64{2, 0, 0, 1}), false},
	} {
		for seed := range uint64(seeds) {
			s, err := check.Spectra(c.p, 10, seed)
			if err != nil || s.Refuted() != c.want || s.Convex+s.Concave+s.Indefinite+s.Linear != 10 {
				t.Errorf("%s, seed %d: %v, %v, want refuted %v", name, seed, s, err, c.want)
			}
			if c.want {
				h, err := check.Curvature(c.p, s.At)
				u := mat.NewVecDense(len(s.Direction), s.Direction)
				if err != nil || math.Abs(mat.Inner(u, h, u)-s.Least) > 1e-9*math.Abs(s.Least) {
					t.Errorf("%s: the witness has curvature %g, the report says %g", name, mat.Inner(u, h, u), s.Least)
				}
			}
		}
	}
	// against so large a λ the kernel is rounding: J is constant to all digits, though its curvature is not 0 exactly
	if s, err := check.Spectra(small([]float64{4, 21}, 1e15, k1, k2), 10, 1); err != nil || s.Linear != 10 ||
		s.Refuted() || s.Least == 0 {
		t.Errorf("λ = 1e15: %v, %v, %d linear", s, err, s.Linear)
	}
	if _, err := check.Spectra(problem(degree(1), ball, 1), 0, 1); err == nil {
		t.Error("0 points: no error")
	}
}

// TestProposition: of one kernel the constants bound λ, and J is convex and concave where they say so; of two they
// are vacuous, with witnesses that can be recomputed.
func TestProposition(t *testing.T) {
	one := func(lambda float64) *mkl.Problem { return small([]float64{1, 3}, lambda, []float64{1, 0.1, 0.1, 1.2}) }
	c, err := check.Proposition(one(1))
	if err != nil || c.Vacuous() || !(c.ConcaveFrom > 0) {
		t.Fatalf("%v, %v, want bounds of λ", c, err)
	}
	if s, err := check.Spectra(one(1.01*c.ConcaveFrom), 10, 1); err != nil || s.Concave != 10 {
		t.Errorf("%v, %v, want concave above %g", s, err, c.ConcaveFrom)
	}
	if c.Sharper > 0 {
		if s, err := check.Spectra(one(0.99*c.Sharper), 10, 1); err != nil || s.Refuted() {
			t.Errorf("%v, %v, want convex below %g", s, err, c.Sharper)
		}
	}
	two := small([]float64{4, 21}, 1, []float64{1.8, 0.6, 0.6, 1.003125}, []float64{0.2, 0.4, 0.4, 0.996875})
	if c, err = check.Proposition(two); err != nil || !c.Vacuous() || !(c.D <= 1e-12) || !math.IsInf(c.H, 1) ||
		!(c.SingularLeast < 1e-9) || !strings.Contains(c.String(), "vacuous") {
		t.Errorf("%v, %v, want it vacuous", c, err)
	}
	g := two.Grams.New()
	g.At(c.Witness)
	if v := g.K().At(0, 0); math.Abs(v) > 1e-12 {
		t.Errorf("[S_u∘S_u]_11 = %g at the witness, want 0", v)
	}
	if _, err := check.Proposition(problem(degree(2), set.Simplex{}, 1)); err == nil {
		t.Error("a simplex: no error")
	}
}

// TestComplexity: the averages lie below the bounds, for n·mean² by hand where there is one kernel.
func TestComplexity(t *testing.T) {
	for d := 1; d <= 2; d++ {
		p := problem(degree(d), ball, 1)
		for seed := range uint64(seeds) {
			r, err := check.Complexity(p.Grams, 200, seed)
			if err != nil || !r.Holds() || !(r.Mean > 0) {
				t.Errorf("degree %d: %v, %v", d, r, err)
			}
		}
	}
	// one kernel K = I: σᵀIσ = n whatever σ
	id := kernel.List{kernel.Precomputed{N: 2, Data: []float64{1, 0, 0, 1}}}
	if r, err := check.Complexity(id.On(kernel.AllPlaces(2)), 10, 1); err != nil ||
		math.Abs(r.Mean-math.Sqrt2/2) > 1e-13 || r.Error > 1e-7 {
		t.Errorf("%v, %v, want √n/n", r, err)
	}
	if _, err := check.Complexity(problem(degree(3), ball, 1).Grams, 10, 1); err == nil {
		t.Error("degree 3: no error")
	}
}
