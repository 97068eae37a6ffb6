package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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
		"Rounded; the file, in the folder of the input file, has all digits.", header, rows...))
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
