package notebooks

// mutationsNKRR contains the mutations of 01_nkrr.
var mutationsNKRR = []mutation{
	{"F by its formula, row %d", `Degree: 2, Constant: true`, `Degree: 3, Constant: true`},
	{"f of the first new echo, row %d", `DecisionValues(p.Grams, r, test.X)`, `DecisionValues(p.Grams, r, train.X)`},
	{"in t the Hessian is positive definite on the whole grid", `NewSurface(figure1, 2, grid)`, `NewSurface(figure1, 1.9, grid)`},
	{"in μ, the control, it is not", `NewSurface(figure1, 1, grid)`, `NewSurface(figure1, 2, grid)`},
	{"least eigenvalue at one point by differences, μ^%d", `s.Smallest[k][j]`, `s.Smallest[k][j]/2`}, // as printed in (19)
	{"t₁ on paper", `nkrr.TwoPointProblem(2, 3, 2)`, `nkrr.TwoPointProblem(2, 2, 3)`},
	{"F on paper", `2*two.F, 5+10./3`, `two.F, 5+10./3`},
	{"the point is on the curve", `9/(1+t) + 4/(2-t)`, `4/(1+t) + 9/(2-t)`}, // y exchanged
	{"(11) ∂F/∂μ%d", `-2 * nkrr.BilinearForm`, `2 * nkrr.BilinearForm`},
	{"verdict: small sets, least change in %", `nkrr.PerExample, 0, norm).Mean`, `nkrr.AsWritten, 0, norm).Mean`},
	{"verdict: small sets, largest change in %", `floats.Max(smallSets)`, `floats.Min(smallSets)`},
	{"verdict: clear draws of both, stars as given", `kitchen.ClearSeeds+electronics.ClearSeeds`,
		`kitchen.ClearSeeds-electronics.ClearSeeds`},
	{"verdict: arm, 819 points, clear draws", `arm819.ClearSeeds`,
		`gainOf("figure3", "kin-8nm", "degree 4", 20, "degree 4 learned").ClearSeeds`},
	{"Figure 1, λ = %g, control: with centered features F(1, 1) is above both", `nkrr.CenteredFamily(2), 2, 1, lambda)`,
		`nkrr.ScaledFamily(2), 2, 1, lambda)`},
	{"verdict: sonar, 2-norm: certified gap of descent", `learned := nb.Solve(p, mkl.SPG{}, nil)`,
		`learned := nb.Solve(p, mkl.SPG{}, &mkl.Settings{Iterations: 1})`},
	{"verdict: smallest case, 1-norm: end of descent above the minimum 8.5", `{0.05, 0.95}`,
		`{0.95, 0.05}`},
	{"verdict: quadratic intervals, rows centered, that exclude 0", `k > 3`, `k > 0`}, // linear ones too
	{"verdict: draws that exclude sonar's printed gain", `"sonar", nkrr.PerExample, 5`, `"ionosphere", nkrr.PerExample, 5`},
	{"verdict: kitchen, gain in %", `gainOf("figure2", "kitchen", nkrr.Stars, 500, "ℓ2")`,
		`gainOf("figure2", "kitchen", nkrr.CenteredStars, 500, "ℓ2")`},
	{"verdict: electronics, gain in %", `gainOf("figure2", "electronics", nkrr.Stars, 500, "ℓ2")`,
		`gainOf("figure2", "kitchen", nkrr.Stars, 500, "ℓ2")`},
	{"verdict: gain that is left with centered stars, 2-norm: ", `gainOf("figure2", data, nkrr.CenteredStars, 500, "ℓ2")`,
		`gainOf("figure2", data, nkrr.Stars, 500, "ℓ2")`},
	{"verdict: the same, 1-norm: ", `gainOf("figure2", data, nkrr.CenteredStars, 500, "ℓ1")`,
		`gainOf("figure2", data, nkrr.CenteredStars, 500, "ℓ2")`},
	{"verdict: clear draws of the 1-norm", `clear1+sparse.ClearSeeds`, `clear1+left.ClearSeeds`},
	{"verdict: clear draws of the 2-norm", `clear2+left.ClearSeeds`, `clear2+sparse.ClearSeeds`},
	{"verdict: stored studies with certificates", `"table1": 5`, `"table1": 4`}, // the 1-norm
	{"verdict: stored studies in which a solve stalled", `statuses["stalled"]), 1`, `statuses["stationary"]), 1`},
	{"verdict: arm, 819 points", `"degree 4", 5,`, `"degree 4", 10,`},
	{"verdict: arm, 409 points", `"degree 4", 10,`, `"degree 4", 5,`},
	{"verdict: the best fixed degree is 3", `floats.MinIdx(fixed) + 1`, `floats.MinIdx(fixed) + 2`},
	{"verdict: learned degree 4 over the best fixed degree, 819 points, in %", `x, 1)[3]/floats`, `x, 1)[2]/floats`},
	{"largest by smallest weight at Λ = 0.5", `spread(byRadius[0])`, `spread(byRadius[1])`},
	{"largest by smallest weight at Λ = 32", `spread(byRadius[3])`, `spread(byRadius[2])`},
	{"weights above 1 at Λ = 0.5", `return float64(floats.Count(func(v float64) bool { return v > 1+1e-6`,
		`return float64(floats.Count(func(v float64) bool { return v > 1.1`},
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
	{"lower bound of min F, step %d", `max(top, -g/w)`, `max(top, -2*g/w)`},
	{"2-norm ball: min F − max over α of min over μ", `max(a*a, b*b)`, `a*a-b*b`},
	{"control, 1-norm ball: the difference", `[]float64{0.9, 0.1}`, `[]float64{0.1, 0.9}`}, // the other minimum
	{"Algorithm 1, μ₀ = %g: largest difference of F from the library's", `eta *= 0.8`, `eta *= 0.9`},
	{"sonar, λ = 100, Λ = 2: steps from μ₀ + Λ1/√m", `1e-3, limit, nb.Size`, `1e-2, limit, nb.Size`},
	{"sonar, λ = 100, Λ = 2: steps from μ₀", `float64(c.Center), 1`, `float64(c.Sphere), 1`},
	{"the same in the chart", `"sonar, sphere"`, `"sonar, μ₀"`},
	{"each Λ is a candidate of the 2-norm", `[]float64{0.5, 2, 8, 32}`, `[]float64{1, 5, 25, 125}`}, // of the 1-norm
	{"ionosphere, fast as written and slow with rows centered: ", `fast == (c.Reading == nkrr.AsWritten) &&`,
		`fast == (c.Reading == nkrr.Constant) &&`},
	{"the titles count the columns", `range panels[i].Series[1:]`, `range panels[i].Series[2:]`},
	{"sets with six of six columns, per example", `within / 6`, `within / 5`},
	{"control, as written", `six[2], 0`, `six[1], 0`},
	{"sets with six of six columns, with a constant: Parkinsons", `six[3], 1`, `six[2], 1`},
	{"most clear draws of a column, ionosphere", `clearColumn[true]), 5`, `clearColumn[false]), 5`},
	{"most clear draws of a column, other sets", `clearColumn[false]), 0`, `clearColumn[true]), 0`},
	{"stars as given, ℓ2: clear draws of both sets", `nkrr.NewGain(figure2, "electronics", nkrr.Stars, 500,`,
		`nkrr.NewGain(figure2, "electronics", nkrr.CenteredStars, 500,`},
	{"clear draws of each degree and size", `"degree %d", degree+1`, `"degree %d", 4-degree`},
	{"gain of degree 3 in %%, factor %d", `"degree 3", nkrr.Factors[i], "degree 3 learned"`,
		`"degree 4", nkrr.Factors[i], "degree 4 learned"`},
	{"gain of degree 2 with 204 points, in %", `"degree 2", 20,`, `"degree 2", 10,`},
	{"sonar, quad. ℓ2: the drawn gain, from the drawn errors", `rmse[5]-rmse[3]`, `rmse[5]-rmse[0]`},
	{"sonar, quad. ℓ2: it lies in its interval", `gain.Y[3] < gain.Hi[3]`, `gain.Y[3] < gain.Lo[3]`},
	{"sonar, quad. ℓ2: draws whose interval excludes the printed gain −.04",
		`count("sonar")`, `count("parkinsons")`},
	{"control, ionosphere: draws whose interval excludes its −.02", `nkrr.PerExample, 5`, `nkrr.AsWritten, 5`},
	{"gains of the second picture, from the first: largest difference in %", `{{2, 0}, {2, 1}, {1, 1}}`,
		`{{1, 0}, {1, 1}, {2, 1}}`}, // ℓ1 and ℓ2 exchanged
	{"means and gains lie within their bars", `s.Y[j] <= s.Hi[j]`, `s.Y[j] <= s.Lo[j]`},
	{"stored results of finefoods (not in the pictures): largest difference", `"figure2", storedFoods)`,
		`"figure2", nkrr.Block{Data: "finefoods", Case: nkrr.Stars, X: 200, Seed: 1})`}, // not centered
	{"learned ℓ2 is below μ = 1 with %d pairs", `b.Columns[2].Mean <`, `b.Columns[0].Mean <`},
	{"the constant has the largest learned weight", `len(offset)-1`, `0`},
	{"stored results of a simulated arm (not drawn): largest difference", `"figure3", storedArm)`,
		`"figure3", nkrr.Block{Data: storedArm.Data, Case: storedArm.Case, X: 50, Seed: 2})`}, // another draw
	{"gain of degree 4 with 819 points, from its curves", `curve4["learned"]/curve4["fixed"]`,
		`curve4["fixed"]/curve4["learned"]`},
	{"points at factor 5", `math.Floor(4096/5.)`, `math.Floor(8192/5.)`},
	{"draws whose interval of the gain excludes 0", `2*math.Abs(c.Diff) > c.Hi-c.Lo`, `c.Lo > 0`}, // the other side
	{"learned degree 4 over the best fixed degree, 409 points, in %", `against[10]`, `against[5]`},
	{"learned degree 4 over the best fixed degree, 204 points, in %", `against[20]`, `against[10]`},
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
	{"breast in Table 1, largest difference: ", `"table1", b))`,
		`"table1", nkrr.Block{Data: b.Data, Case: b.Case, Seed: 2}))`}, // another draw
	{"leak-free: halves with a person on both sides", `cut(nkrr.Readings()[3])`, `cut(nkrr.Readings()[1])`},
	{"control, per example: halves with a person on both sides", `cut(nkrr.Readings()[0])`, `cut(nkrr.Readings()[3])`},
	{"(18) ⟨M, N − ẽ₁⟩", `shared.Inverse(shared.Hadamard(s, s), 1)`, `shared.Inverse(s, 1)`}, // V as printed
	{"(4) an entry, by its terms", `2*mu2[0]*mu2[1]`, `mu2[0]*mu2[1]`},                       // (3)
	{"verdict: the same, 1-norm, draws", `"sonar", nkrr.PerExample, 4`, `"ionosphere", nkrr.PerExample, 4`},
	{"verdict: foods, centered, gain in %, ", `"finefoods", nkrr.CenteredStars, 200`, `"kitchen", nkrr.CenteredStars, 500`},
	{"verdict: foods, centered, clear draws, ", `unchanged.ClearSeeds`, `unchanged.Seeds`},
	{"verdict: least gain over degree 3 in ten draws, 819 points, in %", `floats.Max(byDraw(5, 0, 3))`,
		`floats.Max(byDraw(5, 1, 3))`}, // learned degree 3
	{"verdict: largest gain over degree 3 in ten draws, in %", `floats.Min(byDraw(5, 0, 3))`, `floats.Min(byDraw(5, 0, 4))`},
	{"the four solutions are certified to 0.1 %", `nb.Solve(ball, mkl.SPG{}, nil)`,
		`nb.Solve(ball, mkl.SPG{}, &mkl.Settings{Iterations: 1})`},
	{"problems with less than 25 steps, Λ = %g", `CountBelow(ofRadius, 25)`, `CountBelow(ofRadius, 2)`},
	{"fast as written, and breast under both: ", `c.Data == nkrr.Sets[2]`, `c.Data == nkrr.Sets[1]`},
	{"sonar, rows centered: steps from μ₀ + Λ1/√m", `float64(c.Sphere), 43`, `float64(c.Center), 43`},
	{"sonar, rows centered: steps from μ₀", `float64(c.Center), 27`, `float64(c.Sphere), 27`},
	{"most steps of a line search", `longest = max(longest, c.SPG)
	if`, `longest = max(longest, c.Center)
	if`},
	{"ionosphere, per example: draws that take the largest Λ", `b.Columns[5].Radius`, `b.Columns[4].Radius`},
	{"sonar, per example: near columns, the fewest and the most in a draw", `min(fewest, b.CountMeansNearPrinted(2))`,
		`min(fewest, b.CountMeansNearPrinted(1))`},
	{"sonar, quad. ℓ1: draws that exclude its −.04, ", `"sonar", reading, 4`, `"ionosphere", reading, 4`},
	{"ionosphere, per example, gain in %: ", `"ionosphere", nkrr.PerExample, 0, norm`, `"ionosphere", nkrr.AsWritten, 0, norm`},
	{"ionosphere, per example, clear draws: ", `g.ClearSeeds`, `g.Seeds`},
	{"errors of μ = 1 and ℓ1, as given and centered, largest difference: ", `s[1].Y[0], s[1].Y[1]}`,
		`s[2].Y[0], s[2].Y[1]}`}, // ℓ2
	{"learned degree 4 less learned degree 3 in percent, factor %d", `byDraw(v.x, 1, 3)`, `byDraw(v.x, 0, 3)`},
	{"draws in which learned degree 4 is below degree 3: 409 and 204 points", `byDraw(x, 0, 3)`, `byDraw(x, 0, 4)`},
}
