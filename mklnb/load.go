package mklnb

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/store"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

// Load returns a dataset by name: see data.Load. data.Names lists the embedded datasets; data.ExternalDatasets lists
// the datasets whose file you import:
//
//	nb.Must(data.Import("parkinsons", "parkinsons.data")) // once
//
// Open reads your own file.
func Load(name string) *data.Dataset {
	d, err := data.Load(name)
	if err != nil && isFileLike(name) {
		err = fmt.Errorf("%w; a file is read by nb.Open(%q)", err, name)
	}
	return Must(d, err)
}

// isFileLike reports whether a name is the name of a file, or looks like one rather than like the name of a dataset.
func isFileLike(name string) bool {
	_, err := os.Stat(name)
	return err == nil || filepath.Ext(name) != "" || strings.ContainsAny(name, `/\`)
}

// Open reads a dataset from a file: see data.Open. data.Options has the options:
//
//	d := nb.Must(data.Options{Label: "sick", Missing: data.Drop}.Open("my.csv"))
//
// Targets names several numbers to predict, with one kernel for all:
//
//	d := nb.Must(data.Options{Targets: []string{"weight", "waist", "pulse"}}.Open("club.csv"))
//
// Other readers are data.Options.OpenGrams for Gram matrices, data.Options.OpenSimilarities for similarities, data.Join
// for several files of the same points, and data.Options.OpenMatrix for other matrices. A new file in the form of an
// earlier one is opened by d.Encoding.Open, or predicted by PredictFile of the model.
func Open(path string) *data.Dataset {
	d, err := data.Open(path)
	if err != nil {
		err = withOptionAdvice(path, err)
	}
	return Must(d, err)
}

// withOptionAdvice looks for a field of data.Options in the text of an error. If there is one, it appends the call that
// sets this field.
func withOptionAdvice(path string, err error) error {
	_, rest, ok := strings.Cut(err.Error(), "Options.")
	if !ok {
		return err
	}
	name := rest
	if end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		name = rest[:end]
	}
	field, ok := reflect.TypeFor[data.Options]().FieldByName(name)
	if !ok {
		return err
	}
	value := "…"
	switch message, ok := strings.CutPrefix(rest, name+": "); {
	case ok && field.Type.PkgPath() != "": // a constant of package data
		value = "data." + message[:strings.IndexFunc(message+" ", func(r rune) bool { return !unicode.IsLetter(r) })]
	case ok && field.Type.Kind() == reflect.Int32:
		if value, _ = strconv.QuotedPrefix(message); value == "" {
			value = "…"
		}
	case field.Type == reflect.TypeFor[[]string]():
		value = `[]string{"…"}`
	case field.Type.Kind() == reflect.Bool:
		value = "true"
	case field.Type.Kind() == reflect.String:
		value = `"…"`
	}
	return fmt.Errorf("%w; options are set by nb.Must(data.Options{%s: %s}.Open(%q))", err, name, value, path)
}

// Split divides d at random into training points and test points. fraction is the share of the test points. Groups
// (data.Options.Group) and duplicate points stay together: see compare.Holdout and compare.GroupDuplicates. Each class
// has the same share of the points, or of the groups, in both parts, up to rounding, unless a group has points of
// several classes: see compare.ByGroup.
//
//	train, test := nb.Split(d, 0.25, 1)
//	nb.Show(nb.Score(nb.Learn(train).Model, test))
func Split(d *data.Dataset, fraction float64, seed uint64) (train, test *data.Dataset) {
	if d == nil || d.Y == nil {
		fail(errors.New("mklnb: split: want a dataset with labels"))
	}
	if d.Kernels != nil || d.Similarities != nil {
		fail(fmt.Errorf("mklnb: split: the points of %s are known by matrices alone: nb.Learn(d) compares on "+
			"splits of them, new points are rows in files of their own", d.Name))
	}
	grouped, _ := compare.GroupDuplicates(d)
	s := Must(compare.Holdout(d.Y, fraction, 1, seed, compare.ByGroup(grouped.Group)))[0]
	return Must(d.Slice(s.Train)), Must(d.Slice(s.Test))
}

// ScoreFile scores m on a file with labels. The file is read like the file that m was learned from: columns are matched
// by name, and labels are matched to the same classes. A model of several files (data.Join) takes as many files. A
// model of Gram matrices or similarities takes one matrix for each training matrix, then a file of labels:
//
//	nb.Show(nb.ScoreFile(nb.LoadModel("plants"), "test.csv"))
//	nb.Show(nb.ScoreFile(nb.LoadModel("pages"), "text_test.npy", "image_test.npy", "y_test.csv"))
func ScoreFile(m *model.Model, paths ...string) model.Score {
	if m == nil {
		fail(errors.New("mklnb: score: no model"))
	}
	e, ok := m.Input.(data.Encoding)
	if !ok {
		fail(errors.New("mklnb: score: the model was not learned on a file: use nb.Score with a dataset"))
	}
	d := Must(e.Open(paths...))
	if d.Y == nil {
		advice := fmt.Sprintf("add the column %q, as in the training file", e.Label)
		switch {
		case e.Grams != nil:
			advice = "pass the file of labels after the matrices"
		case e.Parts != nil:
			advice = "add the column of labels of the files learned from"
		case e.Label == "":
			advice = "add them as in the training file"
		}
		fail(fmt.Errorf("mklnb: score: %s has no labels: %s", strings.Join(paths, ", "), advice))
	}
	return Score(m, d)
}

// Views names groups of features that get separate kernels: see data.Views.
//
//	l := nb.Learn(d, learn.WithViews(nb.Views{"spectrum": {"s*"}, "clinic": {"age", "sex"}}))
type Views = data.Views

// Write writes x to a file whose name ends in .npy or .csv. x is a mat.Matrix such as a Gram matrix, points
// (points.Rows), numbers ([]float64), a model, or a result of Learn or Solve. For a model or a result, it writes the
// weights: in NPY the weights alone, in CSV with the names of their kernels. x can also be a table, which is written as
// CSV only: a compare.Table with a line for each method and split, the Trace of a result with a line for each step, or
// a table that is shown (viz.Table) cell by cell.
//
//	nb.Write("gram.npy", nb.Must(l.Model.Gram(nb.Must(d.Encoding.Points("my.csv")), nil)))
//	nb.Write("weights.csv", l)
//	nb.Write("scores.csv", l.Table)         // every number of every split
//	nb.Write("steps.csv", nb.Solve(p, mkl.SPG{}, nil).Trace)
//	nb.Write("table.csv", report.Comparison(l.Table)) // as it is shown
func Write(path string, x any) {
	switch x := x.(type) {
	case mat.Matrix:
		Try(data.WriteMatrix(path, x))
	case points.Rows:
		Try(x.Validate())
		Try(data.WriteMatrix(path, mat.NewDense(x.N, x.D, x.Data)))
	case []float64:
		Try(writeVector(path, x))
	case *learn.Learned:
		if x == nil || x.Model == nil {
			fail(fmt.Errorf("mklnb: write %s: there is no model", path))
		}
		Try(writeWeights(path, x.Model.Labels, x.Model.Theta))
	case *model.Model:
		Try(x.Validate())
		Try(writeWeights(path, x.Labels, x.Theta))
	case *mkl.Result:
		if x == nil {
			fail(fmt.Errorf("mklnb: write %s: a nil result", path))
		}
		Try(writeWeights(path, x.Labels, x.Theta))
	case *compare.Table:
		Try(writeCSV(path, tableLines(x)))
	case mkl.Trace:
		Try(writeCSV(path, traceLines(x)))
	case viz.Figure:
		Try(writeCSV(path, sheetLines(x.Sheet)))
	default:
		fail(fmt.Errorf("mklnb: write %s: a value of type %T cannot be written; write a matrix, points, numbers, a "+
			"table, a model, a Trace, or a result of Learn or Solve", path, x))
	}
}

// tableLines returns a header and a line for each method and split. A line has the scores (empty if a score is NaN),
// the name and the value of the hyperparameter of the loss, the other choices, how the solver ended, the relative gap
// and the seconds.
func tableLines(t *compare.Table) [][]string {
	if t == nil || len(t.Rows) == 0 {
		return nil
	}
	head := []string{"method", "split"}
	for _, m := range t.Metrics() {
		head = append(head, string(m))
	}
	lines := [][]string{append(head, "hyperparameter", "value", "chosen", "status", "relative gap", "seconds")}
	for _, row := range t.Rows {
		for _, run := range row.Runs {
			line := []string{row.Method, strconv.Itoa(run.Split + 1)}
			for _, m := range t.Metrics() {
				line = append(line, exactNumber(m.Of(run.Score)))
			}
			lines = append(lines, append(line, run.Constant, exactNumber(run.Value), run.Label, run.Status.String(),
				exactNumber(run.Gap), exactNumber(run.Seconds)))
		}
	}
	return lines
}

// traceLines returns a header and a line for each row of a trace. A bound that is not known is -Inf or +Inf.
func traceLines(t mkl.Trace) [][]string {
	lines := [][]string{{"step", "evaluations", "F", "upper bound", "lower bound", "seconds"}}
	for _, r := range t {
		lines = append(lines, []string{strconv.Itoa(r.Iter), strconv.Itoa(r.Evals), exactNumber(r.F),
			exactNumber(r.Upper),
			exactNumber(r.Lower), exactNumber(r.Elapsed.Seconds())})
	}
	return lines
}

// sheetLines returns the header and the cells of a table that is shown. Numbers are written with all digits even if the
// table shows them rounded. Other cells are written as text.
func sheetLines(s *viz.Sheet) [][]string {
	if s == nil {
		return nil
	}
	var head []string
	for _, c := range s.Columns {
		head = append(head, c.Name)
	}
	lines := [][]string{head}
	for _, row := range s.Rows {
		var line []string
		for _, c := range row {
			if _, err := strconv.ParseFloat(strings.ReplaceAll(c.Text, "−", "-"), 64); err == nil && c.Value != nil {
				c.Text = exactNumber(*c.Value)
			}
			line = append(line, c.Text)
		}
		lines = append(lines, line)
	}
	return lines
}

// exactNumber returns the shortest text that reads back as v, or "" for NaN.
func exactNumber(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// writeCSV writes lines as CSV. The first line is the header.
func writeCSV(path string, lines [][]string) error {
	if len(lines) < 2 {
		return fmt.Errorf("mklnb: write %s: no table with rows", path)
	}
	if !strings.EqualFold(filepath.Ext(path), ".csv") {
		return fmt.Errorf("mklnb: write %s: a table is written as CSV; use a name that ends in .csv", path)
	}
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(lines); err != nil {
		return fmt.Errorf("mklnb: write %s: %w", path, err)
	}
	return store.WriteFile(path, b.Bytes(), 0o644)
}

// writeVector writes numbers as an array of one dimension, or as a CSV file with one number on each line.
func writeVector(path string, v []float64) error {
	if len(v) == 0 {
		return fmt.Errorf("mklnb: write %s: no numbers", path)
	}
	return data.WriteMatrix(path, mat.NewVecDense(len(v), v))
}

// writeWeights writes weights, in CSV with a line "kernel,weight" for each.
func writeWeights(path string, labels []string, theta []float64) error {
	if !strings.EqualFold(filepath.Ext(path), ".csv") {
		return writeVector(path, theta)
	}
	lines := [][]string{{"kernel", "weight"}}
	for k, t := range theta {
		label := fmt.Sprint(k + 1)
		if k < len(labels) {
			label = labels[k]
		}
		lines = append(lines, []string{label, exactNumber(t)})
	}
	return writeCSV(path, lines)
}

// Size returns one of three sizes of a computation, chosen by the environment variable MKL_SIZE. If MKL_SIZE is
// "small", Size returns small, for a test. If it is "default" or not set, Size returns standard, for a reader who
// waits. If it is "full", Size returns full, for the protocol of a paper.
//
//	var splits = nb.Size(2, 10, 30)
func Size[T any](small, standard, full T) T {
	switch size := os.Getenv("MKL_SIZE"); size {
	case "small":
		return small
	case "", "default":
		return standard
	case "full":
		return full
	default:
		fail(fmt.Errorf("mklnb: MKL_SIZE=%q is unknown; use small, default or full", size))
		return standard
	}
}
