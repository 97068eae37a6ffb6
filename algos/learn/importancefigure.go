package learn

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/viz"
)

// verb returns how the score changes when an informative group is removed: "falls" or "rises".
func (w *Importances) verb() string {
	if w.Metric.HigherIsBetter() {
		return "falls"
	}
	return "rises"
}

// noun returns "kernel" or "group of features".
func (w *Importances) noun() string {
	if len(w.Groups) > 0 && w.Groups[0].Features == nil {
		return "kernel"
	}
	return "group of features"
}

// nouns returns the plural of noun.
func (w *Importances) nouns() string {
	return strings.Replace(w.noun()+"s", "group of features", "groups of feature", 1)
}

// title states which groups are significantly important.
func (w *Importances) title() string {
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
		return fmt.Sprintf("No %s of %s is clearly worth something by itself", w.noun(), w.Data)
	case len(clear) > 4:
		return fmt.Sprintf("%d of %d %s of %s are clearly worth something, %s most", len(clear),
			len(w.Groups), w.nouns(), w.Data, clear[0])
	case len(clear) == 1:
		return fmt.Sprintf("Of %s, only %s is clearly worth something", w.Data, clear[0])
	}
	return fmt.Sprintf("Of %s, %s are clearly worth something", w.Data, viz.Listed(clear))
}

// meanOver returns a sentence that names the targets over which scores are means. It returns "" for one target.
func meanOver(targets []string) string {
	if len(targets) < 2 {
		return ""
	}
	return fmt.Sprintf(" Scores are means over %s, each in its own unit: large numbers count most.",
		viz.Listed(targets))
}

// String returns the title, a sentence for each significant group among the first ten, lists of the other groups, and
// notes on correlated groups.
func (w *Importances) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.", w.title())
	if w.Stopped {
		b.WriteString(" Stopped: not every group was finished.")
	}
	var without, just, unused []string
	for i, g := range w.Groups {
		if w.How == Permutation && !slices.ContainsFunc(g.Drops, func(v float64) bool { return v != 0 }) {
			unused = append(unused, g.Name)
		} else if d := g.Drop; !g.Significant() && d.ExcludesZero() {
			just = append(just, g.Name)
		} else if !g.Significant() {
			without = append(without, g.Name)
		} else if i < 10 && d.Mean > 0 {
			fmt.Fprintf(&b, "\n%s %s: the %s %s by %s.", g.Name, w.How, w.Metric, w.verb(), d.Interval())
		} else if i < 10 {
			fmt.Fprintf(&b, "\nIt is better without %s: %s of %s (%s).", g.Name, w.Metric, d.Interval(),
				w.How)
		}
	}
	if without != nil {
		fmt.Fprintf(&b, "\nNot decided, or nothing (the interval contains 0): %s.", viz.Listed(without))
	}
	if unused != nil {
		fmt.Fprintf(&b, "\nThe score is the same without %s.", viz.Listed(unused))
	}
	if just != nil {
		fmt.Fprintf(&b, "\nThe interval does not contain 0, but among %s that may be chance (p > 0.05 by Holm): %s.",
			viz.Count(len(w.Groups), "group"), viz.Listed(just))
	}
	for _, s := range w.related() {
		b.WriteString("\n" + s)
	}
	return b.String()
}

// related returns a note for each pair of correlated groups, at most three.
func (w *Importances) related() (notes []string) {
	for _, g := range w.Groups {
		i := slices.IndexFunc(w.Groups, func(o Group) bool { return o.Name == g.With })
		if math.Abs(g.Correlation) < related || i >= 0 && w.Groups[i].With == g.Name && g.Name > g.With ||
			len(notes) == 3 {
			continue
		}
		s := fmt.Sprintf("%s and %s are correlated (r = %s): ", g.Name, g.With, viz.FormatSigned("%.2f", g.Correlation))
		if w.How == DropGroup {
			s += "where one is left out the other one stands in, so what the two are worth together is not seen; "
		} else {
			s += "the model shares what they tell between them, and points with one of them permuted are like " +
				"no others; "
		}
		notes = append(notes, s+"make them one view (WithViews) to ask for both.")
	}
	return notes
}

// Figures returns a chart of the drops with their intervals. If each kernel belongs to one view, a second chart shows
// the shares of the weight.
func (w *Importances) Figures() []viz.Figure {
	if len(w.Groups) == 0 {
		return nil
	}
	top := w.Groups[:min(len(w.Groups), mostBars)]
	var names []string
	var mean, lo, hi, share, least, most, uniform []float64
	for _, g := range top {
		name := g.Name
		if n := len(g.Features); n > 1 {
			name = fmt.Sprintf("%s (%d features)", g.Name, n)
		}
		names, mean, lo, hi = append(names, name), append(mean, g.Drop.Mean), append(lo, g.Drop.Lo),
			append(hi, g.Drop.Hi)
		if g.Shares != nil {
			s, _, _ := compare.MeanSD(g.Shares)
			share, uniform = append(share, s), append(uniform, g.Uniform)
			least, most = append(least, slices.Min(g.Shares)), append(most, slices.Max(g.Shares))
		}
	}
	n := len(w.Base)
	base, _, _ := compare.MeanSD(w.Base)
	caption := fmt.Sprintf("%s: by how much the %s on points left out %s when a %s is %s; with all "+
		"it is %s. %d splits", w.Data, w.Metric, w.verb(), w.noun(), w.How, viz.Digits(base)[0], n)
	if w.How == Permutation {
		caption += ", " + viz.Count(w.Repeats, "permutation") + " in each"
	}
	if caption += "."; len(w.Groups) > len(top) {
		caption += fmt.Sprintf(" Shown are the first %d of %d groups.", len(top), len(w.Groups))
	}
	b := viz.Bar{Name: w.How.String(), Values: mean}
	caption += meanOver(w.Targets)
	if w.Stopped {
		caption += " Stopped: not every group was finished."
	}
	if n > 1 {
		caption += " Lines: 95 % interval, corrected resampled t; one that contains 0 decides nothing."
		if len(w.Groups) > 1 {
			caption += " Clear is p < 0.05 by Holm for all groups."
		}
		b.Lo, b.Hi, b.Band = lo, hi, fmt.Sprintf("95 %% interval of the mean of %d splits", n)
	}
	change := strings.TrimSuffix(w.verb(), "s")
	f := []viz.Figure{viz.Dots(w.title(), caption, names, b).
		WithAxes("", fmt.Sprintf("%s of the %s", change, w.Metric)).WithBaseline("no difference", 0)}
	if share == nil {
		return f
	}
	at := viz.Bar{Name: LearnName, Values: share}
	if n > 1 {
		at.Lo, at.Hi, at.Band = least, most, fmt.Sprintf("least to most of %d splits", n)
	}
	return append(f, viz.Dots("A weight is no importance: what the views have of it",
		fmt.Sprintf("%s: share of the sum of weights over a view's kernels, of the model of each of %d splits, "+
			"and of uniform weights. Lines: least to most.", w.Data, n),
		names, at, viz.Bar{Name: UniformName, Values: uniform}).WithAxes("view", "share of the weight"))
}
