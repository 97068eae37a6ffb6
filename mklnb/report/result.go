package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/viz"
)

// maxStoppedWeights is the maximum number of weights in the sentence about a stopped run.
const maxStoppedWeights = 3

// indicesByWeight returns the indices of the weights by decreasing |θ_k|. Weights of equal magnitude stay in their
// order.
func indicesByWeight(theta []float64) []int {
	indices := points.AllIndices(len(theta))
	slices.SortStableFunc(indices, func(a, b int) int { return cmp.Compare(math.Abs(theta[b]), math.Abs(theta[a])) })
	return indices
}

// kernelLabel returns the label of kernel k or, if it has none, the symbol of its weight, such as θ3.
func kernelLabel(x *mkl.Result, k int) string {
	if k < len(x.ThetaLabels) && x.ThetaLabels[k] != "" {
		return x.ThetaLabels[k]
	}
	return fmt.Sprintf("θ%d", k+1)
}

// OfResult returns the report of a run of a solver: what is proved, how the run ended, its certificate, and a chart of
// the weights if there are several. If θ is a matrix, the report has no chart.
func OfResult(x *mkl.Result) (r Report) {
	if word, state := optimalityWord(x); state == Proved {
		r.addHeadline("The weights are optimal for the training points", word)
	} else if !x.Status.IsUnfinished() {
		r.addHeadline("Training optimum", word)
	}
	r = append(r, solverReport(x)...)
	if isMatrix := x.ThetaRows > 1 && x.ThetaCols > 1; !isMatrix && len(x.Theta) > 1 {
		r.addFigures(weightChart(x, nil))
	}
	return r
}

// solverReport returns a sentence with the solver, F, how the run ended, and its certificate. The sentence is a
// warning if the run did not reach the requested gap.
func solverReport(x *mkl.Result) (r Report) {
	solver := x.Solver
	isUsed := func(t float64) bool { return t != 0 }
	if k := slices.IndexFunc(x.Theta, isUsed); x.Status == mkl.EvaluatedOnly && len(x.Theta) > 1 && k >= 0 &&
		!slices.ContainsFunc(x.Theta[k+1:], isUsed) {
		solver = "only " + kernelLabel(x, k)
	}
	text := fmt.Sprintf("%s: training objective F = %s", solver, viz.FormatNumber(x.F))
	if x.Status != mkl.EvaluatedOnly {
		text += fmt.Sprintf(", %v", x.Status)
	}
	if n := len(x.Trace); n > 0 {
		text += fmt.Sprintf(" after %s, %s", viz.FormatCount(x.Trace[n-1].Iter, "step"),
			viz.FormatCount(x.Trace[n-1].Evals, "evaluation"))
	}
	text += "; " + x.CertificateText() + "."
	if x.Status.IsUnfinished() {
		r.addWarnings(text)
	} else {
		r.addText("", text)
	}
	return r
}

// OfStoppedResult returns the report of a run that was stopped: how it ended, and the largest weights.
func OfStoppedResult(x *mkl.Result) Report {
	r := solverReport(x)
	if x.ThetaRows > 1 && x.ThetaCols > 1 {
		r.addText("Best so far", fmt.Sprintf("weights θ in a matrix of %d × %d", x.ThetaRows, x.ThetaCols))
		return r
	}
	kernelIndices := indicesByWeight(x.Theta)
	var best []string
	for _, k := range kernelIndices[:min(len(kernelIndices), maxStoppedWeights)] {
		best = append(best, kernelLabel(x, k)+" "+viz.FormatNumber(x.Theta[k]))
	}
	if len(x.Theta) > maxStoppedWeights {
		best = append(best, "… of "+viz.FormatCount(len(x.Theta), "weight"))
	}
	r.addText("Best so far", strings.Join(best, ", "))
	return r
}

// weightChart returns a chart of the weights that are not 0 in x or in one of the runs, the largest first, at most
// maxBars. The runs are on splits and have as many weights as x.
func weightChart(x *mkl.Result, runs []compare.Run) viz.Figure {
	weightSum, positiveCount := 0.0, 0
	for _, t := range x.Theta {
		weightSum += t
		if t > 0 {
			positiveCount++
		}
	}
	kernels := indicesByWeight(x.Theta)
	usedIndices := slices.DeleteFunc(slices.Clone(kernels), func(k int) bool {
		return x.Theta[k] == 0 && !slices.ContainsFunc(runs, func(r compare.Run) bool { return r.Theta[k] != 0 })
	})
	if len(usedIndices) > 0 {
		kernels = usedIndices
	}
	details, hiddenCount := "", len(x.Theta)-len(kernels)
	if len(kernels) > maxBars {
		kernels = kernels[:maxBars]
		details = fmt.Sprintf("Shown: the %d largest of %d weights. ", maxBars, len(x.Theta))
	} else if hiddenCount > 0 {
		details = fmt.Sprintf("Kernels of weight 0 that are not shown: %d. ", hiddenCount)
	}
	bar, caption := viz.Bar{Name: "θ"}, "A weight is not an importance. Dashed: mean weight."
	if len(runs) > 1 {
		caption += fmt.Sprintf(" Lines: range over the model and %d splits.", len(runs))
		bar.Band = fmt.Sprintf("smallest to largest weight in the model and in %d splits", len(runs))
	}
	var names []string
	for _, k := range kernels {
		lo, hi := x.Theta[k], x.Theta[k]
		for _, r := range runs {
			lo, hi = min(lo, r.Theta[k]), max(hi, r.Theta[k])
		}
		names, bar.Values = append(names, kernelLabel(x, k)), append(bar.Values, x.Theta[k])
		if len(runs) > 1 {
			bar.Lo, bar.Hi = append(bar.Lo, lo), append(bar.Hi, hi)
		}
	}
	title := fmt.Sprintf("%d of %s have a weight above 0", positiveCount, viz.FormatCount(len(x.Theta), "kernel"))
	return viz.Bars(title, caption, names, bar).
		WithAxes("base kernel", "weight θ").WithDetails(details).
		WithBaseline("mean weight", weightSum/float64(len(x.Theta)))
}
