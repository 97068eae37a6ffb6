// Package linalg is the dense linear algebra of this module: products (Gemm, Syrk, SymGemm, SymMul,
// MulVec, SymMulVec, PackedMulVec), Cholesky factors with their solves and the diagonal of the inverse (Cholesky),
// symmetric eigendecompositions, whole or in part, and functions of symmetric matrices (Spectral).
// Matrices are row-major; of symmetric ones the upper triangle is read and written. Types keep their
// storage, and nothing allocates in a loop.
//
// # Backends
//
// Pure Go, on gonum's kernels, is always there. In a program that imports algos/linalg/openblas,
// large operations are computed by an OpenBLAS found on the machine; the environment variable
// MKL_BLAS says which or that there is none ("go"), and Backend says what is used, and why.
//
// Which of the two computes an operation depends on the import, on MKL_BLAS, on whether there is a
// library and on the sizes, all of them fixed while a program runs: never on what ran before. So a
// run repeats bit for bit on the same machine with the same bound of threads (below). The two agree
// to rounding. A program's own calls of gonum are not touched.
//
// An operation is large from the size on at which OpenBLAS began to be faster, the 0.2 µs of calling
// it included. The table gives that size and the time in Go divided by the time with the library
// (minima of interleaved runs on one thread of an AMD EPYC with AVX-512, OpenBLAS 0.3.21):
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
// PackedMulVec has the size of SymMulVec: 1.0 at n = 64, 1.2 at 208, 1.7 at 500, 1.5 at 1000 (Intel Xeon, shared with
// other work).
//
// A product of 16 rows gains a microsecond and is left to Go all the same, so that a program without
// larger ones never opens the library, which takes about 6 ms.
//
// # Threads
//
// A large operation is cut into tiles, and several goroutines compute them; each call of the library
// stays on one thread. A Bound says at most how many goroutines one operation uses, the caller's
// own included:
//
//	linalg.Bound(2).Gemm(…)          // at most two
//	c := linalg.Cholesky{Threads: 1} // the caller's alone
//	linalg.Gemm(…)                   // Threads(), as SetThreads or GOMAXPROCS says
//
// All operations that run at once share the helpers, Threads() − 1 in the whole program. Code that
// computes units of work in parallel itself gives its operations Bound(1).
//
// In pure Go the sizes alone decide on the tiles, so that the number of threads changes no bit of a
// result. With a library the bound decides with them, because its calls are the faster the larger
// they are: on one thread nothing is cut, and the last bits of a product of more than 256 rows or of
// a factor for n > 512 may differ between bounds. The same bound gives the same bits every time,
// whatever else runs and however many threads are free. Code of other packages has its own tiles
// computed by Run.
package linalg
