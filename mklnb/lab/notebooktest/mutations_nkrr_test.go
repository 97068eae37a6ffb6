package notebooks

// mutationsNKRR contains the mutations of 01_nkrr.
var mutationsNKRR = []mutation{
	{"F by its formula, row %d", `Degree: 2, Constant: true`, `Degree: 3, Constant: true`},
	{"f of the first new echo, row %d", `DecisionValues(p.Grams, r, test.X)[0]`, `DecisionValues(p.Grams, r, train.X)[0]`},
	{"“equal” names equal weights alone, row %d", `{"equal", "learned"}[i]`, `{"learned", "equal"}[i]`},
	{"RMSE on the test part in the table, row %d", `nb.Score(nb.Fit(train, f, p, r), test)`,
		`nb.Score(nb.Fit(train, f, p, r), train)`},
	{"in t the Hessian is positive definite on the whole grid", `NewSurface(figure1, 2, grid)`, `NewSurface(figure1, 1.9, grid)`},
	{"in μ, the control, it is not", `NewSurface(figure1, 1, grid)`, `NewSurface(figure1, 2, grid)`},
	{"F(1, 1) between two printed ticks, λ = 10, μ^%d", `Figure1Problem(10)`, `Figure1Problem(1)`},
	{"least eigenvalue at one point by differences, μ^%d", `s.Smallest[k][j]`, `s.Smallest[k][j]/2`}, // as printed in (19)
	{"t₁ on paper", `nkrr.TwoPointProblem(2, 3, 2)`, `nkrr.TwoPointProblem(2, 2, 3)`},
	{"F on paper", `2*two.F, 5+10./3`, `two.F, 5+10./3`},
	{"the point is on the curve", `9/(1+t) + 4/(2-t)`, `4/(1+t) + 9/(2-t)`}, // y exchanged
	{"(11) ∂F/∂μ%d", `-2 * nkrr.BilinearForm`, `2 * nkrr.BilinearForm`},
	{"verdict: clear draws of each row of the picture, ten of ten left of 0",
		`10, 7, 10, 10, 2, 9, 0`, `10, 10, 7, 10, 9, 2, 0`}, // ℓ1 and ℓ2
	{"verdict: largest distance of a change from the middle of its interval, in %", `drawn.Lo[i]+drawn.Hi[i]`, `2*drawn.Lo[i]`},
	{"verdict: changes in the picture, largest difference in %", `floats.Distance(drawn.Y,`, `floats.Distance(drawn.Lo,`},
	{"Figure 1, λ = %g, control: with centered features F(1, 1) is above both", `nkrr.CenteredFamily(2), 2, 1, lambda)`,
		`nkrr.ScaledFamily(2), 2, 1, lambda)`},
	{"verdict: sonar, 2-norm: certified gap of descent", `learned := nb.Solve(p, mkl.SPG{}, nil)`,
		`learned := nb.Solve(p, mkl.SPG{}, &mkl.Settings{Iterations: 1})`},
	{"verdict: smallest case, 1-norm: end of descent above the minimum 8.5", `{0.05, 0.95}`,
		`{0.95, 0.05}`},
	{"verdict: stored draws with certificates", `"table1": 5`, `"table1": 4`}, // the 1-norm
	{"verdict: stored draws in which a solve stalled", `statuses["stalled"]), 1`, `statuses["stationary"]), 1`},
	{"verdict: the best fixed degree, factor %d", `"kin-8nm", x, 0)`, `"kin-8nm", x, 1)`},
	{"verdict: learned degree 4 over degree 3, 819 points, in %", `"kin-8nm", 5, 0, 3)`, `"kin-8nm", 10, 0, 3)`},
	{"verdict: the same, 204 points", `"kin-8nm", 20, 0, 3)`, `"kin-8nm", 10, 0, 3)`},
	{"foods, 1-norm, change in %", `nkrr.CenteredStars, 200, "ℓ1"`, `nkrr.CenteredStars, 200, "ℓ2"`},
	{"foods, 1-norm, clear draws", `foods1.ClearSeeds`, `foods1.Seeds`},
	{"each panel: |Λ − distance of the weights from the drawn line|, the largest", `radii[i]-floats`, `radii[3-i]-floats`},
	{"largest by smallest weight at Λ = 32", `weights.Panels[3]`, `weights.Panels[2]`},
	{"weights above 1 in the four panels", `v > 1+1e-6`, `v > 1.1`},
	{"names of both lines", `viz.Line{Name: "linear", XYs: above[0]`, `viz.Line{Name: "degree 1", XYs: above[0]`},
	{"control, 1-norm ball: fewer than 20 weights are above 1", `nkrr.CenteredFamily(2), 1, 5, 10)`,
		`nkrr.CenteredFamily(2), 2, 5, 10)`},
	{"Figure 1, λ = %g: F(1, 1) lies between two ticks", `f.InMu.ValueAtOnes()`, `f.InMu.F[0][0]`},
	{"Figure 1, λ = %g: convex share in t", `f.InT.Share(2), 1`, `f.InMu.Share(2), 1`},
	{"Figure 1, λ = 1: convex share in μ", `byLambda[0].InMu`, `byLambda[1].InMu`},
	{"Figure 1, λ = 300: convex share in μ", `byLambda[5].InMu`, `byLambda[2].InMu`},
	{"F of the minimum found from (0.9, 0.1)", `[]float64{0.9, 0.1}`, `[]float64{0.05, 0.95}`},
	{"F of the minimum found from (0.1, 0.9)", `[]float64{0.1, 0.9}`, `[]float64{0.95, 0.05}`},
	{"descent from (1, 0) stays at 8.5, and its lower bound is below 25/3", `Theta: []float64{1, 0}`, `Theta: []float64{1, 0.001}`},
	{"both points are on the curve", `9/(a*a+1) + 4/((1-a)*(1-a)+1)`, `4/(a*a+1) + 9/((1-a)*(1-a)+1)`}, // y exchanged
	{"lower bound of min F, step %d", `max(top, -g[k]/w)`, `max(top, -2*g[k]/w)`},
	{"2-norm ball: min F − max over α of min over μ", `max(a*a, b*b)`, `a*a-b*b`},
	{"control, 1-norm ball: the difference", `[]float64{0.9, 0.1}`, `[]float64{0.1, 0.9}`}, // the other minimum
	{"Algorithm 1, μ₀ = %g: largest difference of F from the library's", `eta *= 0.8`, `eta *= 0.9`},
	{"sonar, λ = 100, Λ = 2: steps from μ₀ + Λ1/√m", `1e-3, limit, names`, `1e-2, limit, names`},
	{"sonar, λ = 100, Λ = 2: steps from μ₀", `float64(c.Center), 1`, `float64(c.Sphere), 1`},
	{"sonar, λ = 100, Λ = 2: steps from the sphere in the chart", `"sonar, sphere"`, `"sonar, μ₀"`},
	{"the title counts the steps until F is within 0.1 % of its bound", `After two steps`, `After one step`},
	{"smallest case at t = (½, ½): F²/(F + E)", `10./9`, `20./9`},
	{"ε = 0.1: F above its minimum at the stop, at most, in %", `byRule[3][6]`, `byRule[2][6]`}, // from the sphere
	{"the paper's rule at the chosen λ and Λ: ", `c.SphereStops[0]`, `c.SphereStops[1]`},
	{"mean errors lie in the printed axes, 1.4 to 1.7, with centered stars only", `s.Y[j] <= 1.7`, `s.Y[j] <= 2.1`},
	{"centering the stars raises a learned error, at most, by a share of", `s.Y[1]/s.Y[0]-1`, `s.Y[0]/s.Y[1]-1`},
	{"each Λ is a candidate of the 2-norm", `[]float64{0.5, 2, 8, 32}`, `[]float64{1, 5, 25, 125}`}, // of the 1-norm
	{"the printed means and standard deviations, largest difference in hundredths", `"sonar": {90, 92,`, `"sonar": {87, 92,`},
	{"the titles count the means", `range panels[i].Series[1:]`, `range panels[i].Series[2:]`},
	{"sets with six of six means, rows centered", `within / 6`, `within / 5`},
	{"control, columns centered", `six[2], 0`, `six[1], 0`},
	{"sets with six of six means, with a constant: Parkinsons", `six[3], 1`, `six[2], 1`},
	{"between any two draws a constant lowers the quadratic base error by at least", `Series[3].Hi[3]`, `Series[3].Lo[3]`},
	{"most clear draws of a column, ionosphere", `clearColumn[true]), 5`, `clearColumn[false]), 5`},
	{"most clear draws of a column, other sets", `clearColumn[false]), 0`, `clearColumn[true]), 0`},
	{"sonar, quad. ℓ2: the drawn gain, from the drawn errors", `rmse[5]-rmse[3]`, `rmse[5]-rmse[0]`},
	{"sonar, quad. ℓ2: it lies in its interval", `gain.Y[3] < gain.Hi[3]`, `gain.Y[3] < gain.Lo[3]`},
	{"printed gains as in the paper: largest difference", `gains.Series[0].Y, 0.0`, `gains.Series[2].Y, 0.0`},
	{"our gains from the middle of their intervals", `(s.Lo[i]+s.Hi[i])/2`, `s.Lo[i]`},
	{"intervals of ours that exclude sonar's printed gains, of 8", `i == 2 || i == 3`, `i == 1 || i == 2`},
	{"each interval of ours contains 0", `s.Lo[i] < 0 && s.Hi[i] > 0`, `s.Lo[i] < 0 && v > 0`},
	{"choice from the training half: intervals that exclude 0, of 200", `nkrr.Stored("table1-training")`, `nkrr.Stored("table1")`},
	{"choice from the training half: largest change of a gain, in points", `gainOf(fromHalf)-gainOf`, `gainOf(fromHalf)+gainOf`},
	{"choice from the training half: draws that exclude sonar's −.04, ℓ%d", `fromHalf, "sonar"`, `fromHalf, "ionosphere"`},
	{"learning does not degrade: largest mean loss, in %", `max(loss, gain.Mean)`, `max(loss, gain.Lo)`},
	{"learning does not degrade: largest loss that is not excluded, in %", `max(notExcluded, gain.Hi)`, `max(notExcluded, gain.Mean)`},
	{"degree 4 on the 4-norm ball of a simulated arm is certified to 0.1 %", `ofDegree4, 4, radius, 1)`,
		`ofDegree4, 2, radius, 1)`}, // d > q
	{"sonar, quad. ℓ2: draws whose interval excludes the printed gain −.04",
		`count("sonar")`, `count("parkinsons")`},
	{"control, ionosphere: draws whose interval excludes its −.02", `nkrr.PerExample, 5`, `nkrr.AsWritten, 5`},
	{"changes in the picture of section 1, from the errors: largest difference in %", `{{2, 0}, {2, 1}, {1, 1}}`,
		`{{1, 0}, {1, 1}, {2, 1}}`}, // ℓ1 and ℓ2 exchanged
	{"means lie within their bars", `s.Y[j] <= s.Hi[j]`, `s.Y[j] <= s.Lo[j]`},
	{"3,600 pairs: change in %", `nkrr.Stars, 3600, "ℓ2"`, `nkrr.Stars, 3600, "ℓ1"`},
	{"3,600 pairs: clear draws", `many.ClearSeeds`, `many.Seeds`},
	{"3,600 pairs: draws in which a solve stalled", `b.Columns[2].Status`, `b.Columns[1].Status`},
	{"ionosphere, columns centered, ℓ2: change in %", `nkrr.AsWritten, 0, "quadratic ℓ2"`, `nkrr.AsWritten, 0, "quadratic ℓ1"`},
	{"ionosphere, columns centered, ℓ2: clear draws", `written.ClearSeeds`, `written.Seeds`},
	{"learning does not degrade: intervals above 0, of 520", `c.Lo > 0`, `c.Hi > 0`},
	{"clear draws of all quadratic columns", `b.Columns[4:]`, `b.Columns`}, // linear ones too
	{"table of each degree, as in the text", `name+" learned")
		row`, `name)
		row`},
	{"table of degree 4 against degree 3, as in the text", `learned, 3)`, `1-learned, 3)`},
	{"gains of each degree and size, from the curves: largest difference in %", `x, name+" learned").Mean-direct`,
		`x, name+" learned").Mean+direct`},
	{"gains of degrees 1 to 3 are below .004", `if degree < 4`, `if degree < 5`},
	{"standard deviations of degrees 3 and 4 are .003 to .008", `b.Case >= "degree 3"`, `b.Case >= "degree 2"`},
	{"draws whose interval of the gain is below 0", `b.Case == "degree 4" && b.X == 5`, `b.Case == "degree 4" && b.X == 10`},
	{"λ and Λ are chosen inside the training half, leak-free", `ownChoice(nkrr.Readings()[3])`, `ownChoice(nkrr.Readings()[1])`},
	{"stored results of finefoods (not in the pictures): largest difference", `"figure2", storedFoods)`,
		`"figure2", nkrr.Block{Data: "finefoods", Case: nkrr.Stars, X: 200, Seed: 1})`}, // not centered
	{"learned ℓ2 is below μ = 1 with %d pairs, and the bands of one sd overlap", `bigrams.Series[2]`, `bigrams.Series[0]`},
	{"steps on reviews: Algorithm 1 does not arrive, the line search takes three", `foodProblem, 1e-3, 300)`,
		`foodProblem, 1e-2, 300)`},
	{"steps on reviews by the paper's rule", `ofNorm1, 0.1, 300)`, `ofNorm1, 0.01, 300)`},
	{"ℓ2 with 100 pairs: λ = 10,000 and Λ = 32 are chosen", `curves[1].Columns[2]`, `curves[0].Columns[2]`}, // 50 pairs
	{"the constant has the largest learned weight", `len(offset)-1`, `0`},
	{"stored results of a simulated arm (not drawn): largest difference", `"figure3", storedArm)`,
		`"figure3", nkrr.Block{Data: storedArm.Data, Case: storedArm.Case, X: 50, Seed: 2})`}, // another draw
	{"points at factor 5", `math.Floor(4096/5.)`, `math.Floor(8192/5.)`},
	{"(9) α₁", `v := shared.Inverse(kmu, 1)`, `v := shared.Inverse(kmu, 2)`},
	{"(10) F", `nkrr.BilinearForm(y, v, y), g`, `nkrr.BilinearForm(y, v, y)/2, g`},
	{"(19) uᵀ∇²F u", `8*nkrr.BilinearForm(b, v, b) - 2*nkrr`, `4*nkrr.BilinearForm(b, v, b) - nkrr`}, // as printed
	{"(13) μᵀ∇F", `-2*nkrr.BilinearForm(alpha, kmu, alpha)`, `nkrr.BilinearForm(alpha, kmu, alpha)`}, // as printed
	{"(12) F at its stationary point 0", `value([]float64{0, 0})`, `value([]float64{0.1, 0})`},
	{"on the edge, at (1, 0): |∇F|", `nkrr.TwoPointProblem(2, 0, 2)`, `nkrr.TwoPointProblem(2, 1, 2)`},
	{"and F falls to (0, 1) by", `nkrr.TwoPointProblem(2, 0, 2)`, `nkrr.TwoPointProblem(2, 0, 0)`}, // F constant
	{"Proposition 3: |Λ − ‖μ*−μ₀‖|, the largest of five", `2, radius, 1)`, `2, radius/2, 1)`},
	// 4s² = s+λ: by the printed V
	{"(22) S_ii where F becomes convex", `math.Sqrt(lambda/3)`, `(1+math.Sqrt(1+16*lambda))/8`},
	{"degree %d: chords are violated for q < d alone", `end[k] * math.Pow(0.5, 1/q)`, `end[k] * 0.5`}, // always in μ
	{"1-norm: the projection is certified to 1e-6", `mkl.SPG{}, nil)`, `mkl.SPG{}, &mkl.Settings{Iterations: 1})`},
	{"1-norm: the scaling, its control, is not, after 300 steps", `ScaleToSphere: true`, `ScaleToSphere: false`},
	{"1-norm: at the end of the scaling all slopes are the same multiple of μ − μ₀", `Iterations: 300`,
		`Iterations: 1`},
	{"weights above 1, and weights of the steepest slope: largest difference",
		`count := floats.Count(func(v float64) bool { return v > 1+1e-6`,
		`count := floats.Count(func(v float64) bool { return v > 1e-6`}, // all are above 0
	{"row of Table 1, largest difference: ", `"table1", b))`,
		`"table1", nkrr.Block{Data: b.Data, Case: b.Case, Seed: 2}))`}, // another draw
	{"leak-free: halves with a person on both sides", `cut(nkrr.Readings()[3])`, `cut(nkrr.Readings()[1])`},
	{"control, rows centered: halves with a person on both sides", `cut(nkrr.Readings()[0])`, `cut(nkrr.Readings()[3])`},
	{"(18) ⟨M, N − ẽ₁⟩", `shared.Inverse(shared.Hadamard(s, s), 1)`, `shared.Inverse(s, 1)`}, // V as printed
	{"(4) an entry, by its terms", `2*mu2[0]*mu2[1]`, `mu2[0]*mu2[1]`},                       // (3)
	{"the four solutions are certified to 0.1 %", `nb.Solve(ball, mkl.SPG{}, nil)`,
		`nb.Solve(ball, mkl.SPG{}, &mkl.Settings{Iterations: 1})`},
	{"problems with less than 25 steps, row %d", `StepRows(counts, 25)`, `StepRows(counts, 2)`},
	{"steps at the chosen λ and Λ: ", `{{1, 1, 1}, {limit, limit, 3}`, `{{1, 1, 1}, {limit, limit, 1}`},
	{"most steps of a line search, also in section 6", `longest = max(longest, c.SPG)
	nb.`, `longest = max(longest, c.Center)
	nb.`},
	{"sonar, quad. ℓ1: draws that exclude its −.04, ", `"sonar", reading, 4`, `"ionosphere", reading, 4`},
	{"errors of μ = 1 and ℓ1, as given and centered, largest difference: ", `s[1].Y[0], s[1].Y[1]}`,
		`s[2].Y[0], s[2].Y[1]}`}, // ℓ2
}
