package kernel

import (
	"context"
	"errors"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// sweep is a Sum of degree 1. Each pass computes the entries of the base matrices again, in tiles.
//
//	K_k = s_kD_kA_kD_k + δ_kI   A_k is the matrix of the kernel, s_k belongs to MeanDiagonal, D_k to Cosine
//
// K_kw needs A_k(D_kw), so a tile is multiplied as soon as it is computed.
type sweep struct {
	*sumGrams
	made *recomputer
	fits []baseFit
}

// A pass is divided into bands of tileRows rows of the upper triangle. Each of the s shares of a pass has every s-th
// band, a separate sum, and one thread. A tile is computed at once, and is so small that it stays in the second-level
// cache. The first tile of a band is the square on the diagonal, and each further tile has at most tileColumns columns.
var (
	tileRows    = 64
	tileColumns = 512
)

const maxShares = 32

// sumStores holds the storage of the sums of a pass for the next pass. As garbage, the sums of some passes would make
// the heap grow.
var sumStores sync.Pool

// shareCount returns the number of shares of a pass, which is also the maximum number of threads. It is at most mostShares
// and at most one for 8 bands, because sums take time too. The sums of all shares have at most 64 MB together. These
// limits never reduce the number below 8, but there is at most one share for each band. The sums are added in the order
// of the shares. Nothing depends on the number of threads, so the results are the same to the last bit.
func shareCount(bands, numbers int) int {
	return min(bands, max(8, min(maxShares, bands/8, (1<<23)/numbers)))
}

// Sweep returns an error if g cannot be evaluated, for a degree above 1, and for centered kernels, because their means
// need all entries.
func (g *sumGrams) Sweep() (Sweep, error) {
	switch {
	case g.bad != nil:
		return nil, g.bad
	case g.d != 1:
		return nil, errors.New("kernel: a sweep needs degree 1; this family is a power of a sum of kernels")
	case g.f.Centre:
		return nil, errors.New("kernel: centred kernels, whose means are of all entries")
	}
	return &sweep{g, g.sliceRecomputer(), g.diagonalFits()}, nil
}

// Diagonals stores the diagonals and the shifts δ_k, which the fits contain.
func (s *sweep) Diagonals(dst [][]float64, lift []float64) {
	for k, f := range s.fits {
		copy(dst[k], f.diag)
		lift[k] = f.shift
	}
}

// Rows returns Cross for the points in rows.
func (s *sweep) Rows(rows []int) Cross { return s.Cross(s.x.Slice(rows)) }

// Images computes n²/2 entries of m kernels in O(d + m) operations each, and needs 2n²m operations for each column of
// w. If w is 0 except for the first p points, the work is (p/n)(2 − p/n) of it.
func (s *sweep) Images(ctx context.Context, dst [][]float64, w []float64) error {
	m, n := s.Dims()
	if len(dst) != m || len(w)%n != 0 {
		panic(badLength)
	}
	scaled := make([][]float64, m) // D_kw
	for k, f := range s.fits {
		scaled[k] = w
		if f.inverse != nil {
			scaled[k] = slices.Clone(w)
			for i := range w {
				scaled[k][i] *= f.inverse[i%n]
			}
		}
	}
	isZero := func(lo, hi int) bool { // whether w is 0 at these points
		for c := 0; c < len(w); c += n {
			if slices.ContainsFunc(w[c+lo:c+hi], func(v float64) bool { return v != 0 }) {
				return false
			}
		}
		return true
	}
	s.made.quantityGroups()
	bands := tileCount(n, tileRows)
	count := shareCount(bands, m*len(w))
	size, sums := len(w), make([][]float64, count) // each has m images, one after the other
	s.on.Run(linalg.TileFunc(func(t int) {
		kept, _ := sumStores.Get().(*[]float64)
		if kept == nil || cap(*kept) < m*size {
			kept = new(make([]float64, m*size))
		}
		sums[t] = (*kept)[:m*size]
		clear(sums[t])
		scratch := tileScratches.Get().(*tileScratch)
		defer tileScratches.Put(scratch)
		buf := make([]float64, max(tileRows, tileColumns))
		for b := t; b < bands && ctx.Err() == nil; b += count {
			lo, hi := b*tileRows, min(n, (b+1)*tileRows)
			for from := lo; from < n && ctx.Err() == nil; {
				to := min(from+tileColumns, n)
				if from == lo {
					to = hi // the square on the diagonal
				}
				if isZero(lo, hi) && isZero(from, to) {
					from = to
					continue
				}
				s.made.visitTile(lo, hi, from, to, anyKernel, scratch, func(k int, a []float64) {
					for c := 0; c < len(w); c += n {
						multiplyTile(sums[t][k*size+c:][:n], scaled[k][c:c+n], a, buf, lo, hi, from, to)
					}
				})
				from = to
			}
		}
	}), count)
	if err := ctx.Err(); err != nil {
		return err
	}
	for k, f := range s.fits {
		clear(dst[k])
		for _, sum := range sums {
			linalg.Axpy(1, sum[k*size:(k+1)*size], dst[k])
		}
		for i, v := range dst[k] {
			if f.inverse != nil {
				v *= f.inverse[i%n]
			}
			dst[k][i] = f.scale * v
		}
		linalg.Axpy(f.shift, w, dst[k])
	}
	for t := range sums {
		sumStores.Put(&sums[t])
	}
	return nil
}

// Error returns a bound on the rounding error: the error of the sums over the terms of a tile and over the tiles, plus
// twice the error of an entry. It is twice because Rows computes the entry in another way.
func (s *sweep) Error() float64 {
	m, n := s.Dims()
	u := 0.0
	for k := range s.fits {
		u = max(u, s.base.entryError(k))
	}
	bands := tileCount(n, tileRows)
	terms := tileColumns + tileRows + bands + tileCount(n, tileColumns) + shareCount(bands, m*n) + 16 // most for one column
	return linalg.Gamma(terms) + 2*u
}

// multiplyTile adds the contribution of a tile to the product of a symmetric matrix with w. Tile a has rows lo … hi−1 and
// columns from … to−1. multiply reads only the upper triangle of a tile on the diagonal. It first sums within the tile.
func multiplyTile(dst, w, a, buf []float64, lo, hi, from, to int) {
	width := to - from
	if from == lo {
		for i := range width {
			linalg.UpperMulVec(dst[lo:hi], a[i*width+i:(i+1)*width], w[lo:hi], i)
		}
		return
	}
	tile := mat.NewDense(hi-lo, width, a)
	linalg.MulVec(buf[:hi-lo], false, tile, w[from:to])
	linalg.Axpy(1, buf[:hi-lo], dst[lo:hi])
	linalg.MulVec(buf[:width], true, tile, w[lo:hi])
	linalg.Axpy(1, buf[:width], dst[from:to])
}
