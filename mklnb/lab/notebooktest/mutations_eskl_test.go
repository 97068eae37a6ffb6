package notebooks

// mutationsESKL contains the mutations of 04_similarities.
var mutationsESKL = []mutation{
	{"verdict, difference %d: %s", `{A: eskls, B: repairs[:1]}`, `{A: eskls[1:2], B: repairs[:1]}`},         // L1 for ESKL
	{"verdict, difference %d: %s", `pair(eskl.REKLL2, eskl.SimpleMKL`, `pair(eskl.REKLL2, eskl.MeanIndSVM`}, // another baseline
	{"verdict, difference %d: %s", `scop, eskl.F, pair(`, `scop, eskl.Accuracy, pair(`},
	{"verdict, difference %d: %s", `clear; –, –`, `not decided; –, –`},
	{"mean F₁ of denoise, ours and printed", `scop, set, eskl.F, b)`, `scop, set, eskl.F, eskl.MeanIndSVM)`},
	{"printed, scaled to our errors: REKL less ", `* (100 - level) / (100 - printedLevel)`, ``}, // in points
	{"scaled to our errors, only +4.9 is outside: ", `eskl.Judge(d, scaled)`,
		`eskl.Judge(d, eskl.PrintedDifference(eskl.Sets("scop160"), eskl.F, rekl[0], b))`}, // in points
	{"first picture: largest distance of a gain, an end of an interval or a printed gain from what is drawn", `[]string{"single", "scop160"}, [][]`,
		`[]string{"aural", "scop160"}, [][]`},
	{"printed gains of the picture outside our intervals, of 6", `place == "outside" {
			outside++`, `place == "inside" {
			outside++`},
	{"first picture: its title", `clear; four of the`, `clear; three of the`},
	{"section 9: denoise has the best mean accuracy of the three repairs", `.Splits[0][k].Accuracy`, `.Splits[0][k^1].Accuracy`},
	{"nearest kernel, eigenvalue on paper: ", `0.5/math.Sqrt(t), gradient)`, `-0.5/math.Sqrt(t), gradient)`},
	{"denoise: distance² is the sum of the negative λ²", `min(l, 0)`, `l`},
	{"negative mass: half of 1 − tr S/Σ|λ|", `Repair(similarity.Flip)`, `Repair(similarity.Shift)`},
	{"without noise: mean of ‖x−z‖²/d, 2 for standardized features", `logs -= math.Log(clean`, `logs -= math.Log(echoes.S[0]`},
	{"mean square of the noise: 0.1²/2, on the diagonal 0.1²", `each, 0.1, 1)`, `each, 0.12, 1)`},
	{"denoise: f of the first new point less f of the second",
		`Repair(similarity.Denoise)`, `Repair(similarity.Flip)`},
	{"ESKL: right predictions, by a count", `v*y[i] > 0`, `v*y[i] > -1e9`},
	{"ESKL with other labels of the new points: largest change of f", `range split.Test {`, `range split.Train[:1] {`},
	{"(3), how far from f′(K*) ⪰ 0 and f′(K*)K* = 0", `wSmall, weight) // (3)`, `wSmall, 2*weight) // (3)`},
	{"plain ascent: its last φ is the library's min F", `phi[39], r.F, 1e-3`, `phi[2], r.F, 1e-3`}, // stopped early
	{"plain ascent: its least F too", `omega+rho*norm*norm`, `omega+rho*norm`},
	{"F by its definition", `0.1*norm*norm`, `0.2*norm*norm`},
	{"F is the minimum: φ at the same α, by its definition", `IndSVMDual(few, r.W, 0.1)`,
		`IndSVMDual(few, floats.ScaleTo(make([]float64, few.N()), 0.9, r.W), 0.1)`},
	{"φ rises at every step, F does not fall at every step", `f[i+1] > f[i] {`, `f[i+1] > 10*f[i] {`},
	{"(8) with %v, along a direction, against differences", `form := -floats`, `form := floats`},
	{"f in K: largest excess over a chord at its midpoint, of 200", `value + 0.25*norm`, `value - 2*norm*norm`},
	{"f in a factor of K: the test finds a chord below", `k.Mul(a, a)`, `k.Scale(1, a)`},
	{"L2: F by its definition", `value+3*norm`, `value+norm`},
	{"L2: the bound at the solution is the minimum", `z.ScaleSym(3, z)`, `z.ScaleSym(3.1, z)`},
	{"L2: Z is on the edge of its ball", `mat.Norm(z, 2), 3`, `mat.Norm(z, 1), 3`},
	{"L2: the bound by means along mirror descent, a few per cent below", `half*3, gradient`, `2*half*3, gradient`},
	{"mean within classes less mean between them, by a count: ", `sums[yj == yk] +=`, `sums[yj == yk] +=2*`},
	{"K − S is positive within classes and negative between them: ", `sums[true] > 0`, `sums[true] < 0`},
	{"(10) in plain code is the library's", `math.Pow(floats.Sum(gamma), 2)/2`, `math.Pow(floats.Sum(gamma), 2)`},
	{"(10): the maximum of a search over γ₁", `{g, 1 - g}`, `{g, 1}`},
	{"(10): its place is √q₁/Σ√q", `{g, 1 - g}`, `{1 - g, g}`},
	{"(12) with ρ, along a direction, against differences", `form+part, difference`, `form+part/0.25, difference`},
	{"(12) as printed is another number", `form+part/0.25-difference`, `form+part-difference`}, // as read
	{"step 3: log K + G is a multiple of I", `math.Log(l)`, `l`},
	{" in plain code is the library's, last F", `gradient, eta*rho, w`, `gradient, eta, w`}, // no ρ, as printed
	{" as printed ends at more than three times the excess", `floats.Min(printed[i])`, `floats.Min(runs[i])`},
	{" as printed, three steps in plain code: F", `float64((t+1)*len(ks))`, `float64(t+1)`},           // without √m
	{" as printed, three steps in plain code: F", `old.Values[j]*math`, `old.Values[s.N()-1-j]*math`}, // descending
	{"the constants L of ESKL, EMKL and REKL: ½nC² + ρm", `eskl.Lipschitz(s, reg.TwoNorm, 1, 3)`,
		`eskl.Lipschitz(s, reg.TwoNorm, 1, 1)`},
	{": the step of the proof comes within 30 %", `excess < 0.3`, `excess < 0.001`},
	{": min F by its definition", `near+3*distance`, `near+distance`},
	{": min F from below", `z.ScaleSym(3, z)`, `z.ScaleSym(3.1, z)`},
	{": min F from below", `i == 2 { // only`, `i == 3 { // only`},                                   // the bound of EMKL for REKL
	{"ADMM in plain code: its last F is the library's", `l1[59], certified.F`, `l1[0], certified.F`}, // stopped early
	{"L1: F by its definition", `0.01 * math.Abs(v`, `0.02 * math.Abs(v`},
	{"σU: largest entry is ρ", `sigma, u)`, `2*sigma, u)`},
	{"L1: the bound by σU is the minimum", `[]*mat.SymDense{dual}`, `[]*mat.SymDense{eskl.Add(dual, 1, dual)}`},
	{"EMKL by ADMM: F by its definition", `value += 3 * distance`, `value += 2.9 * distance`},
	{"cells of the table with the solver and the gap of their run", `raced.Sheet.Rows[i]`, `raced.Sheet.Rows[1-i]`},
	{" is certified at 1 % by SPG and ADMM, not by mirror descent",
		`race[i][2].RelativeGap() <=`, `race[i][0].RelativeGap() <=`},
	{"mirror descent: F is less than a quarter above the minimum, the bound below half", `race[i][0].F/race[i][2].Lower`,
		`race[i][0].F/race[i][0].Lower`}, // its own bound
	{"REKL's minimum is not below the bound of EMKL", `race[1][2].Upper >=`, `race[1][0].Lower >=`},
	{"learned kernels: five sets, ten draws, four methods", `eskl.WorstGap(kept)`, `eskl.WorstGap(kept[1:])`},
	{"all kernels are certified to 1 %", `gap, 0.005, 0.005`, `3*gap, 0.005, 0.005`},
	{"printed numbers: sum of number times place, ", `eskl.PrintedSum(name)`, `eskl.PrintedSum("single")`},
	{"stored scores that no counts of points give, or with another method, C or ρ", `{
	impossible +=`, `{
	impossible += 1 +`},
	{"one similarity: cells of the table that agree, of 84", `append(kept, eskl.Stored("aural")...)), 84`,
		`append(kept, eskl.Stored("aural")[1:]...)), 84`},
	{"seven methods by their problems: mean margin less the stored one, worst of 7",
		`eskl.L1: reg.OneNorm`, `eskl.L1: reg.SquaredNorm`},
	{"seven methods by their problems: mean margin less the stored one, worst of 7",
		`similarity.Flip, similarity.Shift}[m]`, `similarity.Shift, similarity.Flip}[m]`},
	{"the fold's accuracy, C and ρ, by a search: worst of 6 methods", `n > best {`, `n >= best {`}, // ties to the largest
	{"choices of ρ at an end of the grid: ", `rho == grid[4]`, `rho == grid[3]`},
	{"pima: the least size of which all printed accuracies are multiples", `[]string{"pima"}`, `[]string{"sonar"}`},
	{": mean margin y·f on the first split of sonar, computed again",
		`s.Margin, kept[0].Splits[0][i]`, `s.Margin, kept[1].Splits[0][i]`},
	{"denoise: F₁ of the class +1 by its definition", `else if y[i] > 0`, `else if y[i] < 0`},
	{"p of Wilcoxon for five gains: two of the 2⁵ choices of signs", `p := eskl.Overall(kept, eskl.Accuracy, eskls`,
		`p := eskl.Overall(kept, eskl.Accuracy, []int{eskl.L1}`},
	{"five sets: rows that agree with the formulas, of 14", `2.262157, kept`, `1.96, kept`}, // the normal quantile
	{"five sets: rows that agree with the formulas, of 14", `kept, eskl.Accuracy, pairs...)
fiveSets`, `kept, eskl.F, pairs...)
fiveSets`},
	{"five sets, the table in short: ", `B: []int{repair}})`, `B: []int{repairs[0] + 0*repair}})`},
	{"five sets: the clear rows of the title", `is clear, L2 over shift; L1 is clearly below L2 and L3",
	"Accuracy`, `is clear, L2 over flip; L1 is clearly below L2 and L3",
	"Accuracy`},
	{"gains if ties go to one distance: ", `PreferInTies(kept, distance)`, `PreferInTies(kept, min(distance, eskl.L1))`},
	{"the picture: on no set is the gain clear", `low > 0 ||`, `low > -3 ||`},
	{"one distance less denoise, set by set, the clear ones: ", `[]int{distance}, repairs[:1])`,
		`[]int{distance}, repairs[1:2])`}, // less flip
	{"draws in which distances tie on the fold", `+min(k-1, 1)`, `+k - 1`}, // three of them count twice
	{"draws in which repairs tie on the fold", `+min(l-1, 1)`, `+2*min(l-1, 1)`},
	{"the distances, set by set: largest distance from the 32 numbers of the table below",
		`{"aural-sonar", eskl.L3, eskl.L2, 3.0`, `{"aural-sonar", eskl.L1, eskl.L2, 3.0`},
	{"distances, set by set: largest distance from what is drawn", `figure.Series[2*j].Y[k]`, `figure.Series[2-2*j].Y[k]`},
	{"distances, set by set: one of twelve differences is clear, ", `is clear: L2 is above L1 on liver"`,
		`is clear: L1 is above L2 on liver"`},
	{"γ is the share of √q: ", `q(i)/(`, `q(0)/(`},
	{"γ: the largest is Needleman–Wunsch's, and less than twice the least; SimpleMKL uses it alone", `floats.Max(gammas) < 2*floats.Min(gammas)`,
		`floats.Max(simple.Theta) < 2*floats.Min(simple.Theta)`},
	{"SimpleMKL: the mean of wᵀKw by its weights is the largest one", `simple.Theta[i]*form`, `(1+0*simple.Theta[i])/3*form`}, // uniform
	{"the family is a block in the alignments, faintly in 3-mers", `> 1.5*within[2]`, `> 20*within[2]`},
	{"only Needleman–Wunsch is indefinite", `least[1] < -0.1 &&`, `least[0] < -0.1 &&`},
	{"only Needleman–Wunsch has entries below 0", `mat.Min(proteins.S[1]) < 0`, `mat.Min(proteins.S[0]) < 0`},
	{"negative mass of the mean similarity", `eskl.Spectrum(proteins.Mean())`, `eskl.Spectrum(proteins.S[1])`},
	{"similarities of a sequence to three others, on paper: worst of 7",
		`(51 - 15)`, `(51 - 14)`}, // a cheaper gap
	{"160 proteins: learned kernels of eight families, ten draws, four methods", `eskl.WorstGap(large)`,
		`eskl.WorstGap(large[1:])`},
	{"40 proteins: learned kernels of eight families, 15 splits, six methods", `eskl.WorstGap(few40)`,
		`eskl.WorstGap(few40[1:])`},
	{"160 proteins: kernels of ESKL with L2 and L3", `eskl.Stored("scop160-eskl"))`, `eskl.Stored("scop160-eskl")[1:])`},
	{"all kernels of proteins are certified to 1 %", `max(gap160, gap40, gapESKL)`, `2*max(gap160, gap40)`},
	{"the least size of which all printed accuracies are multiples", `"scop40")))`, `"single")))`},
	{"160 proteins: cells of the table that agree, of 112", `eskl.CountConfirmedLevels(levels, large)`,
		`eskl.CountConfirmedLevels(levels, large[8:])`},
	{"a.4.1, accuracy of denoise in the text", `Rows[0][2+eskl.MeanDenoise]`, `Rows[0][2+eskl.MeanIndSVM]`},
	{"c.3.1, accuracy of the linear SVM in the text", `Rows[10][2+`, `Rows[8][2+`},
	{"ten methods by their problems: largest difference of f on new points", `eskl.REKLProblem(bands3, split.Train, reg.TwoNorm`,
		`eskl.REKLProblem(bands3, split.Train, reg.SquaredNorm`},
	{"ten methods by their problems: largest difference of f on new points", `[]*mat.SymDense{bands3.Mean()}, []string{"mean"}`,
		`bands3.S[:1], []string{"mean"}`},
	{"160 proteins: families in the picture whose interval excludes 0",
		`mean", A: []int{eskl.REKLL2}, B: []int{eskl.MeanDenoise}`,
		`mean", A: []int{eskl.REKLL2}, B: []int{eskl.MeanLinear}`},
	{"160 proteins: mean of the picture", `mean", A: []int{eskl.REKLL2}, B: []int{eskl.MeanDenoise}`,
		`mean", A: []int{eskl.REKLL2}, B: []int{eskl.SimpleMKL}`},
	{"160 proteins: printed mean of the picture", `families.Series[1]`, `families.Series[0]`},
	{"160 proteins: rows that agree with the formulas, of 8", `at160, 2.262157`, `at160, 1.96`},
	{"one kernel: rows that agree with the formulas, of 7", `few160, eskl.F, rowsESKL...)
oneKernel`, `few160, eskl.Accuracy, rowsESKL...)
oneKernel`},
	{"40 proteins: rows that agree with the formulas, of 8", `few40, eskl.F, rows40...)
at40`, `few40, eskl.Accuracy, rows40...)
at40`},
	{"160 proteins, the table in short: ", `wider(eskl.REKLL2, b, "scop160-wide")`, `wider(eskl.REKLL2, b, "scop160")`},
	{"one kernel, the table in short: ", `ofMeans := less(eskl.MeanIndSVM`, `ofMeans := less(eskl.MeanLinear`},
	{"one kernel, the table in short: ", `{eskl.ESKLL2, eskl.ESKLL3} {`, `{eskl.ESKLL3, eskl.ESKLL2} {`},
	{"40 proteins, the table in short: ", `less(eskl.REKLL2, eskl.EMKLL1)`, `less(eskl.EMKLL1, eskl.REKLL2)`},
	{"p of REKL less denoise, three and five ρ", `at160.Sheet.Rows[2][6]`, `at160.Sheet.Rows[4][6]`},
	{"160 proteins, the counts over ten draws: ", `1e-9, 1e-9, 10}[k]`, `1e-9, 1e-9, 30}[k]`},
	{"160 proteins: the title of the table", `above linear and IndSVM;`, `above linear and SimpleMKL;`},
	{"160 proteins: both experiments have the same splits, F₁ of denoise", `large[i].Splits`, `large[i-i%8].Splits`},
	{"160 proteins: least negative mass of a mean, in per cent", `min(least, s`, `max(least, s`},
	{"160 proteins: largest negative mass of a mean, in per cent", `max(most, s.Splits[0][eskl.MeanDenoise]`,
		`max(most, s.Splits[0][eskl.ESKLL2]`},
	{"160 proteins, choices of an end of the grid: ", `eskl.REKLL2, 0.3)`, `eskl.REKLL2, 0.3, 3)`},
	{": excess after ten steps, on paper", `Horizon: 100}`, `Horizon: 400}`},             // half as long
	{": the bound holds after 100 steps, not after one", `f(proof, 100)`, `f(proof, 1)`}, // stopped early
	{"ESKL as printed: the bound does not hold", `, AsPrinted: true`, ``},
	{"T = 10,000: bound of decreasing steps over the printed bound", `(1 + squares)`, `squares`},
	{"‖∂Ω/∂K₂‖ for ε = %g", `omega.BlockWeights[1] / 2 *`, `omega.BlockWeights[1] *`},
	{"(10) of three equal matrices is ω(9K)", `nine.ScaleSym(9, k)`, `nine.ScaleSym(3, k)`},
	{"exercise 3: (10) of K and 4K is ω(9K)", `four.ScaleSym(4, k)`, `four.ScaleSym(2, k)`},
	{"exercise 3: γ of K is a third", `{k, &four}`, `{&four, k}`},
}
