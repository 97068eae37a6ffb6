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

// confusionTable returns a table with the share of the points of each class (rows) that a method assigned to each class
// (columns), over the test points of all splits. Of more than maxConfusionClasses classes, it has those with the most
// errors. It panics if there are no classes.
func confusionTable(t *compare.Table, method string) viz.Figure {
	k := len(t.Classes)
	counts, decisionCount, correctCount := make([][]int, k), 0, 0
	for c := range counts {
		counts[c] = make([]int, k)
	}
	runs := t.Row(method).Runs
	for _, run := range runs {
		for c, row := range run.Score.Confusion {
			for d, pointCount := range row {
				counts[c][d] += pointCount
				decisionCount += pointCount
			}
			correctCount += row[c]
		}
	}
	shown := points.AllIndices(k)
	if k > maxConfusionClasses {
		errorCount := func(c int) int { return sum(counts[c]) - counts[c][c] }
		slices.SortStableFunc(shown, func(a, b int) int { return cmp.Compare(errorCount(b), errorCount(a)) })
		shown = shown[:maxConfusionClasses]
		slices.Sort(shown)
	}
	largestShare, trueClass, predictedClass := 0.0, 0, 0
	header := []string{"class"}
	var rows [][]any
	for _, c := range shown {
		header = append(header, "as "+t.Classes[c])
		entries, classTotal := []any{t.Classes[c]}, sum(counts[c])
		for _, d := range shown {
			pointCount := counts[c][d]
			share := float64(pointCount) / math.Max(1, float64(classTotal))
			cell := viz.Number(share, 3)
			if c == d {
				cell = viz.Emphasize(cell)
			} else if share > largestShare {
				largestShare, trueClass, predictedClass = share, c, d
			}
			entries = append(entries, cell)
		}
		rows = append(rows, entries)
	}
	title := fmt.Sprintf("%s classifies %d of %d test points of %s correctly", capitalize(method), correctCount,
		decisionCount, t.Data)
	if largestShare > 0 {
		title = fmt.Sprintf("%s most often mistakes %s for %s, in %.0f %%", capitalize(method),
			t.Classes[trueClass], t.Classes[predictedClass], 100*largestShare)
	}
	caption := fmt.Sprintf("The share of each class (row) that was assigned to each class (column): %d decisions in "+
		"%d splits, %d of them correct.", decisionCount, len(runs), correctCount)
	if len(shown) < k {
		caption += fmt.Sprintf(" Shown: the %d of %d classes with the most errors.", len(shown), k)
	}
	return viz.Table(title, caption, header, rows...)
}

func sum(counts []int) (total int) {
	for _, n := range counts {
		total += n
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
	title := fmt.Sprintf("The predicted probabilities differ from the observed shares of the class by %.1f "+
		"percentage points on average, weighted by the number of points",
		100*distanceSum/float64(pointCount))
	caption := fmt.Sprintf("Reliability: %d probabilities of %s for held-out points, in bins of equal width.",
		pointCount, class)
	return viz.Lines(title, caption, viz.Line{Name: "found", XYs: p, Mark: viz.MarkBoth},
		viz.Line{Name: "calibrated", XYs: viz.Points{X: []float64{0, 1}, Y: []float64{0, 1}}}).
		WithAxes("probability", "observed share of the class")
}
