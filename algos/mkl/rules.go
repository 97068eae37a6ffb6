package mkl

import (
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/kernel"
)

// Rule chooses θ without minimising F.
type Rule interface {
	fmt.Stringer
	Weigh(p *Problem) ([]float64, error)
}

// Weigh evaluates the θ of a rule on the same F that solvers minimise, to the inner tolerance tol
// (if 0, 1e-8), so that one table and one chart hold both kinds. A θ outside Θ is evaluated too, and
// its certificate says that it claims nothing.
func Weigh(p *Problem, rule Rule, tol float64) (*Result, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if tol == 0 {
		tol = 1e-8
	}
	theta, err := rule.Weigh(p)
	if err != nil {
		return nil, fmt.Errorf("mkl: %v: %w", rule, err)
	}
	pt := p.NewPoint()
	copy(pt.Theta, theta)
	if err := pt.Evaluate(nil, tol); err != nil {
		return nil, fmt.Errorf("mkl: %v: %w", rule, err)
	}
	r := &Result{Solver: rule.String(), Status: EvaluatedOnly}
	r.fill(pt)
	r.Certificate = p.Certify(pt, true)
	r.Kernel = slices.Clone(r.Theta)
	if b, ok := pt.Gram.(kernel.Blocked); ok && len(r.Block) > 0 {
		b.Scaled(r.Kernel, r.Theta)
	}
	p.describe(r)
	return r, nil
}

// Uniform is the start of Θ: equal weights.
type Uniform struct{}

func (Uniform) String() string { return "Uniform" }

// Weigh returns the start of Θ.
func (Uniform) Weigh(p *Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	t := make([]float64, m)
	p.Set.Start(t)
	return t, nil
}

// BestSingle is the best of the m points of Θ that give one base kernel all the weight Θ allows:
// the one with the smallest F. It costs m evaluations.
type BestSingle struct{}

func (BestSingle) String() string { return "Best single" }

// Weigh tries argmin_Θ −θ_k for every k.
func (BestSingle) Weigh(p *Problem) (best []float64, err error) {
	m, _ := p.Grams.Dims()
	g, low, pt := make([]float64, m), math.Inf(1), p.NewPoint()
	for k := range m {
		g[k] = -1
		if math.IsInf(p.Set.Minimize(pt.Theta, g), -1) {
			clear(pt.Theta) // unbounded: the base kernel alone
			pt.Theta[k] = 1
		}
		g[k] = 0
		if err := pt.Evaluate(nil, 1e-8); err != nil {
			return nil, err
		}
		if f := pt.F(); f < low || best == nil {
			low, best = f, slices.Clone(pt.Theta)
		}
	}
	return best, nil
}
