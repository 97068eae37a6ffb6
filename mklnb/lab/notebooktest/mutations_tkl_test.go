package notebooks

// mutationsTKL contains the mutations of 05_tessellated.
var mutationsTKL = []mutation{
	{"P = I: the library's kernel less 1 − |x − y|, worst of 4", `kernel(0.8, 1, 0, 0, 1)(x)`, `kernel(0.8, 1, 0, 0, 0)(x)`},
	{"opposite signs: the library's kernel less 1 − 2|x − y|, worst of 4", `kernel(0.8, 1, -1, -1, 1)(x)`,
		`kernel(0.8, 1, 1, 1, 1)(x)`},
	{"f of one woman less f of the other, by the closed form", "v *= 1.5 -", "v *= 1.4 -"},
	{"(3) against (1): worst relative difference of %d", `.Integral(`, `.AsPrinted().Integral(`}, // as printed
	{"dense: the matrix of a Gaussian on 5 points, worst difference of 25 entries", `five, target, 2)`, `five, target, 1)`},
	{"universal: %.1e with 80 centers, %.2f with the singular P", `open, corner := tkl.Identity(4)`,
		`open, corner := tkl.PolynomialP(tkl.Identity(2))`},
	{"(5) ⟨P, D⟩ against wᵀKw", `-2*floats.Dot`, `-floats.Dot`},
	{"(7) c·λ_max(D), by the power method", `range 1000`, `range 2`},                         // stopped early
	{"(8) derivative of F toward P̂, by a central difference", `dual-pt.F()`, `pt.F()-dual`}, // as printed
	{"(9) the library's lower bound at P₀, C = %g", `min(1, pt.LinearTerm/form)`, `1.0`},     // α itself
	{"(9) the library's lower bound at P₀, C = %g", `min(1, pt.LinearTerm/form)`, `pt.LinearTerm/form`},
	{"convex in P, not in v: excess over chords %.3g, %.3g", `return nb.Must(shared`, `return -nb.Must(shared`}, // concave
	{"(11) P* of every set, worst entry", `{1, -1, -1, 1}`, `{1, 1, 1, 1}`},
	{"Frank–Wolfe, six steps in plain code: distance of P from the library's", `2 / float64(k+2)`, `1 / float64(k+2)`},
	{"exact search: the last gap as drawn", `[len(gaps)-1]`, `[0]`},
	{"exact search: F′ at the end of a step over F′ at its start, largest after step 1", `mkl.FrankWolfe{ExactLineSearch: true}`,
		`mkl.FrankWolfe{}`},
	{"pima, plain: share by section 3", `above(y, y) + above`, `above(y, y) - above`},
	{"pima, balanced: share by (12)", `256*150/sum`, `sum/(256*150)`},
	{"(13) least tr P⁻¹G of P* and 200 random P", `norm*norm/c`, `norm/c`},
	{"(12) one kernel in two metrics: difference over the trace", `j.SetTheta(p)`, `j.SetTheta(theta[:len(p)])`},
	{"rank one with degree 1: λ₂/λ₁ of P* plus the gap", `UnitMeanDiagonal: true}, 1, 1), 100))
	ofP`, `UnitMeanDiagonal: true}, 1, 1), 1))
	ofP`}, // one step: rank one, but not a minimum
	{"λ₂ of D is below λ₁/2 with degree 1; control: rank two with degree 2 in some draws",
		`tessellated.Family{Degree: 2, BoxMargin: 10, UnitMeanDiagonal: true}`,
		`tessellated.Family{Degree: 1, UnitMeanDiagonal: true}`},
	{"a little of I: change of K, and 0.01 of K(I/6) − K(P*)", `+= 0.01 / 6`, `+= 0.1 / 6`},
	{"control: P is another matrix than P'", `TraceMetric: tessellated.Balanced}.Bind`, `}.Bind`},
	{"step: mean difference in the table", `[2]int{2, 0})`, `[2]int{0, 2})`},
	{"right end of the line 1/k, gap times k", `Series[0].Y[0], 1e-9`, `Series[0].Y[1], 1e-9`},
	{"sonar: accuracy with bound 0.5, as drawn", `row[3].Loss`, `row[5].Loss`},
	{"corner: draws in which degree 1 is more accurate", `corner, 2, 0)`, `corner, 0, 2)`},
	{"stored: corner, seed 3, share wrong", `FirstChoice("truths", "corner", 3`, `FirstChoice("truths", "corner", 4`},
	{"stored: sonar, seed 4, bound 0.5, share wrong", `FirstChoice("bounds", "sonar", 4, 3`, `FirstChoice("bounds", "sonar", 4, 5`},
	{"stored: liver, seed 2, share wrong by ", `FirstChoice("classes", "liver-bupa", 2`, `FirstChoice("classes", "liver-bupa", 3`},
	{"liver: n_test/n_train, and the ratio of the interval", `draw.Splits[0].Test)`, `draw.Data.Y)`},
	{"liver, degree 1 less the Gaussian: lower end, as drawn", `math.Sqrt(1.0/20+ratio)`, `math.Sqrt(1.0/20)`},
	{"largest certified gap, by a search", `row[tkl.TenKernels].Gap, row[tkl.LearnedDegree1].Gap`, `row[tkl.Degree0].Gap`},
	{"mean ranks by a count, largest difference", `0.5 / 6`, `1.0 / 6`},
	{"intervals of 24 that exclude 0", `name, stored), tkl.LearnedDegree1, m)`, `name, stored), m, m)`},
	{"stored: simulated arm, seed 2, ", `FirstChoice("arm", "simulated arm", 2, i`, `FirstChoice("arm", "simulated arm", 2, 1-i`},
	{": distance of the curve from the truth, and the stored one", `"step", 3, k)`, `"step", 4, k)`},
	{"sonar: share of the larger class, by a count", `100*max(mines, 208-mines)`, `100*min(mines, 208-mines)`},
	{"P* less vvᵀ, norm", `v[i/18] * v[i%18]`, `v[i/18] * v[i/18]`},
	{"erratum 1: α of an SVM on two points", `-2*k.At(0, 1)+k.At(1, 1)), 1e-6`, `+2*k.At(0, 1)+k.At(1, 1)), 1e-6`},
	{"erratum 2: k as read less the integral (1)", `read-of.Integral`, `printed-of.Integral`},
	{"erratum 3: with I(x−z) the integral is another kernel", `of.Orthant = true`, `of.Orthant = false`},
	{"erratum 3: with degree 0 and P = I it is the volume above both, and below both", `both.Orthant = true`,
		`both.Orthant = false`},
	{"erratum 4: OPT_P falls with the trace", `pt.LinearTerm + c/18*`, `pt.LinearTerm - c/18*`},
	{"erratum 5: OPT_P − OPT_A is at most %.3f in %d steps", `row.Lower-row.Upper`, `row.Upper-row.Lower`},
}
