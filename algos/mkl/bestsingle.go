package mkl

import (
	"context"
	"math"
	"slices"
)

// BestSingle is the best of the m points of Θ that give one base kernel all the weight Θ allows:
// the one with the smallest F. It costs m evaluations.
type BestSingle struct{}

func (BestSingle) String() string { return "Best single" }

// Weigh tries argmin_Θ −θ_k for every k.
func (BestSingle) Weigh(ctx context.Context, p *Problem) (best []float64, err error) {
	m, _ := p.Grams.Dims()
	g, low, pt := make([]float64, m), math.Inf(1), p.newPoint(ctx, Use{}, 0)
	defer pt.release()
	for k := range m {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
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
