package eskl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/mklnb/mkl/data"
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

// sets are those of Table 1, with votes beside them.
func sets(t *testing.T) (all []eskl.Set) {
	for _, name := range []string{"sonar", "liver-bupa", "ionosphere", "pima", "heart-statlog"} {
		all = append(all, eskl.Indefinite(load(t, name), 100, 0.1, 1))
	}
	return append(all, eskl.Votes(load(t, "votes84"), 100, 1))
}

// TestKept makes the kept results again, where MKL_OUT names a folder: minutes to an hour. MKL_ONLY names one set of them.
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
		fmt.Printf("%s: %d points, %v\n", name, s.N, time.Since(start).Round(time.Second))
	}
	ctx := context.Background()
	only := os.Getenv("MKL_ONLY")
	for _, s := range sets(t) {
		if only != "" && only != s.Name {
			continue
		}
		start := time.Now()
		r, err := eskl.Compare(ctx, s, eskl.Single(), 10, 1, 1)
		keep("single-"+s.Name, r, err, start)
	}
	d, err := data.Options{Label: "group", Missing: data.Drop, Duplicate: data.Drop}.Load("proteins")
	if err != nil {
		t.Fatal(err)
	}
	for _, family := range d.Classes {
		if only != "" && only != family {
			continue
		}
		start := time.Now()
		s, err := eskl.Proteins(ctx, d, family, 30, 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := eskl.Compare(ctx, s, eskl.Multiple(), 5, 1, 1)
		keep("proteins-"+family, r, err, start)
	}
}

// TestCompare: small comparisons run, every method does better than a coin, and the same again gives the same.
func TestCompare(t *testing.T) {
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
