package learn

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
)

const (
	perfectShare   = 0.01  // an error of numbers counts as 0 if it is at most this share of the error of a constant
	perfectRank    = 0.999 // smallest rank correlation of a column that determines the target
	rowsPerLevel   = 4     // smallest mean number of rows for each value of a column of few values
	maxNamedCauses = 3     // largest number of columns in a warning
	maxNumbers     = 1e7   // in more numbers, points times features, no such column is searched
)

// perfectScoreWarning returns a warning with likely causes if the error of the selected method at held-out points is 0,
// or nearly 0 for numbers, and "" otherwise. With several targets, that of one target suffices. cell has the
// cross-validation error with these weights of points, which decides if t is nil.
func perfectScoreWarning(d *data.Dataset, t *compare.Table, cell fit.GridCell, weights []float64) string {
	targets := []data.Target{{Y: d.Y}}
	if t != nil && len(t.Targets) > 0 {
		targets[0].Name = t.Targets[0]
		targets = append(targets, d.ExtraTargets...)
	}
	for j, target := range targets {
		var methodError, baselineError float64 // baselineError is 0 for classes
		by := model.ErrorRate
		switch {
		case t != nil && d.Classes != nil:
			methodError = t.Summary(SelectedName, by).Mean
		case t != nil:
			targetTable := t
			if len(t.Targets) > 0 {
				targetTable, _ = t.TableOfTarget(t.Targets[j])
			}
			by = t.Metrics()[0]
			methodError = targetTable.Summary(SelectedName, by).Mean
			baselineError = targetTable.Summary(compare.ConstantBaseline, by).Mean
		case d.Classes != nil:
			methodError = cell.Error(by)
		case d.ExtraTargets != nil:
			by, methodError, baselineError = model.RMSE, cell.Error(model.RMSE), 1 // in standard deviations
		default:
			by, methodError = model.RMSE, cell.Error(model.RMSE)
			baselineError = stat.PopStdDev(d.TransformedY(), weights)
		}
		// A score of the caller's loss may be negative, and then no score is perfect.
		if methodError >= 0 && methodError <= perfectShare*baselineError {
			return describePerfectScore(d, target, by, methodError, baselineError)
		}
	}
	return ""
}

// describePerfectScore returns the warning that an error of a target by a metric is 0 or nearly 0.
func describePerfectScore(d *data.Dataset, target data.Target, by model.Metric, methodError,
	baselineError float64) string {
	subject := string(by)
	if target.Name != "" {
		subject += " of " + target.Name
	}
	text := fmt.Sprintf("the %s at held-out points is 0, which is rare. ", subject)
	if baselineError > 0 {
		text = fmt.Sprintf("the %s at held-out points is %.2g %% of that of a constant, which is rare. ", subject,
			100*methodError/baselineError)
	}
	switch names := columnsWithAnswer(d, target.Y); {
	case d.Dim() == 0:
		text += "The data may contain the answer (learn.Importance shows which kernel matters most), for example if " +
			"a matrix was computed with it."
	case names != nil:
		text += fmt.Sprintf("The target follows from %s alone. If this is not known when you predict, leave it out "+
			"(data.Options.DropColumns).", strings.Join(names, ", and from "))
	default:
		text += "A column may contain the answer (learn.Importance shows which one matters most); leave it out if it " +
			"is not known when you predict."
	}
	if d.Group == nil {
		text += " If several rows belong to one person or thing, name the column in data.Options.Group."
	}
	return text
}

// betterMethodWarning returns a warning if the comparison t shows that a candidate is clearly better than the method
// of the model, or than the selection among the candidates on each split (SelectedName), by the metric m, else "".
// Clearly: the 95 % interval of the difference does not contain 0.
func betterMethodWarning(t *compare.Table, methodOfModel string, candidates []string, m model.Metric) string {
	if t == nil {
		return ""
	}
	sign := 1.0 // sign·score is larger for the worse of two methods
	if m.HigherIsBetter() {
		sign = -1
	}
	for _, method := range []string{methodOfModel, SelectedName} {
		best, difference := "", 0.0
		for _, name := range candidates {
			d := t.Compare(method, name, m)
			if d.ExcludesZero() && sign*d.Mean > difference {
				best, difference = name, sign*d.Mean
			}
		}
		if best == "" {
			continue
		}
		subject := "the selected method, " + methodOfModel + ","
		if method == SelectedName {
			subject = fmt.Sprintf("the selection (here of %s, in a split perhaps of another method)", methodOfModel)
		}
		return fmt.Sprintf("%s is clearly worse than %s on the splits: its %s is %.3g, a difference of %.2g. "+
			"learn.WithMethod(%[2]q) selects the better one.", subject, best, m, t.Summary(method, m).Mean, difference)
	}
	return ""
}

// columnsWithAnswer returns the quoted names of columns of the file that determine a target y of d alone: in the order
// of their values the classes follow each other, the target rises or falls, or each of a few values has one target.
func columnsWithAnswer(d *data.Dataset, y []float64) (names []string) {
	x, err := points.RowsOf(d.X)
	if err != nil || len(x.Data) > maxNumbers {
		return nil
	}
	for _, c := range d.FileColumns() {
		if len(names) < maxNamedCauses && determinesTarget(x, c.Features, y, len(d.Classes)) {
			names = append(names, fmt.Sprintf("%q", c.Name))
		}
	}
	return names
}

// determinesTarget reports whether some features of x, those of one column of a file, determine y: see
// columnsWithAnswer. classCount is 0 for numbers.
func determinesTarget(x points.Rows, features []int, y []float64, classCount int) bool {
	order := points.AllIndices(x.N)
	compareRows := func(a, b int) int {
		for _, j := range features {
			if c := cmp.Compare(x.Row(a)[j], x.Row(b)[j]); c != 0 {
				return c
			}
		}
		return 0
	}
	slices.SortStableFunc(order, compareRows)
	levels, targetChanges, isFunction := 1, 0, true
	for i, row := range order[1:] {
		isEqual := compareRows(order[i], row) == 0
		if !isEqual {
			levels++
		}
		if y[order[i]] != y[row] {
			targetChanges++
			isFunction = isFunction && !isEqual
		}
	}
	hasFewLevels := rowsPerLevel*levels <= x.N
	if classCount > 0 || hasFewLevels || len(features) > 1 {
		return isFunction && levels > 1 && (hasFewLevels || targetChanges < classCount)
	}
	ranksInOrder := make([]float64, x.N)
	for i := range ranksInOrder {
		ranksInOrder[i] = float64(i)
	}
	return math.Abs(stat.Correlation(ranks(points.Pick(y, order)), ranksInOrder, nil)) >= perfectRank
}

// ranks returns the rank of each value, from 0; equal values have ranks in their order.
func ranks(values []float64) []float64 {
	order, sorted, r := make([]int, len(values)), slices.Clone(values), make([]float64, len(values))
	floats.ArgsortStable(sorted, order)
	for rank, i := range order {
		r[i] = float64(rank)
	}
	return r
}
