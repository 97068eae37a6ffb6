package study

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"
)

// Axis is one axis of a Grid. It is plain data with a file form: a Path of losses, or a list of sets,
// regularisers or rules. Ridge and Losses make paths; Sets and Balls, Regs and Beta, Rules and Singles
// the others.
type Axis interface {
	part() part
	// on is what the axis puts in a candidate at each of its places, for the parameters of g.
	on(g kernel.Grams) ([]func(c *candidate), error)
}

// part is what an axis is of.
type part int

const (
	losses part = iota
	sets
	regs
	rules
)

func (p part) String() string { return [...]string{"losses", "sets", "regularisers", "rules"}[p] }

// Path is an axis of losses: a loss with each of some values of its constant. They rise or fall
// throughout. They are tried in that order, each solved from the answer of the one before, and of
// several that are equally good the first is chosen: begin with the smoothest.
type Path struct {
	Loss   loss.Loss // its constant apart, which loss.Tuned sets
	Values []float64 // of the constant; of none the loss is taken as it is
	// Decades lets the path grow by itself: where the value at an end is chosen, the ones beyond it
	// are tried too, to at most so many decades beyond the values given, at the spacing of the two
	// values at that end. It needs two values or more, all > 0.
	Decades float64
	// Beside, if not empty, is an earlier method on the same points, with the same constant: only
	// those values are tried that are Within so many decades of its choice, and those beyond them
	// where the path may grow.
	Beside string
	Within float64
	// First, if not nil, are the values tried first, of those that the path may grow to.
	First []float64
}

// The lists are axes of what they hold: a candidate for each element.
type (
	setList  []set.Set
	regList  []reg.Reg
	ruleList []mkl.Rule

	// ballList is the sets {θ ≥ 0, ‖θ − c·1‖_q ≤ Λ}, for any number of parameters.
	ballList struct {
		Q, Centre float64
		Radii     []float64
	}
	// singleList is Only{0}, …, Only{m−1}, the First of them first; all if First is nil.
	singleList struct{ First []int }
)

func init() {
	registry.Register(Path{})
	registry.Register(setList{})
	registry.Register(ballList{})
	registry.Register(regList{})
	registry.Register(ruleList{})
	registry.Register(singleList{})
}

// Losses is a loss with each value of its constant:
//
//	study.Losses(loss.Squared{}, study.HalfDecades(2, -2)...)
//
// Of no value at all, it is the loss as it is.
func Losses(l loss.Loss, values ...float64) Path { return Path{Loss: l, Values: values} }

// Ridge is kernel ridge regression with each λ, also for ±1 labels, the largest first. Of no λ at all
// it is 1e-3 … 1e2 by half decades, Growing(3).
func Ridge(lambdas ...float64) Path {
	if lambdas == nil {
		return Ridge(HalfDecades(-3, 2)...).Growing(3)
	}
	l := slices.Clone(lambdas)
	slices.Sort(l)
	slices.Reverse(l)
	return Path{Loss: loss.Squared{}, Values: slices.Compact(l)}
}

// Growing returns p with its Decades.
func (p Path) Growing(decades float64) Path {
	p.Decades = decades
	return p
}

// Near returns p with Beside and Within.
func (p Path) Near(method string, decades float64) Path {
	p.Beside, p.Within = method, decades
	return p
}

// Sets is sets Θ that suit any number of parameters.
func Sets(s ...set.Set) Axis { return setList(s) }

// Balls is the sets {θ ≥ 0, ‖θ − c·1‖_q ≤ Λ}, one for each radius Λ.
func Balls(q, centre float64, radii ...float64) Axis { return ballList{q, centre, radii} }

// Regs is regularisers r(θ).
func Regs(r ...reg.Reg) Axis { return regList(r) }

// Beta is the regulariser β‖θ‖² with each β.
func Beta(betas ...float64) Axis {
	r := make(regList, len(betas))
	for i, b := range betas {
		r[i] = reg.Ridge{Beta: b}
	}
	return r
}

// Rules is rules that choose θ instead of a solver: mkl.Uniform is the start of Θ (θ = 1 for
// set.Orthant{}).
func Rules(r ...mkl.Rule) Axis { return ruleList(r) }

// Singles gives one base kernel after the other all the weight: see Only.
func Singles() Axis { return singleList{} }

// SinglesFrom is Singles of kernels in an order, such as that of their widths: the kernels of these
// numbers, from 0 and ascending, are tried first, then, as long as there are some, those beside the one
// chosen.
func SinglesFrom(first ...int) Axis { return singleList{first} }

func (Path) part() part       { return losses }
func (setList) part() part    { return sets }
func (ballList) part() part   { return sets }
func (regList) part() part    { return regs }
func (ruleList) part() part   { return rules }
func (singleList) part() part { return rules }

// String is what the path is of: "λ = 1, 0.1".
func (p Path) String() string {
	var v []string
	for _, x := range p.values() {
		v = append(v, fmt.Sprintf("%.3g", x))
	}
	return p.constant() + " = " + strings.Join(v, ", ")
}

// constant is the name of the loss's constant, "" if it has none.
func (p Path) constant() string {
	if t, ok := p.Loss.(loss.Tuned); ok {
		name, _ := t.Constant()
		return name
	}
	return ""
}

// values are those of the constant.
func (p Path) values() []float64 {
	if p.Values != nil {
		return p.Values
	}
	if t, ok := p.Loss.(loss.Tuned); ok {
		_, v := t.Constant()
		return []float64{v}
	}
	return []float64{0}
}

// at is the loss at a value of the path.
func (p Path) at(v float64) loss.Loss {
	if t, ok := p.Loss.(loss.Tuned); ok && p.Values != nil {
		return t.WithConstant(v)
	}
	return p.Loss
}

// on checks the path.
func (p Path) on(kernel.Grams) (puts []func(*candidate), err error) {
	v, tuned := p.Values, false
	if p.Loss != nil {
		_, tuned = p.Loss.(loss.Tuned)
	}
	switch {
	case p.Loss == nil:
		return nil, errors.New("a path without a loss, want Ridge or Losses")
	case len(v) > 0 && tuned && reflect.TypeOf(p.at(v[0])) != reflect.TypeOf(p.Loss):
		return nil, fmt.Errorf("%T with another %s is a %T: want a WithConstant of its own", p.Loss, p.constant(), p.at(v[0]))
	case v != nil && !tuned:
		return nil, fmt.Errorf("%s has no constant that is tuned (loss.Tuned), want no values", called(p.Loss))
	case !(p.Decades >= 0):
		return nil, fmt.Errorf("a path of %s cannot grow by %g decades", p.constant(), p.Decades)
	case p.Beside != "" && !(p.Within >= 0):
		return nil, fmt.Errorf("%s within %g decades of that of %q, want 0 or more", p.constant(), p.Within, p.Beside)
	}
	for i := 2; i < len(v); i++ {
		if !((v[i]-v[i-1])*(v[1]-v[0]) > 0) {
			return nil, fmt.Errorf("the values of %s neither rise nor fall throughout: %g", p.constant(), v)
		}
	}
	for _, v := range p.values() {
		puts = append(puts, func(c *candidate) { c.Loss, c.Constant, c.Value = p.at(v), p.constant(), v })
	}
	return puts, nil
}

func (l setList) on(kernel.Grams) ([]func(*candidate), error) {
	return each(l, func(c *candidate, s set.Set) { c.Set = s })
}

func (l regList) on(kernel.Grams) ([]func(*candidate), error) {
	return each(l, func(c *candidate, r reg.Reg) { c.Reg = r })
}

func (l ruleList) on(kernel.Grams) ([]func(*candidate), error) {
	return each(l, func(c *candidate, r mkl.Rule) { c.Rule = r })
}

func (l ballList) on(g kernel.Grams) (puts []func(*candidate), err error) {
	m, _ := g.Dims()
	for _, r := range l.Radii {
		b := set.Ball{Q: l.Q, Radius: r}
		if l.Centre != 0 {
			b.Center = slices.Repeat([]float64{l.Centre}, m)
		}
		puts = append(puts, func(c *candidate) {
			c.Set = b
			c.label("Λ=%.4g", r)
		})
	}
	return puts, nil
}

func (l singleList) on(g kernel.Grams) (puts []func(*candidate), err error) {
	m, _ := g.Dims()
	for i, k := range l.First {
		if k < 0 || k >= m || i > 0 && k <= l.First[i-1] {
			return nil, fmt.Errorf("single kernels %v first, want some of 0 … %d, ascending", l.First, m-1)
		}
	}
	for k := range m {
		puts = append(puts, func(c *candidate) {
			c.Rule = Only{k}
			c.label("%s", g.Label(k))
		})
	}
	return puts, nil
}

// each puts one thing of a list; what several are called is the candidate's label.
func each[T any](things []T, put func(*candidate, T)) (puts []func(*candidate), err error) {
	for _, t := range things {
		puts = append(puts, func(c *candidate) {
			put(c, t)
			if len(things) > 1 {
				c.label("%s", called(t))
			}
		})
	}
	return puts, nil
}

// called is v as it prints itself, else its type and fields.
func called(v any) string {
	if s, ok := v.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T%+v", v, v)
}

// HalfDecades returns 10^from … 10^to in steps of half a decade, falling where to is below from. Ends
// that are not finite, or more than 600 apart, give NaN, which no grid takes.
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

// around is the part of the path's values, grown as far as it may, that is within its decades of v.
func (p Path) around(v float64) []float64 {
	r := math.Pow(10, p.Within)
	return inside(p.grown(), v/r, v*r)
}

// inside is those of the values between two, to rounding.
func inside(values []float64, lo, hi float64) []float64 {
	var in []float64
	for _, v := range values {
		if v >= lo*(1-1e-9) && v <= hi*(1+1e-9) {
			in = append(in, v)
		}
	}
	return in
}

// grown is all values that a path may have: those given and, at the spacing of the two at each end,
// those that it may grow to.
func (p Path) grown() []float64 {
	n := len(p.Values)
	if p.Decades == 0 || n < 2 || !(slices.Min(p.Values) > 0) {
		return p.Values
	}
	more := func(next, end float64) (l []float64) {
		ratio := end / next
		for k := 1; float64(k)*math.Abs(math.Log10(ratio)) <= p.Decades+1e-9; k++ {
			l = append(l, end*math.Pow(ratio, float64(k)))
		}
		return l
	}
	before := more(p.Values[1], p.Values[0])
	slices.Reverse(before)
	return slices.Concat(before, p.Values, more(p.Values[n-2], p.Values[n-1]))
}

// beyond returns the next two values, at most, that a path may have after or before those tried.
func (p Path) beyond(tried []float64, after bool) []float64 {
	all := p.grown()
	if after {
		i := slices.Index(all, tried[len(tried)-1]) + 1
		return all[i:min(i+2, len(all))]
	}
	i := slices.Index(all, tried[0])
	return all[max(i-2, 0):i]
}
