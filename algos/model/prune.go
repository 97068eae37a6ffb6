package model

import (
	"errors"
	"math"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// Prune returns a model with the support vectors alone, which predicts the same numbers. It freezes the fit of the
// family to its points, such as scales, into the family (kernel.Grams.Freeze), and drops the matrices of Precomputed
// kernels. If the kernel needs all points, as a kernel that is centered on them does, the model has all points and
// Unpruned gives the reason.
func (m *Model) Prune() (*Model, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	rows, n := m.support(), m.X.Len()
	isPrecomputed := points.Is[points.Indices](m.X)
	if len(rows) == 0 || len(rows) == n && !isPrecomputed {
		return m, nil
	}
	bound, err := m.bind()
	if err != nil {
		return nil, err
	}
	all := bound.grams
	p := *m
	p.Unpruned, p.X, p.W, p.Points = "", m.X.Slice(rows), nil, max(n, m.Points)
	for j := range m.columns() {
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

// isSameKernel reports whether the family of m is the same kernel if it is bound to the points of p, the given rows of
// those of m. all is the family bound to the points of m. The kernels are compared on the points of m.
func (m *Model) isSameKernel(p *Model, all kernel.Grams, rows []int) bool {
	n := m.X.Len()
	few, err := p.bind()
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
		few.grams.Cross(part).Gram(b, m.Theta)
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
