package report

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/viz"
)

// confusionTable returns a table with the share of the points of each class (rows) that a method assigned to each class
// (columns), over the test points of all splits. It panics if there are no classes.
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
	largestShare, trueClass, predictedClass := 0.0, 0, 0
	header := []string{"class"}
	var rows [][]any
	for c, row := range counts {
		header = append(header, "as "+t.Classes[c])
		entries, classTotal := []any{t.Classes[c]}, 0
		for _, pointCount := range row {
			classTotal += pointCount
		}
		for d, pointCount := range row {
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
	return viz.Table(title, caption, header, rows...)
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
