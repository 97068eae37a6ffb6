package compare

import (
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/data"
)

// ViewOf returns the index of the view to which the kernel k belongs; −1 if it belongs to none.
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

// ViewLabels returns the labels of the base kernels of f, with the names of their views.
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

// nameViews labels single kernels of one view with the name of the view instead of with all its features.
func (b *grid) nameViews(views []data.View, f kernel.Family) {
	m, _ := b.grams.Dims()
	if len(views) == 0 || len(kernel.KernelsOf(f)) != m {
		return
	}
	labels := make([]string, m)
	for k := range labels {
		labels[k] = b.grams.Label(k)
	}
	names := ViewLabels(views, f, labels)
	for i, c := range b.others {
		if o, ok := c.Rule.(SingleKernel); ok {
			b.others[i].Label = strings.Replace(c.Label, labels[o.Kernel], names[o.Kernel], 1)
		}
	}
}
