package notebooks

// mutationsLVX contains the mutations of 02_learning_the_kernel.
var mutationsLVX = []mutation{
	{"f of the first new echo, degree ", `DecisionValues(p.Grams, r, test.X)`, `DecisionValues(p.Grams, r, train.X)`},
	{"in μ the Hessian has an eigenvalue below 0", `NewSurface(p, 1, grid)`, `NewSurface(p, 2, grid)`},
	{"in t the least eigenvalue of the Hessian that is below 0", `NewSurface(p, 2, grid)`, `NewSurface(p, 1.25, grid)`},
	{"stored result of sonar, seed 3: RMSE learned − uniform", `lvx.Halves, 3, 3)`, `lvx.Halves, 3, 4)`},
	{"on paper: distance of the minimum from (0.8, 0.6)", `{0.8, 0.6}`, `{0.6, 0.8}`},
	{"(4), degree %d: the error falls like h^%.2f, with the Hessian like h^%.2f", `nb.Must(check.Gradient(q, 7)),`,
		`check.Taylor{Order: 1, Slope: 1},`}, // as of a wrong gradient
	{"Theorem 2.1 at the minimum of SPG: largest difference, ", `floats.Norm(v, 2)`, `floats.Norm(v, 1)`},
	{"uᵀ∇²F u of (7) as read, against a second difference", `d.Inverse(mu), d.Sum(u)`,
		`d.Inverse(mu), d.Sum(mu)`}, // as printed
	{"Algorithm 3: distance of the plain code's μ from the library's", `range 200`, `range 3`}, // stopped early
	{"Algorithm 4: distance of the plain code's μ from the library's", `1/(2*d.Beta)`, `1/d.Beta`},
	{"uᵀ∇²F u of degree 2 against a second difference", `8*lvx.Sandwich(a, su, v, su) - 2*lvx`,
		`4*lvx.Sandwich(a, su, v, su) - lvx`},
	{"Algorithm %d: distance of its gradient from differences of F", `lvx.QuadraticForm(alpha, h)`,
		`lvx.QuadraticForm(alpha, h)/float64(d.Degree)`}, // U_k for 2U_k
	{"Algorithm %d: distance of the plain code's μ from the library's", `-eta, gradient`,
		`eta, gradient`}, // Algorithm 6 as printed
	{"Algorithm 7: distance of the plain code's μ from the library's", `yalpha, normalize`, `d.Alpha, normalize`},
	{"largest number of steps of IIA and rIIA", `1e-4)), 0.0`, `1e-6)), 0.0`},
	{"small λ: second derivative, by another program's differences", `lvx.TwoMatrices(1e-9,`, `lvx.TwoMatrices(0.1,`},
	{"large λ: largest difference of λ²∇²F from −2Q on paper", `h.At(0, 1)+7.24`, `h.At(0, 1)-7.24`},
	{"λ = 100, Algorithm 5: global, gap %.0e", `Iterations: 3000`, `Iterations: 3`},
	{"d ≤ 2: over starts F differs at most by, relative", `1e-9, 7)`, `1e-2, 7)`}, // stopped early
	{"from both starts μ* is 0 at every β above β₀, and at none below", `(t > 1)`, `(t > 1.1)`},
	{"Algorithm 8: distance of the plain code's μ from the library's", `range 12`, `range 1`},
	{"(36) against a second difference along a great circle", `p.Scale(-mat.Dot(n, g)/2, p)`,
		`p.Scale(0, p)`}, // as printed
	{"every run is done, Algorithm 8 after %d evaluations of F at most", `run[0].Trace[len(run[0].Trace)-1]`,
		`run[2].Trace[len(run[2].Trace)-1]`},
	{"E(σᵀKσ)² for K = 11ᵀ, n = 10, by its formula", `100+2*90`, `100+90`},
	{"every average is below its bounds, and above a thirtieth of them", `r.Holds()`, `r.Mean <= r.Bound/30`},
	{"∂F/∂μ₁ of (8) as read, against a difference", `gradient(d, yalpha(mu), mu)`,
		`gradient(d, mat.NewVecDense(6, floats.MulTo(make([]float64, 6), yalpha(mu).RawVector().Data, p.Y)), mu)`},
	{"(8)/(3) is at most %.2f, and more than 0.9 for large λ", `max(top, largest)`, `max(top, 1/largest)`},
	{"stored curves of sonar, seed 3, d = 2 with constant: largest difference", `lvx.Halves, 3)`, `lvx.Halves, 4)`},
	{"the square of a sum as a member of the general family: F", `{2, 1}: 2`, `{2, 1}: 1`},
	{"free coefficients: distance of IIA from SPG", `mkl.IIA{}, &mkl.Settings{Gap: 1e-12}`,
		`mkl.IIA{}, &mkl.Settings{Gap: 1e-2}`}, // stopped early
}
