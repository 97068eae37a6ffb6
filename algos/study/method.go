package study

import (
	"errors"
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

// Method is one row of a Table: a family, how its weights are found, and the grid of constants that
// cross-validation chooses from. It is plain data. Its loss is loss.Squared, for ±1 labels too.
type Method struct {
	Name   string
	Family kernel.Family

	// Solver learns θ in Set, or in each of Balls. If both Solver and Rule are nil and Single is
	// false, it is mkl.SPG.
	Solver mkl.Solver
	// Rule chooses θ instead: mkl.Uniform is the start of Set (θ = 1 for set.Orthant{}).
	Rule mkl.Rule
	// Single gives one base kernel all the weight and has cross-validation choose which.
	Single bool

	Set   set.Set // Θ, one that suits any number of parameters; if nil, set.Simplex{}
	Balls Balls   // or a grid of balls, tried in the place of Set
	// Ridges is a grid of β: the regulariser reg.Ridge{Beta: β} is added on Set. Nil is none.
	Ridges []float64

	// Lambdas is the grid of λ. If nil, it is 1e-3 … 1e2 by half decades.
	Lambdas []float64
	// Near names an earlier method. Where it is given, only those Lambdas are tried that are
	// within Within decades of the λ that cross-validation chose for that method on the same points.
	Near   string
	Within float64

	Gap        float64 // relative gap of every solve; if 0, 1e-3
	Iterations int     // most steps of a solve; if 0, 500
}

// Balls is the sets {θ ≥ 0, ‖θ − c·1‖_q ≤ Λ}, one for each radius Λ.
type Balls struct {
	Q      float64
	Center float64 // c, in every coordinate
	Radii  []float64
}

// HalfDecades returns 10^from … 10^to in steps of half a decade.
func HalfDecades(from, to float64) []float64 {
	var l []float64
	for i := range int(math.Floor(2*(to-from)+1e-9)) + 1 {
		l = append(l, math.Pow(10, from+float64(i)/2))
	}
	return l
}

// Only is the rule that gives one base kernel all the weight that Θ allows, argmin_Θ −θ_k, and 1
// where that is not bounded. It does not depend on targets.
type Only struct {
	Kernel int // k, from 0
}

func (o Only) String() string { return fmt.Sprintf("only kernel %d", o.Kernel+1) }

// Weigh returns that θ. In a set that has a part of every θ, as a ball about a centre that is not 0
// has, the others keep theirs.
func (o Only) Weigh(p *mkl.Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	if o.Kernel < 0 || o.Kernel >= m {
		return nil, fmt.Errorf("study: kernel number %d of %d, counted from 0", o.Kernel, m)
	}
	theta, g := make([]float64, m), make([]float64, m)
	g[o.Kernel] = -1
	if math.IsInf(p.Set.Minimize(theta, g), -1) {
		clear(theta)
		theta[o.Kernel] = 1
	}
	return theta, nil
}

func (m *Method) gap() float64 {
	if m.Gap == 0 {
		return 1e-3
	}
	return m.Gap
}

func (m *Method) iterations() int {
	if m.Iterations == 0 {
		return 500
	}
	return m.Iterations
}

func (m *Method) lambdas() []float64 {
	if m.Lambdas == nil {
		return HalfDecades(-3, 2)
	}
	return m.Lambdas
}

func (m *Method) solver() mkl.Solver {
	if m.Solver == nil {
		return mkl.SPG{}
	}
	return m.Solver
}

// alternative is what the grid has beside λ: a set, a regulariser, and a rule or the solver on them.
type alternative struct {
	Set    set.Set
	Reg    reg.Reg
	Rule   mkl.Rule // nil: the solver
	Label  string
	Radius float64 // of a ball, else 0
}

// problem is p with what the alternative and λ make of it.
func (a *alternative) problem(p *mkl.Problem, lambda float64) *mkl.Problem {
	q := *p
	q.Set, q.Reg, q.Loss = a.Set, a.Reg, loss.Squared{Lambda: lambda}
	return &q
}

// alternatives lists them for the parameters of g.
func (m *Method) alternatives(g kernel.Grams) []alternative {
	n, _ := g.Dims()
	var sets []alternative
	if len(m.Balls.Radii) > 0 {
		for _, r := range m.Balls.Radii {
			b := set.Ball{Q: m.Balls.Q, Radius: r}
			if c := m.Balls.Center; c != 0 {
				b.Center = slices.Repeat([]float64{c}, n)
			}
			sets = append(sets, alternative{Set: b, Rule: m.Rule, Label: fmt.Sprintf("Λ=%.4g", r), Radius: r})
		}
	} else {
		s := m.Set
		if s == nil {
			s = set.Simplex{}
		}
		sets = append(sets, alternative{Set: s, Rule: m.Rule})
	}
	if len(m.Ridges) > 0 {
		var all []alternative
		for _, a := range sets {
			for _, b := range m.Ridges {
				r := a
				r.Reg, r.Label = reg.Ridge{Beta: b}, strings.TrimSpace(fmt.Sprintf("%s β=%.4g", a.Label, b))
				all = append(all, r)
			}
		}
		sets = all
	}
	if !m.Single {
		return sets
	}
	var all []alternative
	for _, s := range sets {
		for k := range n {
			s.Rule, s.Label = Only{k}, g.Label(k)
			all = append(all, s)
		}
	}
	return all
}

// validate says what is wrong with m on the points of g, which is its family's.
func (m *Method) validate(g kernel.Grams, y []float64) error {
	bad := func(err error) error { return fmt.Errorf("study: method %q: %w", m.Name, err) }
	if m.Rule != nil && m.Solver != nil || m.Single && (m.Rule != nil || m.Solver != nil) {
		return bad(errors.New("want one of a solver, a rule, or single kernels"))
	}
	if m.Set != nil && len(m.Balls.Radii) > 0 {
		return bad(errors.New("want a set or a grid of balls, not both"))
	}
	if len(m.lambdas()) == 0 {
		return bad(errors.New("the grid of λ is empty"))
	}
	if !(m.gap() > 0) || m.iterations() < 0 {
		return bad(fmt.Errorf("gap %g and at most %d steps, want both > 0", m.Gap, m.Iterations))
	}
	if m.Near != "" && !(m.Within >= 0) {
		return bad(fmt.Errorf("λ within %g decades, want 0 or more", m.Within))
	}
	for _, l := range m.lambdas() {
		if err := (loss.Squared{Lambda: l}).Validate(y); err != nil {
			return bad(err)
		}
	}
	if _, ok := g.(kernel.Sliced); !ok {
		return bad(fmt.Errorf("a family %T cannot be sliced into folds", m.Family))
	}
	for _, a := range m.alternatives(g) {
		p := a.problem(&mkl.Problem{Grams: g, Y: y}, m.lambdas()[0])
		if err := p.Validate(); err != nil {
			return bad(err)
		}
		if a.Rule == nil {
			if _, err := m.solver().Uses(p); err != nil {
				return bad(err)
			}
		}
	}
	return nil
}
