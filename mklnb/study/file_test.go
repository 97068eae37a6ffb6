package study

import (
	"bytes"
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
	load := func(known ...*data.Dataset) (*compare.Study, error) { return Open(path, "", known...) }
	got := must(load(s.Data))
	if !reflect.DeepEqual(got, s) {
		t.Errorf("read as\n%+v\nwritten\n%+v", got, s)
	}
	text := string(must(os.ReadFile(path)))
	if strings.Contains(text, "Rows") || !strings.Contains(text, s.Data.Digest()) {
		t.Errorf("the file holds the points, or no digest:\n%s", text)
	}
	says(t, testenv.ErrorText(load()), "no dataset is given", `no dataset "clouds"`)
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
		says(t, testenv.ErrorText(load(s.Data)), c.want)
	}
	s.Methods[0].Fitter = fit.Search{Family: gaussians, Grid: fit.Grid{fit.Losses(unregistered{}, 1)}}
	if err := Save(path, s); err == nil || !strings.Contains(err.Error(), "study.unregistered is not registered") {
		t.Errorf("a loss without a file form: %v", err)
	}
}

// A study whose folds keep groups whole is not run on the same numbers without these groups.
func TestFileGroups(t *testing.T) {
	s := everything()
	bare := *s.Data
	s.Data.Group = make([]string, s.Data.Len())
	for i := range s.Data.Group {
		s.Data.Group[i] = string(rune('a' + i/4))
	}
	path := saved(t, s)
	if got := must(Open(path, "", s.Data)); !reflect.DeepEqual(got, s) {
		t.Errorf("read %+v", got)
	}
	says(t, testenv.ErrorText(Open(path, "", &bare)), "the groups of clouds (Dataset.Group) differ")
	s.Data = &bare
	if b := must(os.ReadFile(saved(t, s))); bytes.Contains(b, []byte(`"groups"`)) {
		t.Error("groups of none")
	}
}
