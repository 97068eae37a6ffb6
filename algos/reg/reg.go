// Package reg is r(θ), the regulariser of the kernel.
package reg

// Reg is a convex regulariser. It is plain data: parts of θ ask theirs from several goroutines at once.
type Reg interface {
	// Validate says what is wrong with the regulariser's parameters.
	Validate(m int) error
	// Value returns r(θ) and, unless grad is nil, adds a subgradient to it.
	Value(grad, theta []float64) float64
	// Slice returns the regulariser for some of n points where θ is an n×n matrix between the points: that of the
	// matrix of the given rows and columns. One that does not depend on the length of θ returns itself.
	Slice(rows []int) Reg
}

// Optional, of a Reg.
type (
	// Gauge bounds every linear function on θ ≥ 0, as an r ≥ 0 that is positively homogeneous does.
	Gauge interface {
		// Polar returns the least t ≥ 0 with ⟨v,θ⟩ ≤ t·r(θ) for every θ ≥ 0; ok is false if there
		// is none.
		Polar(v []float64) (t float64, ok bool)
	}

	// Majorized is a regulariser that is a quadratic, or that quadratics touch from above. With a quadratic q,
	// argmin_Θ ⟨g,θ⟩ + q(θ) = P_Θ(C − g/2A), for every Θ.
	Majorized interface {
		// Majorize returns a q with r ≤ q everywhere and r(θ) = q(θ) at theta; ok is false if there is none.
		Majorize(theta []float64) (q Quadratic, ok bool)
	}

	// Proximal is a regulariser with a proximal step.
	Proximal interface {
		// Prox stores z = argmin r(z) + ‖z−x‖²/2t in dst and the subgradient (x−z)/t of r at z in grad, and returns
		// r(z). Neither may be x. ok is false, and nothing stored, if r is not of that kind.
		Prox(dst, grad, x []float64, t float64) (value float64, ok bool)
	}

	// Balanced is a regulariser whose sum with ½Σ_k f_k/θ_k has its minimiser in closed form.
	WeightMinimizer interface {
		// MinimizeWeights stores argmin_{θ≥0} ½Σ_k f_k/θ_k + r(θ), f ≥ 0, in dst, which may be f; θ_k = 0
		// where f_k = 0.
		MinimizeWeights(dst, f []float64)
	}
)

// badLength is the panic at vectors of unequal lengths.
const badLength = "reg: lengths differ"

// Quadratic is q(θ) = A‖θ−C‖² + K.
type Quadratic struct {
	A float64   // > 0
	C []float64 // m, read-only
	K float64
	// Exact says that r = q everywhere, whatever θ was asked for.
	Exact bool
}
