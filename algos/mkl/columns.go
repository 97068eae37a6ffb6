package mkl

import (
	"iter"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// columns is the number of columns of targets.
func (p *Problem) columns() int { return max(p.Loss.Traits().Columns, 1) }

// columns yields the columns of x, each of n numbers.
func (pt *Point) columns(x []float64) iter.Seq[[]float64] {
	_, n := pt.p.Grams.Dims()
	return slices.Chunk(x, n)
}

// sum stores in dst the sum of what f stores for each column of w.
func (pt *Point) sum(dst []float64, f func(dst, w []float64)) {
	if len(pt.W) == 0 || pt.p.columns() == 1 {
		f(dst, pt.W)
		return
	}
	t := make([]float64, len(dst))
	clear(dst)
	for w := range pt.columns(pt.W) {
		f(t, w)
		floats.Add(dst, t)
	}
}
