package start

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"
)

// comparisons lists the comparisons with results for ten seeds. others lists the embedded sets with two classes except
// sonar and heart disease.
var (
	comparisons = []string{"plants", "sonar in ranges", "sonar", "heart-statlog"}
	others      = []string{"breast-ljubljana", "breast-wisconsin", "credit-g", "ionosphere", "liver-bupa", "pima",
		"votes84"}
)

// TestStored computes the draws again.
func TestStored(t *testing.T) {
	compute := func(name string, seed uint64) (*Draw, error) { return Compare(t.Context(), name, seed, 10) }
	for _, name := range comparisons {
		sharedtest.RegenerateResults(t, name, 10, []string{name}, compute)
	}
	sharedtest.RegenerateResults(t, "others", 1, others, compute)
}

// TestOthers checks the stored draws of the other sets: learned weights are clearly better than uniform weights only on
// ionosphere, clearly better than the best single kernel on no set, and clearly worse on no set.
func TestOthers(t *testing.T) {
	all := Stored("others")
	if len(all) != len(others) {
		t.Fatalf("%d sets, expected %d", len(all), len(others))
	}
	for i, d := range all {
		if d.DatasetName != others[i] {
			t.Errorf("row %d is %s, expected %s", i, d.DatasetName, others[i])
		}
		if c := d.LearnedMinusMethod(learn.UniformName); c.Hi < 0 != (d.DatasetName == "ionosphere") || c.Lo > 0 {
			t.Errorf("%s: less uniform %+.4f [%+.4f, %+.4f]", d.DatasetName, c.Mean, c.Lo, c.Hi)
		}
		if c := d.LearnedMinusMethod(learn.SingleName); c.ExcludesZero() {
			t.Errorf("%s: less best single %+.4f [%+.4f, %+.4f]", d.DatasetName, c.Mean, c.Lo, c.Hi)
		}
	}
}

// TestRecompute computes the first split of a random draw of each comparison again, and compares with the stored
// errors.
func TestRecompute(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: nothing is learned")
	}
	drawn := []*Draw{Stored("others")[3]}
	for _, name := range comparisons {
		drawn = append(drawn, Stored(name)[rand.IntN(10)])
	}
	for _, d := range drawn {
		again, err := Compare(t.Context(), d.DatasetName, d.Seed, 1)
		if err != nil {
			t.Fatal(err)
		}
		for method, scores := range again.RMSE {
			if got, want := scores[0], d.RMSE[method][0]; math.Abs(got-want) > 1e-4*want {
				t.Errorf("%s, seed %d, %s: RMSE %g, stored %g", d.DatasetName, d.Seed, method, got, want)
			}
		}
	}
}

// TestWritePlants reads the file of the notebook: one row per plant, one missing cell.
func TestWritePlants(t *testing.T) {
	path, err := WritePlants("plants_test.csv", 30, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(path)
	d, err := data.Options{Label: "height", Regression: true, Missing: data.Fill}.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if d.Len() != 30 || d.Dim() != 6 {
		t.Errorf("%d points of %d features, expected 30 of 6", d.Len(), d.Dim())
	}
}
