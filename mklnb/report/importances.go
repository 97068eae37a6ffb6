package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/viz"
)

// correlated is the correlation from which two groups of features are reported.
const correlated = 0.7

// Importances returns the report of importances: a chart, how the score changes without the first ten groups that are
// clearly important, the groups for which that is not decided, and notes on correlated groups. If each kernel belongs
// to one view, a second chart shows the shares of the weight.
func Importances(w *learn.Importances) (r Report) {
	if len(w.Groups) > 0 {
		r.show(importanceChart(w)) // its title is the finding
	} else {
		r.say("", importanceFinding(w)+".")
	}
	if w.Stopped {
		r.warn("Stopped: not every group was finished.")
	}
	var undecided, chance, unused []string
	for i, g := range w.Groups {
		d := g.Drop
		switch {
		case w.How == learn.Permutation && !slices.ContainsFunc(g.Drops, func(v float64) bool { return v != 0 }):
			unused = append(unused, g.Name)
		case !g.Significant() && d.ExcludesZero():
			chance = append(chance, g.Name)
		case !g.Significant():
			undecided = append(undecided, g.Name)
		case i < 10 && d.Mean > 0:
			r.say("", fmt.Sprintf("If %s is %s, the %s %s by %s.", g.Name, w.How, w.Metric, worsens(w),
				within(w.Metric, d.Mean, d.Lo, d.Hi)))
		case i < 10:
			r.say("", fmt.Sprintf("If %s is %s, the %s improves by %s.", g.Name, w.How, w.Metric,
				within(w.Metric, -d.Mean, -d.Hi, -d.Lo)))
		}
	}
	if undecided != nil {
		r.say("", fmt.Sprintf("Not decided (the interval contains 0): %s.", viz.Listed(undecided)))
	}
	if unused != nil {
		r.say("", fmt.Sprintf("The model does not use %s: the score is the same without.", viz.Listed(unused)))
	}
	if chance != nil {
		r.say("", fmt.Sprintf("Not decided among %s (p > 0.05 after Holm's correction, though the interval of the "+
			"group alone excludes 0): %s.", viz.Count(len(w.Groups), "group"), viz.Listed(chance)))
	}
	for _, s := range correlationNotes(w) {
		r.say("", s)
	}
	if f, ok := shareChart(w); ok {
		r.show(f)
	}
	return r
}

// worsens returns how the metric changes when an important group is removed: "falls" or "rises".
func worsens(w *learn.Importances) string {
	if w.Metric.HigherIsBetter() {
		return "falls"
	}
	return "rises"
}

// groupNoun returns "kernel" or "group of features".
func groupNoun(w *learn.Importances) string {
	if len(w.Groups) > 0 && w.Groups[0].Features == nil {
		return "kernel"
	}
	return "group of features"
}

// importanceFinding states which groups are clearly important.
func importanceFinding(w *learn.Importances) string {
	var clear []string
	for _, g := range w.Groups {
		if g.Significant() && g.Drop.Mean > 0 {
			clear = append(clear, g.Name)
		}
	}
	switch {
	case len(w.Groups) == 0:
		return "Nothing was finished"
	case len(clear) == 0:
		return fmt.Sprintf("No single %s of %s is clearly important", groupNoun(w), w.Data)
	case len(clear) > 4:
		return fmt.Sprintf("%d of %d groups of %s are clearly important, %s most", len(clear), len(w.Groups), w.Data,
			clear[0])
	case len(clear) == 1:
		return fmt.Sprintf("On %s only %s is clearly important", w.Data, clear[0])
	}
	return fmt.Sprintf("On %s, %s are clearly important", w.Data, viz.Listed(clear))
}

// correlationNotes returns a note for each pair of correlated groups, at most three.
func correlationNotes(w *learn.Importances) (notes []string) {
	for _, g := range w.Groups {
		i := slices.IndexFunc(w.Groups, func(o learn.Group) bool { return o.Name == g.With })
		if math.Abs(g.Correlation) < correlated || i >= 0 && w.Groups[i].With == g.Name && g.Name > g.With ||
			len(notes) == 3 {
			continue
		}
		s := fmt.Sprintf("%s and %s are correlated (r = %s): ", g.Name, g.With, viz.FormatSigned("%.2f", g.Correlation))
		if w.How == learn.DropGroup {
			s += "without one of them the other one replaces it, so their joint importance is not shown. "
		} else {
			s += "the model divides their common information between them, and points with one of them permuted " +
				"are unlike all other points. "
		}
		notes = append(notes, s+"Make them one view (WithViews) to measure both together.")
	}
	return notes
}

// mostBars is the largest number of groups or weights that are drawn.
const mostBars = 25

// importanceChart returns a chart of the drops with their intervals.
func importanceChart(w *learn.Importances) viz.Figure {
	top := w.Groups[:min(len(w.Groups), mostBars)]
	b := viz.Bar{Name: w.How.String()}
	for _, g := range top {
		b.Values, b.Lo, b.Hi = append(b.Values, g.Drop.Mean), append(b.Lo, g.Drop.Lo), append(b.Hi, g.Drop.Hi)
	}
	n := len(w.Base)
	base, _, _ := compare.MeanSD(w.Base)
	caption := fmt.Sprintf("%s: how much the %s on held-out points %s if a %s is %s. With all of them it is %s. %d "+
		"splits",
		w.Data, w.Metric, worsens(w), groupNoun(w), w.How, format(w.Metric, base)[0], n)
	if w.How == learn.Permutation {
		caption += ", " + viz.Count(w.Repeats, "permutation") + " in each"
	}
	if caption += "."; len(w.Groups) > len(top) {
		caption += fmt.Sprintf(" Shown are the first %d of %d groups.", len(top), len(w.Groups))
	}
	caption += meanOver(w.Targets)
	if n > 1 {
		caption += " Lines: 95 % interval (corrected resampled t); an interval that contains 0 decides nothing."
		if len(w.Groups) > 1 {
			caption += " Clear means p < 0.05 after Holm's correction for all groups."
		}
		b.Band = fmt.Sprintf("95 %% interval of the mean of %d splits", n)
	} else {
		b.Lo, b.Hi = nil, nil
	}
	return viz.Dots(importanceFinding(w), caption, groupNames(top), b).
		WithAxes("", fmt.Sprintf("%s of the %s", strings.TrimSuffix(worsens(w), "s"), w.Metric)).
		WithBaseline("no difference", 0)
}

// groupNames returns the names of the groups for a chart.
func groupNames(groups []learn.Group) (names []string) {
	for _, g := range groups {
		name := g.Name
		if n := len(g.Features); n > 1 {
			name = fmt.Sprintf("%s (%d features)", g.Name, n)
		}
		names = append(names, name)
	}
	return names
}

// shareChart returns a chart of the shares of the weight of each view. It returns false if they are not known.
func shareChart(w *learn.Importances) (viz.Figure, bool) {
	var groups []learn.Group
	own, uniform := viz.Bar{Name: learn.LearnName}, viz.Bar{Name: learn.UniformName}
	for _, g := range w.Groups[:min(len(w.Groups), mostBars)] {
		if g.Shares == nil {
			continue
		}
		mean, _, _ := compare.MeanSD(g.Shares)
		groups = append(groups, g)
		own.Values, uniform.Values = append(own.Values, mean), append(uniform.Values, g.Uniform)
		own.Lo, own.Hi = append(own.Lo, slices.Min(g.Shares)), append(own.Hi, slices.Max(g.Shares))
	}
	if groups == nil {
		return viz.Figure{}, false
	}
	if n := len(w.Base); n > 1 {
		own.Band = fmt.Sprintf("smallest to largest of %d splits", n)
	} else {
		own.Lo, own.Hi = nil, nil
	}
	return viz.Dots("A weight is not an importance: the share of the weight of each view",
		fmt.Sprintf("%s: share of the sum of weights of the kernels of a view, for the model of each of %d splits and "+
			"for uniform weights. Lines: smallest to largest.", w.Data, len(w.Base)),
		groupNames(groups), own, uniform).WithAxes("view", "share of the weight"), true
}
