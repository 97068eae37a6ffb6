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
		out[k] = viewLabel(views, b, labels[k])
	}
	return out
}

// viewLabel returns the label of the kernel k, with the name of its view instead of the list of features.
func viewLabel(views []data.View, k kernel.Kernel, label string) string {
	v := ViewOf(views, k)
	if v < 0 {
		return label
	}
	name, _, _ := strings.Cut(label, " of ")
	return views[v].Name + ": " + name
}
