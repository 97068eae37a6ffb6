package linalg

import "gonum.org/v1/gonum/blas"

// Sizes of tiles. A strip is a tile that has all rows or all columns of the result.
const (
	stripRows = 256     // smallest number of rows of a tile that a Library computes
	minCols   = 1024    // smallest number of columns of a tile of a Library; a tile with all columns may have fewer
	tileWork  = 1 << 22 // multiplications of a tile in pure Go, which take about a millisecond
)

// product computes C = α·op(A)·op(B) + β·C, or only its upper triangle, in tiles. op(A) is A or Aᵀ, of m×k; op(B) is
// k×n.
type product struct {
	e                        engine
	tA, tB                   blas.Transpose
	m, n, k                  int
	alpha, beta              float64
	a, b, c                  []float64
	lda, ldb, ldc            int
	rowsPerTile, colsPerTile int  // size of a tile
	tilesPerRow              int  // number of tiles side by side
	upperOnly                bool // compute only tiles that reach the diagonal or lie above it
	isSyrk                   bool // op(B) = op(A)ᵀ: Dsyrk can compute the diagonal blocks of C
}

// chooseTiles sets the size of the tiles for the given number of threads and returns the number of tiles.
//
// A library copies B once for every strip of rows, and A once for every strip of columns. Copying A takes twice as long
// as copying B. (At n = 2000, the copies take 3 % of the time for strips of 512 rows, 5 % for strips of 256 rows, and 9
// % for strips of 512 columns.) Therefore there are as many strips of rows as threads, or twice as many if only a
// triangle is computed, because the strips then have unequal amounts of work. The columns are divided only if
// there are fewer strips of rows than threads.
func (p *product) chooseTiles(useLibrary bool, threads int) (tileCount int) {
	if useLibrary {
		stripCount := threads
		if p.upperOnly && (threads > 1 || !p.isSyrk) {
			stripCount = 2 * max(2, threads)
		}
		p.rowsPerTile, p.colsPerTile = max(stripRows, lengthPerTile(p.m, stripCount)), p.n
		if stripCount = (p.m + p.rowsPerTile - 1) / p.rowsPerTile; stripCount < threads {
			p.colsPerTile = max(minCols, lengthPerTile(p.n*stripCount, threads))
		}
	} else {
		p.colsPerTile = p.n
		p.rowsPerTile = tileRows * max(1, tileWork/(tileRows*p.n*p.k))
	}
	p.tilesPerRow = (p.n + p.colsPerTile - 1) / p.colsPerTile
	return (p.m + p.rowsPerTile - 1) / p.rowsPerTile * p.tilesPerRow
}

// lengthPerTile returns length/parts, rounded up to a multiple of 64.
func lengthPerTile(length, parts int) int { return (length + 64*parts - 1) / (64 * parts) * 64 }

// computeTile computes one tile. If upperOnly is set, it skips tiles below the diagonal.
func (p *product) computeTile(tile int) {
	i, j := tile/p.tilesPerRow*p.rowsPerTile, tile%p.tilesPerRow*p.colsPerTile
	m, n := min(p.rowsPerTile, p.m-i), min(p.colsPerTile, p.n-j)
	if p.upperOnly && j < i+m {
		if j+n <= i {
			return // the whole tile is below the diagonal, where nothing is computed
		}
		p.computeDiagonalTile(i, m, max(j, i), j+n)
		return
	}
	p.computeBlock(i, m, j, n)
}

func (p *product) computeBlock(firstRow, rows, firstCol, cols int) {
	a, b := p.a[entryIndex(p.tA, firstRow, 0, p.lda):], p.b[entryIndex(p.tB, 0, firstCol, p.ldb):]
	p.e.Dgemm(p.tA, p.tB, rows, cols, p.k, p.alpha, a, p.lda, b, p.ldb, p.beta, p.c[firstRow*p.ldc+firstCol:], p.ldc)
}

// computeDiagonalTile computes a tile that the diagonal crosses, in columns firstCol … endCol−1. If op(B)
// = op(A)ᵀ and the tile contains the whole diagonal block of its rows, it computes only the upper triangle of that
// block. Otherwise it computes tileRows rows at a time, each with some entries below the diagonal.
func (p *product) computeDiagonalTile(firstRow, rows, firstCol, endCol int) {
	if p.isSyrk && firstCol == firstRow && endCol >= firstRow+rows {
		a := p.a[entryIndex(p.tA, firstRow, 0, p.lda):]
		p.e.Dsyrk(p.tA, rows, p.k, p.alpha, a, p.lda, p.beta, p.c[firstRow*p.ldc+firstRow:], p.ldc)
		if endCol > firstRow+rows {
			p.computeBlock(firstRow, rows, firstRow+rows, endCol-firstRow-rows)
		}
		return
	}
	if endCol > firstRow+rows {
		p.computeBlock(firstRow, rows, firstRow+rows, endCol-firstRow-rows)
		endCol = firstRow + rows
	}
	for ; rows > 0; firstRow, rows = firstRow+tileRows, rows-tileRows {
		if f := max(firstCol, firstRow); f < endCol {
			p.computeBlock(firstRow, min(rows, tileRows), f, endCol-f)
		}
	}
}

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
	tileCount := p.chooseTiles(useLibrary, t.threadCount())
	if tileCount == 1 {
		p.computeTile(0)
		return
	}
	sharedProduct := p
	t.Run(tileCount, sharedProduct.computeTile)
}

// scaleByBeta stores βC in C. If β is 0, it stores 0 whatever C contains.
func (p *product) scaleByBeta() {
	if p.beta == 1 {
		return
	}
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
		checkMatrixSize(a, rowCount(transA, m, k), rowCount(!transA, m, k), lda)
		checkMatrixSize(b, rowCount(transB, k, n), rowCount(!transB, k, n), ldb)
		checkMatrixSize(c, m, n, ldc)
	}
	t.multiply(product{tA: transposeFlag(transA), tB: transposeFlag(transB), m: m, n: n, k: k, alpha: alpha, beta: beta,
		a: a, b: b, c: c, lda: lda, ldb: ldb, ldc: ldc})
}

// rowCount returns the number of rows of op(A) for an m×n matrix A: n if op transposes, m otherwise.
func rowCount(trans bool, m, n int) int {
	if trans {
		return n
	}
	return m
}

const badSize = "linalg: a slice or matrix does not have the length, rows, columns or stride that its operation needs"

// checkMatrixSize panics if a is too short for a matrix of this size. A Library does not check this.
func checkMatrixSize(a []float64, rows, cols, stride int) {
	if stride < cols || len(a) < (rows-1)*stride+cols {
		panic(badSize)
	}
}

// SymGemm stores the upper triangle of A·Bᵀ in C. The caller must know that this product is symmetric, as for (X diag
// θ)Xᵀ. A and B are n×k, C is n×n. Entries of C below the diagonal may be overwritten. It takes about n²k operations,
// half as many as Gemm. If B is A, it computes the same as Syrk.
func (t ThreadLimit) SymGemm(n, k int, a []float64, lda int, b []float64, ldb int, c []float64, ldc int) {
	if n > 0 && k > 0 {
		checkMatrixSize(a, n, k, lda)
		checkMatrixSize(b, n, k, ldb)
		checkMatrixSize(c, n, n, ldc)
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
		checkMatrixSize(a, rowCount(trans, n, k), rowCount(!trans, n, k), lda)
		checkMatrixSize(c, n, n, ldc)
	}
	t.multiply(product{tA: transposeFlag(trans), tB: transposeFlag(!trans), m: n, n: n, k: k, alpha: alpha, beta: beta,
		a: a, b: a, c: c, lda: lda, ldb: lda, ldc: ldc, upperOnly: true, isSyrk: true})
}
