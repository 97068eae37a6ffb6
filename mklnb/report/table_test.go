package report

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
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
)

// row returns the row of a method with these RMSEs.
func row(name string, rmse ...float64) compare.Row {
	r := compare.Row{Method: name}
	for i, v := range rmse {
		if !math.IsNaN(v) {
			r.Runs = append(r.Runs, compare.Run{Split: i, Score: model.Score{N: 10, RMSE: v},
				Hyperparameter: "λ", Value: 1, Status: mkl.Certified})
		}
	}
	return r
}

// tableOf returns a table of halves. The second row is the baseline.
func tableOf(splits int, rows ...compare.Row) *compare.Table {
	return &compare.Table{Data: "example", Points: 20, TrainPoints: 10, TestPoints: 10, Splits: splits,
		Baseline: rows[1].Method, TestTrainRatio: 1, Rows: rows}
}

func TestFinding(t *testing.T) {
	none := math.NaN()
	for want, c := range map[string]struct {
		b    string
		x, y []float64
	}{
		"A clearly has the smallest mean RMSE on example": {"b", []float64{1, 1.01, 1, 1}, []float64{2, 2, 2,
			2}},
		"B has the smallest mean RMSE on example; no other method is clearly worse": {"b", []float64{1, 3, 1, 3.2},
			[]float64{2, 2, 2, 2}},
		"A and b have equal mean RMSEs on example": {"b", []float64{1, 2, 1, 2}, []float64{2, 1, 2, 1.0001}},
		"No split was finished":                    {"b", nil, nil},
		"Constant baseline has a mean RMSE of 1.500 on example": {compare.ConstantBaseline, []float64{none, none},
			[]float64{1, 2}},
	} {
		table := tableOf(len(c.x), row("a", c.x...), row(c.b, c.y...))
		if got := describeComparison(newComparison(table)); got != want {
			t.Errorf("finding %q, want %q", got, want)
		}
		drawn(t, OfTable(table).Figures()...)
	}
	stopped := tableOf(2, row("a", 1), row("b", 1, 2))
	stopped.Stopped = true
	says(t, Text(stopped), "Warning: Results of some splits are missing.",
		"1 of 2 splits are finished.", "One split cannot decide which method is better")
	says(t, Text(&compare.Table{Data: "d", Stopped: true}), "there is no result yet")
}

// TestTies: the title names every method whose mean, as shown, is the smallest, and the methods that are clearly worse.
// The table emphasizes the same rows, counts the splits of a choice, and states the sizes of all splits.
func TestTies(t *testing.T) {
	table := tableOf(4, row("a", 1, 1.01, 1, 1.002), row("b", 1.01, 1, 1, 1.0021), row("c", 2, 2, 2, 2.01),
		row("d", 1, 9, 1, 9), row("e", 3, 3, 3, 3.01))
	for i := range table.Rows[2].Runs {
		table.Rows[2].Runs[i].Label = "Λ=" + strings.Repeat("2", 1+i/3)
	}
	table.Rows[0].Runs[1].Score.N = 8
	f := ComparisonTable(table)
	if want := "A and b have the smallest mean RMSE on example; c and e are clearly worse"; f.Title != want {
		t.Errorf("title %q, want %q", f.Title, want)
	}
	for i, cells := range f.Sheet.Rows {
		if cells[1].IsEmphasized != (i < 2) {
			t.Errorf("row %s: emphasized %t", cells[0].Text, cells[1].IsEmphasized)
		}
	}
	says(t, Text(table), "Λ=2 (3 of 4)", "Λ bounds", "into 10 to 12 training and 8 to 10 test points")
}

// TestUncertified: the table names solves without a global certificate.
func TestUncertified(t *testing.T) {
	table := tableOf(2, row("a", 1, 2), row("b", 2, 2))
	const note = "Not every solve is certified"
	if text := Text(table); strings.Contains(text, note) {
		t.Errorf("a table of certified solves: %s", text)
	}
	table.Rows[0].Runs[1].Status = mkl.IterationLimit
	says(t, Text(table), "not certified (iteration limit)", note)
}

// TestNumbers: numbers have digits that show their differences. Large numbers have no decimals. Rates are percentages.
func TestNumbers(t *testing.T) {
	small := compare.Difference{Metric: model.RMSE, N: 3, Mean: 1.5e-6, Lo: -1e-6, Hi: 4e-6}
	rate := compare.Difference{Metric: model.ErrorRate, N: 3, Mean: -0.0154, Lo: -0.0556, Hi: 0.0248}
	for _, c := range []struct{ got, want string }{
		{differenceText(small), "+1.5e−06 [−1e−06, +4e−06]"},
		{differenceText(compare.Difference{N: 10, Mean: -2754.499, Lo: -6701.894, Hi: 1192.896}),
			"−2754 [−6702, +1193]"},
		{differenceText(rate) + differenceUnit(rate.Metric), "−1.5 [−5.6, +2.5] percentage points"},
		{differenceText(compare.Difference{Metric: model.ErrorRate, N: 1, Mean: -1e-4}), "0.0"},
		{fmt.Sprint(chartValue(model.ErrorRate, 0.0672)), "6.7"},
		{meanAndSDCell(56169.12, 9199.451).Text, "56169 ± 9199"},
		{formatMetricCell(model.ErrorRate, 0.137, 0.0471).Text, "13.7 ± 4.7"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// TestChartOfComparison: the rows are in the order of their errors. A constant baseline near the methods is a row; one
// that would flatten the axis is a number in the label of the axis.
func TestChartOfComparison(t *testing.T) {
	for constant, isRow := range map[float64]bool{1.3: true, 50: false} {
		table := tableOf(3, row("a", 1.1, 1.2, 1.3), row("b", 1, 1.1, 1.2), row(compare.ConstantBaseline, constant,
			constant, constant))
		f, ok := comparisonChart(newComparison(table))
		if !ok || slices.Contains(f.Groups, compare.ConstantBaseline) != isRow ||
			strings.Contains(f.Y.Label, compare.ConstantBaseline+", 50.00") == isRow ||
			!slices.IsSorted(f.Series[0].Y) {
			t.Errorf("constant %g: rows %q with %v, %q", constant, f.Groups, f.Series[0].Y, f.Y.Label)
		}
	}
}

// TestRanking: the report names the clear and the undecided pairs; few sets show no difference.
func TestRanking(t *testing.T) {
	var want struct{ Plain struct{ Scores [][]float64 } }
	text := must(os.ReadFile("../../algos/compare/testdata/scipy_ranks.json"))
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	sets, methods := strings.Split("abcdefghijkl", ""), strings.Split("0123", "")
	r := OfRanking(must(compare.RankScores(sets, methods, want.Plain.Scores, true)))
	drawn(t, r.Figures()...)
	for _, f := range r.Figures() { // no line extends beyond the ranks
		if s := f.Series[0]; slices.Min(s.Lo) < 1 || slices.Max(s.Hi) > 4 ||
			!slices.Equal(f.Y.Ticks, []float64{1, 2, 3, 4}) {
			t.Errorf("lines from %v to %v, ticks %v", s.Lo, s.Hi, f.Y.Ticks)
		}
	}
	says(t, r.String(), "3 has the best mean rank on 12 sets, clearly better than ", "Clear differences",
		"Pairs of methods without a clear difference: ")
	for n := 2; n < minSets; n++ {
		few := Text(must(compare.RankScores(sets[:n], methods[:2], slices.Repeat([][]float64{{1, 2}}, n), true)))
		says(t, few, fmt.Sprintf("1 has the best mean rank on %d sets, but not clearly", n),
			fmt.Sprintf("%d sets cannot show a difference", n))
		if strings.Contains(few, "Clear differences") {
			t.Errorf("%d sets: %s", n, few)
		}
	}
}

// TestProbabilities: the result of classes has the confusion of the classes and the reliability of the probabilities.
func TestProbabilities(t *testing.T) {
	d := comparetest.ClassClusters(10, 8, 16, 1.5, 6)
	l := must(learn.Learn(t.Context(), d, learn.WithFamily(kernel.List{kernel.Linear{}, kernel.RBF{Gamma: 0.03}}),
		learn.WithLambda(0.1, 1), learn.WithSplits(must(fit.Halves(d.Y, 2, 1)))))
	drawn(t, must(OfLearned(l)).Figures()...)
	if c := confusionTable(l.Table, learn.LearnedName); len(c.Sheet.Rows) != 10 {
		t.Errorf("a confusion of %+v", c.Sheet)
	}
	says(t, Text(l), "Reliability: ", "Probabilities differ from observed shares by ", "on average")
	says(t, Text(must(l.Model.Score(d))), "training points", "Warning: ", "All metrics")
}

// TestSeedOfGivenSplits: no text says that the seed of the study drew splits which the caller gave.
func TestSeedOfGivenSplits(t *testing.T) {
	table := tableOf(2, row("a", 1, 2), row("b", 1, 2))
	if table.Seed = 31; strings.Contains(Text(table), "31") {
		t.Errorf("the table has the seed:\n%s", Text(table))
	}
	d := comparetest.NoisySine(40, 1)
	for given, opts := range map[bool][]learn.Option{false: {learn.WithSeed(31)}, true: {learn.WithSeed(31),
		learn.WithSplits(must(fit.Holdout(d.Y, 0.25, 2, 7)))}} {
		for _, p := range reportDefaults(must(learn.NewPlan(d, opts...))) {
			if strings.HasPrefix(p.Label, "Seed") && strings.Contains(p.Label, "splits") == given {
				t.Errorf("splits given: %v, but the label is %q", given, p.Label)
			}
		}
	}
}

// TestScoreOfPredictions tests that the report of a score has the scores of probabilities, intervals and quantiles.
func TestScoreOfPredictions(t *testing.T) {
	says(t, Text(model.Score{N: 4, Classes: 2, Probabilities: &model.ProbabilityScore{LogLoss: 0.4321, Brier: 0.1234}}),
		"log loss 0.432", "Brier score 0.123")
	fresh := model.Score{N: 100, StoredPoints: 50, RMSE: 3, R2: 0.75} // the mean has the RMSE 3/√(1 − 0.75)
	says(t, Text(fresh), "100 new points", "6.000, 2.0 times as large", "Report this error")
	fresh.Classes, fresh.Accuracy, fresh.Confusion = 2, 0.9, [][]int{{60, 0}, {10, 30}}
	// Wilson's interval
	says(t, Text(fresh), "10.0 % on 100 new points (95 % interval 5.5 to 17.4 %)", "40.0 %, 4.0 times as large")
	fresh.Groups = 10 // of ten points each, so the interval is that of ten independent points
	says(t, Text(fresh), "10.0 % on 100 new points of 10 groups (95 % interval 1.8 to 40.4 %)")
	if fresh.SharedPoints = 50; strings.Contains(Text(fresh), "Report this error") {
		t.Error("the error at training points is to be reported")
	}
	says(t, Text(model.Score{N: 257, DroppedPoints: 43, Intervals: &model.IntervalScore{Level: 0.9, Coverage: 0.875,
		MeanWidth: 3.5}}), "43 rows", "87.5", "90 % interval", "3.5")
	q := model.QuantileScore{Tau: 0.95, PinballLoss: 0.25, ShareBelow: 0.925}
	says(t, Text(model.Score{N: 40, Quantile: &q}), "pinball loss 0.25", "quantile 0.95", "92.5", "40 points")
	says(t, Text(model.Score{N: 40, Targets: []model.Score{{N: 40}, {N: 40, Quantile: &q}}}), "target 2", "92.5")
	low := model.QuantileScore{Tau: 0.05, PinballLoss: 0.15}
	several := Text(model.Score{N: 40, Targets: []model.Score{{N: 40, Quantile: &low}, {N: 40, Quantile: &q}}})
	if says(t, several, "0.200", "2 quantiles", "Quantile 0.95", "92.5"); strings.Contains(several, "target 2") ||
		strings.Contains(strings.SplitN(several, "\n", 2)[0], "RMSE") {
		t.Errorf("two quantiles of a target: %s", several)
	}
}
