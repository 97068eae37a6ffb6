// Package check tests the derivatives of a problem's objective F(θ) numerically and computes the Hessian of J.
//
//	Gradient   compares F with its expansion to first order: is the gradient right?
//	Hessian    the same to second order: are the second derivatives right?
//	Curvature  the matrix ∇²J(θ)
//
// Use Gradient and Hessian for a family, a loss or a regularizer of your own.
package check
