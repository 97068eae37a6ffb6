package kernel

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/mklnb/mkl/algos/linalg"
)

// sweep is a Sum of degree 1 whose entries are made again in each pass, in tiles.
//
//	K_k = s_kD_kA_kD_k + δ_kI   A_k as the kernel makes it, s_k and D_k of MeanDiagonal and Cosine
//
// so that K_kw takes A_k(D_kw): a tile is multiplied as it is made.
type sweep struct {
	*sumGrams
	made *remade
	fits []baseFit
}

// A pass is cut into bands of tileRows rows of the upper triangle. Of p parts each has every p-th band; of s shares
// of a part each has every s-th of these, a sum of its own, and one thread. A tile is what is made at once, so small
// that it stays in the second-level cache: of a band the square on the diagonal, then tileColumns columns at a time.
var (
	tileRows    = 64
	tileColumns = 512
)

const mostShares = 32

// sumStores keep the sums of a pass for the next: as garbage they would let the heap grow by some passes' of them.
var sumStores sync.Pool

// shares is how many a part has, and so at most how many threads: one for 8 bands, as sums take time too, as many as
// have sums of 64 MB together, but at least 8 of any size. The sums are added up in their order. Nothing depends on the
// number of threads, so that bits do not.
func shares(bands, numbers int) int {
	return min(bands, max(8, min(mostShares, bands/8, (1<<23)/numbers)))
}

// Sweep needs degree 1 and kernels that are not centred, whose means take all entries.
func (g *sumGrams) Sweep() (Sweep, error) {
	switch {
	case g.bad != nil:
		return nil, g.bad
	case g.d != 1:
		return nil, errors.New("kernel: a power of a sum of kernels, want degree 1")
	case g.f.Centre:
		return nil, errors.New("kernel: centred kernels, whose means are of all entries")
	}
	return &sweep{g, g.maker(), g.diagonalFits()}, nil
}

// Diagonals are those that the fits know.
func (s *sweep) Diagonals(dst [][]float64, lift []float64) {
	for k, f := range s.fits {
		copy(dst[k], f.diag)
		lift[k] = f.shift
	}
}

// Rows is Cross of these points.
func (s *sweep) Rows(rows []int) Cross { return s.Cross(s.x.Slice(rows)) }

// Images takes n²/2 entries of m kernels, O(d + m) operations each, and 2n²m for each column of w; a part takes a
// parts-th of that. Of a w that is 0 but for the first p points (p/n)(2 − p/n) of it are left.
func (s *sweep) Images(ctx context.Context, dst [][]float64, w []float64, part, parts int) error {
	m, n := s.Dims()
	switch {
	case len(dst) != m || len(w)%n != 0:
		panic(badLength)
	case part < 0 || part >= parts:
		return fmt.Errorf("kernel: part %d of %d of a sweep, want one of 0 … %d", part, parts, parts-1)
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
	zero := func(lo, hi int) bool { // of w at these points
		for c := 0; c < len(w); c += n {
			if slices.ContainsFunc(w[c+lo:c+hi], func(v float64) bool { return v != 0 }) {
				return false
			}
		}
		return true
	}
	s.made.quantities()
	bands := tiles(n, tileRows)
	count := shares(bands, m*len(w))
	size, sums := len(w), make([][]float64, count) // each of m images, one after the other
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
		for b := part + t*parts; b < bands && ctx.Err() == nil; b += count * parts {
			lo, hi := b*tileRows, min(n, (b+1)*tileRows)
			for from := lo; from < n && ctx.Err() == nil; {
				to := min(from+tileColumns, n)
				if from == lo {
					to = hi // the square on the diagonal
				}
				if zero(lo, hi) && zero(from, to) {
					from = to
					continue
				}
				s.made.tile(lo, hi, from, to, every, scratch, func(k int, a []float64) {
					for c := 0; c < len(w); c += n {
						multiply(sums[t][k*size+c:][:n], scaled[k][c:c+n], a, buf, lo, hi, from, to)
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
		if part == 0 {
			linalg.Axpy(f.shift, w, dst[k])
		}
	}
	for t := range sums {
		sumStores.Put(&sums[t])
	}
	return nil
}

// Error is that of sums of a tile's terms and of the tiles, and twice that of an entry: Rows makes it another way.
func (s *sweep) Error() float64 {
	m, n := s.Dims()
	u := 0.0
	for k := range s.fits {
		u = max(u, s.base.rounded(k))
	}
	bands := tiles(n, tileRows)
	terms := tileColumns + tileRows + bands + tiles(n, tileColumns) + shares(bands, m*n) + 16 // most of one column
	return float64(terms)*linalg.Epsilon + 2*u
}

// multiply adds what the tile a of rows lo … hi−1 and columns from … to−1 of a symmetric matrix contributes to its
// product with w. Of a tile on the diagonal the upper triangle counts. Sums are of a tile first.
func multiply(dst, w, a, buf []float64, lo, hi, from, to int) {
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
