package learn

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"

	"github.com/mklnb/mkl/algos/points"
)

// View is the weight that a group of features has in a learned kernel.
type View struct {
	Name     string
	Features int
	Weight   float64 // Σθ_k over its kernels; default kernels have mean diagonal 1 on the training points
	Share    float64 // of the sum over all views
}

// viewShares returns the share of each view in the weights. It returns nil if a kernel does not belong to exactly one
// view.
func viewShares(views []data.View, f kernel.Family, theta []float64) []View {
	sum, ok := f.(kernel.Sum)
	if !ok || len(views) == 0 || len(theta) != len(sum.Kernels) {
		return nil
	}
	out := make([]View, len(views))
	for v, w := range views {
		out[v].Name, out[v].Features = w.Name, len(w.Features)
	}
	total := 0.0
	for k, t := range theta {
		v := compare.ViewOf(views, sum.Kernels[k])
		if v < 0 {
			return nil
		}
		out[v].Weight += t
		total += t
	}
	for v := range out {
		if out[v].Share = out[v].Weight / total; math.IsNaN(out[v].Share) {
			out[v].Share = 0
		}
	}
	return out
}

// WeightShares states how the weight is shared among the views or, without views, among the kinds of kernels. It gives
// the share in the model, the least and the largest share in the model and the models of splits, and the share of
// uniform weights. It returns "" if there is only one view or kind, or more than eight, and if weights were not
// learned. A share does not measure how important a view is: see Importance.
func (l *Learned) WeightShares() string {
	if l.Result == nil || len(l.Views) == 0 && l.Method != LearnedName {
		return ""
	}
	theta := l.Result.Kernel
	var names []string
	for _, v := range l.Views {
		names = append(names, v.Name)
	}
	of := make([]int, len(theta)) // index of the view or kind of each kernel
	sum, _ := l.Model.Family.(kernel.Sum)
	for k, label := range l.Result.Labels {
		if l.Views != nil {
			of[k] = slices.IndexFunc(names, func(view string) bool { return strings.HasPrefix(label, view+": ") })
			continue
		}
		if k < len(sum.Kernels) { // the label here calls features x1, x2, …
			label = sum.Kernels[k].String()
		}
		kind := kindOf(label)
		if of[k] = slices.Index(names, kind); of[k] < 0 {
			of[k], names = len(names), append(names, kind)
		}
	}
	if len(names) < 2 || len(names) > 8 {
		return ""
	}
	shares := func(theta []float64) []float64 {
		out, total := make([]float64, len(names)), floats.Sum(theta)
		for k, t := range theta {
			if total > 0 {
				out[of[k]] += t / total
			}
		}
		return out
	}
	own, uniform := shares(theta), shares(slices.Repeat([]float64{1}, len(theta)))
	least, most := slices.Clone(own), slices.Clone(own)
	runs := l.runs()
	for _, r := range runs {
		for i, v := range shares(r.Theta) {
			least[i], most[i] = min(least[i], v), max(most[i], v)
		}
	}
	order := points.AllIndices(len(names))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(own[b], own[a]) })
	var parts []string
	for _, i := range order {
		s := fmt.Sprintf("%s %.3g %% (", names[i], 100*own[i])
		if runs != nil {
			s += fmt.Sprintf("%.0f to %.0f %% with splits, ", 100*least[i], 100*most[i])
		}
		parts = append(parts, s+fmt.Sprintf("uniform %.0f %%)", 100*uniform[i]))
	}
	scale := "of their own scales"
	if l.level() {
		scale = "of mean diagonal 1"
	}
	return fmt.Sprintf("Of the weight, kernels %s: %s. A weight is no importance: Importance says what features are "+
		"worth.", scale, strings.Join(parts, ", "))
}

// kindOf returns the label of a kernel without its parameters and features: "RBF" for "RBF(γ=0.1) of x1, x2".
func kindOf(label string) string {
	kind, _, _ := strings.Cut(label, " of x")
	if i, j := strings.Index(kind, "("), strings.LastIndex(kind, ")"); i >= 0 && j > i {
		kind = kind[:i] + kind[j+1:]
	}
	return kind
}

// runs returns the runs of the model's method on splits that have as many weights as the model. It returns nil for
// uniform weights and for the best single kernel, whose weights follow from a rule.
func (l *Learned) runs() (runs []compare.Run) {
	if l.Table == nil || l.Method == UniformName || l.Method == SingleName {
		return nil
	}
	for _, r := range l.Table.Row(l.Method).Runs {
		if len(r.Theta) == len(l.Result.Theta) {
			runs = append(runs, r)
		}
	}
	return runs
}

// level reports whether the base kernels of the model have mean diagonal 1, which makes their weights comparable.
func (l *Learned) level() bool {
	if l.Model == nil {
		return false
	}
	sum, ok := l.Model.Family.(kernel.Sum)
	return ok && sum.Normalize == kernel.MeanDiagonal
}
