package model_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

// runScorePy runs Python code once for each job, in a program that has imported score.py. The code has the job as the
// variable job. It returns what the code printed for each job, or "error" for an exception.
func runScorePy(t *testing.T, code string, jobs [][]string) []string {
	t.Helper()
	if exec.Command(testenv.PythonCommand(), "-c", "import numpy").Run() != nil {
		testenv.SkipWithout(t, testenv.PythonCommand()+" has no numpy; set MKL_PYTHON to a Python that has it")
	}
	var lines strings.Builder
	for _, j := range jobs {
		lines.Write(must(json.Marshal(j)))
		lines.WriteString("\n")
	}
	python := exec.Command(testenv.PythonCommand(), "-B", "-c", "import json, sys, score\n"+
		"for line in sys.stdin:\n job = json.loads(line)\n try:\n  "+code+
		"\n except (OSError, ValueError):\n  print('error', end='')\n print('end of job')")
	python.Stdin = strings.NewReader(lines.String())
	var stderr strings.Builder
	python.Stderr = &stderr
	out, err := python.Output()
	results := strings.Split(string(out), "end of job\n")
	if err != nil || len(results) != len(jobs)+1 {
		t.Fatalf("%d of %d jobs ran: %v\n%s", len(results)-1, len(jobs), err, stderr.String())
	}
	return results[:len(jobs)]
}

// awkwardTable is a training file and cells of new files. Columns without a new cell have the cell of the first row.
type awkwardTable struct {
	o        data.Options
	training string
	cells    map[string][]string // cells to try, by the name of the column
}

const plain = "a,c,d,y\n1.5,red,2024-02-29,1\n2,blue,2024-03-01,2\n-4e1,red,1999-12-31,1\n0.25,green,2024-01-05,3\n"

func awkwardTables() map[string]awkwardTable {
	dates := data.DateLayouts{"d": "2006-01-02"}
	numbers := []string{"", "?", "NA", "N/A", "null", "None", "NaN", "nan", "-nan", "NAN", "#N/A", "1.#IND", "n.a.",
		"-", "inf", "-Infinity", "1_000", "1,5", "1.234,5", "1 000", "007", "+7", ".5", "5.", "1e3", "1E+03", "1e",
		"0x10",
		"１", "1e101", "1e-101", "9007199254740993", "9007199254740993.0", "1e400", "0", "-0", " 3 ", "\u00a03",
		"3\u200b", "--3", "1e+-3", "12%"}
	names := []string{"", "?", "NA", "N/A", "null", "None", "nan", "na", "RED", " red ", "red", "mauve", "\u00a0red",
		"0"}
	days := []string{"", "null", "2024-02-29", "2023-02-29", "2024-2-9", "29.02.2024", "0001-01-01", "9999-12-31",
		"2024-00-10", "2024-13-01", "20240229", "2024-02-29 ", "2024-02-29T00:00", "19782.5"}
	all := map[string][]string{"a": numbers, "c": names, "d": days}
	with := func(o data.Options) data.Options { o.Dates = dates; return o }
	semicolons := strings.NewReplacer(",", ";", ".", ",").Replace(plain)
	return map[string]awkwardTable{
		"refuse": {with(data.Options{}), plain, all},
		"drop":   {with(data.Options{Missing: data.Drop}), plain, all},
		"fill":   {with(data.Options{Missing: data.Fill}), plain, all},
		"fill, with a missing level": {with(data.Options{Missing: data.Fill}), plain + "7,null,2024-05-05,2\n,red,,1\n",
			all},
		"own markers": {with(data.Options{Missing: data.Fill, MissingMarkers: []string{"-999", "unknown", "NA"}}),
			plain + "-999,unknown,2024-05-05,2\n",
			map[string][]string{"a": append(numbers, "-999", "-999.0", "-9.99e2", "999", "unknown"),
				"c": append(names, "unknown", "-999", "-999.00"), "d": append(days, "unknown", "-999")}},
		"no markers": {with(data.Options{MissingMarkers: []string{}}), plain, all},
		"decimal commas": {with(data.Options{Missing: data.Fill, Comma: ';', Decimal: ',', Thousands: '.'}),
			semicolons, map[string][]string{"c": names,
				"a": append(numbers, "1.234.567", "1.23", "1,5e3", "0.123", "12.345,", "1.234")}},
		"tabs and groups of digits": {with(data.Options{Missing: data.Fill, Comma: '\t', Thousands: ' '}),
			strings.ReplaceAll(plain, ",", "\t"), map[string][]string{"c": names,
				"a": append(numbers, "1 234", "1\u202f234.5", "12  345", "0 123")}},
		"names of rows": {with(data.Options{Missing: data.Fill}), ",a,c,d,y\nr1,1,u,2024-01-01,1\n" +
			"r2,2,v,2024-01-02,2\nr3,4,u,2024-01-09,1\n",
			map[string][]string{"a": {"3", "null"}, "c": {"u", "w"}}},
		"units": {with(data.Options{Units: data.Units{"a": "kg"}, UnitLine: true, SkipFooter: 1, Comment: "#"}),
			"a,c,d,y\n(kg),(word),(day),(n)\n1 kg,u,2024-01-01,1\n2 kg,v,2024-01-02,2\n4 " +
				"kg,u,2024-01-09,1\nTotal,,,4\n",
			map[string][]string{"a": {"3", "3 kg"}}},
		"key and group": {with(data.Options{Missing: data.Fill, Key: "k", Group: "g"}),
			"k,g,a,c,d,y\n1,p,1,u,2024-01-01,1\n2,p,2,v,2024-01-02,2\n3,q,4,u,2024-01-09,1\n",
			map[string][]string{"a": {"3", "null"}, "c": {"u", "w"}, "g": {"", "other"}}},
	}
}

// awkwardModels returns a model of each kind of target and prediction for the points of a table.
func awkwardModels(d *data.Dataset, seed uint64) map[string]*model.Model {
	rng := rand.New(rand.NewPCG(seed, 1))
	n := d.Len()
	random := func(columns int) *model.Model {
		kernels := kernel.List{kernel.RBF{Gamma: 0.3}, kernel.Linear{Columns: []int{0}},
			kernel.RBF{Gamma: 1, Columns: []int{1, 2}}}
		f := kernel.Sum{Kernels: kernels, Prepare: points.Preprocessing{points.StandardizeNumbers}}
		m := &model.Model{Family: f, X: d.X, Theta: []float64{1, 0.5, 2}, Input: d.Encoding}
		for range n * columns {
			m.W = append(m.W, rng.NormFloat64())
		}
		return m
	}
	number, interval, log, two, three, targets := random(1), random(1), random(1), random(1), random(3), random(2)
	number.Offsets = []float64{3}
	interval.Intervals = &model.Intervals{Level: 0.8}
	for range 3 {
		fold := model.Fold{Model: *random(1), Residuals: []float64{0.5, 1, 2}}
		fold.Model.Input = nil
		interval.Intervals.Folds = append(interval.Intervals.Folds, fold)
	}
	log.LogTargets, log.W = true, make([]float64, n)
	log.W[0] = 0.1
	two.Classes, two.Sigmoids = []string{"no", "yes"}, []model.Sigmoid{{A: -0.1, B: 0.2}}
	three.Classes, three.Sigmoids = []string{"u", "v", "w"}, []model.Sigmoid{{A: -1}, {A: -0.5, B: 1}, {A: -2}}
	return map[string]*model.Model{"number": number, "intervals": interval, "logarithm": log, "two classes": two,
		"three classes": three, "targets": targets}
}

// TestPythonReadsCells tests that score.py reads each cell as the library does: markers of missing values, numbers,
// values of nominal columns, dates. What the library refuses is an error.
func TestPythonReadsCells(t *testing.T) {
	dir := t.TempDir()
	var jobs [][]string
	type expected struct {
		name string
		m    *model.Model
		d    *data.Dataset
		err  error
	}
	var all []expected
	for name, table := range awkwardTables() {
		d := must(func() (*data.Dataset, error) {
			o := table.o
			o.Regression = true
			return o.Open(write(t, "train.csv", table.training))
		}())
		reader := csv.NewReader(strings.NewReader(table.training))
		if reader.Comma = ','; table.o.Comma != 0 {
			reader.Comma = table.o.Comma
		}
		rows := must(reader.ReadAll())
		models := awkwardModels(d, 1)
		for kind, m := range models {
			if err := m.Save(filepath.Join(dir, name+kind)); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		for j, column := range rows[0] {
			for k, cell := range table.cells[column] {
				cells := slices.Clone(rows[1])
				cells[j] = cell
				var text strings.Builder
				w := csv.NewWriter(&text)
				w.Comma = reader.Comma
				w.WriteAll([][]string{rows[0], cells})
				file := write(t, "new.csv", text.String())
				fresh, err := d.Encoding.OpenPoints(file)
				kinds := []string{"number"}
				if k%7 == 0 {
					kinds = []string{"number", "intervals", "logarithm", "two classes", "three classes", "targets"}
				}
				for _, kind := range kinds {
					err := err
					if err == nil {
						_, err = must(models[kind].Predictor()).Predict(fresh.X)
					}
					jobs = append(jobs, []string{filepath.Join(dir, name+kind), file})
					text := fmt.Sprintf("%s, %s, %s=%q", name, kind, column, cell)
					all = append(all, expected{text, models[kind], fresh, err})
				}
			}
		}
	}
	refused := 0
	for i, out := range runScorePy(t, "score.main(*job)", jobs) {
		e := all[i]
		switch {
		case e.err != nil:
			refused++
			if out != "error" {
				t.Errorf("%s: score.py prints %q, but the library refuses: %v", e.name, out, e.err)
			}
		case out == "error":
			t.Errorf("%s: score.py refuses, but the library predicts", e.name)
		default:
			comparePython(t, e.name, out, e.m, e.d.X)
		}
	}
	if t.Logf("%d files, %d of them refused", len(all), refused); refused < 100 || len(all) < 800 {
		t.Errorf("%d files, %d of them refused", len(all), refused)
	}
}

// TestPythonReadsDates tests that score.py reads dates by a layout as package time does, also changed ones.
func TestPythonReadsDates(t *testing.T) {
	layouts := []string{"2006-01-02", "02.01.2006", "2.1.2006", "_2 Jan 2006", "January 2, 2006", "Monday, 02-Jan-2006",
		"Mon Jan _2 15:04:05 2006", time.RFC3339, time.RFC3339Nano, "2006-01-02 15:04:05", "2006-01-02 15:04:05.000",
		"2006-01-02 15:04:05,999", "1/2/2006 3:04 PM", "1/2/2006 03:04:05pm", "15:04", "20060102", "20060102150405",
		"2006-01-02 15:04 -0700", "02/Jan/2006:15:04:05 -07", "2006-01-02T15:04:05-07:00:00",
		"2006-01-02 15:04:05Z070000", "Tag 2 des Monats 1 in 2006", "2006.01.02 .15"}
	rng := rand.New(rand.NewPCG(5, 5))
	var jobs [][]string
	var want []string
	valid := 0
	for _, layout := range layouts {
		for i := range 150 {
			when := time.Unix(rng.Int64N(8e9)-4e9, rng.Int64N(1e9)).In(time.FixedZone("", 900*rng.IntN(50)-20000))
			text := []rune(when.Format(layout))
			for range i % 3 { // remove, repeat or replace a character
				k := rng.IntN(len(text))
				text = slices.Replace(text, k, k+1, []rune([]string{"", string(text[k]) + string(text[k]),
					string("0123459 .:-+ZAPM"[rng.IntN(16)])}[rng.IntN(3)])...)
				text = append(text, []rune(strings.Repeat("0", max(0, 1-len(text))))...)
			}
			cell := strings.TrimSpace(string(text))
			result := "None"
			if v, err := time.Parse(layout, cell); err == nil {
				valid++
				days := (float64(v.Unix()) + float64(v.Nanosecond())/1e9) / 86400
				result = strconv.FormatFloat(days, 'g', -1, 64)
			}
			jobs, want = append(jobs, []string{cell, layout}), append(want, result)
		}
	}
	for i, got := range runScorePy(t, "print(score.date(*job), end='')", jobs) {
		a, err1 := strconv.ParseFloat(got, 64)
		b, err2 := strconv.ParseFloat(want[i], 64)
		if (err1 == nil) != (err2 == nil) || err1 == nil && a != b {
			t.Errorf("%q: score.py reads %s, package time %s", jobs[i], got, want[i])
		}
	}
	if t.Logf("%d of %d dates are valid", valid, len(jobs)); valid < 1200 {
		t.Errorf("only %d of %d dates are valid", valid, len(jobs))
	}
}

// TestPythonRefuses tests that score.py refuses, with status 1 and without a prediction, what it does not read.
func TestPythonRefuses(t *testing.T) {
	dir := t.TempDir()
	save := func(name string, d *data.Dataset) string {
		m := &model.Model{Family: kernel.List{kernel.RBF{Gamma: 1}}, X: d.X, Theta: []float64{1},
			W: make([]float64, d.Len()), Input: d.Encoding}
		path := filepath.Join(dir, name)
		if err := m.Save(path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	regression := data.Options{Regression: true}
	a := must(regression.Open(file("one.csv", "a,b,y\n1,2,3\n2,1,4\n")))
	named := file("new.csv", "a,b\n1,2\n")
	b := must(data.Options{Unlabeled: true}.Open(file("two.csv", "c,d\n1,2\n2,1\n")))
	unnamed := regression
	unnamed.Header = data.HeaderNo
	arff := "@relation r\n@attribute a numeric\n@attribute y numeric\n@data\n1,2\n2,3\n"
	one := save("one", a)
	refused := map[string][]string{
		"joined": {save("joined", must(data.Join(a, b))), named, file("new2.csv", "c,d\n1,2\n")},
		"no header": {save("unnamed", must(unnamed.Open(file("three.csv", "1,2,3\n2,1,4\n")))),
			file("new3.csv", "1,2\n")},
		"arff": {save("arff", must(regression.Open(file("four.arff", arff)))),
			file("new4.arff", strings.ReplaceAll(arff, "2,3", "?,3"))},
		"libsvm": {save("libsvm", must(regression.Open(file("five.svm", "1 1:2\n2 2:3\n")))),
			file("new5.svm", "1 1:2\n")},
		"packed":         {one, file("new6.csv.gz", "a,b\n1,2\n")},
		"no column":      {one, file("new7.csv", "a\n1\n")},
		"column twice":   {one, file("new8.csv", "a,b,b\n1,2,3\n")},
		"short row":      {one, file("new9.csv", "a,b\n1,2\n1\n")},
		"comment":        {one, file("new10.csv", "a,b\n# 1,2\n")},
		"no rows":        {one, file("new11.csv", "a,b\n")},
		"not UTF-8":      {one, file("new12.csv", "a,b\n1,\xff\n")},
		"other features": {one, file("new13.npy", "not NumPy")},
		"no file":        {one, filepath.Join(dir, "none.csv")},
	}
	names := slices.Sorted(maps.Keys(refused))
	var jobs [][]string
	for _, name := range names {
		jobs = append(jobs, refused[name])
	}
	for i, out := range runScorePy(t, "score.main(*job)", jobs) {
		if out != "error" {
			t.Errorf("%s: score.py prints %q", names[i], out)
		}
	}
	out, err := exec.Command(testenv.PythonCommand(), append([]string{"-B", "score.py"}, jobs[0]...)...).Output()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 1 || len(out) > 0 ||
		strings.Contains(string(exit.Stderr), "Traceback") {
		t.Errorf("%s: printed %q, %v", names[0], out, err)
	}
	out, err = exec.Command(testenv.PythonCommand(), "-B", "score.py", one, named).Output()
	if v, _ := strconv.ParseFloat(strings.TrimSpace(string(out)), 64); err != nil || math.IsNaN(v) || len(out) == 0 {
		t.Errorf("printed %q, %v", out, err)
	}
}
