package linalg

import (
	"runtime"

	"gonum.org/v1/gonum/blas"
)

// tiled is the engine in pure Go for WebAssembly, for which gonum has no vector instructions. It computes products in
// blocks of side×side entries of C, which are local variables: each entry that it loads is used four times.
type tiled struct{ pure }

const (
	side       = 4   // rows and columns of a block of C
	panelCols  = 64  // columns of op(B) that are copied at a time
	panelInner = 128 // rows of op(B) that are copied at a time
	solveRows  = 16  // rows of the right-hand sides that gonum's Dtrsm solves at a time
)

// usesTiles states which engine in pure Go computes. With vector instructions, tiled is slower.
var usesTiles = runtime.GOARCH == "wasm"

// pureEngine returns the engine in pure Go of this architecture.
func pureEngine() engine {
	if usesTiles {
		return tiled{}
	}
	return pure{}
}

// Dgemm stores α·op(A)·op(B) + β·C in C. It copies strips of four rows of op(A) and of four columns of op(B), in the
// order of their use.
func (tiled) Dgemm(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	(&product{m: m, n: n, beta: beta, c: c, ldc: ldc}).scaleByBeta()
	var rowStrip [side * panelInner]float64
	var colStrips [panelCols * panelInner]float64
	tBT := transposeFlag(tB == blas.NoTrans)
	for firstCol := 0; firstCol < n; firstCol += panelCols {
		for l := 0; l < k; l += panelInner {
			depth, endCol := min(panelInner, k-l), min(firstCol+panelCols, n)
			length := side * depth
			for j := firstCol; j < endCol; j += side {
				y := b[entryIndex(tB, l, j, ldb):]
				pack(colStrips[(j-firstCol)*depth:][:length], tBT, min(side, n-j), depth, y, ldb)
			}
			for i := 0; i < m; i += side {
				pack(rowStrip[:length], tA, min(side, m-i), depth, a[entryIndex(tA, i, l, lda):], lda)
				for j := firstCol; j < endCol; j += side {
					block := multiplyStrips(rowStrip[:length], colStrips[(j-firstCol)*depth:][:length])
					for r := range min(side, m-i) {
						row := c[(i+r)*ldc+j:]
						for s := range min(side, n-j) {
							row[s] += alpha * block[r][s]
						}
					}
				}
			}
		}
	}
}

// pack stores the first rows of op(X), of rows×depth, in strip, column after column. Rows that are missing are zero.
func pack(strip []float64, t blas.Transpose, rows, depth int, x []float64, ldx int) {
	if rows < side {
		clear(strip)
	}
	if t == blas.Trans {
		for l := range depth {
			for r, v := range x[l*ldx : l*ldx+rows] {
				strip[l*side+r] = v
			}
		}
		return
	}
	for r := range rows {
		for l, v := range x[r*ldx : r*ldx+depth] {
			strip[l*side+r] = v
		}
	}
}

// multiplyStrips returns the product of a strip of op(A) and a strip of op(B).
func multiplyStrips(a, b []float64) (t [side][side]float64) {
	var t00, t01, t02, t03, t10, t11, t12, t13, t20, t21, t22, t23, t30, t31, t32, t33 float64
	for len(a) >= side && len(b) >= side {
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
		t00, t01, t02, t03 = t00+a0*b0, t01+a0*b1, t02+a0*b2, t03+a0*b3
		t10, t11, t12, t13 = t10+a1*b0, t11+a1*b1, t12+a1*b2, t13+a1*b3
		t20, t21, t22, t23 = t20+a2*b0, t21+a2*b1, t22+a2*b2, t23+a2*b3
		t30, t31, t32, t33 = t30+a3*b0, t31+a3*b1, t32+a3*b2, t33+a3*b3
		a, b = a[side:], b[side:]
	}
	return [side][side]float64{{t00, t01, t02, t03}, {t10, t11, t12, t13}, {t20, t21, t22, t23}, {t30, t31, t32, t33}}
}

// Dsyrk stores the rows of C up to their ends, four at a time, so entries next to the diagonal are overwritten.
func (e tiled) Dsyrk(t blas.Transpose, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64,
	ldc int) {
	for i := 0; i < n; i += tileRows {
		x := a[entryIndex(t, i, 0, lda):]
		e.Dgemm(t, transposeFlag(t == blas.NoTrans), min(tileRows, n-i), n-i, k, alpha, x, lda, x, lda, beta,
			c[i*(ldc+1):], ldc)
	}
}

// Dtrsm solves for a few rows of the result with gonum, and subtracts their products from the rows below.
func (e tiled) Dtrsm(t blas.Transpose, m, n int, u []float64, ldu int, b []float64, ldb int) {
	if t == blas.NoTrans {
		e.pure.Dtrsm(t, m, n, u, ldu, b, ldb)
		return
	}
	for i := 0; i < m; i += solveRows {
		rows := min(solveRows, m-i)
		e.pure.Dtrsm(t, rows, n, u[i*(ldu+1):], ldu, b[i*ldb:], ldb)
		if rest := m - i - rows; rest > 0 {
			below := b[(i+rows)*ldb:]
			e.Dgemm(t, blas.NoTrans, rest, n, rows, -1, u[i*(ldu+1)+rows:], ldu, b[i*ldb:], ldb, 1, below, ldb)
		}
	}
}
