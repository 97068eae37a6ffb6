package fit

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/loss"
)

// Path is the axis of losses of a Grid: one loss with several values of its hyperparameter, such as λ, in ascending or
// descending order. The problems are solved in that order, each from the solution of the previous one. Of values with
// the same error, the first is chosen. So begin with the strongest regularization: the largest λ, or the smallest C.
//
// If the objective has several minima, a solution depends on the values before it. To solve each value from the start
// of Θ, give each a Search of its own in a Best.
//
// ExtendDecades, NearMethod and NearDecades adapt the values that are tried: ExtendDecades adds values beyond an end of
// Values if the value at that end has the smallest error. NearMethod and NearDecades restrict the values to those near
// the choice of an earlier method.
type Path struct {
	Loss   loss.Loss // the loss; its hyperparameter (loss.Tunable) is set to each of Values
	Values []float64 // values of the hyperparameter; if nil, Loss keeps its own value
	// ExtendDecades is the number of decades by which the path may extend beyond each end of Values. If the value at an
	// end is chosen, values beyond it are tried too, each a constant factor from the one before: the quotient of the
	// last two Values at that end. ExtendDecades has no effect unless there are at least two values, all > 0.
	ExtendDecades float64
	// NearMethod, if not empty, is the name of an earlier method whose loss has the same hyperparameter. The values
	// that are tried first are then only those at most NearDecades decades from the value that is chosen for that
	// method on the same points. Values farther away are tried only if ExtendDecades is not 0.
	NearMethod  string
	NearDecades float64 // largest distance, in decades, from the value chosen for NearMethod
}

// Losses returns the axis of the loss l with each of the values of its hyperparameter:
//
//	fit.Losses(loss.Squared{}, fit.HalfDecades(2, -2)...)
//
// Without values, l keeps its own hyperparameter.
func Losses(l loss.Loss, values ...float64) Path { return Path{Loss: l, Values: values} }

// Ridge returns the path of kernel ridge regression (the squared loss, for ±1 labels too) with each λ, the largest
// first. Without arguments, λ is 1e2 … 1e-3 in half decades, and the path may extend by three decades beyond each end.
func Ridge(lambdas ...float64) Path {
	if lambdas == nil {
		return Ridge(HalfDecades(-3, 2)...).Extendable(3)
	}
	l := slices.Clone(lambdas)
	slices.Sort(l)
	slices.Reverse(l)
	return Path{Loss: loss.Squared{}, Values: slices.Compact(l)}
}

// HalfDecades returns 10^fromExponent … 10^toExponent in steps of half a decade, ascending or descending. It panics
// unless both exponents are between −300 and 300.
func HalfDecades(fromExponent, toExponent float64) []float64 {
	if !(math.Abs(fromExponent) <= 300 && math.Abs(toExponent) <= 300) {
		panic(fmt.Sprintf("fit: HalfDecades from %g to %g; use exponents of 10 between -300 and 300", fromExponent,
			toExponent))
	}
	l := make([]float64, int(math.Floor(2*math.Abs(toExponent-fromExponent)+1e-9))+1)
	for i := range l {
		l[i] = math.Pow(10, fromExponent+math.Copysign(float64(i)/2, toExponent-fromExponent))
	}
	return l
}

// Extendable returns a copy of p that may extend by this number of decades beyond each end (ExtendDecades).
func (p Path) Extendable(decades float64) Path {
	p.ExtendDecades = decades
	return p
}

// WithinDecades returns a copy of p that first tries only values at most so many decades from that of method.
func (p Path) WithinDecades(method string, decades float64) Path {
	p.NearMethod, p.NearDecades = method, decades
	return p
}

// String returns the loss with the values of its hyperparameter.
func (p Path) String() string {
	if p.Loss == nil {
		return "no loss"
	}
	s := p.LossName()
	if hyperparameter := p.HyperparameterName(); hyperparameter != "" {
		s += ", " + hyperparameter + " = " + summarizeNumbers(p.GridValues())
	}
	return s
}

// LossName returns the name of the losses and their parameters except the hyperparameter that p varies.
func (p Path) LossName() string {
	return strings.Join(slices.DeleteFunc(strings.Split(Describe(p.Loss), ", "),
		func(part string) bool { return strings.HasPrefix(part, p.HyperparameterName()+"=") }), ", ")
}

// HyperparameterName returns the name of the loss's hyperparameter, such as "λ"; "" if it has none.
func (p Path) HyperparameterName() string {
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

// lossAt returns a copy of the loss with the hyperparameter value v; the unchanged loss if Values is nil.
func (p Path) lossAt(v float64) loss.Loss {
	if t, ok := p.Loss.(loss.Tunable); ok && p.Values != nil {
		return t.WithParameter(v)
	}
	return p.Loss
}

// valuesNear returns those of extendedValues that are at most p.NearDecades decades from chosenValue.
func (p Path) valuesNear(chosenValue float64) []float64 {
	r := math.Pow(10, p.NearDecades) * (1 + 1e-9) // allows for rounding
	return slices.DeleteFunc(p.extendedValues(), func(x float64) bool { return x < chosenValue/r || x > chosenValue*r })
}

// extendedValues returns all values that the path may try, in its order: Values, and beyond each end the values up to
// ExtendDecades decades further, each a constant factor from the one before (see ExtendDecades).
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
	valuesBefore := extension(v[1], v[0])
	slices.Reverse(valuesBefore)
	return slices.Concat(valuesBefore, v, extension(v[n-2], v[n-1]))
}

// nextValues returns the values to try next if the path extends: at most two before the first and at most two after the
// last of the tried values.
func (p Path) nextValues(triedValues []float64) (valuesBefore, valuesAfter []float64) {
	if p.ExtendDecades == 0 {
		return nil, nil
	}
	extended := p.extendedValues()
	firstIndex := slices.Index(extended, triedValues[0])
	lastIndex := slices.Index(extended, triedValues[len(triedValues)-1])
	valuesBefore = extended[max(firstIndex-2, 0):firstIndex]
	valuesAfter = extended[lastIndex+1 : min(lastIndex+3, len(extended))]
	return valuesBefore, valuesAfter
}

// Describe returns the String of v if it has one, otherwise its fields.
func Describe(v any) string {
	if s, ok := v.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%+v", v)
}

// joinDescriptions returns the descriptions of the values of an axis, separated by " or ".
func joinDescriptions[T any](list []T) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = Describe(v)
	}
	return strings.Join(texts, " or ")
}

// summarizeNumbers returns up to four numbers as text. Of more numbers it returns the first, the last and their count.
func summarizeNumbers(v []float64) string {
	if n := len(v); n > 4 {
		return fmt.Sprintf("%.3g … %.3g (%d values)", v[0], v[n-1], n)
	}
	texts := make([]string, len(v))
	for i, x := range v {
		texts[i] = fmt.Sprintf("%.3g", x)
	}
	return strings.Join(texts, ", ")
}
