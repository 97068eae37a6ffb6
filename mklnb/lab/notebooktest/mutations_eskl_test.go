package notebooks

// mutationsESKL contains the mutations of 04_similarities.
var mutationsESKL = []mutation{
	{"largest eigenvalue of the nearest kernel", `0.5/math.Sqrt(t), gradient)`, `-0.5/math.Sqrt(t), gradient)`},
	{"largest eigenvalue of the nearest kernel", `0, 1, 1}), 60)`, `0, 1, 1}), 3)`}, // stopped early
	{"denoise: distance² is the sum of the negative λ²", `min(l, 0)`, `l`},
	{"denoise: distance² is the sum of the negative λ²", `similarity.Denoise)).K`, `similarity.Flip)).K`},
	{predictESKL, `Repair(similarity.Denoise)`, `Repair(similarity.Flip)`},
	{predictESKL, `repaired.Cross(s.Rows(split.Test, split.Train))`, `s.Rows(split.Test, split.Train), error(nil)`}, // not P
	{predictESKL, `eskl.Omega(repaired.K, s.Labels(split.Train), 1)`, `eskl.Omega(repaired.K, s.Labels(split.Train), 0.1)`},
	{threeESKL, `w, rho) // (3)`, `w, 2*rho) // (3)`},
	{threeESKL, `gradient.SymRankOne(gradient, -0.5`, `gradient.SymRankOne(gradient, 0.5`},
	{threeESKL, `norm, gradient := eskl.Distance(star`, "star.ScaleSym(0.5, star)\nnorm, gradient := eskl.Distance(star"},
	{"plain ascent: its last φ is the library's min F", `1, 0.1, 40)`, `1, 0.1, 3)`}, // stopped early
	{"plain ascent: its last φ is the library's min F", `w, rho), eskl.Dual(s, w, rho)`, `w, 2*rho), eskl.Dual(s, w, rho)`},
	{"plain ascent: its least F too", `omega+rho*norm*norm`, `omega+rho*norm`},
	{"F by its definition", `0.1*norm*norm`, `0.2*norm*norm`},
	{"(8) with %v, along a direction, against differences", `form := -floats`, `form := floats`},
	{"(8) with %v, along a direction, against differences", `floats.Dot(far, e)`, `floats.Dot(far, e)/0.25`}, // no ρ
	{"f in K: largest excess over a chord at its midpoint, of 200", `value + 0.25*norm`, `value - 2*norm*norm`},
	{"f in a factor of K: the test finds a chord below", `k.Mul(a, a)`, `k.Scale(1, a)`},
	{"L2: the bound is below the minimum, within 8 %", `half*rho, gradient`, `2*half*rho, gradient`}, // Z outside its ball
	{"L2: the bound is below the minimum, within 8 %", `3.0, 400`, `3.0, 4`},                         // stopped early
	{"n times K − S within classes less between them", `s, difference, r := learned(d)`,
		"s, difference, r := learned(d)\ndifference.ScaleSym(-1, difference)"},
	{"n times K − S within classes less between them", `2 * mat.Inner(`, `8 * mat.Inner(`},
	{"step 3: log K + G is a multiple of I", `math.Log(l)`, `l`},
	{"step 3: log K + G is a multiple of I", `math.Exp(s.Values[0] - d)`, `math.Exp(d - s.Values[0])`}, // exp(G)
	{"Algorithm 1 in plain code is the library's, last f", `gradient, eta*rho, w, eta) // (8)`,
		`gradient, eta, w, eta) // (8)`}, // no ρ
	{"Algorithm 1 in plain code is the library's, last f", `gradient, eta*rho, w, eta) // (8)`,
		`gradient, eta*rho, w, 2*eta) // (8)`},
	{"Algorithm 1 in plain code is the library's, last f", `2*math.Log(n)/t)/l`, `2*math.Log(n)/float64(steps))/l`},
	{"as printed it ends above", `AsPrinted: true`, `AsPrinted: false`},
	{"(10) in plain code is the library's", `math.Pow(floats.Sum(gamma), 2)/2`, `math.Pow(floats.Sum(gamma), 2)`},
	{"(10) in plain code is the library's", `for range 15`, `for range 1`}, // stopped early
	{"(10): the maximum of a search over γ₁", `{g, 1 - g}`, `{g, 1}`},
	{"(10): its place is √q₁/Σ√q", `{g, 1 - g}`, `{1 - g, g}`},
	{"(10) in plain code is the library's", `math.Sqrt(mat.Inner(v, k, v)) // √q_i`, `mat.Inner(v, k, v)`}, // γ_i = q_i
	{"(12) with ρ, along a direction, against differences", `form+part, difference`,
		`form+part/0.25, difference`}, // as printed
	{"(12) with ρ, along a direction, against differences", `/ (2 * gamma[i])`, `/ (2 / gamma[i])`},
	{"(12) as printed is another number",
		`form+part/0.25-difference`, `form+part-difference`}, // as read
	{" in plain code is the library's, last F", `w, eta/gamma[i])`, `w, eta*gamma[i])`},
	{" in plain code is the library's, last F", `q/2/gamma[i]`, `q/2*gamma[i]`},
	{" in plain code is the library's, last F", `(rho*(mu[i][j]-`, `(1*(mu[i][j]-`}, // as printed
	{" as printed ends at more than three times the excess", `AsPrinted: true`, `AsPrinted: false`},
	{"EMKL by ADMM: F by its definition", `value, emkl.Upper, 2e-4`, `value, 1.0008*emkl.Upper, 2e-4`},
	{"EMKL by ADMM: F by its definition", `value += 3 * distance`, `value += distance`},
	{certifiedESKL, `mkl.ADMM{}))`, `mkl.MirrorDescent{}))`},
	{certifiedESKL, `mkl.MirrorDescent{}, mkl.SPG`, `mkl.SPG{Force: true}, mkl.SPG`},
	{": mean margin y·f on the first split of sonar, computed again", `"sonar", 1, 1)`, `"sonar", 2, 1)`}, // another draw
	{": mean margin y·f on the first split of sonar, computed again", `kept[0].Splits[0][i]`,
		`kept[0].Splits[0][[]int{0, 1, 2, 3, 6, 5, 4}[i]]`}, // L2 and L3 exchanged
	{": mean margin y·f on the first split of sonar, computed again", `kept[0].Splits[0][i]`,
		`kept[0].Splits[0][[]int{0, 2, 1, 3, 4, 5, 6}[i]]`}, // flip and shift exchanged
	{"the least size of which all printed accuracies are multiples", `"scop40"))`, `"single"))`},
	{"γ is the share of √q", `q(1)/(`, `q(0)/(`},
	{": excess after ten steps, on paper", `Horizon: 100}`, `Horizon: 400}`}, // half as long
	{": excess after ten steps, on paper", `8*c-32*c*c`, `8*c-30*c*c`},
	{": the bound holds after 100 steps, not after one", `Iterations: 100}`, `Iterations: 1}`}, // stopped early
	{": excess after ten steps, on paper", `Horizon: 100}`, `Horizon: 1}`},
	{"ESKL as printed: the bound does not hold", `, AsPrinted: true`, ``},
	{"T = 10,000: bound of decreasing steps over the printed bound", `(1 + squares)`, `squares`},
	{"‖∂Ω/∂K₂‖ for ε = %g", `omega.Block[1] / 2 *`, `omega.Block[1] *`},
	{"‖∂Ω/∂K₂‖ for ε = %g", `omega.Block[1]`, `omega.Block[0]`},
	{"(10) of three equal matrices is ω(9K)", `nine.ScaleSym(9, k)`, `nine.ScaleSym(3, k)`},
}

// Names of checks with several mutations.
const (
	predictESKL   = "denoise: f of the first new point less f of the second"
	threeESKL     = "(3), how far from f′(K*) ⪰ 0 and f′(K*)K* = 0"
	certifiedESKL = "EMKL is certified at 1 % by ADMM, not by mirror descent, and REKL's minimum is not below its bound"
)
