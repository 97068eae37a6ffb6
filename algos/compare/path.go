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
// values are equally good, the first is chosen, so begin with the smoothest.
//
// Extend, Near and Within make the search adaptive: a coarse grid extends at its ends, and later methods search near
// the choice of an earlier method.
type Path struct {
	Loss   loss.Loss // without its hyperparameter, which loss.Tunable sets
	Values []float64 // of the hyperparameter; if nil, the loss is used as it is
	// Extend is the number of decades by which the path may extend beyond Values. If the value at an end is chosen, the
	// values beyond it are tried too, at the spacing of the two values at that end. Extend needs at least two values,
	// all > 0.
	Extend float64
	// Near, if not empty, is the name of an earlier method with the same hyperparameter on the same points. Only values
	// at most Within decades from the choice of that method are tried first. The path extends beyond them only if
	// Extend is not 0.
	Near   string
	Within float64
}

func init() { registry.Register(Path{}) }

// Losses returns the path of a loss with each value of its hyperparameter:
//
//	compare.Losses(loss.Squared{}, compare.HalfDecades(2, -2)...)
//
// Without values, it is the loss as it is.
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

// HalfDecades returns 10^from … 10^to in steps of half a decade, descending if to is below from. If the ends are not
// finite, or are more than 600 apart, it returns NaN, which no grid accepts.
func HalfDecades(from, to float64) []float64 {
	if !(math.Abs(to-from) <= 600) {
		return []float64{math.NaN()}
	}
	l := make([]float64, int(math.Floor(2*math.Abs(to-from)+1e-9))+1)
	for i := range l {
		l[i] = math.Pow(10, from+math.Copysign(float64(i)/2, to-from))
	}
	return l
}

// Extendable returns p with the given Extend.
func (p Path) Extendable(decades float64) Path {
	p.Extend = decades
	return p
}

// WithinDecades returns p with the given Near and Within.
func (p Path) WithinDecades(method string, decades float64) Path {
	p.Near, p.Within = method, decades
	return p
}

// String returns the loss with the values of its hyperparameter.
func (p Path) String() string {
	if p.Loss == nil {
		return "no loss"
	}
	v, name := p.Grid(), p.Hyperparameter()
	s := Describe(p.at(v[0]))
	if name != "" {
		one := fmt.Sprintf("%s=%.4g", name, v[0])
		s = strings.TrimSuffix(strings.Replace(s, one, "", 1), ", ") + ", " + name + " = " + listNumbers(v)
	}
	if p.Near != "" {
		s += fmt.Sprintf(" within %g decades of that of %s", p.Within, p.Near)
	}
	if p.Extend > 0 {
		s += fmt.Sprintf("; %g decades more beyond a chosen end", p.Extend)
	}
	return s
}

// Hyperparameter returns the name of the loss's hyperparameter, "" if it has none.
func (p Path) Hyperparameter() string {
	name, _, _ := loss.ParameterOf(p.Loss)
	return name
}

// Grid returns the values of the hyperparameter to try: the loss's own if none are given, 0 if it has no
// hyperparameter.
func (p Path) Grid() []float64 {
	if p.Values != nil {
		return p.Values
	}
	_, v, _ := loss.ParameterOf(p.Loss)
	return []float64{v}
}

// at returns the loss with a value of its hyperparameter.
func (p Path) at(v float64) loss.Loss {
	if t, ok := p.Loss.(loss.Tunable); ok && p.Values != nil {
		return t.WithParameter(v)
	}
	return p.Loss
}

// cross makes p the path of b.
func (p Path) cross(b *grid) error {
	v := p.Values
	_, _, tuned := loss.ParameterOf(p.Loss)
	switch {
	case b.path.Loss != nil:
		return errors.New("two axes of losses; give one")
	case p.Loss == nil:
		return errors.New("the path has no loss; use Ridge or Losses")
	case len(v) > 0 && tuned && reflect.TypeOf(p.at(v[0])) != reflect.TypeOf(p.Loss):
		return fmt.Errorf("the loss %s with another %s is a loss of another type; it needs its own WithParameter",
			Describe(p.Loss), p.Hyperparameter())
	case v != nil && !tuned:
		return fmt.Errorf("%s has no hyperparameter (loss.Tunable); give no values", Describe(p.Loss))
	case v != nil && len(v) == 0:
		return errors.New("the axis of losses is empty")
	case !(p.Extend >= 0 && p.Extend <= 600):
		return fmt.Errorf("a path of %s cannot extend by %g decades; use 0 … 600", p.Hyperparameter(), p.Extend)
	case p.Near != "" && !(p.Within >= 0):
		return fmt.Errorf("%s within %g decades of that of %q: the distance must be ≥ 0",
			p.Hyperparameter(), p.Within, p.Near)
	}
	for i := 1; i < len(v); i++ {
		if !((v[i]-v[i-1])*(v[1]-v[0]) > 0) {
			return fmt.Errorf("the values of %s neither rise nor fall throughout: %g", p.Hyperparameter(), v)
		}
	}
	b.path = p
	return nil
}

// around returns the values that the path may have, with its extensions, within p.Within decades of v.
func (p Path) around(v float64) []float64 {
	r := math.Pow(10, p.Within) * (1 + 1e-9) // allows for rounding
	return slices.DeleteFunc(p.grown(), func(x float64) bool { return x < v/r || x > v*r })
}

// grown returns all values that a path may have: the given values and, at the spacing of the two values at each end,
// the values to which it may extend.
func (p Path) grown() []float64 {
	v := slices.Clone(p.Grid())
	n := len(v)
	if p.Extend == 0 || n < 2 || !(slices.Min(v) > 0) {
		return v
	}
	more := func(next, end float64) (l []float64) {
		ratio := end / next
		for k := 1; float64(k)*math.Abs(math.Log10(ratio)) <= p.Extend+1e-9; k++ {
			l = append(l, end*math.Pow(ratio, float64(k)))
		}
		return l
	}
	before := more(v[1], v[0])
	slices.Reverse(before)
	return slices.Concat(before, v, more(v[n-2], v[n-1]))
}

// beyond returns the next values to which the path may extend before and after the tried ones, at most two of each.
func (p Path) beyond(tried []float64) (before, after []float64) {
	if p.Extend == 0 {
		return nil, nil
	}
	all := p.grown()
	first, last := slices.Index(all, tried[0]), slices.Index(all, tried[len(tried)-1])
	return all[max(first-2, 0):first], all[last+1 : min(last+3, len(all))]
}
