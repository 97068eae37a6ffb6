package report

import (
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

// OfScore returns the report of the score of a model on points: the error, and a folded table of all metrics. If there
// are several targets, the table has a column for each.
func OfScore(s model.Score) (r Report) {
	pointsText, trainingWarning := viz.FormatCount(s.N, "point"), ""
	if least := min(s.StoredPoints, s.N); s.SharedPoints > 0 && 20*s.SharedPoints >= least {
		if s.SharedPoints == least {
			pointsText = viz.FormatCount(s.N, "training point")
		}
		trainingWarning = fmt.Sprintf("%d of the %d training points in the model are among these points, so the score "+
			"is too good. Report the error on new data that the result of Learn states.", s.SharedPoints,
			s.StoredPoints)
	}
	metrics := []model.Metric{model.RMSE, model.MAE, model.R2}
	if s.Classes > 0 {
		metrics = []model.Metric{model.ErrorRate, model.Accuracy, model.Balanced, model.F1, model.AUC, model.RMSE}
	}
	text := fmt.Sprintf("%s %s on %s", capitalize(string(metrics[0])),
		formatValues(metrics[0], metrics[0].ValueIn(s))[0], pointsText)
	names, taus, pinballLoss := make([]string, len(s.Targets)), []float64(nil), 0.0
	for j, t := range s.Targets {
		names[j] = fmt.Sprint("target ", j+1)
		if t.Quantile != nil {
			taus, pinballLoss = append(taus, t.Quantile.Tau), pinballLoss+t.Quantile.PinballLoss
		}
	}
	if model.AreOfOneTarget(taus) {
		for j, tau := range taus {
			names[j] = fmt.Sprint("quantile ", tau)
		}
		text = fmt.Sprintf("mean pinball loss %s on %s, mean over %d quantiles",
			formatWithEqualDecimals(pinballLoss / float64(len(taus)))[0], pointsText, len(taus))
	} else if s.Targets != nil {
		text += fmt.Sprintf(", mean over %d targets, each in its own unit", len(s.Targets))
	}
	if s.Quantile != nil {
		text = describeQuantileScore(s.Quantile) + " on " + pointsText
	}
	if s.DroppedPoints > 0 {
		text += fmt.Sprintf("; %s of the file left out", viz.FormatCount(s.DroppedPoints, "row"))
	}
	r.addHeadline("", text)
	if trainingWarning != "" {
		r.addWarnings(trainingWarning)
	}
	if p := s.Probabilities; p != nil {
		r.addText("Probabilities", fmt.Sprintf("log loss %s, Brier score %s (0 is best for both).",
			formatWithEqualDecimals(p.LogLoss)[0], formatWithEqualDecimals(p.Brier)[0]))
	}
	for j, score := range append([]model.Score{s}, s.Targets...) {
		of := ""
		if j > 0 {
			of = " of " + names[j-1]
		}
		if v := score.Intervals; v != nil {
			r.addText("Intervals"+of, fmt.Sprintf("%s of the targets are in their interval (level %g); the mean width "+
				"of the intervals is %s.", formatPercent(v.Coverage)[0], v.Level,
				formatWithEqualDecimals(v.MeanWidth)[0]))
		}
		if score.Quantile != nil && j > 0 {
			r.addText(capitalize(names[j-1]), describeQuantileScore(score.Quantile)+".")
		}
	}
	header := append([]string{"metric", "value"}, names...)
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

// describeQuantileScore returns the scores of a quantile, which RMSE and R² do not measure, in words.
func describeQuantileScore(q *model.QuantileScore) string {
	return fmt.Sprintf("mean pinball loss %s of the quantile %g, with %s of the targets at or below the prediction",
		formatWithEqualDecimals(q.PinballLoss)[0], q.Tau, formatPercent(q.ShareBelow)[0])
}
