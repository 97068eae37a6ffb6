package report

import (
	"cmp"
	"fmt"
	"math"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

// OfScore returns the report of the score of a model on points: the error, that of the constant baseline, whether to
// report it, and a folded table of all metrics. If there are several targets, the table has a column for each.
func OfScore(s model.Score) (r Report) {
	metrics := []model.Metric{model.RMSE, model.MAE, model.R2}
	if s.Classes > 0 {
		metrics = []model.Metric{model.ErrorRate, model.Accuracy, model.Balanced, model.F1, model.AUC, model.RMSE}
	}
	names, taus := make([]string, len(s.Targets)), []float64(nil)
	for j, t := range s.Targets {
		names[j] = fmt.Sprint("target ", j+1)
		if t.Quantile != nil {
			taus = append(taus, t.Quantile.Tau)
		}
	}
	if model.AreOfOneTarget(taus) {
		for j, tau := range taus {
			names[j] = fmt.Sprint("quantile ", tau)
		}
	}
	r.addScore(s, metrics[0], model.AreOfOneTarget(taus))
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
			r.addText("Intervals"+of, fmt.Sprintf("%s of the targets are in their %g %% interval; the mean width of "+
				"the intervals is %s.", formatPercent(v.Coverage)[0], 100*v.Level,
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

// addScore appends the error, in large letters, the error of the constant baseline on the same points, and whether the
// points are new to the model. areQuantiles states that the targets are quantiles of one target.
func (r *Report) addScore(s model.Score, m model.Metric, areQuantiles bool) {
	least := min(s.StoredPoints, s.N)
	areOfTraining := s.SharedPoints > 0 && 20*s.SharedPoints >= least
	pointsText := viz.FormatCount(s.N, "point")
	switch {
	case areOfTraining && s.SharedPoints == least:
		pointsText = viz.FormatCount(s.N, "training point")
	case s.StoredPoints > 0 && s.SharedPoints == 0:
		pointsText = viz.FormatCount(s.N, "new point")
	}
	if s.Groups > 0 {
		pointsText += " of " + viz.FormatCount(s.Groups, "group")
	}
	value := m.ValueIn(s)
	text := fmt.Sprintf("%s %s on %s", capitalize(string(m)), formatValues(m, value)[0], pointsText)
	switch {
	case areQuantiles:
		pinballLoss := 0.0
		for _, t := range s.Targets {
			pinballLoss += t.Quantile.PinballLoss / float64(len(s.Targets))
		}
		text = fmt.Sprintf("mean pinball loss %s on %s, mean over %d quantiles",
			formatWithEqualDecimals(pinballLoss)[0], pointsText, len(s.Targets))
	case s.Targets != nil:
		text += fmt.Sprintf(", mean over %d targets, each in its own unit", len(s.Targets))
	case s.Quantile != nil:
		text = describeQuantileScore(s.Quantile) + " on " + pointsText
	case s.Classes > 0 && !areOfTraining:
		lo, hi := compare.WilsonInterval(value, cmp.Or(s.Groups, s.N)) // points of one group are not independent
		ends := formatValues(m, lo, hi)
		text += fmt.Sprintf(" (%s)", intervalText(ends[0], ends[1]))
	}
	if s.DroppedPoints > 0 {
		text += fmt.Sprintf("; %s of the file left out", viz.FormatCount(s.DroppedPoints, "row"))
	}
	r.addHeadline("", text)
	largestClass := 0
	for _, row := range s.Confusion {
		largestClass = max(largestClass, sum(row))
	}
	switch {
	case s.Targets != nil || s.Quantile != nil:
	case largestClass > 0:
		r.addBaseline("their most frequent class", m, 1-float64(largestClass)/float64(s.N), value)
	case s.R2 < 1 && value > 0:
		r.addBaseline("their mean", m, value/math.Sqrt(1-s.R2), value)
	}
	switch {
	case areOfTraining:
		r.addWarnings(fmt.Sprintf("%d of the %d training points in the model are among these points, so the score "+
			"is too good. Report the error on new data that the result of Learn states.", s.SharedPoints,
			s.StoredPoints))
	case s.StoredPoints > 0:
		r.addText("", "Report this error if these points are like those that you will predict, and you did not choose "+
			"the model by them.")
	}
}

// describeQuantileScore returns the scores of a quantile, which RMSE and R² do not measure, in words.
func describeQuantileScore(q *model.QuantileScore) string {
	return fmt.Sprintf("mean pinball loss %s of the quantile %g, with %s of the targets at or below the prediction",
		formatWithEqualDecimals(q.PinballLoss)[0], q.Tau, formatPercent(q.ShareBelow)[0])
}
