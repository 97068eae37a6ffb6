package notebooks

// mutationsLVX are those of 02_learning_the_kernel.
var mutationsLVX = []mutation{
	{"(1) = (3): primal value at w = Σα_iφ_i", `2*pt.Primal, 2*pt.Dual()`, `2*pt.Primal, pt.Dual()`},
	{"(4), degree %d: the error of the expansion falls like h^%.2f", `nb.Must(check.Gradient(q, 7)),`, `check.Taylor{Order: 1, Slope: 1},`}, // as of a wrong gradient
	// as printed
	{"uᵀ∇²F u as read, against a second difference", `2*lvx.Sandwich(a, ku, v, ku)+uu`, `lvx.Sandwich(a, ku, v, ku)+uu`},
	{"uᵀ∇²F u against a second difference", `8*lvx.Sandwich(a, su, v, su) - 2*lvx`, `4*lvx.Sandwich(a, su, v, su) - lvx`},
	{"Euler: μᵀ∇F = −2αᵀKα", `-2*lvx.Form(a, lvx.Hadamard(s, s))`, `lvx.Form(a, lvx.Hadamard(s, s))`},
	{"(36) against a second difference along a great circle", `s.Hessian(h, theta, pt.Grad(), h, xi)`,
		`s.Tangent(h, theta, h)`},
	// as printed
	{"(37) as read: the distance from μ₀ is Λ", `s.Retract(theta, theta, xi)`, `theta = lvx.Outward(theta, xi)`},
	// as printed
	{"∂F/∂μ₁ as read, against a difference", `-read[0], difference`, `-printed[0], difference`},
}
