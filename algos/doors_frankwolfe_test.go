package algos_test

import (
	"errors"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/registry"
)

// frankWolfe minimises F over a bounded Θ with its linear minimisation oracle:
//
//	s_k     = argmin_{s ∈ Θ} ⟨∇F(θ_k), s⟩
//	θ_{k+1} = θ_k + η_k (s_k − θ_k),  η_k = 2/(k+2+Shift).
//
// References:
//   - M. Jaggi, Revisiting Frank–Wolfe, ICML 2013, Algorithm 1 and Theorem 1.
type frankWolfe struct{ Shift int }

var _ mkl.Solver = frankWolfe{}

func init() { registry.Register(frankWolfe{}) }

func (f frankWolfe) String() string { return fmt.Sprintf("FrankWolfe(shift=%d)", f.Shift) }

// Uses asks for the vertex. The step needs no value of F, so that a rough α will do.
func (f frankWolfe) Uses(p *mkl.Problem) (mkl.Use, error) {
	m, _ := p.Grams.Dims()
	down := make([]float64, m)
	for k := range down {
		down[k] = -1
	}
	switch {
	case p.Degree() != 1:
		return mkl.Use{}, errors.New("Frank–Wolfe needs a family linear in θ")
	case math.IsInf(p.Set.Minimize(nil, down), -1):
		return mkl.Use{}, errors.New("Frank–Wolfe needs a bounded set")
	}
	return mkl.Use{Vertex: true, Inner: 1e-2}, nil
}

func (f frankWolfe) Start(*mkl.Problem) mkl.Stepper { return f }

// Step moves towards the minimising vertex.
func (f frankWolfe) Step(it *mkl.Iterate) error {
	s, t := it.Oracle().S, it.Spare()
	eta := 2 / float64(it.K+2+f.Shift)
	for k := range t.Theta {
		t.Theta[k] = it.Theta[k] + eta*(s[k]-it.Theta[k])
	}
	if _, err := it.Try(); err != nil {
		return err
	}
	it.Accept()
	return nil
}
