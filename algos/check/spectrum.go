package check

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mklnb/mkl/algos/linalg"
	"github.com/mklnb/mkl/algos/mkl"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Curvature is ∇²J(θ), m×m, by m products. It fails if family or loss has no second derivatives.
func Curvature(p *mkl.Problem, theta []float64) (*mat.SymDense, error) {
	h, _, err := hessian(p, theta)
	return h, err
}

// hessian is Curvature, and (|J| + |⟨∇J,θ⟩|)/‖θ‖², against which rounding of ∇²J is judged.
func hessian(p *mkl.Problem, theta []float64) (*mat.SymDense, float64, error) {
	if err := p.Validate(); err != nil {
		return nil, 0, err
	}
	pt := p.NewPoint()
	if len(theta) != len(pt.Theta) {
		return nil, 0, fmt.Errorf("check: θ of length %d, want %d", len(theta), len(pt.Theta))
	}
	copy(pt.Theta, theta)
	if err := pt.Evaluate(nil, exact); err != nil {
		return nil, 0, err
	}
	m := len(theta)
	h, e, col := mat.NewSymDense(m, nil), make([]float64, m), make([]float64, m)
	for k := range m {
		e[k] = 1
		if !pt.HessVec(col, e) {
			return nil, 0, errNoSecond
		}
		e[k] = 0
		for j := range k + 1 {
			h.SetSym(j, k, col[j])
		}
	}
	scale := (math.Abs(pt.Dual()) + math.Abs(floats.Dot(pt.GradJ(), theta))) / floats.Dot(theta, theta)
	return h, scale, nil
}

var errNoSecond = errors.New("check: family or loss has no second derivatives")

// Spectrum is what the eigenvalues of ∇²J at random points of Θ show.
type Spectrum struct {
	Points                     int
	Convex, Indefinite, Linear int // points where ∇²J ⪰ 0, has both signs, is 0 to rounding; else it is ⪯ 0
	Concave                    int
	Least, Most                float64   // the smallest and the largest eigenvalue seen
	At                         []float64 // where the smallest one was
	Direction                  []float64 // its unit eigenvector
}

// Refuted reports whether some point has an eigenvalue below rounding of the largest there: J is not convex.
func (s Spectrum) Refuted() bool { return s.Indefinite+s.Concave > 0 }

func (s Spectrum) String() string {
	verdict := "none refutes convexity, which does not prove it"
	if s.Refuted() {
		verdict = "J is not convex"
	}
	return fmt.Sprintf("∇²J at %d points: positive semidefinite at %d, indefinite at %d, negative semidefinite at "+
		"%d; eigenvalues from %.3g to %.3g: %s",
		s.Points, s.Convex+s.Linear, s.Indefinite, s.Concave, s.Least, s.Most, verdict)
}

// Spectra computes the eigenvalues of ∇²J at random points of Θ. An eigenvalue below −1e-9 of the largest
// in size counts as negative; ∇²J is 0 to rounding where no eigenvalue is larger than
// 1e-12·(|J| + |⟨∇J,θ⟩|)/‖θ‖². Each point costs an inner solve and m products with the Hessian.
func Spectra(p *mkl.Problem, points int, seed uint64) (Spectrum, error) {
	s := Spectrum{Points: points, Least: math.Inf(1), Most: math.Inf(-1)}
	if err := p.Validate(); err != nil {
		return s, err
	}
	if points < 1 {
		return s, fmt.Errorf("check: %d points, want 1 or more", points)
	}
	r := rand.New(rand.NewPCG(seed, 2))
	m, _ := p.Grams.Dims()
	theta := make([]float64, m)
	for range points {
		inside(theta, p, r)
		h, scale, err := hessian(p, theta)
		if err != nil {
			return s, err
		}
		values, vectors := linalg.Eigen(h, true)
		low, high := values[0], values[m-1]
		tol := 1e-9 * math.Max(math.Abs(low), math.Abs(high))
		switch {
		case math.Max(-low, high) <= 1e-12*scale:
			s.Linear++
		case low >= -tol:
			s.Convex++
		case high <= tol:
			s.Concave++
		default:
			s.Indefinite++
		}
		s.Most = math.Max(s.Most, high)
		if low < s.Least {
			s.Least, s.At, s.Direction = low, append(s.At[:0], theta...), mat.Col(nil, 0, vectors)
		}
	}
	return s, nil
}
