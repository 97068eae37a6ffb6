package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/learn"

	"gonum.org/v1/gonum/floats"
)

// groupKernels divides the kernels of l into groups: the views or, without views, the kinds of kernels (linear,
// Gaussian, …). It returns the names of the groups, and the index of the group of each kernel.
func groupKernels(l *learn.Learned) (groups []string, groupOfKernel []int) {
	for _, v := range l.Views {
		groups = append(groups, v.Name)
	}
	groupOfKernel = make([]int, len(l.Result.PredictionTheta))
	kernels := kernel.KernelsOf(l.Model.Family)
	for k, label := range l.Result.ThetaLabels {
		if l.Views != nil {
			groupOfKernel[k] = slices.IndexFunc(groups, func(v string) bool { return strings.HasPrefix(label, v+": ") })
			continue
		}
		if k < len(kernels) { // kernels is nil if the family is no List or Sum; label then stays as it is
			label = kernels[k].String()
		}
		kind := kernelKindFromLabel(label)
		if groupOfKernel[k] = slices.Index(groups, kind); groupOfKernel[k] < 0 {
			groupOfKernel[k], groups = len(groups), append(groups, kind)
		}
	}
	return groups, groupOfKernel
}

// kernelKindFromLabel returns the kind in the text of a Kernel's String, in which features are x1, x2, …: "Gaussian"
// for "RBF(γ=0.1) of x1, x2".
func kernelKindFromLabel(label string) string {
	kind, _, _ := strings.Cut(label, " of x")
	if i, j := strings.Index(kind, "("), strings.LastIndex(kind, ")"); i >= 0 && j > i {
		kind = kind[:i] + kind[j+1:]
	}
	if kind == "RBF" {
		return "Gaussian"
	}
	return kind
}

// weightShares returns the share of the sum of weights of each view, or of each kind of kernels, in words, the largest
// first: "Gaussian 60 %". It omits shares of 0. It returns nil if there is only one view or kind, if there are more
// than eight, or if there are no views and the weights were not learned.
func weightShares(l *learn.Learned) (shares []string) {
	if l.Result == nil || len(l.Views) == 0 && l.Kind() != learn.LearnedName {
		return nil
	}
	names, groupOfKernel := groupKernels(l)
	if len(names) < 2 || len(names) > 8 {
		return nil
	}
	groupSums, weightSum := make([]float64, len(names)), floats.Sum(l.Result.PredictionTheta)
	for k, t := range l.Result.PredictionTheta {
		groupSums[groupOfKernel[k]] += t
	}
	for _, i := range indicesByWeight(groupSums) {
		if groupSums[i] > 0 {
			shares = append(shares, fmt.Sprintf("%s %.0f %%", names[i], 100*groupSums[i]/weightSum))
		}
	}
	return shares
}

// runsOfLearnedMethod returns, for each split, the run of the model's method if it has as many weights as the model. It
// returns nil for uniform weights and for the best single kernel, whose weights follow from a rule.
func runsOfLearnedMethod(l *learn.Learned) (runs []compare.Run) {
	if l.Table == nil || l.Kind() == learn.UniformName || l.Kind() == learn.SingleName {
		return nil
	}
	for _, r := range l.Table.Row(l.Method).Runs {
		if len(r.Theta) == len(l.Result.Theta) {
			runs = append(runs, r)
		}
	}
	return runs
}
