// Package reg is r(θ), the regulariser of the kernel.
package reg

// Reg is a convex regulariser. It is plain data: parts of θ ask theirs from several goroutines at once.
type Reg interface {
	// Validate says what is wrong with the regulariser's parameters.
	Validate(m int) error
	// Value returns r(θ) and, unless grad is nil, adds a subgradient to it.
	Value(grad, theta []float64) float64
}

// Quadratic is r(θ) = a‖θ−c‖² + k. Then argmin_Θ ⟨g,θ⟩ + r(θ) = P_Θ(c − g/2a), for every Θ.
type Quadratic interface {
	// Quadratic returns a > 0, c of length m, read-only, and k; ok is false if r is not of that form.
	Quadratic(m int) (a float64, c []float64, k float64, ok bool)
}

// Optional, of a Reg.
type (
	// Gauge bounds every linear function on θ ≥ 0, as an r ≥ 0 that is positively homogeneous does.
	Gauge interface {
		// Polar returns the least t ≥ 0 with ⟨v,θ⟩ ≤ t·r(θ) for every θ ≥ 0; ok is false if there
		// is none.
		Polar(v []float64) (t float64, ok bool)
	}

	// Majorized is a regulariser that quadratics touch from above.
	Majorized interface {
		// Majorize returns a > 0, c, read-only, and k with r(θ) ≤ a‖θ−c‖² + k for every θ, and equality at theta; ok is
		// false if r is not of that kind.
		Majorize(theta []float64) (a float64, c []float64, k float64, ok bool)
	}

	// Proximal is a regulariser with a proximal step.
	Proximal interface {
		// Prox stores z = argmin r(z) + ‖z−x‖²/2t in dst and the subgradient (x−z)/t of r at z in grad, and returns
		// r(z). Neither may be x. ok is false, and nothing stored, if r is not of that kind.
		Prox(dst, grad, x []float64, t float64) (value float64, ok bool)
	}

	// Sliced is a regulariser of a matrix between n points: what it is of the matrix between some of them.
	Sliced interface {
		Reg
		Slice(rows []int) Reg
	}

	// Balanced is a regulariser whose sum with ½Σ_k f_k/θ_k has its minimiser in closed form.
	Balanced interface {
		// Balance stores argmin_{θ≥0} ½Σ_k f_k/θ_k + r(θ), f ≥ 0, in dst, which may be f; θ_k = 0
		// where f_k = 0.
		Balance(dst, f []float64)
	}
)
