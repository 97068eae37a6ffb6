package study

import (
	"context"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/registry"
)

// Only is the rule that gives one base kernel all the weight that Θ allows, argmin_Θ −θ_k, and 1
// where that is not bounded. It does not depend on targets.
type Only struct {
	Kernel int // k, from 0
}

func (o Only) String() string { return fmt.Sprintf("only kernel %d", o.Kernel+1) }

// Weights returns that θ. In a set that has a part of every θ, as a ball about a centre that is not 0
// has, the others keep theirs.
func (o Only) Weights(_ context.Context, p *mkl.Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	if o.Kernel < 0 || o.Kernel >= m {
		return nil, fmt.Errorf("study: kernel number %d of %d, counted from 0", o.Kernel, m)
	}
	theta, g := make([]float64, m), make([]float64, m)
	g[o.Kernel] = -1
	if math.IsInf(p.Set.Minimize(theta, g), -1) {
		clear(theta)
		theta[o.Kernel] = 1
	}
	return theta, nil
}

// fixed is the rule that takes given weights, 0 where none are given. With weights of 0, f is the mean of the targets
// alone, or of classes the one most often learned from, which is what no skill at all predicts.
type fixed struct{ Theta []float64 }

func (fixed) String() string { return "given weights" }

// Weights returns them.
func (f fixed) Weights(_ context.Context, p *mkl.Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	theta := make([]float64, m)
	copy(theta, f.Theta)
	return theta, nil
}

func init() {
	registry.Register(Only{})
	registry.Register(fixed{})
}
