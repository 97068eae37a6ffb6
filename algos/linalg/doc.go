// Package linalg implements the dense linear algebra of this module: products (Gemm, Syrk, SymGemm, SymMul, MulVec,
// SymMulVec, PackedMulVec), Cholesky factors with their solves and the diagonal of the inverse (Cholesky), full and
// partial symmetric eigendecompositions, and functions of symmetric matrices (Spectral). Matrices are row-major. In a
// symmetric matrix, the package reads and writes the upper triangle. Its types reuse their storage, so that a loop does
// not allocate.
//
// # Backends
//
// Pure Go, based on gonum's kernels, is always available. If a program imports algos/linalg/openblas, an OpenBLAS
// library found on the machine computes large operations. The environment variable MKL_BLAS selects the library, or
// none ("go"). Backend returns the backend in use and the reason.
//
// The backend of an operation depends on the import, on MKL_BLAS, on the presence of a library and on the sizes. All of
// these are fixed while a program runs, and earlier operations have no influence. So a run repeats bit for bit on the
// same machine with the same bound of threads (below). The two backends agree up to rounding. A program's own calls of
// gonum do not change.
//
// An operation is large from the size at which OpenBLAS began to be faster, including the 0.2 µs of a call. The table
// gives that size, and the time in Go divided by the time with the library (minima of interleaved runs on one thread of
// an AMD EPYC with AVX-512, OpenBLAS 0.3.21):
//
//	operation                  size    from    n=16   32   64   128   256   500   1000
//	Gemm                       mnk     32³      3.2  6.8  4.5   5.0          5.4    6.2
//	Syrk                       n²k     32³      2.7  3.8  7.3   5.9          5.4    5.3
//	Cholesky.Solve             n²m     32³      1.3  1.8  2.1   2.3
//	MulVec                     mn      64²      0.5  0.5  1.0   1.4   1.5   1.3    1.2
//	SymMulVec                  n²      64²      0.5  1.3  4.0   5.9   7.8   7.3    7.2
//	Cholesky.SolveVec          n²      64²      0.7  0.7  1.4   2.3   3.6   4.6    5.4
//	Cholesky.Factorize         n       64       0.9  0.9  1.4   3.0          3.7    4.8
//	Cholesky.InverseDiag       n       64       1.1  2.0  2.0   2.2
//	Spectral.Factorize         n       48       0.7  1.2  2.0   4.2
//	  without vectors          n       48       0.9  1.2  1.6   2.4
//	Spectral.Part, 10 vectors  n       48       0.4  0.8  1.8   5.9
//
// PackedMulVec uses the library from the same size as SymMulVec. Its ratios are 1.0 at n = 64, 1.2 at 208, 1.7 at 500
// and 1.5 at 1000 (Intel Xeon, shared with other work).
//
// A product of 16 rows would gain a microsecond, but Go computes it. So a program without larger products never opens
// the library, which takes about 6 ms.
//
// # Threads
//
// A large operation is divided into tiles, which several goroutines compute. Each call of the library stays on one
// thread. A Bound is the largest number of goroutines that one operation uses, including the caller's:
//
//	linalg.Bound(2).Gemm(…)          // at most two
//	c := linalg.Cholesky{Threads: 1} // only the caller's
//	linalg.Gemm(…)                   // Threads(), set by SetThreads or GOMAXPROCS
//
// All operations that run at the same time share the helpers; there are at most Threads() − 1 in the whole program.
// Code that itself computes units of work in parallel should use Bound(1) for its operations.
//
// In pure Go only the sizes determine the tiles, so the number of threads changes no bit of a result. With a library
// the bound determines them too, because larger calls of a library are faster. On one thread Gemm, Syrk and Factorize
// (without Done) do not divide their work. Between bounds, the last bits of a product of more than 256 rows or of a
// factor for n > 512 may differ. The same bound always gives the same bits, independent of other operations and of the
// number of free threads. Other packages compute their own tiles with Run.
package linalg
