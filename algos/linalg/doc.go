// Package linalg implements dense linear algebra:
//
//	products                                 Gemm, Syrk, SymGemm, MulVec, SymMulVec
//	Cholesky factors, solves                 Cholesky
//	symmetric eigendecompositions            Spectral, Eigen
//
// Matrices are row-major. Of a symmetric matrix, the package reads and writes the upper triangle. Its types reuse their
// storage, so that a loop does not allocate.
//
//	var c linalg.Cholesky
//	ok := c.Factorize(a, 0.1) // A + 0.1·I, n×n; ok is false if it is not positive definite
//	c.SolveVec(x, b)          // x = (A + 0.1·I)⁻¹b
//
// # Backends
//
// Pure Go, based on gonum's kernels, is always available. If a program imports algos/linalg/openblas, an OpenBLAS
// library found on the machine computes large operations. The environment variable MKL_BLAS selects the library, or
// none ("go"). Backend returns the backend in use and the reason.
//
// The backend of an operation depends on the import, on MKL_BLAS, on the presence of a library and on the sizes. All of
// these are fixed while a program runs, and earlier operations have no influence. Therefore two runs on the same
// machine with the same ThreadLimit (below) give the same bits. The results of the two backends differ only by rounding
// errors. The package does not change the results of gonum itself.
//
// An operation is large if OpenBLAS was measured to be faster at its size, including the 0.2 µs of a call: a product or
// solve with mnk ≥ 32³, a product or solve of an m×n matrix and a vector with mn ≥ 64², a Cholesky factor of order 64,
// a spectrum of order 48.
//
// Below these sizes the library would save at most about a microsecond per operation, and a program without larger
// operations never opens it, which would take about 6 ms.
//
// # Threads
//
// A large operation is divided into tiles, which several goroutines compute. The library computes each call on one
// thread. A ThreadLimit is the largest number of goroutines that one operation uses, including the caller's:
//
//	linalg.ThreadLimit(2).Gemm(…)          // at most two
//	c := linalg.Cholesky{Threads: 1} // only the caller's
//	linalg.ThreadLimit(0).Gemm(…)          // Threads(), set by SetThreads or GOMAXPROCS
//
// Helpers are the goroutines that compute tiles in addition to the callers. All operations that run at the same time
// share at most Threads() − 1 helpers in the whole program. Code that itself runs tasks in parallel should use
// ThreadLimit(1) for its operations.
//
// In pure Go the tiles depend only on the sizes, so the number of threads changes no bit of a result. With a library
// the tiles also depend on the limit, because larger calls of a library are faster: on one thread, Gemm, Syrk and
// Factorize (without Done) do not divide their work. With different limits, the last bits of a product of more than 256
// rows, or of a Cholesky factor of order n > 512, may differ. The same limit always gives the same bits, independent of
// other operations and of the number of free threads.
//
// Other packages can divide their own work into tiles with Run.
package linalg
