package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/viz"
)

// Table is what a Study found. It is plain data.
type Table struct {
	Data        string // name of the dataset
	Points      int
	Classes     bool
	Train, Test int // points in the parts of the first split
	Splits      int // planned
	Baseline    string
	Rows        []Row
	Stopped     bool     // some splits are missing: the run was stopped
	Notes       []string // what a reader should know
	Seconds     float64  // by the clock, of the whole run
	Seed        uint64
	Ratio       float64 // mean over splits of n_test/n_train, for intervals
}

// Row is one method.
type Row struct {
	Method string
	Runs   []Run // of the splits finished, ascending
}

// Run is one method on one split.
type Run struct {
	Split    int         // from 0
	Score    model.Score // on the points tested on
	Constant string      // of the loss: "λ", "C"
	Value    float64     // of it, chosen
	Label    string      // chosen beside it: "Λ=2", a single kernel; "" if there was nothing to choose
	Edge     bool        // the value is at an end of the path it was chosen from, grown as far as it may
	Status   mkl.Status
	Kind     mkl.Kind
	Gap      float64   // relative, certified; of the residual where Kind is FirstOrder; 0 of rules
	Theta    []float64 // m weights
	Seconds  float64   // of the fit and its score, without the choice of constants
}

// table collects the results.
func (r *run) table() *Table {
	t := &Table{Data: r.Data.Name, Points: len(r.Data.Y), Classes: r.Data.Classes != nil, Splits: len(r.Splits),
		Train: len(r.Splits[0].Train), Test: len(r.Splits[0].Test), Baseline: r.Baseline, Seed: r.Seed}
	if t.Baseline == "" {
		t.Baseline = r.Methods[0].Name
	}
	for _, s := range r.Splits {
		t.Ratio += float64(len(s.Test)) / float64(len(s.Train)) / float64(len(r.Splits))
	}
	for i := range r.Methods {
		row := Row{Method: r.Methods[i].Name}
		for _, res := range r.results[i] {
			if res == nil {
				t.Stopped = true
				continue
			}
			row.Runs = append(row.Runs, *res)
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = r.notes(t.Rows)
	return t
}

// notes say how constants were chosen, where at an end of a grid, and what splits could not do.
func (r *run) notes(rows []Row) (notes []string) {
	var ways, looked []string
	methods := map[string][]string{}
	for i := range r.Methods {
		m := &r.Methods[i]
		if r.grids[i].size() == 1 {
			continue
		}
		how := m.selection(r.Selection)
		w := how.String()
		if !slices.Contains(ways, w) {
			ways = append(ways, w)
		}
		methods[w] = append(methods[w], m.Name)
		if how.Folds == LeaveOneOut && slices.ContainsFunc(r.grids[i].others, func(c Candidate) bool { return !blind(c.Rule) }) {
			looked = append(looked, m.Name)
		}
	}
	for _, w := range ways {
		s := "Constants were chosen by " + w
		if len(ways) > 1 {
			s = strings.Join(methods[w], ", ") + ": constants chosen by " + w
		}
		if r.Selection.Once {
			s += ", once, on all the data, the points tested on included: the scores are optimistic."
		} else {
			s += " inside each training part."
		}
		notes = append(notes, s)
	}
	if len(looked) > 0 {
		notes = append(notes, strings.Join(looked, ", ")+": leave-one-out is optimistic, because the weights have seen the label left out.")
	}
	for i, row := range rows {
		edge := 0
		for _, run := range row.Runs {
			if run.Edge {
				edge++
			}
		}
		if edge > 0 {
			notes = append(notes, fmt.Sprintf("%s: %s at an end of its grid in %d of %d splits.", row.Method, r.grids[i].path.constant, edge, len(row.Runs)))
		}
	}
	if c := lone(r.y); r.classes && c >= 0 {
		notes = append(notes, fmt.Sprintf("The class %s has one point: no split can both train and test on it.", r.Data.Classes[c]))
	}
	return notes
}

// blind reports whether a rule is known to look at no target.
func blind(r mkl.Rule) bool {
	switch r.(type) {
	case mkl.Uniform, Only:
		return true
	}
	return false
}

// row finds a method; it panics where there is none of that name, as a map would not.
func (t *Table) row(method string) *Row {
	for i := range t.Rows {
		if t.Rows[i].Method == method {
			return &t.Rows[i]
		}
	}
	panic(fmt.Sprintf("study: the table has no method %q", method))
}

// Metrics are those defined for the data, the one to look at first.
func (t *Table) Metrics() []Metric {
	if t.Classes {
		return []Metric{RMSE, Accuracy, ErrorRate, Balanced, AUC, MAE, R2}
	}
	return []Metric{RMSE, MAE, R2}
}

// Values returns the metric of a method by split, NaN where it is not finished or not defined. It
// panics if there is no such method.
func (t *Table) Values(method string, m Metric) []float64 {
	v := slices.Repeat([]float64{math.NaN()}, t.Splits)
	for _, run := range t.row(method).Runs {
		v[run.Split] = m.Of(run.Score)
	}
	return v
}

// Summary returns mean, standard deviation and interval of the metric of a method over splits. It
// panics if there is no such method.
func (t *Table) Summary(method string, m Metric) Summary {
	s := Summary{Method: method, Metric: m}
	s.Mean, s.SD, s.N = spread(t.Values(method, m))
	h := half(s.SD, s.N, t.Ratio)
	s.Lo, s.Hi = s.Mean-h, s.Mean+h
	return s
}

// Compare returns the paired difference of a method to another, the table's baseline if that is
// empty. It panics if there is no such method.
func (t *Table) Compare(method, baseline string, m Metric) Difference {
	if baseline == "" {
		baseline = t.Baseline
	}
	d := Difference{Method: method, Baseline: baseline, Metric: m}
	x, b := t.Values(method, m), t.Values(baseline, m)
	for i := range x {
		x[i] -= b[i]
	}
	var sd float64
	d.Mean, sd, d.N = spread(x)
	h := half(sd, d.N, t.Ratio)
	d.Lo, d.Hi = d.Mean-h, d.Mean+h
	return d
}

// Worst returns the largest relative gap of a method's solves and what is proved of all of them:
// mkl.Certified, mkl.Stationary (first order only), mkl.EvaluatedOnly of a rule, or the first early
// end, such as mkl.IterationLimit.
func (r *Row) Worst() (gap float64, status mkl.Status) {
	status = mkl.NotDone
	for _, run := range r.Runs {
		gap = math.Max(gap, run.Gap)
		switch {
		case status.Early() && status != mkl.NotDone:
		case run.Status.Early(), status == mkl.NotDone, run.Status == mkl.Stationary:
			status = run.Status
		}
	}
	return gap, status
}

// Certified reports whether every solve of every method reached a global certificate; rules, which
// minimise nothing, do not count.
func (t *Table) Certified() bool {
	for i := range t.Rows {
		if _, s := t.Rows[i].Worst(); s != mkl.Certified && s != mkl.EvaluatedOnly {
			return false
		}
	}
	return true
}

// Value returns the median of the chosen values of the loss's constant and their range.
func (r *Row) Value() (median, lo, hi float64) {
	if len(r.Runs) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	var l []float64
	for _, run := range r.Runs {
		l = append(l, run.Value)
	}
	slices.Sort(l)
	return l[(len(l)-1)/2], l[0], l[len(l)-1]
}

// Label returns what was chosen most often beside that constant, and how often.
func (r *Row) Label() (label string, times int) {
	count := map[string]int{}
	for _, run := range r.Runs {
		count[run.Label]++
		if count[run.Label] > times || count[run.Label] == times && run.Label < label {
			label, times = run.Label, count[run.Label]
		}
	}
	return label, times
}

// proof is Worst for people.
func (r *Row) proof() string {
	switch gap, status := r.Worst(); status {
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

// String is the table as text: the first metric, and accuracy of classes.
func (t *Table) String() string { return t.Figure().Text() }

// caption says what the numbers are of.
func (t *Table) caption() string {
	s := fmt.Sprintf("%s: %d splits of %d points into %d to train and %d to test on, seed %d.", t.Data, t.Splits, t.Points, t.Train, t.Test, t.Seed)
	if t.Stopped {
		s += " Stopped: " + t.finished() + "."
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

// columns are the metrics that Figure shows.
func (t *Table) columns() []Metric {
	if t.Classes {
		return []Metric{RMSE, Accuracy}
	}
	return []Metric{RMSE, MAE}
}

// Figure is the table: mean ± sd of the metrics over splits, the paired difference of the first of
// them to the baseline, the constants chosen, and what is proved of the solves.
func (t *Table) Figure() viz.Figure {
	cols := t.columns()
	header := []string{"method"}
	for _, m := range cols {
		header = append(header, string(m))
	}
	than := t.Baseline
	if than == "" {
		than = "the first"
	}
	constant := t.constant()
	header = append(header, fmt.Sprintf("%s − that of %s [95 %%]", cols[0], than), constant, "chosen", "relative gap", "s per fit")
	lead := t.leader(cols[0])
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
				row = append(row, viz.Number(s.Mean, 3))
				continue
			}
			c := viz.Spread(s.Mean, s.SD, 3)
			if j == 0 && i == lead {
				c = viz.Strong(c)
			}
			row = append(row, c)
		}
		d := t.Compare(r.Method, "", cols[0])
		switch {
		case r.Method == t.Baseline || d.N == 0:
			row = append(row, "–")
		case d.N == 1:
			row = append(row, signed("%+.3f", d.Mean))
		default:
			row = append(row, signed("%+.3f [%+.3f, %+.3f]", d.Mean, d.Lo, d.Hi))
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
		rows = [][]any{{"–", "–", "–", "–", "–", "–", "nothing finished", "–"}}
	}
	notes := []string{"Mean ± standard deviation over splits. Intervals: corrected resampled t-test of Nadeau and Bengio, 95 % nominally."}
	if !t.Certified() {
		notes = append(notes, "Not every solve is certified to be a global minimum: see the column of gaps.")
	}
	return viz.Table(t.title(cols[0]), t.caption(), header, rows...).WithNotes(append(notes, t.Notes...)...)
}

// mixed heads the column of constants where the losses have different ones.
const mixed = "constant"

// constant is the name of the constant of every loss, or mixed.
func (t *Table) constant() string {
	name := ""
	for _, r := range t.Rows {
		for _, run := range r.Runs {
			if name != "" && name != run.Constant {
				return mixed
			}
			name = run.Constant
		}
	}
	if name == "" {
		return mixed
	}
	return name
}

// leader is the number of the row with the best mean of the metric.
func (t *Table) leader(m Metric) int {
	at, low := -1, math.Inf(1)
	for i, r := range t.Rows {
		s := t.Summary(r.Method, m)
		if m.Larger() {
			s.Mean = -s.Mean
		}
		if s.N > 0 && s.Mean < low {
			at, low = i, s.Mean
		}
	}
	return at
}

// title says what was found of the metric.
func (t *Table) title(m Metric) string {
	lead := t.leader(m)
	if lead < 0 {
		return "No split was finished"
	}
	name := t.Rows[lead].Method
	if len(t.Rows) == 1 {
		return fmt.Sprintf("%s has a mean %s of %.3f on %s", sentence(name), m, t.Summary(name, m).Mean, t.Data)
	}
	var rest []string
	for i, r := range t.Rows {
		if d := t.Compare(name, r.Method, m); i != lead && !d.Clear() {
			rest = append(rest, r.Method)
		}
	}
	most, side := "smallest", "below"
	if m.Larger() {
		most, side = "largest", "above"
	}
	s := fmt.Sprintf("%s has the %s mean %s on %s", sentence(name), most, m, t.Data)
	switch len(rest) {
	case 0:
		return s + ", clearly"
	case len(t.Rows) - 1:
		return s + ", but not clearly"
	}
	return s + ", not clearly " + side + " " + strings.Join(rest, ", ")
}

// sentence is s with a capital first letter.
func sentence(s string) string {
	for i, r := range s {
		return strings.ToUpper(string(r)) + s[i+len(string(r)):]
	}
	return s
}

// Bars is a bar for each method: the mean of the metric, and its interval.
func (t *Table) Bars(m Metric) viz.Figure {
	var names []string
	var mean, lo, hi []float64
	n := 0
	for _, r := range t.Rows {
		s := t.Summary(r.Method, m)
		if s.N == 0 {
			continue
		}
		n = max(n, s.N)
		if math.IsNaN(s.Lo) {
			s.Lo, s.Hi = s.Mean, s.Mean
		}
		names, mean, lo, hi = append(names, r.Method), append(mean, s.Mean), append(lo, s.Lo), append(hi, s.Hi)
	}
	caption := t.caption()
	if n > 1 {
		caption += " Error bars: 95 % interval of the mean, corrected resampled t."
	}
	if !t.Certified() {
		caption += " Not every solve is certified."
	}
	b := viz.Bar{Name: string(m), Values: mean}
	if n > 1 {
		b.Lo, b.Hi, b.Band = lo, hi, fmt.Sprintf("95 %% interval of the mean of %d splits", n)
	}
	return viz.Bars(t.title(m), caption, names, b).WithAxes("method", string(m))
}
