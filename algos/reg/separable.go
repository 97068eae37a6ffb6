package reg

import "fmt"

// Separable is a sum over parts of θ = (θ_1, …, θ_M) of equal lengths,
//
//	r(θ) = Σ_i r_i(θ_i).
//
// With a DistancePenalty for each part it is the regularizer of EMKL, (6) of Kundu et al., which keeps every matrix
// close to its own similarities.
type Separable struct{ Parts []Reg }

var _ Proximal = Separable{}

// Validate requires at least one part, parts of equal length, and valid parts.
func (r Separable) Validate(m int) error {
	if len(r.Parts) == 0 || m%len(r.Parts) != 0 {
		return fmt.Errorf("reg: separable has %d parts for %d parameters; use at least one part, and a number of "+
			"parts that divides the number of parameters", len(r.Parts), m)
	}
	for i, p := range r.Parts {
		if p == nil {
			return fmt.Errorf("reg: part %d is nil; set a regularizer for each part", i+1)
		}
		if err := p.Validate(m / len(r.Parts)); err != nil {
			return fmt.Errorf("reg: part %d: %w", i+1, err)
		}
	}
	return nil
}

// Value returns Σ_i r_i(θ_i) and, unless grad is nil, adds a subgradient of each r_i to its part of grad.
func (r Separable) Value(grad, theta []float64) float64 {
	m, valueSum := len(theta)/len(r.Parts), 0.0
	for i, p := range r.Parts {
		var g []float64
		if grad != nil {
			g = grad[i*m : (i+1)*m]
		}
		valueSum += p.Value(g, theta[i*m:(i+1)*m])
	}
	return valueSum
}

// Prox takes the proximal step of each part, and adds up the values r_i. ok is false if a part cannot take its step.
func (r Separable) Prox(dst, grad, x []float64, stepLength float64) (value float64, ok bool) {
	m := len(x) / len(r.Parts)
	for i, p := range r.Parts {
		q, ok := p.(Proximal)
		if !ok {
			return 0, false
		}
		v, ok := q.Prox(dst[i*m:(i+1)*m], grad[i*m:(i+1)*m], x[i*m:(i+1)*m], stepLength)
		if !ok {
			return 0, false
		}
		value += v
	}
	return value, len(r.Parts) > 0
}

func (r Separable) String() string {
	if len(r.Parts) == 0 {
		return "no parts"
	}
	return fmt.Sprintf("sum of %d regularizers, the first %v", len(r.Parts), r.Parts[0])
}
