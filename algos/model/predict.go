package model

import (
	"errors"
	"fmt"

	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// Predict returns f, or exp f (Log), at each of the l points z, which must be of the type of X. If both have feature
// names, features are matched by name, in any order, and other features are ignored. For a model of precomputed
// kernels, z are points.KernelRows. Predict first prepares the family for the n points of the model, then computes
// l×n values of the kernel. A Predictor prepares the family only once, for many calls. For several columns, use Values.
func (m *Model) Predict(z points.Points) ([]float64, error) {
	if err := m.validateFields(); err != nil {
		return nil, err
	}
	if m.columnCount() > 1 {
		return nil, fmt.Errorf("model: it predicts %d numbers per point, not one; use Classify or Values",
			m.columnCount())
	}
	return m.predict(z)
}

// predict returns f, or exp f (Log), for each column and point, column after column.
func (m *Model) predict(z points.Points) ([]float64, error) {
	p, err := m.newPredictor()
	if err != nil {
		return nil, err
	}
	if z, err = p.alignPoints(z); err != nil {
		return nil, err
	}
	f := make([]float64, z.Len()*m.columnCount())
	return f, p.predict(f, z, nil)
}

// Values returns a matrix with one row for each point of z. A row has one number for each target or, for more than two
// classes, one number for each class; Classify returns the class with the largest number. For two classes and for one
// target, a row has the one number that Predict returns.
func (m *Model) Values(z points.Points) (*mat.Dense, error) {
	f, err := m.predict(z)
	if err != nil {
		return nil, err
	}
	c := m.columnCount()
	v := mat.NewDense(len(f)/c, c, nil)
	for i := range len(f) / c {
		copyPointValues(v.RawRowView(i), f, i)
	}
	return v, nil
}

// addBias returns v plus the biases and offsets of column j.
func (m *Model) addBias(v float64, j int) float64 {
	v = v + m.Bias + m.Offset
	if m.Biases != nil {
		v += m.Biases[j]
	}
	if m.Offsets != nil {
		v += m.Offsets[j]
	}
	return v
}

// copyPointValues stores the values of point i in dst, one for each column, and returns dst. f has the values of all
// points, column after column.
func copyPointValues(dst, f []float64, i int) []float64 {
	for j := range dst {
		dst[j] = f[j*(len(f)/len(dst))+i]
	}
	return dst
}

// Classify returns the name of the class of each point of z. For two classes it is Classes[1] if f ≥ 0.
func (m *Model) Classify(z points.Points) ([]string, error) {
	if m != nil && m.Classes == nil {
		return nil, errors.New("model: it predicts numbers, not classes; use Predict")
	}
	f, err := m.predict(z)
	if err != nil {
		return nil, err
	}
	encoding := m.TargetEncoding()
	names, column := make([]string, z.Len()), make([]float64, encoding.Columns())
	for i := range names {
		names[i] = m.Classes[encoding.Decide(copyPointValues(column, f, i))]
	}
	return names, nil
}
