package learn

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/similarity"
)

// Default is a decision that no option made, and the option that changes it ("" if there is none).
type Default struct{ What, Value, Option string }

// Beyond describes a case that Learn's default family handles badly, and names a family for it. For the sign of x₁x₂
// among 20 normal features and 400 points, the default family had an accuracy of 0.64 and 0.67, the named family 0.94
// and 0.93.
const Beyond = "If few of many features matter, and only together, a kernel with a width for each feature may help: " +
	"WithFamily(kernel.Gaussians{Prepare: points.Preprocessing{points.Standardize}})."

const manyFeatures = 5 // smallest number of features for which Defaults notes Beyond

// Defaults returns the decisions of the plan that no option made. It reads nothing but the plan.
func (p Plan) Defaults() (all []Default) {
	note := func(option, what, format string, args ...any) {
		if !slices.Contains(p.Given, option) {
			all = append(all, Default{what, fmt.Sprintf(format, args...), option})
		}
	}
	uniform, learned := p.method(UniformName), p.method(LearnedName)
	path, _ := lossPath(*uniform)
	p.noteKernels(note, learned)
	note("WithSet", "set of weights", "%s", describeSets(learned))
	switch {
	case slices.Contains(p.Given, "WithLoss"):
	case slices.Contains(p.Given, "WithQuantile"):
		note("", "grid of C", "%v", path)
	default:
		grid, _ := lossPath(*learned) // its values without the extension and the distance from uniform weights
		note("WithLambda", "grid of λ", "%v, and up to %g decades beyond an end that is chosen. Methods other than %s "+
			"try values within %g decades of the choice of %[3]s, and go on from there if an end is chosen. λ is that "+
			"of ½‖f‖² + 1/(2λ) Σ(f(x) − y)², the alpha of scikit-learn's KernelRidge",
			compare.Path{Loss: path.Loss, Values: path.Values}, path.Extend, UniformName, grid.Within)
	}
	if p.Selection.Points < p.Task.Points {
		note("WithPoints", "points they are chosen on", "%d of %d", p.Selection.Points, p.Task.Points)
	}
	if p.Landmarks > 0 {
		note("WithLandmarks", "landmarks", "%d of %d points, drawn at random: weights are learned on these, their "+
			"dual coefficients are fitted to all", p.Landmarks, p.Task.Points)
	}
	p.noteSplits(note, path)
	note("WithSeed", "seed of splits and folds", "%d", p.Seed)
	note("WithSolver", "solver", "%v", learned.Solver)
	note("WithGap", "relative gap", "1e-3 in the comparison, %.0e for the model", p.Gap)
	p.noteLoss(note, path)
	if p.Task.Classes > 0 && p.Probabilities {
		note("WithoutProbabilities", "probabilities", "sigmoids of decision values at held-out points")
	}
	if p.method(SingleName).Name == "" {
		note("", "best single kernel", "not tried: the family has more than %d kernels", maxSingles)
	}
	note("WithMethod", "method", "of %s the one with the smallest cross-validation error",
		strings.Join(p.Candidates, ", "))
	return all
}

// noteFunc adds a Default, unless the option is given.
type noteFunc func(option, what, format string, args ...any)

// noteKernels notes the kernels of learned weights and of single kernels.
func (p *Plan) noteKernels(note noteFunc, learned *compare.Method) {
	viewNote := ""
	if len(p.Task.Views) > 0 {
		viewNote = "in the views " + strings.Join(p.Task.Views, ", ") + ": "
	}
	words := viewNote + describeFamily(learned.Family)
	if single := p.method(SingleName); single.Name != "" && !reflect.DeepEqual(single.Family, learned.Family) {
		words += "; single kernels: " + describeFamily(single.Family)
	}
	if n := p.Task.Unused; n > 0 {
		words += fmt.Sprintf("; %d of %d features are in no view and have no kernel", n, p.Task.Features)
	}
	note("WithFamily", "family of kernels", "%s", words)
	if p.Task.Features >= manyFeatures && len(p.Task.Views) == 0 && !slices.Contains(p.Given, "WithFamily") {
		note("", "not tried", "%s", Beyond)
	}
}

// noteSplits notes the folds and the splits. path holds the losses of uniform weights.
func (p *Plan) noteSplits(note noteFunc, path compare.Path) {
	units, folds, kind := "points", "", ""
	switch {
	case p.Task.Duplicates > 0:
		units, folds = "different points", ", duplicates in one fold"
	case p.Task.Groups:
		units, folds = "groups", ", by group"
	}
	if p.Task.Classes > 0 {
		kind = ", stratified by class"
	}
	note("WithFolds", strings.TrimSuffix("choice of "+path.Hyperparameter(), " ")+" and method",
		"%v%s, inside each training part", p.Selection, folds)
	if n := len(p.Splits); n > 0 {
		note("WithSplits", "splits to compare on", "%d random ones, a quarter of the %s to test on%s; the comparison "+
			"takes about %d times what the model took", n, units, kind, n)
	}
}

// noteLoss notes the loss, the encoding of the targets, and the metric by which hyperparameters are chosen.
func (p *Plan) noteLoss(note noteFunc, path compare.Path) {
	t := p.Task
	if t.Classes > 2 {
		note("", "classes", "%v, one kernel for all", model.TargetEncoding{Classes: t.Classes})
	}
	if t.Targets > 1 {
		note("", "targets", "%d, one kernel for all; in training and in the choice of hyperparameters each in units "+
			"of its standard deviation there", t.Targets)
	}
	if t.Log {
		note("", "logarithms", "of the targets are learned and hyperparameters chosen by their errors (Options.Log); "+
			"scores and predictions are in the file's unit")
	}
	if _, squared := path.Loss.(loss.Squared); squared && !slices.Contains(p.Given, "WithLambda") {
		note("WithLoss", "loss", "squared, for ±1 labels too, the mean of the targets subtracted")
	}
	if p.Selection.By == compare.MeanLoss {
		note("", "hyperparameters chosen by", "the mean loss of held-out points")
		if _, ok := path.Loss.(loss.Pinball); ok {
			note("", "bias", "moved to the quantile of the held-out points (compare.Selection)")
		}
	}
	if p.Selection.By == compare.ErrorRate {
		note("", "hyperparameters chosen by", "the error rate on held-out points")
	}
}

// describeSets returns texts for the axes of a method's grid other than its losses.
func describeSets(m *compare.Method) string {
	var all []string
	for _, axis := range m.Grid {
		if _, ok := axis.(compare.Path); !ok {
			all = append(all, axis.String())
		}
	}
	return strings.Join(all, "; ")
}

// method returns the method with the given name, or an empty method if there is none.
func (p *Plan) method(name string) *compare.Method {
	for i := range p.Methods {
		if p.Methods[i].Name == name {
			return &p.Methods[i]
		}
	}
	return &compare.Method{}
}

// describeFamily returns the kernels of f by kind.
func describeFamily(f kernel.Family) string {
	switch f := f.(type) {
	case kernel.List:
		return describeKernels(f)
	case kernel.Sum:
		words := describeKernels(f.Kernels)
		if f.Normalize != kernel.None {
			words += "; normalization: " + string(f.Normalize)
		}
		if len(f.Prepare) > 0 {
			words += "; features: " + f.Prepare.String()
		}
		return words
	case similarity.Repaired:
		var repairs []string
		for _, s := range f.Of {
			repairs = append(repairs, fmt.Sprintf("%s %v", s.Name, s.Repairs))
		}
		return fmt.Sprintf("repairs of similarities, fitted to the training points: %s; normalization: %s",
			strings.Join(repairs, ", "), f.Normalize)
	}
	return compare.Describe(f)
}

// describeKernels returns the kinds of the kernels with their numbers.
func describeKernels(list kernel.List) string {
	var kinds []string
	count := map[string]int{}
	for _, k := range list {
		kind, _, _ := strings.Cut(k.String(), "(")
		if _, given := k.(kernel.Precomputed); given {
			kind = "given by Gram matrices"
		}
		if count[kind]++; count[kind] == 1 {
			kinds = append(kinds, kind)
		}
	}
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", count[kind], kind)
	}
	return strings.Join(kinds, ", ")
}
