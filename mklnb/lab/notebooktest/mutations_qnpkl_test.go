package notebooks

// mutationsQNPKL contains the mutations of 03_qn_pkl.
var mutationsQNPKL = []mutation{
	{"a split of these results computed again: accuracy after 8 steps", `was.Accuracy[0]`, `was.Accuracy[1]`}, // another split
	{"the lines and bands, from the 20 splits by the formula: largest difference", `float64(len(a.Accuracy))+3./7`,
		`float64(len(a.Accuracy))`}, // without Nadeau and Bengio's term
	{": f of the held-out points, from the fitted model: largest difference", `qnpkl.Products(), p, r)`,
		`qnpkl.Products(), p, learned)`},
	{": held-out points, 30 % of all", `d.Slice(split.Test)`, `d.Slice(split.Train)`},
	{": share of points right, by the fitted model", `float64(right)/`, `float64(len(f)-right)/`},
	{"(a) J of the library", `return 1 / (1 - e), `, `return 1 / (1 + e), `},
	{"(a) its derivative", `-p[0], 1e-8`, `p[0], 1e-8`},
	{"(4) J: the library, and plain ascent", `pt.F(), j, 1e-7*j`, `pt.F(), j/2, 1e-7*j`},
	{"(6) −p by the formula, and by differences", `form := qnpkl`, `form := -qnpkl`}, // p itself
	{"(6) ∇J of the library", `pt.Grad()[m], slope`, `-pt.Grad()[m], slope`},
	{"(9) k = 1, l = 2, α fixed", `h01, h00 := -qnpkl`, `h01, h00 := qnpkl`},
	{"(d) J″ is λ″ plus a positive term through α", `ofJ, h00+`, `-ofJ, h00+`}, // J″ of the other sign
	{"(e), (f): J at t = 0 and for t → ∞", `f[0]-30`, `f[0]-15`},               // C·min for 2C·min
	{"not convex: J is above a chord and increases; control: the sum's J is below all chords", `f[2] > f[1]+1`, `f[1] > f[2]+1`},
	{"J at t = 1, by plain ascent", `y, 1), 1))[0], plain`, `y, 1), 0.5))[0], plain`},
	{"(11) tr C", `mat.Trace(&c), 0, 0`, `mat.Trace(qnpkl.Projected(&c)), 0, 0`}, // for the A that there are
	{"(g) tr PCP, by its eigenvalues", `mat.Sum(m)/(2*float64(n))`, `mat.Sum(m)/float64(n)`},
	{"PCP is indefinite: the claim about λ holds", `e[0] < 0 &&`, `e[0] >= 0 &&`},                    // (10)
	{"the second step ascends as printed", `qnpkl.Minus(q, p)) // (7)`, `qnpkl.Minus(p, q)) // (7)`}, // as read
	{"and descends corrected", `r > o-1e-4*floats.Dot`, `r < o-1e-4*floats.Dot`},
	{"as printed: where it ends, plain code and library", `{0.1, 0.1}, 1e-3`, `{0.1, 0.1}, 0.1`}, // stopped early
	{"corrected: after six steps, plain code and library", `qnpkl.Minus(p, q), b1) // Δ∇J`, `qnpkl.Minus(q, p), b1) // Δ∇J`},
	{"corrected, J decreases at every step", `IsDecreasing(runs[1])`, `IsDecreasing(runs[0])`},
	{"as printed: steps that the run takes", `{AsPrinted: true}, mkl.Q`, `{}, mkl.Q`}, // the sign corrected
	{"entries of Table 1 that differ from the 40 splits by the formula", `2.022691`, `1.96`},
	{"gains over the SVM in the paper", `gains.Sheet.Rows[0]`, `gains.Sheet.Rows[1]`},
	{"four splits of sonar computed again, five rows: largest difference", `was.Accuracy[0]`, `was.Accuracy[1]`},
	{"Wilcoxon p on paper, above: ", `math.Pow(2, 7)`, `math.Pow(2, 6)`},
	{"more accurate on each set than ", `floats.Max(chart`, `-floats.Min(chart`},
	{"means over sets from the picture, and its intervals by the formula: largest difference", `Y[i:], nil`,
		`Y[1-i:], nil`},
	{"± by added variances, and split by split", `math.Sqrt(variance) / 7`, `math.Sqrt(variance / 7)`},
	{"of three printed ratios, those between 5 and 10", `v > 5 &&`, `v > 1 &&`},
	{"median of the ratios over the ratio of the total times, less 1: largest", `Abs(chart.Series[i].Y[k]*`,
		`Abs(1/chart.Series[i].Y[k]*`},
	{"corrected: features without use have the weight 0, and J increases with it", `all := qnpkl.CountUsed(qn.Theta)`,
		`all := floats.Count(func(v float64) bool { return v > 1e-3*floats.Sum(qn.Theta) }, qn.Theta)`},
	{"one Gaussian as a sum and as a product: J", `one[0] = 0.5`, `one[0] = 1.0`},
	{"sum of the weights drawn, ", `floats.Sum(line.Y)`, `floats.Sum(line.X)`},
	{"entries of Table 2 that differ from the 40 splits", `", C = 0.1", ", C = 1",`, `", C = 1", ", C = 0.1",`},
	{"QN-PKL over MKL as printed", `printed[4*i+k]-printed[4*i]`, `printed[4*i+k]-printed[4*i+1]`},
	{"the corrected run has ended: its J, and where L-BFGS ends", `mkl.QuasiNewton{}, &mkl.Settings{Gap: 1e-3, Iterations: 200`,
		`mkl.QuasiNewton{}, &mkl.Settings{Gap: 1e-3, Iterations: 12`},
	{"corrected fewer features than MKL, as printed all", `few < some`, `some < few`},
	{"a split of Table 2 computed again, R of pima at C = 1, ", `was.Ratio[0]`, `100-was.Ratio[0]`},
	{": (h) starts below 0 at C = 1 and 10 alone, and learning increases it there", `== (c >= 1)`,
		`== (c >= 10)`},
	{": (h) is at most 0.5 to 4 standard errors from the mean over 200 features of noise", `math.Abs(form-mean)`, `math.Abs(1.5*form-mean)`},
	{": (h) is at most 0.5 to 4 standard errors from the mean over 200 features of noise", `/se)`, `/(14*se))`}, // no √200
	{"corrected on sonar: 40 steps, and the end of L-BFGS", `last(q, mkl.LBFGS{}, 100)`, `last(q, mkl.LBFGS{}, 2)`},
	{"erratum 5: the end depends on b₁", `end(1e-4), end(1e-2)`, `end(1e-4), end(1.1e-4)`},
	{"erratum 2: K is not positive semidefinite", `{-0.1, 0.4}`, `{0.1, 0.4}`},
	{"erratum 4: Δp of a constant feature", `append(x[i], 5)`, `append(x[i], float64(i))`},
}
