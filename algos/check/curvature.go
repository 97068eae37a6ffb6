package check

import (
	"errors"
	"fmt"

	"github.com/mklnb/mkl/algos/mkl"

	"gonum.org/v1/gonum/mat"
)

var errNoSecondDerivatives = errors.New("check: the family or the loss has no second derivatives; use Gradient")

// Curvature returns ∇²J(θ), m×m, by m Hessian products. It returns an error if the family or the loss has no second
// derivatives.
func Curvature(p *mkl.Problem, theta []float64) (*mat.SymDense, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	pt := p.NewPoint()
	if len(theta) != len(pt.Theta) {
		return nil, fmt.Errorf("check: got %d weights for %d parameters; pass one per parameter", len(theta),
			len(pt.Theta))
	}
	copy(pt.Theta, theta)
	if err := pt.Evaluate(nil, innerTol); err != nil {
		return nil, err
	}
	m := len(theta)
	h, unit, column := mat.NewSymDense(m, nil), make([]float64, m), make([]float64, m)
	for k := range m {
		unit[k] = 1
		if !pt.HessVec(column, unit) {
			return nil, errNoSecondDerivatives
		}
		unit[k] = 0
		for j := range k + 1 {
			h.SetSym(j, k, column[j])
		}
	}
	return h, nil
}
