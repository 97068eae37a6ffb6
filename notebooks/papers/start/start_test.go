package start

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/learn"
	"github.com/mklnb/mkl/algos/points"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/notebooks/papers/shared"
	"github.com/mklnb/mkl/notebooks/papers/shared/sharedtest"
)

// TestStored computes the draws again. The trees need MKL_FORESTS, a Python with scikit-learn such as the environment
// of algos/bench.
func TestStored(t *testing.T) {
	sharedtest.RequireRegen(t)
	for _, name := range []string{"plants", "sonar in ranges", "sonar", "heart-statlog"} {
		t.Run(name, func(t *testing.T) {
			var all []*Draw
			for seed := uint64(1); seed <= 10; seed++ {
				d, err := Compare(t.Context(), name, seed, 10)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, d)
			}
			sharedtest.Write(t, name, all)
		})
	}
	t.Run("others", func(t *testing.T) {
		var all []*Draw
		for _, name := range otherSets {
			d, err := Compare(t.Context(), name, 1, 10)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, d)
		}
		sharedtest.Write(t, "others", all)
	})
	t.Run("forests", forests)
}

// otherSets lists the embedded sets with two classes except sonar and heart disease.
var otherSets = []string{"breast-ljubljana", "breast-wisconsin", "credit-g", "ionosphere", "liver-bupa", "pima",
	"votes84"}

// TestOthers checks the stored draws of the other sets: learned weights are clearly better than uniform weights only on
// ionosphere, clearly better than the best single kernel on no set, and clearly worse on no set. It computes the first
// split of ionosphere again.
func TestOthers(t *testing.T) {
	all := Stored("others")
	if len(all) != len(otherSets) {
		t.Fatalf("%d sets, expected %d", len(all), len(otherSets))
	}
	for i, d := range all {
		if d.Data != otherSets[i] {
			t.Errorf("row %d is %s, expected %s", i, d.Data, otherSets[i])
		}
		if c := d.Less(learn.UniformName); c.Hi < 0 != (d.Data == "ionosphere") || c.Lo > 0 {
			t.Errorf("%s: less uniform %+.4f [%+.4f, %+.4f]", d.Data, c.Mean, c.Lo, c.Hi)
		}
		if c := d.Less(learn.SingleName); c.ExcludesZero() {
			t.Errorf("%s: less best single %+.4f [%+.4f, %+.4f]", d.Data, c.Mean, c.Lo, c.Hi)
		}
	}
	if testing.Short() {
		return
	}
	again, err := Compare(t.Context(), "ionosphere", 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for method, scores := range again.RMSE {
		if got, want := scores[0], all[3].RMSE[method][0]; math.Abs(got-want) > 1e-4*want {
			t.Errorf("ionosphere, %s: RMSE %g, stored %g", method, got, want)
		}
	}
}

// forests computes the draws of forests.py.
func forests(t *testing.T) {
	python := os.Getenv("MKL_FORESTS")
	if python == "" {
		t.Skip("MKL_FORESTS is not set")
	}
	d, err := data.Load("sonar")
	if err != nil {
		t.Fatal(err)
	}
	type part struct {
		Train []int `json:"train"`
		Test  []int `json:"test"`
	}
	var ask struct {
		X      [][]float64 `json:"X"`
		Y      []float64   `json:"y"`
		Splits [][]part    `json:"splits"`
	}
	ask.Y = d.Y
	for i := range d.Y {
		ask.X = append(ask.X, d.X.(points.Rows).Row(i))
	}
	for seed := uint64(1); seed <= 10; seed++ {
		held, err := compare.Holdout(d.Y, 0.25, 10, seed)
		if err != nil {
			t.Fatal(err)
		}
		var parts []part
		for _, s := range held {
			parts = append(parts, part{s.Train, s.Test})
		}
		ask.Splits = append(ask.Splits, parts)
	}
	given, err := json.Marshal(ask)
	if err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), python, "forests.py")
	run.Stdin, run.Stderr = bytes.NewReader(given), os.Stderr
	said, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []*Draw
	lines := json.NewDecoder(bytes.NewReader(said))
	for seed := uint64(1); seed <= 10; seed++ {
		var found map[string][][2]float64
		if err := lines.Decode(&found); err != nil {
			t.Fatal(err)
		}
		draw := &Draw{Data: "forests", Seed: seed, Ratio: 52. / 156, RMSE: map[string][]float64{},
			Hits: map[string][]float64{}}
		for method, scores := range found {
			for _, s := range scores {
				both := shared.Round(s[:], 5)
				draw.RMSE[method] = append(draw.RMSE[method], both[0])
				draw.Hits[method] = append(draw.Hits[method], both[1])
			}
		}
		all = append(all, draw)
	}
	sharedtest.Write(t, "forests", all)
}

// TestDrawn computes the first split of a random draw of each comparison again, and compares with the stored errors.
func TestDrawn(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: nothing is learned")
	}
	for _, name := range []string{"plants", "sonar in ranges", "sonar", "heart-statlog"} {
		drawn := Stored(name)[rand.IntN(10)]
		again, err := Compare(t.Context(), name, drawn.Seed, 1)
		if err != nil {
			t.Fatal(err)
		}
		for method, scores := range again.RMSE {
			if got, want := scores[0], drawn.RMSE[method][0]; math.Abs(got-want) > 1e-4*want {
				t.Errorf("%s, seed %d, %s: RMSE %g, stored %g", name, drawn.Seed, method, got, want)
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
