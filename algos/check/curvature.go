package check

import (
	"errors"
	"fmt"

	"github.com/mklnb/mkl/algos/mkl"

	"gonum.org/v1/gonum/mat"
)

var errNoSecondDerivatives = errors.New("check: the family or the loss has no second derivatives; use Gradient")

// HessianMatrix returns ∇²J(θ), m×m, where J is the objective F of p without its regularizer. It returns an error if
// the family or the loss has no second derivatives.
func HessianMatrix(p *mkl.Problem, theta []float64) (*mat.SymDense, error) {
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
	h, unitVector, column := mat.NewSymDense(m, nil), make([]float64, m), make([]float64, m)
	for k := range m {
		unitVector[k] = 1
		if !pt.HessianVectorProduct(column, unitVector) {
			return nil, errNoSecondDerivatives
		}
		unitVector[k] = 0
		for j := range k + 1 {
			h.SetSym(j, k, column[j])
		}
	}
	return h, nil
}
