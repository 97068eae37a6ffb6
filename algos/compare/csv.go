package compare

import (
	"encoding/csv"
	"io"
	"math"
	"strconv"
)

// WriteCSV writes the table as CSV with exact numbers: one row for each method and finished split, with all metrics,
// the chosen hyperparameters, and the status, relative gap and seconds of the fit. A metric that is not defined is an
// empty cell.
func (t *Table) WriteCSV(w io.Writer) error {
	head := []string{"method", "split"}
	for _, m := range t.Metrics() {
		head = append(head, string(m))
	}
	lines := [][]string{append(head, "hyperparameter", "value", "chosen", "status", "relative gap", "seconds")}
	number := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for _, row := range t.Rows {
		for _, run := range row.Runs {
			line := []string{row.Method, strconv.Itoa(run.Split + 1)}
			for _, m := range t.Metrics() {
				line = append(line, number(m.Of(run.Score)))
			}
			lines = append(lines, append(line, run.Constant, number(run.Value), run.Label, run.Status.String(),
				number(run.Gap), number(run.Seconds)))
		}
	}
	return csv.NewWriter(w).WriteAll(lines)
}
