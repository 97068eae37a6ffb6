package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// comparisonDetails returns the table of each target, the scores of each class, charts of the targets after the first,
// other metrics and hyperparameters.
func comparisonDetails(l *learn.Learned, comparisons []comparison) (r Report) {
	for i, c := range comparisons {
		r.addFigures(comparisonTable(c))
		if f, ok := comparisonChart(c); ok && i > 0 {
			r.addFigures(f)
		}
	}
	if runs := l.Table.Row(learn.SelectedName).Runs; len(l.Table.Classes) > 0 && len(runs) > 0 {
		if len(l.Table.Classes) > shownClasses {
			r.addFigures(confusionTable(l.Table, learn.SelectedName))
		}
		r.addFigures(classScores(l.Table, learn.SelectedName))
	}
	r = append(r, tableDetails(l.Table)...)
	r.addText("Your model", fmt.Sprintf("the method with the smallest cross-validation error. %s On all points this "+
		"is %s. It is the row %q of Learned.Table. %s", chosenMethodsText(l), strings.Join(choiceTexts(l), ", "),
		learn.SelectedName, fmt.Sprintf(procedureText, "error")))
	for _, e := range [][2]string{{learn.UniformName, "the same weight for each kernel."}, {learn.SingleName,
		"the kernel with the smallest cross-validation error."},
		{learn.LearnedName, "the weights that minimize the training objective."},
		{learn.LinearName, "as ridge regression."}} {
		r.addText(capitalize(methodName(e[0])), fmt.Sprintf("%s learn.WithMethod(%q) always takes it.", e[1], e[0]))
	}
	r.addText("Other models, such as a forest", `l.WriteSplits("splits.csv") writes the splits to score them on.`)
	return r
}

// chosenMethodsText returns a sentence with the number of splits in which each method, with its kernel or its bound on
// the weights, was chosen.
func chosenMethodsText(l *learn.Learned) string {
	splitCounts := map[string]int{}
	for _, run := range l.Table.Row(learn.SelectedName).Runs {
		splitCounts[methodName(run.Label)]++
	}
	var texts []string
	for _, name := range slices.Sorted(maps.Keys(splitCounts)) {
		texts = append(texts, fmt.Sprintf("%s in %d", name, splitCounts[name]))
	}
	return "Of the splits it is " + joinNames(texts) + "."
}

// modelDetails returns the weights of the model if withWeights is true, the run of the solver, and the errors by which
// the model was selected.
func modelDetails(l *learn.Learned, withWeights bool) (r Report) {
	r.addText("Model", modelSentence(l))
	if l.Seconds > 0 {
		r.addText("Time", fmt.Sprintf("%s, with the comparison.",
			viz.FormatDuration(time.Duration(l.Seconds*float64(time.Second)))))
	}
	if n := l.Model.Intervals; n != nil {
		r.addText("Prediction intervals", fmt.Sprintf("level %g %%: they are made to contain this share of the "+
			"targets of new points, by CV+ of %d folds (model.Intervals).", 100*n.Level, len(n.Folds)))
	}
	if withWeights {
		r.addFigures(weightChart(l.Result, runsOfLearnedMethod(l)))
	}
	if len(l.Tried) > 0 {
		r.addFigures(selectionTable(l))
	}
	if l.Reliability != nil {
		r.addFigures(reliabilityChart(l))
	}
	if hasFewDuplicates(l) {
		r.addText("Duplicates", l.DuplicateNote)
	}
	r.addText("Model file", l.Model.String())
	if !hasOptimumMark(l) {
		r.addText("Training optimum", optimalityMark(l).Detail)
	}
	if l.Landmarks == 0 {
		return append(r, solverReport(l.Result)...)
	}
	r.addText("Landmarks", fmt.Sprintf("the model keeps %d of %d points; the coefficients were fitted to all points "+
		"(WithLandmarks).", l.Model.X.Len(), l.Points))
	if l.Result.Status != mkl.EvaluatedOnly {
		r.addText("Weights", fmt.Sprintf("learned on the landmarks alone, with %[1]s·landmarks/points = "+
			"%[1]s·%[2]d/%[3]d in place of %[1]s:", l.Hyperparameter, l.Landmarks, l.Points))
		r = append(r, solverReport(l.Result)...)
	}
	return r
}

func selectionTable(l *learn.Learned) viz.Figure {
	by, captionEnd, concatenatedLabels := string(l.Tried[0].By), "", ""
	if l.Tried[0].By.HigherIsBetter() {
		by = "1 − " + by // the error
	}
	if l.Model.LogTargets && l.Method == l.Kind() {
		captionEnd = " Errors compare the logarithms of predictions and targets."
	}
	if l.Model.Targets != nil {
		captionEnd += " Each target is in units of its standard deviation."
	}
	var rows [][]any
	for _, t := range l.Tried {
		e := viz.Cell{Text: formatWithEqualDecimals(t.Error)[0], IsEmphasized: t.Method == l.Method}
		value := fmt.Sprintf("%s = %.3g", l.Hyperparameter, t.Value)
		if l.Hyperparameter == "" {
			value = "–"
		}
		concatenatedLabels += t.Label
		label := t.Label
		if label == "" {
			label = "–"
		}
		rows = append(rows, []any{methodName(t.Method), e, value, label})
	}
	title, errorName := "Cross-validation errors used for selection, "+describeSelectionPoints(l),
		"cross-validation "+by
	if n := l.Tried[0].FinalPoints; n > 0 {
		title, errorName = fmt.Sprintf("Errors used for selection: models of %d points, other points", n), by
	}
	return viz.Table(title,
		"Selection makes these errors too small: they do not estimate the error on new data. The model has the "+
			"smallest one; WithMethod selects another method."+captionEnd+explainWeightBound(concatenatedLabels),
		[]string{"method", errorName, "hyperparameter", "other choice"}, rows...)
}

// describeSelectionPoints names the points on which method and hyperparameters were selected: "on all 400 points".
func describeSelectionPoints(l *learn.Learned) string {
	if n := l.Plan.Selection.MaxPoints; n > 0 && n < l.Points {
		return fmt.Sprintf("on %d of %d points", n, l.Points)
	}
	return fmt.Sprintf("on all %s", viz.FormatCount(l.Points, "point"))
}

// viewChart returns a chart of the share of each view in the sum of the weights.
func viewChart(l *learn.Learned) viz.Figure {
	var names []string
	shares, largest := viz.Bar{Name: "share"}, l.Views[0]
	for _, v := range l.Views {
		names, shares.Values = append(names, v.Name), append(shares.Values, 100*v.WeightShare)
		if v.WeightShare > largest.WeightShare {
			largest = v
		}
	}
	f := viz.Bars(fmt.Sprintf("%s has %.0f %% of the weight", capitalize(largest.Name), 100*largest.WeightShare),
		"A weight is not an importance.", names, shares)
	f.Horizontal = true
	return f.WithAxes("source", "share of the weight, %")
}

// runsOfLearnedMethod returns, for each split, the run of the model's method if it has as many weights as the model. It
// returns nil for uniform weights and for the best single kernel, whose weights follow from a rule.
func runsOfLearnedMethod(l *learn.Learned) (runs []compare.Run) {
	if l.Table == nil || l.Kind() == learn.UniformName || l.Kind() == learn.SingleName {
		return nil
	}
	for _, r := range l.Table.Row(l.Method).Runs {
		if len(r.Theta) == len(l.Result.Theta) {
			runs = append(runs, r)
		}
	}
	return runs
}
