package notebooks

// mutationsESKL are those of 04_similarities.
var mutationsESKL = []mutation{
	{"least eigenvalue of the toy", `1-math.Sqrt2, 1e-14`, `1+math.Sqrt2, 1e-14`},
	{"negative mass", `(2*math.Sqrt2+1), 1e-14`, `(2*math.Sqrt2-1), 1e-14`},
	{"denoise: distance² is the sum of the negative λ²", `min(l, 0)`, `l`},
	{"(3): 200 steps to other matrices give more", `star := eskl.Clipped(s.S[0], w, rho)`, `star := eskl.Clipped(s.S[0], w, rho/4)`}, // ww'/ρ
	{"(3): 200 steps to other matrices give more", `star := eskl.Clipped(s.S[0], w, rho)`, `star := eskl.Clipped(s.S[0], w, -rho)`},  // −ww'/4ρ
	// −∇φ
	{"∇φ against differences, worst of 10", `/2e-6-slope[i]`, `/2e-6+slope[i]`},
	// 2ρ
	{"F by its definition", `value+0.1*`, `value+0.2*`},
	// +½ww'
	{"(8) with %v", `form := -floats`, `form := floats`},
	// −ww'
	{"(8) with %v", `/2 + floats`, ` + floats`},
	// without ρ
	{"(8) with %v", `/2 + floats.Dot(far, e)`, `/2 + floats.Dot(far, e)/0.25`},
	{"step 3: 200 matrices of the same trace give more", `eskl.Entropic(g, tau) //`, `eskl.Entropic(eskl.Clipped(g, make([]float64, n), 1), tau) //`}, // of other eigenvalues
	{"(10) of three equal matrices is ω(9K)", `nine.ScaleSym(9, k)`, `nine.ScaleSym(3, k)`},
	// both are called Ω
	{"(5) is another number", `one, _ := eskl.Omega(k, s.Y, 2)`, `one, _ := eskl.Omega(&nine, s.Y, 2)`},
	{"its γ₁ is near", `at, 1/omega.Block[0]`, `at, omega.Block[0]`},
	{"(12) with ρ", `inner, difference, 1e-4`, `printed, difference, 1e-4`}, // as printed
	{"(12) as printed", `printed-difference`, `inner-difference`},           // as read
	{"‖∂Ω/∂K₂‖ for ε = %g", `omega.Block[1]/2*`, `omega.Block[1]*`},
	{"cost of the printed step, m = %g", `bound(0.02/m)`, `bound(0.02/m/m)`}, // steps shorter by m
}
