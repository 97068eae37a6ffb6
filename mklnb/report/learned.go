package report

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// OfLearned returns the report of a result of Learn: the error to expect on new data, large; marks about the weights,
// the optimum and the data; a chart of the methods and, for classes or few kernels, one more; warnings, and code for
// the next steps. Everything else is folded: the table, other metrics, hyperparameters, weights, the errors used for
// selection, and every default with the option that changes it. It is an error if l is empty.
func OfLearned(l *learn.Learned) (r Report, err error) {
	if l.Table == nil && l.Model == nil {
		return nil, errors.New("report: the learn.Learned is empty; show a result of Learn")
	}
	if l.Model == nil && len(l.Table.Rows) == 0 {
		return OfTable(l.Table), nil
	}
	comparisons := comparisonsByTarget(l.Table)
	singleKernels := countKernels(findMethod(l.Plan, learn.SingleName).Family)
	for i := range comparisons {
		comparisons[i].singleKernels = singleKernels
	}
	warnings := warningTexts(l, comparisons)
	for _, c := range comparisons {
		r.addAnswer(l, c)
	}
	if len(comparisons) == 0 {
		r.addHeadline("", "The error on new data is not estimated: pass learn.WithSplits to Learn")
	}
	if l.Model == nil {
		r.addWarnings("Learning was stopped before there was a model. Run it again: it continues where it was stopped.")
	} else {
		r.addText("", factsText(l, len(warnings) > 0))
	}
	r = append(r, Part{Marks: marksOf(l, comparisons)})
	if len(comparisons) > 0 {
		if f, ok := comparisonChart(comparisons[0]); ok {
			if len(comparisons) > 1 {
				f.Title = comparisons[0].Data + ": " + f.Title
			}
			r.addFigures(f)
		}
	}
	hasWeights := l.Model != nil && len(l.Result.Theta) > 1 && l.Kind() != learn.SingleName
	showsWeights := false
	switch t := l.Table; {
	case t != nil && len(t.Classes) > 0 && len(t.Classes) <= shownClasses && len(t.Row(learn.SelectedName).Runs) > 0:
		r.addFigures(confusionTable(t, learn.SelectedName))
	case l.HeldOut != nil && len(l.Model.Targets) < 2:
		r.addFigures(predictionChart(l))
	case len(l.Views) > 1 && hasWeights:
		r.addFigures(viewChart(l))
	case hasWeights && len(l.Result.Theta) <= shownClasses && l.Kind() == learn.LearnedName:
		showsWeights = true
		r.addFigures(weightChart(l.Result, runsOfLearnedMethod(l)))
	}
	r.addWarnings(warnings...)
	if l.Model != nil {
		r = append(r, Part{Label: "Next", Text: nextSteps(l), IsCode: true})
	}
	if l.Table != nil {
		r.addFolded("Methods", comparisonDetails(l, comparisons))
	}
	if l.Model != nil {
		r.addFolded("Model", modelDetails(l, hasWeights && !showsWeights))
	}
	r.addFolded("Defaults", reportDefaults(l.Plan))
	return r, nil
}

// OfFittedModel returns the report of a model before the comparison of the methods, if there is one: one sentence.
func OfFittedModel(l *learn.Learned) Report {
	text := fmt.Sprintf("%s, with %s.", l.Data, methodName(l.Method))
	if n := len(l.Plan.Splits); n > 0 {
		text += fmt.Sprintf(" A comparison of the methods on %s follows.", viz.FormatCount(n, "split"))
	}
	return Report{{Label: "Fitted", Text: text}}
}

// modelSentence returns a sentence with the data, the method, the hyperparameters and the shares of the views.
func modelSentence(l *learn.Learned) string {
	parts := []string{viz.FormatCount(l.Points, "point")}
	if l.Landmarks > 0 {
		parts[0] += fmt.Sprintf(" (%d landmarks)", l.Landmarks)
	}
	if n := l.Plan.Task.DroppedPoints; n > 0 {
		parts[0] += fmt.Sprintf(" of the %d in the file (%d left out because of missing cells or repeated rows)",
			l.Points+n, n)
	}
	if d := points.FeatureCount(l.Model.X); d > 0 {
		featureCountText := viz.FormatCount(d, "feature")
		if e := inputEncoding(l); len(e.Columns) > 0 {
			featureCountText += describeColumns(e)
		}
		parts = append(parts, featureCountText)
	}
	parts = append(parts, choiceTexts(l)...)
	for _, v := range l.Views {
		parts = append(parts, fmt.Sprintf("%s %.0f %%", v.Name, 100*v.WeightShare))
	}
	return fmt.Sprintf("%s: %s.", l.Data, strings.Join(parts, ", "))
}

// choiceTexts returns the method of the model, the value of the hyperparameter of its loss, and its other choices.
func choiceTexts(l *learn.Learned) []string {
	texts := []string{methodName(l.Method)}
	if l.Hyperparameter != "" {
		texts = append(texts, fmt.Sprintf("%s = %.3g", l.Hyperparameter, l.Lambda))
	}
	if l.Label != "" {
		texts = append(texts, l.Label)
	}
	return texts
}

// describeColumns returns of which columns of a file the features are made, and what became of missing cells.
func describeColumns(e data.Encoding) string {
	var numbers, categories []string
	for _, c := range e.Columns {
		if c.Levels == nil {
			numbers = append(numbers, c.Name)
		} else {
			categories = append(categories, c.Name)
		}
	}
	var kinds []string
	if numbers != nil {
		kinds = append(kinds, fmt.Sprintf("%d of numbers (%s)", len(numbers), joinNames(numbers)))
	}
	if categories != nil {
		kinds = append(kinds, fmt.Sprintf("%d of categories (%s) with a 0/1 feature for each value", len(categories),
			joinNames(categories)))
	}
	text := " from columns: " + strings.Join(kinds, ", ")
	switch e.Options.Missing {
	case data.Refuse:
		return text + ", no missing cells"
	case data.Fill:
		return text + ", missing numbers replaced by the mean of their column over all points"
	}
	return text
}

// inputEncoding returns how the file of the data was read. It is empty if the data are not from a file.
func inputEncoding(l *learn.Learned) data.Encoding {
	if e := l.Model.Input; e != nil {
		return *e
	}
	return data.Encoding{}
}

// targetText returns what the model predicts, such as "R (−1) or M (+1, positive)".
func targetText(l *learn.Learned) string {
	target := inputEncoding(l).Label
	switch m := l.Model; {
	case len(m.Classes) == 2:
		return fmt.Sprintf("%s (−1) or %s (+1, positive)", m.Classes[0], m.Classes[1])
	case m.Classes != nil && len(m.Classes) <= 5:
		return joinNames(m.Classes)
	case m.Classes != nil:
		return fmt.Sprintf("%d classes", len(m.Classes))
	case model.AreOfOneTarget(m.Quantiles):
		return fmt.Sprintf("%d quantiles of %s", len(m.Quantiles), cmp.Or(target, "the target"))
	case len(m.Targets) > 1:
		return fmt.Sprintf("%d targets", len(m.Targets))
	case m.LogTargets:
		return "logarithm of " + cmp.Or(target, "the target")
	}
	return cmp.Or(target, "numbers")
}

// warningTexts returns reasons to doubt the result l, and what to do about them. One is a model that is not clearly
// better than the constant baseline: the 95 % interval of the paired difference of their errors is not below 0, or by a
// metric of which a larger value is better, not above 0.
func warningTexts(l *learn.Learned, comparisons []comparison) (texts []string) {
	addWarning := func(format string, v ...any) { texts = append(texts, fmt.Sprintf(format, v...)) }
	for _, c := range comparisons {
		metric := c.headlineMetric(l)
		if d := c.Compare(learn.SelectedName, compare.ConstantBaseline, metric); d.N < 2 || l.Table.Stopped ||
			!metric.HigherIsBetter() && d.Hi < 0 || metric.HigherIsBetter() && d.Lo > 0 {
			continue
		}
		prefix := ""
		if len(l.Table.Targets) > 0 {
			prefix = c.Data + ": "
		}
		d := c.Compare(learn.SelectedName, compare.ConstantBaseline, model.Balanced)
		if c.Classes != nil && d.Lo > 0 {
			meanText := func(method string) string {
				return formatValues(d.Metric, c.Summary(method, d.Metric).Mean)[0]
			}
			addWarning("%sBy the %s the model is not clearly better than the constant baseline. By balanced accuracy "+
				"it is: %s against %s.", prefix, metric, meanText(d.Method), meanText(d.Baseline))
			continue
		}
		text := "The model is not clearly better than the constant baseline. More points or other features may help."
		if hasManyDefaultFeatures(l.Plan) {
			text += " " + beyondDefault
		}
		addWarning("%s%s", prefix, text)
	}
	if l.Model != nil && l.Result.Status.IsUnfinished() {
		addWarning("The solver did not reach the requested gap: %v. Pass a larger gap to learn.WithGap, or another "+
			"solver to learn.WithSolver.", l.Result.Status)
	}
	if l.Model != nil && l.Table != nil && l.Table.Stopped {
		addWarning("The comparison was stopped (%s). The model is complete. Run "+
			"the cell again: it continues.", finishedSplitsText(l.Table))
	}
	if l.Table != nil && len(l.Table.Classes) > 0 {
		counts := confusionCounts(l.Table.Row(learn.SelectedName).Runs, len(l.Table.Classes))
		var never []string
		for k, name := range l.Table.Classes {
			if sum(counts[k]) > 0 && counts[k][k] == 0 {
				never = append(never, name)
			}
		}
		if never != nil {
			addWarning("No held-out point of %s was recognized. learn.WithBalancedClasses gives each class the same "+
				"weight, learn.WithMetric selects by another metric.", joinNames(never))
		}
	}
	for _, w := range resultDoubts(l) {
		addWarning("%v", w)
	}
	return texts
}

// hasFewDuplicates reports whether less than 5 % of the points are duplicates, and the splits keep them together.
func hasFewDuplicates(l *learn.Learned) bool {
	return 20*l.Plan.Task.Duplicates < l.Points && !slices.Contains(l.Plan.GivenOptions, "WithSplits")
}
