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

// correlationLimit is the smallest magnitude of a correlation at which two groups of features are reported.
const correlationLimit = 0.7

// OfImportances returns the report of importances: the finding, a chart, a note on correlated groups,
// and a folded table of all groups.
func OfImportances(w *learn.Importances) (r Report) {
	if w.Stopped {
		r.addWarnings("Stopped: not every group was finished.")
	}
	if len(w.Groups) == 0 {
		r.addText("", "No importance was computed before the run was stopped. Run it again.")
		return r
	}
	r.addHeadline("", describeImportances(w)+".")
	r.addFigures(importanceChart(w))
	var rows [][]any
	var correlated []string
	for _, g := range w.Groups {
		scoreDrop := g.Drop
		scoreDrop.Metric = w.Metric
		rows = append(rows, []any{g.Name, differenceText(scoreDrop), fmt.Sprintf("%.2g", g.AdjustedP)})
		if math.Abs(g.Correlation) >= correlationLimit {
			correlated = append(correlated, fmt.Sprintf("%s with %s (r = %s)", g.Name, g.CorrelatedGroup,
				formatWithMinusSign("%.2f", g.Correlation)))
		}
	}
	if correlated != nil {
		r.addWarnings("Correlated: " + joinNames(correlated) + ". The model divides common information between " +
			"correlated groups, and points with one of them permuted are unlike all other points, so these " +
			"importances are not reliable. Make the groups one view (WithViews) to measure them together.")
	}
	f := viz.Table(importanceTitle(w), "Means over the test parts of the splits. Clear: p < 0.05.",
		[]string{groupNoun(w), nameOfWorseScore(w) + " [95 % interval]" + differenceUnit(w.Metric), "p"}, rows...)
	f.Sheet.Columns[1].Help = "Above 0: the score is worse without this group. 0: the model does not use it."
	f.Sheet.Columns[2].Help = "p-value of \"no change of the score\": corrected resampled t-test, adjusted by Holm."
	r.addFolded("Numbers", Report{{Figure: &f}})
	return r
}

// verbForWorseScore returns "falls" if a higher metric is better, and "rises" otherwise: how the metric changes if an
// important group is removed.
func verbForWorseScore(w *learn.Importances) string {
	if w.Metric.HigherIsBetter() {
		return "falls"
	}
	return "rises"
}

// nameOfWorseScore names the change of the metric if an important group is removed: "rise of the RMSE".
func nameOfWorseScore(w *learn.Importances) string {
	return fmt.Sprintf("%s of the %s", strings.TrimSuffix(verbForWorseScore(w), "s"), w.Metric)
}

// groupNoun returns "kernel" if the groups of w are kernels, "column" if each has one feature, and otherwise "group of
// columns".
func groupNoun(w *learn.Importances) string {
	switch {
	case w.Repeats == 0:
		return "kernel"
	case slices.ContainsFunc(w.Groups, func(g learn.Group) bool { return len(g.Features) > 1 }):
		return "group of columns"
	}
	return "column"
}

func describeGroupRemoval(w *learn.Importances) string {
	if w.Repeats == 0 {
		return "left out"
	}
	return "permuted"
}

// describeImportances states which groups have p < 0.05 and a worse score if they are permuted or left out.
func describeImportances(w *learn.Importances) string {
	var important []string
	for _, g := range w.Groups {
		if g.Significant() && g.Drop.Mean > 0 {
			important = append(important, g.Name)
		}
	}
	nouns := strings.Replace(groupNoun(w), "group of column", "groups of column", 1)
	if w.Repeats == 0 || nouns == "column" {
		nouns += "s"
	}
	switch {
	case len(important) == 0:
		return fmt.Sprintf("No single %s of %s is clearly important", groupNoun(w), w.Data)
	case len(important) > 4:
		return fmt.Sprintf("%d of %d %s of %s are clearly important, %s most", len(important), len(w.Groups),
			nouns, w.Data, important[0])
	case len(important) == 1:
		return fmt.Sprintf("On %s only %s is clearly important", w.Data, important[0])
	}
	return fmt.Sprintf("On %s, %s are clearly important", w.Data, joinNames(important))
}

func importanceTitle(w *learn.Importances) string {
	return fmt.Sprintf("Importance of each %s of %s", groupNoun(w), w.Data)
}

// maxBars is the maximum number of groups or weights in a chart.
const maxBars = 25

// importanceChart returns a chart of the importance of each group: the mean change of the score if the group is
// permuted, with its 95 % interval.
func importanceChart(w *learn.Importances) viz.Figure {
	shownGroups := w.Groups[:min(len(w.Groups), maxBars)]
	scoreDrops := viz.Bar{Name: describeGroupRemoval(w)}
	for _, g := range shownGroups {
		value := func(v float64) float64 { return chartValue(w.Metric, v) }
		scoreDrops.Values = append(scoreDrops.Values, value(g.Drop.Mean))
		scoreDrops.Lo, scoreDrops.Hi = append(scoreDrops.Lo, value(g.Drop.Lo)), append(scoreDrops.Hi, value(g.Drop.Hi))
	}
	splitCount := len(w.BaseScores)
	baseScore, _, _ := compare.MeanSD(w.BaseScores)
	caption := fmt.Sprintf("%s on held-out points if a %s is %s. With all: %s.", capitalize(nameOfWorseScore(w)),
		groupNoun(w), describeGroupRemoval(w), formatValues(w.Metric, baseScore)[0])
	if splitCount > 1 {
		caption += " Lines: 95 % interval."
	}
	details := fmt.Sprintf("%s, %s", w.Data, viz.FormatCount(splitCount, "split"))
	if w.Repeats > 0 {
		details += ", " + viz.FormatCount(w.Repeats, "permutation") + " in each"
	}
	details += "."
	if len(w.Groups) > len(shownGroups) {
		details += fmt.Sprintf(" Shown are the first %d of %d groups.", len(shownGroups), len(w.Groups))
	}
	details += explainMeanOverTargets(w.Targets)
	if splitCount > 1 {
		details += " Intervals: corrected resampled t; an interval that contains 0 decides nothing."
		if len(w.Groups) > 1 {
			details += " Clear means p < 0.05 after Holm's correction for all groups."
		}
		scoreDrops.Band = fmt.Sprintf("95 %% interval of the mean of %d splits", splitCount)
	} else {
		scoreDrops.Lo, scoreDrops.Hi = nil, nil
	}
	return viz.Dots(importanceTitle(w), caption, groupNames(shownGroups), scoreDrops).
		WithAxes("", nameOfWorseScore(w)+differenceUnit(w.Metric)).WithDetails(details).WithValues().
		WithBaseline("no difference", 0)
}

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
