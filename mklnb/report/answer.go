package report

import (
	"cmp"
	"fmt"
	"go/scanner"
	"go/token"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

// procedureText states of what the number in the headline, an error or a score, is.
const procedureText = "This is the %s of the whole procedure: in each split, the method and its hyperparameters " +
	"are chosen anew on the training part, and the model is tested on the other points."

// addAnswer appends the error to expect on new data, in large letters, and the error of the constant baseline. A result
// of several targets has an answer for each.
func (r *Report) addAnswer(l *learn.Learned, c comparison) {
	metric, label := c.headlineMetric(l), ""
	s := c.Summary(learn.SelectedName, metric)
	if len(l.Table.Targets) > 0 {
		label = c.Data
	}
	if s.N == 0 {
		r.addHeadline(label, "The error on new data is not known: no split was finished.")
		return
	}
	d := formatValues(metric, s.Mean, s.Lo, s.Hi)
	headline, ofModel := fmt.Sprintf("%s %s on new data", capitalize(string(metric)), d[0]), s.Mean
	if c.Stopped {
		headline, ofModel = fmt.Sprintf("%s %s so far (%d of %d splits)", capitalize(string(metric)), d[0], s.N,
			c.Splits), math.Inf(1)
	} else if s.N > 1 {
		headline += fmt.Sprintf(" (%s)", intervalText(d[1], d[2]))
	}
	help := fmt.Sprintf(procedureText, "error")
	if metric.HigherIsBetter() {
		help = fmt.Sprintf(procedureText, "score")
	}
	if metric == model.LogLoss {
		help += " The log loss depends on the number of test points: with few, most of it comes from the sigmoids, " +
			"which are fitted to few points. Compare only log losses of equally large test parts."
	}
	*r = append(*r, Part{Label: label, Text: headline, IsHeadline: true, Help: help})
	prediction := c.constantPrediction()
	if metric == model.LogLoss {
		r.addText("Log loss", "of sigmoids of decision values at test points, fitted to other test points.")
		prediction = "a constant"
	}
	if metric.HigherIsBetter() {
		ofModel = math.Inf(1)
	}
	if b := c.Summary(compare.ConstantBaseline, metric); b.N > 0 {
		r.addBaseline(prediction, metric, b.Mean, ofModel)
	}
	if metric != c.metric {
		mean := func(method string) string { return formatValues(c.metric, c.errorsByMethod[method].Mean)[0] }
		r.addText(capitalize(string(c.metric)), fmt.Sprintf("%s, always predicting %s %s.", mean(learn.SelectedName),
			c.constantPrediction(), mean(compare.ConstantBaseline)))
	}
	r.addText("Rare class", c.rareClassText())
	if slices.Contains(l.Plan.GivenOptions, "WithBalancedClasses") {
		r.addText("Weights", "each class counts as much as another, not each point (learn.WithBalancedClasses).")
	}
}

// headlineMetric returns the metric of the first line of l: that of WithMetric, if it is given.
func (c comparison) headlineMetric(l *learn.Learned) model.Metric {
	if slices.Contains(l.Plan.GivenOptions, "WithMetric") {
		return c.By
	}
	return c.metric
}

// addBaseline appends the error of the constant baseline, which predicts what prediction names, and how much larger
// than the model's error it is.
func (r *Report) addBaseline(prediction string, m model.Metric, baseline, ofModel float64) {
	text := formatValues(m, baseline)[0]
	if ratio := baseline / ofModel; ratio >= 1.05 && !math.IsInf(ratio, 1) {
		text += fmt.Sprintf(", %.*f times as large", max(0, 1-int(ratio/10)), ratio)
	}
	r.addText("Always predicting "+prediction, text+".")
}

// rareShare is the share of points below which a class is called rare.
const rareShare = 0.1

// rareClassText returns what an error rate hides if the smaller of two classes is rare, and "" otherwise.
func (c comparison) rareClassText() string {
	if len(c.Classes) != 2 {
		return ""
	}
	counts := confusionCounts(c.Row(learn.SelectedName).Runs, 2)
	n0, n1 := float64(counts[0][0]+counts[0][1]), float64(counts[1][0]+counts[1][1])
	share, common := min(n0, n1)/(n0+n1), 0
	if n1 > n0 {
		common = 1
	}
	if !(share < rareShare) {
		return ""
	}
	accuracies := formatPercent(1-share, float64(counts[0][0]+counts[1][1])/(n0+n1))
	mean := func(m model.Metric) string { return formatValues(m, c.Summary(learn.SelectedName, m).Mean)[0] }
	return fmt.Sprintf("always %s has the accuracy %s, your model %s. Its balanced accuracy is %s (a constant: 50 %%),"+
		" its area under the ROC curve %s. See learn.WithBalancedClasses, learn.WithMetric.", c.Classes[common],
		accuracies[0], accuracies[1], mean(model.Balanced), mean(model.AUC))
}

// factsText names what is predicted, the points used, the delivered model, and the number to report.
func factsText(l *learn.Learned, hasWarnings bool) string {
	pointsText := viz.FormatCount(l.Points, "point")
	if n := l.Plan.Task.DroppedPoints; n > 0 {
		pointsText = fmt.Sprintf("%d of %d points", l.Points, l.Points+n)
	}
	text := fmt.Sprintf("%s: predicts %s; %s. Your model: %s", l.Data, targetText(l), pointsText, methodName(l.Method))
	if losses := findLossesOfGrid(findMethod(l.Plan, l.Method)); losses.Loss != nil &&
		losses.LossName() != "squared loss" {
		text += ", " + losses.LossName()
	}
	if v := l.Model.Intervals; v != nil {
		text += fmt.Sprintf(", %g %% prediction intervals", 100*v.Level)
	}
	if l.Table == nil || len(l.Table.Row(learn.SelectedName).Runs) == 0 {
		return text + "."
	}
	switch isScore := newComparison(l.Table).headlineMetric(l).HigherIsBetter(); {
	case hasWarnings:
		return text + ". Before you report it, see the warnings."
	case isScore:
		return text + ". Report this score."
	}
	return text + ". Report this error."
}

// countDataDoubts counts the warnings about the data.
func countDataDoubts(l *learn.Learned) (count int) {
	for _, w := range resultDoubts(l) {
		if w.About == learn.AboutData {
			count++
		}
	}
	return count
}

// marksOf returns the verdicts about learning the weights, about the data, and about optimality.
func marksOf(l *learn.Learned, comparisons []comparison) (marks []Mark) {
	for _, c := range comparisons {
		mark := learningMark(c)
		if mark.State == Good && l.Model != nil && l.Kind() != learn.LearnedName {
			mark.Word, mark.State = mark.Word+", but not used", Neutral
		}
		if len(l.Table.Targets) > 0 {
			mark.Name += ", " + c.Data
		}
		marks = append(marks, mark)
	}
	mark := Mark{Name: "Data", Word: "no problem found", State: Good, Detail: "Checked: repeated, filled and unseen " +
		"values and rows, columns that are constant, number the rows or contain the answer, hidden dates, codes for " +
		"missing values, and similar names. Other faults are possible."}
	if doubtCount := countDataDoubts(l); doubtCount > 0 {
		mark.Word, mark.State = viz.FormatCount(doubtCount, "doubt"), Doubtful
		mark.Detail = "See the warnings. " + mark.Detail
	}
	marks = append(marks, mark)
	if l.Model != nil && hasOptimumMark(l) {
		optimum := optimalityMark(l)
		optimum.Word, _, _ = strings.Cut(optimum.Word, " (") // the detail has the number
		marks = append(marks, optimum)
	}
	return marks
}

// hasOptimumMark reports whether the optimum of l has a mark: weights were learned, or the model has landmarks.
func hasOptimumMark(l *learn.Learned) bool {
	return l.Proof != nil || l.Landmarks > 0 || l.Result.Status != mkl.EvaluatedOnly
}

// learningMark states whether learned weights have a smaller error than equal weights. The detail has the paired
// differences to equal weights and to the best single kernel.
func learningMark(c comparison) Mark {
	mark := Mark{Name: "Learning weights", Word: "not known", Detail: "No split was finished."}
	errors := c.errorsByMethod[learn.LearnedName]
	if d := errors.differenceTo[learn.UniformName]; d.N > 0 {
		single := errors.differenceTo[learn.SingleName]
		switch mark.Word, mark.State = differenceVerdict(d); {
		case c.Stopped:
			mark.Word, mark.State = "not known yet", Neutral
		case d.N == 1:
		case single.N > 1 && single.Lo > 0 && mark.State == Good:
			mark.Word, mark.State = "better than equal weights, worse than one kernel", Doubtful
		case single.N > 1 && single.Lo > 0:
			mark.Word, mark.State = "worse than one kernel", Doubtful
		case mark.State == Neutral:
			mark.Word = "no clear gain by " + string(d.Metric)
		default:
			mark.Word += " by " + strings.TrimLeft(differenceText(compare.Difference{Metric: d.Metric, N: 1,
				Mean: d.Mean}), "+−") + differenceUnit(d.Metric) + " than equal weights"
		}
		mark.Detail = "Learned minus other weights; below 0, learned weights are better."
	}
	for _, other := range []string{learn.UniformName, learn.SingleName} {
		if d := errors.differenceTo[other]; d.N > 0 {
			word, _ := differenceVerdict(d)
			mark.Detail += fmt.Sprintf(" Compared with %s: %s, %s %s%s.", methodName(other), word, c.metric,
				differenceText(d), differenceUnit(c.metric))
		}
	}
	if c.Classes == nil || c.By != "" {
		return mark
	}
	if d := c.Compare(learn.LearnedName, learn.UniformName, model.RMSE); d.N > 1 {
		word, _ := differenceVerdict(d)
		mark.Detail += fmt.Sprintf(" By the RMSE of the decision values, by which Learn selects, compared with "+
			"equal weights: %s, %s.", word, differenceText(d))
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
	return "not decided", Neutral
}

// optimalityMark states how far the training objective of the model may be above its minimum, or why that is not known.
func optimalityMark(l *learn.Learned) Mark {
	r := l.Result
	word, state := optimalityWord(r)
	detail := capitalize(r.CertificateText()) + "."
	switch {
	case l.Proof != nil:
		minimumText := "the minimum over all weights and coefficients"
		if l.Kind() == learn.UniformName || l.Kind() == learn.SingleName {
			minimumText = "the minimum for these weights"
		}
		word, state = boundWord(*l.Proof), Proved
		detail = fmt.Sprintf("The training objective over all %d points is %s %s.", l.Points, l.Proof.BoundText(),
			minimumText)
	case l.Landmarks > 0:
		word, state = "not proved", Doubtful
		detail = fmt.Sprintf("How far the training objective over all %d points is above its minimum is not known: %s.",
			l.Points, l.WhyUnproved)
	case r.Status == mkl.EvaluatedOnly:
		detail = fmt.Sprintf("The weights were not learned. For these weights and %s the training objective is at its "+
			"minimum, up to the errors of the solver of the %s.", cmp.Or(l.Hyperparameter, "this loss"),
			cmp.Or(findLossesOfGrid(findMethod(l.Plan, l.Method)).LossName(), "loss"))
	case state == Proved:
		detail = fmt.Sprintf("For these hyperparameters, the training objective is %s its minimum over all allowed "+
			"weights.", r.BoundText())
	case state == Neutral:
		detail = "The solver found a stationary point, and the training objective may have smaller minima."
	}
	return Mark{Name: "Training optimum", Word: word, State: state, Detail: detail + optimumScope,
		IsMinor: state != Doubtful}
}

// optimumScope limits what a proof of optimality says.
const optimumScope = " This concerns the fit to the training points: it says nothing about the error on new data or " +
	"the choice of kernels and hyperparameters."

// optimalityWord states in a few words what the certificate of r proves.
func optimalityWord(r *mkl.Result) (word string, state State) {
	switch {
	case r.Status == mkl.EvaluatedOnly:
		return "no weights", Neutral
	case r.Kind == mkl.Global && !math.IsInf(r.Upper, 1):
		return boundWord(r.Certificate), Proved
	case r.Kind == mkl.FirstOrder:
		return "first order only", Neutral
	}
	return "not proved", Doubtful
}

// boundWord states in a few words how far the training objective may be above its minimum: "proved (to 0.00002 %)". The
// number has one digit and is rounded up. It includes ShiftError, the error from the multiples of I that were added to
// kernel matrices to make them positive semidefinite.
func boundWord(c mkl.Certificate) string {
	gap := 100 * ((c.Upper+c.ShiftError)/c.Lower - 1)
	if !(c.Lower > 0) || gap > 1 {
		return "proved (" + c.BoundText() + ")"
	}
	gap = max(gap, 1e-13)
	decimals := -math.Floor(math.Log10(gap))
	unit := math.Pow(10, -decimals)
	return fmt.Sprintf("proved (to %.*f %%)", int(max(decimals, 0)), math.Ceil(gap/unit*(1-1e-12))*unit)
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
		lines[0] = fmt.Sprintf("l.Model.PredictFile(%q) // predictions for new rows", l.Data+"_new.csv")
	}
	return strings.Join(slices.Concat(lines, []string{
		"nb.Importance(l) // which columns or kernels matter",
		fmt.Sprintf("nb.Save(%q, l.Model) // keep the model; nb.LoadModel reads it", l.Data)}), "\n")
}

// ForExpression returns r for a reader who has its value as a Go expression in a notebook. If the expression is a name,
// lines of code use it in place of l. Otherwise the first line states what l is. The code that draws splits assigns no
// error, because a cell ends with an error that it does not read.
func (r Report) ForExpression(expression string) Report {
	r = slices.Clone(r)
	for i, p := range r {
		r[i].Folded = p.Folded.ForExpression(expression)
		switch {
		case !p.IsCode:
			r[i].Text = strings.Replace(p.Text, "s, err := fit.Holdout(", "s := fit.Holdout(", 1)
		case token.IsIdentifier(expression):
			r[i].Text = renameVariable(p.Text, expression)
		case expression == "":
			r[i].Text = "// l is the result above\n" + p.Text
		default:
			r[i].Text = "l := " + expression + "\n" + p.Text
		}
	}
	return r
}

// renameVariable returns lines of code with another name for the variable l.
func renameVariable(code, name string) string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(code))
	s.Init(file, []byte(code), nil, scanner.ScanComments)
	renamed, end := "", 0
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return renamed + code[end:]
		}
		if tok == token.IDENT && text == "l" {
			at := file.Offset(pos)
			renamed, end = renamed+code[end:at]+name, at+1
		}
	}
}
