package report

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// OfLearned returns the report of a result of Learn. It begins with four sentences: the model, its expected error on
// new data and the error of the constant baseline, whether learning the weights helped, and how close the weights are
// to the optimum. Then follow warnings, the table of methods and its chart. Everything else is folded: other metrics,
// hyperparameters, weights, the errors used for selection, and every default with the option that changes it. It is an
// error if l is empty.
func OfLearned(l *learn.Learned) (r Report, err error) {
	if l.Table == nil && l.Model == nil {
		return nil, errors.New("report: the learn.Learned is empty; show a result of Learn")
	}
	if l.Model == nil && len(l.Table.Rows) == 0 {
		return OfTable(l.Table), nil
	}
	comparisons := comparisonsByTarget(l.Table)
	if l.Model == nil {
		r.addWarnings("Learning was stopped before there was a model. Run it again: it continues where it was stopped.")
	} else {
		r.addText("Model", modelSentence(l))
	}
	for _, c := range comparisons {
		label := "Expected error on new data (row " + learn.SelectedName
		if len(l.Plan.Candidates) > 1 {
			label += ", which includes the choice of the method"
		}
		label += ")"
		if len(l.Table.Targets) > 0 {
			label += ", " + c.Data
		}
		r.addText(label, expectedErrorText(c))
	}
	if len(comparisons) == 0 {
		r.addText("Expected error on new data", "not estimated: Learn compared the methods on no splits (WithSplits).")
	}
	for _, c := range comparisons {
		label := "Did learning the weights help?"
		if len(l.Table.Targets) > 0 {
			label = "Did it help, " + c.Data + "?"
		}
		r.addText(label, learningHelpedText(c))
	}
	if l.Model != nil && l.Model.Intervals != nil {
		r.addText("Prediction intervals", fmt.Sprintf("level %g %%: they are made to contain this share of the "+
			"targets of new points, by CV+ of %d folds (model.Intervals).", 100*l.Model.Intervals.Level,
			len(l.Model.Intervals.Folds)))
	}
	if l.Model != nil {
		r.addText("Optimality", optimalityText(l)+" This concerns the fit, not the choice of kernels and "+
			"hyperparameters or the error on new data.")
	}
	r.addWarnings(warningTexts(l, comparisons)...)
	for i, c := range comparisons {
		r.addFigures(comparisonTable(c))
		if f, ok := comparisonChart(c); ok && i == 0 {
			r.addFigures(f)
		}
	}
	if l.Table != nil {
		r.addFolded(detailsTitle, comparisonDetails(l, comparisons))
	}
	if l.Model != nil {
		r.addFolded("Weights, solver and errors used for selection", modelDetails(l))
	}
	r.addFolded("Defaults, and the option that changes each", reportDefaults(l.Plan))
	return r, nil
}

// OfFittedModel returns the report of a model before the comparison of the methods, if there is one: one sentence.
func OfFittedModel(l *learn.Learned) Report {
	text := fmt.Sprintf("%s, by the method %s.", l.Data, l.Method)
	if n := len(l.Plan.Splits); n > 0 {
		text += fmt.Sprintf(" The methods are now compared on %s.", viz.FormatCount(n, "split"))
	}
	return Report{{Label: "Fitted", Text: text}}
}

// modelSentence returns a sentence with the data, the task, the kernels and the hyperparameters of the model.
func modelSentence(l *learn.Learned) string {
	parts := []string{taskText(l)}
	if l.Landmarks > 0 {
		parts = append(parts, fmt.Sprintf("%d points (%d landmarks)", l.Points, l.Landmarks))
	} else {
		parts = append(parts, viz.FormatCount(l.Points, "point"))
	}
	if n := l.Plan.Task.DroppedPoints; n > 0 {
		parts[1] += fmt.Sprintf(" of the %d in the file (%d left out because of missing cells or repeated rows)",
			l.Points+n, n)
	}
	if d := points.FeatureCount(l.Model.X); d > 0 {
		featureCountText := viz.FormatCount(d, "feature")
		if n := len(inputEncoding(l).Columns); n > 0 && n != d {
			featureCountText += " from " + viz.FormatCount(n, "column")
		}
		parts = append(parts, featureCountText)
	}
	return fmt.Sprintf("%s: %s. %s.", l.Data, strings.Join(parts, ", "), describeKernels(l))
}

// inputEncoding returns how the file of the data was read. It is empty if the data are not from a file.
func inputEncoding(l *learn.Learned) data.Encoding {
	if e := l.Model.Input; e != nil {
		return *e
	}
	return data.Encoding{}
}

// taskText returns what the model predicts, such as "regression of 2 targets".
func taskText(l *learn.Learned) string {
	target := cmp.Or(inputEncoding(l).Label, "the target")
	switch m := l.Model; {
	case len(m.Classes) == 2:
		return fmt.Sprintf("classification into %s (−1) and %s (+1, the positive class)", m.Classes[0], m.Classes[1])
	case m.Classes != nil && len(m.Classes) <= 5:
		return "classification into " + joinNames(m.Classes)
	case m.Classes != nil:
		return fmt.Sprintf("classification into %d classes", len(m.Classes))
	case len(m.Targets) > 1:
		return fmt.Sprintf("regression of %d targets", len(m.Targets))
	case m.LogTargets:
		return "regression of the logarithm of " + target
	}
	return "regression of " + target
}

// describeKernels returns the kernels of the model, their weights and the hyperparameters in words.
func describeKernels(l *learn.Learned) string {
	positiveCount := 0
	for _, t := range l.Result.Theta {
		if t > 0 {
			positiveCount++
		}
	}
	kernelCountText := viz.FormatCount(len(l.Result.Theta), "kernel")
	var text string
	switch l.Method {
	case learn.UniformName:
		text = "Uniform weights of " + kernelCountText
	case learn.SingleName:
		text = "The best of " + viz.FormatCount(len(l.Result.Theta), "candidate kernel")
		if n := countKernelsOfUniformWeights(l); n > 0 && n != len(l.Result.Theta) {
			text += fmt.Sprintf(" (the methods uniform and learned combine %d kernels)", n)
		}
		text += ": "
		if kind := kernelKindFromLabel(l.Label); !strings.HasPrefix(l.Label, kind) {
			text += kind + ", "
		}
		text += l.Label
	default:
		text = fmt.Sprintf("Learned weights of %s, %d of them above 0", kernelCountText, positiveCount)
		if excludedView, ok := strings.CutPrefix(l.Method, learn.LearnedName+" without "); ok {
			text += ", without the view " + excludedView
		}
		if shares := weightShares(l); shares != nil {
			text += " (" + strings.Join(shares, ", ") + ")"
		}
	}
	gridLosses := findLossesOfGrid(findMethod(l.Plan, l.Method))
	switch lossText := gridLosses.LossName(); {
	case gridLosses.Loss == nil:
	case lossText != "squared loss":
		text += "; " + lossText
	case l.Model.Classes != nil:
		text += "; squared loss (least-squares classifier)"
	}
	if l.Hyperparameter != "" {
		text += fmt.Sprintf("; %s = %.3g", l.Hyperparameter, l.Lambda)
		if gridLosses.Loss != nil && len(gridLosses.GridValues()) > 1 {
			chosenHyperparameterText := l.Hyperparameter
			if l.Method == learn.SingleName {
				chosenHyperparameterText = "kernel and " + chosenHyperparameterText
			}
			text += fmt.Sprintf("; %s chosen by %v %s", chosenHyperparameterText, l.Plan.Selection,
				describeSelectionPoints(l))
		}
	}
	if radiusText, ok := strings.CutPrefix(l.Label, "Λ="); ok {
		text += "; distance of the weights from uniform weights at most Λ = " + radiusText
	} else if l.Label != "" && l.Method != learn.SingleName {
		text += "; " + l.Label
	}
	return text
}

// expectedErrorText returns the error of the selected method on the test parts of the splits, and the error of the
// constant baseline, in words.
func expectedErrorText(c comparison) string {
	m, s, baselineErrors := c.metric, c.errorsByMethod[learn.SelectedName], c.errorsByMethod[compare.ConstantBaseline]
	if s.N == 0 {
		return "the error is not known, because no split was finished."
	}
	d := formatValues(m, s.Mean, s.Lo, s.Hi)
	text := fmt.Sprintf("%s %s", m, d[0])
	var details []string
	if s.N > 1 {
		details = append(details, intervalText(d[1], d[2]))
	}
	if m == model.ErrorRate {
		details = append(details, "accuracy "+formatValues(m, 1-s.Mean)[0])
	}
	if details != nil {
		text += " (" + strings.Join(details, "; ") + ")"
	}
	if baselineErrors.N > 0 {
		text += fmt.Sprintf(". Constant baseline, which always predicts %s: %s", describeConstantPrediction(c.Table),
			formatValues(m, baselineErrors.Mean)[0])
		if d := s.differenceTo[compare.ConstantBaseline]; d.N > 1 {
			text += fmt.Sprintf(" (selected method minus baseline: %s%s)", differenceText(d), differenceUnit(m))
		}
	}
	if s.N == 1 {
		text += ". " + oneSplitText + ": there is no interval"
	}
	return text + "."
}

func describeConstantPrediction(t *compare.Table) string {
	switch {
	case t.Classes != nil:
		return "the most frequent class"
	case t.By == model.MeanLoss:
		return "the same number for every point"
	case t.TargetsAreLogs:
		return "the geometric mean of the targets"
	}
	return "the mean of the targets"
}

// learningHelpedText states whether learned weights have a smaller error than uniform weights, and than the best single
// kernel: "yes", "no" or "no evidence", with the paired difference of the errors.
func learningHelpedText(c comparison) string {
	text := ""
	for _, other := range [][2]string{{learn.UniformName, "uniform weights"}, {learn.SingleName,
		"the best single kernel"}} {
		if d := c.errorsByMethod[learn.LearnedName].differenceTo[other[0]]; d.N > 0 {
			verdict := differenceVerdict(d)
			text += fmt.Sprintf("Compared with %s: %s (%s %s%s)", other[1], verdict, c.metric,
				differenceText(d), differenceUnit(c.metric))
			if verdict == noEvidence {
				text += "; the interval contains 0"
			}
			text += ". "
		}
	}
	if text == "" {
		return "it is not known whether learning helped, because no split was finished."
	}
	return text + "Numbers are learned minus other [95 % interval]: below 0, learned weights are better."
}

// noEvidence is the verdict about a difference whose interval contains 0.
const noEvidence = "no evidence"

// differenceVerdict states whether the first of two methods has the smaller error, according to the interval of the
// difference of their errors.
func differenceVerdict(d compare.Difference) string {
	switch {
	case d.N == 1:
		return "not known from one split"
	case d.Hi < 0:
		return "yes"
	case d.Lo > 0:
		return "no, worse"
	}
	return noEvidence
}

// optimalityText states how far the training objective of the model may be above its minimum, or why that is not known.
func optimalityText(l *learn.Learned) string {
	r := l.Result
	hasFixedWeights := l.Method == learn.UniformName || l.Method == learn.SingleName
	switch {
	case l.Proof != nil:
		minimumText := "the minimum over all weights and coefficients"
		if hasFixedWeights {
			minimumText = "the minimum for these weights"
		}
		return fmt.Sprintf("Proved. The training objective over all %d points is %s %s.", l.Points,
			l.Proof.BoundText(), minimumText)
	case l.Landmarks > 0:
		return fmt.Sprintf("Not proved. How far the training objective over all %d points is above its minimum is "+
			"not known: %s.", l.Points, l.WhyUnproved)
	case r.Status == mkl.EvaluatedOnly:
		fixedChoicesText := "this kernel"
		text := "One kernel, so there are no weights to learn. "
		if l.Method != learn.SingleName {
			fixedChoicesText, text = "these weights", "The weights were not learned. "
		}
		if l.Hyperparameter != "" {
			fixedChoicesText += " and " + l.Hyperparameter
		}
		return text + "For " + fixedChoicesText + " the training objective is at its minimum."
	case r.Kind == mkl.Global && !math.IsInf(r.Upper, 1):
		return fmt.Sprintf("Proved. For these hyperparameters, the training objective is %s its minimum "+
			"over all allowed weights.", relativeGapText(r.Certificate))
	case r.Kind == mkl.FirstOrder:
		return "Not proved. The solver found a stationary point, and the training objective may have smaller minima."
	}
	return fmt.Sprintf("Not proved. %s.", capitalize(r.CertificateText()))
}

// relativeGapText returns how far the training objective may be above its minimum, such as "within 2e-07 (relative)
// of". The number has one digit and is rounded up. It includes ShiftError, the error from the multiples of I that were
// added to kernel matrices to make them positive semidefinite.
func relativeGapText(c mkl.Certificate) string {
	gap := (c.Upper+c.ShiftError)/c.Lower - 1
	if !(c.Lower > 0) || gap > 0.01 {
		return c.BoundText()
	}
	gap = max(gap, 1e-15)
	unit := math.Pow(10, math.Floor(math.Log10(gap)))
	return fmt.Sprintf("within %.0e (relative) of", math.Ceil(gap/unit*(1-1e-12))*unit)
}

// warningTexts returns reasons to doubt the result l, and what to do about them. One is a model that is not clearly
// better than the constant baseline: the 95 % interval of the paired difference of their errors is not below 0.
func warningTexts(l *learn.Learned, comparisons []comparison) (texts []string) {
	addWarning := func(format string, v ...any) { texts = append(texts, fmt.Sprintf(format, v...)) }
	for _, c := range comparisons {
		if d := c.errorsByMethod[learn.SelectedName].differenceTo[compare.ConstantBaseline]; d.N < 2 || d.Hi < 0 {
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
			addWarning("%sBy the error rate the model is not clearly better than the constant baseline. By balanced "+
				"accuracy it is: %s against %s.", prefix, meanText(d.Method), meanText(d.Baseline))
			continue
		}
		text := "The model is not clearly better than the constant baseline. More points or other features may help."
		if hasManyDefaultFeatures(l.Plan) {
			text += " " + beyondDefault
		}
		addWarning("%s%s", prefix, text)
	}
	if l.Model != nil && l.Result.Status.IsUnfinished() {
		addWarning("The solver did not reach the requested gap: %v.", l.Result.Status)
	}
	if l.Model != nil && l.Table != nil && l.Table.Stopped {
		addWarning("The comparison was stopped (%s). The model is complete.", finishedSplitsText(l.Table))
	}
	if l.DuplicateNote != "" && !hasFewDuplicates(l) {
		addWarning("%s", l.DuplicateNote)
	}
	return append(texts, l.Warnings...)
}

// hasFewDuplicates reports whether less than 5 % of the points are duplicates, and the splits keep them together.
func hasFewDuplicates(l *learn.Learned) bool {
	return 20*l.Plan.Task.Duplicates < l.Points && !slices.Contains(l.Plan.GivenOptions, "WithSplits")
}
