package reg

// Reg is a convex regularizer. It is plain data, and several goroutines may call its methods at once.
type Reg interface {
	// Validate returns an error if a field is invalid or does not suit m parameters θ.
	Validate(m int) error
	// Value returns r(θ) and, unless grad is nil, adds a subgradient to it.
	Value(grad, theta []float64) float64
}

// A Reg may implement these interfaces too. Some solvers and certificates need them.
type (
	// Majorized is a regularizer r with a quadratic upper bound q(θ) = A‖θ−C‖² + K that equals r at a given point. If r
	// is quadratic, q is r. The minimizer of ⟨g,θ⟩ + q(θ) over Θ is the projection of C − g/2A onto Θ.
	Majorized interface {
		// Majorize returns a q with r ≤ q everywhere and r(θ) = q(θ) at theta; ok is false if no q exists.
		Majorize(theta []float64) (q Quadratic, ok bool)
	}

	// Proximal is a regularizer with a proximal step.
	Proximal interface {
		// Prox stores z = argmin r(z) + ‖z−x‖²/2t, t = stepLength, in dst and the subgradient (x−z)/t of r at z in
		// grad, and returns r(z). dst and grad may not be x. If it fails, ok is false, and dst and grad are undefined.
		Prox(dst, grad, x []float64, stepLength float64) (value float64, ok bool)
	}
)

const badLength = "reg: the slices have different lengths"

// Quadratic is q(θ) = A‖θ−C‖² + K.
type Quadratic struct {
	A float64   // > 0
	C []float64 // m, read-only
	K float64
	// IsExact reports that r(θ) = q(θ) for every θ. Majorize then returns the same q for every argument.
	IsExact bool
}
