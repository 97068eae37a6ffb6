package notebooks

// mutationsQNPKL contains the mutations of 03_qn_pkl.
var mutationsQNPKL = []mutation{
	{"a split of these results made anew: accuracy after 8 steps", `was.Correct[0]`, `was.Correct[1]`}, // another split
	{"(a) J of the library", `return 1 / (1 - e), `, `return 1 / (1 + e), `},
	{"(a) its derivative", `-p[0], 1e-8`, `p[0], 1e-8`},
	{"(4) J: the library, and plain ascent", `pt.F(), j, 1e-7*j`, `pt.F(), j/2, 1e-7*j`},
	{"(6) −p by the formula, and by differences", `form := qnpkl`, `form := -qnpkl`}, // p itself
	{"(6) −p by the formula, and by differences", `Distance(x, m), k)) / 2`, `Distance(x, m), k))`},
	{"(6) ∇J of the library", `pt.Grad()[m], slope`, `-pt.Grad()[m], slope`},
	{"(c) m = %d", `2*(first-second), direct`, `2*(first+second), direct`},
	{"(c) m = %d", `2*(first-second), direct`, `first-second, direct`},
	{"(9) k = 1, l = 2, α fixed", `h01 := -qnpkl`, `h01 := qnpkl`},
	{"(d) J curves upward more than λ", `curve > h00`, `curve > -h00`}, // (9) without its sign
	{"(e), (f): J at t = 0 and for t → ∞", `f[0]-30`, `f[0]-15`},       // C·min for 2C·min
	{"(e), (f): J at t = 0 and for t → ∞", `f[5]-15`, `f[5]-30`},       // without −½‖α‖²
	{"not convex: the product's J rises along the ray; control: the sum's does not", `Rise(f) > 1`, `Rise(sum) > 1`},
	{"not convex: the product's J rises along the ray; control: the sum's does not", `Rise(sum) < 1e-9`,
		`Rise(append(sum, f...)) < 1e-9`},
	{"two or more minima, of the sets of this size", `len(ends) > 1`, `len(ends) > 0`},
	{"J is larger all around a minimum", `e.X, e.Y, 0.02`, `e.X+1, e.Y, 0.02`},
	{"control: not around γ = 1", `p, 1, 1, 0.02`, `p, ends[0].X, ends[0].Y, 0.02`},
	{"(11) tr C", `mat.Trace(&c), 0, 0`, `mat.Trace(qnpkl.Projected(&c)), 0, 0`}, // for the A that there are
	{"(g) tr PCP, by its eigenvalues", `mat.Sum(m)/(2*float64(n))`, `mat.Sum(m)/float64(n)`},
	{"(g) tr PCP, by its eigenvalues", `qnpkl.Projected(&c)`, `&c`},                              // as (11) has it
	{"yet PCP is indefinite: what it claims of λ holds", `e[0] < 0 &&`, `e[0] >= 0 &&`},          // (10)
	{"the second step ascends as printed", `minus(q, p)) // (7)`, `minus(p, q)) // (7)`},         // as read
	{"and descends corrected", `minus(p, q)) // Δ∇J`, `minus(q, p)) // Δ∇J`},                     // as printed
	{"as printed: where it ends, plain code and library", `{0.1, 0.1}, 1e-3`, `{0.1, 0.1}, 0.1`}, // stopped early
	{"corrected: after six steps, plain code and library", `minus(p, q)) // Δ∇J`, `minus(q, p)) // Δ∇J`},
	{"corrected: after six steps, plain code and library", `js[5], last`, `js[4], last`},                    // stopped early
	{"(7) as printed: −ΣBp², and a difference of J", `slope, difference, 2e-2`, `-slope, difference, 2e-2`}, // as read
	{"(7) as printed: the second direction ascends", `difference > 0`, `difference < 0`},                    // as read
	{"corrected, J falls at every step", `, falls(runs[1])`, `, falls(runs[0])`},
	{"control: as printed, not", `!falls(runs[0])`, `!falls(runs[1])`},
	{"a split of Table 1 made anew: QN-PKL as printed on sonar", `was.Correct[0]`, `was.Correct[1]`},
	{"far in one feature, close in the other: the product", `f(3)*f(0), 1e-15`, `(f(3)+f(0))/2, 1e-15`}, // OR
	{"corrected fewer features than MKL, as printed all", `used(qn) < used(sum)`, `used(sum) < used(qn)`},
	{"corrected fewer features than MKL, as printed all", `QuasiNewton{AsPrinted: true}, nil`, `QuasiNewton{}, nil`},
	{"a split of Table 2 made anew: R of pima", `was.Ratio[0]`, `100-was.Ratio[0]`},
	// without d_m(x_i, x_i) = 0
	{hQNPKL, `- floats.Dot(pt.W, pt.W)`, `- 0*pt.W[0]`},
	{hQNPKL, `form = 2*(floats.Norm(pt.W, 1)-pt.F())`, `form = (floats.Norm(pt.W, 1) - pt.F())`}, // half of AᵀKA
	{"(c) m = %d", `a[j] * u[m] * u[m]`, `a[j] * u[m]`},
	{"corrected: after six steps, plain code and library", `o-1e-4*`, `o-0.9*`}, // another line search
	{"(9) k = 1, l = 2, α fixed", `Hadamard(d0, d1, k)`, `Hadamard(d1, d1, k)`},
	{"erratum 5: the end depends on b₁", `end(1e-4), end(1e-2)`, `end(1e-4), end(1.1e-4)`},
	{"erratum 2: K is not positive semidefinite", `{-0.1, 0.4}`, `{0.1, 0.4}`},
	{"erratum 4: Δp of a constant feature", `append(x[i], 5)`, `append(x[i], float64(i))`},
	{"erratum 5: the end depends on b₁", `end(1e-4), end(1e-2)`, `end(1e-4), end(1e-4)`},
}

const hQNPKL = ": (h) is within four standard errors of the mean over 200 features of noise"
