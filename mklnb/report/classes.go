package report

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Confusion returns a chart of the share of the points of each class (rows) that a method assigned to each class
// (columns), over the test points of all splits. It panics if there are no classes.
func Confusion(t *compare.Table, method string) viz.Figure {
	k := len(t.Classes)
	count, n, correct := make([][]int, k), 0, 0
	for c := range count {
		count[c] = make([]int, k)
	}
	runs := t.Row(method).Runs
	for _, run := range runs {
		for c, row := range run.Score.Confusion {
			for d, times := range row {
				count[c][d] += times
				n += times
			}
			correct += row[c]
		}
	}
	share, worst, trueClass, predictedClass := make(viz.Rows, k), 0.0, 0, 0
	for c, row := range count {
		share[c] = make([]float64, k)
		classTotal := 0
		for _, times := range row {
			classTotal += times
		}
		for d, times := range row {
			if classTotal > 0 {
				share[c][d] = float64(times) / float64(classTotal)
			}
			if c != d && share[c][d] > worst {
				worst, trueClass, predictedClass = share[c][d], c, d
			}
		}
	}
	title := fmt.Sprintf("%s classifies %d of %d test points of %s correctly", viz.Capitalize(method), correct, n,
		t.Data)
	if worst > 0 {
		title = fmt.Sprintf("%s most often mistakes %s for %s, in %.0f %%", viz.Capitalize(method),
			t.Classes[trueClass],
			t.Classes[predictedClass], 100*worst)
	}
	caption := fmt.Sprintf("The share of each class (row) that was assigned to each class (column): %d decisions in "+
		"%d splits, %d of them correct.", n, len(runs), correct)
	return viz.Matrix(title, caption, share).WithLabels(t.Classes, t.Classes).WithAxes("predicted class",
		"class").WithColour("share of the class").WithRange(0, 1)
}

// ROC returns the ROC curves of m for the points z with labels y: the true positive rate of a class against its false
// positive rate, as the threshold for the decision value of the class falls. For two classes, the figure has one curve.
// For more classes, it has one curve for each class that some points have and others do not.
func ROC(m *model.Model, z points.Points, y []float64) (viz.Figure, error) {
	score, err := m.Score(z, y)
	if err != nil {
		return viz.Figure{}, err
	}
	if m.Classes == nil {
		return viz.Figure{}, fmt.Errorf("report: %v has no classes for an ROC curve", m)
	}
	values, err := m.Values(z)
	if err != nil {
		return viz.Figure{}, err
	}
	var lines []viz.Line
	_, columns := values.Dims()
	for j := range columns {
		k := j
		if columns == 1 {
			k = 1
		}
		order, v, isClass, positives := make([]int, len(y)), mat.Col(nil, j, values), make([]bool, len(y)), 0
		floats.Argsort(v, order)
		for i, r := range order {
			if isClass[i] = m.TargetEncoding().Class(y[r]) == k; isClass[i] {
				positives++
			}
		}
		if positives == 0 || positives == len(y) {
			continue
		}
		truePositive, falsePositive, _ := stat.ROC(nil, v, isClass, nil)
		lines = append(lines, viz.Line{Name: m.Classes[k], XYs: viz.Points{X: falsePositive, Y: truePositive}})
	}
	if lines == nil {
		return viz.Figure{}, fmt.Errorf("report: all %d points have one class; an ROC curve needs both classes",
			len(y))
	}
	lines = append(lines, viz.Line{Name: "chance", XYs: viz.Points{X: []float64{0, 1}, Y: []float64{0, 1}}})
	title := fmt.Sprintf("The area under the curve is %.3f", score.AUC)
	if len(m.Classes) > 2 {
		title = fmt.Sprintf("The areas under the curves are %.3f on average", score.AUC)
	}
	caption := fmt.Sprintf("ROC curve of %d points: of each class the share that is assigned to it, against the share "+
		"of the other points that is assigned to it.", len(y))
	return viz.Lines(title, caption, lines...).WithAxes("false positive rate", "true positive rate"), nil
}

// reliabilityChart returns the reliability diagram of l: how often the predictions of a probability were true, against
// that probability. The points were held out.
func reliabilityChart(l *learn.Learned) viz.Figure {
	var p viz.Points
	distance, n := 0.0, 0
	for _, b := range l.Reliability {
		p.X, p.Y = append(p.X, b.Mean), append(p.Y, b.Share)
		distance += float64(b.N) * math.Abs(b.Mean-b.Share)
		n += b.N
	}
	class := "each class"
	if len(l.Model.Classes) == 2 {
		class = l.Model.Classes[1]
	}
	title := fmt.Sprintf("The probabilities differ from the shares that were true by %.1f percentage points",
		100*distance/float64(n))
	caption := fmt.Sprintf("Reliability: %d probabilities of %s for held-out points, in bins of equal width. Title: "+
		"the mean difference.", n, class)
	return viz.Lines(title, caption, viz.Line{Name: "found", XYs: p, Mark: viz.MarkBoth},
		viz.Line{Name: "calibrated", XYs: viz.Points{X: []float64{0, 1}, Y: []float64{0, 1}}}).
		WithAxes("probability", "share that was true")
}
