package notebooks

// mutationsLVX contains the mutations of 02_learning_the_kernel.
var mutationsLVX = []mutation{
	{"in μ the probe finds F bending down", `lvx.Value(p, a, b)`, `lvx.Value(p, math.Sqrt(a), math.Sqrt(b))`},
	{"in t the least second difference that is negative", `math.Sqrt(a), math.Sqrt(b)`,
		`math.Pow(a, 0.8), math.Pow(b, 0.8)`},
	{"kept for sonar, seed 3: RMSE learned less uniform", `lvx.Halves, 3, 3)`, `lvx.Halves, 3, 4)`}, // another draw
	{"by hand: distance of the minimum from (0.8, 0.6)", `{0.8, 0.6}`, `{0.6, 0.8}`},
	{"(1) = (3): primal value at w = Σα_iφ_i", `2*pt.Primal, 2*pt.Dual()`, `2*pt.Primal, pt.Dual()`},
	{"(4), degree %d: the error falls like h^%.2f, with the Hessian like h^%.2f", `nb.Must(check.Gradient(q, 7)),`,
		`check.Taylor{Order: 1, Slope: 1},`}, // as of a wrong gradient
	{"(4), degree %d: the error falls like h^%.2f, with the Hessian like h^%.2f", `nb.Must(check.Hessian(q, 7))`,
		`check.Taylor{Order: 2, Slope: 2}`},
	{"Theorem 2.1 at the minimum SPG finds: largest difference, ", `floats.Norm(v, 2)`, `floats.Norm(v, 1)`},
	{"uᵀ∇²F u of (7) as read, against a second difference", `2*lvx.Sandwich(a, ku, v, ku)`,
		`lvx.Sandwich(a, ku, v, ku)`},
	{"uᵀ∇²F u of (7) as read, against a second difference", `d.Sum(u)`, `d.Sum(mu)`},           // as printed
	{"Algorithm 3: distance of the plain code's μ from the library's", `range 200`, `range 3`}, // stopped early
	{"Algorithm 4: distance of the plain code's μ from the library's", `1/(2*d.Beta)`, `1/d.Beta`},
	{"∂F/∂μ of degree 2 against a difference", `-2*lvx.Form(a, shared.Hadamard(s, d.K[k]))`,
		`-lvx.Form(a, shared.Hadamard(s, d.K[k]))`},
	{"uᵀ∇²F u of degree 2 against a second difference", `8*lvx.Sandwich(a, su, v, su) - 2*lvx`,
		`4*lvx.Sandwich(a, su, v, su) - lvx`},
	{"(5) Euler: μᵀ∇F = −2αᵀKα", `-2*lvx.Form(a, shared.Hadamard(s, s))`, `lvx.Form(a, shared.Hadamard(s, s))`},
	{"2.1: 0 is stationary, and F there above every other point by %.3f or more", `make([]float64, 3)`,
		`lvx.Constant(0.1, 3)`},
	{"2.1: 0 is stationary, and F there above every other point by %.3f or more", `top-d.F(mu)`, `top/2-d.F(mu)`},
	{"2.2: F differs from ‖y‖²/λ by at most", `[]float64{1, -1})`, `[]float64{1, -0.9})`},
	{"Algorithm %d: distance of the plain code's μ from the library's", `d.Alpha, project`, `d.Alpha, cut`},
	{"Algorithm %d: distance of the plain code's μ from the library's", `2*d.Beta*mu[k] - lvx`,
		`-2*d.Beta*mu[k] - lvx`},
	{"Algorithm %d: distance of the plain code's μ from the library's", `-eta, g)`,
		`eta, g)`}, // Algorithm 6 as printed
	{"Algorithm %d: distance of the plain code's μ from the library's", `range 3000`, `range 3`}, // stopped early
	{"Algorithm 7: distance of the plain code's μ from the library's", `nb.Must(shared.At(p, mu, 1e-12)).W)`,
		`d.Alpha(mu).RawVector().Data)`},
	{"small λ: second derivative, by another program's differences", `lvx.TwoMatrices(1e-9,`, `lvx.TwoMatrices(0.1,`},
	{"large λ: largest difference of λ²∇²F/2 from −Q by hand", `h.At(0, 1)+3.62`, `h.At(0, 1)-3.62`},
	{"in μ the same probe refutes convexity for λ ≥ 1", `"sonar"), 2, lambda, 0, 1)`, `"sonar"), 1, lambda, 0, 1)`},
	{"in t it refutes nothing at any λ", `0, 1), 2, count`, `0, 1), 1.5, count`}, // t = w^1.5
	{"control, degree 3 > q = 2: not convex in t, %.2f", `lvx.Problem(five, 3,`, `lvx.Problem(five, 2,`},
	{"λ = 100, Algorithm 5: global, gap %.0e", `Iterations: 3000`, `Iterations: 3`},
	{"d ≤ 2: over starts F differs at most by, relative", `1e-9, 7)`, `1e-2, 7)`}, // stopped early
	{"from both starts μ* is 0 at every β above β₀, and at none below", `(t > 1)`, `(t > 1.1)`},
	{"Algorithm 8: distance of the plain code's μ from the library's", `range 4`, `range 1`},
	{"Algorithm 8: distance of the plain code's μ from the library's", `p.Scale(-mat.Dot(n, g)/2, p)`,
		`p.Scale(mat.Dot(n, g)/2, p)`},
	{"(36) against a second difference along a great circle", `p.Scale(-mat.Dot(n, g)/2, p)`,
		`p.Scale(0, p)`}, // as printed
	{"every run is done, Algorithm 8 after %d evaluations of F at most", `l.Solver == (mkl.TrustRegion{}).String()`,
		`l.Solver != (mkl.SPG{}).String()`},
	{"500 points: the minimum by matrices lies between the bounds by passes", `nb.Solve(p, mkl.SPG{}`,
		`nb.Solve(lvx.Friedman(500, 3), mkl.SPG{}`}, // other points
	{"E(σᵀKσ)² for K = 11ᵀ, n = 10, by the formula of 2", `100+2*90`, `100+90`},
	{"every average is below its bounds", `r.Holds()`, `r.Mean <= r.Bound/30`},
	{"the bound of one feature at ρ = 0.3, against the library's", `2*h.Complexity`, `h.Complexity`},
	{"the bound of one feature at ρ = 0.3, against the library's", `v <= rho`, `v <= 0`},
	{"the bound of one feature at ρ = 0.3, against the library's", `(2/0.05)`, `(1/0.05)`},
	{"least bound: %.1f on sonar, %.2f with one feature", `min(linear, square) > 1`, `min(linear, one) > 1`},
	{"∂F/∂μ₁ of (8) as read, against a difference", `NewVecDense(6, pt.W)`,
		`NewVecDense(6, floats.MulTo(make([]float64, 6), pt.W, p.Y))`}, // as printed
	{"(8)/(3) is at most %.2f", `max(top, largest)`, `max(top, 1/largest)`},
	{"kept for sonar, seed 3, d = 2 with constant: largest difference of RMSE and SVM", `lvx.Halves, 3)`,
		`lvx.Halves, 4)`},
}
