package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// WithViews gives each group of features kernels of its own, the same that Learn takes for all features
// without it; Learned.Views then says how much of the weight is each view's. Datasets that have views
// (data.Join, data.Dataset.View) need no option.
//
//	study.WithViews(data.Views{"spectrum": {"s*"}, "clinic": {"age", "sex"}})
func WithViews(v data.Views) Option { return given("WithViews", func(o *options) { o.views = v }) }

// View is what a group of features has of a learned kernel.
type View struct {
	Name     string
	Features int
	Weight   float64 // Σθ_k over its kernels; those of the default family have mean diagonal 1 on the points learned on
	Share    float64 // of the sum over all views
}

// familyOf is the default family for d: of its features, of the kernels or similarities that it is given by, or of
// each of its views.
func familyOf(d *data.Dataset) (*family, error) {
	switch {
	case d.Kernels != nil:
		f := kernel.Sum{Kernels: d.Kernels, Normalize: kernel.MeanDiagonal}
		first := make([]int, len(d.Kernels))
		for k := range first {
			first[k] = k
		}
		return &family{f, f, first, fmt.Sprintf("%d given by Gram matrices, mean diagonal 1", len(d.Kernels))}, nil
	case d.Similarities != nil:
		f := similarity.Repaired{Normalize: kernel.MeanDiagonal}
		var first []int
		for _, s := range d.Similarities {
			r := similarity.Differing(s.Matrix())
			f.Of = append(f.Of, similarity.Given{Name: s.Name, N: s.N, S: s.S, Repairs: r})
			for range r {
				first = append(first, len(first))
			}
		}
		return &family{f, f, first, fmt.Sprintf("%d repairs of similarities (denoise, flip, shift, linear), of the points learned from alone, mean diagonal 1", len(first))}, nil
	case len(d.Views) == 0:
		return defaultFamily(d.X)
	}
	x, ok := d.X.(kernel.Rows)
	if !ok {
		return nil, fmt.Errorf("study: views of points of kind %T, want kernel.Rows (data.Options.Dense reads them so)", d.X)
	}
	all := &family{}
	var learned, singles kernel.Sum
	used := 0
	var names []string
	for _, v := range d.Views {
		f, err := defaultFamily(x.Columns(v.Features))
		if err != nil {
			return nil, err
		}
		l, s := f.learned.(kernel.Sum), f.singles.(kernel.Sum)
		for _, k := range f.first {
			all.first = append(all.first, len(singles.Kernels)+k)
		}
		if learned.Kernels, err = ofColumns(learned.Kernels, l.Kernels, v.Features); err != nil {
			return nil, err
		}
		if singles.Kernels, err = ofColumns(singles.Kernels, s.Kernels, v.Features); err != nil {
			return nil, err
		}
		learned.Prepare, learned.Normalize, singles.Prepare, singles.Normalize = l.Prepare, l.Normalize, s.Prepare, s.Normalize
		used += len(v.Features)
		names = append(names, fmt.Sprintf("%s (%d features)", v.Name, len(v.Features)))
	}
	all.learned, all.singles = learned, singles
	all.words = fmt.Sprintf("for each of the views %s: linear and 5 Gaussians of widths ½ … 8 times the root mean square distance in it, mean diagonal 1, of standardized features; singly, widths 1/16 … 8 and linear", strings.Join(names, ", "))
	if used < x.D {
		all.words += fmt.Sprintf("; %d of %d features are in no view and have no kernel", x.D-used, x.D)
	}
	return all, nil
}

// ofColumns appends to list the kernels ks on the given features alone.
func ofColumns(list, ks kernel.List, columns []int) (kernel.List, error) {
	for _, k := range ks {
		switch k := k.(type) {
		case kernel.Linear:
			k.Columns = columns
			list = append(list, k)
		case kernel.RBF:
			k.Columns = columns
			list = append(list, k)
		default:
			return nil, fmt.Errorf("study: no kernel %v of some features alone", k)
		}
	}
	return list, nil
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
	return slices.IndexFunc(views, func(v data.View) bool { return columns != nil && slices.Equal(v.Features, columns) })
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

// Mattered says how the weight is shared among the views, in one line; "" where there are none.
func (l *Learned) Mattered() string {
	if len(l.Views) == 0 {
		return ""
	}
	order := slices.Clone(l.Views)
	slices.SortStableFunc(order, func(a, b View) int {
		switch {
		case a.Share > b.Share:
			return -1
		case a.Share < b.Share:
			return 1
		}
		return 0
	})
	var parts []string
	for _, v := range order {
		parts = append(parts, fmt.Sprintf("%s %.3g %%", v.Name, 100*v.Share))
	}
	if l.level() {
		return "Of the weight, kernels of mean diagonal 1: " + strings.Join(parts, ", ") + "."
	}
	return "Of the weight, kernels of their own scales: " + strings.Join(parts, ", ") + "."
}

// level says that the base kernels of the model have mean diagonal 1, so that their weights compare.
func (l *Learned) level() bool {
	if l.Model == nil {
		return false
	}
	sum, ok := l.Model.Family.(kernel.Sum)
	return ok && sum.Normalize == kernel.MeanDiagonal
}

// viewBars draws the views' weights.
func (l *Learned) viewBars() viz.Figure {
	names, weights := make([]string, len(l.Views)), make([]float64, len(l.Views))
	for v, w := range l.Views {
		names[v], weights[v] = fmt.Sprintf("%s (%d features)", w.Name, w.Features), w.Weight
	}
	top := 0
	for v, w := range weights {
		if w > weights[top] {
			top = v
		}
	}
	scale := "each kernel has mean diagonal 1"
	if !l.level() {
		scale = "kernels are of their own scales"
	}
	return viz.Bars(fmt.Sprintf("%s has %.3g %% of the weight", l.Views[top].Name, 100*l.Views[top].Share),
		fmt.Sprintf("%s, %s, n = %d. Weights of the kernels of each view added up; %s.", l.Data, l.Method, l.Points, scale),
		names, viz.Bar{Name: l.Method, Values: weights}).WithAxes("view", "weight Σθ")
}
