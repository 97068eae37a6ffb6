package model

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/points"

	"gonum.org/v1/gonum/mat"
)

// meet is the family on the points of m, z as points that it can meet, and which of these it was not made for.
func (m *Model) meet(z points.Points) (g kernel.Grams, met points.Points, out kernel.Outside, err error) {
	if z == nil {
		return nil, nil, out, fmt.Errorf("model: no new points (nil)")
	}
	if err := z.Validate(); err != nil {
		return nil, nil, out, fmt.Errorf("model: new points: %w", err)
	}
	if z, err = like(z, m.X); err != nil {
		return nil, nil, out, err
	}
	if g, err = m.bind(); err != nil {
		return nil, nil, out, err
	}
	if g, ok := g.(kernel.Meeting); ok {
		if out, err = g.Meets(z); err != nil {
			return nil, nil, out, fmt.Errorf("model: new points: %w", err)
		}
	}
	return g, z, out, nil
}

// like is z with the features of x: those of its names, where both have names.
func like(z, x points.Points) (points.Points, error) {
	if reflect.TypeOf(z) != reflect.TypeOf(x) {
		_, places := x.(points.Indices)
		if _, ok := z.(points.KernelRows); ok && places {
			return z, nil
		}
		return nil, fmt.Errorf("model: points of kind %T, the model was learned on %T", z, x)
	}
	fx, ok := x.(points.Featured)
	if !ok {
		return z, nil
	}
	l, got := z.(points.Featured).Features()
	d, want := fx.Features()
	if len(want) == d && len(got) == l && d > 0 && l > 0 {
		if slices.Equal(got, want) {
			return z, nil
		}
		return byName(z.(points.Featured), got, want)
	}
	if s, ok := z.(points.Sparse); ok && l < d { // the greatest index is smaller
		s.D, s.Names = d, nil
		return s, nil
	}
	if l != d {
		return nil, fmt.Errorf("model: points of %d features, the model was learned on %d%s", l, d, called(x, l, d))
	}
	return z, nil
}

// called names the features that are too many or too few, where only the model's have names.
func called(x points.Points, l, d int) string {
	if l > d {
		return fmt.Sprintf(": column %d of the new points is the first that it does not know", d+1)
	}
	var names []string
	for j := l; j < min(d, l+5); j++ {
		names = append(names, points.FeatureName(x, j))
	}
	if d > l+5 {
		names = append(names, "…")
	}
	return fmt.Sprintf(": without names they are taken for the first, and %s would be missing",
		strings.Join(names, ", "))
}

// byName are the points z, whose features are called got, with those called want.
func byName(z points.Featured, got, want []string) (points.Points, error) {
	place := make(map[string]int, len(got))
	for j, name := range got {
		if _, twice := place[name]; twice {
			return nil, fmt.Errorf("model: two features of the new points are named %q, want the model's names in "+
				"the model's order", name)
		}
		place[name] = j
	}
	var missing []string
	cols := make([]int, len(want))
	for k, name := range want {
		j, ok := place[name]
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
		return nil, fmt.Errorf("model: the new points have no feature %s%s, which the model was learned with; "+
			"they have %s",
			quoted(missing[:min(5, len(missing))]), more, quoted(got[:min(10, len(got))]))
	}
	if len(slices.Compact(slices.Sorted(slices.Values(cols)))) < len(cols) {
		return nil, fmt.Errorf("model: two of its features have one name, want the new points' in the same order")
	}
	return z.Columns(cols), nil
}

// Gram returns k_θ(z_i, x_j) of the learned kernel, l×n; of a family that is fitted to points (scales),
// with the fit of the model. x nil are the points of the model. Of a model of Gram matrices z are
// points.KernelRows and x points.Indices, or nil.
func (m *Model) Gram(z, x points.Points) (*mat.Dense, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	o := *m
	if x != nil {
		if err := x.Validate(); err != nil {
			return nil, fmt.Errorf("model: points: %w", err)
		}
		x, err := like(x, m.X)
		if err != nil {
			return nil, err
		}
		g, err := m.bind()
		if err != nil {
			return nil, err
		}
		f, ok := g.(kernel.Freezable)
		if !ok {
			return nil, fmt.Errorf("model: a family %T is known between new points and its own alone", m.Family)
		}
		if o.Family, err = f.Freeze(); err != nil {
			return nil, fmt.Errorf("model: %w", err)
		}
		o.X = x
	}
	g, z, _, err := o.meet(z)
	if err != nil {
		return nil, err
	}
	k := mat.NewDense(z.Len(), o.X.Len(), nil)
	g.Cross(z).Gram(k, m.Theta)
	return k, nil
}
