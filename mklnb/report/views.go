package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
)

// kernelGroups divides the kernels of l into groups: the views or, without views, the kinds of kernels (linear,
// Gaussian, …). It returns the names of the groups, and the index of the group of each kernel.
func kernelGroups(l *learn.Learned) (names []string, groupOf []int) {
	for _, v := range l.Views {
		names = append(names, v.Name)
	}
	groupOf = make([]int, len(l.Result.Kernel))
	kernels := kernel.KernelsOf(l.Model.Family)
	for k, label := range l.Result.Labels {
		if l.Views != nil {
			groupOf[k] = slices.IndexFunc(names, func(view string) bool { return strings.HasPrefix(label, view+": ") })
			continue
		}
		if k < len(kernels) { // String names the features x1, x2, …, as kernelKind expects
			label = kernels[k].String()
		}
		kind := kernelKind(label)
		if groupOf[k] = slices.Index(names, kind); groupOf[k] < 0 {
			groupOf[k], names = len(names), append(names, kind)
		}
	}
	return names, groupOf
}

// kernelKind returns the label of a kernel without its parameters and features: "Gaussian" for
// "RBF(γ=0.1) of x1, x2".
func kernelKind(label string) string {
	kind, _, _ := strings.Cut(label, " of x")
	if i, j := strings.Index(kind, "("), strings.LastIndex(kind, ")"); i >= 0 && j > i {
		kind = kind[:i] + kind[j+1:]
	}
	if kind == "RBF" {
		return "Gaussian"
	}
	return kind
}

// share is the share of the sum of weights that a group of kernels has.
type share struct {
	name       string  // of the view or of the kind of kernels
	model      float64 // the share in the model
	least      float64 // the smallest share in the model and in the models of the splits
	most       float64 // the largest share in the model and in the models of the splits
	uniform    float64 // the share with uniform weights
	hasSplits  bool    // there are models of splits
	isFromView bool    // the group is a view
}

// weightShares returns the shares of the sum of weights of the views, or of the kinds of kernels, the largest first. It
// returns nil if there is only one view or kind, if there are more than eight, or if there are no views and the weights
// were not learned.
func weightShares(l *learn.Learned) (groups []share) {
	if l.Result == nil || len(l.Views) == 0 && l.Method != learn.LearnedName {
		return nil
	}
	names, groupOf := kernelGroups(l)
	if len(names) < 2 || len(names) > 8 {
		return nil
	}
	shares := func(theta []float64) []float64 {
		sums, total := make([]float64, len(names)), floats.Sum(theta)
		for k, t := range theta {
			if total > 0 {
				sums[groupOf[k]] += t / total
			}
		}
		return sums
	}
	runs := learnedRuns(l)
	modelShares, uniformShares := shares(l.Result.Kernel), shares(slices.Repeat([]float64{1}, len(groupOf)))
	var splitShares [][]float64
	for _, r := range runs {
		splitShares = append(splitShares, shares(r.Theta))
	}
	for i, name := range names {
		s := share{name: name, model: modelShares[i], least: modelShares[i], most: modelShares[i],
			uniform: uniformShares[i], hasSplits: runs != nil, isFromView: l.Views != nil}
		for _, v := range splitShares {
			s.least, s.most = min(s.least, v[i]), max(s.most, v[i])
		}
		groups = append(groups, s)
	}
	slices.SortStableFunc(groups, func(a, b share) int { return cmp.Compare(b.model, a.model) })
	return groups
}

// shareTable returns a table of the shares of the sum of weights.
func shareTable(l *learn.Learned, shares []share) viz.Figure {
	group, scale := "kind of kernel", "The kernels have their own scales."
	if shares[0].isFromView {
		group = "view"
	}
	if hasMeanDiagonalOne(l) {
		scale = "Each kernel has mean diagonal 1."
	}
	var rows [][]any
	for _, s := range shares {
		splits := "–"
		if s.hasSplits {
			splits = fmt.Sprintf("%.0f to %.0f %%", 100*s.least, 100*s.most)
		}
		rows = append(rows, []any{s.name, fmt.Sprintf("%.3g %%", 100*s.model), splits,
			fmt.Sprintf("%.0f %%", 100*s.uniform)})
	}
	f := viz.Table("Shares of the weight", scale+" A weight is not an importance: learn.Importance measures the "+
		"importance of features.", []string{group, "share", "in the model and the splits", "uniform weights"}, rows...)
	f.Sheet.Columns[2].Help = "The smallest and the largest share in the model and in the models of the splits."
	return f
}

// learnedRuns returns the runs of the model's method on splits that have as many weights as the model. It returns nil
// for uniform weights and for the best single kernel, whose weights follow from a rule.
func learnedRuns(l *learn.Learned) (runs []compare.Run) {
	if l.Table == nil || l.Method == learn.UniformName || l.Method == learn.SingleName {
		return nil
	}
	for _, r := range l.Table.Row(l.Method).Runs {
		if len(r.Theta) == len(l.Result.Theta) {
			runs = append(runs, r)
		}
	}
	return runs
}

// hasMeanDiagonalOne reports whether the base kernels of the model have mean diagonal 1, which makes their weights
// comparable.
func hasMeanDiagonalOne(l *learn.Learned) bool {
	if l.Model == nil {
		return false
	}
	return kernel.NormalizationOf(l.Model.Family) == kernel.MeanDiagonal
}

// modelWeightChart returns a chart of the weights that are not 0 in the model or in the model of a split. If there are
// more than maxBars, it has the largest.
func modelWeightChart(l *learn.Learned) viz.Figure {
	var order []int
	total, used, sometimes, runs := 0.0, 0, 0, learnedRuns(l)
	for i, t := range l.Result.Theta {
		total += t
		if t > 0 {
			used++
		}
		if t != 0 || slices.ContainsFunc(runs, func(r compare.Run) bool { return r.Theta[i] != 0 }) {
			order = append(order, i)
			if t == 0 {
				sometimes++
			}
		}
	}
	never := len(l.Result.Theta) - len(order)
	if len(order) == 0 {
		order = points.AllIndices(len(l.Result.Theta))
	}
	caption := ""
	if len(order) > maxBars {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.Result.Theta[b], l.Result.Theta[a]) })
		caption = fmt.Sprintf("Shown: the %d largest weights. ", maxBars)
		order = order[:maxBars]
	}
	if never > 0 {
		caption += fmt.Sprintf("Kernels of weight 0 that are not shown: %d. ", never)
	}
	if sometimes > 0 {
		caption += fmt.Sprintf("Kernels of weight 0 in the model but not in every split: %d. ", sometimes)
	}
	bar := viz.Bar{Name: l.Method}
	var names []string
	for _, k := range order {
		names, bar.Values = append(names, l.Result.Labels[k]), append(bar.Values, l.Result.Theta[k])
	}
	if len(runs) > 1 {
		bar.Band = fmt.Sprintf("smallest to largest of the model and %d splits", len(runs))
		caption += "Lines: smallest to largest weight in the model and in the models of the splits. "
		for _, k := range order {
			lo, hi := l.Result.Theta[k], l.Result.Theta[k]
			for _, r := range runs {
				lo, hi = min(lo, r.Theta[k]), max(hi, r.Theta[k])
			}
			bar.Lo, bar.Hi = append(bar.Lo, lo), append(bar.Hi, hi)
		}
	}
	title := fmt.Sprintf("%d of %s have a weight above 0", used, viz.Count(len(l.Result.Theta), "kernel"))
	return viz.Bars(title, caption+"Dashed: equal weights of the same sum.", names, bar).
		WithAxes("base kernel", "weight θ").
		WithBaseline("equal weights of the same sum", total/float64(len(l.Result.Theta)))
}
