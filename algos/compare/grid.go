package compare

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"

	"gonum.org/v1/gonum/floats"
)

// Grid contains the axes of a method's grid. The grid is their product: every value of one axis with every value of the
// others. There is at most one axis each of losses, of sets, of regularizers and of rules.
type Grid []Axis

// Axis is one axis of a Grid. It is plain data with a file form: a Path of losses, or a list of sets, regularizers or
// rules. Ridge and Losses make paths. Sets and Balls, Regs and Beta, Rules and SingleKernels make the others.
type Axis interface {
	fmt.Stringer
	// cross checks the axis and combines every candidate of b with each of its values.
	cross(b *grid) error
}

type (
	setList  []set.Set
	regList  []reg.Reg
	ruleList []mkl.Rule

	// ballList holds the sets {θ ≥ 0, ‖θ − c·1‖_q ≤ Λ}, for any number of parameters.
	ballList struct {
		Q, Centre float64
		Radii     []float64
	}
	// SingleKernels is an axis that gives one base kernel after the other all the weight (SingleKernel). The kernels
	// are ordered, for example by their widths. The kernels in First are tried first (all, if First is nil), then the
	// untried neighbors of the best kernel, as long as it has any. Each list in Alike contains kernels that are nearly
	// the same: its first kernel is chosen if the best of the list is not better by more than one standard error.
	SingleKernels struct {
		First []int
		Alike [][]int
	}
)

func init() {
	registry.Register(setList{})
	registry.Register(ballList{})
	registry.Register(regList{})
	registry.Register(ruleList{})
	registry.Register(SingleKernels{})
}

// Sets returns an axis of sets Θ that suit any number of parameters.
func Sets(s ...set.Set) Axis { return setList(s) }

// Balls returns an axis of the sets {θ ≥ 0, ‖θ − c·1‖_q ≤ Λ}, one for each radius Λ.
func Balls(q, centre float64, radii ...float64) Axis { return ballList{q, centre, radii} }

// Regs returns an axis of regularizers r(θ).
func Regs(r ...reg.Reg) Axis { return regList(r) }

// Beta returns an axis of the regularizer β‖θ‖² with each β.
func Beta(betas ...float64) Axis {
	r := make(regList, len(betas))
	for i, b := range betas {
		r[i] = reg.Ridge{Beta: b}
	}
	return r
}

// Rules returns an axis of rules that determine θ instead of a solver. mkl.Uniform is the start of Θ (θ = 1 for
// set.Orthant{}).
func Rules(r ...mkl.Rule) Axis { return ruleList(r) }

// Candidate is one place of a method's grid.
type Candidate struct {
	Loss loss.Loss
	Set  set.Set
	Reg  reg.Reg  // nil: none
	Rule mkl.Rule // nil: the method's solver

	Constant string  // name of the loss's hyperparameter: "λ", "C"
	Value    float64 // of this hyperparameter
	Label    string  // the other choices: "Λ=2", a single kernel; "" if there is nothing to choose

	key string // of set, regularizer and rule in a store; "" without a store
}

// problem returns p, with one or several columns, with the candidate's loss, set and regularizer.
func (c *Candidate) problem(p *mkl.Problem) *mkl.Problem {
	q := *p
	_, n := p.Grams.Dims()
	q.Loss, q.Set, q.Reg = loss.Repeat(c.Loss, max(len(p.Y)/n, 1)), c.Set, c.Reg
	return &q
}

// label adds s to the label of the candidate.
func (c *Candidate) label(s string) { c.Label = strings.TrimSpace(c.Label + " " + s) }

// grid is a Grid on the parameters of a family: every candidate of others with every value of the path, which is the
// axis of losses.
type grid struct {
	grams  kernel.Grams
	path   Path
	others []Candidate          // without a loss
	axes   []string             // the axes whose product others is: "sets"
	first  []int                // indices of the others tried first; then come the neighbors of the chosen one
	alike  [][]int              // lists of indices of others: see SingleKernels
	code   model.TargetEncoding // of the data's classes, for the loss
	starts [][]float64          // of the only candidate: see lowest
	shift  []float64            // of the only candidate: see Cell.Shift
}

// bind returns the grid of g on the parameters of a family, with the default for each axis that g does not have.
func (g Grid) bind(grams kernel.Grams) (*grid, error) {
	b := &grid{grams: grams.Threads(1), others: []Candidate{{}}} // see Method.settings
	for _, a := range g {
		if a == nil {
			return nil, errors.New("an axis is nil; use Ridge, Balls, Rules or another axis")
		}
		if err := a.cross(b); err != nil {
			return nil, err
		}
	}
	if b.path.Loss == nil {
		b.path = Ridge()
	}
	if !slices.Contains(b.axes, "sets") {
		for i := range b.others {
			b.others[i].Set = set.Simplex{}
		}
	}
	if m, _ := grams.Dims(); b.first == nil || len(b.others) != m { // several sets: the others have no order
		b.first, b.alike = points.AllIndices(len(b.others)), nil
	}
	return b, nil
}

// cross combines every candidate with each of the n values of an axis.
func (b *grid) cross(axis string, n int, put func(c *Candidate, i int)) error {
	if slices.Contains(b.axes, axis) {
		return fmt.Errorf("two axes of %s; give one", axis)
	}
	if n == 0 {
		return fmt.Errorf("the axis of %s is empty", axis)
	}
	var all []Candidate
	for _, c := range b.others {
		for i := range n {
			d := c
			put(&d, i)
			all = append(all, d)
		}
	}
	b.axes, b.others = append(b.axes, axis), all
	return nil
}

func (l setList) cross(b *grid) error {
	return b.cross("sets", len(l), func(c *Candidate, i int) { c.Set = l[i]; c.among(len(l), l[i]) })
}

func (l regList) cross(b *grid) error {
	return b.cross("regularisers", len(l), func(c *Candidate, i int) { c.Reg = l[i]; c.among(len(l), l[i]) })
}

func (l ruleList) cross(b *grid) error {
	return b.cross("rules", len(l), func(c *Candidate, i int) { c.Rule = l[i]; c.among(len(l), l[i]) })
}

func (l ballList) cross(b *grid) error {
	m, _ := b.grams.Dims()
	var centre []float64
	if l.Centre != 0 {
		centre = slices.Repeat([]float64{l.Centre}, m)
	}
	return b.cross("sets", len(l.Radii), func(c *Candidate, i int) {
		c.Set = set.Ball{Q: l.Q, Radius: l.Radii[i], Center: centre}
		c.label(fmt.Sprintf("Λ=%.4g", l.Radii[i]))
	})
}

func (l SingleKernels) cross(b *grid) error {
	m, _ := b.grams.Dims()
	for i, k := range l.First {
		if k < 0 || k >= m || i > 0 && k <= l.First[i-1] {
			return fmt.Errorf("First = %v must be ascending kernel numbers from 0 to %d", l.First, m-1)
		}
	}
	b.first, b.alike = l.First, l.Alike
	return b.cross("rules", m, func(c *Candidate, i int) { c.Rule = SingleKernel{i}; c.label(b.grams.Label(i)) })
}

func (l setList) String() string  { return joined(l) }
func (l regList) String() string  { return joined(l) }
func (l ruleList) String() string { return joined(l) }

func (l ballList) String() string {
	return fmt.Sprintf("θ ≥ 0, ‖θ − %.3g‖_%g ≤ Λ, Λ = %s", l.Centre, l.Q, listNumbers(l.Radii))
}

func (l SingleKernels) String() string {
	if l.First == nil {
		return "each kernel alone"
	}
	return fmt.Sprintf("each kernel alone, first %d of them, then the neighbors of the best", len(l.First))
}

// joined returns the descriptions of the values of an axis.
func joined[T any](list []T) string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = Describe(v)
	}
	return strings.Join(all, " or ")
}

// listNumbers returns the numbers, or the first and the last of more than four.
func listNumbers(v []float64) string {
	if n := len(v); n > 4 {
		return fmt.Sprintf("%.3g … %.3g (%d values)", v[0], v[n-1], n)
	}
	all := make([]string, len(v))
	for i, x := range v {
		all[i] = fmt.Sprintf("%.3g", x)
	}
	return strings.Join(all, ", ")
}

// among adds the description of thing, one of the n values of an axis, to the label if there are several values.
func (c *Candidate) among(n int, thing any) {
	if n > 1 {
		c.label(Describe(thing))
	}
}

// Describe returns the String of v if it has one, otherwise its fields.
func Describe(v any) string {
	if s, ok := v.(fmt.Stringer); ok {
		return s.String()
	}
	return fmt.Sprintf("%+v", v)
}

// part returns b with only some of the others, all of which are tried first.
func (b *grid) part(others ...int) *grid {
	p := *b
	p.others, p.first, p.alike = points.Pick(b.others, others), points.AllIndices(len(others)), nil
	return &p
}

// candidate returns one of the others with the loss at a value of the path.
func (b *grid) candidate(o Candidate, v float64) Candidate {
	o.Loss, o.Constant, o.Value = b.path.at(v), b.path.Hyperparameter(), v
	return o
}

// shifted returns the constants of the columns with the shift of the only candidate.
func (b *grid) shifted(offsets []float64) []float64 {
	if b.shift == nil {
		return offsets
	}
	return floats.AddTo(make([]float64, len(offsets)), offsets, b.shift)
}

// size returns the number of candidates before the path extends.
func (b *grid) size() int { return len(b.others) * len(b.path.Grid()) }
