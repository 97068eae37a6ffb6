package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
)

// Axis is one axis of a Grid: values, and what a candidate at each of them has. Ridge and Losses
// make axes of losses; Sets, SetsBy and Balls of sets; Beta and Regs of regularisers; Rules and
// Singles of rules.
type Axis struct {
	part     part
	constant string    // "λ", "Λ"; "" where the values are numbers of a list
	values   []float64 // if nil, 0 … m−1, the parameters of the family
	put      func(c *candidate, v float64, g kernel.Grams)
	growing  float64
	near     string
	within   float64
	start    []float64 // tried first, if not nil
	err      error
}

// String is what the axis is of: "λ = 1, 0.1".
func (a Axis) String() string {
	if a.constant == "" {
		return a.part.String()
	}
	var v []string
	for _, x := range a.values {
		v = append(v, fmt.Sprintf("%.3g", x))
	}
	return a.constant + " = " + strings.Join(v, ", ")
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

// Ridge is kernel ridge regression with each λ, also for ±1 labels. Of no λ at all it is 1e-3 … 1e2
// by half decades, Growing(3).
func Ridge(lambdas ...float64) Axis {
	l := slices.Clone(lambdas)
	var grow float64
	if l == nil {
		l, grow = HalfDecades(-3, 2), 3
	}
	slices.Sort(l)
	slices.Reverse(l)
	return Losses("λ", func(l float64) loss.Loss { return loss.Squared{Lambda: l} }, slices.Compact(l)...).Growing(grow)
}

// Losses is a loss with each value of its constant:
//
//	study.Losses("C", func(c float64) loss.Loss { return hinge{C: c} }, study.HalfDecades(-2, 2)...)
//
// The values rise or fall throughout. They are tried in that order, each solved from the answer of
// the one before, and of several that are equally good the first is chosen: begin with the smoothest.
func Losses(constant string, f func(v float64) loss.Loss, values ...float64) Axis {
	a := Axis{part: losses, constant: constant, values: append([]float64{}, values...), put: func(c *candidate, v float64, _ kernel.Grams) {
		c.Loss, c.Constant, c.Value = f(v), constant, v
	}}
	for i := 2; i < len(values); i++ {
		if !((values[i]-values[i-1])*(values[1]-values[0]) > 0) {
			a.err = fmt.Errorf("the values of %s neither rise nor fall throughout: %g", constant, values)
		}
	}
	return a
}

// Growing lets an axis of losses grow by itself: where the value at an end is chosen, the ones
// beyond it are tried too, to at most so many decades beyond the values given, at the spacing of
// the last two of these. It needs two values or more, all > 0.
func (a Axis) Growing(decades float64) Axis {
	if a.part != losses || !(decades >= 0) {
		a.err = fmt.Errorf("an axis of %v cannot grow by %g decades", a.part, decades)
	}
	a.growing = decades
	return a
}

// Near has only those values of an axis of losses tried that are within so many decades of the one
// chosen for an earlier method on the same points, and those beyond them where it is Growing.
func (a Axis) Near(method string, decades float64) Axis {
	if a.part != losses || method == "" || !(decades >= 0) {
		a.err = fmt.Errorf("%v within %g decades of those of %q, want losses, and 0 or more", a.part, decades, method)
	}
	a.near, a.within = method, decades
	return a
}

// Sets is sets Θ that suit any number of parameters.
func Sets(s ...set.Set) Axis {
	return list(sets, s, func(c *candidate, s set.Set) { c.Set = s })
}

// SetsBy is a set Θ of m parameters with each value of its constant.
func SetsBy(constant string, f func(m int, v float64) set.Set, values ...float64) Axis {
	return Axis{part: sets, constant: constant, values: append([]float64{}, values...), put: func(c *candidate, v float64, g kernel.Grams) {
		m, _ := g.Dims()
		c.Set = f(m, v)
		c.label("%s=%.4g", constant, v)
	}}
}

// Balls is the sets {θ ≥ 0, ‖θ − c·1‖_q ≤ Λ}, one for each radius Λ.
func Balls(q, centre float64, radii ...float64) Axis {
	return SetsBy("Λ", func(m int, r float64) set.Set {
		b := set.Ball{Q: q, Radius: r}
		if centre != 0 {
			b.Center = slices.Repeat([]float64{centre}, m)
		}
		return b
	}, radii...)
}

// Regs is a regulariser of m parameters with each value of its constant.
func Regs(constant string, f func(m int, v float64) reg.Reg, values ...float64) Axis {
	return Axis{part: regs, constant: constant, values: append([]float64{}, values...), put: func(c *candidate, v float64, g kernel.Grams) {
		m, _ := g.Dims()
		c.Reg = f(m, v)
		c.label("%s=%.4g", constant, v)
	}}
}

// Beta is the regulariser β‖θ‖² with each β.
func Beta(betas ...float64) Axis {
	return Regs("β", func(_ int, b float64) reg.Reg { return reg.Ridge{Beta: b} }, betas...)
}

// Rules is rules that choose θ instead of a solver: mkl.Uniform is the start of Θ (θ = 1 for
// set.Orthant{}).
func Rules(r ...mkl.Rule) Axis {
	return list(rules, r, func(c *candidate, r mkl.Rule) { c.Rule = r })
}

// list is an axis of things without a number.
func list[T any](p part, things []T, put func(*candidate, T)) Axis {
	a := Axis{part: p, values: make([]float64, len(things)), put: func(c *candidate, v float64, _ kernel.Grams) {
		put(c, things[int(v)])
		if len(things) > 1 {
			c.label("%s", called(things[int(v)]))
		}
	}}
	for i := range things {
		a.values[i] = float64(i)
	}
	return a
}

// called is v as it prints itself, else its type and fields.
func called(v any) string {
	if s, ok := v.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%T%+v", v, v)
}

// HalfDecades returns 10^from … 10^to in steps of half a decade.
func HalfDecades(from, to float64) []float64 {
	var l []float64
	for i := range int(math.Floor(2*(to-from)+1e-9)) + 1 {
		l = append(l, math.Pow(10, from+float64(i)/2))
	}
	return l
}

// around is the part of the path's values, grown as far as it may, that is within its decades of v.
func (a *Axis) around(v float64) []float64 {
	r := math.Pow(10, a.within)
	return inside(a.grown(), v/r, v*r)
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

// grown is all values that an axis may have: those given and, at the spacing of the two at each end,
// those that it may grow to.
func (a *Axis) grown() []float64 {
	n := len(a.values)
	if a.growing == 0 || n < 2 || !(slices.Min(a.values) > 0) {
		return a.values
	}
	more := func(next, end float64) (l []float64) {
		ratio := end / next
		for k := 1; float64(k)*math.Abs(math.Log10(ratio)) <= a.growing+1e-9; k++ {
			l = append(l, end*math.Pow(ratio, float64(k)))
		}
		return l
	}
	before := more(a.values[1], a.values[0])
	slices.Reverse(before)
	return slices.Concat(before, a.values, more(a.values[n-2], a.values[n-1]))
}

// beyond returns the next two values, at most, that an axis may have after or before those tried.
func (a *Axis) beyond(tried []float64, after bool) []float64 {
	all := a.grown()
	if after {
		i := slices.Index(all, tried[len(tried)-1]) + 1
		return all[i:min(i+2, len(all))]
	}
	i := slices.Index(all, tried[0])
	return all[max(i-2, 0):i]
}
