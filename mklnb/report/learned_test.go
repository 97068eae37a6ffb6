package report

import (
	"context"
	"fmt"
	"html"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"
)

// learned returns what Learn finds on two splits.
func learned(t *testing.T, d *data.Dataset, opts ...learn.Option) *learn.Learned {
	t.Helper()
	splits := learn.WithSplits(must(fit.Holdout(d.Y, 0.25, 2, 1)))
	return must(learn.Learn(context.Background(), d, append([]learn.Option{splits}, opts...)...))
}

// visibleWords returns the words that a page shows without a click, except those of warnings, code and figures.
func visibleWords(r Report) (words []string) {
	for _, p := range r {
		switch {
		case p.IsWarning, p.IsCode:
		case p.Figure != nil:
			words = append(words, strings.Fields(p.Figure.Caption)...)
		default:
			words = append(words, strings.Fields(p.Label)...)
			words = append(words, strings.Fields(p.Text)...)
		}
		for _, m := range p.Marks {
			words = append(words, strings.Fields(m.Name+" "+m.Word)...)
		}
	}
	return slices.DeleteFunc(words, func(w string) bool { return !regexp.MustCompile(`[\pL\pN]`).MatchString(w) })
}

// TestGlance: each kind of result shows its answer in at most 60 words, at most two figures, and the rest after a
// click. The text has the same order, and at most 12 lines before the first table if there is no warning. Each figure
// has a caption of one line.
func TestGlance(t *testing.T) {
	classes, numbers := comparetest.OverlappingClasses(50, 3, 1), comparetest.NoisySine(60, 1)
	l, views := learned(t, classes), learned(t, comparetest.TwoViewDataset(60),
		learn.WithViews(data.Views{"spectrum": {"s*"}, "clinic": {"age"}}))
	for name, x := range map[string]any{"classes": l, "numbers": learned(t, numbers, learn.WithIntervals(0.9)),
		"views": views, "dataset": classes, "targets": numbers, "result": views.Result, "table": l.Table,
		"score": must(l.Model.Score(classes)), "importances": must(learn.Importance(t.Context(), l, nil)),
		"curve":       must(learn.LearningCurveOf(t.Context(), l, nil)),
		"partial":     must(learn.PartialDependenceOf(t.Context(), l, nil, classes.FileColumns()[0].Name)),
		"predictions": &model.PredictedFile{Path: "new.csv", Predictions: []model.Prediction{{Value: 1}}}} {
		r := must(Of(x))
		drawn(t, r.Figures()...)
		if words := visibleWords(r); len(words) > 60 {
			t.Errorf("%s: %d words are visible: %q", name, len(words), words)
		}
		figures := 0
		for _, p := range r {
			if p.Figure != nil {
				figures++
				if n := len(p.Figure.Caption); n > 110 {
					t.Errorf("%s: the caption has %d letters: %s", name, n, p.Figure.Caption)
				}
			}
		}
		if figures > 2 {
			t.Errorf("%s: %d figures are visible", name, figures)
		}
		if _, isLearned := x.(*learn.Learned); !isLearned {
			continue
		}
		before, _, _ := strings.Cut(r.String(), "\n\n")
		if lines := strings.Count(before, "\n") - strings.Count(before, "Warning: "); !r[0].IsHeadline || lines > 12 {
			t.Errorf("%s: %d lines before the first table:\n%s", name, lines, before)
		}
	}
}

// TestOrder: the HTML has the order of the text, no style but that of the sheet, one name for the model, and each class
// with its precision, recall and support. A column of a table has an explanation.
func TestOrder(t *testing.T) {
	l := learned(t, comparetest.OverlappingClasses(50, 3, 1))
	r := must(OfLearned(l))
	text := r.String()
	says(t, text, "Cross-validation errors used for selection", "(learn.WithSeed)", "accuracy", "precision", "recall",
		"support", "Your model: "+methodName(l.Method), "+1, positive", "Report this error")
	chart := r.Figures()[0]
	if !strings.HasPrefix(chart.Groups[0], newComparison(l.Table).label(learn.SelectedName)) ||
		!slices.IsSorted(chart.Series[0].Y[1:]) {
		t.Errorf("the rows of the chart are %q with %v", chart.Groups, chart.Series[0].Y)
	}
	for _, f := range r.Figures() { // one name on the page
		names := slices.Clone(f.Groups)
		if f.Sheet != nil {
			for _, cells := range f.Sheet.Rows {
				names = append(names, cells[0].Text)
			}
		}
		if i := slices.Index(names, learn.SelectedName) + slices.Index(names, compare.ConstantBaseline); i > -2 {
			t.Errorf("%s names the methods %q", f.Title, names)
		}
	}
	page := strings.ReplaceAll(html.UnescapeString(r.HTML(func(f viz.Figure) string { return f.HTMLTable() })),
		"\u00a0", " ")
	at := 0
	for _, p := range r {
		i := strings.Index(page[at:], cmpText(p))
		if i < 0 {
			t.Fatalf("%q is not in the page, or in another order", cmpText(p))
		}
		at += i
	}
	for _, c := range ComparisonTable(l.Table).Sheet.Columns[1:] {
		if c.Help == "" {
			t.Errorf("column %q has no help", c.Name)
		}
	}
	shown, _, _ := strings.Cut(text, "\nDefaults\n")
	if m := regexp.MustCompile(`(?i)no skill|left out|constants|\btold\b|evaluated only`).FindString(shown); m != "" {
		t.Errorf("the private word %q in\n%s", m, shown)
	}
}

// cmpText returns a text by which p is found on a page.
func cmpText(p Part) string {
	switch {
	case p.Figure != nil:
		return p.Figure.Title
	case p.Folded != nil:
		return p.Label
	case p.Marks != nil:
		return p.Marks[0].Word
	}
	return p.Text
}

// TestScoresOfClasses: precision, recall, F1 and support of a confusion that is counted by hand.
func TestScoresOfClasses(t *testing.T) {
	table := &compare.Table{Classes: []string{"a", "b", "c"}, Rows: []compare.Row{{Method: "m", Runs: []compare.Run{
		{Score: model.Score{Confusion: [][]int{{3, 1, 0}, {1, 2, 0}, {0, 0, 0}}}},
		{Score: model.Score{Confusion: [][]int{{0, 0, 0}, {1, 1, 0}, {0, 0, 0}}}}}}}}
	for i, want := range []string{"a 0.600 0.750 0.667 4", "b 0.750 0.600 0.667 5", "c – – – 0"} {
		var got []string
		for _, c := range classScores(table, "m").Sheet.Rows[i] {
			got = append(got, c.Text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLearningMark: the verdict follows the interval of the paired difference.
func TestLearningMark(t *testing.T) {
	uniform := row(learn.UniformName, 1, 1.1, 0.9, 1)
	for want, rmse := range map[Mark][]float64{
		{Word: "better by 0.498 than equal weights", State: Good}:    {0.5, 0.6, 0.4, 0.51},
		{Word: "worse by 0.502 than equal weights", State: Doubtful}: {1.5, 1.6, 1.4, 1.51},
		{Word: "no clear gain by RMSE", State: Neutral}:              {1.2, 0.9, 1, 1},
		{Word: "not known from one split", State: Neutral}:           {1},
		{Word: "not known", State: Neutral}:                          nil,
	} {
		got := learningMark(newComparison(tableOf(4, row(learn.LearnedName, rmse...), uniform)))
		if got.Word != want.Word || got.State != want.State {
			t.Errorf("%v: %+v, want %+v", rmse, got, want)
		}
		got = learningMark(newComparison(tableOf(4, row(learn.LearnedName, rmse...), uniform,
			row(learn.SingleName, 0.1, 0.2, 0.1, 0.2)))) // whatever the verdict is, one kernel is better
		if isCompared := len(rmse) > 1; (got.State == Doubtful) != (isCompared || want.State == Doubtful) ||
			(got.Word != want.Word) != isCompared {
			t.Errorf("%v, with a better kernel: %+v", rmse, got)
		}
	}
}

// TestLinesOfDifferences: the line of a method in the chart crosses that of your model unless the difference is clear,
// also if the intervals of the two errors overlap; a result that was stopped early is not called bad.
func TestLinesOfDifferences(t *testing.T) {
	noise := []float64{0, 3, 1, 4, 2, 6}
	selected, near, far := slices.Clone(noise), slices.Clone(noise), slices.Clone(noise)
	for i := range noise {
		selected[i], near[i], far[i] = 5+noise[i], 5+noise[i]+0.2*float64(i%3-1), 6+noise[i]+0.1*float64(i%2)
	}
	table := tableOf(6, row(learn.SelectedName, selected...), row(learn.UniformName, near...),
		row(learn.LearnedName, far...), row(compare.ConstantBaseline, 30, 31, 32, 33, 34, 35))
	c := newComparison(table)
	if c.errorsByMethod[learn.LearnedName].Lo > c.errorsByMethod[learn.SelectedName].Hi {
		t.Fatal("the intervals of the errors do not overlap")
	}
	f, _ := comparisonChart(c)
	s := f.Series[0]
	for i, crosses := range []bool{true, true, false} { // your model, uniform, learned
		if v := f.Baselines[0].Value; (s.Lo[i] <= v && v <= s.Hi[i]) != crosses {
			t.Errorf("%s: the line from %g to %g, your model %g", f.Groups[i], s.Lo[i], s.Hi[i], v)
		}
	}
	drawn(t, f)
	bad := tableOf(6, row(learn.SelectedName, 1, 2), row(compare.ConstantBaseline, 1, 1))
	bad.Rows[1].Runs = append(bad.Rows[1].Runs, compare.Run{Split: 2, Score: model.Score{N: 9, RMSE: 7}})
	if bad.Stopped = true; len(warningsOf(&learn.Learned{Table: bad})) != 0 {
		t.Errorf("%q", warningsOf(&learn.Learned{Table: bad}))
	}
	if b := newComparison(bad).errorsByMethod[compare.ConstantBaseline]; b.Mean != 1 || b.N != 2 {
		t.Errorf("a split that only the baseline finished counts: %+v", b.Summary)
	}
}

// TestNeverRecognized: a class of which no held-out point was recognized is a warning, and the page does not say that
// its error is to be reported.
func TestNeverRecognized(t *testing.T) {
	for recalled, want := range map[int]bool{0: true, 1: false} {
		r := row(learn.SelectedName, 1)
		r.Runs[0].Score.Confusion = [][]int{{9, 0}, {3 - recalled, recalled}}
		table := tableOf(1, r, row("b", 1))
		table.Classes = []string{"well", "severe"}
		l := &learn.Learned{Table: table}
		if got := strings.Contains(strings.Join(warningsOf(l), ""), "severe"); got != want {
			t.Errorf("%d recognized: %q", recalled, warningsOf(l))
		}
	}
	l := learned(t, comparetest.NoisySine(40, 1), learn.WithLambda(1))
	says(t, factsText(l, false), "Report this error")
	says(t, factsText(l, true), "Before you report it")
}

// TestLearningMarkOfClasses: the verdict is about the errors that the headline speaks of, even if the RMSE differs.
func TestLearningMarkOfClasses(t *testing.T) {
	table := tableOf(4, row(learn.LearnedName, 0.5, 0.6, 0.4, 0.51), row(learn.UniformName, 1, 1.1, 0.9, 1))
	table.Classes = []string{"a", "b"}
	for _, r := range table.Rows {
		for i := range r.Runs {
			r.Runs[i].Score.Accuracy = 0.8
		}
	}
	if got := learningMark(newComparison(table)); got.State != Neutral || !strings.Contains(got.Detail, "RMSE") {
		t.Errorf("%+v", got)
	}
}

// TestDataMark: the mark counts the warnings about the data, whatever their words.
func TestDataMark(t *testing.T) {
	l := &learn.Learned{Table: &compare.Table{}, Warnings: []learn.Warning{{About: learn.AboutData, Text: "a"},
		{About: learn.AboutModel, Text: "Data: b"}, {About: learn.AboutData, Text: "c"}}}
	marks := marksOf(l, nil)
	if m := marks[len(marks)-1]; m.State != Doubtful || !strings.Contains(m.Word, "2") {
		t.Errorf("%+v", m)
	}
}

// warningsOf returns the warnings about l.
func warningsOf(l *learn.Learned) []string { return warningTexts(l, comparisonsByTarget(l.Table)) }

// TestConstantBaseline: a model that is not clearly better than the constant baseline has a warning; if it is better by
// balanced accuracy, the warning states that. Duplicates are a warning from 5 % of the points on.
func TestConstantBaseline(t *testing.T) {
	rare := func(name string, balanced ...float64) compare.Row {
		r := compare.Row{Method: name}
		for i, b := range balanced {
			r.Runs = append(r.Runs, compare.Run{Split: i, Score: model.Score{N: 9, Accuracy: 0.7, Balanced: b}})
		}
		return r
	}
	for balanced, want := range map[float64]string{
		0.6: "By balanced accuracy it is: 60.0 % against 50.0 %.",
		0.5: "The model is not clearly better than the constant baseline. More points or other features may help."} {
		table := tableOf(3, rare(learn.SelectedName, balanced, balanced+0.01, balanced-0.01),
			rare(compare.ConstantBaseline, 0.5, 0.5, 0.5))
		table.Classes = []string{"a", "b"}
		if w := warningsOf(&learn.Learned{Table: table}); len(w) != 1 || !strings.HasSuffix(w[0], want) {
			t.Errorf("%q, want %q at the end", w, want)
		}
	}
	few := &learn.Learned{Points: 100, DuplicateNote: "4 points", Plan: learn.Plan{Task: learn.Task{Duplicates: 4}}}
	if w := warningsOf(few); w != nil {
		t.Errorf("few duplicates: %q", w)
	}
	few.Plan.Task.Duplicates = 5
	says(t, strings.Join(warningsOf(few), ""), "4 points")
	better := tableOf(3, row(learn.SelectedName, 1, 1.1, 0.9), row(compare.ConstantBaseline, 2, 2.1, 1.9))
	if w := warningsOf(&learn.Learned{Table: better}); w != nil {
		t.Errorf("a better model: %q", w)
	}
	same := tableOf(3, row(learn.SelectedName, 1, 1.1, 0.9), row(compare.ConstantBaseline, 1.1, 1, 0.9))
	says(t, warningsOf(&learn.Learned{Table: same, Plan: learn.Plan{Task: learn.Task{Features: 5}}})[0], beyondDefault)
}

// TestConstantPrediction: the constant baseline names a class only if it predicts this class in all splits.
func TestConstantPrediction(t *testing.T) {
	run := func(split, class int) compare.Run {
		q := compare.Run{Split: split, Score: model.Score{N: 4, Confusion: [][]int{{0, 0}, {0, 0}}}}
		q.Score.Confusion[0][class], q.Score.Confusion[1][class] = 3, 1
		return q
	}
	for want, classes := range map[string][2]int{"a": {0, 0}, "b": {1, 1}, "the most frequent class": {0, 1}} {
		table := &compare.Table{Data: "d", Splits: 2, Classes: []string{"a", "b"}, Rows: []compare.Row{{
			Method: compare.ConstantBaseline, Runs: []compare.Run{run(0, classes[0]), run(1, classes[1])}}}}
		if got := newComparison(table).constantPrediction(); got != want {
			t.Errorf("classes %v: %q, want %q", classes, got, want)
		}
		table.HasPointWeights = true
		if got := newComparison(table).constantPrediction(); strings.Contains(got, "frequent") || len(want) == 1 &&
			got != want {
			t.Errorf("classes %v with weights of points: %q", classes, got)
		}
	}
}

// TestDefaultDecisions: each decision names its option, and a decision that an option made is given.
func TestDefaultDecisions(t *testing.T) {
	options := map[string]learn.Option{
		"WithFamily": learn.WithFamily(kernel.List{kernel.Linear{}}), "WithSet": learn.WithSet(set.Simplex{}),
		"WithLambda": learn.WithLambda(0.1, 1), "WithSplits": learn.WithSplits(nil), "WithFolds": learn.WithFolds(3),
		"WithSeed": learn.WithSeed(4), "WithSolver": learn.WithSolver(mkl.PGD{}), "WithGap": learn.WithGap(1e-4),
		"WithMethod": learn.WithMethod(learn.LearnedName), "WithLandmarks": learn.WithLandmarks(20),
	}
	d := comparetest.NoisySine(60, 1)
	plain := reportDefaults(must(learn.NewPlan(d))).String()
	for name, o := range options {
		given := "given (learn." + name + ")"
		if changed := reportDefaults(must(learn.NewPlan(d, o))).String(); !strings.Contains(changed, given) ||
			strings.Contains(plain, given) {
			t.Errorf("%s: with the option\n%s\nwithout\n%s", name, changed, plain)
		}
	}
	says(t, plain, "1 linear, 5 RBF, 3 Laplacian", "λ = 100 … 0.0001 (13 values)", "5-fold cross-validation inside",
		"10 random ones, a quarter of the points to test on", "Solver: SPG (learn.WithSolver)")
	views := comparetest.TwoViewDataset(60)
	plan := must(learn.NewPlan(views, learn.WithViews(data.Views{"a": {"s*"}, "b": {"age"}})))
	says(t, reportDefaults(plan).String(),
		"in the views a, b: 1 linear of x1, x2, x3, 10 RBF", "1 of 5 features are in no view", "stratified by class",
		"(learn.WithoutProbabilities)")
}

// TestOptimality: what is proved, and of which weights.
func TestOptimality(t *testing.T) {
	d := comparetest.NoisySine(60, 1)
	for want, opts := range map[string][]learn.Option{
		"the training objective is at most ": {learn.WithMethod(learn.LearnedName)},
		"The weights were not learned":       {learn.WithMethod(learn.UniformName)},
		"The training objective over all 60 points is at ": {learn.WithMethod(learn.LearnedName),
			learn.WithLandmarks(20)},
		"the minimum for these weights.": {learn.WithMethod(learn.SingleName),
			learn.WithLandmarks(20)},
		"the training objective over all 60 points is above its mi": {learn.WithLandmarks(20),
			learn.WithFamily(kernel.Sum{Kernels: kernel.List{kernel.RBF{Gamma: 1}}, Center: true})},
	} {
		l := learned(t, d, append(opts, learn.WithSplits(nil))...)
		says(t, optimalityMark(l).Detail, want)
		isMarked := slices.ContainsFunc(marksOf(l, nil), func(m Mark) bool { return m.Name == optimalityMark(l).Name })
		if text := Text(l); isMarked == (want == "The weights were not learned") || !strings.Contains(text, want) {
			t.Errorf("%s: the mark or the text is missing, or the mark says nothing:\n%s", want, text)
		}
		says(t, Text(l), "learn.WithSplits")
	}
}

// TestWeights: the chart of the weights explains its marks and is drawn once; several sources have a chart of shares.
func TestWeights(t *testing.T) {
	runs := []compare.Run{{Theta: []float64{1, 0.5, 0}}, {Theta: []float64{1, 0, 0}}}
	chart := weightChart(&mkl.Result{Theta: []float64{2, 0, 0}}, runs)
	says(t, chart.Details, "Kernels of weight 0 that are not shown: 1.")
	says(t, chart.Caption, "Lines: ", "2 splits", chart.Baselines[0].Name)
	sources := comparetest.TwoViewDataset(60)
	sources.Classes = nil
	for i := range sources.Y {
		sources.Y[i] += float64(i % 7)
	}
	for want, l := range map[string]*learn.Learned{"weight θ": learned(t, comparetest.NoisySine(40, 1),
		learn.WithMethod(learn.LearnedName)), "share of the weight, %": learned(t, sources,
		learn.WithMethod(learn.LearnedName), learn.WithViews(data.Views{"spectrum": {"s*"}, "clinic": {"age"}}))} {
		r, count := must(OfLearned(l)), 0
		for _, p := range r {
			if p.Figure != nil && p.Figure.Y.Label == want {
				count++
			}
		}
		if all := strings.Count(r.String(), want); count != 1 || all != 1 {
			t.Errorf("%s: %d visible charts, %d in all", want, count, all)
		}
	}
	single := learned(t, comparetest.TwoViewDataset(40), learn.WithMethod(learn.SingleName),
		learn.WithViews(data.Views{"spectrum": {"s*"}, "clinic": {"age"}}))
	says(t, modelSentence(single), ", spectrum: ")
}

// TestStopped: a result that was stopped before its comparison has a model, and a warning.
func TestStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var first string
	d := comparetest.OverlappingClasses(40, 2, 1)
	l := must(learn.Learn(ctx, d, learn.WithFittedCallback(func(l *learn.Learned) {
		first = OfFittedModel(l).String()
		cancel()
	})))
	says(t, first, "Fitted: ", "10 splits")
	r := must(OfLearned(l))
	drawn(t, r.Figures()...)
	says(t, r.String(), "is not known: no split was finished", "Warning: The comparison was stopped",
		"The model is complete.")
	if _, err := OfLearned(&learn.Learned{}); err == nil {
		t.Error("an empty result has a report")
	}
	l.Warnings = []learn.Warning{{About: learn.AboutModel, Text: "the model is doubtful"}}
	says(t, Text(l), "Warning: Model: the model is doubtful")
}

// TestTargets: each of several targets has its error, its verdict and its table.
func TestTargets(t *testing.T) {
	d := comparetest.NoisySine(40, 1)
	d.Target, d.ExtraTargets = "first", []data.Target{{Name: "second", Y: comparetest.NoisySine(40, 2).Y}}
	l := learned(t, d, learn.WithLambda(0.1))
	r := must(OfLearned(l))
	drawn(t, r.Figures()...)
	says(t, r.String(), d.Name+", first: RMSE", d.Name+", second: RMSE", "2 targets")
	w := must(learn.Importance(t.Context(), l, nil))
	c := must(learn.LearningCurveOf(t.Context(), l, nil))
	for _, f := range []viz.Figure{OfImportances(w).Figures()[0], OfLearningCurve(c).Figures()[0]} {
		drawn(t, f)
		says(t, f.Details, "Scores are means over first and second, each in its own unit")
	}
	curve := OfLearningCurve(c).Figures()[0]
	if !slices.Equal(curve.X.Ticks, curve.Series[0].X) || !strings.Contains(curve.Caption, "Band: ") {
		t.Errorf("the sizes %v have the ticks %v and the caption %q", curve.Series[0].X, curve.X.Ticks, curve.Caption)
	}
	w.Stopped, c.Stopped = true, true
	says(t, Text(w), "Warning: Stopped: not every group")
	says(t, Text(c), "Warning: Stopped: not every split")
}

// TestExplanations: partial dependence by kind of columns, and a learning curve that needs more splits.
func TestExplanations(t *testing.T) {
	soils := []string{"clay", "sand"}
	for want, p := range map[string]*learn.PartialDependence{
		"of height rises with light, from 1.000 to 3.000":             {Mean: [][]float64{{1, 2, 3}}},
		"and 3.000, and is largest at light = 2":                      {Mean: [][]float64{{1, 3, 2}}},
		"of height does not change with soil":                         {Levels: soils, Mean: [][]float64{{1, 1}}},
		"Depending on soil, the mean prediction of height is between": {Levels: soils, Mean: [][]float64{{1, 2}}},
		"Stopped before any partial":                                  {},
	} {
		p.Data, p.Points, p.OutputNames = "plants", 9, []string{"height"}
		if p.Column = "soil"; p.Levels == nil {
			p.Column, p.Values = "light", []float64{1, 2, 3}
		}
		r := OfPartialDependence(p)
		says(t, r.String(), want)
		drawn(t, r.Figures()...)
		if (p.Mean != nil) != (len(r.Figures()) == 1) {
			t.Errorf("%s: %d charts", want, len(r.Figures()))
		}
	}
	dated := &learn.PartialDependence{Data: "plants", OutputNames: []string{"height"}, Column: "day",
		Values: []float64{0, 19407, 19500}, Dates: []string{"01.01.1970", "19.02.2023", "23.05.2023"},
		Mean: [][]float64{{1, 3, 2}}}
	r := OfPartialDependence(dated)
	drawn(t, r.Figures()...)
	says(t, r.String(), "day = 19.02.2023", "day, year")
	if x := r.Figures()[0].Series[0].X; math.Abs(x[1]-2023.13) > 0.01 { // day 50 of 365
		t.Errorf("the dates are at %v", x)
	}
	many := slices.Repeat([]float64{-0.5, 0.7}, 6)
	for want, gain := range map[string][]float64{"Not decided": {0.1, 0.3, 0.2}, "More points help": {0.2, 0.21, 0.2},
		"Not decided whether": many, "do not help": {-0.2, -0.21, -0.2}} {
		d := compare.CorrectedResampledDifference(gain, 1./3)
		d.Method, d.Baseline, d.Metric = "60", "30", model.RMSE
		headline, text := describeLearningCurve(&learn.LearningCurve{Metric: model.RMSE,
			Sizes: []learn.SizeScores{{Points: 30}, {Points: 60, Gain: d}}})
		verb := "falls"
		if d.Mean < 0 {
			verb = "rises"
		}
		says(t, headline, want)
		says(t, text, "From 30 to 60 training points the RMSE "+verb, "95 % interval")
	}
}

// TestImportances: clear, undecided and correlated groups are named.
func TestImportances(t *testing.T) {
	clear := compare.Difference{Mean: 0.5, Lo: 0.4, Hi: 0.6, N: 3}
	chance := compare.Difference{Mean: 0.1, Lo: 0.01, Hi: 0.2, N: 3}
	w := &learn.Importances{Data: "d", Metric: model.RMSE, BaseScores: []float64{1, 1, 1}, Repeats: 5,
		Groups: []learn.Group{
			{Name: "a", Features: []int{0}, Drops: []float64{1}, Drop: clear, AdjustedP: 0.01,
				CorrelatedGroup: "b", Correlation: -0.9},
			{Name: "b", Features: []int{1}, Drops: []float64{1}, Drop: chance, AdjustedP: 0.2,
				CorrelatedGroup: "a", Correlation: -0.9},
			{Name: "c", Features: []int{2}, Drops: []float64{0}, Drop: compare.Difference{N: 3}, AdjustedP: 1},
		}}
	r := OfImportances(w)
	drawn(t, r.Figures()...)
	says(t, r.String(), "On d only a is clearly important", "+0.500 [+0.400, +0.600]", "a with b (r = −0.90)")
}

// TestResult: an unfinished run is a warning.
func TestResult(t *testing.T) {
	r := &mkl.Result{Solver: "S", Theta: []float64{1, 0}, W: make([]float64, 9), Status: mkl.IterationLimit}
	report := OfResult(r)
	drawn(t, report.Figures()...)
	if !report[0].IsWarning {
		t.Errorf("%+v", report[0])
	}
	says(t, report.String(), "1 of 2 kernels have a weight above 0", "Kernels of weight 0 that are not shown: 1.")
}

// TestPredictedFile: the report names the file, counts the rows and has the first five predictions.
func TestPredictedFile(t *testing.T) {
	f := &model.PredictedFile{Path: "folder/new.predictions.csv"}
	for i := range 7 {
		f.Predictions = append(f.Predictions, model.Prediction{Class: "a", Probabilities: []float64{0.25, 0.75},
			Value: 8, Lower: []float64{float64(i)}, Upper: []float64{9}, Level: 0.8, Key: fmt.Sprint("id", 40+i)})
	}
	f.Predictions[3].Filled = "age;bmi"
	r := OfPredictedFile(f)
	drawn(t, r.Figures()...)
	says(t, r.String(), "7 predictions in new.predictions.csv", "The first 5 predictions",
		"0.750", "4 to 9", "80 % interval", "id44", "age;bmi")
	says(t, Text(&model.PredictedFile{Path: "x", Predictions: []model.Prediction{{Values: []float64{1, 2.5}}}}),
		"1, 2.5")
}

// TestPageHasTheFacts: the page has the number of rows of the file that were left out, the positive class, the level of
// the intervals and of the quantile, and announces a comparison only if there is one.
func TestPageHasTheFacts(t *testing.T) {
	numbers, classes := comparetest.NoisySine(40, 1), comparetest.OverlappingClasses(40, 2, 1)
	numbers.DroppedPoints = 7
	one := learn.WithLambda(1)
	for _, c := range []struct {
		l    *learn.Learned
		want []string
	}{
		{learned(t, numbers, one, learn.WithIntervals(0.8)), []string{"40 of 47 points", "80 % prediction intervals"}},
		{learned(t, numbers, learn.WithQuantile(0.75)), []string{"pinball", "0.75"}},
		{learned(t, numbers, learn.WithQuantile(0.75, 0.25)), []string{"2 quantiles of", "0.25"}},
		{learned(t, classes, one), []string{classes.Classes[1] + " (+1", classes.Classes[0] + " (−1"}},
	} {
		says(t, Text(c.l), c.want...)
		shown, _, _ := strings.Cut(Text(c.l), "\nMethods\n")
		says(t, shown, c.want...)
	}
	announced := 0
	for _, splits := range [][]fit.Split{nil, must(fit.Holdout(numbers.Y, 0.25, 3, 1))} {
		learn.Learn(t.Context(), numbers, one, learn.WithSplits(splits),
			learn.WithFittedCallback(func(l *learn.Learned) {
				announced += len(splits)
				if text := OfFittedModel(l).String(); strings.Contains(text, "3 splits") != (splits != nil) {
					t.Errorf("%d splits: %s", len(splits), text)
				}
			}))
	}
	if announced != 3 {
		t.Error("the callback was not called")
	}
}

// TestManyClasses: of 200 classes with one point each, the page names few; the table of mistakes is small.
func TestManyClasses(t *testing.T) {
	d := comparetest.ClassClusters(200, 1, 2, 3, 1)
	for _, splits := range [][]fit.Split{nil, must(fit.Holdout(d.Y, 0.25, 1, 1))} {
		l := must(learn.Learn(t.Context(), d, learn.WithSplits(splits), learn.WithoutProbabilities(),
			learn.WithLambda(1), learn.WithFamily(kernel.List{kernel.Linear{}})))
		if all := fmt.Sprint(l.Warnings); !strings.Contains(all, "190 more") || len(all) > 1000 {
			t.Errorf("warnings %.1500q", l.Warnings)
		}
		r := must(OfLearned(l))
		drawn(t, r.Figures()...)
		if text := r.String(); len(text) > 15000 {
			t.Errorf("the page has %d bytes:\n%.3000s", len(text), text)
		}
	}
	few := confusionTable(&compare.Table{Classes: []string{"a", "b", "c"}, Rows: []compare.Row{{Method: "m",
		Runs: []compare.Run{{Score: model.Score{Confusion: [][]int{{3, 0, 0}, {1, 2, 0}, {0, 0, 4}}}}}}}}, "m")
	if len(few.Sheet.Rows) != 3 || len(few.Sheet.Columns) != 4 {
		t.Errorf("%+v", few.Sheet)
	}
	// the title of a part of the classes says so
	m, classes := model.Score{Confusion: make([][]int, 40)}, make([]string, 40)
	for c := range m.Confusion {
		m.Confusion[c], classes[c] = make([]int, 40), fmt.Sprint("class ", c)
		m.Confusion[c][c], m.Confusion[c][(c+1)%40] = 90, 40-c
	}
	m.Confusion[39] = make([]int, 40)
	m.Confusion[39][38] = 1 // always mistaken, but not shown
	many := confusionTable(&compare.Table{Classes: classes, Rows: []compare.Row{{Method: "m",
		Runs: []compare.Run{{Score: m}}}}}, "m")
	if len(many.Sheet.Rows) != 15 || !strings.Contains(many.Title, "15 classes") {
		t.Errorf("%q has %d rows", many.Title, len(many.Sheet.Rows))
	}
}

// TestRareClass: a result of two classes of which one has fewer than a tenth of the points shows the accuracy of the
// constant baseline, the balanced accuracy and the area under the curve; other results do not.
func TestRareClass(t *testing.T) {
	of := func(common, found, missed int) comparison {
		r := compare.Row{Method: learn.SelectedName}
		for i := range 2 {
			s := model.Score{Accuracy: 0.3, Balanced: 0.8125, AUC: 0.9375, // the accuracy is weighted
				Confusion: [][]int{{found, missed}, {0, common}}}
			r.Runs = append(r.Runs, compare.Run{Split: i, Score: s})
		}
		table := tableOf(2, r, row(compare.ConstantBaseline))
		table.Classes = []string{"sick", "well"}
		return newComparison(table)
	}
	text := of(95, 2, 3).rareClassText()
	for _, want := range []string{"always well", "95.0 %", "97.0 %", "81.2 %", "0.938", "50 %",
		"learn.WithBalancedClasses"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q has no %s", text, want)
		}
	}
	if text := of(90, 10, 0).rareClassText(); text != "" {
		t.Errorf("a tenth is not rare: %q", text)
	}
	if text := newComparison(tableOf(2, row(learn.SelectedName, 1, 2), row("b", 1, 2))).rareClassText(); text != "" {
		t.Errorf("numbers: %q", text)
	}
}

// TestHeadlineOfMetric: the first line has the metric of WithMetric, with the value of a constant for it, and the error
// rate follows. The errors of the selection are named as what they are.
func TestHeadlineOfMetric(t *testing.T) {
	d := comparetest.OverlappingClasses(50, 2, 1)
	for metric, texts := range map[model.Metric][]string{
		model.AUC:      {"AUC ", "Always predicting", ": 0.500.", "cross-validation 1 − AUC"},
		model.Balanced: {"Balanced accuracy", " % on new data", ": 50.0 %.", "cross-validation 1 − balanced accuracy"},
		model.LogLoss: {"Log loss 0.", "other test points", "Always predicting a constant: 0.",
			" times as large", "cross-validation log loss"},
	} {
		l := learned(t, d, learn.WithMetric(metric))
		text, first := must(OfLearned(l)).String(), must(OfLearned(l))[0]
		says(t, text, append(texts, "\nError rate: ")...)
		if want := formatValues(metric, l.Table.Summary(learn.SelectedName, metric).Mean)[0]; !first.IsHeadline ||
			!strings.HasPrefix(first.Text, capitalize(string(metric))+" "+want) {
			t.Errorf("%s: the first line is %q, want the value %s", metric, first.Text, want)
		}
		if strings.Contains(first.Help, "number of test points") != (metric == model.LogLoss) {
			t.Errorf("%s: the help of the first line is %q", metric, first.Help)
		}
		if metric == model.AUC && strings.Contains(text, "not clearly better than the constant") {
			t.Errorf("by the AUC the model is clearly better than a constant:\n%s", text)
		}
		if metric.HigherIsBetter() && strings.Contains(strings.Split(text, "\n")[1], "times as large") {
			t.Errorf("%s: a constant is called larger:\n%s", metric, text)
		}
	}
}

// TestForExpression tests that lines to copy use the variable of the cell, do not change text in quotes, and assign no
// error.
func TestForExpression(t *testing.T) {
	defaults := reportDefaults(must(learn.NewPlan(comparetest.NoisySine(60, 1))))
	r := Report{{Text: "l is good"}, {IsCode: true, Text: "nb.Save(\"l\", l.Model) // keep l"}, {Folded: defaults}}
	for expression, want := range map[string]string{
		"lc":          "nb.Save(\"l\", lc.Model) // keep l",
		"nb.Learn(d)": "l := nb.Learn(d)\nnb.Save(\"l\", l.Model) // keep l",
		"":            "// l is the result above\nnb.Save(\"l\", l.Model) // keep l",
		"models[0]":   "l := models[0]\nnb.Save(\"l\", l.Model) // keep l",
	} {
		if got := r.ForExpression(expression); got[1].Text != want || got[0].Text != "l is good" {
			t.Errorf("%q: %q", expression, got[1].Text)
		}
		says(t, r.ForExpression(expression).String(), "seed 1: s := fit.Holdout(d.Y, 0.25, 20, 1)")
	}
	says(t, r.String(), "seed 1: s, err := fit.Holdout(d.Y, 0.25, 20, 1)")
	if r[1].Text != "nb.Save(\"l\", l.Model) // keep l" {
		t.Error("the report was changed")
	}
}
