package notebooks

// mutationsESKL contains the mutations of 04_similarities.
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
	{"plain ascent: its last φ is the library's min F", `1, 0.1, 40)`, `1, 0.1, 3)`}, // stopped early
	{"plain ascent: its last φ is the library's min F", `w, rho), dual(s, w, rho)`, `w, 2*rho), dual(s, w, rho)`},
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
	{"Proposition 3.1: T steps end below the bound", `Iterations: 100}`, `Iterations: 1}`}, // stopped early
	{"Proposition 3.1: T steps end below the bound", `Horizon: 100}`, `Horizon: 100, AsPrinted: true}`},
	{"Proposition 3.1: ten steps, by hand", `Horizon: 100}`, `Horizon: 400}`}, // half as long
	{"one step does not, nor do T steps as printed", `Lipschitz: l, AsPrinted: true`, `Lipschitz: l`},
	{"after 100 steps decreasing sizes are lower than constant ones, of ten", `printedStep, decreasingSteps`,
		`decreasingSteps, printedStep`},
	{"after 10 the printed update is lower than constant sizes, of ten", `eskl.FinalExcess(false, 10, constantSteps(10)`,
		`eskl.FinalExcess(false, 100, constantSteps(100)`},
	{"(10) in plain code is the library's", `math.Pow(floats.Sum(gamma), 2)/2`, `math.Pow(floats.Sum(gamma), 2)`},
	{"(10) in plain code is the library's", `for range 15`, `for range 1`}, // stopped early
	{"(10): the top of a sweep", `{g, 1 - g}`, `{g, 1}`},
	{"(10): its place is √q₁/Σ√q", `{g, 1 - g}`, `{1 - g, g}`},
	{"(10) of three equal matrices is ω(9K)", `nine.ScaleSym(9, k)`, `nine.ScaleSym(3, k)`},
	{"(12) with ρ, along a direction, against differences", `form+part, difference`,
		`form+part/0.25, difference`}, // as printed
	{"(12) with ρ, along a direction, against differences", `/ (2 * gamma[i])`, `/ (2 / gamma[i])`},
	{"(12) as printed is another number",
		`form+part/0.25-difference`, `form+part-difference`}, // as read
	{"‖∂Ω/∂K₂‖ for ε = %g", `omega.Block[1] / 2 *`, `omega.Block[1] *`},
	{" in plain code is the library's, last F", `descend(g[i], slope, rho, w, 1/gamma[i],`,
		`descend(g[i], slope, rho, w, gamma[i],`},
	{" in plain code is the library's, last F", `q/2/gamma[i]`, `q/2*gamma[i]`},
	{" in plain code is the library's, last F", `(rho*(mu[i][j]-`, `(1*(mu[i][j]-`},          // as printed
	{": the bound holds after T steps, not after one", `Iterations: 100}`, `Iterations: 1}`}, // stopped early
	{": ten steps, by hand", `Horizon: 100}`, `Horizon: 400}`},                               // half as long
	{"problems on which Algorithm 3 as printed ends lower, of ten", `constantSteps(100), printedStep`,
		`printedStep, constantSteps(100)`},
	{"EMKL's bounds are below its values, and REKL, with fewer kernels to choose from, is not below EMKL",
		`Restricted(s, nil, reg.L2, 1, 3)`, `Restricted(s, nil, reg.L2, 1, 1)`},
	{"γ is the share of √q", `q(1)/(`, `q(0)/(`},
	{": the first split of sonar, made again, in points", `"sonar", 1, 1)`, `"sonar", 2, 1)`}, // another draw
}

const threeESKL = "(3), how far from f′(K*) ⪰ 0 and f′(K*)K* = 0"
