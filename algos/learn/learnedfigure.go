package learn

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/viz"
)

// Figures returns the comparison as a table and as dots, the confusion matrix if there are more than two classes, and
// the weights of the model.
func (l *Learned) Figures() []viz.Figure {
	var f []viz.Figure
	for _, t := range l.Table.ByTarget() {
		f = append(f, t.Figures()...)
		if len(t.Classes) > 2 && len(t.Row(LearnName).Runs) > 0 {
			f = append(f, t.Confusion(LearnName))
		}
	}
	if len(l.Views) > 0 {
		f = append(f, l.viewBars())
	}
	if l.Result != nil {
		f = append(f, l.weights())
	}
	return f
}

// mostBars is the largest number of weights that are drawn.
const mostBars = 25

// weights draws the weights that are not 0 in the model or in the model of a split. If there are more than mostBars, it
// draws the largest.
func (l *Learned) weights() viz.Figure {
	var order []int
	total, used, runs := 0.0, 0, l.runs()
	for i, t := range l.Result.Theta {
		total += t
		if t > 0 {
			used++
		}
		if t != 0 || slices.ContainsFunc(runs, func(r compare.Run) bool { return r.Theta[i] != 0 }) {
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		order = points.AllIndices(len(l.Result.Theta))
	}
	caption := fmt.Sprintf("%s, %s, n = %d, %s = %.3g. ", l.Data, l.Method, l.Points, l.Constant, l.Lambda)
	if l.Landmarks > 0 && l.Result.Status != mkl.EvaluatedOnly {
		caption += fmt.Sprintf("Of the %d landmarks alone: ", l.Landmarks)
	}
	caption += l.Result.Proof() + "."
	if zero := len(l.Result.Theta) - len(order); zero > 0 {
		caption += fmt.Sprintf(" Not shown: %s of weight 0.", viz.Count(zero, "kernel"))
	}
	if len(order) > mostBars {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.Result.Theta[b], l.Result.Theta[a]) })
		caption += fmt.Sprintf(" Shown are the %d largest of %d weights.", mostBars, len(order))
		order = order[:mostBars]
	}
	names, theta := make([]string, len(order)), make([]float64, len(order))
	for i, k := range order {
		names[i], theta[i] = l.Result.Labels[k], l.Result.Theta[k]
	}
	title := fmt.Sprintf("%d of %d kernels are used", used, len(l.Result.Theta))
	if used == 1 {
		title = fmt.Sprintf("1 of %s is used", viz.Count(len(l.Result.Theta), "kernel"))
	} else if used == len(l.Result.Theta) {
		title = fmt.Sprintf("All %d kernels are used", used)
	}
	bar := viz.Bar{Name: l.Method, Values: theta}
	if len(runs) > 1 {
		bar.Band = fmt.Sprintf("least to most of %d splits", len(runs))
		caption += " Lines: least to most of the models of splits."
		for _, k := range order {
			lo, hi := l.Result.Theta[k], l.Result.Theta[k]
			for _, r := range runs {
				lo, hi = min(lo, r.Theta[k]), max(hi, r.Theta[k])
			}
			bar.Lo, bar.Hi = append(bar.Lo, lo), append(bar.Hi, hi)
		}
	}
	return viz.Bars(title, caption, names, bar).
		WithAxes("base kernel", "weight θ").
		WithBaseline("equal weights of the same sum", total/float64(len(l.Result.Theta)))
}

// viewBars draws the weight of each view.
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
		fmt.Sprintf("%s, %s, n = %d. Weights of the kernels of each view added up; %s.", l.Data, l.Method, l.Points,
			scale),
		names, viz.Bar{Name: l.Method, Values: weights}).WithAxes("view", "weight Σθ")
}
