// Package reg is r(θ), the regulariser of the kernel.
package reg

// Reg is a convex regulariser.
type Reg interface {
	// Validate says what is wrong with the regulariser's parameters.
	Validate(m int) error
	// Value returns r(θ) and, unless grad is nil, adds a subgradient to it.
	Value(grad, theta []float64) float64
}

// Quadratic is r(θ) = a‖θ−c‖² + k. Then argmin_Θ ⟨g,θ⟩ + r(θ) = P_Θ(c − g/2a), for every Θ.
type Quadratic interface {
	// Quadratic returns a > 0, c of length m and k; ok is false if r is not of that form.
	Quadratic(m int) (a float64, c []float64, k float64, ok bool)
}
