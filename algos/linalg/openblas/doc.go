// Package openblas makes package linalg compute large operations with an OpenBLAS library that is installed on the
// machine. It opens the library at run time: it needs no C compiler, no build tag and no cgo. Import it for its side
// effect:
//
//	import _ "github.com/mklnb/mkl/algos/linalg/openblas"
//
// Package linalg, and with it everything in this module, then computes large operations with the library. Pure Go
// computes all other operations, and all operations if no library is found. linalg.Backend returns the backend and the
// reason.
//
// A program's own calls of gonum (mat, blas64, lapack64) do not use the library, because the package does not register
// it there. A program can call linalg for its own matrices.
//
// The environment variable MKL_BLAS selects the backend once, when the program starts:
//
//	unset, "openblas"      the library under its usual names
//	"go"                   pure Go
//	with a dot or a slash  the library in that file only
//	anything else          pure Go; linalg.Backend reports the unknown value
//
// The library is opened at the first operation that is large enough, which takes about 6 ms. It is rejected, with the
// reason in linalg.Backend, in these cases:
//   - Its version is older than 0.3.8 and not safe for concurrent calls (OpenBLAS issues 1761, 1844, 2164).
//   - Its version is known to compute wrong results on this processor (issue 2986).
//   - Its version is 0.3.11, which its authors withdrew.
//   - It was built without threads; it is then not safe for concurrent calls either.
//   - It lacks a function.
//
// The library does not use its own threads. They would change the last bits of results, and small problems would take
// many times as long. linalg divides large operations into tiles instead, and calls the library from up to
// linalg.Threads threads. OPENBLAS_NUM_THREADS=1 and OMP_NUM_THREADS=1 are set in the C environment of the process, so
// that the library starts no threads.
//
// A program that imports this package is linked dynamically with the C library. On Linux this is glibc, so the program
// does not start in an Alpine or scratch image. On systems other than Linux and macOS, and on processors other than
// amd64 and arm64, the package does nothing.
package openblas
