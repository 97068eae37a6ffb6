// Package reg defines convex regularizers r(θ), which a problem adds to its objective: F(θ) = J(K(θ)) + r(θ).
//
//	regularizer      r(θ)                                 use it for
//	Ridge            β‖θ‖²                                dense weights
//	Lasso            β Σθ                                 sparse weights
//	DistancePenalty  ρ Σ_i L(θ − S_i)                     a kernel matrix close to given similarities
//	Separable        Σ_i r_i(θ_i)                         a regularizer for each part of θ
//
// A regularizer is a field of a problem, and can be evaluated by itself:
//
//	p := &mkl.Problem{Grams: g, Set: set.Orthant{}, Reg: reg.Ridge{Beta: 0.5}, Loss: loss.Squared{Lambda: 0.1}, Y: y}
//	value := p.Reg.Value(grad, theta) // r(θ); adds the gradient to grad
//
// A problem without a regularizer has a nil Reg. The types are plain values. One value can serve many runs at once, and
// package registry stores it. To add a regularizer, follow .github/CONTRIBUTING.md. Package regtest checks it.
package reg
