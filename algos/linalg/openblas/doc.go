// Package openblas lets large dense operations run in an OpenBLAS that is installed on the machine,
// opened at run time: no C compiler, no build tag, no cgo.
//
//	import _ "github.com/mklnb/mkl/algos/linalg/openblas"
//
// is all there is to do. From then on package linalg, and with it everything in this module, computes
// large operations with the library; the sizes are in linalg's documentation. The rest, and
// everything where there is no library, stays pure Go. linalg.Backend says which it is and why.
//
// A program's own calls of gonum (mat, blas64, lapack64) are as they were: nothing is registered
// there. A program that wants the library for its own matrices calls linalg.
//
// The environment variable MKL_BLAS chooses, once, when the program starts:
//
//	unset, "openblas"      the library under its usual names
//	"go"                   pure Go
//	with a dot or a slash  the library in that file, and no other
//	anything else          pure Go, and linalg.Backend says that the choice is unknown
//
// The library is opened at the first operation that is large enough, which costs about 6 ms. It is
// refused, with the reason in linalg.Backend, where it is older than 0.3.8 (not safe for concurrent calls:
// OpenBLAS issues 1761, 1844, 2164), of a version known to be wrong on this processor (issue 2986),
// built without threads (then not safe for concurrent calls either), lacks a function, or fails a
// small computation.
//
// The library's own threads are not used: they change the last bits of results and cost small
// problems many times their run time. linalg cuts large operations into tiles instead and calls the
// library from as many threads as linalg.Threads allows. While the library is opened the process has
// OPENBLAS_NUM_THREADS=1 and OMP_NUM_THREADS=1 in its C environment, so that no threads are started.
//
// A program that imports this package is linked dynamically against the C library (on Linux glibc:
// it does not start in an Alpine or scratch image). On systems other than Linux and macOS, on amd64
// and arm64, the package does nothing.
package openblas
