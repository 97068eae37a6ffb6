package model

import (
	"errors"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// Prune returns a model that predicts the same numbers and has only the support vectors of m. Parameters that the
// family fitted to the points, such as scales, become constants of the family (kernel.Grams.Freeze). The matrices of
// Precomputed kernels are removed. If the kernel needs all points, for example to center it, the returned model has all
// points, and Unpruned gives the reason.
func (m *Model) Prune() (*Model, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	rows, n := m.supportVectors(), m.X.Len()
	isPrecomputed := points.Is[points.Indices](m.X)
	if len(rows) == 0 || len(rows) == n && !isPrecomputed {
		return m, nil
	}
	bound, err := m.newPredictor()
	if err != nil {
		return nil, err
	}
	all := bound.grams
	p := *m
	p.Unpruned, p.X, p.W, p.Points = "", m.X.Slice(rows), nil, max(n, m.Points)
	for j := range m.columnCount() {
		for _, r := range rows {
			p.W = append(p.W, m.W[j*n+r])
		}
	}
	frozen, err := all.Freeze()
	w := *m
	switch {
	case err == nil:
		p.Family = frozen
		return &p, nil
	case !errors.Is(err, kernel.ErrNotFrozen):
		w.Unpruned = strings.TrimPrefix(err.Error(), "kernel: ")
	case m.isSameKernel(&p, all, rows):
		return &p, nil
	default:
		w.Unpruned = "the family may fit something to them"
	}
	return &w, nil
}

// isSameKernel reports whether the family of m gives the same kernel for the points of p as for those of m. The points
// of p are the given rows of the points of m. all is the family for the points of m. The kernels are compared at the
// points of m.
func (m *Model) isSameKernel(p *Model, all kernel.Grams, rows []int) bool {
	n := m.X.Len()
	pruned, err := p.newPredictor()
	if err != nil { // for example a list of weights for fewer features
		return false
	}
	a, b := mat.NewDense(min(n, blockSize), n, nil), mat.NewDense(min(n, blockSize), len(rows), nil)
	for from := 0; from < n; from += blockSize {
		z := make([]int, min(n-from, blockSize))
		for i := range z {
			z[i] = from + i
		}
		part := m.X.Slice(z)
		a, b := a.Slice(0, len(z), 0, n).(*mat.Dense), b.Slice(0, len(z), 0, len(rows)).(*mat.Dense)
		all.Cross(part).Gram(a, m.Theta)
		pruned.grams.Cross(part).Gram(b, m.Theta)
		for i := range z {
			for j, r := range rows {
				// products of matrices of other sizes round differently
				if v, w := a.At(i, r), b.At(i, j); !(math.Abs(v-w) <= 1e-11*math.Max(math.Abs(v),
					math.Abs(a.At(i, from+i)))) {
					return false
				}
			}
		}
	}
	return true
}
