package compare

import (
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/data"
)

// ViewOf returns the index of the view with the same features (columns) as the kernel k; −1 if there is none.
func ViewOf(views []data.View, k kernel.Kernel) int {
	var columns []int
	switch k := k.(type) {
	case kernel.Linear:
		columns = k.Columns
	case kernel.RBF:
		columns = k.Columns
	case kernel.Laplacian:
		columns = k.Columns
	}
	return slices.IndexFunc(views, func(v data.View) bool {
		return columns != nil && slices.Equal(v.Features, columns)
	})
}

// ViewLabels returns the labels of the base kernels of f. For a kernel of a view, it replaces the list of features in
// the label by the name of the view.
func ViewLabels(views []data.View, f kernel.Family, labels []string) []string {
	kernels := kernel.KernelsOf(f)
	if len(labels) != len(kernels) {
		return labels
	}
	out := slices.Clone(labels)
	for k, b := range kernels {
		if v := ViewOf(views, b); v >= 0 {
			name, _, _ := strings.Cut(labels[k], " of ")
			out[k] = views[v].Name + ": " + name
		}
	}
	return out
}

// labelViews replaces the list of features in the labels of SingleKernel candidates by the name of the view, if the
// kernel belongs to a view.
func (b *grid) labelViews(views []data.View, f kernel.Family) {
	m, _ := b.grams.Dims()
	if len(views) == 0 || len(kernel.KernelsOf(f)) != m {
		return
	}
	labels := make([]string, m)
	for k := range labels {
		labels[k] = b.grams.Label(k)
	}
	names := ViewLabels(views, f, labels)
	for i, c := range b.candidates {
		if o, ok := c.Rule.(SingleKernel); ok {
			b.candidates[i].Label = strings.Replace(c.Label, labels[o.Kernel], names[o.Kernel], 1)
		}
	}
}
