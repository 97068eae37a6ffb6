package model

import (
	"math"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// Prune returns the model with its support vectors alone, which predicts the same. What the family fits
// to points (scales) is frozen into it first (kernel.Freezable), and matrices of Precomputed kernels are
// left out. Where the kernel needs all points, as one that is centred on them, all are kept and Whole
// says why.
func (m *Model) Prune() (*Model, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	rows, n := m.support(), m.X.Len()
	_, places := m.X.(points.Indices)
	if len(rows) == 0 || len(rows) == n && !places {
		return m, nil
	}
	all, err := m.bind()
	if err != nil {
		return nil, err
	}
	p := *m
	p.Whole, p.X, p.W, p.Points = "", m.X.Slice(rows), nil, max(n, m.Points)
	for j := range m.columns() {
		for _, r := range rows {
			p.W = append(p.W, m.W[j*n+r])
		}
	}
	f, ok := all.(kernel.Freezable)
	if ok {
		if p.Family, err = f.Freeze(); err == nil {
			return &p, nil
		}
	} else if m.same(&p, all, rows) {
		return &p, nil
	}
	w := *m
	if w.Whole = "the family may fit something to them"; ok {
		w.Whole = trimmed(err)
	}
	return &w, nil
}

// trimmed is what err says, without the name of its package.
func trimmed(err error) string {
	const prefix = "kernel: "
	if s := err.Error(); len(s) > len(prefix) && s[:len(prefix)] == prefix {
		return s[len(prefix):]
	}
	return err.Error()
}

// same reports whether the family, on m's points all, is the same kernel on p's, the given rows of them.
// That is tried on the points of m.
func (m *Model) same(p *Model, all kernel.Grams, rows []int) bool {
	n := m.X.Len()
	few, err := p.bind()
	if err != nil { // as a list of weights for fewer features
		return false
	}
	a, b := mat.NewDense(min(n, block), n, nil), mat.NewDense(min(n, block), len(rows), nil)
	for from := 0; from < n; from += block {
		z := make([]int, min(n-from, block))
		for i := range z {
			z[i] = from + i
		}
		part := m.X.Slice(z)
		a, b := a.Slice(0, len(z), 0, n).(*mat.Dense), b.Slice(0, len(z), 0, len(rows)).(*mat.Dense)
		all.Cross(part).Gram(a, m.Theta)
		few.Cross(part).Gram(b, m.Theta)
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
