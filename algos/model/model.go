package model

import (
	"errors"
	"fmt"
	"math"
	"reflect"

	"github.com/mklnb/mkl/algos/kernel"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Model is
//
//	f(z) = Σ_i w_i k_θ(z, x_i) + b + offset.
//
// It is plain data; its methods leave it as it is and may be called at the same time.
type Model struct {
	Name string // of the data or the method, for people
	Note string // how it was learned, for people

	Family kernel.Family
	X      kernel.Points // n points it was learned on
	Theta  []float64     // m weights (mkl.Result.Kernel)
	Labels []string      // m names of what they weigh, or nil
	W      []float64     // n dual coefficients
	Bias   float64
	Offset float64 // mean that was taken from the targets before learning

	// Classes names the class behind f < 0 and the class behind f ≥ 0. It has length 2, or is nil
	// where f predicts real targets.
	Classes []string
}

// block is the number of points predicted at once: it bounds the memory at block·n numbers.
const block = 1024

// Validate says what is wrong with m: parts that are missing, lengths that differ, numbers that
// are not finite.
func (m *Model) Validate() error {
	if err := m.check(); err != nil {
		return err
	}
	_, err := m.bind()
	return err
}

// check is Validate without the family.
func (m *Model) check() error {
	switch {
	case m == nil:
		return errors.New("model: no model")
	case m.Family == nil:
		return errors.New("model: no family of kernels")
	case m.X == nil:
		return errors.New("model: no points")
	}
	if err := m.X.Validate(); err != nil {
		return fmt.Errorf("model: %w", err)
	}
	if n := m.X.Len(); len(m.W) != n {
		return fmt.Errorf("model: %d dual coefficients for %d points, want as many", len(m.W), n)
	}
	if len(m.Theta) == 0 {
		return errors.New("model: no weights θ")
	}
	if m.Labels != nil && len(m.Labels) != len(m.Theta) {
		return fmt.Errorf("model: %d labels for %d weights, want as many, or none", len(m.Labels), len(m.Theta))
	}
	if m.Classes != nil && len(m.Classes) != 2 {
		return fmt.Errorf("model: %d classes, want 2, or none for real targets", len(m.Classes))
	}
	for _, v := range []struct {
		what string
		x    []float64
	}{{"θ", m.Theta}, {"w", m.W}, {"bias", []float64{m.Bias}}, {"offset", []float64{m.Offset}}} {
		for i, x := range v.x {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("model: number %d of %s is %g, want a finite number", i+1, v.what, x)
			}
		}
	}
	return nil
}

// bind is the family on the points.
func (m *Model) bind() (kernel.Crossed, error) {
	g := m.Family.On(m.X)
	if v, ok := g.(kernel.Validated); ok {
		if err := v.Validate(); err != nil {
			return nil, fmt.Errorf("model: %w", err)
		}
	}
	if k, _ := g.Dims(); k != len(m.Theta) {
		return nil, fmt.Errorf("model: %d weights θ for a family of %d kernels, want as many", len(m.Theta), k)
	}
	c, ok := g.(kernel.Crossed)
	if !ok {
		return nil, fmt.Errorf("model: a family %T cannot meet new points", m.Family)
	}
	return c, nil
}

// Predict returns f at each point of z, which must be of the kind of X and have its features. It
// costs what the family costs on the n points and on l×n pairs.
func (m *Model) Predict(z kernel.Points) ([]float64, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	if err := suits(z, m.X); err != nil {
		return nil, err
	}
	if err := z.Validate(); err != nil {
		return nil, fmt.Errorf("model: new points: %w", err)
	}
	g, err := m.bind()
	if err != nil {
		return nil, err
	}
	l, n := z.Len(), m.X.Len()
	f := make([]float64, l)
	k := mat.NewDense(min(l, block), n, nil)
	rows := make([]int, 0, block)
	for from := 0; from < l; from += block {
		part, to := z, min(from+block, l)
		if l > block {
			rows = rows[:0]
			for i := from; i < to; i++ {
				rows = append(rows, i)
			}
			part = z.Slice(rows)
		}
		k := k.Slice(0, to-from, 0, n).(*mat.Dense)
		g.Cross(part).Gram(k, m.Theta)
		for i := range to - from {
			f[from+i] = floats.Dot(k.RawRowView(i), m.W) + m.Bias + m.Offset
		}
	}
	for i, v := range f {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("model: the prediction for point %d is %g, want a finite number", i+1, v)
		}
	}
	return f, nil
}

// suits says why z are not points that a model of x can meet.
func suits(z, x kernel.Points) error {
	if reflect.TypeOf(z) != reflect.TypeOf(x) {
		return fmt.Errorf("model: points of kind %T, the model was learned on %T", z, x)
	}
	if x, ok := x.(kernel.Featured); ok {
		l, got := z.(kernel.Featured).Features()
		d, want := x.Features()
		return sameFeatures(l, d, got, want)
	}
	return nil
}

// sameFeatures compares the number of features and, where both sides have them, their names.
func sameFeatures(l, d int, got, want []string) error {
	if l != d {
		return fmt.Errorf("model: points of %d features, the model was learned on %d", l, d)
	}
	if len(got) != d || len(want) != d {
		return nil
	}
	for j := range want {
		if got[j] != want[j] {
			return fmt.Errorf("model: feature %d is %q, the model was learned with %q there", j+1, got[j], want[j])
		}
	}
	return nil
}

// Classify returns the name of the class of each point of z: Classes[1] where f ≥ 0.
func (m *Model) Classify(z kernel.Points) ([]string, error) {
	if m != nil && m.Classes == nil {
		return nil, errors.New("model: it predicts real targets, not classes: use Predict")
	}
	f, err := m.Predict(z)
	if err != nil {
		return nil, err
	}
	c := make([]string, len(f))
	for i, v := range f {
		c[i] = m.Classes[0]
		if v >= 0 {
			c[i] = m.Classes[1]
		}
	}
	return c, nil
}

// Score predicts z and compares with the targets or ±1 labels y.
func (m *Model) Score(z kernel.Points, y []float64) (Score, error) {
	f, err := m.Predict(z)
	if err != nil {
		return Score{}, err
	}
	if len(f) != len(y) {
		return Score{}, fmt.Errorf("model: %d targets for %d points, want as many", len(y), len(f))
	}
	for i, v := range y {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return Score{}, fmt.Errorf("model: target %d is %g, want a finite number", i+1, v)
		case m.Classes != nil && v != 1 && v != -1:
			return Score{}, fmt.Errorf("model: label %d is %g, want −1 or +1", i+1, v)
		}
	}
	return Measure(f, y, m.Classes != nil), nil
}

// String is one line: what it was learned on and how it predicts.
func (m *Model) String() string {
	if m == nil || m.X == nil {
		return "model: empty"
	}
	used := 0
	for _, t := range m.Theta {
		if t != 0 {
			used++
		}
	}
	s := fmt.Sprintf("model of %d points, %d of %d kernels in use", m.X.Len(), used, len(m.Theta))
	if m.Name != "" {
		s = m.Name + ": " + s
	}
	if m.Classes != nil {
		return s + fmt.Sprintf("; predicts %q or %q", m.Classes[0], m.Classes[1])
	}
	return s + "; predicts numbers"
}
