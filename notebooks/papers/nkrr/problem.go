package nkrr

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
)

// Scaled is the family of degree d on features scaled to [0, 1], as in Figure 1.
func Scaled(d int) kernel.Features {
	return kernel.Features{Degree: d, Prepare: kernel.Prepare{kernel.MinMax}}
}

// Centred is the family of degree d on features scaled to [0, 1] that then lose their means.
func Centred(d int) kernel.Features {
	return kernel.Features{Degree: d, Prepare: kernel.Prepare{kernel.MinMax, kernel.CentreColumns}}
}

// Problem is NKRR: min over μ ≥ 0, ‖μ−1‖_q ≤ Λ of yᵀ(K(μ)+λI)⁻¹y, which package mkl halves.
func Problem(d *data.Dataset, f kernel.Family, q, radius, lambda float64) *mkl.Problem {
	g := f.On(d.X)
	m, _ := g.Dims()
	return &mkl.Problem{Grams: g, Set: set.Ball{Q: q, Radius: radius, Center: Ones(m)},
		Loss: loss.Squared{Lambda: lambda}, Y: d.Y}
}

// Ones is a vector of m ones.
func Ones(m int) []float64 { return slices.Repeat([]float64{1}, m) }

// Two is the problem of Figure 1: the quadratic combination of the first two features of sonar in
// [0, 1], not centred, y = ±1. Its set is ‖μ‖_q ≤ 1.
func Two(q, lambda float64) (*mkl.Problem, error) {
	d, err := data.Load("sonar")
	if err != nil {
		return nil, err
	}
	if d, err = d.Select("V1", "V2"); err != nil {
		return nil, err
	}
	return &mkl.Problem{Grams: Scaled(2).On(d.X), Set: set.Ball{Q: q, Radius: 1}, Loss: loss.Squared{Lambda: lambda},
		Y: d.Y}, nil
}

// Orthogonal is the problem that can be solved by hand: two points, K₁ = diag(1, 0), K₂ = diag(0, 1), their
// quadratic combination, λ = 1, y = (3, 2), ‖μ‖_q ≤ 1.
func Orthogonal(q float64) *mkl.Problem {
	bases := kernel.List{
		kernel.Precomputed{Name: "first", N: 2, Data: []float64{1, 0, 0, 0}},
		kernel.Precomputed{Name: "second", N: 2, Data: []float64{0, 0, 0, 1}},
	}
	return &mkl.Problem{
		Grams: kernel.Sum{Kernels: bases, Degree: 2}.On(kernel.AllPlaces(2)),
		Set:   set.Ball{Q: q, Radius: 1},
		Loss:  loss.Squared{Lambda: 1},
		Y:     []float64{3, 2},
	}
}

// Hard is a problem on which the paper's rule for η is slow: ionosphere, linear, features centred,
// λ = 0.1, ‖μ‖₂ ≤ 1.
func Hard() (*mkl.Problem, error) {
	d, err := data.Load("ionosphere")
	if err != nil {
		return nil, err
	}
	g := kernel.Features{Prepare: kernel.Prepare{kernel.CentreColumns}}.On(d.X)
	return &mkl.Problem{Grams: g, Set: set.Ball{Q: 2, Radius: 1}, Loss: loss.Squared{Lambda: 0.1}, Y: d.Y}, nil
}

// Have loads a set of Table 1 that may be the reader's to bring; ok is false where its file is not here.
func Have(name string) (d *data.Dataset, ok bool, err error) {
	d, err = data.Load(name)
	if errors.Is(err, data.ErrAbsent) {
		return nil, false, nil
	}
	return d, err == nil, err
}

// Arm returns kin-8nm where the reader has its file, else the simulated arm.
func Arm() (*data.Dataset, error) {
	d, here, err := Have("kin-8nm")
	if !here && err == nil {
		d = data.SimulatedArm(8192, 1)
	}
	return d, err
}

// Gradient is ∇F of the paper's F at μ.
func Gradient(p *mkl.Problem, mu []float64) ([]float64, error) {
	pt := p.NewPoint()
	copy(pt.Theta, mu)
	if err := pt.Evaluate(nil, 0); err != nil {
		return nil, err
	}
	g := slices.Clone(pt.Grad())
	floats.Scale(2, g)
	return g, nil
}

// Ratios prints −∇F_k/(μ_k−1)^power of the weights above μ₀ = 1.
func Ratios(p *mkl.Problem, mu []float64, power float64) (string, error) {
	g, err := Gradient(p, mu)
	if err != nil {
		return "", err
	}
	var list []string
	for k, m := range mu {
		if m > 1+above {
			list = append(list, fmt.Sprintf("%.4f", -g[k]/math.Pow(m-1, power)))
		}
	}
	return strings.Join(list, " "), nil
}

// above is how far a weight lies above μ₀ at least to count as above.
const above = 1e-6

// Above counts the weights above μ₀.
func Above(mu []float64, mu0 float64) (n int) {
	for _, m := range mu {
		if m > mu0+above {
			n++
		}
	}
	return n
}

// Taken is how many steps a run took to its gap, or that it did not reach it.
func Taken(r *mkl.Result) string {
	n := len(r.Trace) - 1
	if r.Status.Early() {
		return fmt.Sprintf("more than %d", n)
	}
	return fmt.Sprint(n)
}
