package study

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/fit"
	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/data"
)

// TestVersion1 tests that a study file of version 0.1.0 gives the results that it gave then. MKL_NEW_VERSION1=1 writes
// the files. Once 0.1.0 is released, they must not be written again.
func TestVersion1(t *testing.T) {
	study, table := filepath.Join("testdata", "version1.jsonl"), filepath.Join("testdata", "version1.txt")
	isNew := os.Getenv("MKL_NEW_VERSION1") != ""
	if isNew {
		s := &compare.Study{Baseline: "uniform"}
		options := data.Options{Regression: true, Missing: data.Fill}
		s.Data = must(options.Open(filepath.Join("testdata", "version1.csv")))
		s.Splits = must(fit.Halves(s.Data.Y, 3, 1))
		family := kernel.List{kernel.RBF{Gamma: 1}, kernel.Linear{}}
		s.Methods = []fit.Method{
			{Name: "learned", Fitter: fit.Search{Family: family,
				Grid: fit.Grid{fit.Ridge(0.1, 1), fit.Balls(2, 1, 1)}}},
			{Name: "uniform", Fitter: fit.Search{Family: family,
				Grid: fit.Grid{fit.Ridge(1), fit.Rules(mkl.Uniform{})}}}}
		if err := Save(study, s); err != nil {
			t.Fatal(err)
		}
	}
	got := ""
	for _, s := range must(Open(study)) {
		for _, row := range must(s.Run(t.Context(), nil)).Rows {
			for _, r := range row.Runs {
				got += fmt.Sprintf("%s %s %.6g\n", s.Data.Name, row.Method, r.Score.RMSE)
			}
		}
	}
	if isNew {
		if err := os.WriteFile(table, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(must(os.ReadFile(table))); got != want {
		t.Errorf("the results are\n%s\nof version 0.1.0\n%s", got, want)
	}
}
