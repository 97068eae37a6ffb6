package notebooks

// mutationsESKL has one or more for each check of 04_similarities.
var mutationsESKL = []mutation{
	{"largest eigenvalue of the nearest kernel", `0.5/math.Sqrt(t), slope)`, `-0.5/math.Sqrt(t), slope)`},
	{"largest eigenvalue of the nearest kernel", `0, 1, 1}), 60)`, `0, 1, 1}), 3)`}, // stopped early
	{"denoise, flip: training rows met as new ones give K", `k.Cross(mat.DenseCopyOf(s.S[0]))`,
		`k.Cross(mat.DenseCopyOf(k.K))`},
	{"denoise: distance² is the sum of the negative λ²", `min(l, 0)`, `l`},
	{threeESKL, `w, rho) // (3)`, `w, 2*rho) // (3)`},
	{threeESKL, `slope.SymRankOne(slope, -0.5`, `slope.SymRankOne(slope, 0.5`},
	{threeESKL, `norm, slope := near(`, "star.ScaleSym(0.5, star)\nnorm, slope := near("}, // half the trace
	{"∇φ against differences, worst of 10", `/2e-6-slope[i]`, `/2e-6+slope[i]`},
	{"F by its definition", `0.1*norm*norm`, `0.2*norm*norm`},
	{"(8) with %v, along a direction, against differences", `form := -floats`, `form := floats`},
	{"(8) with %v, along a direction, against differences", `floats.Dot(far, e)`, `floats.Dot(far, e)/0.25`}, // no ρ
	{"f in K: most that f is above a chord at its middle, of 200", `value + 0.25*norm`, `value - 2*norm*norm`},
	{"f in a factor of K: the probe finds a chord below", `k.Mul(a, a)`, `k.Scale(1, a)`},
	{"L2: the bound is below the minimum, within 8 %", `half*rho, slope`, `2*half*rho, slope`}, // Z outside its ball
	{"L2: the bound is below the minimum, within 8 %", `3.0, 400`, `3.0, 4`},                   // stopped early
	{"K − S is larger within classes", `s, difference, r := learned(d)`,
		"s, difference, r := learned(d)\ndifference.ScaleSym(-1, difference)"},
	{"step 3: log K + G is a multiple of I", `math.Log(l)`, `l`},
	{"step 3: log K + G is a multiple of I", `math.Exp(s.Values[0] - d)`, `math.Exp(d - s.Values[0])`}, // exp(G)
	{"Algorithm 1 in plain code is the library's, last f", `descend(g, slope, rho, w, 1, `,
		`descend(g, slope, 1, w, 1, `},
	{"Algorithm 1 in plain code is the library's, last f", `-eta*size/2`, `-eta*size`},
	{"as printed it ends more than four times as far above", `Lipschitz: l, AsPrinted: true`, `Lipschitz: l`},
	{"as printed it ends above, eigenvalues ", `eskl.AsPrinted(s, 1, 3, l, steps, pairing)`,
		`algorithm1(s, 1, 3, l, steps)`},
	{"T = 10,000: what is proved of decreasing steps, over the printed bound", `(1 + squares)`, `squares`},
	{"Proposition 3.1: T steps end below the bound", `Iterations: horizon}`, `Iterations: 1}`}, // stopped early
	{"Proposition 3.1: T steps end below the bound", `Horizon: horizon}`, `Horizon: horizon, AsPrinted: true}`},
	{"one step does not, nor do T steps as printed", `Lipschitz: l, AsPrinted: true`, `Lipschitz: l`},
	{"after 100 steps decreasing ones are lower than constant ones, of ten", `100, constant(100), decreasing`,
		`100, decreasing, constant(100)`},
	{"after 10 the printed step is lower than constant ones, of ten", `eskl.Left(false, 10, constant(10)`,
		`eskl.Left(false, 100, constant(100)`},
	{"(10) in plain code is the library's", `math.Pow(floats.Sum(gamma), 2)/2`, `math.Pow(floats.Sum(gamma), 2)`},
	{"(10) in plain code is the library's", `for range 15`, `for range 1`}, // stopped early
	{"(10): the top of a sweep", `{g, 1 - g}`, `{g, 1}`},
	{"(10): its place is √q₁/Σ√q", `{g, 1 - g}`, `{1 - g, g}`},
	{"(10) of three equal matrices is ω(9K)", `nine.ScaleSym(9, k)`, `nine.ScaleSym(3, k)`},
	{"(12) with ρ, along a direction, against differences", `form+floats.Dot(far, e), difference`,
		`form+floats.Dot(far, e)/0.25, difference`}, // as printed
	{"(12) with ρ, along a direction, against differences", `/ (2 * gamma[i])`, `/ (2 / gamma[i])`},
	{"(12) as printed is another number",
		`floats.Dot(far, e)/0.25-difference`, `floats.Dot(far, e)-difference`}, // as read
	{"‖∂Ω/∂K₂‖ for ε = %g", `omega.Block[1]/2*`, `omega.Block[1]*`},
	{" in plain code is the library's, last F", `descend(g[i], slope, rho, w, 1/gamma[i],`,
		`descend(g[i], slope, rho, w, gamma[i],`},
	{" in plain code is the library's, last F", `q/2/gamma[i]`, `q/2*gamma[i]`},
	{" in plain code is the library's, last F", `(rho*(mu[i][j]-`, `(1*(mu[i][j]-`}, // as printed
	{"%s: the bound holds after T steps, not after one, nor as printed", `Iterations: horizon}`, `Iterations: 1}`},
	{"%s: the bound holds after T steps, not after one, nor as printed", `Horizon: horizon}`,
		`Horizon: horizon, AsPrinted: true}`},
	{"problems on which Algorithm 3 as printed ends lower, of ten", `Lipschitz: l, AsPrinted: true`,
		`Lipschitz: 50 * l, AsPrinted: true`},
	{"EMKL's bounds are below its values, and REKL, with fewer kernels to choose from, is not below EMKL",
		`Restricted(s, nil, reg.L2, 1, 3)`, `Restricted(s, nil, reg.L2, 1, 1)`},
	{"steps grow less than 16 times from one similarity to four",
		`0.4, 0.2, 0.1, 0.05`, `2, 1, 0.5, 0.4`}, // stopped early
	{"γ is the share of √q", `q(1)/(`, `q(0)/(`},
	{": the first split of sonar, made again, in points", `"sonar", 1, 1)`, `"sonar", 2, 1)`}, // another draw
}

const threeESKL = "(3): the slope at K* has no part below 0, and none where K* has one"
