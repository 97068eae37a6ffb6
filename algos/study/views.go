package study

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/data"
)

// View is what a group of features has of a learned kernel.
type View struct {
	Name     string
	Features int
	Weight   float64 // Σθ_k over its kernels; those of the default family have mean diagonal 1 on the points learned on
	Share    float64 // of the sum over all views
}

// viewShares are the views' parts of the weights, nil where the kernels are not one view's each.
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
		v := viewOf(views, sum.Kernels[k])
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

// viewOf is the number of the view that k is a kernel of, −1 if it is none's.
func viewOf(views []data.View, k kernel.Kernel) int {
	var columns []int
	switch k := k.(type) {
	case kernel.Linear:
		columns = k.Columns
	case kernel.RBF:
		columns = k.Columns
	}
	return slices.IndexFunc(views, func(v data.View) bool {
		return columns != nil &&
			slices.Equal(v.Features, columns)
	})
}

// viewLabels are the labels of the base kernels of f, named by their views.
func viewLabels(views []data.View, f kernel.Family, labels []string) []string {
	sum, ok := f.(kernel.Sum)
	if !ok || len(labels) != len(sum.Kernels) {
		return labels
	}
	out := slices.Clone(labels)
	for k, b := range sum.Kernels {
		if v := viewOf(views, b); v >= 0 {
			name, _, _ := strings.Cut(labels[k], " of ")
			out[k] = views[v].Name + ": " + name
		}
	}
	return out
}

// ViewWeights says how the weight is shared among the views, in one line; "" where there are none. It does not say what
// they are worth: see Importance.
func (l *Learned) ViewWeights() string {
	if len(l.Views) == 0 {
		return ""
	}
	order := slices.Clone(l.Views)
	slices.SortStableFunc(order, func(a, b View) int { return cmp.Compare(b.Share, a.Share) })
	var parts []string
	for _, v := range order {
		parts = append(parts, fmt.Sprintf("%s %.3g %%", v.Name, 100*v.Share))
	}
	scale := "of their own scales"
	if l.level() {
		scale = "of mean diagonal 1"
	}
	return fmt.Sprintf("Of the weight, kernels %s: %s. A weight is no importance: Importance says what a view is worth.",
		scale, strings.Join(parts, ", "))
}

// level says that the base kernels of the model have mean diagonal 1, so that their weights compare.
func (l *Learned) level() bool {
	if l.Model == nil {
		return false
	}
	sum, ok := l.Model.Family.(kernel.Sum)
	return ok && sum.Normalize == kernel.MeanDiagonal
}
