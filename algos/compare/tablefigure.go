package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// proof formats the result of MaxGap.
func (r *Row) proof() string {
	switch gap, status := r.MaxGap(); status {
	case mkl.Certified:
		return fmt.Sprintf("≤ %.1e", gap)
	case mkl.EvaluatedOnly:
		return "–"
	case mkl.Stationary:
		return "first order only"
	case mkl.NotDone:
		return "nothing finished"
	default:
		return fmt.Sprintf("not certified (%v)", status)
	}
}

// String returns the table of Figure as text.
func (t *Table) String() string { return t.Figure().Text() }

// caption returns the dataset, the number and sizes of the splits, the seed, and the finished splits if the run is not
// complete.
func (t *Table) caption() string {
	s := fmt.Sprintf("%s: %d splits of %d points into %d to train and %d to test on, seed %d.", t.Data, t.Splits,
		t.Points, t.Train, t.Test, t.Seed)
	if t.Stopped {
		s += " " + viz.Capitalize(t.finished()) + "."
	}
	return s
}

func (t *Table) finished() string {
	var parts []string
	for _, r := range t.Rows {
		parts = append(parts, fmt.Sprintf("%s %d", r.Method, len(r.Runs)))
	}
	return fmt.Sprintf("splits finished of %d: %s", t.Splits, strings.Join(parts, ", "))
}

// Figures returns the table and, if a split is finished, a dot plot of the accuracies or root mean squared errors.
func (t *Table) Figures() []viz.Figure {
	m := RMSE
	if t.Classes != nil {
		m = Accuracy
	}
	if t.leader(m) < 0 {
		return []viz.Figure{t.Figure()}
	}
	return []viz.Figure{t.Figure(), t.Dots(m)}
}

// Figure returns the table as a figure: mean ± sd of the metrics over splits, the paired difference of the first metric
// to the baseline, the chosen hyperparameters, and the certified gap of the solves.
func (t *Table) Figure() viz.Figure {
	cols, _ := t.metrics()
	header := []string{"method"}
	for _, m := range cols {
		header = append(header, string(m))
	}
	than := t.Baseline
	if than == "" {
		than = "the first"
	}
	constant := t.constant()
	header = append(header, fmt.Sprintf("%s − that of %s [95 %%]", cols[0], than), constant, "chosen", "relative gap",
		"s per fit")
	lead := t.leader(cols[0])
	if t.single(cols[0]) {
		lead = -1
	}
	var rows [][]any
	for i := range t.Rows {
		r := &t.Rows[i]
		row := []any{r.Method}
		for j, m := range cols {
			s := t.Summary(r.Method, m)
			switch {
			case s.N == 0:
				row = append(row, "–")
				continue
			case s.N == 1:
				row = append(row, spreadCell(s.Mean, math.NaN()))
				continue
			}
			c := spreadCell(s.Mean, s.SD)
			if j == 0 && i == lead {
				c = viz.Strong(c)
			}
			row = append(row, c)
		}
		d := t.Compare(r.Method, "", cols[0])
		if r.Method == t.Baseline || d.N == 0 {
			row = append(row, "–")
		} else {
			row = append(row, d.numbers("%+.3f"))
		}
		if len(r.Runs) == 0 {
			rows = append(rows, append(row, "–", "–", r.proof(), "–"))
			continue
		}
		mid, lo, hi := r.Value()
		value := fmt.Sprintf("%.3g", mid)
		if lo != hi {
			value += fmt.Sprintf(" [%.3g, %.3g]", lo, hi)
		}
		if constant == mixed {
			value = r.Runs[0].Constant + " = " + value
		}
		choice, times := r.Label()
		if choice == "" {
			choice = "–"
		} else if times < len(r.Runs) {
			choice += fmt.Sprintf(" (%d of %d)", times, len(r.Runs))
		}
		seconds := 0.0
		for _, run := range r.Runs {
			seconds += run.Seconds / float64(len(r.Runs))
		}
		rows = append(rows, append(row, value, choice, r.proof(), fmt.Sprintf("%.2g", seconds)))
	}
	if len(rows) == 0 {
		none := slices.Repeat([]any{"–"}, len(header))
		none[len(none)-2] = "nothing finished"
		rows = [][]any{none}
	}
	notes := []string{"Mean ± standard deviation over splits. Intervals: corrected resampled t-test of Nadeau and " +
		"Bengio, 95 % nominally."}
	if t.single(cols[0]) {
		notes = []string{OneSplit + ": there are no deviations and no intervals."}
	}
	if !t.Certified() {
		notes = append(notes, "Not every solve is certified to be a global minimum: see the column of gaps.")
	}
	return viz.Table(t.title(cols[0]), t.caption(), header, rows...).WithNotes(append(notes, t.Notes...)...)
}

// spreadCell returns a cell with a mean and a deviation. Both have three decimals, or none if the mean is at least
// 1,000. If the mean is so small or so large that these decimals would not help (below 0.01, or at least 1e6),
// viz.Digits formats the mean, and the deviation has two significant digits. A deviation of NaN is omitted.
func spreadCell(mean, sd float64) viz.Cell {
	c := viz.Spread(mean, sd, viz.Decimals(math.Abs(mean)))
	if size := math.Abs(mean); size > 0 && size < 0.01 || size >= 1e6 {
		c.Text = viz.Digits(mean)[0]
		if !math.IsNaN(sd) {
			c.Text += viz.FormatSigned(" ± %.2g", sd)
		}
	}
	return c
}

// mixed is the header of the hyperparameter column if the losses have different hyperparameters.
const mixed = "constant"

// constant returns the name of the hyperparameter that all losses have, or mixed.
func (t *Table) constant() string {
	var names []string
	for _, r := range t.Rows {
		for _, run := range r.Runs {
			names = append(names, run.Constant)
		}
	}
	if names = slices.Compact(names); len(names) == 1 && names[0] != "" {
		return names[0]
	}
	return mixed
}

// leader returns the index of the row with the best mean of the metric; −1 if no row has one.
func (t *Table) leader(m Metric) int {
	at, low := -1, math.Inf(1)
	for i, r := range t.Rows {
		s := t.Summary(r.Method, m)
		if m.HigherIsBetter() {
			s.Mean = -s.Mean
		}
		if s.N > 0 && s.Mean < low {
			at, low = i, s.Mean
		}
	}
	return at
}

// title returns a sentence with the main finding about the metric.
func (t *Table) title(m Metric) string {
	if note := t.lacks(m); note != "" {
		return viz.Capitalize(note)
	}
	lead := t.leader(m)
	if lead < 0 {
		return "No split was finished"
	}
	name := t.Rows[lead].Method
	if t.single(m) {
		return fmt.Sprintf("%s about the %s on %s", OneSplit, m, t.Data)
	}
	rows := slices.DeleteFunc(slices.Clone(t.Rows), func(r Row) bool { return t.Summary(r.Method, m).N == 0 })
	if len(rows) == 1 {
		return fmt.Sprintf("%s has a mean %s of %s on %s", viz.Capitalize(name), m, viz.Digits(t.Summary(name,
			m).Mean)[0],
			t.Data)
	}
	var rest []string
	others := 0
	for _, r := range rows {
		// the row of Learn is skipped if Learn selected the leader in every split
		if r.Method == name || slices.Equal(t.Values(r.Method, m), t.Values(name, m)) {
			continue
		}
		if others++; !t.Compare(name, r.Method, m).ExcludesZero() {
			rest = append(rest, r.Method)
		}
	}
	most, side := "smallest", "below"
	if m.HigherIsBetter() {
		most, side = "largest", "above"
	}
	s := fmt.Sprintf("%s has the %s mean %s on %s", viz.Capitalize(name), most, m, t.Data)
	switch len(rest) {
	case others:
		return s + ", but not clearly"
	case 0:
		return fmt.Sprintf("%s clearly has the %s mean %s on %s", viz.Capitalize(name), most, m, t.Data)
	}
	return s + ", not clearly " + side + " " + strings.Join(rest, ", ")
}

// single reports whether the metric of some method is defined on exactly one split.
func (t *Table) single(m Metric) bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool { return t.Summary(r.Method, m).N == 1 })
}

// Dots returns a chart with a dot for each method: the mean of the metric and its interval, cut to the range of the
// metric. The constant baseline (ConstantBaseline) is drawn as a line instead, unless it is the first method.
func (t *Table) Dots(m Metric) viz.Figure {
	var names []string
	var mean, lo, hi []float64
	n, base := 0, math.NaN()
	for _, r := range t.Rows {
		s := t.Summary(r.Method, m)
		if s.N == 0 {
			continue
		}
		if r.Method == ConstantBaseline && len(names) > 0 {
			base = s.Mean
			continue
		}
		n = max(n, s.N)
		if math.IsNaN(s.Lo) {
			s.Lo, s.Hi = s.Mean, s.Mean
		}
		names, mean = append(names, r.Method), append(mean, s.Mean)
		lo, hi = append(lo, max(s.Lo, metrics[m].lo)), append(hi, min(s.Hi, metrics[m].hi))
	}
	caption := t.caption()
	if n > 1 {
		caption += " Lines: 95 % interval of the mean, corrected resampled t; what two methods differ by is in the " +
			"table."
	}
	b := viz.Bar{Name: string(m), Values: mean}
	if n > 1 {
		b.Lo, b.Hi, b.Band = lo, hi, fmt.Sprintf("95 %% interval of the mean of %d splits", n)
	}
	f := viz.Dots(t.title(m), caption, names, b).WithAxes("", string(m))
	if !math.IsNaN(base) && len(names) > 0 {
		f = f.WithBaseline(t.noSkill(), base)
	}
	return f
}

// noSkill returns what the constant baseline predicts.
func (t *Table) noSkill() string {
	if t.Classes != nil {
		return "the class most often learned from"
	}
	if t.Log {
		return "the geometric mean"
	}
	return "the mean"
}
