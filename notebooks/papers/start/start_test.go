package start

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/model"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/data/datasets"
	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"

	"gonum.org/v1/gonum/floats"
)

// TestStored computes the draws again.
func TestStored(t *testing.T) {
	for _, name := range Comparisons {
		sharedtest.RegenerateResults(t, name, 10, []string{name}, func(name string, seed uint64) (*Draw, error) {
			return Compare(t.Context(), name, seed, 10)
		})
	}
}

// TestComparisons checks that Comparisons contains all embedded sets with two classes except finefoods, and that ten
// draws of each comparison are stored.
func TestComparisons(t *testing.T) {
	for _, info := range datasets.List() {
		isExpected := info.Classes[0] != "" && info.Name != "finefoods"
		if slices.Contains(Comparisons, info.Name) != isExpected {
			t.Errorf("%s, classes %v: the comparisons are %v", info.Name, info.Classes, Comparisons)
		}
	}
	for _, name := range Comparisons {
		draws := Stored(name)
		if len(draws) != 10 {
			t.Fatalf("%s: %d draws, expected 10", name, len(draws))
		}
		for i, d := range draws {
			if d.DatasetName != name || d.Seed != uint64(i+1) {
				t.Errorf("%s: draw %d has the seed %d of %s", name, i+1, d.Seed, d.DatasetName)
			}
		}
	}
}

// TestSummaries checks the summaries against numbers that a Python program computed from the stored results: mean and
// ends of the intervals, and the numbers of draws clearly better, clearly worse, ahead and behind.
func TestSummaries(t *testing.T) {
	for _, c := range []struct {
		name, method string
		metric       model.Metric
		numbers      [3]float64
		draws        [4]int
	}{
		{"plants", learn.UniformName, model.RMSE, [3]float64{0.0013, -0.0179, 0.0205}, [4]int{0, 0, 5, 5}},
		{"plants", learn.SingleName, model.RMSE, [3]float64{0.0708, -0.0068, 0.1483}, [4]int{0, 4, 0, 10}},
		{"sonar", learn.UniformName, model.RMSE, [3]float64{-0.0275, -0.0434, -0.0116}, [4]int{10, 0, 10, 0}},
		{"sonar", learn.SingleName, model.RMSE, [3]float64{-0.0071, -0.0408, 0.0267}, [4]int{0, 0, 8, 2}},
		{"sonar", learn.UniformName, model.ErrorRate, [3]float64{-0.0129, -0.0423, 0.0166}, [4]int{0, 0, 10, 0}},
		{"sonar", learn.SingleName, model.ErrorRate, [3]float64{-0.0013, -0.0432, 0.0405}, [4]int{0, 0, 6, 4}},
		{"sonar in ranges", learn.UniformName, model.RMSE, [3]float64{-0.0231, -0.0398, -0.0064}, [4]int{9, 0, 10, 0}},
		{"sonar in ranges", learn.SingleName, model.ErrorRate, [3]float64{-0.1008, -0.1834, -0.0181},
			[4]int{8, 0, 10, 0}},
		{"ionosphere", learn.UniformName, model.RMSE, [3]float64{-0.0157, -0.0286, -0.0028}, [4]int{8, 0, 10, 0}},
		{"breast-wisconsin", learn.SingleName, model.RMSE, [3]float64{-0.0064, -0.0165, 0.0037}, [4]int{2, 0, 10, 0}},
		{"liver-bupa", learn.UniformName, model.ErrorRate, [3]float64{0.0053, -0.0217, 0.0324}, [4]int{0, 0, 0, 10}},
		{"heart-statlog", learn.UniformName, model.RMSE, [3]float64{0.0028, -0.0083, 0.0139}, [4]int{0, 0, 1, 9}},
		{"heart-statlog", learn.SingleName, model.ErrorRate, [3]float64{0.0068, -0.0230, 0.0366}, [4]int{0, 0, 2, 8}},
	} {
		s := Summarize(c.name, learn.LearnedName, c.method, c.metric)
		got := []float64{s.Mean, s.Lo, s.Hi}
		if !floats.EqualApprox(got, c.numbers[:], 6e-5) || [4]int{s.Better, s.Worse, s.Ahead, s.Behind} != c.draws {
			t.Errorf("%s, %s, %v: it is %+v, expected %v %v", c.name, c.method, c.metric, s, c.numbers, c.draws)
		}
	}
}

// TestTable checks the intervals of the table of sonar with three instruments, as shown. A number that is rounded to 0
// has no sign: the last upper end is −0.016 points.
func TestTable(t *testing.T) {
	var got []string
	for _, row := range Table("", "sonar in ranges").Sheet.Rows {
		got = append(got, row[2].Text)
	}
	expected := []string{"−0.023 [−0.040, −0.006]", "−0.147 [−0.227, −0.067]", "−0.124 [−0.205, −0.043]",
		"−1.6 [−4.9, +1.8]", "−10.1 [−18.3, −1.8]", "−8.5 [−17.0, 0.0]"}
	if !slices.Equal(got, expected) {
		t.Errorf("table of three instruments: %q, expected %q", got, expected)
	}
	if hi := 100 * Summarize("sonar in ranges", learn.UniformName, learn.SingleName, model.ErrorRate).Hi; hi >= 0 {
		t.Errorf("the upper end is %g points: it is not rounded from below 0", hi)
	}
}

// TestRecompute computes the first split of a random draw of each comparison again, and compares with the stored
// errors.
func TestRecompute(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: nothing is learned")
	}
	for _, name := range Comparisons {
		d := Stored(name)[rand.IntN(10)]
		again, err := Compare(t.Context(), d.DatasetName, d.Seed, 1)
		if err != nil {
			t.Fatal(err)
		}
		for method, scores := range again.RMSE {
			if got, want := scores[0], d.RMSE[method][0]; math.Abs(got-want) > 1e-4*want {
				t.Errorf("%s, seed %d, %s: RMSE %g, stored %g", d.DatasetName, d.Seed, method, got, want)
			}
			for _, got := range again.Accuracy[method] {
				if want := d.Accuracy[method][0]; math.Abs(got-want) > 0.02 {
					t.Errorf("%s, seed %d, %s: accuracy %g, stored %g", d.DatasetName, d.Seed, method, got, want)
				}
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
