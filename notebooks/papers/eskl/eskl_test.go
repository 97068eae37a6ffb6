package eskl_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/mklnb/mkl/algos/testenv"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/eskl"
	"github.com/mklnb/mkl/notebooks/papers/kept"
	"github.com/mklnb/mkl/notebooks/papers/kept/kepttest"

	_ "github.com/mklnb/mkl/algos/linalg/openblas"
)

func load(t *testing.T, name string, options data.Options) *data.Dataset {
	t.Helper()
	d, err := options.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestKept makes the kept results again: of one similarity 10 splits of seed 1, of seeds 2 and 3 20 splits with 40
// points of each class; of proteins 5 splits of seeds 1 to 3.
func TestKept(t *testing.T) {
	kepttest.Regen(t)
	again := func(name string, seed uint64, methods []eskl.Method, splits, folds int,
		set func(t *testing.T) (eskl.Set, error)) {
		t.Run(fmt.Sprintf("%s-%d", name, seed), func(t *testing.T) {
			s, err := set(t)
			if err != nil {
				t.Fatal(err)
			}
			r, err := eskl.Compare(t.Context(), s, methods, splits, folds, seed)
			if err != nil {
				t.Fatal(err)
			}
			kepttest.Write(t, fmt.Sprintf("%s-%d", name, seed), r)
		})
	}
	for seed := uint64(1); seed <= 3; seed++ {
		most, splits := 100, 10
		if seed > 1 {
			most, splits = 40, 20
		}
		for _, name := range []string{"sonar", "liver-bupa", "ionosphere", "pima", "heart-statlog", "votes84"} {
			again("single-"+name, seed, eskl.Single(), splits, 1, func(t *testing.T) (eskl.Set, error) {
				d := load(t, name, data.Options{})
				if name == "votes84" {
					return eskl.Votes(d, most, seed), nil
				}
				return eskl.Indefinite(d, most, 0.1, seed), nil
			})
		}
		for _, kind := range []struct {
			name    string
			options data.Options
			folds   int // of five, which choose C and ρ
		}{
			{"scop40", data.Options{Duplicate: data.Drop}, 5},
			{"proteins", data.Options{Label: "group", Missing: data.Drop, Duplicate: data.Drop}, 1},
		} {
			d := load(t, kind.name, kind.options)
			for _, family := range d.Classes {
				again(kind.name+"-"+family, seed, eskl.Multiple(), 5, kind.folds, func(t *testing.T) (eskl.Set, error) {
					return eskl.Proteins(t.Context(), d, family, 20, seed)
				})
			}
		}
	}
}

// TestCompare: small comparisons run, every method does better than a coin, and the same again gives the same.
func TestCompare(t *testing.T) {
	testenv.Long(t)
	ctx := context.Background()
	d := load(t, "ionosphere", data.Options{})
	for _, c := range []struct {
		s       eskl.Set
		methods []eskl.Method
	}{{eskl.Indefinite(d, 25, 0.1, 1), eskl.Single()}, {eskl.Bands(d, 20, 3, 0.1, 1), eskl.Multiple()}} {
		r, err := eskl.Compare(ctx, c.s, c.methods, 2, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		again, err := eskl.Compare(ctx, c.s, c.methods[:1], 1, 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		for m, name := range r.Methods {
			if a, f := r.Column(m); a[0]+a[1] < 110 {
				t.Errorf("%s: accuracies %.1f, F %.1f", name, a, f)
			}
		}
		if r.Splits[0][0] != again.Splits[0][0] {
			t.Errorf("%+v and %+v", r.Splits[0][0], again.Splits[0][0])
		}
	}
}

// TestOverSets: differences of F by hand, of two sets, one of them in two draws; a method without a gap has the worst.
func TestOverSets(t *testing.T) {
	set := func(name string, a, b float64) *eskl.Scores {
		return &eskl.Scores{Data: name,
			Splits: [][]eskl.Score{{{F: a, Gap: 0.01}, {F: b}}, {{F: a, Gap: 0.02}, {F: b}}}}
	}
	all := []*eskl.Scores{set("one", 0.7, 0.8), set("two", 0.5, 0.6), set("one", 0.9, 0.6)} // one: +10, two: −10
	if d, least := eskl.OverSets(all, 0, 1); math.Abs(d.Mean) > 1e-9 || math.Abs(d.SE-10) > 1e-9 ||
		math.Abs(least+10) > 1e-9 {
		t.Errorf("%+v, least %g, want 0 ± 10 and −10", d, least)
	}
	if a, b := eskl.WorstGap(all, 0), eskl.WorstGap(all, 0, 1); a != 0.02 || !math.IsInf(b, 1) {
		t.Errorf("the worst gaps are %g and %g, want 0.02 and +Inf", a, b)
	}
}

// TestConclusionsNeedResults: without most of the sets that it is about no conclusion holds.
func TestConclusionsNeedResults(t *testing.T) {
	for _, c := range eskl.Conclusions() {
		one := kept.OfSeed(eskl.Kept(c.Experiment), 1)[:1]
		if ok, _ := c.Holds(one); ok {
			t.Errorf("of %s alone it holds: %s", one[0].Data, c.Text)
		}
	}
}
