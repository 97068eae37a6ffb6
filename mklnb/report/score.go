package report

import (
	"fmt"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

// Score returns the report of a score of a model on points: the error, and folded the other metrics and the confusion
// matrix. If there are several targets, a table has the metrics of each.
func Score(s model.Score) (r Report) {
	m, metrics := compare.RMSE, []compare.Metric{compare.RMSE, compare.MAE, compare.R2}
	text := fmt.Sprintf("RMSE %s on %s", viz.Digits(s.RMSE)[0], viz.Count(s.N, "point"))
	if s.Classes > 0 {
		m = compare.ErrorRate
		metrics = []compare.Metric{compare.ErrorRate, compare.Accuracy, compare.Balanced, compare.F1, compare.AUC}
		text = fmt.Sprintf("error rate %s on %s (accuracy %s)", format(m, m.Of(s))[0], viz.Count(s.N, "point"),
			format(m, s.Accuracy)[0])
	}
	if s.Targets != nil {
		text += fmt.Sprintf(", mean over %d targets, each in its own unit", len(s.Targets))
	}
	r.say("Score", text+".")
	header := []string{"target"}
	for _, m := range metrics {
		header = append(header, string(m))
	}
	row := func(name string, s model.Score) []any {
		cells := []any{name}
		for _, m := range metrics {
			cells = append(cells, viz.Digits(m.Of(s))[0])
		}
		return cells
	}
	rows := [][]any{row("all", s)}
	for j, t := range s.Targets {
		rows = append(rows, row(fmt.Sprint(j+1), t))
	}
	r.fold("All metrics", Report{{Figure: new(viz.Table("All metrics", "On the points that were scored.", header,
		rows...))}})
	return r
}
