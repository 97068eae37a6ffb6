package study

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
)

// candidate is one place of a method's grid: what is tried.
type candidate struct {
	Loss loss.Loss
	Set  set.Set
	Reg  reg.Reg  // nil: none
	Rule mkl.Rule // nil: the method's solver

	Constant string  // the loss's constant: "λ", "C"
	Value    float64 // of it
	Label    string  // what else is chosen: "Λ=2", a single kernel; "" if there is nothing to choose
}

// problem is p, of one or several columns, with the candidate's loss, set and regulariser.
func (c *candidate) problem(p *mkl.Problem) *mkl.Problem {
	q := *p
	_, n := p.Grams.Dims()
	q.Loss, q.Set, q.Reg = loss.In(c.Loss, max(len(p.Y)/n, 1)), c.Set, c.Reg
	return &q
}

// label adds to what else is chosen.
func (c *candidate) label(format string, v ...any) {
	c.Label = strings.TrimSpace(c.Label + " " + fmt.Sprintf(format, v...))
}

// Grid is the axes of a method's grid, crossed: every value of one with every value of the others.
// There is at most one axis of losses, of sets, of regularisers and of rules.
type Grid []Axis

// grid is a Grid on the parameters of a family: every one of the others with every value of the
// path, which is the axis of losses.
type grid struct {
	grams  kernel.Grams
	path   Path
	others []candidate // without a loss
	first  []int       // numbers of those tried first; then those beside the one chosen
	code   model.Code  // of the data's classes for the loss
	starts [][]float64 // of the only candidate: see lowest
}

// bind is g on the parameters of a family, with the defaults of what it does not name.
func (g Grid) bind(grams kernel.Grams) (*grid, error) {
	axes := slices.Clone(g)
	for _, a := range []Axis{Ridge(), Sets(set.Simplex{})} {
		if !g.has(a.part()) {
			axes = append(axes, a)
		}
	}
	b := &grid{grams: grams.Threads(1), others: []candidate{{}}} // see Method.settings
	var named [rules + 1]bool
	for _, a := range axes {
		if a == nil {
			return nil, errors.New("an axis of nothing (nil), want Ridge, Balls, Rules or another")
		}
		if p, ok := a.(*Path); ok {
			a = *p
		}
		if named[a.part()] {
			return nil, fmt.Errorf("two axes of %v, want one", a.part())
		}
		named[a.part()] = true
		puts, err := a.on(grams)
		if err != nil {
			return nil, err
		}
		if len(puts) == 0 {
			return nil, fmt.Errorf("the axis of %v is empty", a.part())
		}
		if p, ok := a.(Path); ok {
			b.path = p
			continue
		}
		if l, ok := a.(singleList); ok {
			b.first = l.First
		}
		var all []candidate
		for _, c := range b.others {
			for _, put := range puts {
				d := c
				put(&d)
				all = append(all, d)
			}
		}
		b.others = all
	}
	if m, _ := grams.Dims(); b.first == nil || len(b.others) != m { // several sets: the others have no order
		b.first = upTo(len(b.others))
	}
	return b, nil
}

// part is b with some of the others alone, all of them tried first.
func (b *grid) part(others ...int) *grid {
	p := *b
	p.others, p.first = at(b.others, others), upTo(len(others))
	return &p
}

// has reports whether an axis of g is of that.
func (g Grid) has(p part) bool {
	return slices.ContainsFunc(g, func(a Axis) bool { return a != nil && a.part() == p })
}

// candidate is one of the others with the loss at a value of the path.
func (b *grid) candidate(o candidate, v float64) candidate {
	o.Loss, o.Constant, o.Value = b.path.at(v), b.path.constant(), v
	return o
}

// size is the number of candidates before it grows.
func (b *grid) size() int { return len(b.others) * len(b.path.values()) }
