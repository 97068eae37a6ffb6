package notebooks

// mutationsESKL contains the mutations of 04_similarities.
var mutationsESKL = []mutation{
	{"verdict, mean: ", `eskls, repairs[:1], 1.6`, `eskls[1:2], repairs[:1], 1.6`},                // L1 for ESKL
	{"verdict, mean: ", `[]int{eskl.MeanDenoise}, 1.1`, `[]int{eskl.SimpleMKL}, 1.1`},             // another baseline
	{"verdict, half of the interval: ", `(d.Hi-d.Lo)/2`, `(d.Hi-d.Lo)/4`},                         // half as long
	{"verdict, not decided: ", `ours == "not decided"`, `ours == "clear"`},                        // the other claim
	{"verdict, printed: ", `1.1, 1.35, 4.3`, `1.1, 1.35, 3.4`},                                    // mistyped
	{"verdict, printed is excluded: ", `eskl.Judge(d, v.printed)`, `eskl.Judge(d, v.printed/10)`}, // a gain inside
	{"verdict: denoise is the best of the three repairs", `.Splits[0][k].Accuracy`, `.Splits[0][k^1].Accuracy`},
	{"nearest kernel, eigenvalue on paper: ", `0.5/math.Sqrt(t), gradient)`, `-0.5/math.Sqrt(t), gradient)`},
	{"denoise: distance² is the sum of the negative λ²", `min(l, 0)`, `l`},
	{"negative mass: half of 1 − tr S/Σ|λ|", `Repair(similarity.Flip)`, `Repair(similarity.Shift)`},
	{"denoise: f of the first new point less f of the second",
		`Repair(similarity.Denoise)`, `Repair(similarity.Flip)`},
	{"ESKL: right predictions, by a count", `v*y[i] > 0`, `v*y[i] < 0`},
	{"(3), how far from f′(K*) ⪰ 0 and f′(K*)K* = 0", `wSmall, weight) // (3)`, `wSmall, 2*weight) // (3)`},
	{"plain ascent: its last φ is the library's min F", `phi[39], r.F, 1e-3`, `phi[2], r.F, 1e-3`}, // stopped early
	{"plain ascent: its least F too", `omega+rho*norm*norm`, `omega+rho*norm`},
	{"F by its definition", `0.1*norm*norm`, `0.2*norm*norm`},
	{"F is the minimum: φ at the same α, by its definition", `IndSVMDual(few, r.W, 0.1), r.F`,
		`IndSVMDual(few, r.W, 0.1), 1.0008*r.F`},
	{"(8) with %v, along a direction, against differences", `form := -floats`, `form := floats`},
	{"f in K: largest excess over a chord at its midpoint, of 200", `value + 0.25*norm`, `value - 2*norm*norm`},
	{"f in a factor of K: the test finds a chord below", `k.Mul(a, a)`, `k.Scale(1, a)`},
	{"L2: F by its definition", `value+3*norm`, `value+norm`},
	{"L2: the bound at the solution is the minimum", `low, least.F`, `1.0008*low, least.F`},
	{"L2: Z is on the edge of its ball", `z.ScaleSym(3, z)`, `z.ScaleSym(3.1, z)`},
	{"L2: the bound by means along mirror descent, a few per cent below", `half*3, gradient`, `2*half*3, gradient`},
	{"mean within classes less mean between them, by a count: ", `sums[yj == yk] +=`, `sums[yj == yk] +=2*`},
	{"n times K − S within classes less between them: ", `contrasts[i]*size, 11`, `-contrasts[i]*size, 11`},
	{"(10) in plain code is the library's", `math.Pow(floats.Sum(gamma), 2)/2`, `math.Pow(floats.Sum(gamma), 2)`},
	{"(10): the maximum of a search over γ₁", `{g, 1 - g}`, `{g, 1}`},
	{"(10): its place is √q₁/Σ√q", `{g, 1 - g}`, `{1 - g, g}`},
	{"(12) with ρ, along a direction, against differences", `form+part, difference`, `form+part/0.25, difference`},
	{"(12) as printed is another number", `form+part/0.25-difference`, `form+part-difference`}, // as read
	{"step 3: log K + G is a multiple of I", `math.Log(l)`, `l`},
	{" in plain code is the library's, last F", `gradient, eta*rho, w`, `gradient, eta, w`}, // no ρ, as printed
	{" in plain code is the library's, last F", `eta/gamma[i]) // η`, `eta) // η`},          // no γ
	{" as printed ends at more than three times the excess", `floats.Min(printed[i])`, `floats.Min(runs[i])`},
	{": the step of the proof comes within 30 %", `excess < 0.3`, `excess < 0.001`},
	{": min F by its definition", `near+3*distance`, `near+distance`},
	{": min F from below", `zs, w, gamma), minima[i].F`, `zs, w, gamma), 1.0008*minima[i].F`},
	{"ADMM in plain code: its last F is the library's", `l1[59], certified.F`, `l1[0], certified.F`}, // stopped early
	{"L1: F by its definition", `0.01 * math.Abs(v`, `0.02 * math.Abs(v`},
	{"σU: largest entry is ρ", `mat.Max(dual), 0.01`, `mat.Max(dual), 0.02`},
	{"L1: the bound by σU is the minimum",
		`[]float64{1}), certified.F, 1e-2`, `[]float64{1}), 1.03*certified.F, 1e-2`},
	{"EMKL by ADMM: F by its definition", `value, emkl.Upper, 2e-4`, `value, 1.0008*emkl.Upper, 2e-4`},
	{" is certified at 1 % by SPG and ADMM, not by mirror descent",
		`race[i][2].RelativeGap() <=`, `race[i][0].RelativeGap() <=`},
	{"REKL's minimum is not below the bound of EMKL", `race[1][2].Upper >=`, `race[1][2].Upper/2 >=`},
	{"learned kernels: five sets, ten draws, four methods", `5*10*4`, `5*10*3`},
	{"sonar, F₁ of L1 in the table", `2+eskl.L1`, `1+eskl.L1`},
	{"largest certified gap, by a search", `max(largest, score.Gap)`, `score.Gap`}, // the last one
	{"all kernels are certified to 1 %", `gap, 0.005, 0.005`, `3*gap, 0.005, 0.005`},
	{": mean margin y·f on the first split of sonar, computed again",
		`s.Margin, kept[0].Splits[0][i]`, `s.Margin, kept[1].Splits[0][i]`},
	{"ESKL by (4) with L1, L2 and L3: mean margin less the stored one, worst of 3",
		`eskl.L1: reg.OneNorm`, `eskl.L1: reg.SquaredNorm`},
	{"denoise: F₁ of the class +1 by its definition", `case y[i] > 0`, `case y[i] < 0`},
	{"p of Wilcoxon for five gains: two of the 2⁵ choices of signs", `p := eskl.Overall(kept, eskl.Accuracy, eskls`,
		`p := eskl.Overall(kept, eskl.Accuracy, []int{eskl.L1}`},
	{"ESKL less repair, five sets: lower end of the interval by its formula", `0.2/0.8`, `0.2`},
	{"ESKL less repair, five sets: upper end", `2*stat.Mean(mean`, `stat.Mean(mean`},
	{"ESKL less repair, liver: lower end of the interval by its formula",
		`liver[s.Seed-1] = d`, `liver[s.Seed-1] = d / 5`},
	{"Table 1: L2 less L1 on liver, as drawn", `Series[1].Y[1]`, `Series[0].Y[1]`},
	{"Table 1: F₁ of flip less denoise on sonar", `eskl.F, eskl.Flip`, `eskl.Accuracy, eskl.Flip`},
	{"the printed tables agree with section 4.2: L2 best on liver, L1 and L2 " +
		"above L3 on diabetes and heart, L3 best on Aural Sonar",
		`eskl.Accuracy, a, b) }`, `eskl.Accuracy, b, a) }`},
	{"distances: one of twelve differences is clear", `ours == "clear"`, `ours != "clear"`},
	{"γ is the share of √q: ", `q(i)/(`, `q(0)/(`},
	{"SimpleMKL: the mean of wᵀKw by its weights is the largest one", `simple.Theta[i]*form`, `form/3`}, // uniform
	{"similarities of a sequence to three others, on paper: worst of 7",
		`(51 - 15)`, `(51 - 14)`}, // a cheaper gap
	{"160 proteins: learned kernels of eight families, ten draws, four methods", `8*10*4`, `8*10*3`},
	{"40 proteins: learned kernels of eight families, 15 splits, six methods", `8*15*6`, `8*15*5`},
	{"all kernels of proteins are certified to 1 %", `max(gap160, gap40)`, `2*max(gap160, gap40)`},
	{"the least size of which all printed accuracies are multiples", `"scop40")))`, `"single")))`},
	{"a.4.1, accuracy of denoise in the table", `Rows[0][2+eskl.MeanDenoise]`, `Rows[1][2+eskl.MeanIndSVM]`},
	{"a.4.1, accuracy of denoise in the text", `s.DatasetName == "a.4.1"`, `s.DatasetName == "b.1.18"`},
	{"c.3.1, accuracy of the linear SVM in the text", `Rows[10][2+`, `Rows[8][2+`},
	{"denoise of the mean: f of the first new point less f of the second",
		`= []*mat.SymDense{bands3.Mean()}`, `= bands3.S[:1]`},
	{"160 proteins, REKL over three baselines: clear over one",
		`count(large, []int{eskl.REKLL2}`, `count(few40, []int{eskl.REKLL2}`},
	{"160 proteins: the clear one is IndSVM", `.Methods[of]`, `.Methods[m]`},
	{"160 proteins: REKL less the linear SVM", `[]int{eskl.MeanLinear})`, `[]int{eskl.MeanDenoise})`},
	{"160 proteins, REKL over three baselines: three printed gains are excluded",
		`printedOne == "excluded"`, `printedOne == "inside"`},
	{"40 proteins, EMKL over three baselines: none is clear",
		`count(few40, []int{eskl.EMKLL1}`, `count(few40, []int{eskl.ESKLL1}`},
	{"40 proteins, EMKL over three baselines: three printed gains are excluded",
		`_ = count(few40, []int{eskl.EMKLL1}`,
		`_ = count(few40, []int{eskl.MeanLinear}`},
	{"40 proteins, REKL over three baselines: none is clear",
		`_ = count(few40, []int{eskl.REKLL2}`, `_ = count(few40, []int{eskl.ESKLL1}`},
	{"40 proteins, REKL over three baselines: two printed gains are excluded", `_ = count(few40, []int{eskl.REKLL2}`,
		`_ = count(few40, []int{eskl.MeanDenoise}`},
	{"ESKL with L1 less denoise, proteins: ",
		`[]int{eskl.ESKLL1}, []int{eskl.MeanDenoise})`, `[]int{eskl.ESKLL1}, []int{eskl.MeanIndSVM})`},
	{"ESKL with L1 is clearly below denoise, proteins: ", `d.Hi < 0`, `d.Hi+40 < 0`},
	{": excess after ten steps, on paper", `Horizon: 100}`, `Horizon: 400}`},             // half as long
	{": the bound holds after 100 steps, not after one", `f(proof, 100)`, `f(proof, 1)`}, // stopped early
	{"ESKL as printed: the bound does not hold", `, AsPrinted: true`, ``},
	{"T = 10,000: bound of decreasing steps over the printed bound", `(1 + squares)`, `squares`},
	{"‖∂Ω/∂K₂‖ for ε = %g", `omega.BlockWeights[1] / 2 *`, `omega.BlockWeights[1] *`},
	{"(10) of three equal matrices is ω(9K)", `nine.ScaleSym(9, k)`, `nine.ScaleSym(3, k)`},
}
