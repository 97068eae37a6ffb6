package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
)

// Grid contains the axes of a method's grid. The grid is their product: every value of one axis with every value of the
// others. There is at most one axis each of losses, of sets Θ, of regularizers and of rules for θ.
type Grid []Axis

// Axis is one axis of a Grid. It is plain data that a Study can save: a Path of losses (Ridge, Losses), or a list of
// sets (Sets, Balls), of regularizers (Regularizers, RidgeRegularizers) or of rules (Rules, SingleKernels).
type Axis interface {
	fmt.Stringer
	// addAxisTo validates the axis and replaces each candidate of b by one for each value of the axis.
	addAxisTo(b *grid) error
}

type (
	setList  []set.Set
	regList  []reg.Reg
	ruleList []mkl.Rule

	// ballList holds the sets {θ ≥ 0, ‖θ − Center·1‖_Q ≤ Λ}, one for each Λ in Radii, for any number of weights θ.
	ballList struct {
		Q, Center float64
		Radii     []float64
	}
	// SingleKernels is an axis whose values use one base kernel each (rule SingleKernel), in the order of the family.
	// If the best kernel is in a list in SimilarKernels, the first kernel of this list is chosen, unless the best one
	// is better by more than one standard error.
	SingleKernels struct {
		SimilarKernels [][]int // lists of indices of kernels that are nearly the same
	}
)

// Sets returns an axis of sets Θ. Each must be valid for any number of weights θ.
func Sets(s ...set.Set) Axis { return setList(s) }

// Balls returns an axis of the sets {θ ≥ 0, ‖θ − center·1‖_q ≤ Λ}, one for each radius Λ.
func Balls(q, center float64, radii ...float64) Axis { return ballList{q, center, radii} }

// Regularizers returns an axis whose values are the regularizers r of θ.
func Regularizers(r ...reg.Reg) Axis { return regList(r) }

// RidgeRegularizers returns an axis of the regularizers β‖θ‖², one for each β.
func RidgeRegularizers(betas ...float64) Axis {
	r := make(regList, len(betas))
	for i, b := range betas {
		r[i] = reg.Ridge{Beta: b}
	}
	return r
}

// Rules returns an axis whose values are rules: functions that compute θ, so that no solver learns it. The rule
// mkl.Uniform returns the point at which solvers start in the set Θ, equal weights (θ = 1 for set.Orthant{}).
func Rules(r ...mkl.Rule) Axis { return ruleList(r) }

// Candidate is one combination of the values of a grid's axes.
type Candidate struct {
	Loss loss.Loss
	Set  set.Set
	Reg  reg.Reg  // nil: none
	Rule mkl.Rule // computes θ; nil: the method's solver learns θ

	Hyperparameter string  // name of the loss's hyperparameter, such as "λ" or "C"
	Value          float64 // value of this hyperparameter
	Label          string  // values of the axes besides the loss, such as "Λ=2" or a kernel; "" if each has one value
	Index          int     // index among the candidates of the method's grid
}

// applyTo returns p, which may have several target columns, with the candidate's loss, set and regularizer.
func (c *Candidate) applyTo(p *mkl.Problem) *mkl.Problem {
	q := *p
	_, n := p.Grams.Dims()
	q.Loss, q.Set, q.Reg = loss.Repeat(c.Loss, max(len(p.Y)/n, 1)), c.Set, c.Reg
	return &q
}

func (c *Candidate) appendLabel(s string) { c.Label = strings.TrimSpace(c.Label + " " + s) }

// grid is a Grid for one family on given points. It combines each element of candidates with each value that path has
// for the hyperparameter of the loss.
type grid struct {
	grams                  kernel.Grams
	kernelLabel            func(k int) string // returns the label of a base kernel
	path                   Path
	candidates             []Candidate          // all combinations of sets, regularizers and rules, without a loss
	axisNames              []string             // names of the axes in candidates, for example "sets"
	similarCandidateGroups [][]int              // groups of indices of candidates with nearly the same kernel
	data                   *data.Dataset        // the data; it has LogTargets if the method has it
	targets                []float64            // data.TransformedY: all values of the first target, then …
	scoresExp              bool                 // Search.LogTargets: cells compare exp of predictions and targets
	encoding               model.TargetEncoding // turns the targets or classes of the data into target columns
	startThetas            [][]float64          // θ from which a second solve may start; for one candidate only
	quantileShift          []float64            // Choice.quantileShifts; for one candidate only
}

// bindTo returns the grid of g for a family on its points, given by grams. kernelLabel returns the label of base kernel
// k. If g has no axis of losses, it uses Ridge(), the squared loss. If it has no axis of sets, Θ is set.Simplex{}.
func (g Grid) bindTo(grams kernel.Grams, kernelLabel func(k int) string) (*grid, error) {
	// The Grams have one thread, because tasks run concurrently.
	b := &grid{grams: grams.WithThreads(1), kernelLabel: kernelLabel, candidates: []Candidate{{}}}
	for _, a := range g {
		if a == nil {
			return nil, errors.New("an axis of the grid is nil; use Ridge, Balls, Rules or another axis")
		}
		if err := a.addAxisTo(b); err != nil {
			return nil, err
		}
	}
	if b.path.Loss == nil {
		b.path = Ridge()
	}
	if !slices.Contains(b.axisNames, "sets") {
		for i := range b.candidates {
			b.candidates[i].Set = set.Simplex{}
		}
	}
	for i := range b.candidates {
		b.candidates[i].Index = i
	}
	if m, _ := grams.Dims(); len(b.candidates) != m { // there is an axis besides SingleKernels
		b.similarCandidateGroups = nil
	}
	return b, nil
}

// multiplyCandidates replaces each candidate by copies, one for each value i of an axis, which assign sets.
func (b *grid) multiplyCandidates(axisName string, valueCount int, assign func(c *Candidate, i int)) error {
	if slices.Contains(b.axisNames, axisName) {
		return fmt.Errorf("the grid has two axes of %s; give one", axisName)
	}
	if valueCount == 0 {
		return fmt.Errorf("the axis of %s is empty; give it a value", axisName)
	}
	var products []Candidate
	for _, c := range b.candidates {
		for i := range valueCount {
			d := c
			assign(&d, i)
			products = append(products, d)
		}
	}
	b.axisNames, b.candidates = append(b.axisNames, axisName), products
	return nil
}

// addAxisValues replaces each candidate of b by a copy for each value of an axis. assign sets a value in a copy.
func addAxisValues[T any](b *grid, axisName string, values []T, assign func(c *Candidate, v T)) error {
	return b.multiplyCandidates(axisName, len(values), func(c *Candidate, i int) {
		if assign(c, values[i]); len(values) > 1 {
			c.appendLabel(Describe(values[i]))
		}
	})
}

func (l setList) addAxisTo(b *grid) error {
	return addAxisValues(b, "sets", l, func(c *Candidate, s set.Set) { c.Set = s })
}

func (l regList) addAxisTo(b *grid) error {
	return addAxisValues(b, "regularizers", l, func(c *Candidate, r reg.Reg) { c.Reg = r })
}

func (l ruleList) addAxisTo(b *grid) error {
	return addAxisValues(b, "rules", l, func(c *Candidate, r mkl.Rule) { c.Rule = r })
}

func (l ballList) addAxisTo(b *grid) error {
	m, _ := b.grams.Dims()
	var center []float64
	if l.Center != 0 {
		center = slices.Repeat([]float64{l.Center}, m)
	}
	return b.multiplyCandidates("sets", len(l.Radii), func(c *Candidate, i int) {
		c.Set = set.Ball{Q: l.Q, Radius: l.Radii[i], Center: center}
		c.appendLabel(fmt.Sprintf("Λ=%.4g", l.Radii[i]))
	})
}

func (l SingleKernels) addAxisTo(b *grid) error {
	m, _ := b.grams.Dims()
	b.similarCandidateGroups = l.SimilarKernels
	return b.multiplyCandidates("rules", m, func(c *Candidate, i int) {
		c.Rule = SingleKernel{i}
		c.appendLabel(b.kernelLabel(i))
	})
}

// addAxisTo validates p and makes it the axis of losses of b.
func (p Path) addAxisTo(b *grid) error {
	v := p.Values
	_, _, isTunable := loss.ParameterOf(p.Loss)
	switch {
	case b.path.Loss != nil:
		return errors.New("the grid has two axes of losses; give one")
	case p.Loss == nil:
		return errors.New("the path has no loss; use Ridge or Losses")
	case len(v) > 0 && isTunable && reflect.TypeOf(p.lossAt(v[0])) != reflect.TypeOf(p.Loss):
		return fmt.Errorf("WithParameter of the loss %s returns a loss of another type; it must change only %s",
			Describe(p.Loss), p.HyperparameterName())
	case v != nil && !isTunable:
		return fmt.Errorf("%s has no hyperparameter (loss.Tunable); give no values", Describe(p.Loss))
	case v != nil && len(v) == 0:
		return errors.New("the axis of losses is empty; give it a value, or nil to use the loss's own hyperparameter")
	case !(p.ExtendDecades >= 0 && p.ExtendDecades <= 600):
		return fmt.Errorf("the path of %s cannot extend by %g decades; set ExtendDecades to 0 … 600",
			p.HyperparameterName(), p.ExtendDecades)
	case p.NearMethod != "" && !(p.NearDecades >= 0):
		return fmt.Errorf("NearDecades of the path of %s is %g; use 0 or more decades from the value chosen for %q",
			p.HyperparameterName(), p.NearDecades, p.NearMethod)
	}
	for i := 1; i < len(v); i++ {
		if !((v[i]-v[i-1])*(v[1]-v[0]) > 0) {
			return fmt.Errorf("the values of %s are not sorted: %g; sort them, without repeats",
				p.HyperparameterName(), v)
		}
		if steps := p.ExtendDecades / math.Abs(math.Log10(v[i]/v[i-1])); steps > 1000 {
			return fmt.Errorf("%s = %g and %g are too close: extension by %g decades has over 1000 steps; use fewer "+
				"ExtendDecades, or values farther apart", p.HyperparameterName(), v[i-1], v[i], p.ExtendDecades)
		}
	}
	b.path = p
	return nil
}

func (l setList) String() string  { return joinDescriptions(l) }
func (l regList) String() string  { return joinDescriptions(l) }
func (l ruleList) String() string { return joinDescriptions(l) }

func (l ballList) String() string {
	return fmt.Sprintf("θ ≥ 0, ‖θ − %.3g‖_%g ≤ Λ, Λ = %s", l.Center, l.Q, summarizeNumbers(l.Radii))
}

func (SingleKernels) String() string { return "each kernel alone" }

// withCandidate returns b with only the candidate at the given index.
func (b *grid) withCandidate(index int) *grid {
	p := *b
	p.candidates = []Candidate{b.candidates[index]}
	return &p
}

// withLossOf returns a copy of b whose loss has only the weights of the points with the indices rows.
func (b *grid) withLossOf(rows []int) *grid {
	p := *b
	p.path.Loss = b.path.Loss.Slice(rows)
	return &p
}

// candidateWithValue returns a copy of the candidate c whose loss has the hyperparameter value pathValue.
func (b *grid) candidateWithValue(c Candidate, pathValue float64) Candidate {
	c.Loss, c.Hyperparameter, c.Value = b.path.lossAt(pathValue), b.path.HyperparameterName(), pathValue
	return c
}

// offsetsPlusQuantileShift returns, for each target column, its offset plus its shift of quantiles.
func (b *grid) offsetsPlusQuantileShift(offsets []float64) []float64 {
	if b.quantileShift == nil {
		return offsets
	}
	return floats.AddTo(make([]float64, len(offsets)), offsets, b.quantileShift)
}

// cellCount returns the number of candidates times the number of hyperparameter values, without extensions of the path.
func (b *grid) cellCount() int { return len(b.candidates) * len(b.path.GridValues()) }

// SingleKernel is the rule that uses base kernel k alone, with the largest weight that the set Θ permits, or θ_k = 1 if
// θ_k is unbounded in Θ. The weights do not depend on targets.
type SingleKernel struct {
	Kernel int // index k of the kernel, from 0
}

func (o SingleKernel) String() string { return fmt.Sprintf("only kernel %d", o.Kernel+1) }

// Weights returns the θ in the set Θ with the largest θ_k, for the kernel k of the rule. It returns an error if another
// weight of this θ is not 0, as in a ball around a center that is not 0.
func (o SingleKernel) Weights(_ context.Context, p *mkl.Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	if o.Kernel < 0 || o.Kernel >= m {
		return nil, fmt.Errorf("fit: SingleKernel: there is no kernel %d; give a number from 0 to %d",
			o.Kernel, m-1)
	}
	theta, g := make([]float64, m), make([]float64, m)
	g[o.Kernel] = -1
	if math.IsInf(p.Set.Minimize(theta, g), -1) {
		clear(theta)
		theta[o.Kernel] = 1
	}
	for k, t := range theta {
		if k != o.Kernel && t != 0 {
			return nil, fmt.Errorf("fit: SingleKernel: in the set %v, the weights with the largest weight %d have "+
				"other weights that are not 0; use a set with a kernel alone, such as set.Simplex or a ball with "+
				"center 0", p.Set, o.Kernel+1)
		}
	}
	return theta, nil
}

// FixedWeights is the rule that uses the given weights, and 0 for weights beyond the length of Theta. If all weights
// are 0, the prediction is the mean of the training targets or, for classes, the most frequent class of the training
// points. This is the constant baseline.
type FixedWeights struct{ Theta []float64 }

func (FixedWeights) String() string { return "given weights" }

// Weights returns f.Theta, extended by zeros or cut to the number of base kernels.
func (f FixedWeights) Weights(_ context.Context, p *mkl.Problem) ([]float64, error) {
	m, _ := p.Grams.Dims()
	theta := make([]float64, m)
	copy(theta, f.Theta)
	return theta, nil
}

// ViewIndex returns the index of the view that consists of the features (columns) or is the part of the kernel k; −1 if
// there is none.
func ViewIndex(views []data.View, k kernel.Kernel) int {
	var columns []int
	switch k := k.(type) {
	case kernel.Linear:
		columns = k.Columns
	case kernel.RBF:
		columns = k.Columns
	case kernel.Laplacian:
		columns = k.Columns
	case kernel.OnPart:
		return slices.IndexFunc(views, func(v data.View) bool { return v.Features == nil && v.Name == k.Part })
	}
	return slices.IndexFunc(views, func(v data.View) bool {
		return columns != nil && slices.Equal(v.Features, columns)
	})
}

// labelsWithViewNames returns the labels of the base kernels of f. For a kernel of a view, the name of the view
// replaces the list of features in the label.
func labelsWithViewNames(views []data.View, f kernel.Family, labels []string) []string {
	kernels := kernel.KernelsOf(f)
	if len(labels) != len(kernels) {
		return labels
	}
	viewLabels := slices.Clone(labels)
	for k, b := range kernels {
		viewLabels[k] = labelWithView(views, b, labels[k])
	}
	return viewLabels
}

// labelWithView returns the label of the kernel k. If the features of k are a view (a named group of features), the
// name of the view replaces the list of features.
func labelWithView(views []data.View, k kernel.Kernel, label string) string {
	v := ViewIndex(views, k)
	if v < 0 || views[v].Features == nil { // the label of a kernel on a part begins with the name of the part
		return label
	}
	name, _, _ := strings.Cut(label, " of ")
	return views[v].Name + ": " + name
}
