package eskl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/internal/testenv"
	"github.com/mklnb/mkl/notebooks/papers/eskl"

	_ "github.com/mklnb/mkl/algos/linalg/openblas"
)

func load(t *testing.T, name string) *data.Dataset {
	t.Helper()
	d, err := data.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// sets are those of Table 1, with votes beside them, of at most most points of each class.
func sets(t *testing.T, most int, seed uint64) (all []eskl.Set) {
	for _, name := range []string{"sonar", "liver-bupa", "ionosphere", "pima", "heart-statlog"} {
		all = append(all, eskl.Indefinite(load(t, name), most, 0.1, seed))
	}
	return append(all, eskl.Votes(load(t, "votes84"), most, seed))
}

// TestKept makes the kept results again, where MKL_OUT names a folder: minutes to hours. MKL_ONLY names one set of them,
// MKL_SEED another seed than 1, MKL_MOST another number of points of each class than 100, MKL_SPLITS another number of
// splits than 20; results of fewer in the folder are continued. Those kept are 10 splits of seed 1, of seeds 2 and 3
// 20 with 40 points of each class; of proteins 5 splits of seeds 1 to 3.
func TestKept(t *testing.T) {
	folder := os.Getenv("MKL_OUT")
	if folder == "" {
		t.Skip("MKL_OUT names no folder for results")
	}
	keep := func(name string, s *eskl.Scores, err error, start time.Time) {
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(s)
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name+".json"), append(b, '\n'), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%s: %d points, %d splits, %v\n", name, s.N, len(s.Splits), time.Since(start).Round(time.Second))
	}
	number := func(name string, otherwise uint64) uint64 {
		if v, err := strconv.ParseUint(os.Getenv(name), 10, 32); err == nil {
			return v
		}
		return otherwise
	}
	ctx := context.Background()
	only, seed, splits := os.Getenv("MKL_ONLY"), number("MKL_SEED", 1), int(number("MKL_SPLITS", 20))
	for _, s := range sets(t, int(number("MKL_MOST", 100)), seed) {
		if only != "" && only != s.Name {
			continue
		}
		start, name := time.Now(), fmt.Sprintf("single-%s-%d", s.Name, seed)
		r, err := eskl.Compare(ctx, s, eskl.Single(), 0, 1, seed)
		if b, missing := os.ReadFile(filepath.Join(folder, name+".json")); missing == nil {
			err = json.Unmarshal(b, r)
		}
		for err == nil && len(r.Splits) < splits {
			err = r.More(ctx, s, eskl.Single())
		}
		keep(name, r, err, start)
	}
	for _, kind := range []struct {
		name        string
		options     data.Options
		each, folds int // proteins of the family, and as many others; folds of five that choose C and ρ
	}{
		{"scop40", data.Options{Duplicate: data.Drop}, 20, 5},
		{"proteins", data.Options{Label: "group", Missing: data.Drop, Duplicate: data.Drop}, 20, 1},
	} {
		d, err := kind.options.Load(kind.name)
		if kind.name == "scop40" && err != nil {
			t.Logf("no file of SCOP: %v", err)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, family := range d.Classes {
			if only != "" && only != family && only != kind.name {
				continue
			}
			start := time.Now()
			s, err := eskl.Proteins(ctx, d, family, kind.each, seed)
			if err != nil {
				t.Fatal(err)
			}
			r, err := eskl.Compare(ctx, s, eskl.Multiple(), 5, kind.folds, seed)
			keep(fmt.Sprintf("%s-%s-%d", kind.name, family, seed), r, err, start)
		}
	}
}

// TestCompare: small comparisons run, every method does better than a coin, and the same again gives the same.
func TestCompare(t *testing.T) {
	testenv.Long(t)
	ctx := context.Background()
	d := load(t, "ionosphere")
	for _, c := range []struct {
		s       eskl.Set
		methods []eskl.Method
	}{{eskl.Indefinite(d, 25, 0.1, 1), eskl.Single()}, {eskl.Bands(d, 20, 3, 0.1, 1), eskl.Multiple()}} {
		r, err := eskl.Compare(ctx, c.s, c.methods, 2, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		again, err := eskl.Compare(ctx, c.s, c.methods[:1], 2, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		for m, name := range r.Methods {
			a, f := r.Column(m)
			t.Logf("%s: %.1f %.1f", name, a, f)
			if a[0]+a[1] < 110 {
				t.Errorf("%s: accuracies %.1f", name, a)
			}
		}
		if r.Splits[0][0] != again.Splits[0][0] {
			t.Errorf("%+v and %+v", r.Splits[0][0], again.Splits[0][0])
		}
	}
}

// TestOver: differences of F over sets by hand, one of them in two draws; a method without a gap has the worst.
func TestOver(t *testing.T) {
	set := func(name string, a, b float64) *eskl.Scores {
		return &eskl.Scores{Data: name, Splits: [][]eskl.Score{{{F: a, Gap: 0.01}, {F: b}}, {{F: a, Gap: 0.02}, {F: b}}}}
	}
	all := []*eskl.Scores{set("one", 0.7, 0.8), set("two", 0.5, 0.6), set("one", 0.9, 0.6)} // one: +10, two: −10
	if d, least := eskl.Over(all, 0, 1); math.Abs(d.Mean) > 1e-9 || math.Abs(d.SE-10) > 1e-9 || math.Abs(least+10) > 1e-9 {
		t.Errorf("%+v, least %g, want 0 ± 10 and −10", d, least)
	}
	if a, b := eskl.Worst(all, 0), eskl.Worst(all, 0, 1); a != 0.02 || !math.IsInf(b, 1) {
		t.Errorf("the worst gaps are %g and %g, want 0.02 and +Inf", a, b)
	}
}

// TestConclusionsNeedResults: without most of the sets that it is about no conclusion holds.
func TestConclusionsNeedResults(t *testing.T) {
	for _, c := range eskl.Conclusions() {
		one := eskl.OfSeed(eskl.Kept(c.Kind), 1)[:1]
		if ok, _ := c.Holds(one); ok {
			t.Errorf("of %s alone it holds: %s", one[0].Data, c.Text)
		}
	}
}
