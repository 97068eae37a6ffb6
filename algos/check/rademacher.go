package check

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/linalg"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// eta0 is η₀ of Theorem 2.3.
var eta0 = math.Sqrt(23.0 / 11)

// RademacherBound is Theorem 2.3 of C. Li, L. Venturi and R. Xu (degree 1; Cortes, Mohri, Rostamizadeh, ICML 2010)
// and what follows for a power of degree d by embedding it in the linear family of all products:
//
//	√(23/11) m^{d/4} R^d / √n
//
// for n points and m base kernels with k(x,x) ≤ R². It bounds the empirical Rademacher complexity of
//
//	{x ↦ ⟨w, Φ_θ(x)⟩ : ‖w‖ ≤ 1, θ ≥ 0, ‖θ‖₂ = 1}.
//
// The bound on ‖w‖ is not printed; without it the class has no finite complexity.
func RademacherBound(m, n, degree int, r2 float64) float64 {
	d := float64(degree)
	return eta0 * math.Pow(float64(m), d/4) * math.Pow(r2, d/2) / math.Sqrt(float64(n))
}

// MarginBound bounds the risk of every function of a class with the empirical Rademacher complexity given, with
// probability 1 − δ, by its empirical margin risk at ρ on n points:
//
//	R(h) ≤ R̂_ρ(h) + (2/ρ) rademacher + 3√(log(2/δ)/(2n)).
func MarginBound(empirical, rademacher, rho, delta float64, n int) float64 {
	return empirical + 2/rho*rademacher + 3*math.Sqrt(math.Log(2/delta)/(2*float64(n)))
}

// Rademacher compares the empirical Rademacher complexity with its bounds.
type Rademacher struct {
	Draws   int
	Mean    float64 // Monte Carlo mean of (1/n) sup ⟨w, Σσ_iΦ(x_i)⟩
	Error   float64 // standard error of it
	Bound   float64 // Theorem 2.3
	Sharper float64 // √((23/11)‖(tr K_k)_k‖₂)/n, degree 1; +Inf for others
}

// Holds reports whether the mean is below the bounds by at least its error.
func (r Rademacher) Holds() bool { return r.Mean+r.Error <= min(r.Bound, r.Sharper) }

func (r Rademacher) String() string {
	s := fmt.Sprintf("Rademacher average %.4f ± %.4f of %d draws, bound %.4f", r.Mean, r.Error, r.Draws, r.Bound)
	if !math.IsInf(r.Sharper, 1) {
		s += fmt.Sprintf(", by traces %.4f", r.Sharper)
	}
	return s
}

// Complexity is a Monte Carlo average over random signs σ of
//
//	sup_{θ ≥ 0, ‖θ‖₂ = 1} √(σᵀK(θ)σ)/n = √‖v‖₂/n, v_k = σᵀK_kσ          degree 1
//	                                    = √λ_max(Q(σ))/n                  degree 2
//
// of a family bound to points. Degrees 1 and 2.
func Complexity(g kernel.Grams, draws int, seed uint64) (Rademacher, error) {
	c := Rademacher{Draws: draws, Sharper: math.Inf(1)}
	if err := g.Validate(); err != nil {
		return c, err
	}
	if draws < 2 {
		return c, fmt.Errorf("check: %d draws, want 2 or more", draws)
	}
	m, n := g.Dims()
	gram, degree := g.New(), g.Degree()
	form, quadratic := gram.(kernel.Quadratic)
	if degree != 1 && !(degree == 2 && quadratic) {
		return c, errors.New("check: the Rademacher average is that of a family of degree 1, or 2 with " +
			"kernel.Quadratic")
	}
	theta, traces, r2 := make([]float64, m), make([]float64, m), 0.0
	for k := range m {
		theta[k] = 1
		gram.At(theta)
		for i := range n {
			v := math.Pow(math.Max(gram.K().At(i, i), 0), 1/float64(degree)) // k_k(x_i,x_i)
			r2 = math.Max(r2, v)
			traces[k] += v
		}
		theta[k] = 0
	}
	r := rand.New(rand.NewPCG(seed, 3))
	sigma, v, q := make([]float64, n), make([]float64, m), mat.NewSymDense(m, nil)
	sum, squares := 0.0, 0.0
	gram.At(theta)
	for range draws {
		for i := range sigma {
			sigma[i] = float64(2*r.IntN(2) - 1)
		}
		var s float64
		if degree == 1 {
			gram.Gradient(v, sigma)
			s = floats.Norm(v, 2)
		} else {
			form.Form(q, sigma)
			values, _ := linalg.Eigen(q, false)
			s = values[m-1]
		}
		s = math.Sqrt(s) / float64(n)
		sum += s
		squares += s * s
	}
	d := float64(draws)
	c.Mean = sum / d
	c.Error = math.Sqrt(math.Max(squares/d-c.Mean*c.Mean, 0) / (d - 1))
	c.Bound = RademacherBound(m, n, degree, r2)
	if degree == 1 {
		c.Sharper = eta0 * math.Sqrt(floats.Norm(traces, 2)) / float64(n)
	}
	return c, nil
}
