// Package lvx holds what the notebook on Li, Venturi and Xu, "Learning the Kernel for Classification and
// Regression" calls in a line: its problems, the formulas of small dense matrices as they are printed,
// its experiments, and what the paper prints.
//
//	Hand, Two, On                 problems
//	Dense                         F, its gradient and Hessian by the printed formulas
//	Bend, Bottoms                 probes of convexity in μ and in t
//	Race                          solvers against each other
//	Complexities, Risk            Theorem 2.3
//	Protocol                      Tables 1 to 4
//	Learn, Verdict, Figures       Figures 1 to 12, learned against uniform weights
//	Relaxations                   how far the bound by kernel ridge regression is from the SVM
//	Kept, Conclusions             ten draws of these, and the sentences about them
//
// F here is the paper's, F(μ) = yᵀ(K_μ+λI)⁻¹y, twice that of package mkl, where nothing else is said.
package lvx
