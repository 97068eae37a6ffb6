package mkl

import "context"

// Uniform is the rule that chooses the start of Θ (set.Set.Start): equal weights for all sets of package set.
type Uniform struct{}

func (Uniform) String() string { return "Uniform" }

// Weights returns the start of Θ.
func (Uniform) Weights(_ context.Context, p *Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	t := make([]float64, m)
	p.Set.Start(t)
	return t, nil
}
