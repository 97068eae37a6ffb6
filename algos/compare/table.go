package compare

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"

	"gonum.org/v1/gonum/stat"
)

// Table holds the results of a Study. It is plain data.
type Table struct {
	Data           string // name of the dataset
	Points         int
	Classes        []string // names of the classes; nil for regression
	Targets        []string // names of the targets if there are several, or nil; scores are then means over them
	TargetsAreLogs bool     // logarithms of targets were fitted; scores are in the units of the data
	TrainPoints    int      // number of training points of the first split
	TestPoints     int      // number of test points of the first split
	Splits         int      // number of splits of the study, finished or not
	Baseline       string   // name of the method with which the others are compared
	Rows           []Row
	Stopped        bool     // results of some splits are missing, because the run was stopped or is not finished
	Notes          []string // sentences on limitations of the results
	TotalSeconds   float64  // wall-clock time of the whole run
	Seed           uint64   // Study.Seed, which draws folds; the splits may have been drawn with another one
	TestTrainRatio float64  // mean over splits of (test points)/(training points), for intervals
	// By is Selection.By, the metric by which hyperparameters were chosen. If it is model.ErrorRate, accuracy comes
	// first in Metrics.
	By model.Metric
	// TestedCount is the number of different points, or groups of points, in the test parts of all splits; if the loss
	// has point weights, at most their effective number (Σv)²/Σv² for weights v. Intervals of rates use this number; 0
	// means that it is not known.
	TestedCount int
	// HasPointWeights reports whether the loss of the first Search has point weights.
	HasPointWeights bool `json:",omitzero"`
}

// ConstantBaseline is the name of the method that predicts a constant: the mean, or the most frequent class of the
// training points. Charts show it as a line for comparison with the other methods.
const ConstantBaseline = "constant baseline"

// Row holds the results of one method.
type Row struct {
	Method string
	Runs   []Run // results of the finished splits, in the order of the splits
}

// Run is the result of one method on one split.
type Run struct {
	Split          int         // index of the split, from 0
	Score          model.Score // on the test points
	Hyperparameter string      // name of the loss's hyperparameter: "λ", "C"
	Value          float64     // the chosen value of this hyperparameter
	Label          string      // chosen values besides that of the loss, such as "Λ=2" or a kernel; "" if none
	AtPathEnd      bool        // Value is the first or the last of several tried values
	Status         mkl.Status
	Gap            float64   // certified relative gap, or relative first-order residual; 0 if a rule gave θ
	Theta          []float64 // the weights of the m base kernels
	Seconds        float64   // time for fitting and scoring, without choosing hyperparameters
}

// TableOfTarget returns the table of the named one of several targets, with the scores of this target in its units.
func (t *Table) TableOfTarget(name string) (*Table, error) {
	j := slices.Index(t.Targets, name)
	if j < 0 {
		return nil, fmt.Errorf("compare: the table of %s has no target %q; its targets are %q", t.Data, name, t.Targets)
	}
	targetTable := *t
	targetTable.Data, targetTable.Targets, targetTable.Rows = t.Data+", "+name, nil, slices.Clone(t.Rows)
	for i := range targetTable.Rows {
		runs := slices.Clone(targetTable.Rows[i].Runs)
		for k := range runs {
			runs[k].Score = runs[k].Score.Targets[j]
		}
		targetTable.Rows[i].Runs = runs
	}
	return &targetTable, nil
}

// ByTarget returns the tables to show: one for each target if there are two to four, otherwise only t. It returns nil
// if t is nil.
func (t *Table) ByTarget() []*Table {
	switch {
	case t == nil:
		return nil
	case len(t.Targets) == 0 || len(t.Targets) > 4:
		return []*Table{t}
	}
	var tables []*Table
	for _, name := range t.Targets {
		targetTable, _ := t.TableOfTarget(name)
		tables = append(tables, targetTable)
	}
	return tables
}

// Row returns the row of a method; an empty row if there is no method of that name.
func (t *Table) Row(method string) *Row {
	if i := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Method == method }); i >= 0 {
		return &t.Rows[i]
	}
	return &Row{Method: method}
}

// Metrics returns the metrics that are defined for the data, the main metric first.
func (t *Table) Metrics() []model.Metric {
	switch {
	case t.Classes != nil && t.By != model.ErrorRate && slices.Contains(model.ClassMetrics(len(t.Classes)), t.By):
		rest := *t
		rest.By = ""
		return append([]model.Metric{t.By}, slices.DeleteFunc(rest.Metrics(),
			func(m model.Metric) bool { return m == t.By })...)
	case t.By == model.MeanLoss && t.Classes == nil:
		return []model.Metric{model.MeanLoss, model.RMSE, model.MAE, model.R2}
	case len(t.Classes) > 2, t.Classes != nil && t.By == model.ErrorRate:
		return []model.Metric{model.Accuracy, model.ErrorRate, model.Balanced, model.F1, model.AUC, model.RMSE,
			model.MAE}
	case t.Classes != nil:
		return []model.Metric{model.RMSE, model.Accuracy, model.ErrorRate, model.Balanced, model.F1, model.AUC,
			model.MAE, model.R2}
	}
	return []model.Metric{model.RMSE, model.MAE, model.R2}
}

// Values returns the value of a metric of a method on each split: NaN if the split is not finished, if the metric is
// not defined, or if there is no such method.
func (t *Table) Values(method string, m model.Metric) []float64 {
	v := slices.Repeat([]float64{math.NaN()}, t.Splits)
	for _, run := range t.Row(method).Runs {
		if m != model.MeanLoss || t.By == model.MeanLoss { // with another By, Score.Loss is not always set
			v[run.Split] = m.ValueIn(run.Score)
		}
	}
	return v
}

// Summary returns the mean, the standard deviation and the 95 % interval of the metric m of a method over splits. For
// accuracy and error rate on two or more splits, the interval is extended to contain Wilson's interval for a rate among
// t.TestedCount points or groups (if this number is known). So it has a positive length even if all splits have the
// same rate. If there is no such method or metric, N is 0.
func (t *Table) Summary(method string, m model.Metric) Summary {
	s := Summary{Method: method, Metric: m}
	s.Mean, s.SD, s.N = MeanSD(t.Values(method, m))
	h := intervalHalfWidth(s.SD, s.N, t.TestTrainRatio)
	smallest, largest := m.Bounds()
	s.Lo, s.Hi = math.Max(s.Mean-h, smallest), math.Min(s.Mean+h, largest)
	if s.N > 1 && t.TestedCount > 0 && (m == model.Accuracy || m == model.ErrorRate) {
		a, b := WilsonInterval(s.Mean, t.TestedCount)
		s.Lo, s.Hi = math.Min(s.Lo, a), math.Max(s.Hi, b)
	}
	return s
}

// Compare returns the mean difference of the metric m between a method and a baseline over splits, with its interval.
// If baseline is empty, it is t.Baseline. If there is no such method or metric, N is 0.
func (t *Table) Compare(method, baseline string, m model.Metric) Difference {
	if baseline == "" {
		baseline = t.Baseline
	}
	x, b := t.Values(method, m), t.Values(baseline, m)
	for i := range x {
		x[i] -= b[i]
	}
	d := CorrectedResampledDifference(x, t.TestTrainRatio)
	d.Method, d.Baseline, d.Metric = method, baseline, m
	return d
}

// MaxGap returns the largest relative gap of a method over its finished splits, and a status for all of them. The
// status is that of the first solve that ended early, such as mkl.IterationLimit. If none did, it is mkl.Certified,
// mkl.Stationary (only a first-order condition holds), or mkl.EvaluatedOnly (weights of a rule).
func (r *Row) MaxGap() (gap float64, status mkl.Status) {
	status = mkl.NotDone
	for _, run := range r.Runs {
		gap = math.Max(gap, run.Gap)
		switch {
		case status.IsUnfinished() && status != mkl.NotDone:
		case run.Status.IsUnfinished(), status == mkl.NotDone, run.Status == mkl.Stationary:
			status = run.Status
		}
	}
	return gap, status
}

// Certified reports whether every solve ended with a global certificate (mkl.Certified). It ignores methods whose
// weights a rule computes without minimization, and methods without a finished split.
func (t *Table) Certified() bool {
	for i := range t.Rows {
		if _, s := t.Rows[i].MaxGap(); s != mkl.Certified && s != mkl.EvaluatedOnly &&
			len(t.Rows[i].Runs) > 0 {
			return false
		}
	}
	return true
}

// HyperparameterRange returns the median, the smallest and the largest chosen value of the loss's hyperparameter over
// splits; NaN if no split is finished.
func (r *Row) HyperparameterRange() (median, smallest, largest float64) {
	if len(r.Runs) == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	var l []float64
	for _, run := range r.Runs {
		l = append(l, run.Value)
	}
	slices.Sort(l)
	return stat.Quantile(0.5, stat.Empirical, l, nil), l[0], l[len(l)-1]
}

// MostFrequentLabel returns the most frequent Run.Label and the number of splits that have it.
func (r *Row) MostFrequentLabel() (label string, splitCount int) {
	splitCounts := map[string]int{}
	for _, run := range r.Runs {
		splitCounts[run.Label]++
		if splitCounts[run.Label] > splitCount || splitCounts[run.Label] == splitCount && run.Label < label {
			label, splitCount = run.Label, splitCounts[run.Label]
		}
	}
	return label, splitCount
}

// WriteCSV writes the table as CSV with exact numbers: one row for each method and finished split, with all metrics,
// the chosen hyperparameters, and the status, relative gap and seconds of the fit. A metric that is not defined is an
// empty cell.
func (t *Table) WriteCSV(w io.Writer) error {
	header := []string{"method", "split"}
	for _, m := range t.Metrics() {
		header = append(header, string(m))
	}
	rows := [][]string{append(header, "hyperparameter", "value", "chosen", "status", "relative gap", "seconds")}
	formatNumber := func(v float64) string {
		if math.IsNaN(v) {
			return ""
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	for _, row := range t.Rows {
		for _, run := range row.Runs {
			record := []string{row.Method, strconv.Itoa(run.Split + 1)}
			for _, m := range t.Metrics() {
				record = append(record, formatNumber(m.ValueIn(run.Score)))
			}
			rows = append(rows, append(record, run.Hyperparameter, formatNumber(run.Value), run.Label,
				run.Status.String(), formatNumber(run.Gap), formatNumber(run.Seconds)))
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// DescribeClassesOfOnePoint names the classes of d that have one point, at most ten of them. It returns "" for none.
func DescribeClassesOfOnePoint(d *data.Dataset) string {
	const limit = 10
	var names []string
	for k, n := range d.ClassCounts() {
		if n == 1 {
			names = append(names, d.Classes[k])
		}
	}
	switch count := len(names); {
	case count == 0:
		return ""
	case count > limit:
		names = append(names[:limit], fmt.Sprintf("and %d more", count-limit))
	}
	return "Classes of one point, which cannot be in both parts of a split: " + strings.Join(names, ", ")
}

// CountSplitsWithCutGroups returns the number of splits that have points of some group in both parts.
func CountSplitsWithCutGroups(group []string, splits []fit.Split) (n int) {
	if group == nil {
		return 0
	}
	for _, s := range splits {
		isTrainingGroup := make(map[string]bool)
		for _, i := range s.Train {
			isTrainingGroup[group[i]] = true
		}
		if slices.ContainsFunc(s.Test, func(i int) bool { return isTrainingGroup[group[i]] }) {
			n++
		}
	}
	return n
}

// MeanTestTrainRatio returns the mean over splits of (number of test points)/(number of training points).
func MeanTestTrainRatio(splits []fit.Split) (ratio float64) {
	for _, s := range splits {
		ratio += float64(len(s.Test)) / float64(len(s.Train)) / float64(len(splits))
	}
	return ratio
}
