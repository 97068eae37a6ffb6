package report

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/similarity"
)

// beyondDefault describes a case that Learn's default family handles badly, and names a family for it. For classes
// given by the sign of x₁x₂, with 20 normal features and 400 points, the accuracy of the default family was about 0.65,
// and that of the named family about 0.93.
const beyondDefault = "If few of many features matter, and only together, a kernel with a width for each feature may " +
	"help: learn.WithFamily(kernel.Gaussians{Prepare: points.Preprocessing{points.Standardize}})."

// hasManyDefaultFeatures reports whether p has the default family on at least five features: another may be better.
func hasManyDefaultFeatures(p learn.Plan) bool {
	return p.Task.Features >= 5 && len(p.Task.Views) == 0 && !slices.Contains(p.GivenOptions, "WithFamily")
}

// reportDefaults returns the decisions of Learn, each with the option that changes it. The text of a decision is
// "given" if the caller set its option.
func reportDefaults(p learn.Plan) (r Report) {
	if len(p.Methods) == 0 {
		return nil
	}
	learnedMethod := findMethod(p, learn.LearnedName)
	uniformLosses := findLossesOfGrid(findMethod(p, learn.UniformName))
	var candidateNames []string
	for _, name := range p.Candidates {
		candidateNames = append(candidateNames, methodName(name))
	}
	drawnBySeed := "splits and folds"
	if slices.Contains(p.GivenOptions, "WithSplits") {
		drawnBySeed = "folds"
	}
	for _, d := range []struct{ label, option, optionValue string }{
		{"family of kernels", "WithFamily", describeKernelsOfPlan(p, learnedMethod)},
		{"set of weights", "WithSet", describeGridWithoutLosses(learnedMethod)},
		{"loss", "WithLoss", uniformLosses.LossName()},
		{"grid of " + uniformLosses.HyperparameterName(), "WithLambda",
			describeLambdaGrids(p, uniformLosses, findLossesOfGrid(learnedMethod))},
		{"choice of hyperparameters and method", "WithFolds", fmt.Sprintf("%v inside each training part", p.Selection)},
		{"points used to choose hyperparameters and method", "WithSelectionPoints", describeSelectionPointCount(p)},
		{"landmarks", "WithLandmarks", landmarksText(p)},
		{"splits to compare on", "WithSplits", splitsText(p)},
		{"seed of " + drawnBySeed, "WithSeed", fmt.Sprint(p.Seed)},
		{"solver", "WithSolver", fmt.Sprint(learnedMethod.Solver)},
		{"relative gap", "WithGap", fmt.Sprintf("1e-3 in the comparison, %.0e for the model", p.RelativeGap)},
		{"method", "WithMethod", fmt.Sprintf("of %s the one with the smallest cross-validation error",
			joinNames(candidateNames))},
	} {
		if slices.Contains(p.GivenOptions, d.option) {
			d.optionValue = "given"
		}
		if d.optionValue != "" {
			r.addText(capitalize(d.label), d.optionValue+" (learn."+d.option+")")
		}
	}
	if p.IntervalLevel != 0 {
		r.addText("Prediction intervals", fmt.Sprintf("level %g %% (learn.WithIntervals)", 100*p.IntervalLevel))
	}
	if slices.ContainsFunc(p.Methods, func(m fit.Method) bool { return m.Search().LogTargets }) {
		r.addText("Logarithm of the target", "tried too (learn.WithLogCandidate)")
	}
	if p.Probabilities {
		r.addText("Probabilities", "sigmoids of decision values at held-out points (learn.WithoutProbabilities)")
	}
	if hasManyDefaultFeatures(p) {
		r.addText("Not tried", beyondDefault)
	}
	r.addText("", "An option changes a default: nb.Learn(d, learn.WithSeed(2)), "+
		"or learn.Learn(ctx, d, learn.WithSeed(2)) in a program.")
	return r
}

// findMethod returns the search of the plan with this name, or an empty one if there is none.
func findMethod(p learn.Plan, name string) fit.Search {
	for _, m := range p.Methods {
		if m.Name == name {
			return m.Search()
		}
	}
	return fit.Search{}
}

// findLossesOfGrid returns the losses in the grid of m, one for each value of λ or C. Without losses, it is empty.
func findLossesOfGrid(m fit.Search) (losses fit.Path) {
	for _, axis := range m.Grid {
		if p, ok := axis.(fit.Path); ok {
			losses = p
		}
	}
	return losses
}

// describeKernelsOfPlan returns in words the kernels that learned weights combine and, if others, the single kernels
// tried.
func describeKernelsOfPlan(p learn.Plan, learned fit.Search) string {
	text := ""
	if len(p.Task.Views) > 0 {
		text = "in the views " + strings.Join(p.Task.Views, ", ") + ": "
	}
	text += describeFamily(learned.Family)
	singleMethod := findMethod(p, learn.SingleName)
	if singleMethod.Family != nil && !reflect.DeepEqual(singleMethod.Family, learned.Family) {
		text += "; single kernels: " + describeFamily(singleMethod.Family)
	}
	if n := p.Task.UnusedFeatures; n > 0 {
		text += fmt.Sprintf("; %d of %d features are in no view and have no kernel", n, p.Task.Features)
	}
	return text
}

// describeGridWithoutLosses returns in words what the grid of m varies besides the loss and its λ or C.
func describeGridWithoutLosses(m fit.Search) string {
	var axes []string
	for _, axis := range m.Grid {
		if _, isPath := axis.(fit.Path); !isPath {
			axes = append(axes, axis.String())
		}
	}
	return strings.Join(axes, "; ")
}

// describeLambdaGrids returns the values of λ that uniform weights try, and the values that the other methods try. It
// returns "" for a loss other than the squared loss.
func describeLambdaGrids(p learn.Plan, uniformLosses, learnedLosses fit.Path) string {
	if uniformLosses.HyperparameterName() != "λ" || learnedLosses.NearMethod == "" {
		return ""
	}
	return fmt.Sprintf("%v, and up to %g decades beyond an end that is chosen. Methods other than %s try values "+
		"within %g decades of the choice of %[3]s, and go on from there if an end is chosen. λ is that of "+
		"½‖f‖² + 1/(2λ) Σ(f(x) − y)², the alpha of scikit-learn's KernelRidge",
		fit.Path{Loss: uniformLosses.Loss, Values: uniformLosses.Values}, uniformLosses.ExtendDecades,
		methodName(learn.UniformName), learnedLosses.NearDecades)
}

func describeSelectionPointCount(p learn.Plan) string {
	if p.Selection.MaxPoints >= p.Task.Points {
		return ""
	}
	return fmt.Sprintf("%d of %d", p.Selection.MaxPoints, p.Task.Points)
}

func landmarksText(p learn.Plan) string {
	if p.Landmarks == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d points, drawn at random: weights are learned on these, their dual coefficients are "+
		"fitted to all", p.Landmarks, p.Task.Points)
}

func splitsText(p learn.Plan) string {
	unitNoun, stratification := "points", ""
	switch {
	case p.Task.Duplicates > 0:
		unitNoun = "different points"
	case p.Task.HasGroups:
		unitNoun = "groups"
	}
	if p.Task.Classes > 0 {
		stratification = ", stratified by class"
	}
	return fmt.Sprintf("%d random ones, a quarter of the %s to test on%s; the comparison takes about %[1]d times as "+
		"long as the model. For 20, drawn with seed 1: s, err := fit.Holdout(d.Y, 0.25, 20, 1) and "+
		"learn.WithSplits(s)", len(p.Splits), unitNoun, stratification)
}

// describeFamily returns in words the number of kernels of each kind in f.
func describeFamily(f kernel.Family) string {
	switch f := f.(type) {
	case kernel.List:
		return describeKernelKinds(f)
	case kernel.Sum:
		text := describeKernelKinds(f.Kernels)
		if f.Normalize != kernel.None {
			text += "; normalization: " + string(f.Normalize)
		}
		if len(f.Prepare) > 0 {
			text += "; preparation of the features, fitted to each training part: " + f.Prepare.String()
		}
		return text
	case similarity.Repaired:
		var repairs []string
		for _, s := range f.Of {
			repairs = append(repairs, fmt.Sprintf("%s %v", s.Name, s.Repairs))
		}
		return fmt.Sprintf("similarities made positive semidefinite on the training points: %s; normalization: %s",
			strings.Join(repairs, ", "), f.Normalize)
	}
	return fit.Describe(f)
}

// describeKernelKinds returns the number of kernels of each kind in words: "9 RBF, 1 linear".
func describeKernelKinds(list kernel.List) string {
	var kinds []string
	countByKind := map[string]int{}
	for _, k := range list {
		kind, _, _ := strings.Cut(k.String(), "(")
		if _, isGiven := k.(kernel.Precomputed); isGiven {
			kind = "given by Gram matrices"
		}
		if countByKind[kind]++; countByKind[kind] == 1 {
			kinds = append(kinds, kind)
		}
	}
	for i, kind := range kinds {
		kinds[i] = fmt.Sprintf("%d %s", countByKind[kind], kind)
	}
	return strings.Join(kinds, ", ")
}

// countKernels returns the number of base kernels of f, or 0 if f is not a list or a sum of kernels.
func countKernels(f kernel.Family) int {
	switch f := f.(type) {
	case kernel.List:
		return len(f)
	case kernel.Sum:
		return len(f.Kernels)
	}
	return 0
}
