package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

// addAnswer appends the error to expect on new data, in large letters, the error of the constant baseline, and the
// number to report. A result of several targets has an answer for each.
func (r *Report) addAnswer(l *learn.Learned, c comparison) {
	m, s := c.metric, c.errorsByMethod[learn.SelectedName]
	label := ""
	if len(l.Table.Targets) > 0 {
		label = c.Data
	}
	if s.N == 0 {
		r.addHeadline(label, "The error on new data is not known: no split was finished.")
		return
	}
	d := formatValues(m, s.Mean, s.Lo, s.Hi)
	report := fmt.Sprintf("%s %s", m, d[0])
	headline, low, high := report, d[1], d[2]
	if m == model.ErrorRate {
		right := formatPercent(1-s.Mean, 1-s.Hi, 1-s.Lo)
		headline, low, high = right[0]+" right", strings.TrimSuffix(right[1], " %"), right[2]
	}
	headline += " on new data"
	if s.N > 1 {
		report += fmt.Sprintf(" (%s)", intervalText(d[1], d[2]))
		headline += fmt.Sprintf(" (%s to %s)", low, high)
	}
	r.addHeadline(label, headline)
	r.addText("", baselineText(c))
	r.addText("Number to report", report+".")
}

// baselineText states how the constant baseline compares with the selected method, in a number to remember.
func baselineText(c comparison) string {
	b, s := c.errorsByMethod[compare.ConstantBaseline], c.errorsByMethod[learn.SelectedName]
	if b.N == 0 {
		return ""
	}
	prediction := "the mean"
	switch {
	case c.Classes != nil:
		return fmt.Sprintf("Always %s: %s right.", mostFrequentClass(c), formatPercent(1 - b.Mean)[0])
	case c.By == model.MeanLoss:
		prediction = "the same number"
	case c.TargetsAreLogs:
		prediction = "the geometric mean"
	}
	text := fmt.Sprintf("Always predicting %s: %s", prediction, formatValues(c.metric, b.Mean)[0])
	if ratio := b.Mean / s.Mean; ratio >= 1.05 && !math.IsInf(ratio, 1) {
		text += fmt.Sprintf(", %.2g times as large", ratio)
	}
	return text + "."
}

// mostFrequentClass returns the class that the constant baseline predicts on most splits.
func mostFrequentClass(c comparison) string {
	counts := confusionCounts(c.Row(compare.ConstantBaseline).Runs, len(c.Classes))
	most, class := -1, "the most frequent class"
	for k, name := range c.Classes {
		if predicted := columnSum(counts, k); predicted > max(most, 0) {
			most, class = predicted, name
		}
	}
	return class
}

// factsText names what is predicted, the points used, and the delivered model.
func factsText(l *learn.Learned) string {
	pointsText := viz.FormatCount(l.Points, "point")
	if n := l.Plan.Task.DroppedPoints; n > 0 {
		pointsText = fmt.Sprintf("%d of %d points", l.Points, l.Points+n)
	}
	text := fmt.Sprintf("%s: %s; %s. Your model: %s", l.Data, targetText(l), pointsText, modelName(l))
	if losses := findLossesOfGrid(findMethod(l.Plan, l.Method)); losses.Loss != nil &&
		losses.LossName() != "squared loss" {
		text += ", " + losses.LossName()
	}
	if v := l.Model.Intervals; v != nil {
		text += fmt.Sprintf(", %g %% intervals", 100*v.Level)
	}
	return text + "."
}

// modelName returns the name of the delivered model, which the sentences, the chart and the table of a result share.
func modelName(l *learn.Learned) string {
	if l.Kind() == learn.UniformName || l.Kind() == learn.LearnedName {
		return l.Kind() + " weights" + strings.TrimPrefix(l.Method, l.Kind())
	}
	return l.Method
}

// marksOf returns the verdicts about learning the weights, about optimality, and about the data.
func marksOf(l *learn.Learned, comparisons []comparison) (marks []Mark) {
	for _, c := range comparisons {
		mark := learningMark(c)
		if len(l.Table.Targets) > 0 {
			mark.Name += ", " + c.Data
		}
		marks = append(marks, mark)
	}
	if l.Model != nil {
		marks = append(marks, optimalityMark(l))
	}
	doubtCount := 0
	for _, w := range resultDoubts(l) {
		if w.About == learn.AboutData {
			doubtCount++
		}
	}
	mark := Mark{Name: "Data", Word: "no doubts", State: Good, Detail: "No column, value or repeated row of the data " +
		"raises a doubt."}
	if doubtCount > 0 {
		mark.Word, mark.State, mark.Detail = viz.FormatCount(doubtCount, "doubt"), Doubtful, "See the warnings."
	}
	return append(marks, mark)
}

// learningMark states whether learned weights have a smaller error than uniform weights. The detail has the paired
// differences to uniform weights and to the best single kernel.
func learningMark(c comparison) Mark {
	mark := Mark{Name: "Learning the weights", Word: "not known", Detail: "No split was finished."}
	errors := c.errorsByMethod[learn.LearnedName]
	if d := errors.differenceTo[learn.UniformName]; d.N > 0 {
		mark.Word, mark.State = differenceVerdict(d)
		mark.Detail = "Learned minus other weights; below 0, learned weights are better."
	}
	for _, other := range [][2]string{{learn.UniformName, "uniform weights"},
		{learn.SingleName, "the best single kernel"}} {
		if d := errors.differenceTo[other[0]]; d.N > 0 {
			word, _ := differenceVerdict(d)
			mark.Detail += fmt.Sprintf(" Compared with %s: %s, %s %s%s.", other[1], word, c.metric, differenceText(d),
				differenceUnit(c.metric))
		}
	}
	if c.Classes == nil || c.By != "" {
		return mark
	}
	if d := c.Compare(learn.LearnedName, learn.UniformName, model.RMSE); d.N > 1 {
		word, _ := differenceVerdict(d)
		mark.Detail += fmt.Sprintf(" By the RMSE of the decision values, by which Learn selects: %s, %s.", word,
			differenceText(d))
	}
	return mark
}

// differenceVerdict states whether the first of two methods has the smaller error, according to the interval of the
// difference of their errors.
func differenceVerdict(d compare.Difference) (word string, state State) {
	switch {
	case d.N == 1:
		return "not known from one split", Neutral
	case d.Hi < 0:
		return "better", Good
	case d.Lo > 0:
		return "worse", Doubtful
	}
	return "no difference shown", Neutral
}

// optimalityMark states how far the training objective of the model may be above its minimum, or why that is not known.
func optimalityMark(l *learn.Learned) Mark {
	r := l.Result
	const scope = " This concerns the fit, not the choice of kernels and hyperparameters or the error on new data."
	mark := func(word string, state State, detail string, v ...any) Mark {
		return Mark{Name: "Optimality", Word: word, State: state, Detail: fmt.Sprintf(detail, v...) + scope}
	}
	switch {
	case l.Proof != nil:
		minimumText := "the minimum over all weights and coefficients"
		if l.Kind() == learn.UniformName || l.Kind() == learn.SingleName {
			minimumText = "the minimum for these weights"
		}
		return mark("proved "+boundWord(*l.Proof), Good, "The training objective over all %d points is %s %s.",
			l.Points, l.Proof.BoundText(), minimumText)
	case l.Landmarks > 0:
		return mark("not proved", Doubtful, "How far the training objective over all %d points is above its minimum "+
			"is not known: %s.", l.Points, l.WhyUnproved)
	}
	word, state := optimalityWord(r)
	switch {
	case r.Status == mkl.EvaluatedOnly:
		return mark(word, state, "The weights were not learned. For these weights and %s the training objective is at "+
			"its minimum.", cmp.Or(l.Hyperparameter, "this loss"))
	case state == Good:
		return mark(word, state, "For these hyperparameters, the training objective is %s its minimum over all "+
			"allowed weights.", relativeGapText(r.Certificate))
	case state == Neutral:
		return mark(word, state, "The solver found a stationary point, and the training objective may have smaller "+
			"minima.")
	}
	return mark(word, state, "%s.", capitalize(r.CertificateText()))
}

// optimalityWord states in a few words what the certificate of r proves.
func optimalityWord(r *mkl.Result) (word string, state State) {
	switch {
	case r.Status == mkl.EvaluatedOnly:
		return "no weights", Neutral
	case r.Kind == mkl.Global && !math.IsInf(r.Upper, 1):
		return "proved " + boundWord(r.Certificate), Good
	case r.Kind == mkl.FirstOrder:
		return "first order only", Neutral
	}
	return "not proved", Doubtful
}

// boundWord returns the bound of a certificate for the mark: "within 2e-07".
func boundWord(c mkl.Certificate) string {
	return strings.TrimSuffix(relativeGapText(c), " (relative) of")
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

// resultDoubts returns the warnings of the run of Learn, with the note on duplicates if they are many.
func resultDoubts(l *learn.Learned) []learn.Warning {
	if l.DuplicateNote != "" && !hasFewDuplicates(l) {
		return append([]learn.Warning{{About: learn.AboutData, Text: l.DuplicateNote}}, l.Warnings...)
	}
	return l.Warnings
}

// nextSteps returns three lines of code that a reader of l can copy.
func nextSteps(l *learn.Learned) string {
	lines := []string{"nb.LearningCurve(l) // would more points help?"}
	if len(inputEncoding(l).Columns) > 0 {
		lines[0] = fmt.Sprintf("l.Model.PredictFile(%q) // predict a file", l.Data+"_new.csv")
	}
	return strings.Join(slices.Concat(lines, []string{
		"nb.Importance(l) // which columns or kernels matter",
		fmt.Sprintf("nb.Save(%q, l.Model) // keep the model", l.Data)}), "\n")
}
