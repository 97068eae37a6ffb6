package model

import (
	"errors"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"
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
	p := *m
	p.Unpruned, p.X, p.W, p.Points = "", m.X.Slice(rows), nil, max(n, m.Points)
	for j := range m.columnCount() {
		for _, r := range rows {
			p.W = append(p.W, m.W[j*n+r])
		}
	}
	if p.Family, err = bound.grams.Freeze(); err == nil {
		return &p, nil
	}
	w := *m
	if w.Unpruned = strings.TrimPrefix(err.Error(), "kernel: "); errors.Is(err, kernel.ErrNotFrozen) {
		w.Unpruned = "the family may fit something to them"
	}
	return &w, nil
}
