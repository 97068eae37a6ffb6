package notebooks

// mutationsQNPKL contains the mutations of 03_qn_pkl.
var mutationsQNPKL = []mutation{
	{"a split of these results computed again: accuracy after 8 steps", `was.Accuracy[0]`, `was.Accuracy[1]`}, // another split
	{": f of the first held-out point, by the fitted model", `qnpkl.Products(), p, r)`, `qnpkl.Products(), p, learned)`},
	{"(a) J of the library", `return 1 / (1 - e), `, `return 1 / (1 + e), `},
	{"(a) its derivative", `-p[0], 1e-8`, `p[0], 1e-8`},
	{"(4) J: the library, and plain ascent", `pt.F(), j, 1e-7*j`, `pt.F(), j/2, 1e-7*j`},
	{"(6) −p by the formula, and by differences", `form := qnpkl`, `form := -qnpkl`}, // p itself
	{"(6) ∇J of the library", `pt.Grad()[m], slope`, `-pt.Grad()[m], slope`},
	{"(9) k = 1, l = 2, α fixed", `h01, h00 := -qnpkl`, `h01, h00 := qnpkl`},
	{"(d) J″ is λ″ plus a positive term through α", `ofJ, h00+`, `-ofJ, h00+`}, // J″ of the other sign
	{"(e), (f): J at t = 0 and for t → ∞", `f[0]-30`, `f[0]-15`},               // C·min for 2C·min
	{"not convex: J is above a chord and increases; control: the sum's J is below all chords", `f[2] > f[1]+1`, `f[1] > f[2]+1`},
	{"(11) tr C", `mat.Trace(&c), 0, 0`, `mat.Trace(qnpkl.Projected(&c)), 0, 0`}, // for the A that there are
	{"(g) tr PCP, by its eigenvalues", `mat.Sum(m)/(2*float64(n))`, `mat.Sum(m)/float64(n)`},
	{"PCP is indefinite: the claim about λ holds", `e[0] < 0 &&`, `e[0] >= 0 &&`},                    // (10)
	{"the second step ascends as printed", `qnpkl.Minus(q, p)) // (7)`, `qnpkl.Minus(p, q)) // (7)`}, // as read
	{"and descends corrected", `r > o-1e-4*floats.Dot`, `r < o-1e-4*floats.Dot`},
	{"as printed: where it ends, plain code and library", `{0.1, 0.1}, 1e-3`, `{0.1, 0.1}, 0.1`}, // stopped early
	{"corrected: after six steps, plain code and library", `qnpkl.Minus(p, q), b1) // Δ∇J`, `qnpkl.Minus(q, p), b1) // Δ∇J`},
	{"corrected, J decreases at every step", `IsDecreasing(runs[1])`, `IsDecreasing(runs[0])`},
	{"as printed: steps that the run takes", `{AsPrinted: true}, mkl.Q`, `{}, mkl.Q`}, // the sign corrected
	{"a split of Table 1 computed again: QN-PKL as printed on sonar", `was.Accuracy[0]`, `was.Accuracy[1]`},
	{"the corrected run has ended: its J, and where L-BFGS ends", `mkl.QuasiNewton{}, &mkl.Settings{Gap: 1e-3, Iterations: 200`,
		`mkl.QuasiNewton{}, &mkl.Settings{Gap: 1e-3, Iterations: 12`},
	{"corrected fewer features than MKL, as printed all", `few < some`, `some < few`},
	{"a split of Table 2 computed again: R of pima", `was.Ratio[0]`, `100-was.Ratio[0]`},
	{": (h) is within four standard errors of the mean over 200 features of noise", `math.Abs(form-mean)`, `math.Abs(1.5*form-mean)`},
	{"corrected on sonar: 40 steps, and the end of L-BFGS", `last(q, mkl.LBFGS{}, 100)`, `last(q, mkl.LBFGS{}, 2)`},
	{"erratum 5: the end depends on b₁", `end(1e-4), end(1e-2)`, `end(1e-4), end(1.1e-4)`},
	{"erratum 2: K is not positive semidefinite", `{-0.1, 0.4}`, `{0.1, 0.4}`},
	{"erratum 4: Δp of a constant feature", `append(x[i], 5)`, `append(x[i], float64(i))`},
}
