package linalg

import (
	"gonum.org/v1/gonum/blas"
	"os"
	"runtime"
)

// side is the number of rows and of columns of the blocks of C that addTiles computes in local variables.
const side = 4

var usesTiles = runtime.GOARCH == "wasm" && os.Getenv("NOTILES") == ""

func scaleRows(m, n int, beta float64, c []float64, ldc int) {
	if beta == 1 {
		return
	}
	for i := range m {
		row := c[i*ldc : i*ldc+n]
		if beta == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] *= beta
		}
	}
}

// addTiles computes C += α·op(A)·op(B), with op(A) of m×k and op(B) of k×n, in blocks of side×side. panels holds copies of
// op(A) and op(B) in the order of their use: strips of four rows of op(A) and of four columns of op(B), filled with
// zeros.
func addTiles(tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int, c []float64,
	ldc int) {
	var aPanel [side * tileInner]float64
	var bPanels [tileCols * tileInner]float64
	for j := 0; j < n; j += side {
		pack(bPanels[j*k:(j+side)*k], otherFlag(tB), min(side, n-j), k, b[entryIndex(tB, 0, j, ldb):], ldb)
	}
	for i := 0; i < m; i += side {
		pack(aPanel[:side*k], tA, min(side, m-i), k, a[entryIndex(tA, i, 0, lda):], lda)
		for j := 0; j < n; j += side {
			tile := multiplyPanels(aPanel[:side*k], bPanels[j*k:(j+side)*k])
			for r := range min(side, m-i) {
				row := c[(i+r)*ldc+j:]
				for s := range min(side, n-j) {
					row[s] += alpha * tile[r][s]
				}
			}
		}
	}
}

func otherFlag(t blas.Transpose) blas.Transpose { return transposeFlag(t == blas.NoTrans) }

// pack stores the first rows of op(X), of rows×k, in p: the entries of a column are neighbors.
func pack(p []float64, t blas.Transpose, rows, k int, x []float64, ldx int) {
	if rows < side {
		clear(p)
	}
	if t == blas.Trans {
		for l := range k {
			copy(p[l*side:l*side+rows], x[l*ldx:l*ldx+rows])
		}
		return
	}
	for r := range rows {
		for l, v := range x[r*ldx : r*ldx+k] {
			p[l*side+r] = v
		}
	}
}

// multiplyPanels returns the product of a strip of op(A) and a strip of op(B).
func multiplyPanels(a, b []float64) (t [side][side]float64) {
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
