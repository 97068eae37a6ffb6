package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// Predict returns the prediction f, or exp f if m.LogTargets is set, for each of the points z, which must be of the
// type of X. If z and X have feature names, features are matched by name, in any order, and other features are ignored.
// For a model of precomputed kernels, z are points.KernelRows. Each call prepares the family for the points of the
// model. A Predictor prepares it only once. For several columns, use Values.
func (m *Model) Predict(z points.Points) ([]float64, error) {
	if err := m.validateFields(); err != nil {
		return nil, err
	}
	if m.targetColumnCount() > 1 {
		return nil, fmt.Errorf("model: the model predicts %d numbers per point, not one; use Classify or Values",
			m.targetColumnCount())
	}
	return m.predict(z)
}

// predict returns f, or exp f if m.LogTargets is set: all points z for the first column, then for the second, …
func (m *Model) predict(z points.Points) ([]float64, error) {
	p, err := m.newPredictor()
	if err != nil {
		return nil, err
	}
	if z, err = p.alignPoints(z); err != nil {
		return nil, err
	}
	f := make([]float64, z.Len()*m.targetColumnCount())
	return f, p.predict(f, z, nil)
}

// Values returns a matrix with one row for each point of z. For regression, it has one column for each target, with the
// predictions f, or exp f if m.LogTargets is set. For two classes, it has one column of decision values. For more, it
// has one for each class, and Classify returns the class of the column with the largest value.
func (m *Model) Values(z points.Points) (*mat.Dense, error) {
	f, err := m.predict(z)
	if err != nil {
		return nil, err
	}
	c := m.targetColumnCount()
	v := mat.NewDense(len(f)/c, c, nil)
	for i := range len(f) / c {
		copyPointValues(v.RawRowView(i), f, i)
	}
	return v, nil
}

func (m *Model) addBiasAndOffset(value float64, column int) float64 {
	if m.Biases != nil {
		value += m.Biases[column]
	}
	if m.Offsets != nil {
		value += m.Offsets[column]
	}
	return value
}

// copyPointValues stores the values of point pointIndex in dst, one for each column, and returns dst. allValues has all
// points for the first column, then for the second, …
func copyPointValues(dst, allValues []float64, pointIndex int) []float64 {
	for j := range dst {
		dst[j] = allValues[j*(len(allValues)/len(dst))+pointIndex]
	}
	return dst
}

// Classify returns the name of the class of each point of z. For two classes it is Classes[1] if f ≥ 0.
func (m *Model) Classify(z points.Points) ([]string, error) {
	if m != nil && m.Classes == nil {
		return nil, errors.New("model: the model predicts numbers, not classes; use Predict")
	}
	f, err := m.predict(z)
	if err != nil {
		return nil, err
	}
	encoding := m.TargetEncoding()
	names, pointValues := make([]string, z.Len()), make([]float64, encoding.Columns())
	for i := range names {
		names[i] = m.Classes[encoding.PredictedClass(copyPointValues(pointValues, f, i))]
	}
	return names, nil
}

// alignPoints validates the new points z and returns them with the features of the model, in the order of the model.
func (p *Predictor) alignPoints(z points.Points) (points.Points, error) {
	if z == nil {
		return nil, errors.New("model: the new points are nil; pass at least one")
	}
	if err := z.Validate(); err != nil {
		return nil, fmt.Errorf("model: new points: %w", err)
	}
	z, err := alignFeatures(z, p.m.X)
	if err != nil {
		return nil, err
	}
	if _, err := p.trainingGrams.CheckNewPoints(z); err != nil {
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
		return nil, fmt.Errorf("model: the new points have the type %T; the model was learned on %T", z, x)
	}
	l, newNames := z.Features()
	d, modelNames := x.Features()
	if len(modelNames) == d && len(newNames) == l && d > 0 && l > 0 {
		if slices.Equal(newNames, modelNames) {
			return z, nil
		}
		return selectByName(z, newNames, modelNames)
	}
	if l < d && points.Is[points.Sparse](z) { // z may end before the last features of x, which are 0 in z
		s := points.MustAs[points.Sparse](z)
		s.D, s.Names = d, nil
		return s, nil
	}
	if l != d {
		return nil, fmt.Errorf("model: the new points have %d features, but the model was learned on %d: %s … %s; "+
			"give the points the same features, or names", l, d, points.FeatureName(x, 0), points.FeatureName(x, d-1))
	}
	return z, nil
}

// selectByName returns z with the features modelNames, in this order. newNames are the names of the features of z.
func selectByName(z points.Points, newNames, modelNames []string) (points.Points, error) {
	position := make(map[string]int, len(newNames))
	for j, name := range newNames {
		if _, isDuplicate := position[name]; isDuplicate {
			return nil, fmt.Errorf("model: two features of the new points are named %q; give the features the names "+
				"of the model's features, in their order", name)
		}
		position[name] = j
	}
	var missing []string
	columns := make([]int, len(modelNames))
	for k, name := range modelNames {
		j, ok := position[name]
		if !ok {
			missing = append(missing, name)
		}
		columns[k] = j
	}
	if len(missing) > 0 {
		moreText := ""
		if len(missing) > 5 {
			moreText = fmt.Sprintf(" and %d more", len(missing)-5)
		}
		return nil, fmt.Errorf("model: the new points have no feature %s%s of the model; they have %s",
			quoteNames(missing[:min(5, len(missing))]), moreText, quoteNames(newNames[:min(10, len(newNames))]))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(columns)))) < len(columns) {
		return nil, fmt.Errorf("model: two features of the model have the same name; give the new points the same " +
			"names in the same order")
	}
	return z.Columns(columns), nil
}

// Gram returns the matrix of k_θ(z_i, x_j) between the new points z_i and the points x_j of the model. Parameters that
// the family fits to points, such as scales, are fitted to the points of the model. For a model of precomputed kernels,
// z are points.KernelRows.
func (m *Model) Gram(z points.Points) (*mat.Dense, error) {
	p, err := m.newPredictor()
	if err != nil {
		return nil, err
	}
	if z, err = p.alignPoints(z); err != nil {
		return nil, err
	}
	k := mat.NewDense(z.Len(), m.X.Len(), nil)
	p.trainingGrams.Cross(z).StoreMatrix(k, m.Theta)
	return k, nil
}
