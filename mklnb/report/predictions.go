package report

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

// OfPredictedFile returns the report of a file of predictions: its name, the number of rows, and the first predictions.
func OfPredictedFile(f *model.PredictedFile) (r Report) {
	r.addHeadline("", fmt.Sprintf("%v.", f))
	shownPredictions := f.Predictions[:min(len(f.Predictions), headRows)]
	if len(shownPredictions) == 0 {
		return r
	}
	first := shownPredictions[0]
	hasFilled := slices.ContainsFunc(shownPredictions, func(p model.Prediction) bool { return p.Filled != "" })
	header := []string{"row", "prediction"}
	if first.Key != "" {
		header[0] = "key"
	}
	if first.Probabilities != nil {
		header = append(header, "probability of the class")
	}
	if first.Lower != nil {
		header = append(header, fmt.Sprintf("%g %% interval", 100*first.Level))
	}
	if hasFilled {
		header = append(header, "filled columns")
	}
	var rows [][]any
	for i, p := range shownPredictions {
		row := []any{i + 1, predictionCell(p)}
		if first.Key != "" {
			row[0] = p.Key
		}
		if p.Probabilities != nil {
			row = append(row, fmt.Sprintf("%.3f", slices.Max(p.Probabilities)))
		}
		if p.Lower != nil {
			var intervals []string
			for j := range p.Lower {
				intervals = append(intervals, fmt.Sprintf("%s to %s", viz.FormatNumber(p.Lower[j]),
					viz.FormatNumber(p.Upper[j])))
			}
			row = append(row, strings.Join(intervals, "; "))
		}
		if hasFilled {
			row = append(row, cmp.Or(p.Filled, "–"))
		}
		rows = append(rows, row)
	}
	r.addFigures(viz.Table(fmt.Sprintf("The first %s", viz.FormatCount(len(rows), "prediction")),
		"Rounded; "+filepath.Base(f.Path)+" has all digits.", header, rows...))
	return r
}

// predictionCell returns a prediction for a cell of a table: the class, the number, or the numbers of several targets
// as text.
func predictionCell(p model.Prediction) any {
	if p.Class != "" {
		return p.Class
	}
	if p.Values == nil {
		return p.Value
	}
	var values []string
	for _, v := range p.Values {
		values = append(values, viz.FormatNumber(v))
	}
	return strings.Join(values, ", ")
}

// maxChartPoints is the maximum number of held-out points in a chart.
const maxChartPoints = 2000

// predictionChart returns a chart of the prediction against the target at held-out points.
func predictionChart(l *learn.Learned) viz.Figure {
	step := (len(l.HeldOut) + maxChartPoints - 1) / maxChartPoints
	var p viz.Points
	var errors []float64
	for i, h := range l.HeldOut {
		errors = append(errors, math.Abs(h.Target-h.Prediction))
		if i%step == 0 {
			p.X, p.Y = append(p.X, h.Target), append(p.Y, h.Prediction)
		}
	}
	slices.Sort(errors)
	lowest, highest := min(slices.Min(p.X), slices.Min(p.Y)), max(slices.Max(p.X), slices.Max(p.Y))
	target := cmp.Or(inputEncoding(l).Label, "target")
	details := fmt.Sprintf("%s. Each is predicted by a model that was fitted to the other folds, with the "+
		"hyperparameters that were chosen on all points.", viz.FormatCount(len(l.HeldOut), "point"))
	if step > 1 {
		details += fmt.Sprintf(" Shown: one of every %d.", step)
	}
	return viz.Lines(fmt.Sprintf("Half of the held-out predictions are within %s of the true value",
		viz.FormatNumber(viz.RoundSignificant(errors[len(errors)/2], 3))),
		fmt.Sprintf("Held-out points, %d folds.", len(l.Model.Intervals.Folds)),
		viz.Line{Name: "held-out point", XYs: p, Mark: viz.MarkPoints},
		viz.Line{Name: "prediction = true value", XYs: viz.Points{X: []float64{lowest, highest},
			Y: []float64{lowest, highest}}}).
		WithAxes(target+", true value", target+", predicted").WithDetails(details).AsSquare()
}
