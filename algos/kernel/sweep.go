package kernel

import (
	"context"
	"errors"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// sweep computes products with the base matrices K_k of a Sum of degree 1. Each pass computes the entries of the base
// matrices again, in tiles.
//
//	K_k = s_kD_kA_kD_k + δ_kI
//
// A_k is the matrix of kernel k, and δ_k the shift of its diagonal. s_k is the scale of MeanDiagonal, or 1. D_k is the
// diagonal matrix that Cosine multiplies by, or I. Since K_kw = s_kD_kA_k(D_kw) + δ_kw, a tile of A_k is multiplied
// with D_kw as soon as it is computed, and is not stored.
type sweep struct {
	*sumGrams
	computer       *entryComputer
	normalizations []fittedNormalization
}

// A pass divides the upper triangle of the matrices into bands of tileRows rows. The pass adds up s partial sums:
// sum t has the products with the bands t, t+s, t+2s, …, added by one thread. Each band is divided into tiles.
// The first tile of a band is the square on the diagonal, and each further tile has at most tileColumns columns. A tile
// is so small that it stays in the second-level cache.
var (
	tileRows    = 64
	tileColumns = 512
)

const maxPartialSums = 32

// sumStores holds the storage of the sums of a pass over the entries, which the next pass reuses. Without reuse, the
// garbage of several passes would make the heap grow.
var sumStores sync.Pool

// countPartialSums returns the number of partial sums that a pass over the matrices adds up, each with numbersPerSum
// numbers. It is also the maximum number of threads. The rows are divided into bands; each partial sum adds products of
// some bands. There are at most maxPartialSums sums, at most one for every 8 bands, and together they take at most
// 64 MB. If these limits give less than 8 sums, there are 8, or one for each band if there are fewer bands. The number
// does not depend on the number of threads, and the partial sums are added in a fixed order. Therefore the results have
// the same bits for any number of threads.
func countPartialSums(bandCount, numbersPerSum int) int {
	return min(bandCount, max(8, min(maxPartialSums, bandCount/8, (1<<23)/numbersPerSum)))
}

// Sweep returns an error if Bind found an error, if the degree is above 1, or if the kernels are centered, because the
// means of a centered kernel need all entries before the first product.
func (g *sumGrams) Sweep() (Sweep, error) {
	switch {
	case g.bindError != nil:
		return nil, g.bindError
	case g.d != 1:
		return nil, errors.New("kernel: Sweep needs degree 1; this family is a power of a sum of kernels")
	case g.f.Center:
		return nil, errors.New("kernel: centered kernels do not support Sweep: their means need all entries")
	}
	return &sweep{g, g.newSliceEntryComputer(), g.computeScalesWithoutCentering()}, nil
}

// StoreDiagonals stores K_k,ii in diagonals[k][i], and the number that was added to the diagonal of K_k in shifts[k].
func (s *sweep) StoreDiagonals(diagonals [][]float64, shifts []float64) {
	for k, f := range s.normalizations {
		copy(diagonals[k], f.diag)
		shifts[k] = f.diagonalShift
	}
}

// Products stores K_kw in dst[k]. It computes n²/2 entries of the m matrices, in O(d + m) operations for each pair of
// points with d features. The products take 2n²m operations for each column of w. If w is 0 except for the first p
// points, the work is multiplied by (p/n)(2 − p/n).
func (s *sweep) Products(ctx context.Context, dst [][]float64, w []float64) error {
	m, n := s.Dims()
	if len(dst) != m || len(w)%n != 0 {
		panic(badLength)
	}
	scaledW := make([][]float64, m) // D_kw
	for k, f := range s.normalizations {
		scaledW[k] = w
		if f.inverseNorms != nil {
			scaledW[k] = slices.Clone(w)
			for i := range w {
				scaledW[k][i] *= f.inverseNorms[i%n]
			}
		}
	}
	isZero := func(lo, hi int) bool { // reports whether w is 0 at the points lo … hi−1
		for c := 0; c < len(w); c += n {
			if slices.ContainsFunc(w[c+lo:c+hi], func(v float64) bool { return v != 0 }) {
				return false
			}
		}
		return true
	}
	s.computer.kernelGroups()
	bandCount := countTiles(n, tileRows)
	partialSumCount := countPartialSums(bandCount, m*len(w))
	size, partialSums := len(w), make([][]float64, partialSumCount) // each partial sum has m vectors of length len(w)
	s.threads.Run(partialSumCount, func(t int) {
		storage, _ := sumStores.Get().(*[]float64)
		if storage == nil || cap(*storage) < m*size {
			storage = new(make([]float64, m*size))
		}
		partialSums[t] = (*storage)[:m*size]
		clear(partialSums[t])
		scratch := tileScratches.Get().(*tileScratch)
		defer tileScratches.Put(scratch)
		buf := make([]float64, max(tileRows, tileColumns))
		for b := t; b < bandCount && ctx.Err() == nil; b += partialSumCount {
			lo, hi := b*tileRows, min(n, (b+1)*tileRows)
			for from := lo; from < n && ctx.Err() == nil; {
				to := min(from+tileColumns, n)
				if from == lo {
					to = hi // the first tile of a band is the square on the diagonal
				}
				if isZero(lo, hi) && isZero(from, to) {
					from = to
					continue
				}
				s.computer.visitKernelsOfTile(lo, hi, from, to, acceptAllKernels, scratch, func(k int, a []float64) {
					for c := 0; c < len(w); c += n {
						multiplyTile(partialSums[t][k*size+c:][:n], scaledW[k][c:c+n], a, buf, lo, hi, from, to)
					}
				})
				from = to
			}
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	for k, f := range s.normalizations {
		clear(dst[k])
		for _, sum := range partialSums {
			linalg.Axpy(1, sum[k*size:(k+1)*size], dst[k])
		}
		for i, v := range dst[k] {
			if f.inverseNorms != nil {
				v *= f.inverseNorms[i%n]
			}
			dst[k][i] = f.scale * v
		}
		linalg.Axpy(f.diagonalShift, w, dst[k])
	}
	for t := range partialSums {
		sumStores.Put(&partialSums[t])
	}
	return nil
}

// ErrorFactor returns the relative rounding error of the sums over the terms of a tile and over the tiles, plus twice
// the rounding error of an entry of K_k. The error of an entry counts twice, because the result is compared with the
// rounded K_k of a Gram: the entries of a Gram and those of Products each have a rounding error.
func (s *sweep) ErrorFactor() float64 {
	m, n := s.Dims()
	u := 0.0
	for k := range s.normalizations {
		u = max(u, s.base.relativeEntryError(k))
	}
	bandCount := countTiles(n, tileRows)
	// The number of partial sums is largest for a w with one column: termCount is valid for any number of columns.
	termCount := tileColumns + tileRows + bandCount + countTiles(n, tileColumns) + countPartialSums(bandCount, m*n) + 16
	return linalg.RoundingFactor(termCount) + 2*u
}

// multiplyTile adds to dst the contribution of one tile to the product of a symmetric matrix with w. tile has the rows
// firstRow … endRow−1 and the columns firstColumn … endColumn−1 of the matrix. The mirror image of tile below the
// diagonal contributes too. Of a tile on the diagonal, only the upper triangle is read. buf is working storage.
func multiplyTile(dst, w, tile, buf []float64, firstRow, endRow, firstColumn, endColumn int) {
	width := endColumn - firstColumn
	if firstColumn == firstRow {
		for i := range width {
			linalg.AddSymmetricRowProduct(dst[firstRow:endRow], tile[i*width+i:(i+1)*width], w[firstRow:endRow], i)
		}
		return
	}
	block := mat.NewDense(endRow-firstRow, width, tile)
	linalg.MulVec(buf[:endRow-firstRow], false, block, w[firstColumn:endColumn])
	linalg.Axpy(1, buf[:endRow-firstRow], dst[firstRow:endRow])
	linalg.MulVec(buf[:width], true, block, w[firstRow:endRow])
	linalg.Axpy(1, buf[:width], dst[firstColumn:endColumn])
}
