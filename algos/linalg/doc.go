// Package linalg computes with dense matrices of numbers: products, Cholesky factors and symmetric eigendecompositions.
// It does what gonum's mat does, faster for this module: nothing allocates in a loop, the threads of an operation are
// limited, and a program that imports package openblas computes large operations with an OpenBLAS library. Most users
// of this module never call it.
//
//	Cholesky      A + σI = UᵀU: methods Factorize, SolveVec
//	Spectral      A = Σ λ_i q_i q_iᵀ: methods Factorize, FactorizeSmallest, Values, Vectors, Apply (f(A))
//	ThreadLimit   the most threads that one operation uses. Its methods are operations:
//	              Gemm, Syrk, SymGemm (products), Eigen (eigenvalues), IsPSD (is A positive semidefinite?),
//	              Run (divides work of your own into tiles)
//	MulVec, SymMulVec, Dot, Axpy   functions: products with a vector
//	Backend       which library computes large operations, or why none does
//	SetThreads    sets the number of threads of the program, which ThreadLimit(0) uses
//
//	var c linalg.Cholesky
//	ok := c.Factorize(a, 0.1)                            // A + 0.1·I, n×n; false if it is not positive definite
//	c.SolveVec(x, b)                                     // x = (A + 0.1·I)⁻¹b
//	values, _ := linalg.ThreadLimit(1).Eigen(a, false)   // eigenvalues of A, on the goroutine of the caller
//
// Matrices are row-major. Of a symmetric matrix, the package reads and writes the upper triangle.
//
// # Backends
//
// Pure Go, based on gonum's kernels, is always available. If a program imports algos/linalg/openblas, an OpenBLAS
// library found on the machine computes the operations of at least some 32 to 64 rows. The environment variable
// MKL_BLAS selects the library, or none ("go"). Backend returns the backend in use and the reason. The package does not
// change the results of gonum itself.
//
// Which backend computes an operation depends on the import, on MKL_BLAS, on the presence of a library and on the
// sizes, but not on earlier operations. Therefore two runs on the same machine with the same ThreadLimit give the same
// bits. The results of the two backends differ only by rounding errors.
//
// # Threads
//
// Several goroutines compute a large operation. Code that itself runs tasks in parallel should use ThreadLimit(1) for
// its operations. All operations that run at the same time share at most Threads() − 1 goroutines besides those of the
// callers.
//
//	linalg.ThreadLimit(2).Gemm(…)    // at most two threads
//	c := linalg.Cholesky{Threads: 1} // only the caller's
//	linalg.ThreadLimit(0).Gemm(…)    // Threads(), set by SetThreads or GOMAXPROCS
//
// In pure Go, the number of threads changes no bit of a result. With a library, the last bits of large results depend
// on the limit, but not on other operations or on the number of free threads: see ThreadLimit.
package linalg
