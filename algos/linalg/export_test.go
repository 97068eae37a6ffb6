package linalg

import "gonum.org/v1/gonum/blas"

// Lent is how many goroutines help now, in the whole program.
func Lent() int { return int(lent.Load()) }

// Watch has enter called before and leave after every call of the library that computes a tile, with
// the stride of what it writes, and returns what undoes it.
func Watch(enter, leave func(ld int)) (undo func()) {
	was := library
	library = watched{library, enter, leave}
	return func() { library = was }
}

type watched struct {
	Library
	enter, leave func(ld int)
}

func (w watched) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	w.enter(ldc)
	defer w.leave(ldc)
	w.Library.Dgemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

func (w watched) Dsyrk(ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64,
	c []float64, ldc int) {
	w.enter(ldc)
	defer w.leave(ldc)
	w.Library.Dsyrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

func (w watched) Dsymm(s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	w.enter(ldc)
	defer w.leave(ldc)
	w.Library.Dsymm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

func (w watched) Dtrsm(s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha float64, a []float64,
	lda int, b []float64, ldb int) {
	w.enter(ldb)
	defer w.leave(ldb)
	w.Library.Dtrsm(s, ul, t, d, m, n, alpha, a, lda, b, ldb)
}

func (w watched) Reflect(n, rows int, a []float64, lda int, tau, z []float64, ldz int, work []float64) {
	w.enter(ldz)
	defer w.leave(ldz)
	w.Library.Reflect(n, rows, a, lda, tau, z, ldz, work)
}

// PureGo runs f without the library.
func PureGo(f func()) {
	l := library
	library = nil
	defer func() { library = l }()
	f()
}
