package notebooks

// mutationsQNPKL contains the mutations of 03_qn_pkl.
var mutationsQNPKL = []mutation{
	// the picture and the verdict
	{"the dots and intervals, from the 40 splits by the formula, the paper's as printed: largest difference", `1/float64(n)+3./7`,
		`1/float64(n)`}, // without Nadeau and Bengio's term
	{"splits computed again, sonar and ionosphere by five methods in three scalings, sonar and pima by GMKL", `was.Accuracy[i]`,
		`was.Accuracy[1-i]`}, // another split
	{"within 0.5 points of QN-PKL's accuracies: six methods, three scalings", `"table1")), set, m).Mean()
			furthest`, `"table1")), set, qnpkl.OneWidth).Mean()
			furthest`},
	{"within 0.5 points of QN-PKL's accuracies: six methods, three scalings", `"ionosphere": 94.1, "pima": 76.4`,
		`"ionosphere": 76.4, "pima": 94.1`},
	{"draws whose accuracies are stored for two seeds", `s.Stored("table1")
	for i, a`, `s.Stored("table2")
	for i, a`},
	{"forms of QN-PKL clearly better than one width, of 36", `qnpkl.OneWidth).Lo > 0`, `qnpkl.OneWidth).Hi > 0`},
	{"to the end worse than one width, not clearly, of 9", `qnpkl.ToTheEnd, qnpkl.OneWidth)`,
		`qnpkl.ToTheEnd, qnpkl.UniformProduct)`},
	{"eight steps minus equal widths on sonar, in [0, 1]", `qnpkl.UnitInterval.Gain("sonar", qnpkl.EightSteps`,
		`qnpkl.SymmetricInterval.Gain("sonar", qnpkl.EightSteps`},
	{"this gain is not clear", `!unitGain`, `unitGain`},
	{"one width: splits with equal accuracies in [0, 1] and [−1, 1], of 120", `inUnit := qnpkl.Find(qnpkl.Pooled(qnpkl.UnitInterval`,
		`inUnit := qnpkl.Find(qnpkl.Pooled(qnpkl.Standardized`},
	{"sonar, [0, 1] minus standardized: clear for equal widths, not for learning to the end",
		`base, baseHalf := interval(qnpkl.Find(ofScaling, "sonar", qnpkl.UniformProduct)`,
		`base, baseHalf := interval(qnpkl.Find(ofScaling, "sonar", qnpkl.ToTheEnd)`},
	{"accuracies on sonar in the text: six methods, three scalings", `"sonar", m).Mean()`, `"ionosphere", m).Mean()`},
	{"to the end minus equal widths on sonar: −6.3 standardized, +3.3 in [0, 1]",
		`qnpkl.UnitInterval.Gain("sonar", qnpkl.ToTheEnd`, `qnpkl.SymmetricInterval.Gain("sonar", qnpkl.ToTheEnd`},
	{"to the end minus one width, mean over seven sets", `qnpkl.OneWidth, qnpkl.Sets7)`,
		`qnpkl.UniformProduct, qnpkl.Sets7)`},
	{"its interval", `overSeven.Hi+0.7`, `overSeven.Hi-0.7`},
	// narrow widths
	{": training error after 64 steps, percent", `Series[1].Y[7], 0, 0.1`, `Series[0].Y[7], 0, 0.1`},
	{"training error at the start in [0, 1], percent", `lines.Panels[1].Series[1].Y[0], 4`,
		`lines.Panels[0].Series[1].Y[0], 4`},
	{"and with the two other scalings", `lines.Panels[2].Series[1].Y[0], 0`, `lines.Panels[1].Series[1].Y[0], 0`},
	{"the lines of both errors, from the splits: largest difference", `b.TrainAccuracy`, `b.Accuracy[:10]`},
	{"the lines of both errors, from the splits: largest difference", `interval(b, qnpkl.Find(all, "sonar", "0 steps"), 2`,
		`interval(b, qnpkl.Find(all, "sonar", "1 steps"), 2`},
	{"test errors of the table below", `y[0], y[4], y[7])`, `y[0], y[3], y[7])`},
	{"accuracy gained by 8 steps in [0, 1], least of its interval", `first-half, 3.3`, `first-half/2, 3.3`},
	{"accuracy gained by 8 steps in [0, 1]", `interval(eight, qnpkl.Find(all, "sonar", "0 steps")`,
		`interval(eight, qnpkl.Find(all, "sonar", "64 steps")`},
	{"increases of the test error from step 8 to 64, not clear, of 3", `rise > 0 && rise < half`, `rise > 0 && rise > half`},
	{"two splits of these results computed again: accuracy after 8 steps", `was.Accuracy[i]`, `was.Accuracy[1-i]`},
	{"mean similarities, drawn and in the titles, by the formula of K: largest difference", `pairs+1`, `pairs+2`},
	{"they fall at each moment, from 0.2 and 0.92 to below 0.05", `means[2] < means[0]`, `means[2] > means[0]`},
	{": f of the held-out points, from the fitted model: largest difference", `Products(), onTrain, r)`,
		`Products(), onTrain, learned)`},
	{": held-out points, 30 % of all", `test := sonar.Slice(split[0].Test)`, `test := sonar.Slice(split[0].Train)`},
	{": share of points right, by the fitted model", `float64(right)/`, `float64(len(f)-right)/`},
	// formulas
	{"(a) J of the library", `return 1 / (1 - e), `, `return 1 / (1 + e), `},
	{"(a) its derivative", `-p[0], 1e-8`, `p[0], 1e-8`},
	{"(4) J: the library, and plain ascent", `pt.F(), j, 1e-7*j`, `pt.F(), j/2, 1e-7*j`},
	{"(6) −p by the formula, and by differences", `form := qnpkl`, `form := -qnpkl`}, // p itself
	{"(6) ∇J of the library", `pt.Grad()[m], slope`, `-pt.Grad()[m], slope`},
	{"(9) k = 1, l = 2, α fixed", `h01, h00 := -qnpkl`, `h01, h00 := qnpkl`},
	{"(d) J″ is λ″ plus a positive term through α", `ofJ, h00+`, `-ofJ, h00+`}, // J″ of the other sign
	{"(e), (f): J at t = 0 and for t → ∞", `f[0]-30`, `f[0]-15`},               // C·min for 2C·min
	{"not convex: J is above a chord and increases; control: the sum's J is below all chords",
		`f[2] > f[1]+1`, `f[1] > f[2]+1`},
	{"J at t = 1, by plain ascent", `y, 1), 1)[0], plain`, `y, 1), 0.5)[0], plain`},
	{"(11) tr N", `mat.Trace(&c), 0, 0`, `mat.Trace(qnpkl.Projected(&c)), 0, 0`}, // for the A that there are
	{"(g) tr PNP, by its eigenvalues", `mat.Sum(m)/(2*float64(n))`, `mat.Sum(m)/float64(n)`},
	{"PNP is indefinite: the claim about λ holds", `e[0] < 0 &&`, `e[0] >= 0 &&`}, // (10)
	// Algorithm 1
	{"as printed, the first step descends; the second ascends and is the last", `qnpkl.Minus(q, p)) // (7)`, `qnpkl.Minus(p, q)) // (7)`}, // as read
	{"corrected, each of four steps descends", `r > o-1e-4*floats.Dot`, `r < o-1e-4*floats.Dot`},
	{"as printed: where it ends, plain code and library", `{0.1, 0.1}, 1e-3`, `{0.1, 0.1}, 0.1`}, // stopped early
	{"corrected: after six steps, plain code and library", `qnpkl.Minus(p, q), b1) // Δ∇J`,
		`qnpkl.Minus(q, p), b1) // Δ∇J`},
	{"as printed: two steps, and an end above 1.3 times that of the corrected form", `asPrinted.F > 1.3*quasi`,
		`asPrinted.F > 1.5*quasi`},
	{"corrected, J decreases at every step", `IsDecreasing(quasiNewton)`, `IsDecreasing(asPrinted)`},
	{": last number on the axis, support vector machines solved", `float64(r.Trace[len(r.Trace)-1].Evals)`,
		`float64(r.Trace[len(r.Trace)-1].Iter)`},
	{"as printed: steps at which J falls, three sets, C = 0.1, 1, 10; our b₁, and b₁ = 1", `AsPrinted: true, B1: b1}`,
		`B1: b1}`}, // the sign corrected
	{"corrected on sonar: 40 steps, and the end of L-BFGS", `last(problem, mkl.LBFGS{}, 100)`, `last(problem, mkl.LBFGS{}, 2)`},
	// Table 1
	{"gains over the uniform product and intervals, from the splits: largest difference", `2.022691`, `1.96`},
	{"gains over the uniform product and intervals, from the splits: largest difference",
		`width on sonar in [0, 1]",
	qnpkl.UniformProduct`, `width on sonar in [0, 1]",
	qnpkl.OneWidth`},
	{"one of 36 gains is clear, the one in the title", `lo > 0 || hi < 0`, `lo > 0 && hi < 0`},
	{"one of 36 gains is clear, the one in the title", `width on sonar in [0, 1]",`, `width on sonar in [−1, 1]",`},
	{"printed gains inside our intervals: sonar, ionosphere, pima; three scalings; as printed, 8 steps", `86.6 - 81.3`,
		`86.6 - 83.1`}, // mistyped
	{"printed gains inside our intervals: sonar, ionosphere, pima; three scalings; as printed, 8 steps",
		`d := s.Gain(qnpkl.Sets3[k], m`, `_ = s; d := qnpkl.Standardized.Gain(qnpkl.Sets3[k], m`}, // one scaling
	{"entries of Table 1 that differ from the splits, or from the paper", `77.9, 86.6, 86.6`, `86.6, 77.9, 86.6`},
	{"entries of Table 1 that differ from the splits, or from the paper", `qnpkl.Scalings[j-1]`, `qnpkl.Scalings[3-j]`},
	{"uniform products above the SVM of the paper, of 9", `"pima": 75.4`, `"pima": 77.2`}, // the column of GMKL
	{"QN-PKL over MKL and GMKL and the intervals, from the splits: largest difference", `b, 2.022691)`,
		`b, 1.96)`},
	{"of six means, those of QN-PKL as printed above MKL or GMKL", `d.Mean > 0`, `d.Mean < 0`},
	{"of 24 gains of four methods over MKL or GMKL, clear", `form, m).ExcludesZero()`, `form, qnpkl.AsPrinted).Hi > 0`},
	{"GMKL: largest distance from the printed means", `qnpkl.GMKL).Mean()`, `qnpkl.MKL).Mean()`},
	{"sets on which MKL is above the printed mean", `71.4}[i]`, `77.2}[i]`},
	{"the +5.0 that the paper prints on pima is outside", `76.4-71.4`, `76.4-74.1`}, // mistyped
	// seven sets, times
	{"Wilcoxon p on paper, above: ", `math.Pow(2, 7)`, `math.Pow(2, 6)`},
	{"more accurate on each set than ", `floats.Max(chart`, `-floats.Min(chart`},
	{"of 14 differences, those that are clear", `Hi[i] <= 0`, `Lo[i] <= 0`},
	{"means over sets from the picture, and its intervals by the formula: largest difference", `Y[i:], nil`,
		`Y[1-i:], nil`},
	{"± by added variances, and split by split", `math.Sqrt(variance) / 7`, `math.Sqrt(variance / 7)`},
	{"the numbers of the table below", `{qnpkl.OneWidth, qnpkl.UniformProduct}`,
		`{qnpkl.UniformProduct, qnpkl.OneWidth}`},
	{"printed ratios, from 6.2/1.0, 7.1/0.6 and 4.4/2.8: largest difference", `Y[4]-[]float64`, `Y[3]-[]float64`},
	{"median of the ratios over the ratio of the total times, less 1: largest", `Abs(chart.Series[i].Y[k]*`,
		`Abs(1/chart.Series[i].Y[k]*`},
	// Figure 1
	{"corrected: features without use have the weight 0, and J increases with it", `all := qnpkl.CountUsed(qn.Theta)`,
		`all := floats.Count(func(v float64) bool { return v > 1e-3*floats.Sum(qn.Theta) }, qn.Theta)`},
	{"one Gaussian as a sum and as a product: J", `one[0] = 0.5`, `one[0] = 1.0`},
	{"sum of the weights drawn, ", `floats.Sum(panel.Series[0].Y)`, `floats.Sum(panel.Series[0].X)`},
	{"the corrected run has ended: its J, and where L-BFGS ends",
		`mkl.QuasiNewton{}, 1e-3, 200`, `mkl.QuasiNewton{}, 1e-3, 12`},
	{"corrected fewer features than MKL, as printed all", `few < some`, `some < few`},
	{"sum of the squares of the weights: as printed least, corrected largest", `square(0) < square(2)`,
		`square(2) < square(0)`},
	// Table 2
	{"entries of Table 2 that differ from the 40 splits, or from the paper", `", C = 0.1", ", C = 1",`, `", C = 1", ", C = 0.1",`},
	{"the R of MKL that are within 7 of the printed ones: sonar and pima at 1, ionosphere at 10", `"pima": 61.1`,
		`"pima": 89.9`}, // the column of QN-PKL
	{"R in the table below", `qnpkl.ClippedLargeB1, qnpkl.AsPrinted, ""`, `qnpkl.AsPrinted, qnpkl.ClippedLargeB1, ""`},
	{"R in the table below", `(m + 25)`, `(m + 50)`},
	{": (h) ends above 0 at C = 0.1, and on sonar at each C; else below", `|| name == "sonar"`, ""},
	{"one chosen width minus MKL: 5.0, 1.6 and 0.7 points, none clear", `Gain(set, qnpkl.OneWidth, qnpkl.MKL)`,
		`Gain(set, qnpkl.OneWidth, qnpkl.GMKL)`},
	{"the ratios in the text and in the table of claims", `qnpkl.AsPrinted, qnpkl.EightSteps, q`, `qnpkl.EightSteps, qnpkl.AsPrinted, q`},
	{"draws in which R to the end at C = 0.1 is above 85 on each set", `"PKL to the end, C = 0.1") > 85`,
		`"PKL to the end, C = 10") > 85`},
	{"draws in which R to the end at C = 1 on pima is below 89.9", `"pima", "PKL to the end, C = 1")`,
		`"pima", "PKL to the end, C = 0.1")`},
	{"draws in which R as printed is below 80 at every C on each set", `max(share(draw, set, "QN-PKL as printed, C = 0.1"`,
		`max(share(draw, set, "QN-PKL, 8 steps, C = 0.1"`},
	{"sets on which PKL to the end has clearly the larger R at C = 10", `"PKL to the end, C = 10"`,
		`"QN-PKL as printed, C = 10"`},
	{"sets on which its mean R is larger at C = 1", `"PKL to the end, C = 1") > share`,
		`"QN-PKL as printed, C = 1") > share`},
	{"R of MKL on ionosphere", `"MKL, C = 10") < 80`, `"MKL, C = 0.1") < 80`},
	{"splits of Table 2 computed again, sonar at C = 1: largest difference of accuracy and R",
		`made.Ratio[i]-was.Ratio[i]`,
		`made.Ratio[i]-100+was.Ratio[i]`},
	{"gains over MKL and their intervals, from the splits: largest difference", `qnpkl.MKL+atC), 2.200985)`,
		`qnpkl.MKL+atC), 1.96)`},
	{"which printed gains our intervals contain, and which gains are clear", `80.8 - 72.2`, `80.8 - 77.2`}, // mistyped
	{"which printed gains our intervals contain, and which gains are clear",
		`range qnpkl.Cs`, `range []float64{1, 1, 1}`},
	{": (h) as in the table, start and end", `[]float64{start, end}`, `[]float64{end, start}`},
	{": (h) starts below 0 at C = 1 and 10 alone, and learning increases it there", `(start < 0) == (c >= 1)`,
		`(start < 0) == (c >= 10)`},
	{": (h) is at most 0.5 to 4 standard errors from the mean over 200 features of noise", `math.Abs(s.Formula-s.Mean)`,
		`math.Abs(1.5*s.Formula-s.Mean)`},
	{": (h) is at most 0.5 to 4 standard errors from the mean over 200 features of noise", `e.Formula, max(`,
		`e.Formula, 0.07*max(`}, // no √200
	// errata
	{"erratum 5: the end depends on b₁", `end(1e-4), end(1e-2)`, `end(1e-4), end(1.1e-4)`},
	{"erratum 2: K is not positive semidefinite", `{-0.1, 0.4}`, `{0.1, 0.4}`},
	{"erratum 4: Δp of a constant feature", `append(x[i], 5)`, `append(x[i], float64(i))`},
}
