package model

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Prune returns the model with its support vectors alone, which predicts the same. Where every point
// is one, or the family fits something to all points (scales, centring), so that it would be another
// kernel on fewer, it returns m: that is tried on the points of m.
func (m *Model) Prune() (*Model, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	rows, n := m.support(), m.X.Len()
	if len(rows) == n || len(rows) == 0 {
		return m, nil
	}
	p := *m
	p.X, p.W = m.X.Slice(rows), nil
	for j := range m.columns() {
		for _, r := range rows {
			p.W = append(p.W, m.W[j*n+r])
		}
	}
	all, err := m.bind()
	if err != nil {
		return nil, err
	}
	few, err := p.bind()
	if err != nil { // as a list of weights for fewer features
		return m, nil
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
				if v, w := a.At(i, r), b.At(i, j); !(math.Abs(v-w) <= 1e-11*math.Max(math.Abs(v), math.Abs(a.At(i, from+i)))) {
					return m, nil
				}
			}
		}
	}
	return &p, nil
}
