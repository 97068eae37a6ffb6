package report

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

// OfScore returns the report of the score of a model on points: the error, and a folded table of all metrics. If there
// are several targets, the table has a column for each.
func OfScore(s model.Score) (r Report) {
	metrics := []compare.Metric{compare.RMSE, compare.MAE, compare.R2}
	text := fmt.Sprintf("RMSE %s on %s", formatWithEqualDecimals(s.RMSE)[0], viz.FormatCount(s.N, "point"))
	if s.Classes > 0 {
		metrics = []compare.Metric{compare.Accuracy, compare.Balanced, compare.F1, compare.AUC, compare.RMSE}
		text = fmt.Sprintf("error rate %s on %s (accuracy %s)", formatValues(compare.ErrorRate, 1-s.Accuracy)[0],
			viz.FormatCount(s.N, "point"), formatValues(compare.Accuracy, s.Accuracy)[0])
	}
	if s.Targets != nil {
		text += fmt.Sprintf(", mean over %d targets, each in its own unit", len(s.Targets))
	}
	r.addText("Score", text+".")
	header := []string{"metric", "value"}
	for j := range s.Targets {
		header = append(header, fmt.Sprintf("target %d", j+1))
	}
	var rows [][]any
	for _, m := range metrics {
		row := []any{string(m)}
		for _, score := range append([]model.Score{s}, s.Targets...) {
			v := formatWithEqualDecimals(m.ValueIn(score))[0]
			if math.IsNaN(m.ValueIn(score)) {
				v = "–"
			}
			row = append(row, viz.Cell{Text: v})
		}
		rows = append(rows, row)
	}
	r.addFolded("All metrics", Report{{Figure: new(viz.Table("Metrics",
		"Measured on the points that were passed to Score.", header, rows...))}})
	return r
}
