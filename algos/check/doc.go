// Package check tests the derivatives of a problem's objective F(θ) numerically and computes the Hessian
// of J(θ), the objective without its regularizer.
//
//	Gradient       compares F with its expansion to first order: is the gradient right?
//	Hessian        compares F with its expansion to second order: are the second derivatives right?
//	HessianMatrix  returns the matrix ∇²J(θ)
//
// Each draws θ and a direction from a seed:
//
//	t, err := check.Gradient(p, 1)
//	ok := t.OrderHolds()
//
// Use Gradient and Hessian for a family, a loss or a regularizer of your own.
package check
