package model

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

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
