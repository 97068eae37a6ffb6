package compare

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/registry"
)

// Path is the axis of losses of a Grid: a loss with some values of its hyperparameter, such as λ, in ascending or
// descending order. The problems are solved in that order, each from the solution of the previous one. If several
// values have the same error, the first is chosen. So begin with the strongest regularization: the largest λ, or the
// smallest C.
//
// ExtendDecades, NearMethod and NearDecades adapt the values that are tried: ExtendDecades adds values beyond an end of
// Values if the value at that end has the smallest error. NearMethod and NearDecades restrict the values to those near
// the choice of an earlier method.
type Path struct {
	Loss   loss.Loss // its hyperparameter (loss.Tunable) is replaced by each of Values
	Values []float64 // of the hyperparameter; if nil, Loss is used with its own
	// ExtendDecades is the number of decades by which the path may extend beyond each end of Values. If the value at an
	// end is chosen, values beyond it are tried too, at the (logarithmic) spacing of the two values at that end. It has
	// no effect unless there are at least two values, all > 0.
	ExtendDecades float64
	// NearMethod, if not empty, is the name of an earlier method with the same hyperparameter on the same points. Only
	// values at most NearDecades decades from the choice of that method are tried first. The path extends beyond them
	// only if ExtendDecades is not 0.
	NearMethod  string
	NearDecades float64
}

func init() { registry.Register(Path{}) }

// Losses returns the path of a loss with each value of its hyperparameter:
//
//	compare.Losses(loss.Squared{}, compare.HalfDecades(2, -2)...)
//
// Without values, the path has only the loss l with its own hyperparameter.
func Losses(l loss.Loss, values ...float64) Path { return Path{Loss: l, Values: values} }

// Ridge returns the path of kernel ridge regression with each λ, the largest first, also for ±1 labels. Without values,
// λ is 1e-3 … 1e2 by half decades, Extendable(3).
func Ridge(lambdas ...float64) Path {
	if lambdas == nil {
		return Ridge(HalfDecades(-3, 2)...).Extendable(3)
	}
	l := slices.Clone(lambdas)
	slices.Sort(l)
	slices.Reverse(l)
	return Path{Loss: loss.Squared{}, Values: slices.Compact(l)}
}

// HalfDecades returns 10^from … 10^to in steps of half a decade, descending if to is below from. It panics unless from
// and to are between −300 and 300.
func HalfDecades(from, to float64) []float64 {
	if !(math.Abs(from) <= 300 && math.Abs(to) <= 300) {
		panic(fmt.Sprintf("compare: HalfDecades from %g to %g; use exponents of 10 between -300 and 300", from, to))
	}
	l := make([]float64, int(math.Floor(2*math.Abs(to-from)+1e-9))+1)
	for i := range l {
		l[i] = math.Pow(10, from+math.Copysign(float64(i)/2, to-from))
	}
	return l
}

// Extendable returns p with the given ExtendDecades.
func (p Path) Extendable(decades float64) Path {
	p.ExtendDecades = decades
	return p
}

// WithinDecades returns p with the given NearMethod and NearDecades.
func (p Path) WithinDecades(method string, decades float64) Path {
	p.NearMethod, p.NearDecades = method, decades
	return p
}

// String returns the loss with the values of its hyperparameter.
func (p Path) String() string {
	if p.Loss == nil {
		return "no loss"
	}
	v, name := p.GridValues(), p.Hyperparameter()
	s := Describe(p.lossAt(v[0]))
	if name != "" {
		assignment := fmt.Sprintf("%s=%.4g", name, v[0])
		s = strings.TrimSuffix(strings.Replace(s, assignment, "", 1), ", ") + ", " + name + " = " + formatNumbers(v)
	}
	return s
}

// Hyperparameter returns the name of the loss's hyperparameter, "" if it has none.
func (p Path) Hyperparameter() string {
	name, _, _ := loss.ParameterOf(p.Loss)
	return name
}

// GridValues returns the values of the hyperparameter to try: Values or, if that is nil, the one value in the loss; 0
// if the loss has no hyperparameter.
func (p Path) GridValues() []float64 {
	if p.Values != nil {
		return p.Values
	}
	_, v, _ := loss.ParameterOf(p.Loss)
	return []float64{v}
}

// lossAt returns the loss with its hyperparameter set to v; the unchanged loss if Values is nil.
func (p Path) lossAt(v float64) loss.Loss {
	if t, ok := p.Loss.(loss.Tunable); ok && p.Values != nil {
		return t.WithParameter(v)
	}
	return p.Loss
}

// addTo validates p and makes it the path of b.
func (p Path) addTo(b *grid) error {
	v := p.Values
	_, _, tuned := loss.ParameterOf(p.Loss)
	switch {
	case b.path.Loss != nil:
		return errors.New("two axes of losses; give one")
	case p.Loss == nil:
		return errors.New("the path has no loss; use Ridge or Losses")
	case len(v) > 0 && tuned && reflect.TypeOf(p.lossAt(v[0])) != reflect.TypeOf(p.Loss):
		return fmt.Errorf("the loss %s with another %s is a loss of another type; it needs its own WithParameter",
			Describe(p.Loss), p.Hyperparameter())
	case v != nil && !tuned:
		return fmt.Errorf("%s has no hyperparameter (loss.Tunable); give no values", Describe(p.Loss))
	case v != nil && len(v) == 0:
		return errors.New("the axis of losses is empty; give it a value, or nil for the loss's own")
	case !(p.ExtendDecades >= 0 && p.ExtendDecades <= 600):
		return fmt.Errorf("a path of %s cannot extend by %g decades; use 0 … 600", p.Hyperparameter(), p.ExtendDecades)
	case p.NearMethod != "" && !(p.NearDecades >= 0):
		return fmt.Errorf("%s within %g decades of the value of %q: use a distance ≥ 0",
			p.Hyperparameter(), p.NearDecades, p.NearMethod)
	}
	for i := 1; i < len(v); i++ {
		if !((v[i]-v[i-1])*(v[1]-v[0]) > 0) {
			return fmt.Errorf("the values of %s are not sorted: %g; sort them, without repeats", p.Hyperparameter(), v)
		}
		if steps := p.ExtendDecades / math.Abs(math.Log10(v[i]/v[i-1])); steps > 1000 {
			return fmt.Errorf("%s = %g and %g are too close to extend the path by %g decades in such steps; use fewer "+
				"decades, or fewer values", p.Hyperparameter(), v[i-1], v[i], p.ExtendDecades)
		}
	}
	b.path = p
	return nil
}

// valuesNear returns the extendedValues that are within p.NearDecades decades of v.
func (p Path) valuesNear(v float64) []float64 {
	r := math.Pow(10, p.NearDecades) * (1 + 1e-9) // allows for rounding
	return slices.DeleteFunc(p.extendedValues(), func(x float64) bool { return x < v/r || x > v*r })
}

// extendedValues returns all values that the path may try, in its order: Values and the values up to ExtendDecades
// decades beyond each end, at the logarithmic spacing of the two values at that end.
func (p Path) extendedValues() []float64 {
	v := slices.Clone(p.GridValues())
	n := len(v)
	if p.ExtendDecades == 0 || n < 2 || !(slices.Min(v) > 0) {
		return v
	}
	extension := func(next, end float64) (l []float64) {
		ratio := end / next
		for k := 1; float64(k)*math.Abs(math.Log10(ratio)) <= p.ExtendDecades+1e-9; k++ {
			l = append(l, end*math.Pow(ratio, float64(k)))
		}
		return l
	}
	before := extension(v[1], v[0])
	slices.Reverse(before)
	return slices.Concat(before, v, extension(v[n-2], v[n-1]))
}

// nextValues returns the values to try next if the path extends: at most two before the first and at most two after the
// last of the tried values.
func (p Path) nextValues(tried []float64) (before, after []float64) {
	if p.ExtendDecades == 0 {
		return nil, nil
	}
	extended := p.extendedValues()
	first, last := slices.Index(extended, tried[0]), slices.Index(extended, tried[len(tried)-1])
	return extended[max(first-2, 0):first], extended[last+1 : min(last+3, len(extended))]
}
