package linalg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
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

// indefinite is a random symmetric matrix with entries of about 1.
func indefinite(n int, seed uint64) *mat.SymDense {
	a := mat.NewSymDense(n, nil)
	x := square(n, seed)
	for i := range n {
		for j := i; j < n; j++ {
			a.SetSym(i, j, x[i*n+j])
		}
	}
	return a
}

// times is a·2^e.
func times(a *mat.SymDense, e int) *mat.SymDense {
	n := a.SymmetricDim()
	b := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			b.SetSym(i, j, math.Ldexp(a.At(i, j), e))
		}
	}
	return b
}

// exponents are scales of matrices.
var exponents = []int{-490, -61, 1, 500}

// decompose is what is asked of a Spectral.
type decompose func(s *linalg.Spectral, a *mat.SymDense) bool

// decompositions are the whole and parts, with vectors and without.
func decompositions(n int) map[string]decompose {
	all := map[string]decompose{}
	for _, vectors := range []bool{false, true} {
		what := fmt.Sprintf(", vectors %v", vectors)
		all["whole"+what] = func(s *linalg.Spectral, a *mat.SymDense) bool { return s.Factorize(a, vectors) }
		all["largest"+what] = func(s *linalg.Spectral, a *mat.SymDense) bool { return s.Part(a, -(n+1)/2, vectors) }
		all["smallest"+what] = func(s *linalg.Spectral, a *mat.SymDense) bool { return s.Part(a, (n+1)/2, vectors) }
	}
	return all
}

// TestSpectralScale: A·2^e has the eigenvectors of A and its eigenvalues times 2^e, bit for bit.
func TestSpectralScale(t *testing.T) {
	backends(t, func(t *testing.T) {
		for _, n := range []int{1, 2, 5, 50} {
			for what, f := range decompositions(n) {
				for _, e := range exponents {
					scaled := times(indefinite(n, 3), e)
					var got, want linalg.Spectral
					if !f(&got, scaled) || !f(&want, times(scaled, -e)) {
						t.Fatalf("n=%d, %s, 2^%d: no decomposition", n, what, e)
					}
					for i, v := range want.Values() {
						if got.Values()[i] != math.Ldexp(v, e) {
							t.Fatalf("n=%d, %s, 2^%d: eigenvalue %d is %g, want %g·2^%[3]d", n, what, e, i,
								got.Values()[i], v)
						}
					}
					if strings.HasSuffix(what, "true") && !mat.Equal(got.Vectors(), want.Vectors()) {
						t.Fatalf("n=%d, %s, 2^%d: other eigenvectors", n, what, e)
					}
				}
			}
		}
	})
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

// TestSpectralKnown: spectra that are known, with eigenvalues that are equal, near to each other, 0 or far apart, of
// matrices H diag(λ) H, H a reflection.
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

// TestSpectralGraded: blocks and rows of very different sizes. Gonum's dsterf panics at a block of
// 1e-130 beside one of 1, its dsteqr returns NaN at one of 1e-300.
func TestSpectralGraded(t *testing.T) {
	backends(t, func(t *testing.T) {
		for _, n := range []int{6, 60} {
			for _, small := range []float64{1e-20, 1e-130, 1e-300} {
				r := rand.New(rand.NewPCG(4, 4))
				block, rows := indefinite(n, 5), indefinite(n, 6)
				steps := make([]float64, n)
				for i := range n {
					steps[i] = math.Pow(small, r.Float64()/2)
				}
				for i := range n {
					for j := i; j < n; j++ {
						switch rows.SetSym(i, j, rows.At(i, j)*steps[i]*steps[j]); {
						case i >= n/2:
							block.SetSym(i, j, block.At(i, j)*small)
						case j >= n/2:
							block.SetSym(i, j, 0)
						}
					}
				}
				for name, a := range map[string]*mat.SymDense{"blocks": block, "rows": rows} {
					var s, values linalg.Spectral
					if !s.Factorize(a, true) || !values.Factorize(a, false) {
						t.Fatalf("n=%d, %s of %g: no decomposition", n, name, small)
					}
					top := mat.Norm(a, 2)
					if e, o := residual(a, &s); !(e <= 1e-14*float64(n)*top) || !(o <= 1e-14*float64(n)) {
						t.Errorf("n=%d, %s of %g: AQ − QΛ is up to %g, QᵀQ − I up to %g", n, name, small, e, o)
					}
					for i, v := range values.Values() {
						if !(math.Abs(v-s.Values()[i]) <= 1e-14*float64(n)*top) {
							t.Errorf("n=%d, %s of %g: eigenvalue %d is %g without vectors, %g with them", n, name,
								small, i, v, s.Values()[i])
						}
					}
				}
			}
		}
	})
}
