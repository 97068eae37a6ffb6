package notebooks

// mutationsQNPKL are those of 03_qn_pkl.
var mutationsQNPKL = []mutation{
	{"(a) J of the library", `1/(1-math.Exp(-1)), 1e-9`, `1/(1+math.Exp(-1)), 1e-9`},
	{"(a) its derivative", `-math.Exp(-1)/math.Pow`, `math.Exp(-1)/math.Pow`},
	{"(4) J: the library, and plain ascent", `pt.F(), j, 1e-7*j`, `pt.F(), j/2, 1e-7*j`},
	{"(6) −p by the formula, and by differences", `form := qnpkl`, `form := -qnpkl`}, // p itself
	{"(6) −p by the formula, and by differences", `Distance(x, m), k)) / 2`, `Distance(x, m), k))`},
	{"(6) ∇J of the library", `pt.Grad()[m], slope`, `-pt.Grad()[m], slope`},
	{"(c) m = %d", `2*(first-second), direct`, `2*(first+second), direct`},
	{"(c) m = %d", `2*(first-second), direct`, `first-second, direct`},
	{"(9) k = 1, l = 2, α fixed", `h01 := -qnpkl`, `h01 := qnpkl`},
	{"(d) J curves upward more than λ", `curve > h00`, `curve > -h00`},           // (9) without its sign
	{"(e) J(0)", `f[0], 30, 1e-9`, `f[0], 15, 1e-9`},                             // C·min for 2C·min
	{"(f) the limit", `f[3], 15, 1e-6`, `f[3], 30, 1e-6`},                        // without −½‖α‖²
	{"(11) tr C", `mat.Trace(&c), 0, 0`, `mat.Trace(qnpkl.Projected(&c)), 0, 0`}, // for the A that there are
	{"(g) tr PCP, by its eigenvalues", `mat.Sum(m)/(2*float64(n))`, `mat.Sum(m)/float64(n)`},
	{"(g) the trace is positive: the argument fails", `floats.Sum(e) > 0`, `mat.Trace(&c) > 0`}, // (11)
	// as (11) has it
	{"(g) tr PCP, by its eigenvalues", `qnpkl.Projected(&c)`, `&c`},
	{"(7) as printed: −ΣBp², and a difference of J", `slope, difference, 2e-2`, `-slope, difference, 2e-2`}, // as read
	// as printed it is to descend
	{"(7) as printed: the second direction ascends", `difference > 0`, `difference < 0`},
	// as printed
	{"erratum 1: −B as printed is the inverse curvature", `-printed, 1/h`, `printed, 1/h`},
	// as printed
	{"erratum 1: a full step as read ends at the minimum", `to-printed*p(to)`, `to+printed*p(to)`},
}
