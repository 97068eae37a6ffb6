package notebooks

// mutationsLVX contains the mutations of 02_learning_the_kernel.
var mutationsLVX = []mutation{
	{"f of the first new echo, degree ", `DecisionValues(p.Grams, runs[0], test.X)`,
		`DecisionValues(p.Grams, runs[0], train.X)`},
	{"training points, 2/3 of 208", `1./3, 1)`, `2./3, 1)`},
	{"right signs counted, degree ", `nb.Score(equal, test)`, `nb.Score(equal, train)`},
	{"F near μ = 0, from n/λ", `2, 1, 0, 1)`, `2, 2, 0, 1)`},
	{"in μ the Hessian has an eigenvalue below 0", `NewSurface(p, 1, grid)`, `NewSurface(p, 2, grid)`},
	{"in t the least eigenvalue of the Hessian that is below 0", `NewSurface(p, 2, grid)`, `NewSurface(p, 1.25, grid)`},
	{"mean ranks counted: largest difference", `draws), false)`, `draws), true)`},
	{"differences drawn, from the mean RMSE: largest difference", `d.Scores[k+2].RMSE`, `d.Scores[3-k].RMSE`},
	{"clear intervals, counted by their half widths", `(v[2]-v[1])/2`, `(v[2]-v[1])/4`},
	{"stored results of sonar, seed 3, with intervals by the formula: largest difference", `lvx.Halves, 3, 3)`,
		`lvx.Halves, 3, 4)`},
	{"stored results of sonar, seed 3, with intervals by the formula: largest difference", `1./10+1)`,
		`1./10)`}, // without Nadeau and Bengio's term
	{"η = ½ leaves at most a quarter of F − min F per step, η = 0 cycles", `0.5, 0.8}`, `0.8, 0.5}`},
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
	{"degree 1 or else no IIA and rIIA, ", `row[4].Text == "–"`, `row[3].Text == "–"`},
	{"d = 1: steps of PGD and rPGD, by plain code: largest difference", `eta *= 0.8`, `eta *= 0.5`},
	{"small λ: second derivative, by another program's differences", `lvx.TwoMatrices(1e-9,`, `lvx.TwoMatrices(0.1,`},
	{"the lines reach limits, below 0 as λ → 0, above 0 as λ → ∞", `second derivative", 2,`, `second derivative", 1,`},
	{"largest size drawn", `*floats.Max(large)`, `*floats.Min(large)`},
	{"large λ: largest difference of λ²∇²F from −2Q on paper", `h.At(0, 1)+7.24`, `h.At(0, 1)-7.24`},
	{"λ = 100, Algorithm 5: global, gap %.0e", `Iterations: 3000`, `Iterations: 3`},
	{"F at the starts differs by at least %.1g, relative", `nb.Size(3, 8, 30)`, `nb.Size(1, 1, 1)`},
	{"d ≤ 2: over starts F differs at most by, relative", `1e-9, 7)`, `1e-2, 7)`}, // stopped early
	{"from both starts μ* is 0 at every β above β₀, and at none below", `(t > 1)`, `(t > 1.1)`},
	{"from both starts μ* is 0 at every β above β₀, and at none below", `inside.Y[i] != zero`, `zero.Y[i] != zero`},
	{"Algorithm 8: distance of the plain code's μ from the library's", `range 12`, `range 1`},
	{"(36) against a second difference along a great circle", `p.Scale(-mat.Dot(n, g)/2, p)`,
		`p.Scale(0, p)`}, // as printed
	{"the minimum lies on the sphere: ‖w‖, ", `floats.AddConst(-center, w)`, `floats.AddConst(center, w)`},
	{"the names state degree, λ and center of the problems", `p.Grams.Degree(),`, `p.Grams.Degree()+1,`},
	{"every run is done, Algorithm 8 after %d evaluations of F at most", `run[0].Trace[len(run[0].Trace)-1]`,
		`run[2].Trace[len(run[2].Trace)-1]`},
	{"E(σᵀKσ)² for K = 11ᵀ, n = 10, by its formula", `100+2*90`, `100+90`},
	{"every average is below its bounds, and above a thirtieth of them", `r.Holds()`, `r.Mean <= r.Bound/30`},
	{"the averages increase with m", `8, 16, 32, 60}`, `8, 16, 60, 32}`},
	{"four equal kernels, d = %d: bound over average, over its value on paper", `float64(d+1)/2)`, `float64(d+1))`},
	{"four equal kernels: bound by traces over average", `math.Sqrt(3) * math.Pi / 2`, `3 * math.Pi / 2`},
	{"the constraints of (8): α ≥ 0 and ⟨α, y⟩ = 0", `lvx.AsSVM(d.Problem(ball))`, `d.Problem(ball)`},
	{"∂F/∂μ₁ of (8) as read, against a difference", `gradient(d, yalpha(mu), mu)`,
		`gradient(d, mat.NewVecDense(6, floats.MulTo(make([]float64, 6), yalpha(mu).RawVector().Data, p.Y)), mu)`},
	{"(8) at the kernel learned for KRR over its minimum, less 1, from the lines", `f.Series[1].Y, f`, `f.Series[0].Y, f`},
	{"(8)/(3) for λ → ∞: 1 less the square of the mean label", `lvx.AsSVM(p)`, `(p)`}, // the value without a bias is 1 too
	{"(8)/(3) is at most %.2f, more than 0.9 for large λ, at most %.2f at λ = 0.01", `max(top, largest)`,
		`max(top, 1/largest)`},
	{"points of a fold, ", `/float64(k), 1)`, `/float64(k+1), 1)`},
	{"sum of the RMSE in Table 2 or 4, ", `row[3].Text`, `row[5].Text`},
	{"stored errors of seed 1, computed again in the default size: largest difference, ", `&rmse`, `&wrong`},
	{"lines of degrees 1 and 2 with the least error at λ = 10, of 8", `floats.MinIdx(`, `floats.MaxIdx(`},
	{"points at the least errors, means in their bands: largest distance", `Y[k]-floats.Min(`, `Y[3-k]-floats.Min(`},
	{"degrees 1 and 2 rise on five sets; control: degree 3 and a constant not on all", `floats.Min(line.Y) <`,
		`floats.Max(line.Y) >`},
	{"five sets below −0.005, the least at −0.05; at the best λ all above −0.012", `draws, 0.1)`, `draws, 10)`},
	{"d = %d: less on more than twice as many halves for degree 2 only", `CountWins(draws, d)`, `CountWins(draws, 1)`},
	{"stored curves of sonar, seed 3, d = 2 with constant: largest difference", `lvx.Halves, 3)`, `lvx.Halves, 4)`},
	{"the square of a sum as a member of the general family: F", `{2, 1}: 2`, `{2, 1}: 1`},
	{"free coefficients: distance of IIA from SPG", `mkl.IIA{}, &mkl.Settings{Gap: 1e-12}`,
		`mkl.IIA{}, &mkl.Settings{Gap: 1e-2}`}, // stopped early
}
