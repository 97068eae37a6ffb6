package linalg_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/mat"
)

// backends runs f in pure Go and, where there is one, with the library.
func backends(t *testing.T, f func(t *testing.T)) {
	t.Run("pure Go", func(t *testing.T) { linalg.PureGo(func() { f(t) }) })
	if linalg.Backend().Name != "go" {
		t.Run("library", f)
	}
}

// residual returns the largest entries of AQ − QΛ and of QᵀQ − I.
func residual(a *mat.SymDense, s *linalg.Spectral) (equation, orthogonality float64) {
	q := s.Vectors()
	var aq, ql, qq mat.Dense
	aq.Mul(a, q)
	ql.Mul(q, mat.NewDiagDense(len(s.Values()), s.Values()))
	aq.Sub(&aq, &ql)
	qq.Mul(q.T(), q)
	for i := range s.Values() {
		qq.Set(i, i, qq.At(i, i)-1)
	}
	top := func(m *mat.Dense) (v float64) {
		for _, x := range m.RawMatrix().Data {
			if v = max(v, math.Abs(x)); math.IsNaN(x) {
				return math.Inf(1)
			}
		}
		return v
	}
	return top(&aq), top(&qq)
}

// TestSpectralKnown tests spectra that are known, with eigenvalues that are equal, near to each other, 0 or far apart,
// of matrices H diag(λ) H, H a reflection.
func TestSpectralKnown(t *testing.T) {
	backends(t, func(t *testing.T) {
		for _, n := range []int{47, 48, 131} {
			r := rand.New(rand.NewPCG(7, 7))
			for name, of := range map[string]func(i int) float64{
				"one":      func(int) float64 { return 1 },
				"zero":     func(int) float64 { return 0 },
				"signs":    func(i int) float64 { return float64(1 - 2*(i%2)) },
				"rank 3":   func(i int) float64 { return float64(max(0, 3-i)) },
				"clusters": func(i int) float64 { return float64(i%4) + 1e-13*float64(i) },
				"powers":   func(i int) float64 { return math.Pow(0.5, float64(i)) },
				"drawn":    func(int) float64 { return r.NormFloat64() },
			} {
				want, v := make([]float64, n), make([]float64, n)
				for i := range n {
					want[i], v[i] = of(i), r.NormFloat64()
				}
				norm := 0.0
				for _, x := range v {
					norm += x * x
				}
				h := mat.NewDense(n, n, nil)
				h.Apply(func(i, j int, _ float64) float64 {
					x := -2 * v[i] * v[j] / norm
					if i == j {
						x++
					}
					return x
				}, h)
				var hd, full mat.Dense
				hd.Mul(h, mat.NewDiagDense(n, want))
				full.Mul(&hd, h)
				a := mat.NewSymDense(n, nil)
				for i := range n {
					for j := i; j < n; j++ {
						a.SetSym(i, j, full.At(i, j))
					}
				}
				slices.Sort(want)
				top := max(math.Abs(want[0]), math.Abs(want[n-1]))
				var s linalg.Spectral
				if !s.Factorize(a, true) {
					t.Fatalf("n=%d, %s: no decomposition", n, name)
				}
				if e, o := residual(a, &s); !(e <= 1e-14*float64(n)*top) || !(o <= 1e-14*float64(n)) {
					t.Errorf("n=%d, %s: AQ − QΛ is up to %g, QᵀQ − I up to %g", n, name, e, o)
				}
				for i, l := range s.Values() {
					if !(math.Abs(l-want[i]) <= 1e-14*float64(n)*top) {
						t.Errorf("n=%d, %s: eigenvalue %d is %g, want %g", n, name, i, l, want[i])
					}
				}
			}
		}
	})
}

// TestSmallestInPlace tests that the matrix whose storage is overwritten gives the same as a copy, and the smallest
// eigenvalue decides whether A + σI has a Cholesky factor.
func TestSmallestInPlace(t *testing.T) {
	for _, n := range []int{1, 5, 70, 200} {
		a := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				a.SetSym(i, j, math.Cos(float64(i*j+i+j)))
			}
		}
		var own, other linalg.Spectral
		m := own.InputMatrix(n)
		m.CopySym(a)
		if !own.FactorizeSmallest(m) || !other.FactorizeSmallest(a) || !slices.Equal(own.Values(), other.Values()) ||
			!slices.Equal(own.Vector(0), other.Vector(0)) {
			t.Fatalf("n = %d: in place the smallest eigenvalue is %v, of a copy %v", n, own.Values(), other.Values())
		}
		least := own.Values()[0]
		for _, shift := range []float64{-least + 1e-6, -least - 1e-6} {
			var c linalg.Cholesky
			if got, want := c.Factorize(a, shift), shift > -least; got != want {
				t.Errorf("n = %d: a matrix with smallest eigenvalue %g has a factor: %v", n, least+shift, got)
			}
		}
	}
}
