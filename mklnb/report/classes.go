package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/viz"
)

// maxConfusionClasses is the maximum number of classes in a confusion matrix.
const maxConfusionClasses = 15

// shownClasses is the maximum number of classes in a confusion matrix that is visible without a click, and of weights.
const shownClasses = 10

// confusionCounts returns the number of test points of each class (rows) that the runs assigned to each class.
func confusionCounts(runs []compare.Run, classCount int) [][]int {
	counts := make([][]int, classCount)
	for c := range counts {
		counts[c] = make([]int, classCount)
	}
	for _, run := range runs {
		for c, row := range run.Score.Confusion {
			for d, pointCount := range row {
				counts[c][d] += pointCount
			}
		}
	}
	return counts
}

// confusionTable returns a table with the share of the points of each class (rows) that a method assigned to each class
// (columns), over the test points of all splits. Of more than maxConfusionClasses classes, it has those with the most
// errors.
func confusionTable(t *compare.Table, method string) viz.Figure {
	k, runs := len(t.Classes), t.Row(method).Runs
	counts := confusionCounts(runs, k)
	shown := classesWithMostErrors(counts)
	largestShare, trueClass, predictedClass := 0.0, 0, 0
	header := []string{"true class"}
	var rows [][]any
	for _, c := range shown {
		header = append(header, "as "+t.Classes[c])
		entries, classTotal := []any{t.Classes[c]}, sum(counts[c])
		for _, d := range shown {
			share := float64(counts[c][d]) / math.Max(1, float64(classTotal))
			cell := viz.Number(100*share, 1)
			cell.Text += " %"
			if c == d {
				cell = viz.Emphasize(cell)
			} else if share > largestShare {
				largestShare, trueClass, predictedClass = share, c, d
			}
			entries = append(entries, cell)
		}
		rows = append(rows, entries)
	}
	decisionCount, correctCount := 0, 0
	for c, row := range counts {
		decisionCount, correctCount = decisionCount+sum(row), correctCount+row[c]
	}
	title := fmt.Sprintf("%d of %d held-out points are classified correctly", correctCount, decisionCount)
	if largestShare > 0 {
		title = fmt.Sprintf("%.1f %% of %s are taken for %s", 100*largestShare, t.Classes[trueClass],
			t.Classes[predictedClass])
		if k > 2 {
			title += ", the largest such share"
		}
		if len(shown) < k {
			title = fmt.Sprintf("Of the %d classes shown: %s", len(shown), title)
		}
	}
	details := fmt.Sprintf("The share of each class (row) that %s assigned to each class (column): %d decisions in "+
		"%d splits, %d of them correct.", comparison{Table: t}.label(method), decisionCount, len(runs), correctCount)
	caption := "Rows: true class."
	return viz.Table(title, caption, header, rows...).WithDetails(details + noteOnHiddenClasses(t))
}

// classesWithMostErrors returns the indices of at most maxConfusionClasses classes in ascending order.
func classesWithMostErrors(counts [][]int) []int {
	shown := points.AllIndices(len(counts))
	if len(counts) > maxConfusionClasses {
		errorCount := func(c int) int { return sum(counts[c]) - counts[c][c] }
		slices.SortStableFunc(shown, func(a, b int) int { return cmp.Compare(errorCount(b), errorCount(a)) })
		shown = shown[:maxConfusionClasses]
		slices.Sort(shown)
	}
	return shown
}

func noteOnHiddenClasses(t *compare.Table) string {
	if len(t.Classes) <= maxConfusionClasses {
		return ""
	}
	return fmt.Sprintf(" Shown: the %d of %d classes with the most errors.", maxConfusionClasses, len(t.Classes))
}

// classScores returns a table with the precision, the recall and the support of each class.
func classScores(t *compare.Table, method string) viz.Figure {
	runs := t.Row(method).Runs
	counts := confusionCounts(runs, len(t.Classes))
	var rows [][]any
	for _, c := range classesWithMostErrors(counts) {
		predicted, support := columnSum(counts, c), sum(counts[c])
		share := func(n int) any {
			if n == 0 {
				return "–"
			}
			return viz.Number(float64(counts[c][c])/float64(n), 3)
		}
		f1 := any("–")
		if predicted+support > 0 {
			f1 = viz.Number(2*float64(counts[c][c])/float64(predicted+support), 3)
		}
		rows = append(rows, []any{t.Classes[c], share(predicted), share(support), f1, support})
	}
	f := viz.Table("Precision, recall and support of each class", fmt.Sprintf("%s, held-out points of "+
		"%s. A point counts once for each split that tests it.", capitalize(comparison{Table: t}.label(method)),
		viz.FormatCount(len(runs), "split")),
		[]string{"class", "precision", "recall", "F1", "support"}, rows...).
		WithDetails(noteOnHiddenClasses(t))
	for j, help := range []string{"Of the points assigned to the class, the share that belongs to it.",
		"Of the points of the class, the share assigned to it.", "Harmonic mean of precision and recall.",
		"Number of held-out points of the class."} {
		f.Sheet.Columns[1+j].Help = help
	}
	return f
}

func sum(counts []int) (total int) {
	for _, n := range counts {
		total += n
	}
	return total
}

// columnSum returns the sum of a column of counts.
func columnSum(counts [][]int, column int) (total int) {
	for _, row := range counts {
		total += row[column]
	}
	return total
}

// reliabilityChart returns the reliability diagram of l: for held-out points in bins by the predicted probability of a
// class (of two classes, the second), the observed share of this class against the mean probability.
func reliabilityChart(l *learn.Learned) viz.Figure {
	var p viz.Points
	distanceSum, pointCount := 0.0, 0
	for _, b := range l.Reliability {
		p.X, p.Y = append(p.X, b.Mean), append(p.Y, b.Share)
		distanceSum += float64(b.N) * math.Abs(b.Mean-b.Share)
		pointCount += b.N
	}
	class := "each class"
	if len(l.Model.Classes) == 2 {
		class = l.Model.Classes[1]
	}
	title := fmt.Sprintf("Probabilities differ from observed shares by %.1f percentage points on average",
		100*distanceSum/float64(pointCount))
	caption := fmt.Sprintf("Reliability: %d probabilities of %s for held-out points, in bins of equal width.",
		pointCount, class)
	return viz.Lines(title, caption, viz.Line{Name: "found", XYs: p, Mark: viz.MarkBoth},
		viz.Line{Name: "calibrated", XYs: viz.Points{X: []float64{0, 1}, Y: []float64{0, 1}}}).
		WithAxes("probability", "observed share of the class").AsSquare()
}
