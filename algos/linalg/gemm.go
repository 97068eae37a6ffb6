package linalg

import "gonum.org/v1/gonum/blas"

// Sizes of tiles. A strip is a tile that has all rows or all columns of the result.
const (
	stripRows = 256     // with a library: the smallest number of rows of a tile of a product
	minCols   = 1024    // with a library: the smallest number of columns of a tile of a product
	tileWork  = 1 << 22 // in pure Go: mnk of a tile, about a millisecond
)

// product computes C = α·op(A)·op(B) + β·C, or only its upper triangle, in tiles. op(A) is A or Aᵀ, of m×k; op(B) is
// k×n.
type product struct {
	e             engine
	tA, tB        blas.Transpose
	m, n, k       int
	alpha, beta   float64
	a, b, c       []float64
	lda, ldb, ldc int
	rows, cols    int  // size of a tile
	tilesPerRow   int  // number of tiles next to each other
	upperOnly     bool // compute only tiles that reach the diagonal or lie above it
	isSyrk        bool // op(B) = op(A)ᵀ: Dsyrk can compute the diagonal blocks
}

// chooseTiles chooses the size of the tiles for the given number of threads and returns the number of tiles.
//
// A library copies B once for every strip of rows, and A once for every strip of columns. Copying A takes twice as long
// as copying B. (At n = 2000, the copies take 3 % of the time for strips of 512 rows, 5 % for strips of 256 rows, and 9
// % for strips of 512 columns.) Therefore the number of strips of rows is the number of threads. If only a triangle is
// computed, it is twice that number, because the strips have unequal amounts of work. The columns are divided only if
// there are fewer strips of rows than threads.
func (p *product) chooseTiles(useLibrary bool, threads int) int {
	if useLibrary {
		strips := threads
		if p.upperOnly && (threads > 1 || !p.isSyrk) {
			strips = 2 * max(2, threads)
		}
		p.rows, p.cols = max(stripRows, tileSize(p.m, strips)), p.n
		if strips = (p.m + p.rows - 1) / p.rows; strips < threads {
			p.cols = max(minCols, tileSize(p.n*strips, threads))
		}
	} else {
		p.cols = p.n
		p.rows = tileRows * max(1, tileWork/(tileRows*p.n*p.k))
	}
	p.tilesPerRow = (p.n + p.cols - 1) / p.cols
	return (p.m + p.rows - 1) / p.rows * p.tilesPerRow
}

// tileSize returns n/k, rounded up to a multiple of 64.
func tileSize(n, k int) int { return (n + 64*k - 1) / (64 * k) * 64 }

// computeTile computes tile t. If upperOnly is set, it skips tiles below the diagonal.
func (p *product) computeTile(t int) {
	i, j := t/p.tilesPerRow*p.rows, t%p.tilesPerRow*p.cols
	m, n := min(p.rows, p.m-i), min(p.cols, p.n-j)
	if p.upperOnly && j < i+m {
		if j+n <= i {
			return // below the diagonal
		}
		p.computeDiagonalTile(i, m, max(j, i), j+n)
		return
	}
	p.computeBlock(i, m, j, n)
}

// computeBlock computes m rows and n columns of C, from row i and column j on.
func (p *product) computeBlock(i, m, j, n int) {
	a, b := p.a[entryIndex(p.tA, i, 0, p.lda):], p.b[entryIndex(p.tB, 0, j, p.ldb):]
	p.e.Dgemm(p.tA, p.tB, m, n, p.k, p.alpha, a, p.lda, b, p.ldb, p.beta, p.c[i*p.ldc+j:], p.ldc)
}

// computeDiagonalTile computes a tile that the diagonal crosses: the m rows from i on, in columns from … to−1. If op(B)
// = op(A)ᵀ and the tile contains the whole diagonal block of its rows, it computes only the upper triangle of that
// block. Otherwise it computes tileRows rows at a time, each with some entries below the diagonal.
func (p *product) computeDiagonalTile(i, m, from, to int) {
	if p.isSyrk && from == i && to >= i+m {
		a := p.a[entryIndex(p.tA, i, 0, p.lda):]
		p.e.Dsyrk(p.tA, m, p.k, p.alpha, a, p.lda, p.beta, p.c[i*p.ldc+i:], p.ldc)
		if to > i+m {
			p.computeBlock(i, m, i+m, to-i-m)
		}
		return
	}
	if to > i+m {
		p.computeBlock(i, m, i+m, to-i-m)
		to = i + m
	}
	for ; m > 0; i, m = i+tileRows, m-tileRows {
		if f := max(from, i); f < to {
			p.computeBlock(i, min(m, tileRows), f, to-f)
		}
	}
}

// multiply computes the product p.
func (t ThreadLimit) multiply(p product) {
	if p.m == 0 || p.n == 0 {
		return
	}
	if p.k == 0 {
		p.scaleByBeta()
		return
	}
	var useLibrary bool
	p.e, useLibrary = chooseEngine(p.m*p.n*p.k >= largeProduct, max(p.m, p.n, p.k, p.lda, p.ldb, p.ldc))
	t.runTiles(p, useLibrary)
}

// runTiles computes the tiles of p. A product with one tile, as every small one, allocates nothing.
func (t ThreadLimit) runTiles(p product, useLibrary bool) {
	tiles := p.chooseTiles(useLibrary, t.threads())
	if tiles == 1 {
		p.computeTile(0)
		return
	}
	shared := p
	t.Run(tiles, shared.computeTile)
}

// scaleByBeta stores βC in C. If β is 0, it stores 0 whatever C contains.
func (p *product) scaleByBeta() {
	for i := range p.m {
		row := p.c[i*p.ldc : i*p.ldc+p.n]
		if p.upperOnly {
			row = row[i:]
		}
		if p.beta == 0 {
			clear(row) // 0·NaN would be NaN
			continue
		}
		for j := range row {
			row[j] *= p.beta
		}
	}
}

// Gemm stores α·op(A)·op(B) + β·C in C. op(A) is m×k, op(B) is k×n and C is m×n. op(A) is Aᵀ if transA is true, and
// op(B) is Bᵀ if transB is true. Matrices are row-major with strides lda, ldb, ldc. If β = 0, the previous contents of
// C have no influence. It takes 2mnk operations.
func (t ThreadLimit) Gemm(transA, transB bool, m, n, k int, alpha float64, a []float64, lda int, b []float64, ldb int,
	beta float64, c []float64, ldc int) {
	if m > 0 && n > 0 && k > 0 {
		checkSize(a, rowsOf(transA, m, k), rowsOf(!transA, m, k), lda)
		checkSize(b, rowsOf(transB, k, n), rowsOf(!transB, k, n), ldb)
		checkSize(c, m, n, ldc)
	}
	t.multiply(product{tA: transposeFlag(transA), tB: transposeFlag(transB), m: m, n: n, k: k, alpha: alpha, beta: beta,
		a: a, b: b, c: c, lda: lda, ldb: ldb, ldc: ldc})
}

// rowsOf returns the number of rows of op(A) for an m×n matrix A: n if op transposes, m otherwise.
func rowsOf(trans bool, m, n int) int {
	if trans {
		return n
	}
	return m
}

const badSize = "linalg: a slice or matrix does not have the length, rows, columns or stride that its operation needs"

// checkSize panics if a is too short for m rows of n entries with stride ld. A library does not check this.
func checkSize(a []float64, m, n, ld int) {
	if ld < n || len(a) < (m-1)*ld+n {
		panic(badSize)
	}
}

// SymGemm stores the upper triangle of A·Bᵀ in C. The caller must know that this product is symmetric, as for (X diag
// θ)Xᵀ. A and B are n×k, C is n×n. Entries of C below the diagonal may be overwritten. It takes about n²k operations,
// half as many as Gemm. If B is A, it computes the same as Syrk.
func (t ThreadLimit) SymGemm(n, k int, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	if n > 0 && k > 0 {
		checkSize(a, n, k, lda)
		checkSize(b, n, k, ldb)
		checkSize(c, n, n, ldc)
	}
	isSyrk := n > 0 && k > 0 && &a[0] == &b[0] && lda == ldb
	t.multiply(product{tA: blas.NoTrans, tB: blas.Trans, m: n, n: n, k: k, alpha: 1, a: a, b: b, c: c, lda: lda,
		ldb: ldb, ldc: ldc, upperOnly: true, isSyrk: isSyrk})
}

// Syrk stores the upper triangle of α·AAᵀ + β·C in C, with A of n×k. If trans is true, it stores the upper triangle of
// α·AᵀA + β·C, with A of k×n. C is n×n. Entries of C below the diagonal may be overwritten. It takes n²k operations.
func (t ThreadLimit) Syrk(trans bool, n, k int, alpha float64, a []float64, lda int, beta float64, c []float64,
	ldc int) {
	if n > 0 && k > 0 {
		checkSize(a, rowsOf(trans, n, k), rowsOf(!trans, n, k), lda)
		checkSize(c, n, n, ldc)
	}
	t.multiply(product{tA: transposeFlag(trans), tB: transposeFlag(!trans), m: n, n: n, k: k, alpha: alpha, beta: beta,
		a: a, b: a, c: c, lda: lda, ldb: lda, ldc: ldc, upperOnly: true, isSyrk: true})
}
