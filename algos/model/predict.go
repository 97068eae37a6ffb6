package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

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

// alignPoints returns the new points z with the features of the model.
func (p *Predictor) alignPoints(z points.Points) (points.Points, error) {
	if z == nil {
		return nil, errors.New("model: the new points are nil; pass some")
	}
	if err := z.Validate(); err != nil {
		return nil, fmt.Errorf("model: new points: %w", err)
	}
	z, err := alignFeatures(z, p.m.X)
	if err != nil {
		return nil, err
	}
	if _, err := p.grams.CheckNew(z); err != nil {
		return nil, fmt.Errorf("model: new points: %w", err)
	}
	return z, nil
}

// alignFeatures returns z with the features of x, matched by name if both have names.
func alignFeatures(z, x points.Points) (points.Points, error) {
	if reflect.TypeOf(z) != reflect.TypeOf(x) {
		if points.Is[points.KernelRows](z) && points.Is[points.Indices](x) {
			return z, nil
		}
		return nil, fmt.Errorf("model: new points of type %T; the model was learned on %T", z, x)
	}
	l, got := z.Features()
	d, want := x.Features()
	if len(want) == d && len(got) == l && d > 0 && l > 0 {
		if slices.Equal(got, want) {
			return z, nil
		}
		return selectByName(z, got, want)
	}
	if l < d && points.Is[points.Sparse](z) { // the largest index in z is smaller
		s := points.MustAs[points.Sparse](z)
		s.D, s.Names = d, nil
		return s, nil
	}
	if l != d {
		return nil, fmt.Errorf("model: new points of %d features; the model was learned on %d: %s … %s; give the "+
			"points the same features, or names", l, d, points.FeatureName(x, 0), points.FeatureName(x, d-1))
	}
	return z, nil
}

// selectByName returns the points z, whose features have the names got, with the features want.
func selectByName(z points.Points, got, want []string) (points.Points, error) {
	position := make(map[string]int, len(got))
	for j, name := range got {
		if _, isDouble := position[name]; isDouble {
			return nil, fmt.Errorf("model: two features of the new points are named %q; give the features the model's "+
				"names in the model's order", name)
		}
		position[name] = j
	}
	var missing []string
	cols := make([]int, len(want))
	for k, name := range want {
		j, ok := position[name]
		if !ok {
			missing = append(missing, name)
		}
		cols[k] = j
	}
	if len(missing) > 0 {
		more := ""
		if len(missing) > 5 {
			more = fmt.Sprintf(" and %d more", len(missing)-5)
		}
		return nil, fmt.Errorf("model: the new points have no feature %s%s of the model; they have %s",
			quoteList(missing[:min(5, len(missing))]), more, quoteList(got[:min(10, len(got))]))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(cols)))) < len(cols) {
		return nil, fmt.Errorf("model: two of its features have the same name; give the new points the same names in " +
			"the same order")
	}
	return z.Columns(cols), nil
}

// Gram returns the l×n matrix of k_θ(z_i, x_j) for the n points x_j of the model. A family that fits something to
// points, such as scales, has the fit of the model. For a model of precomputed kernels, z are points.KernelRows.
func (m *Model) Gram(z points.Points) (*mat.Dense, error) {
	p, err := m.newPredictor()
	if err != nil {
		return nil, err
	}
	if z, err = p.alignPoints(z); err != nil {
		return nil, err
	}
	k := mat.NewDense(z.Len(), m.X.Len(), nil)
	p.grams.Cross(z).Gram(k, m.Theta)
	return k, nil
}
