package notebooks

// mutationsESKL contains the mutations of 04_similarities.
var mutationsESKL = []mutation{
	{"largest eigenvalue of the nearest kernel", `0.5/math.Sqrt(t), gradient)`, `-0.5/math.Sqrt(t), gradient)`},
	{"denoise: distance² is the sum of the negative λ²", `min(l, 0)`, `l`},
	{"negative mass: half of 1 − tr S/Σ|λ|", `similarity.Flip)).K // its`, `similarity.Shift)).K // its`},
	{"denoise: f of the first new point less f of the second", `Repair(similarity.Denoise)`, `Repair(similarity.Flip)`},
	{"(3), how far from f′(K*) ⪰ 0 and f′(K*)K* = 0", `w, rho) // (3)`, `w, 2*rho) // (3)`},
	{"plain ascent: its last φ is the library's min F", `1, 0.1, 40)`, `1, 0.1, 3)`}, // stopped early
	{"plain ascent: its least F too", `omega+rho*norm*norm`, `omega+rho*norm`},
	{"F by its definition", `0.1*norm*norm`, `0.2*norm*norm`},
	{"(8) with %v, along a direction, against differences", `form := -floats`, `form := floats`},
	{"f in K: largest excess over a chord at its midpoint, of 200", `value + 0.25*norm`, `value - 2*norm*norm`},
	{"f in a factor of K: the test finds a chord below", `k.Mul(a, a)`, `k.Scale(1, a)`},
	{"L2: the bound is below the minimum, within 8 %", `half*rho, gradient`, `2*half*rho, gradient`}, // Z outside its ball
	{"mean within classes less mean between them, by a count", `2 * mat.Inner(y`, `mat.Inner(y`},
	{"n times K − S within classes less between them", `s, difference, r := learned(d)`,
		"s, difference, r := learned(d)\ndifference.ScaleSym(-1, difference)"},
	{"step 3: log K + G is a multiple of I", `math.Log(l)`, `l`},
	{"Algorithm 1 in plain code is the library's, last f", `gradient, eta*rho, w, eta) // (8)`,
		`gradient, eta, w, eta) // (8)`}, // no ρ
	{"last point of the first line", `-least)/least`, `-least)`},
	{"as printed it ends above", `AsPrinted: true`, `AsPrinted: false`},
	{"(10) in plain code is the library's", `math.Pow(floats.Sum(gamma), 2)/2`, `math.Pow(floats.Sum(gamma), 2)`},
	{"(10): the maximum of a search over γ₁", `{g, 1 - g}`, `{g, 1}`},
	{"(10): its place is √q₁/Σ√q", `{g, 1 - g}`, `{1 - g, g}`},
	{"(12) with ρ, along a direction, against differences", `form+part, difference`,
		`form+part/0.25, difference`}, // as printed
	{"(12) as printed is another number",
		`form+part/0.25-difference`, `form+part-difference`}, // as read
	{" in plain code is the library's, last F", `(rho*(mu[i][j]-`, `(1*(mu[i][j]-`}, // as printed
	{" as printed ends at more than three times the excess", `AsPrinted: true`, `AsPrinted: false`},
	{"EMKL by ADMM: F by its definition", `value, emkl.Upper, 2e-4`, `value, 1.0008*emkl.Upper, 2e-4`},
	{"EMKL is certified at 1 % by ADMM, not by mirror descent, and REKL's minimum is not below its bound", `	mkl.ADMM{}}`, `	mkl.MirrorDescent{}}`},
	{": mean margin y·f on the first split of sonar, computed again", `"sonar", 1, 1)`, `"sonar", 2, 1)`}, // another draw
	{"sonar, F₁ of L1 in the table", `2+eskl.L1`, `1+eskl.L1`},
	{"p of Wilcoxon for five gains: two of the 2⁵ choices of signs", `p := eskl.Overall(kept, eskl.Accuracy, eskls`,
		`p := eskl.Overall(kept, eskl.Accuracy, []int{eskl.L1}`},
	{"Table 1: L2 less L1 on liver, as drawn", `A: []int{eskl.L2}, B: []int{eskl.L1}`, `A: []int{eskl.L1}, B: []int{eskl.L2}`},
	{"Table 1: F₁ of flip less denoise on sonar", `eskl.F, eskl.Flip`, `eskl.Accuracy, eskl.Flip`},
	{"denoise of the mean: f of the first new point less f of the second", `= []*mat.SymDense{s.Mean()}`, `= s.S[:1]`},
	{"learned kernels: five sets, ten draws, four methods", `5*10*4`, `5*10*3`},
	{"largest certified gap, by a search", `max(largest, score.Gap)`, `score.Gap`}, // the last one
	{"ESKL by (4) with L1, L2 and L3: mean margin less the stored one, worst of 3", `eskl.L1: reg.OneNorm`, `eskl.L1: reg.SquaredNorm`},
	{"denoise: F₁ of the class +1 by its definition", `case y[i] > 0`, `case y[i] < 0`},
	{"ESKL less repair, five sets: lower end of the interval by its formula", `0.2/0.8`, `0.2`},
	{"ESKL less repair, liver: lower end of the interval by its formula", `liver[s.Seed-1] = d`, `liver[s.Seed-1] = d / 5`},
	{"the printed tables agree with section 4.2: L2 best on liver, L1 and L2 above L3 on diabetes and heart, ",
		`eskl.Accuracy, a, b) }`, `eskl.Accuracy, b, a) }`},
	{"the least size of which all printed accuracies are multiples", `"scop40"))`, `"single"))`},
	{"γ is the share of √q", `q(1)/(`, `q(0)/(`},
	{"similarities of a sequence to three others, on paper: worst of 7", `(51 - 15)`, `(51 - 14)`}, // a cheaper gap
	{": excess after ten steps, on paper", `Horizon: 100}`, `Horizon: 400}`},                       // half as long
	{": the bound holds after 100 steps, not after one", `Iterations: 100}`, `Iterations: 1}`},     // stopped early
	{"ESKL as printed: the bound does not hold", `, AsPrinted: true`, ``},
	{"T = 10,000: bound of decreasing steps over the printed bound", `(1 + squares)`, `squares`},
	{"‖∂Ω/∂K₂‖ for ε = %g", `omega.BlockWeights[1] / 2 *`, `omega.BlockWeights[1] *`},
	{"(10) of three equal matrices is ω(9K)", `nine.ScaleSym(9, k)`, `nine.ScaleSym(3, k)`},
}
