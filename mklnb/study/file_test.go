package study

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/loss"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/algos/reg"
	"github.com/mklnb/mkl/algos/registry"
	"github.com/mklnb/mkl/algos/set"
	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
)

var says = comparetest.CheckContains

type (
	own          struct{ loss.Squared } // a loss of a program
	unregistered struct{ own }
)

func init() { registry.Register(own{}) }

func (own) WithParameter(v float64) loss.Loss { return own{loss.Squared{Lambda: v}} }

// A study comes back from its file as it was, and finds the same.
func TestFile(t *testing.T) {
	s := everything()
	s.Selection.By, s.Baseline = model.ErrorRate, "simplex"
	s.Methods = append(s.Methods,
		fit.Method{Name: "lists", Fitter: fit.Search{Family: gaussians, Gap: 1e-4, Iterations: 7,
			Solver: mkl.SPG{AllowNonsmooth: true}, Grid: fit.Grid{
				fit.Losses(loss.SquaredHinge{Lambda: 1}), fit.Sets(set.Orthant{}, set.Ball{Q: 3, Radius: 2}),
				fit.Regularizers(reg.Ridge{Beta: 2}), fit.Rules(fit.SingleKernel{Kernel: 1})}}},
		fit.Method{Name: "first", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Path{Loss: own{},
			Values: []float64{1, 2, 4}}}}})
	path := filepath.Join(t.TempDir(), "a study.json")
	if err := Save(path, s); err != nil {
		t.Fatal(err)
	}
	load := func() (*compare.Study, error) {
		studies, err := Open(path)
		if err != nil {
			return nil, err
		}
		return studies[0], nil
	}
	if got := must(load()); !reflect.DeepEqual(got, s) {
		t.Errorf("read as\n%+v\nwritten\n%+v", got, s)
	}
	text := string(must(os.ReadFile(path)))
	for name, c := range map[string]struct{ old, new, want string }{
		"another package": {"github.com/mklnb/mkl/algos/kernel.RBF", "example.com/strings.Subsequence",
			`import _ "example.com/strings"`},
		"another loss":  {"mklnb/study.own", "mklnb/study.gone", `is not linked into this program`},
		"later":         {"mkl-study/1", "mkl-study/2", "the format of the study file is"},
		"no study":      {"mkl-study/1", "mkl-model/1", "the format of the study file is"},
		"a wrong field": {`"Seed"`, `"Sede"`, `unknown field "Sede"`},
	} {
		if !strings.Contains(text, c.old) {
			t.Fatalf("%s: no %q in the file", name, c.old)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, c.old, c.new)), 0o644); err != nil {
			t.Fatal(err)
		}
		says(t, testenv.ErrorText(load()), c.want)
	}
	s.Methods[0].Fitter = fit.Search{Family: gaussians, Grid: fit.Grid{fit.Losses(unregistered{}, 1)}}
	if err := Save(path, s); err == nil || !strings.Contains(err.Error(), "study.unregistered is not registered") {
		t.Errorf("a loss without a file form: %v", err)
	}
}

// TestFileData: data of every kind come back from the file of their studies as they were, each with its own study.
func TestFileData(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	rows := must(data.Options{Label: "y", Regression: true, Group: "person", Missing: data.Fill, Key: "id",
		Dates: data.DateLayouts{"day": "2006-01-02"}}.Open(write("rows.csv",
		"id,person,day,color,size,y\na,p,2026-01-02,red,1.5,3\nb,p,2026-02-02,blue,,4\nc,q,2026-03-01,red,2,5\n"+
			"d,q,2026-03-05,red,7,1\n")))
	labels := data.Options{LabelFile: write("labels.csv", "3\n4\n5\n1\n"), Regression: true}
	grams := must(labels.OpenGrams(write("first.csv", "2,1,0,0\n1,2,0,0\n0,0,1,0\n0,0,0,1\n")))
	similarities := must(labels.OpenSimilarities(write("alike.csv", "0,1,2,-1\n1,0,1,0\n2,1,0,1\n-1,0,1,0\n")))
	for _, d := range []*data.Dataset{grams, similarities} {
		d.Keys = rows.Keys
	}
	var studies []*compare.Study
	for i, d := range []*data.Dataset{rows, grams, similarities, must(data.Join(rows, grams, similarities))} {
		d.Name = string(rune('a' + i))
		studies = append(studies, &compare.Study{Data: d, Splits: []fit.Split{{Train: []int{0, 1}, Test: []int{2, 3}}}})
	}
	path := filepath.Join(dir, "study.json")
	if err := Save(path, studies...); err != nil {
		t.Fatal(err)
	}
	for i, s := range must(Open(path)) {
		if !reflect.DeepEqual(s, studies[i]) {
			t.Errorf("%s: read as\n%+v\nwritten\n%+v", s.Data.Name, s.Data, studies[i].Data)
		}
	}
	studies[1].Data.Name = "a"
	says(t, testenv.ErrorText(1, Save(path, studies...)), "studies 1 and 2", `"a"`)
	says(t, testenv.ErrorText(1, Save(path)), "no study")
	says(t, testenv.ErrorText(1, Save(path, &compare.Study{})), "Study.Data")
}
