package notebooks

// mutationsNKRR are those of 01_nkrr.
var mutationsNKRR = []mutation{
	{"(9) α₁", `v := nkrr.Inverse(kmu, 1)`, `v := nkrr.Inverse(kmu, 2)`},
	{"(10) F", `nkrr.Form(y, v, y), g`, `nkrr.Form(y, v, y)/2, g`},
	{"(11) ∂F/∂μ%d", `-2 * nkrr.Form`, `2 * nkrr.Form`},
	{"(11) ∂F/∂μ%d", `-2 * nkrr.Form`, `-nkrr.Form`},
	{"(19) uᵀ∇²F u", `8*nkrr.Form(b, v, b) - 2*nkrr`, `4*nkrr.Form(b, v, b) - nkrr`}, // as printed
	{"(19) uᵀ∇²F u", `8*nkrr.Form(b, v, b) - 2*nkrr`, `8*nkrr.Form(b, v, b) + 2*nkrr`},
	{"(13) μᵀ∇F", `-2*nkrr.Form(alpha, kmu, alpha)`, `nkrr.Form(alpha, kmu, alpha)`}, // as printed
	{"(12) F at its stationary point 0", `floats.Dot(y, y), 1e-12`, `2*floats.Dot(y, y), 1e-12`},
	{"(22) S_ii where F becomes convex", `math.Sqrt(lambda/3)`, `math.Sqrt(lambda/2)`},
	// 4s² = s+λ: by the printed V
	{"(22) S_ii where F becomes convex", `math.Sqrt(lambda/3)`, `(1+math.Sqrt(1+16*lambda))/8`},
	{"(20) with V = (S∘S+λI)⁻¹", `read := 4*nkrr.Form(b, v, b) - q`, `read := printed`},  // as printed
	{"(19) by indices, as read", `4*read-second`, `4*printed-second`},                    // as printed
	{"(18) ⟨M, N − ẽ₁⟩", `nkrr.Outer(nkrr.Vec(v), one)`, `nkrr.Outer(one, nkrr.Vec(v))`}, // N as printed
	{"(18) ⟨M, N − ẽ₁⟩", `k == j && l == i`, `i == k && j == l`},                         // ẽ₁ as printed
	{"(4) an entry, by its terms", `2*mu[0]*mu[1]`, `mu[0]*mu[1]`},                       // (3)
	{"Lower by weak duality, step %d", `math.Pow(w, 1-q) / q`, `math.Pow(w, 1-q)`},
	{"Algorithm 1: F after %d steps", `8, 10, steps)`, `8, 20, steps)`},
}
