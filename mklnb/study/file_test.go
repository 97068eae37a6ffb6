package study

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/learn"
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
func (unregistered) WithParameter(v float64) loss.Loss {
	return unregistered{own{loss.Squared{Lambda: v}}}
}

// A study comes back from its file as it was, and finds the same.
func TestFile(t *testing.T) {
	s := everything()
	s.Selection.By, s.Baseline = model.ErrorRate, "simplex"
	s.Methods = append(s.Methods,
		fit.Method{Name: "lists", Fitter: fit.Search{Family: gaussians, Gap: 1e-4, Iterations: 7,
			Solver: mkl.SPG{AllowNonsmooth: true}, Grid: fit.Grid{
				fit.Losses(loss.SquaredHinge{Lambda: 1}), fit.Sets(set.Orthant{}, set.Ball{Q: 3, Radius: 2}),
				fit.Regularizers(reg.Ridge{Beta: 2})}}},
		fit.Method{Name: "rules", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{
			fit.Rules(fit.SingleKernel{Kernel: 1})}}},
		fit.Method{Name: "first", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Path{Loss: own{},
			Values: []float64{1, 2, 4}}}}})
	path := filepath.Join(t.TempDir(), "a study.jsonl")
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
		"later":         {"mkl-study/1", "mkl-study/2", `"mkl-study/2"`},
		"no study":      {"mkl-study/1", "mkl-model/1", `"mkl-model/1"`},
		"a wrong field": {`"Seed"`, `"Sede"`, `unknown field "Sede"`},
		"a split less":  {"[3]\n", "[2]\n", "number of lines"},
	} {
		if !strings.Contains(text, c.old) {
			t.Fatalf("%s: no %q in the file", name, c.old)
		}
		changed := strings.ReplaceAll(text, c.old, c.new)
		_, before, _ := strings.Cut(text, "\n")
		_, after, _ := strings.Cut(changed, "\n")
		changed = strings.Replace(changed, digest([]byte(before)), digest([]byte(after)), 1)
		if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		says(t, testenv.ErrorText(load()), c.want)
	}
	s.Methods[0].Fitter = fit.Search{Family: gaussians, Grid: fit.Grid{fit.Losses(unregistered{}, 1)}}
	if err := Save(path, s); err == nil || !strings.Contains(err.Error(), "study.unregistered is not registered") {
		t.Errorf("a loss without a file form: %v", err)
	}
}

// TestDamagedFile: a file that is cut off, or that has another bit anywhere, is an error.
func TestDamagedFile(t *testing.T) {
	b := must(encode([]*compare.Study{everything()}))
	must(decode(b, 0, 1))
	random := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		n := random.IntN(len(b))
		if _, err := decode(b[:n], 0, 1); err == nil {
			t.Errorf("the first %d of %d bytes are a study", n, len(b))
		}
		changed := slices.Clone(b)
		changed[n] ^= 1 << random.IntN(8)
		if _, err := decode(changed, 0, 1); err == nil && !strings.EqualFold(string(changed), string(b)) {
			t.Errorf("with byte %d changed to %q, it is a study", n, changed[n])
		}
	}
}

// TestShardReadsItsSplits: the shards of two studies have each split once, in turn. A shard of one split allocates as
// much in a file of 2,000 splits as in one of 20.
func TestShardReadsItsSplits(t *testing.T) {
	first, second := everything(), everything()
	second.Data = comparetest.OverlappingClasses(36, 3, 2)
	second.Data.Name, second.Splits = "second", must(fit.Halves(second.Data.Y, 5, 1))
	b, got := must(encode([]*compare.Study{first, second})), map[string]int{}
	for i := range 4 {
		for _, s := range must(decode(b, i, 4)) {
			for k, number := range s.SplitNumbers {
				whole := map[string]*compare.Study{first.Data.Name: first, "second": second}[s.Data.Name]
				if !reflect.DeepEqual(s.Splits[k], whole.Splits[number-1]) || s.splitCount != len(whole.Splits) {
					t.Errorf("shard %d: split %d of %s is another", i, number, s.Data.Name)
				}
				got[fmt.Sprint(s.Data.Name, number)]++
			}
		}
	}
	if len(got) != 8 {
		t.Errorf("the shards have %v", got)
	}
	var allocations []float64
	for _, n := range []int{20, 2000} {
		first.Splits = must(fit.Halves(first.Data.Y, n, 1))
		b := must(encode([]*compare.Study{first}))
		allocations = append(allocations, testing.AllocsPerRun(2, func() { must(decode(b, 3, n)) }))
	}
	if allocations[1] > allocations[0]+10 {
		t.Errorf("with 20 and 2,000 splits in the file, a shard of one split allocates %v times", allocations)
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
			"d,q,2026-03-05,red,7,1\ne,r,2026-03-06,red,3,2\nf,r,2026-04-05,blue,4,4\ng,s,2026-05-05,red,5,6\n"+
			"h,s,2026-06-07,blue,6,7\n")))
	labels := data.Options{LabelFile: write("labels.csv", "3\n4\n5\n1\n2\n4\n6\n7\n"), Regression: true}
	var gram, alike strings.Builder
	for i := range 8 {
		for j := range 8 {
			k, end := 0, ","
			if i/2 == j/2 {
				k = 1
			}
			if i == j {
				k = 2
			}
			if j == 7 {
				end = "\n"
			}
			fmt.Fprint(&gram, k, end)
			fmt.Fprint(&alike, (i*j+i+j)%11-2, end)
		}
	}
	grams := must(labels.OpenGrams(write("first.csv", gram.String())))
	similarities := must(labels.OpenSimilarities(write("alike.csv", alike.String())))
	for _, d := range []*data.Dataset{grams, similarities} {
		d.Keys = rows.Keys
	}
	var studies []*compare.Study
	for i, d := range []*data.Dataset{rows, grams, similarities, must(data.Join(rows, grams, similarities))} {
		d.Name = string(rune('a' + i))
		plan := must(learn.NewPlan(d, learn.WithSplits(nil)))
		studies = append(studies, &compare.Study{Data: d, Splits: []fit.Split{{Train: []int{0, 1}, Test: []int{2, 3}}},
			Methods: plan.Methods})
	}
	path := filepath.Join(dir, "study.jsonl")
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
	for want, damage := range map[string]func(*compare.Study){
		"Study.Splits": func(s *compare.Study) { s.Splits = nil },
		"point 9":      func(s *compare.Study) { s.Splits = []fit.Split{{Train: []int{0}, Test: []int{9}}} },
		"axis of sets": func(s *compare.Study) {
			s.Methods = []fit.Method{{Name: "m", Fitter: fit.Search{Family: gaussians, Grid: fit.Grid{fit.Sets()}}}}
		},
		"NaN": func(s *compare.Study) {
			d := *s.Data
			d.Y, s.Data = slices.Clone(d.Y), &d
			d.Y[1] = math.NaN()
		},
	} {
		s := *studies[0]
		damage(&s)
		says(t, testenv.ErrorText(1, Save(path, &s)), want)
	}
}
